//! Translation units: what is compiled, where, and how.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use base::limits;
use files::{Links, Trouble};

use crate::error::Error;
use crate::flags::{self, Cleaned};

/// One compilation: a file with the flags it is compiled by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unit {
    /// The file as the build or the user names it, relative to `dir` or absolute.
    pub file: PathBuf,
    /// The absolute directory in which the compiler runs.
    pub dir: PathBuf,
    /// Flags that matter, already cleaned: no compiler, no input, no output.
    pub args: Vec<String>,
    /// How the file is read.
    pub language: Language,
    /// The GCC that the build used, absolute or to be found on the search path: its system headers are the unit's.
    pub gcc: Option<PathBuf>,
    /// Options of its command that are not handed on though they may matter, by name.
    pub left_out: BTreeSet<String>,
    /// The absolute paths of the object files that the build made of it. They do not change its meaning: two compilations that
    /// differ in nothing else are one unit.
    pub outputs: Vec<PathBuf>,
}

impl Unit {
    /// A unit in that language, with cleaned options and the `-x` that it needs.
    pub(crate) fn new(
        file: PathBuf,
        dir: PathBuf,
        mut args: Vec<String>,
        language: Language,
        explicit: Option<&str>,
    ) -> Unit {
        args.extend(explicit.into_iter().flat_map(|name| ["-x".to_owned(), name.to_owned()]));
        flags::fit_standard(&mut args, language);
        Unit { file, dir, args, language, gcc: None, left_out: BTreeSet::new(), outputs: Vec::new() }
    }

    /// Where the file is, independent of the working directory.
    pub fn path(&self) -> PathBuf {
        self.dir.join(&self.file)
    }

    /// Adds flags of the user, behind the unit's own, so that they win.
    pub fn add_flags(&mut self, flags: &[String]) {
        let cleaned = flags::clean(flags);
        self.args.extend(cleaned.args);
        self.left_out.extend(cleaned.left_out);
        let named = cleaned.language.and_then(|name| Some((by_option(&name).ok()?, name)));
        if let Some((language, name)) = named {
            self.language = language;
            self.args.extend(["-x".to_owned(), name]);
        }
        flags::fit_standard(&mut self.args, self.language);
    }
}

/// How an input is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// C, also preprocessed.
    C,
    /// C++, also preprocessed.
    Cxx,
    /// LLVM's text form, which clang turns into bitcode.
    LlvmText,
    /// Bitcode, which is taken as it is.
    Bitcode,
}

/// What a file is that cannot be analyzed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum InputKind {
    /// A directory.
    Directory,
    /// A pipe, a device or a socket, which could make us wait for ever.
    Special,
    /// A header: it means something only inside of a source file.
    Header,
    /// Assembly, with or without preprocessor.
    Assembly,
    /// An object file, archive or executable.
    Object,
    /// Objective-C.
    ObjectiveC,
    /// Fortran, Ada, Go, D, CUDA and what else compilers of C may take.
    OtherLanguage,
    /// Something else.
    Unknown,
}

impl InputKind {
    /// One word or two, for counts.
    pub fn word(self) -> &'static str {
        match self {
            InputKind::Directory => "a directory",
            InputKind::Special => "a special file",
            InputKind::Header => "a header",
            InputKind::Assembly => "assembly",
            InputKind::Object => "machine code",
            InputKind::ObjectiveC => "Objective-C",
            InputKind::OtherLanguage => "another language",
            InputKind::Unknown => "not a source",
        }
    }
}

impl fmt::Display for InputKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            InputKind::Directory => {
                "is a directory; name source files, or a compilation database with -p DIR"
            }
            InputKind::Special => "is not a regular file",
            InputKind::Header => "is a header; name a source file that includes it",
            InputKind::Assembly => "is assembly; only C, C++ and LLVM bitcode are analyzed",
            InputKind::Object => "is machine code; only C, C++ and LLVM bitcode are analyzed",
            InputKind::ObjectiveC => "is Objective-C; only C, C++ and LLVM bitcode are analyzed",
            InputKind::OtherLanguage => {
                "is in a language that is not analyzed; only C, C++ and LLVM bitcode are"
            }
            InputKind::Unknown => "is not C or C++ (.c .i .cc .cpp .cxx .c++ .C .ii) nor LLVM code (.bc .ll)",
        })
    }
}

