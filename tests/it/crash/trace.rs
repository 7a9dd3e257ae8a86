//! What strace has written → the calls that matter to a disk, each with its beginning and end.

/// Everything the model of the disk must see.
pub(super) const CALLS: &str = "open,openat,creat,close,dup,dup2,dup3,fcntl,lseek,mkdir,mkdirat,\
    rename,renameat,renameat2,link,linkat,unlink,unlinkat,rmdir,write,pwrite64,writev,pwritev,\
    pwritev2,ftruncate,truncate,fallocate,copy_file_range,sendfile,fsync,fdatasync,\
    sync_file_range";

/// Options of strace for a trace that [`parse`] reads: strings in hexadecimal, and whole.
pub(super) fn options() -> Vec<String> {
    let all = ["-xx", "-s", "67108864", "-e"];
    all.iter().map(|&option| option.to_owned()).chain([format!("trace={CALLS}")]).collect()
}

/// One call that did not fail.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) name: String,
    pub(super) args: Vec<Arg>,
    pub(super) result: i64,
    /// Line at which it began.
    pub(super) begins: usize,
    /// Line at which it had ended; that of its beginning, where nothing came between.
    pub(super) ends: usize,
}

/// One argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Arg {
    Bytes(Vec<u8>),
    /// A number, a flag, a structure: as strace shows it.
    Word(String),
}

impl Call {
    /// The argument as a number.
    pub(super) fn number(&self, at: usize) -> i64 {
        match &self.args[at] {
            Arg::Word(word) => word.parse().unwrap_or_else(|_| panic!("{word} in {}", self.name)),
            Arg::Bytes(_) => panic!("bytes at {at} in {}", self.name),
        }
    }

    /// The argument as bytes.
    pub(super) fn bytes(&self, at: usize) -> &[u8] {
        match &self.args[at] {
            Arg::Bytes(bytes) => bytes,
            Arg::Word(word) => panic!("{word} for bytes in {}", self.name),
        }
    }

    /// Whether the argument, a set of flags, has this one.
    pub(super) fn has(&self, at: usize, flag: &str) -> bool {
        matches!(self.args.get(at), Some(Arg::Word(word)) if word.split('|').any(|f| f == flag))
    }
}

/// The calls that did not fail, in the order in which they ended.
pub(super) fn parse(trace: &str) -> Vec<Call> {
    let mut begun: Vec<(&str, usize, String)> = Vec::new();
    let mut calls = Vec::new();
    for (line, text) in trace.lines().enumerate() {
        let (pid, text) = text.split_once(' ').unwrap();
        let text = text.trim_start();
        if text.starts_with("+++") || text.starts_with("---") {
            continue;
        }
        if let Some(beginning) = text.strip_suffix(" <unfinished ...>") {
            begun.push((pid, line, beginning.to_owned()));
            continue;
        }
        let mut whole = (line, text.to_owned());
        if text.starts_with("<... ") {
            let rest = text.split_once(" resumed>").unwrap().1;
            let at = begun.iter().position(|(other, ..)| *other == pid).unwrap();
            let (_, begins, beginning) = begun.remove(at);
            whole = (begins, beginning + rest);
        }
        calls.extend(call(&whole.1, whole.0, line));
    }
    calls
}

fn call(text: &str, begins: usize, ends: usize) -> Option<Call> {
    let (name, rest) = text.split_once('(').unwrap();
    let (args, result) = rest.rsplit_once(" = ").unwrap();
    let args = args.trim_end().strip_suffix(')').unwrap();
    let result = result.split(' ').next().unwrap().parse().ok().filter(|result| *result >= 0)?;
    let args = split(args).into_iter().map(arg).collect();
    Some(Call { name: name.to_owned(), args, result, begins, ends })
}

/// At the commas that stand in no brackets; strings, being hexadecimal, have none.
fn split(args: &str) -> Vec<&str> {
    let (mut parts, mut from, mut depth) = (Vec::new(), 0, 0);
    for (at, byte) in args.bytes().enumerate() {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth -= 1,
            b',' if depth == 0 => {
                parts.push(args[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(args[from..].trim());
    parts
}

fn arg(text: &str) -> Arg {
    let Some(hex) = text.strip_prefix('"') else { return Arg::Word(text.to_owned()) };
    let hex = hex.strip_suffix('"').unwrap_or_else(|| panic!("strace has cut a string short"));
    let byte = |digits: &str| u8::from_str_radix(digits, 16).unwrap();
    Arg::Bytes(hex.split("\\x").skip(1).map(byte).collect())
}

#[test]
fn a_call_in_two_pieces_is_one() {
    let trace = "7 fsync(5 <unfinished ...>\n\
                 8 pwrite64(4, \"\\x61\\x2c\", 2, 10) = 2\n\
                 7 <... fsync resumed>)              = 0\n\
                 8 openat(AT_FDCWD, \"\\x61\", O_RDONLY|O_CLOEXEC) = -1 ENOENT (No such file)\n\
                 7 +++ exited with 0 +++\n";
    let calls = parse(trace);
    assert_eq!(calls.len(), 2, "{calls:?}");
    assert_eq!((calls[0].bytes(1), calls[0].number(3)), (&b"a,"[..], 10));
    assert_eq!((calls[1].name.as_str(), calls[1].begins, calls[1].ends), ("fsync", 0, 2));
}
