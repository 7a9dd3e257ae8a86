//! A model of a disk: what the calls of a program have changed, and what of it a power cut leaves.
//!
//! What was written survives only once the file was synced; a name (made, renamed, removed)
//! only once its folder was. `sync_file_range` promises nothing: it writes neither a file's length
//! nor a disk's cache. Whatever was not synced may be there, in part, or not.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::Dice;
use super::scene::files;
use super::trace::{Arg, Call};

/// A file or folder, whatever it is called.
type Node = usize;

/// The folder in which everything happens.
const ROOT: Node = 0;

enum Change {
    Write { node: Node, at: u64, bytes: Vec<u8> },
    Length { node: Node, length: u64 },
    Name { folder: Node, name: String, node: Node },
    Unname { folder: Node, name: String },
    Rename { from: (Node, String), to: (Node, String) },
}

struct Op {
    change: Change,
    begins: usize,
    ends: usize,
    /// When it had been synced.
    durable: Option<usize>,
}

impl Op {
    /// The file or folder that must be synced for it to last.
    fn lasts_with(&self) -> Node {
        match &self.change {
            Change::Write { node, .. } | Change::Length { node, .. } => *node,
            Change::Name { folder, .. } | Change::Unname { folder, .. } => *folder,
            Change::Rename { to, .. } => to.0,
        }
    }

    fn is_data(&self) -> bool {
        matches!(self.change, Change::Write { .. } | Change::Length { .. })
    }
}

/// What is left of what was not synced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Left {
    /// Nothing.
    Nothing,
    /// Everything, as after `kill -9`.
    Everything,
    /// Names and lengths; where bytes should be there are zeros.
    Names,
    /// Some of it, and one write of it in part.
    Some,
}

/// All that a program did to the files in one folder.
pub(super) struct Disk {
    root: PathBuf,
    ops: Vec<Op>,
    nodes: usize,
    folders: HashSet<Node>,
    /// Names as they are at the end of what has been taken in.
    names: HashMap<PathBuf, Node>,
    open: HashMap<i64, (Node, u64)>,
    /// What was written to stdout and stderr, and when.
    told: Vec<(usize, i64, Vec<u8>)>,
    /// Lines at which something became safe or was told.
    moments: Vec<usize>,
}

impl Disk {
    /// What `root` holds in `folders` is safe.
    pub(super) fn of(root: &Path, folders: &[&str]) -> Disk {
        let mut disk = Disk {
            root: root.to_owned(),
            ops: Vec::new(),
            nodes: 1,
            folders: HashSet::new(),
            names: HashMap::from([(root.to_owned(), ROOT)]),
            open: HashMap::new(),
            told: Vec::new(),
            moments: Vec::new(),
        };
        for folder in folders.iter().filter(|folder| root.join(folder).exists()) {
            for (path, content) in files(&root.join(folder)) {
                let path = root.join(folder).join(path);
                disk.add_folders(path.parent().unwrap());
                let node = disk.add(&path, 0, 0);
                disk.push(Change::Write { node, at: 0, bytes: content }, 0, 0);
            }
        }
        disk.ops.iter_mut().for_each(|op| op.durable = Some(0));
        disk
    }

    fn add_folders(&mut self, folder: &Path) {
        if !self.names.contains_key(folder) {
            self.add_folders(folder.parent().unwrap());
            let node = self.add(folder, 0, 0);
            self.folders.insert(node);
        }
    }

    fn push(&mut self, change: Change, begins: usize, ends: usize) {
        self.ops.push(Op { change, begins, ends, durable: None });
    }

    /// A new file or folder.
    fn add(&mut self, path: &Path, begins: usize, ends: usize) -> Node {
        let node = self.nodes;
        self.nodes += 1;
        self.name(path, node, begins, ends);
        node
    }

    fn name(&mut self, path: &Path, node: Node, begins: usize, ends: usize) {
        let (folder, name) = self.entry(path).unwrap();
        self.names.insert(path.to_owned(), node);
        self.push(Change::Name { folder, name, node }, begins, ends);
    }

