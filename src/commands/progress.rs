//! The progress bar of long work: on stderr, only when that is a terminal and -q was not given.

use std::io::{IsTerminal, stderr};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::Verbosity;

/// A bar of bytes read and games done; it may be hidden. Dropping it removes it from the screen.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar for `total` bytes; `None` where the length is not known (stdin, archives).
    pub fn new(verbosity: Verbosity, total: Option<u64>) -> Progress {
        // With -v the log tells more than a bar could, and would be written across it.
        if verbosity != Verbosity::Normal || !stderr().is_terminal() {
            return Progress { bar: ProgressBar::hidden() };
        }
        let (bar, template) = match total {
            Some(total) => {
                (ProgressBar::new(total), "{bar:30} {bytes}/{total_bytes}, {msg}, {eta} left")
            }
            None => (ProgressBar::no_length(), "{spinner} {bytes}, {msg}"),
        };
        bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
        bar.set_style(ProgressStyle::with_template(template).expect("the template is well formed"));
        Progress { bar }
    }

    /// A bar for `total` games.
    pub fn of_games(verbosity: Verbosity, total: u64) -> Progress {
        let progress = Progress::new(verbosity, Some(total));
        let template = "{bar:30} {msg}, {eta} left";
        progress.bar.set_style(
            ProgressStyle::with_template(template).expect("the template is well formed"),
        );
        progress
    }

    /// Shows that `bytes` and `games` are done since the start.
    pub fn set(&self, bytes: u64, games: u64) {
        if self.bar.is_hidden() {
            return;
        }
        let seconds = self.bar.elapsed().as_secs_f64().max(0.001);
        let rate = games as f64 / seconds;
        self.bar.set_message(format!("{games} games, {rate:.0} games/s"));
        self.bar.set_position(bytes);
    }
}

impl Progress {
    /// Takes the bar off the screen while something is told on stderr.
    pub fn pause(&self, tell: impl FnOnce()) {
        self.bar.suspend(tell);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
