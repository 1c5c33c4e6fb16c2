//! Compilation databases: `compile_commands.json`.
//!
//! Source: LLVM's *JSON Compilation Database Format Specification*.
//! Departures: an entry that cannot be used is set aside with its reason, and the others go on;
//! a relative `directory` counts from the database's own; response files (`@file`) are expanded,
//! because their content needs cleaning too.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};

use base::limits;
use serde::Deserialize;

use crate::command::paths::absolute;
use crate::command::{Compilation, program};
use crate::error::Error;
use crate::flags::{self, Cleaned};
use crate::response::expand_response_files;
use crate::store_dir;
use crate::unit::{self, Blemish, Language, Unit};

/// The units of a build.
#[derive(Debug)]
pub struct Database {
    /// The usable entries, in the order of the file. Entries that agree in all that matters are one unit, with all their
    /// outputs.
    pub units: Vec<Unit>,
    /// Why the other entries cannot be used.
    pub rejected: Vec<Error>,
    /// Units whose file is gone, each of which is among the rejected, too. Builds delete generated sources; whoever has kept
    /// their text can still analyze them.
    pub gone: Vec<Unit>,
}

/// The name that CMake, Meson, Bear and others agree on.
pub(crate) const FILE_NAME: &str = "compile_commands.json";

/// One entry as it stands in the file. All is optional here, so that one bad entry is one message.
#[derive(Deserialize)]
struct Entry {
    directory: Option<String>,
    file: Option<String>,
    command: Option<String>,
    arguments: Option<Vec<String>>,
    output: Option<String>,
}

impl Database {
    /// Reads a database, given the file itself or the directory it is in.
    pub fn load(path: &Path) -> Result<Database, Error> {
        let file = locate(path)?;
        let text = read(&file)?;
        let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&text);
        let entries: Vec<Entry> = serde_json::from_slice(text).map_err(|error| Error::Database {
            path: file.clone(),
            line: error.line(),
            column: error.column(),
            message: without_position(&error.to_string()),
        })?;
        let home = std::path::absolute(&file).map_err(|source| unit::unreadable(&file, source))?;
        let home = home.parent().expect("invariant: a file has a directory");
        let mut files = Files::default();
        let (mut units, mut gone, mut rejected) = (Merged::default(), Merged::default(), Vec::new());
        for (index, entry) in entries.into_iter().enumerate() {
            match unit_from_entry(entry, home, &mut files) {
                Ok(unit) => units.add(unit),
                Err(Bad::Entry(message)) => {
                    rejected.push(Error::DatabaseEntry { path: file.clone(), index, message });
                }
                Err(Bad::File(error, unit)) => {
                    rejected.push(*error);
                    unit.into_iter().for_each(|unit| gone.add(*unit));
                }
            }
        }
        Ok(Database { units: units.units, rejected, gone: gone.units })
    }

    /// The compilations of a database that [`Database::write`] wrote; none of them if somebody else did.
    pub(crate) fn compilations(path: &Path) -> Result<Vec<Compilation>, Error> {
        Ok(serde_json::from_slice(&read(path)?).unwrap_or_default())
    }

    /// Writes a database with one entry for each compilation, in their order. Whoever reads the file meanwhile sees the old
    /// one or the new one.
    pub fn write(path: &Path, compilations: &[Compilation]) -> Result<(), Error> {
        text_of(compilations)
            .and_then(|text| store_dir::replace_file(path, &text))
            .map_err(|source| Error::Unwritable { path: path.to_owned(), source })
    }
}

impl Compilation {
    /// The unit that its entry in a database means, if its file is there.
    pub(crate) fn unit(&self) -> Option<Unit> {
        let text = |path: &Path| Some(path.to_str()?.to_owned());
        let entry = Entry {
            directory: text(&self.dir),
            file: text(&self.file),
            command: None,
            arguments: Some(self.arguments.clone()),
            output: text(&self.output),
        };
        unit_from_entry(entry, &self.dir, &mut Files::default()).ok()
    }
}

