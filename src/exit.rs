//! Exit codes: what a command tells the shell. They are an interface; a number never changes its
//! meaning.

use std::process::ExitCode;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Exit {
    /// Everything asked for is done.
    Done = 0,
    /// Nothing, or not all, could be done.
    Failed = 1,
    /// The command line is not understood.
    Usage = 2,
    /// Done, but some games or sources failed; what failed has been told.
    Partial = 3,
    /// The config file has errors, or no directory can be found to work in.
    Config = 10,
    /// Another process holds the archive.
    Locked = 11,
    /// The store is damaged, or was written by a newer version.
    Damaged = 12,
    /// The disk is full, or about to be.
    NoSpace = 13,
    /// Stopped by the user; the shell says the same of a process that died of Ctrl-C.
    Interrupted = 130,
}

impl Exit {
    /// Every exit code, in the order of the numbers.
    pub const ALL: [Exit; 9] = [
        Exit::Done,
        Exit::Failed,
        Exit::Usage,
        Exit::Partial,
        Exit::Config,
        Exit::Locked,
        Exit::Damaged,
        Exit::NoSpace,
        Exit::Interrupted,
    ];

    /// The number the shell sees.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// What the number says, for help texts.
    pub fn meaning(self) -> &'static str {
        match self {
            Exit::Done => "done",
            Exit::Failed => "failed",
            Exit::Usage => "usage",
            Exit::Partial => "done, but some games or sources failed",
            Exit::Config => "config",
            Exit::Locked => "locked by another process",
            Exit::Damaged => "store damaged or newer",
            Exit::NoSpace => "no space",
            Exit::Interrupted => "interrupted",
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}