/// Units for files that the user names, each with the same flags, compiled in the working directory.
///
/// A bad file costs only itself; a file named twice is one unit.
pub fn units_from_files(files: &[PathBuf], flags: &[String]) -> Vec<Result<Unit, Error>> {
    let cleaned = flags::clean(flags);
    let mut seen = BTreeSet::new();
    files
        .iter()
        .filter(|file| seen.insert(file.as_path()))
        .map(|file| unit_from_file(file, &cleaned))
        .collect()
}

fn unit_from_file(file: &Path, cleaned: &Cleaned) -> Result<Unit, Error> {
    let io_error = |source| Error::Unreadable { file: file.to_owned(), source };
    let dir = std::env::current_dir().map_err(io_error)?;
    let explicit = cleaned.language.as_deref();
    let language = recognize(file, &dir, explicit)?;
    let explicit = cleaned.explicit(explicit, language);
    let mut unit = Unit::new(file.to_owned(), dir, cleaned.args.clone(), language, explicit);
    unit.left_out.clone_from(&cleaned.left_out);
    Ok(unit)
}

/// The language of `file`: by `-x` if given, else by its first bytes, else by its name.
pub(crate) fn recognize(file: &Path, dir: &Path, explicit: Option<&str>) -> Result<Language, Error> {
    let is_bitcode = look(&dir.join(file)).map_err(|blemish| blemish.of(file))?;
    match (explicit, is_bitcode) {
        (None, true) => Ok(Language::Bitcode),
        _ => language(file, explicit).map_err(|kind| Error::NotASource { file: file.to_owned(), kind }),
    }
}

/// The language of a file that is not looked at.
pub(crate) fn language(file: &Path, explicit: Option<&str>) -> Result<Language, InputKind> {
    match explicit {
        Some(name) => by_option(name),
        None => by_extension(file.extension().and_then(OsStr::to_str).unwrap_or("")),
    }
}

/// What keeps a file from being read.
#[derive(Debug)]
pub(crate) enum Blemish {
    Kind(InputKind),
    TooLarge,
    Io(io::Error),
}

impl Blemish {
    /// The message about that file.
    pub(crate) fn of(&self, file: &Path) -> Error {
        match self {
            Blemish::Kind(kind) => Error::NotASource { file: file.to_owned(), kind: *kind },
            Blemish::TooLarge => Error::TooLarge { file: file.to_owned(), limit: limits::FILE_BYTES },
            Blemish::Io(error) => {
                let code = error.raw_os_error();
                unreadable(file, code.map_or_else(|| error.kind().into(), io::Error::from_raw_os_error))
            }
        }
    }
}

/// Whether a file is bitcode, by its first bytes. Anything but a regular file could make us wait for ever.
pub(crate) fn look(path: &Path) -> Result<bool, Blemish> {
    let (file, metadata) = files::open(path, Links::Follow).map_err(|trouble| match trouble {
        Trouble::Directory => Blemish::Kind(InputKind::Directory),
        Trouble::Io(error) => Blemish::Io(error),
        Trouble::Missing => Blemish::Io(io::ErrorKind::NotFound.into()),
        _ => Blemish::Kind(InputKind::Special),
    })?;
    if metadata.len() > limits::FILE_BYTES {
        return Err(Blemish::TooLarge);
    }
    let mut magic = Vec::with_capacity(4);
    file.take(4).read_to_end(&mut magic).map_err(Blemish::Io)?;
    Ok(is_bitcode(&magic))
}

pub(crate) fn unreadable(file: &Path, source: io::Error) -> Error {
    let file = file.to_owned();
    match source.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Error::NoSuchFile { file },
        _ => Error::Unreadable { file, source },
    }
}

/// Bitcode starts with `BC` 0xC0DE, or with the wrapper that Darwin puts around it.
pub(crate) fn is_bitcode(bytes: &[u8]) -> bool {
    bytes.starts_with(b"BC\xC0\xDE") || bytes.starts_with(&0x0B17_C0DE_u32.to_le_bytes())
}

fn by_option(name: &str) -> Result<Language, InputKind> {
    match name {
        "c" | "cpp-output" => Ok(Language::C),
        "c++" | "c++-cpp-output" => Ok(Language::Cxx),
        "ir" => Ok(Language::LlvmText),
        "assembler" | "assembler-with-cpp" => Err(InputKind::Assembly),
        _ if name.starts_with("objective-c") => Err(InputKind::ObjectiveC),
        _ if name.contains("header") => Err(InputKind::Header),
        _ => Err(InputKind::OtherLanguage),
    }
}

