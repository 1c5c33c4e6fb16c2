//! The models that are part of the program: facts and C bodies, as text.

use crate::library::Source;

/// Lists the files of a directory of this crate with their texts.
macro_rules! texts {
    ($dir:literal: $($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../", $dir, "/", $name)))),*]
    };
}

/// A test compares this list with the directory.
const FACTS: &[(&str, &str)] = texts!["facts":
    "assert.toml",
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

/// A test compares this list with the directory.
const C_BODIES: &[(&str, &str)] = texts!["c": "strings.c"];

/// A library function or several written in C, to be compiled and analyzed like any code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CBody {
    /// The file's name, for messages.
    pub file: &'static str,
    /// The whole translation unit; it includes only headers of the compiler itself.
    pub text: &'static str,
    /// The functions that it defines for others to call, from its line `// models: strlcpy strlcat`.
    pub names: Vec<&'static str>,
}

/// The third tier: a function is taken from here only if no fact and no file of the user's models it.
pub fn c_bodies() -> Vec<CBody> {
    let names = |text: &'static str| {
        let list = text.lines().find_map(|line| line.strip_prefix("// models: "));
        list.map(|list| list.split_whitespace().collect()).unwrap_or_default()
    };
    C_BODIES.iter().map(|&(file, text)| CBody { file, text, names: names(text) }).collect()
}

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
