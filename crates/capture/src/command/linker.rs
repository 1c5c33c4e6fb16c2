//! What a linker's command line puts together.
//!
//! Source: the manual of GNU ld 2.40 ("Command-line Options"); options of Darwin's linker where they name
//! files.
//! Departures: the search for libraries is left to the reader of [`Input::Library`]; `-Bstatic` and
//! `--as-needed` are not recorded, because they choose among files that the build did not make.

use std::path::{Path, PathBuf};

use super::paths::absolute;
use crate::links::{Artifact, ArtifactKind, Input};

/// What an option of the linker means to us.
enum Meaning<'a> {
    Output(&'a str),
    Library(&'a str),
    SearchDir(&'a str),
    Kind(ArtifactKind),
    Whole(bool),
    PushState,
    PopState,
    /// A file of which all is taken.
    WholeFile(&'a str),
    Nothing,
}

/// Long options with a value that matters.
const LONG_THAT_MATTER: &[&str] = &["output", "library", "library-path", "force_load"];

/// Other long options that take the next word, unless the value follows behind `=`. They may have one dash or two.
const LONG_WITH_VALUE: &[&[&str]] = &[
    &["script", "default-script", "entry", "undefined", "require-defined", "soname", "rpath", "rpath-link"],
    &["dynamic-linker", "Map", "format", "mri-script", "defsym", "oformat", "just-symbols", "sysroot"],
    &["plugin", "plugin-opt", "version-script", "dynamic-list", "retain-symbols-file", "section-start"],
    &["Ttext", "Tdata", "Tbss", "Ttext-segment", "Trodata-segment", "Tldata-segment", "wrap", "init"],
    &["fini", "assert", "auxiliary", "filter", "trace-symbol", "audit", "depaudit", "architecture"],
    &["exclude-libs", "dT", "out-implib", "base-file", "image-base", "subsystem", "syslibroot", "arch"],
    &["macosx_version_min", "install_name", "compatibility_version", "current_version"],
    &["exported_symbols_list", "weak_framework", "framework", "bundle_loader", "filelist", "lto_library"],
    &["dependency-file"],
];

/// Options of one letter that take the next word, unless it is joined to them.
const SHORT_WITH_VALUE: &[char] = &[
    'o', 'l', 'L', 'T', 'e', 'u', 'z', 'm', 'h', 'I', 'y', 'Y', 'a', 'A', 'b', 'c', 'F', 'f', 'R', 'G', 'P',
];

/// What the words of a linker's command write, if anything: words without the program, in order.
///
/// They may be mixed with options that only a compiler has for its linker, such as `-dynamiclib`.
pub(super) fn understand(words: &[String], dir: &Path) -> Option<Artifact> {
    let mut line = Line::default();
    let mut rest = words.iter().map(String::as_str);
    while let Some(word) = rest.next() {
        match word.strip_prefix('-') {
            None | Some("") => line.parts.push(Part { text: word, is_library: false, whole: line.whole }),
            Some(_) => line.follow(meaning(word, &mut rest)),
        }
    }
    line.finish(dir)
}

fn meaning<'a>(word: &'a str, rest: &mut impl Iterator<Item = &'a str>) -> Meaning<'a> {
    let long = word.strip_prefix("--").unwrap_or(&word[1..]);
    let (name, joined) = match long.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (long, None),
    };
    // To GNU ld `-output` is an output called `utput`: of the words with one dash, only those with an `o` are read so.
    let may_be_long = !word.starts_with("-o");
    if may_be_long && LONG_THAT_MATTER.contains(&name) {
        let value = joined.or_else(|| rest.next());
        return value.map_or(Meaning::Nothing, |value| match name {
            "output" => Meaning::Output(value),
            "library" => Meaning::Library(value),
            "library-path" => Meaning::SearchDir(value),
            _ => Meaning::WholeFile(value),
        });
    }
    if may_be_long && LONG_WITH_VALUE.iter().any(|row| row.contains(&name)) {
        if joined.is_none() {
            rest.next();
        }
        return Meaning::Nothing;
    }
    match long {
        "shared" | "Bshareable" | "dynamiclib" | "bundle" | "dylib" => Meaning::Kind(ArtifactKind::Shared),
        "r" | "i" | "Ur" | "relocatable" => Meaning::Kind(ArtifactKind::Relocatable),
        "whole-archive" | "all_load" => Meaning::Whole(true),
        "no-whole-archive" => Meaning::Whole(false),
        "push-state" => Meaning::PushState,
        "pop-state" => Meaning::PopState,
        _ if word.starts_with("--") => Meaning::Nothing,
        _ => short(long, rest),
    }
}

fn short<'a>(option: &'a str, rest: &mut impl Iterator<Item = &'a str>) -> Meaning<'a> {
    let mut letters = option.chars();
    let Some(letter) = letters.next().filter(|letter| SHORT_WITH_VALUE.contains(letter)) else {
        return Meaning::Nothing;
    };
    let value = Some(letters.as_str()).filter(|joined| !joined.is_empty()).or_else(|| rest.next());
    match (letter, value) {
        ('o', Some(value)) => Meaning::Output(value),
        ('l', Some(value)) => Meaning::Library(value),
        ('L', Some(value)) => Meaning::SearchDir(value),
        _ => Meaning::Nothing,
    }
}

/// A command line as far as it is read.
#[derive(Default)]
struct Line<'a> {
    output: Option<&'a str>,
    kind: Option<ArtifactKind>,
    dirs: Vec<&'a str>,
    parts: Vec<Part<'a>>,
    whole: bool,
    /// What `--push-state` saved.
    saved: Vec<bool>,
}

struct Part<'a> {
    text: &'a str,
    is_library: bool,
    whole: bool,
}

