//! The models that are part of the program, as text.

use crate::library::Source;

/// Lists the files of facts with their texts.
macro_rules! texts {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../facts/", $name)))),*]
    };
}

/// A test compares this list with the directory.
const FACTS: &[(&str, &str)] = texts![
    "assert.toml",
    "bsd.toml",
    "ctype.toml",
    "curl.toml",
    "cxx.toml",
    "families.toml",
    "glib.toml",
    "glibc.toml",
    "kernel.toml",
    "libxml2.toml",
    "math.toml",
    "misc.toml",
    "openssl.toml",
    "pthread.toml",
    "signal.toml",
    "socket.toml",
    "sqlite.toml",
    "stdio.toml",
    "stdlib.toml",
    "string.toml",
    "system.toml",
    "text.toml",
    "threads.toml",
    "time.toml",
    "unistd.toml",
    "wchar.toml",
];

/// The second tier, as sources for [`Library::new`](crate::Library::new).
pub fn facts() -> Vec<Source> {
    FACTS
        .iter()
        .map(|&(file, text)| Source {
            file: format!("models/facts/{file}"),
            text: text.to_owned(),
            settings: &[],
        })
        .collect()
}