    /// The folder and the name within it; `None` for what is elsewhere.
    fn entry(&self, path: &Path) -> Option<(Node, String)> {
        let folder = *self.names.get(path.parent()?)?;
        Some((folder, path.file_name()?.to_str().unwrap().to_owned()))
    }

    fn path(&self, call: &Call, at: usize) -> PathBuf {
        self.root.join(std::str::from_utf8(call.bytes(at)).unwrap())
    }

    /// The path in argument `at`, which is looked for in the folder that the argument before names.
    fn path_at(&self, call: &Call, at: usize) -> PathBuf {
        let Arg::Word(fd) = &call.args[at - 1] else { return self.path(call, at) };
        let folder = fd.parse().ok().and_then(|fd: i64| self.open.get(&fd));
        let named = folder.and_then(|(node, _)| self.names.iter().find(|(_, n)| *n == node));
        match named {
            Some((folder, _)) => folder.join(std::str::from_utf8(call.bytes(at)).unwrap()),
            None => self.path(call, at),
        }
    }

    /// Takes in what a program did.
    pub(super) fn take(&mut self, calls: &[Call]) {
        for call in calls {
            self.take_call(call);
        }
    }

    fn take_call(&mut self, call: &Call) {
        let (begins, ends) = (call.begins, call.ends);
        match call.name.as_str() {
            "open" => self.take_open(call, 0),
            "openat" => self.take_open(call, 1),
            "close" => {
                self.open.remove(&call.number(0));
            }
            "mkdir" if self.entry(&self.path(call, 0)).is_some() => {
                let node = self.add(&self.path(call, 0), begins, ends);
                self.folders.insert(node);
            }
            "lseek" => {
                if let Some((_, at)) = self.open.get_mut(&call.number(0)) {
                    *at = call.result as u64;
                }
            }
            "write" => {
                let bytes = call.bytes(1)[..call.result as usize].to_vec();
                let fd = call.number(0);
                if fd == 1 || fd == 2 {
                    self.moments.push(begins);
                    self.told.push((begins, fd, bytes));
                } else if let Some((node, at)) = self.open.get_mut(&fd) {
                    let (node, from) = (*node, *at);
                    *at += bytes.len() as u64;
                    self.push(Change::Write { node, at: from, bytes }, begins, ends);
                }
            }
            "pwrite64" => {
                let bytes = call.bytes(1)[..call.result as usize].to_vec();
                if let Some(&(node, _)) = self.open.get(&call.number(0)) {
                    let at = call.number(3) as u64;
                    self.push(Change::Write { node, at, bytes }, begins, ends);
                }
            }
            "copy_file_range" => self.take_copy(call),
            "ftruncate" => {
                if let Some(&(node, _)) = self.open.get(&call.number(0)) {
                    let length = call.number(1) as u64;
                    self.push(Change::Length { node, length }, begins, ends);
                }
            }
            "fsync" | "fdatasync" => self.take_sync(call),
            "sync_file_range" => {}
            "rename" => self.take_rename(&self.path(call, 0), &self.path(call, 1), call),
            "renameat" | "renameat2" => {
                self.take_rename(&self.path_at(call, 1), &self.path_at(call, 3), call)
            }
            "unlink" => self.take_unlink(&self.path(call, 0), call),
            "rmdir" => self.take_unlink(&self.path(call, 0), call),
            "unlinkat" => self.take_unlink(&self.path_at(call, 1), call),
            "fcntl" if !call.has(1, "F_DUPFD") && !call.has(1, "F_DUPFD_CLOEXEC") => {}
            other => {
                let is_inside = |at: usize| match &call.args[at] {
                    Arg::Word(fd) => fd.parse().is_ok_and(|fd: i64| self.open.contains_key(&fd)),
                    Arg::Bytes(_) => self.entry(&self.path(call, at)).is_some(),
                };
                let inside = (0..call.args.len().min(2)).any(is_inside);
                assert!(!inside, "the model of the disk does not know {other}");
            }
        }
    }