impl<'a> Line<'a> {
    fn follow(&mut self, meaning: Meaning<'a>) {
        match meaning {
            Meaning::Output(path) => self.output = Some(path),
            Meaning::Library(text) => self.parts.push(Part { text, is_library: true, whole: self.whole }),
            // A `=` in front stands for the system's root.
            Meaning::SearchDir(dir) => self.dirs.push(dir.strip_prefix('=').unwrap_or(dir)),
            Meaning::Kind(kind) => self.kind = Some(kind),
            Meaning::Whole(whole) => self.whole = whole,
            Meaning::PushState => self.saved.push(self.whole),
            Meaning::PopState => self.whole = self.saved.pop().unwrap_or(self.whole),
            Meaning::WholeFile(text) => self.parts.push(Part { text, is_library: false, whole: true }),
            Meaning::Nothing => {}
        }
    }

    /// All `-L` count for all `-l`, whatever their order.
    fn finish(self, dir: &Path) -> Option<Artifact> {
        let dirs: Vec<PathBuf> = self.dirs.iter().map(|it| absolute(dir, Path::new(it))).collect();
        let inputs: Vec<Input> = self.parts.iter().filter_map(|part| input(part, dir, &dirs)).collect();
        let output = self.output.unwrap_or("a.out");
        let nothing = inputs.is_empty() || output == "/dev/null";
        (!nothing).then(|| Artifact {
            path: absolute(dir, Path::new(output)),
            kind: self.kind.unwrap_or(ArtifactKind::Program),
            inputs,
        })
    }
}

fn input(part: &Part<'_>, dir: &Path, dirs: &[PathBuf]) -> Option<Input> {
    let whole = part.whole;
    if !part.is_library {
        return Some(Input::File { path: absolute(dir, Path::new(part.text)), whole });
    }
    let library = |name: &str| Some(Input::Library { name: name.to_owned(), dirs: dirs.to_vec(), whole });
    let Some(file) = part.text.strip_prefix(':') else {
        return library(part.text);
    };
    // `-l:libx.a` names the file itself. A usual name is found like `-lx`; for others we must look.
    let usual = file
        .strip_prefix("lib")
        .and_then(|name| name.strip_suffix(".a").or_else(|| name.split_once(".so").map(|(name, _)| name)));
    match usual {
        Some(name) => library(name),
        None => {
            let path = dirs.iter().map(|dir| dir.join(file)).find(|path| path.is_file())?;
            Some(Input::File { path, whole })
        }
    }
}