fn text_of(compilations: &[Compilation]) -> io::Result<Vec<u8>> {
    let mut text = serde_json::to_vec_pretty(compilations)?;
    text.push(b'\n');
    Ok(text)
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

fn read(file: &Path) -> Result<Vec<u8>, Error> {
    files::read(file, limits::FILE_BYTES).map_err(|trouble| Error::refused(file, trouble))
}

/// The parser appends the position to its message; ours stands in front.
fn without_position(message: &str) -> String {
    message.split(" at line ").next().unwrap_or(message).to_owned()
}

/// Units, each with all its outputs.
#[derive(Default)]
struct Merged {
    units: Vec<Unit>,
    /// Where the units with that hash of all but the outputs are.
    places: HashMap<u64, Vec<usize>>,
}

impl Merged {
    fn add(&mut self, unit: Unit) {
        let mut hasher = DefaultHasher::new();
        identity(&unit).hash(&mut hasher);
        let places = self.places.entry(hasher.finish()).or_default();
        match places.iter().find(|place| identity(&self.units[**place]) == identity(&unit)) {
            Some(place) => {
                let known = &mut self.units[*place];
                let new: Vec<PathBuf> =
                    unit.outputs.into_iter().filter(|it| !known.outputs.contains(it)).collect();
                known.outputs.extend(new);
                known.left_out.extend(unit.left_out);
            }
            None => {
                places.push(self.units.len());
                self.units.push(unit);
            }
        }
    }
}

/// What makes two entries one unit.
fn identity(unit: &Unit) -> impl Hash + PartialEq + '_ {
    (&unit.file, &unit.dir, &unit.args, unit.language, &unit.gcc)
}

/// What has been seen of files, so that each is looked at once.
#[derive(Default)]
struct Files {
    sources: HashMap<PathBuf, Result<bool, Blemish>>,
    headers: HashMap<PathBuf, Included>,
    /// What the options of all units take.
    bytes: u64,
}

/// What is wrong with an entry: its form, or the file it names, with the unit it would make if it were there.
enum Bad {
    Entry(String),
    File(Box<Error>, Option<Box<Unit>>),
}

fn unit_from_entry(entry: Entry, home: &Path, files: &mut Files) -> Result<Unit, Bad> {
    let missing = |field| Bad::Entry(format!("has no `{field}`"));
    let file = PathBuf::from(entry.file.ok_or_else(|| missing("file"))?);
    let dir = home.join(entry.directory.ok_or_else(|| missing("directory"))?);
    // Without `.` in it: two spellings of a directory are one.
    let dir: PathBuf = dir.components().collect();
    let command = words(entry.command, entry.arguments)?;
    let program = program::identify(&command, &[]).ok_or_else(|| missing("command"))?;
    let cleaned = match program.args.iter().any(|arg| arg.starts_with('@')) {
        true => flags::clean(&expand_response_files(program.args, &dir)),
        false => flags::clean(program.args),
    };
    let bytes: u64 = cleaned.args.iter().map(|arg| (arg.len() + size_of::<String>() * 2) as u64).sum();
    files.bytes += bytes;
    if files.bytes > limits::DATABASE_BYTES {
        return Err(Bad::Entry(format!(
            "no room: all commands together take more than {} MB",
            limits::DATABASE_BYTES >> 20
        )));
    }
    let at_place = language_at(&cleaned, &file, &dir);
    // `g++` takes a file for C++ that `gcc` takes for C.
    let by_driver = program::is_cxx_driver(program.word) && unit::language(&file, None) == Ok(Language::C);
    let explicit = at_place.or(by_driver.then(|| "c++".to_owned()));
    let (language, blemish) = files.language(&file, &dir, explicit.as_deref())?;
    let output = entry.output.as_ref().or(cleaned.output.as_ref());
    let outputs = output.map(|output| absolute(&dir, Path::new(output))).into_iter().collect();
    let explicit = cleaned.explicit(explicit.as_deref(), language).map(String::from);
    let mut unit = Unit::new(file, dir, cleaned.args, language, explicit.as_deref());
    unit.outputs = outputs;
    unit.left_out = cleaned.left_out;
    unit.gcc = program::is_gnu(program.word).then(|| program_path(program.word, &unit.dir));
    add_target(&mut unit, program.word);
    settle_includes(&mut unit, files);
    match blemish {
        Some(error) => Err(Bad::File(error, Some(Box::new(unit)))),
        None => Ok(unit),
    }
}

impl Files {
    /// The language of a file, and what is wrong with it if it is not there: then its name must say the language.
    fn language(
        &mut self,
        file: &Path,
        dir: &Path,
        explicit: Option<&str>,
    ) -> Result<(Language, Option<Box<Error>>), Bad> {
        // Its name alone would not tell the user where to look: every entry has a directory of its own.
        let path = dir.join(file);
        let seen = self.sources.entry(path.clone()).or_insert_with_key(|path| unit::look(path));
        let named = unit::language(file, explicit);
        match seen {
            Ok(true) if explicit.is_none() => Ok((Language::Bitcode, None)),
            Ok(_) => match named {
                Ok(language) => Ok((language, None)),
                Err(kind) => Err(Bad::File(Box::new(Error::NotASource { file: path, kind }), None)),
            },
            Err(blemish) => {
                let error = Box::new(blemish.of(&path));
                match (&*error, named) {
                    (Error::NoSuchFile { .. }, Ok(language)) => Ok((language, Some(error))),
                    _ => Err(Bad::File(error, None)),
                }
            }
        }
    }
}