    fn take_open(&mut self, call: &Call, at: usize) {
        let path = if at == 0 { self.path(call, 0) } else { self.path_at(call, at) };
        let flags = |flag| call.has(at + 1, flag);
        let inside = self.entry(&path).is_some() || path == self.root;
        if flags("O_TMPFILE") {
            self.open.insert(call.result, (self.nodes, 0));
            self.nodes += 1;
            return;
        }
        let node = match self.names.get(&path) {
            Some(&node) => node,
            None if inside && flags("O_CREAT") => self.add(&path, call.begins, call.ends),
            None => {
                self.open.remove(&call.result);
                return;
            }
        };
        if flags("O_TRUNC") {
            self.push(Change::Length { node, length: 0 }, call.begins, call.ends);
        }
        self.open.insert(call.result, (node, 0));
    }

    /// Bytes that go from file to file, as they are at this moment.
    fn take_copy(&mut self, call: &Call) {
        let open = |at| {
            let fd = call.number(at);
            *self.open.get(&fd).unwrap_or_else(|| panic!("{fd} is not open: {call:?}"))
        };
        let (from, to) = (open(0), open(2));
        let content = self.tree(&self.chosen(call.ends, Left::Everything, &mut Dice::new()));
        let (start, length) = (from.1 as usize, call.result as usize);
        let bytes = content.0[&from.0][start..start + length].to_vec();
        self.push(Change::Write { node: to.0, at: to.1, bytes }, call.begins, call.ends);
        for fd in [call.number(0), call.number(2)] {
            self.open.get_mut(&fd).unwrap().1 += length as u64;
        }
    }

    fn take_sync(&mut self, call: &Call) {
        let Some(&(node, _)) = self.open.get(&call.number(0)) else { return };
        self.moments.push(call.ends);
        let before = |op: &&mut Op| op.lasts_with() == node && op.ends < call.begins;
        for op in self.ops.iter_mut().filter(before) {
            op.durable.get_or_insert(call.ends);
        }
    }

    fn take_rename(&mut self, from: &Path, to: &Path, call: &Call) {
        let Some(node) = self.names.remove(from) else { return };
        let entries = (self.entry(from).unwrap(), self.entry(to).unwrap());
        self.names.insert(to.to_owned(), node);
        // What is in a folder goes with it.
        let inside = |path: &PathBuf| path.strip_prefix(from).ok().map(|rest| to.join(rest));
        let moved = self.names.keys().filter_map(|path| Some((path.clone(), inside(path)?)));
        for (old, new) in moved.collect::<Vec<_>>() {
            let node = self.names.remove(&old).unwrap();
            self.names.insert(new, node);
        }
        let change = Change::Rename { from: entries.0, to: entries.1 };
        self.push(change, call.begins, call.ends);
    }

    fn take_unlink(&mut self, path: &Path, call: &Call) {
        if self.names.remove(path).is_some() {
            let (folder, name) = self.entry(path).unwrap();
            self.push(Change::Unname { folder, name }, call.begins, call.ends);
        }
    }

    /// The moments at which something became safe or was told, and the last of all.
    pub(super) fn moments(&self) -> Vec<usize> {
        let last = self.ops.iter().map(|op| op.ends + 1).max();
        let mut moments: Vec<usize> = self.moments.iter().copied().chain(last).collect();
        moments.sort_unstable();
        moments.dedup();
        moments
    }

