//! Where the config file and the archive's state are looked for, and what paths in the config
//! mean. The only place that reads environment variables.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::section::quoted;

/// What the process was told from outside about where things are. Empty variables count as unset.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// `--config`
    pub config_option: Option<PathBuf>,
    /// `--state-dir`
    pub state_dir_option: Option<PathBuf>,
    /// `$GAMEKEEPER_CONFIG`
    pub config: Option<PathBuf>,
    /// `$XDG_CONFIG_HOME`
    pub xdg_config_home: Option<PathBuf>,
    /// The first directory of `$STATE_DIRECTORY` (systemd separates several by colons).
    pub state_directory: Option<PathBuf>,
    /// `$XDG_STATE_HOME`
    pub xdg_state_home: Option<PathBuf>,
    /// The user's home directory.
    pub home: Option<PathBuf>,
}

/// There is no directory to keep things in.
#[derive(Debug, thiserror::Error)]
#[error("there is no home directory to look in")]
pub struct NoHome;

impl Environment {
    /// The variables of this process, and the two options of the command line.
    pub fn of_process(config: Option<PathBuf>, state_dir: Option<PathBuf>) -> Environment {
        let path = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        // The XDG specification: a relative path is to be ignored.
        let xdg = |name| path(name).filter(|path| path.is_absolute());
        Environment {
            config_option: config,
            state_dir_option: state_dir,
            config: path("GAMEKEEPER_CONFIG"),
            xdg_config_home: xdg("XDG_CONFIG_HOME"),
            state_directory: env::var_os("STATE_DIRECTORY").and_then(first_of_list),
            xdg_state_home: xdg("XDG_STATE_HOME"),
            home: env::home_dir().filter(|home| home.is_absolute()),
        }
    }

    /// The config file that was named: it must be there.
    pub fn named_config(&self) -> Option<PathBuf> {
        self.config_option.as_ref().or(self.config.as_ref()).map(|path| absolute(path))
    }

    /// The user's own config file, whether it is there or not.
    pub fn user_config(&self) -> Option<PathBuf> {
        under(self.xdg_config_home.as_deref(), self.home.as_deref(), ".config", "config.toml")
    }

    /// The config files that are tried, in their order, when none was named.
    pub(super) fn usual_configs(&self) -> impl Iterator<Item = PathBuf> {
        self.user_config().into_iter().chain([PathBuf::from("/etc/gamekeeper/config.toml")])
    }

    /// The directory of the archive: `--state-dir`, `$STATE_DIRECTORY`, the user's. Absolute.
    ///
    /// # Errors
    /// When none was named and the user has no home directory.
    pub fn state_dir(&self) -> Result<PathBuf, NoHome> {
        if let Some(named) = self.state_dir_option.as_ref().or(self.state_directory.as_ref()) {
            return Ok(absolute(named));
        }
        under(self.xdg_state_home.as_deref(), self.home.as_deref(), ".local/state", "")
            .ok_or(NoHome)
    }

    /// A path as it stands in the config: `~/` is the home directory, and a relative path starts
    /// at `folder`. The error is a message and a hint.
    pub(super) fn expand(&self, typed: &str, folder: &Path) -> Result<PathBuf, (String, String)> {
        if typed.is_empty() || typed.contains('\0') {
            let hint = "write where the file is to be: path = \"~/chess/all.pgn\"";
            return Err((format!("{} is no path", quoted(typed)), hint.to_owned()));
        }
        let Some(rest) = typed.strip_prefix('~') else {
            return Ok(absolute(&folder.join(typed)));
        };
        if !rest.is_empty() && !rest.starts_with('/') {
            let message = format!("{} speaks of another user's home directory", quoted(typed));
            return Err((message, "write the whole path, or ~/ for your own".to_owned()));
        }
        match &self.home {
            Some(home) => Ok(home.join(rest.trim_start_matches('/'))),
            None => Err((
                format!("{} needs a home directory, and there is none", quoted(typed)),
                "write the whole path, or set $HOME".to_owned(),
            )),
        }
    }
}

/// `gamekeeper/FILE` below an XDG directory or its place in the home directory.
fn under(xdg: Option<&Path>, home: Option<&Path>, usual: &str, file: &str) -> Option<PathBuf> {
    let base = xdg.map(Path::to_owned).or_else(|| Some(home?.join(usual)))?;
    let folder = base.join("gamekeeper");
    Some(if file.is_empty() { folder } else { folder.join(file) })
}

fn absolute(path: &Path) -> PathBuf {
    // It fails only for an empty path or without a working directory; the path as it stands then
    // fails where it is used, with a message that names it.
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn first_of_list(list: OsString) -> Option<PathBuf> {
    env::split_paths(&list).find(|path| !path.as_os_str().is_empty())
}
