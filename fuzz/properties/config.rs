//! The config file: any bytes are either a config or errors that each name a place in the file.

use std::path::Path;

use gamekeeper::config::{Config, Environment};

pub fn holds(data: &[u8]) {
    let file = Path::new("/home/mario/gamekeeper.toml");
    let environment = Environment { home: Some("/home/mario".into()), ..Environment::default() };
    let Err(problems) = Config::parse(data, file, &environment) else {
        return;
    };
    assert!(!problems.list.is_empty());
    let lines: Vec<&[u8]> = data.split(|&byte| byte == b'\n').collect();
    for problem in &problems.list {
        assert!((1..=lines.len()).contains(&problem.line), "{problem:?}, {} lines", lines.len());
        let line = String::from_utf8_lossy(lines[problem.line - 1]);
        let columns = 1..=line.chars().count() + 1;
        assert!(columns.contains(&problem.column), "{problem:?}: {line}");
        assert!(!problem.message.is_empty() && !problem.hint.is_empty(), "{problem:?}");
    }
    let in_order = |pair: &[gamekeeper::config::Problem]| {
        (pair[0].line, pair[0].column) <= (pair[1].line, pair[1].column)
    };
    assert!(problems.list.windows(2).all(in_order), "{problems:?}");
    assert_eq!(problems.lines().len(), problems.list.len());
}
