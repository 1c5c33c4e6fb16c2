//! Wrapper executables: links to this executable under the names of tools, in a directory that is first on
//! PATH.
//!
//! The second choice of interception, for systems where no library can be preloaded. CMake, configure and
//! others remember the path of the compiler that they find, so the directory stays when the build has ended,
//! and what is called from there outside of a session just becomes the real tool.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::command;

/// Makes the links: one for each tool on the search path, and for what `CC` and `CXX` name by path.
pub(crate) fn install(dir: &Path, compilers: &[String]) -> io::Result<()> {
    fs::create_dir_all(dir)?;
    let executable = std::env::current_exe()?;
    for name in tools_on_path(dir, compilers) {
        let link = dir.join(&name);
        match fs::read_link(&link) {
            Ok(target) if target == executable => {}
            _ => {
                // There may be a link to an executable of another version.
                let _ = fs::remove_file(&link);
                symlink(&executable, &link)?;
            }
        }
    }
    Ok(())
}

/// The value of `CC` or `CXX` with a link of ours for the compiler that it names by path, such as `/opt/bin/gcc -m32`.
pub(crate) fn install_named(dir: &Path, variable: &str) -> io::Result<Option<String>> {
    let Ok(value) = std::env::var(variable) else { return Ok(None) };
    let Some((compiler, name)) = compiler_by_path(&value) else { return Ok(None) };
    let dir = dir.join(variable);
    fs::create_dir_all(&dir)?;
    let (link, real) = (dir.join(name), real_beside(&dir, OsStr::new(name)));
    for path in [&link, &real] {
        // Another value may have been here before.
        let _ = fs::remove_file(path);
    }
    symlink(std::env::current_exe()?, &link)?;
    symlink(std::path::absolute(compiler)?, &real)?;
    Ok(Some(value.replacen(compiler, &link.to_string_lossy(), 1)))
}

/// The compiler in a value of `CC`, if it is named by the path of a file, and its name.
fn compiler_by_path(value: &str) -> Option<(&str, &str)> {
    let word = value.split_whitespace().next()?;
    let name = Path::new(word).file_name()?.to_str()?;
    let is_compiler = command::is_compiler(name) || command::unknown_compiler(value).is_some();
    (word.contains('/') && is_compiler && Path::new(word).is_file()).then_some((word, name))
}

/// Where the tool is named that a link of ours stands for, if the search path does not tell.
fn real_beside(dir: &Path, name: &OsStr) -> PathBuf {
    let mut file = OsString::from(".real-");
    file.push(name);
    dir.join(file)
}

fn tools_on_path(ours: &Path, compilers: &[String]) -> BTreeSet<OsString> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut names = BTreeSet::new();
    for dir in std::env::split_paths(&path).filter(|dir| dir != ours) {
        let entries = fs::read_dir(dir).into_iter().flatten().flatten();
        names.extend(entries.map(|entry| entry.file_name()).filter(|name| is_tool(name, compilers)));
    }
    names
}

fn is_tool(name: &OsStr, compilers: &[String]) -> bool {
    name.to_str().is_some_and(|name| command::is_tool(name, compilers))
}

/// The search path with our directory first.
pub(crate) fn path_with(dir: &Path) -> io::Result<OsString> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let dirs = std::iter::once(dir.to_owned()).chain(std::env::split_paths(&path));
    std::env::join_paths(dirs).map_err(io::Error::other)
}

/// The program that was meant by a call of `name`, if that is a link of ours.
pub(crate) fn real_program(name: &OsStr) -> Option<PathBuf> {
    let base = Path::new(name).file_name()?;
    let executable = std::env::current_exe().ok()?;
    let called = called(name)?;
    // Under its own name this is no tool, and neither is a test runner.
    if executable.file_name() == Some(base) || !fs::symlink_metadata(&called).ok()?.is_symlink() {
        return None;
    }
    let named = called.parent().and_then(|dir| fs::read_link(real_beside(dir, base)).ok());
    named.or_else(|| on_path(base))
}

/// The file by which this process was started.
fn called(name: &OsStr) -> Option<PathBuf> {
    if Path::new(name).components().count() > 1 {
        return Some(PathBuf::from(name));
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(name)).find(|file| is_ours(file))
}

/// The first program of that name on the search path that is not ours.
fn on_path(base: &OsStr) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let candidates = std::env::split_paths(&path).map(|dir| dir.join(base));
    candidates.into_iter().find(|file| file.is_file() && !is_ours(file))
}

/// Whether a path leads to this executable.
pub(crate) fn is_ours(file: &Path) -> bool {
    file.canonicalize().ok() == std::env::current_exe().ok()
}

/// The search path without directories of links to this executable, if there are any.
pub(crate) fn path_without_ours() -> Option<OsString> {
    let name = std::env::args_os().next()?;
    let base = Path::new(&name).file_name()?.to_owned();
    let path = std::env::var_os("PATH")?;
    let (ours, theirs): (Vec<PathBuf>, Vec<PathBuf>) =
        std::env::split_paths(&path).partition(|dir| is_ours(&dir.join(&base)));
    (!ours.is_empty()).then(|| std::env::join_paths(theirs).ok()).flatten()
}