/// The words of the command line, of which `arguments` is the precise form.
fn words(command: Option<String>, arguments: Option<Vec<String>>) -> Result<Vec<String>, Bad> {
    match (arguments, command) {
        (Some(arguments), _) => Ok(arguments),
        (None, Some(command)) => shlex::split(&command)
            .ok_or_else(|| Bad::Entry("`command` has a quote that is not closed".into())),
        (None, None) => Err(Bad::Entry("has neither `command` nor `arguments`".into())),
    }
}

/// The `-x` that holds where the file stands among the words; at the first file if it is not there by that name.
fn language_at(cleaned: &Cleaned, file: &Path, dir: &Path) -> Option<String> {
    let same =
        |other: &str| Path::new(other) == file || absolute(dir, Path::new(other)) == absolute(dir, file);
    let place = match cleaned.inputs.as_slice() {
        [] => return cleaned.language.clone(),
        [only] => only,
        [first, ..] => cleaned.inputs.iter().find(|(other, _)| same(other)).unwrap_or(first),
    };
    place.1.clone()
}

/// `arm-none-eabi-gcc` compiles for `arm-none-eabi`, and so does `arm-none-eabi-clang`.
fn add_target(unit: &mut Unit, compiler: &str) {
    let target = program::target(compiler).filter(|target| !program::is_host(target));
    if let Some(target) = target.filter(|_| !flags::has_target(&unit.args)) {
        unit.args.push(format!("--target={target}"));
    }
}

/// A bare name is looked for on the search path, by whoever needs it.
fn program_path(word: &str, dir: &Path) -> PathBuf {
    match word.contains('/') {
        true => absolute(dir, Path::new(word)),
        false => PathBuf::from(word),
    }
}

/// What is there of a file that is included by option.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Included {
    /// The header alone, or nothing by that name in the directory.
    Plain,
    /// The header, and a precompiled form beside it.
    Beside,
    /// Only the precompiled form: `-include .pch/x` where there is `.pch/x.gch`, and no `.pch/x`.
    Only,
    /// A pipe, a device or a directory.
    Special,
}

/// Options that include a file before the unit's own text, or instead of others.
const INCLUDING: [&str; 3] = ["-include", "-imacros", "-ivfsoverlay"];

/// Hands the next word on to clang's inner compiler.
const HAND_ON: &str = "-Xclang";

/// Always empty, and included by some builds.
const EMPTY: &str = "/dev/null";

/// Looks at what is included by option. Precompiled headers belong to another compiler, or to another version of clang: clang's driver
/// takes them if they are there; its inner compiler does not. What is not a regular file could make clang wait for ever.
fn settle_includes(unit: &mut Unit, files: &mut Files) {
    let mut rest = std::mem::take(&mut unit.args).into_iter();
    while let Some(arg) = rest.next() {
        let handed_on = unit.args.last().is_some_and(|last| last == HAND_ON);
        if !INCLUDING.contains(&arg.as_str()) {
            unit.args.push(arg);
            continue;
        }
        let header = if handed_on { rest.by_ref().find(|word| word != HAND_ON) } else { rest.next() };
        let Some(header) = header else { continue };
        let path = unit.dir.join(&header);
        let included = *files.headers.entry(path).or_insert_with_key(|path| look_at(path));
        match included {
            Included::Special if handed_on => {
                unit.args.pop();
                unit.left_out.insert(arg);
            }
            _ if handed_on => unit.args.extend([arg, HAND_ON.to_owned(), header]),
            Included::Beside if arg == INCLUDING[0] => {
                unit.args.extend([HAND_ON.into(), arg, HAND_ON.into(), header]);
            }
            Included::Only if arg == INCLUDING[0] => {}
            Included::Special => drop(unit.left_out.insert(arg)),
            _ => unit.args.extend([arg, header]),
        }
    }
}

fn look_at(header: &Path) -> Included {
    let beside = |extension: &str| {
        let mut path = header.as_os_str().to_owned();
        path.push(extension);
        Path::new(&path).exists()
    };
    let kind = header.metadata().map(|metadata| metadata.is_file() || header == Path::new(EMPTY));
    match (beside(".gch") || beside(".pch"), kind) {
        (_, Ok(false)) => Included::Special,
        (false, _) => Included::Plain,
        (true, Ok(true)) => Included::Beside,
        (true, Err(_)) => Included::Only,
    }
}
