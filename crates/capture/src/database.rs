//! Compilation databases: `compile_commands.json`.
//!
//! Source: LLVM's *JSON Compilation Database Format Specification*.
//! Departures: an entry that cannot be used is set aside with its reason, and the others go on;
//! a relative `directory` counts from the database's own; response files (`@file`) are expanded,
//! because their content needs cleaning too.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use base::limits;
use serde::Deserialize;

use crate::error::Error;
use crate::flags;
use crate::unit::{self, Language, Unit};

/// The units of a build.
#[derive(Debug)]
pub struct Database {
    /// The usable entries, in the order of the file. Entries that agree in all that matters are one.
    pub units: Vec<Unit>,
    /// Why the other entries cannot be used.
    pub rejected: Vec<Error>,
}

/// The name that CMake, Meson, Bear and others agree on.
const FILE_NAME: &str = "compile_commands.json";

/// Programs that run the compiler named after them.
const LAUNCHERS: [&str; 5] = ["ccache", "sccache", "distcc", "icecc", "gomacc"];

/// One entry as it stands in the file. All is optional here, so that one bad entry is one message.
#[derive(Deserialize)]
struct Entry {
    directory: Option<String>,
    file: Option<String>,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

impl Database {
    /// Reads a database, given the file itself or the directory it is in.
    pub fn load(path: &Path) -> Result<Database, Error> {
        let file = locate(path)?;
        let text = read(&file, limits::FILE_BYTES)?;
        let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&text);
        let entries: Vec<Entry> = serde_json::from_slice(text).map_err(|error| Error::Database {
            path: file.clone(),
            line: error.line(),
            column: error.column(),
            message: without_position(&error.to_string()),
        })?;
        let home = std::path::absolute(&file).map_err(|source| unit::unreadable(&file, source))?;
        let home = home.parent().expect("invariant: a file has a directory");
        let mut database = Database { units: Vec::new(), rejected: Vec::new() };
        let mut seen = BTreeSet::new();
        for (index, entry) in entries.iter().enumerate() {
            match unit_from_entry(entry, home) {
                Ok(unit) if seen.contains(&unit) => {}
                Ok(unit) => {
                    seen.insert(unit.clone());
                    database.units.push(unit);
                }
                Err(Bad::Entry(message)) => {
                    let path = file.clone();
                    database.rejected.push(Error::DatabaseEntry { path, index, message });
                }
                Err(Bad::File(error)) => database.rejected.push(*error),
            }
        }
        Ok(database)
    }
}

fn locate(path: &Path) -> Result<PathBuf, Error> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let file = path.join(FILE_NAME);
    match file.exists() {
        true => Ok(file),
        false => Err(Error::NoDatabase { dir: path.to_owned() }),
    }
}

fn read(file: &Path, limit: u64) -> Result<Vec<u8>, Error> {
    let mut text = Vec::new();
    fs::File::open(file)
        .and_then(|opened| opened.take(limit + 1).read_to_end(&mut text))
        .map_err(|source| unit::unreadable(file, source))?;
    match text.len() as u64 > limit {
        true => Err(Error::TooLarge { file: file.to_owned(), limit }),
        false => Ok(text),
    }
}

/// The parser appends the position to its message; ours stands in front.
fn without_position(message: &str) -> String {
    message.split(" at line ").next().unwrap_or(message).to_owned()
}

/// What is wrong with an entry: its form, or the file it names.
enum Bad {
    Entry(String),
    File(Box<Error>),
}

fn unit_from_entry(entry: &Entry, home: &Path) -> Result<Unit, Bad> {
    let missing = |field| Bad::Entry(format!("has no `{field}`"));
    let file = entry.file.as_deref().ok_or_else(|| missing("file"))?;
    let directory = entry.directory.as_deref().ok_or_else(|| missing("directory"))?;
    let dir = home.join(directory);
    let command = command(entry)?;
    let (compiler, args) = split_launcher(&command).ok_or_else(|| missing("command"))?;
    let mut files_left = limits::RESPONSE_FILES;
    let cleaned = flags::clean(&expand_response_files(args, &dir, &mut files_left));
    let file = PathBuf::from(file);
    // Its name alone would not tell the user where to look: every entry has a directory of its own.
    let language = unit::recognize(&dir.join(&file), &dir, cleaned.language.as_deref())
        .map_err(|error| Bad::File(Box::new(error)))?;
    let mut unit = Unit { file, dir, args: cleaned.args, language, gcc: None, outputs: Vec::new() };
    if cleaned.language.is_none() && language == Language::C && is_cxx_driver(compiler) {
        unit.language = Language::Cxx;
        unit.args.extend(["-x".into(), "c++".into()]);
    }
    Ok(unit)
}

/// The words of the command line, of which `arguments` is the precise form.
fn command(entry: &Entry) -> Result<Vec<String>, Bad> {
    match (&entry.arguments, &entry.command) {
        (Some(arguments), _) => Ok(arguments.clone()),
        (None, Some(command)) => {
            shlex::split(command).ok_or_else(|| Bad::Entry("`command` has a quote that is not closed".into()))
        }
        (None, None) => Err(Bad::Entry("has neither `command` nor `arguments`".into())),
    }
}

/// The compiler and its arguments: `ccache gcc -c a.c` is `gcc` with `-c a.c`.
fn split_launcher(command: &[String]) -> Option<(&str, &[String])> {
    let (first, rest) = command.split_first()?;
    let launched = rest.first().is_some_and(|next| !next.starts_with('-'));
    if LAUNCHERS.contains(&program_name(first)) && launched {
        return split_launcher(rest);
    }
    Some((first, rest))
}

fn program_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

/// `g++`, `clang++-19`, `x86_64-linux-gnu-c++`: drivers that take `.c` files for C++.
fn is_cxx_driver(compiler: &str) -> bool {
    program_name(compiler).contains("++")
}

/// Replaces `@file` by the words in that file, as compilers do. An `@file` that cannot be read stays
/// as it is, and is later dropped like any other input.
fn expand_response_files(args: &[String], dir: &Path, files_left: &mut u32) -> Vec<String> {
    let mut expanded = Vec::new();
    for arg in args {
        match arg.strip_prefix('@').and_then(|name| words_of(&dir.join(name), files_left)) {
            Some(words) => expanded.extend(expand_response_files(&words, dir, files_left)),
            None => expanded.push(arg.clone()),
        }
    }
    expanded
}

fn words_of(file: &Path, files_left: &mut u32) -> Option<Vec<String>> {
    *files_left = files_left.checked_sub(1)?;
    let bytes = file.is_file().then(|| read(file, limits::RESPONSE_FILE_BYTES))?.ok()?;
    shlex::split(&String::from_utf8_lossy(&bytes))
}
