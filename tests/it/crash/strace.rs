//! Runs the program under strace, with a limit on the time: nothing may hang.

use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::scene::{Told, safe_texts};
use super::tell;
use crate::bench::Bench;

/// Everything that changes what is on the disk.
pub(super) const WRITES: &str = "write,pwrite64,writev,pwritev,pwritev2,fsync,fdatasync,\
    sync_file_range,rename,renameat,renameat2,link,linkat,unlink,unlinkat,ftruncate,fallocate,\
    copy_file_range,mkdir,mkdirat";

/// The longest that a run may take; it takes less than a second where nothing hangs.
const LIMIT: Duration = Duration::from_secs(60);

/// How a run ended.
pub(super) struct Ran {
    /// `None` where it was killed.
    pub(super) code: Option<i32>,
    pub(super) stdout: String,
    pub(super) stderr: String,
    /// What strace wrote, one call a line.
    pub(super) trace: String,
}

impl Ran {
    /// What was told; 3 tells of the game that cannot be read.
    pub(super) fn told(&self) -> Told {
        Told { safe: safe_texts(&self.stderr), done: matches!(self.code, Some(0 | 3)) }
    }
}

/// False, said aloud, where strace is missing or may not trace.
pub(super) fn is_there() -> bool {
    static THERE: OnceLock<bool> = OnceLock::new();
    *THERE.get_or_init(|| {
        let run = Command::new("strace")
            .args(["-f", "-qq", "-o", "/dev/null", "-e", "inject=fsync:error=EIO", "true"])
            .output();
        let there = run.is_ok_and(|output| output.status.success());
        if !there {
            tell("skipped: strace is not there or may not trace: no call was struck");
        }
        there
    })
}

/// Runs the program under strace with these options.
pub(super) fn run(bench: &Bench, options: &[&str], args: &[&str]) -> Ran {
    let plain = bench.command(args);
    let trace = bench.path("trace");
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-o"]).arg(&trace).args(options);
    command.arg(plain.get_program()).args(plain.get_args()).current_dir(bench.dir.path());
    let mut ran = run_limited(bench, command);
    ran.trace = String::from_utf8_lossy(&fs::read(trace).unwrap()).into_owned();
    ran
}

/// Runs a command that must not hang.
pub(super) fn run_limited(bench: &Bench, mut command: Command) -> Ran {
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let stdout = read(child.stdout.take().unwrap());
    let stderr = read(child.stderr.take().unwrap());
    let began = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if began.elapsed() > LIMIT {
            // Killed, strace lets go of the program, which must not be left behind.
            kill_holder(bench);
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("{command:?} hangs: {}", stderr.join().unwrap());
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let (stdout, stderr) = (stdout.join().unwrap(), stderr.join().unwrap());
    Ran { code: status.code(), stdout, stderr, trace: String::new() }
}

fn read(mut from: impl Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Kills the process that has the archive open.
fn kill_holder(bench: &Bench) {
    let pid = fs::read_to_string(bench.path("state/lock")).unwrap_or_default();
    if let Some(pid) = pid.trim().parse().ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
    }
}