/// Like clang, by the case-sensitive end of the name. A `.bc` without bitcode in it still counts as
/// bitcode: the reader says best what is wrong with it.
fn by_extension(extension: &str) -> Result<Language, InputKind> {
    match extension {
        "c" | "i" => Ok(Language::C),
        "cc" | "cp" | "cxx" | "cpp" | "CPP" | "c++" | "C" | "CC" | "CXX" | "ii" => Ok(Language::Cxx),
        "ll" => Ok(Language::LlvmText),
        "bc" => Ok(Language::Bitcode),
        "h" | "hh" | "hpp" | "hxx" | "h++" | "H" | "inc" | "inl" | "tcc" => Err(InputKind::Header),
        "s" | "S" | "asm" | "sx" => Err(InputKind::Assembly),
        "o" | "a" | "so" | "obj" | "lo" => Err(InputKind::Object),
        "m" | "mm" | "M" | "mi" | "mii" => Err(InputKind::ObjectiveC),
        "f" | "F" | "for" | "FOR" | "ftn" | "FTN" | "fpp" | "FPP" | "f77" | "f90" | "F90" | "f95" | "F95"
        | "f03" | "F03" | "f08" | "F08" | "ads" | "adb" | "go" | "d" | "di" | "dd" | "cu" | "cui" | "hip"
        | "cl" => Err(InputKind::OtherLanguage),
        _ => Err(InputKind::Unknown),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn write(dir: &Path, name: &str, bytes: &[u8]) {
        fs::write(dir.join(name), bytes).unwrap();
    }

    fn language(dir: &Path, name: &str, explicit: Option<&str>) -> Result<Language, String> {
        recognize(Path::new(name), dir, explicit).map_err(|error| error.to_string())
    }

    #[test]
    fn languages_follow_names_options_and_content() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["a.c", "a.cc", "a.C", "a.ll", "a.bc", "a.txt"] {
            write(dir.path(), name, b"int x;");
        }
        write(dir.path(), "lto.o", b"BC\xC0\xDE rest");
        let find = |name, explicit| language(dir.path(), name, explicit);
        assert_eq!(find("a.c", None), Ok(Language::C));
        assert_eq!(find("a.C", None), Ok(Language::Cxx));
        assert_eq!(find("a.cc", Some("c")), Ok(Language::C));
        assert_eq!(find("a.txt", Some("c++")), Ok(Language::Cxx));
        assert_eq!(find("a.ll", None), Ok(Language::LlvmText));
        assert_eq!(find("a.bc", None), Ok(Language::Bitcode));
        assert_eq!(find("lto.o", None), Ok(Language::Bitcode));
    }

    #[test]
    fn what_cannot_be_analyzed_is_named() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["a.h", "a.S", "a.o", "a.m", "a.txt", "noext"] {
            write(dir.path(), name, b"");
        }
        fs::create_dir(dir.path().join("sub.c")).unwrap();
        let says = |name: &str, part: &str| {
            let message = language(dir.path(), name, None).unwrap_err();
            assert!(message.starts_with(name) && message.contains(part), "{message}");
        };
        says("a.h", "is a header");
        says("a.S", "is assembly");
        says("a.o", "is machine code");
        says("a.m", "is Objective-C");
        says("a.txt", "is not C or C++");
        says("noext", "is not C or C++");
        says("sub.c", "is a directory");
        fs::File::create(dir.path().join("big.c")).unwrap().set_len(limits::FILE_BYTES + 1).unwrap();
        says("big.c", "more than 512 MB");
        says("/dev/null", "is not a regular file");
        says("gone.c", "no such file");
        says("a.c/b.c", "no such file");
    }

    #[test]
    fn a_bad_file_costs_only_itself() {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), "a.c", b"");
        let good = dir.path().join("a.c");
        let files = [good.clone(), dir.path().join("b.c"), good.clone()];
        let units = units_from_files(&files, &["-O2".into(), "-DX".into()]);
        assert_eq!(units.len(), 2);
        assert!(matches!(&units[0], Ok(unit) if unit.file == good && unit.args == ["-DX"]));
        assert!(matches!(&units[1], Err(Error::NoSuchFile { .. })));
    }
}