    /// What had been told on stdout and stderr at a moment.
    pub(super) fn told(&self, moment: usize, fd: i64) -> String {
        let told = self.told.iter().filter(|(at, to, _)| *at <= moment && *to == fd);
        let bytes: Vec<u8> = told.flat_map(|(.., bytes)| bytes.clone()).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Puts into `root` what a power cut at this moment leaves of the `folders`.
    pub(super) fn cut(&self, moment: usize, left: Left, folders: &[&str], dice: &mut Dice) {
        let (contents, entries) = self.tree(&self.chosen(moment, left, dice));
        for folder in folders {
            let _ = fs::remove_dir_all(self.root.join(folder));
            if let Some(node) = entries.get(&ROOT).and_then(|root| root.get(*folder)) {
                self.lay(&self.root.join(folder), *node, &contents, &entries);
            }
        }
    }

    fn lay(&self, path: &Path, node: Node, contents: &Contents, entries: &Entries) {
        if self.folders.contains(&node) {
            fs::create_dir_all(path).unwrap();
            for (name, node) in entries.get(&node).into_iter().flatten() {
                self.lay(&path.join(name), *node, contents, entries);
            }
        } else {
            fs::write(path, contents.get(&node).map_or(&[][..], Vec::as_slice)).unwrap();
        }
    }

    /// The changes that are there after a power cut, in their order.
    fn chosen(&self, moment: usize, left: Left, dice: &mut Dice) -> Vec<(&Op, Part)> {
        let is_durable = |op: &Op| op.durable.is_some_and(|at| at <= moment);
        let pending = |op: &&Op| op.begins < moment && !is_durable(op);
        let names = self.ops.iter().filter(pending).filter(|op| !op.is_data()).count() as u64;
        let writes = self.ops.iter().filter(pending).filter(|op| op.is_data()).count() as u64;
        let (mut names_left, torn) = (dice.below(names + 1), dice.below(writes));
        let mut write = 0;
        let mut chosen = Vec::new();
        for op in &self.ops {
            if is_durable(op) {
                chosen.push((op, Part::Whole));
                continue;
            } else if op.begins >= moment {
                continue;
            }
            let part = match (left, op.is_data()) {
                (Left::Nothing, _) => Part::None,
                (Left::Everything, _) => {
                    if op.ends <= moment {
                        Part::Whole
                    } else {
                        Part::None
                    }
                }
                (Left::Names, true) => Part::Zeros,
                (Left::Names, false) => Part::Whole,
                (Left::Some, false) => {
                    let is_left = names_left > 0;
                    names_left = names_left.saturating_sub(1);
                    if is_left { Part::Whole } else { Part::None }
                }
                (Left::Some, true) => {
                    write += 1;
                    match dice.below(2) {
                        _ if write == torn + 1 => Part::Torn(dice.below(1 << 20)),
                        0 => Part::Whole,
                        _ => Part::None,
                    }
                }
            };
            chosen.push((op, part));
        }
        chosen
    }

    fn tree(&self, chosen: &[(&Op, Part)]) -> (Contents, Entries) {
        let (mut contents, mut entries) = (Contents::new(), Entries::new());
        for (op, part) in chosen.iter().filter(|(_, part)| *part != Part::None) {
            match &op.change {
                Change::Write { node, at, bytes } => {
                    let length = match part {
                        Part::Torn(at) => *at as usize % bytes.len().max(1),
                        _ => bytes.len(),
                    };
                    let zeros = vec![0; length];
                    let bytes = if *part == Part::Zeros { &zeros } else { &bytes[..length] };
                    let content = contents.entry(*node).or_default();
                    let (from, to) = (*at as usize, *at as usize + length);
                    content.resize(content.len().max(to), 0);
                    content[from..to].copy_from_slice(bytes);
                }
                Change::Length { node, length } => {
                    contents.entry(*node).or_default().resize(*length as usize, 0);
                }
                Change::Name { folder, name, node } => {
                    entries.entry(*folder).or_default().insert(name.clone(), *node);
                }
                Change::Unname { folder, name } => {
                    entries.entry(*folder).or_default().remove(name);
                }
                Change::Rename { from, to } => {
                    let node = entries.entry(from.0).or_default().remove(&from.1);
                    if let Some(node) = node {
                        entries.entry(to.0).or_default().insert(to.1.clone(), node);
                    }
                }
            }
        }
        (contents, entries)
    }
}

/// How much of a change is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    None,
    Whole,
    Zeros,
    Torn(u64),
}

type Contents = HashMap<Node, Vec<u8>>;
type Entries = HashMap<Node, BTreeMap<String, Node>>;
