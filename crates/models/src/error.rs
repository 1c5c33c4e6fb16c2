//! What can be wrong with a file of models.

use std::fmt;

/// A mistake in a file of models: the file, the function, what is wrong and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Error {
    /// The file, as its source was named.
    pub file: String,
    /// The line of the key or row it is about, from 1; none if the file as a whole is meant, or the message tells it.
    pub line: Option<usize>,
    /// The function or family that the row is about; empty if the mistake is not about one.
    pub subject: String,
    /// What is wrong.
    pub problem: Problem,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file)?;
        if let Some(line) = self.line {
            write!(f, "{line}:")?;
        }
        match self.subject.as_str() {
            "" => write!(f, " {}", self.problem),
            subject => write!(f, " `{subject}`: {}", self.problem),
        }
    }
}

/// The kinds of mistakes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The text is not TOML.
    #[error("this is not valid TOML: {0}")]
    Syntax(String),
    /// A row has neither `name`, `names` nor `proto`.
    #[error(
        "a row needs `name = \"…\"` or `proto = \"…\"` to say which function it is about (row {row} of the file)"
    )]
    Nameless {
        /// Which `[[fn]]` of the file it is, from 1.
        row: usize,
    },
    /// A row or family lacks a key that it must have.
    #[error("`{key}` is missing; {hint}")]
    Missing {
        /// The key.
        key: &'static str,
        /// What to write.
        hint: &'static str,
    },
    /// There is no such key or effect.
    #[error("`{key}` in `{place}` is not known; {}nown are: {known}", or_rather_of(.near))]
    Unknown {
        /// What was written.
        key: String,
        /// Where: `arg0`, `ret`, …
        place: String,
        /// What was probably meant.
        near: Option<String>,
        /// What may be written there.
        known: String,
    },
    /// A value has the wrong shape.
    #[error("`{place} = {found}` should be {expected}")]
    Shape {
        /// Where.
        place: String,
        /// What was written.
        found: String,
        /// What is expected there.
        expected: &'static str,
    },
    /// The prototype cannot be read.
    #[error(
        "the prototype `{0}` cannot be read; write one function declaration as in a C header, such as `void *malloc(size_t size);`"
    )]
    Prototype(String),
    /// The prototypes of one row differ in shape.
    #[error("`{first}` and `{odd}` take different parameters or results, so they need a row each")]
    Uneven {
        /// The first function of the row.
        first: String,
        /// One that differs from it.
        odd: String,
    },
    /// An argument is named that the prototype does not have.
    #[error("`{place}` names an argument that the prototype does not have: it has {params}")]
    NoSuchArgument {
        /// Where.
        place: String,
        /// How many parameters there are.
        params: usize,
    },
    /// A pointer parameter about which nothing is said.
    #[error(
        "`arg{0}` is a pointer, but nothing is said about it; write what is done with it, or `arg{0} = \"untouched\"`"
    )]
    Silent(usize),
    /// The function is modeled twice in the same tier.
    #[error("is modeled a second time; the first is in {first}")]
    Duplicate {
        /// The file with the first row.
        first: String,
    },
    /// A family is used that no file defines.
    #[error("the family `{0}` is not defined; define it by a `[[family]]` with `name`, `leak` and `words`")]
    NoSuchFamily(String),
    /// `like` names a function without model.
    #[error("`like = \"{name}\"` names a function that has no model{}", or_rather(.near))]
    NoSuchLike {
        /// What was written.
        name: String,
        /// The name of a model that looks like it.
        near: Option<String>,
    },
    /// `args` does not say what stands for an argument that is used.
    #[error("`args` does not say which argument stands for `arg{arg}` of `{like}`; its list must be longer")]
    ShortArgs {
        /// The function that the row is like.
        like: String,
        /// The argument there.
        arg: usize,
    },
    /// `like` leads back to itself.
    #[error("`like = \"{0}\"` leads back to this function")]
    CyclicLike(String),
    /// `like` with `nonnull` leaves no outcome.
    #[error("with `nonnull-return = true` no outcome is left: every case of `{0}` returns null")]
    NothingLeft(String),
}

impl Problem {
    /// The key of a row or file that the problem is about.
    pub(crate) fn key(&self) -> Option<&str> {
        // `arg0.reads` and `ret = arg1` stand on the line of `arg0` and `ret`.
        let first = |place: &str| place.find(['.', ' ']).unwrap_or(place.len());
        match self {
            Problem::Unknown { key, place, .. } if matches!(place.as_str(), "fn" | "family" | "the file") => {
                Some(key)
            }
            Problem::Unknown { key, place, .. } if place.contains(' ') || place == "case" => Some(key),
            Problem::Unknown { place, .. }
            | Problem::Shape { place, .. }
            | Problem::NoSuchArgument { place, .. } => Some(&place[..first(place)]),
            Problem::Prototype(_) | Problem::Uneven { .. } | Problem::Silent(_) => Some("proto"),
            Problem::NoSuchLike { .. } | Problem::CyclicLike(_) => Some("like"),
            Problem::ShortArgs { .. } => Some("args"),
            Problem::Syntax(_)
            | Problem::Nameless { .. }
            | Problem::Missing { .. }
            | Problem::Duplicate { .. }
            | Problem::NoSuchFamily(_)
            | Problem::NothingLeft(_) => None,
        }
    }
}

/// How alike two names must be, from 0 to 1; below, a proposal helps nobody.
const ALIKE: f64 = 0.8;

/// The known name that is most like `name`, if one is.
pub(crate) fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<String> {
    let mut best: Option<(f64, &str)> = None;
    for candidate in known {
        let likeness = strsim::jaro_winkler(name, candidate);
        if likeness >= ALIKE && best.is_none_or(|(most, _)| likeness > most) {
            best = Some((likeness, candidate));
        }
    }
    best.map(|(_, name)| name.to_owned())
}

/// The beginning of the list of what is known.
fn or_rather_of(near: &Option<String>) -> String {
    near.as_ref().map_or_else(|| "k".to_owned(), |name| format!("did you mean `{name}`? K"))
}

fn or_rather(near: &Option<String>) -> String {
    near.as_ref().map(|name| format!("; did you mean `{name}`?")).unwrap_or_default()
}
