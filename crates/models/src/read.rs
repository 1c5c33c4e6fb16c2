//! From TOML to rows: what a file of models says, checked for itself.
//!
//! Each reader takes a value and its place in the row, such as `arg0.writes`, which messages name.

mod effect;
mod row;
mod value;

use catalog::Issue;
use toml::{Table, Value};

use crate::error::{Problem, nearest};
use crate::family::Family;
use crate::model::{Case, Habits, NoReturn};

/// Letters of a wrong value that a message quotes: it may be the whole file.
const QUOTED: usize = 80;

/// What was read of a file, and the mistakes in it.
pub(crate) struct File {
    pub(crate) rows: Vec<Row>,
    pub(crate) families: Vec<(usize, Family)>,
    pub(crate) mistakes: Vec<Mistake>,
}

/// A mistake with the function or family it is about, and the row that it stands in.
pub(crate) struct Mistake {
    pub(crate) subject: String,
    pub(crate) at: At,
    pub(crate) problem: Problem,
}

/// A part of a file; rows are counted from 0.
#[derive(Clone, Copy)]
pub(crate) enum At {
    File,
    Fn(usize),
    Family(usize),
}

/// Whose file it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whose {
    /// Part of the program: every row must say where the behavior is specified.
    Ours,
    /// The user's: it describes code that only the user knows.
    Users,
}

/// One `[[fn]]`.
#[derive(Clone)]
pub(crate) struct Row {
    /// Which `[[fn]]` of the file it is, from 0.
    pub(crate) number: usize,
    /// The functions it is about, those of `proto` with their prototypes.
    pub(crate) names: Vec<(String, Option<String>)>,
    pub(crate) cite: String,
    pub(crate) params: Option<usize>,
    pub(crate) variadic: bool,
    pub(crate) behavior: Behavior,
}

#[derive(Clone)]
pub(crate) enum Behavior {
    /// Said in the row itself.
    Own { cases: Vec<Case>, noreturn: Option<NoReturn>, habits: Habits },
    /// That of another function.
    Like(Like),
    /// Whatever else is known, or not known, of the function, except that it never returns null.
    NonNullReturn,
}

/// `like = "malloc"`.
#[derive(Clone)]
pub(crate) struct Like {
    pub(crate) target: String,
    /// Which argument here stands for each argument there; the same ones if not given.
    pub(crate) args: Option<Vec<usize>>,
    /// The outcome null is left out: the wrapper ends the program instead.
    pub(crate) nonnull: bool,
}

/// Reads a file as far as possible. `settings` are keys at its top that are somebody else's.
pub(crate) fn read_file(text: &str, whose: Whose, settings: &[&str]) -> File {
    let mut file = File { rows: Vec::new(), families: Vec::new(), mistakes: Vec::new() };
    let table = match text.parse::<Table>() {
        Ok(table) => table,
        Err(error) => {
            let problem = Problem::Syntax(error.to_string().trim_end().to_owned());
            file.mistakes.push(Mistake { subject: String::new(), at: At::File, problem });
            return file;
        }
    };
    for (key, value) in &table {
        let read = match key.as_str() {
            // The headers that declare the functions are for the test that compares the prototypes with them; those of libraries that
            // may be missing are of no use to a user's file, so messages do not propose them.
            "headers" | "optional_headers" => strings(value, key).map(drop),
            "fn" => tables(value, key).map(|rows| read_rows(&rows, whose, &mut file)),
            "family" => tables(value, key).map(|rows| read_families(&rows, &mut file)),
            key if settings.contains(&key) => Ok(()),
            _ => Err(unknown(key, "the file", &[&["fn", "family", "headers"], settings].concat())),
        };
        if let Err(problem) = read {
            file.mistakes.push(Mistake { subject: String::new(), at: At::File, problem });
        }
    }
    file
}

fn read_rows(tables: &[&Table], whose: Whose, file: &mut File) {
    for (number, table) in tables.iter().enumerate() {
        match row::read(table, number, whose) {
            Ok(row) => file.rows.push(row),
            Err((subject, problem)) => {
                file.mistakes.push(Mistake { subject, at: At::Fn(number), problem });
            }
        }
    }
}

fn read_families(tables: &[&Table], file: &mut File) {
    for (number, table) in tables.iter().enumerate() {
        match read_family(table) {
            Ok(family) => file.families.push((number, family)),
            Err(problem) => {
                let subject = table.get("name").and_then(Value::as_str).unwrap_or("family").to_owned();
                file.mistakes.push(Mistake { subject, at: At::Family(number), problem });
            }
        }
    }
}

fn read_family(table: &Table) -> Result<Family, Problem> {
    const KEYS: &[&str] = &["name", "leak", "words"];
    if let Some(key) = table.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(unknown(key, "family", KEYS));
    }
    let text = |key, hint| match table.get(key) {
        Some(value) => string(value, key).map(str::to_owned),
        None => Err(Problem::Missing { key, hint }),
    };
    let name = text("name", "write the word that models use for the family")?;
    let leak = text("leak", "write the issue that a leak of it is: `memory-leak` or `resource-leak`")?;
    let words = text("words", "write what allocates it, such as `malloc`")?;
    let leak = match Issue::from_id(&leak) {
        Some(issue @ (Issue::MemoryLeak | Issue::ResourceLeak)) => issue,
        _ => return Err(unknown(&leak, "leak", &["memory-leak", "resource-leak"])),
    };
    Ok(Family { name, leak, words, deallocators: Vec::new() })
}

fn unknown(key: &str, place: &str, known: &[&str]) -> Problem {
    let near = nearest(key, known.iter().copied());
    Problem::Unknown { key: key.to_owned(), place: place.to_owned(), near, known: known.join(", ") }
}

fn shape(value: &Value, place: &str, expected: &'static str) -> Problem {
    let found = value.to_string();
    let found = match found.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &found[..end]),
        None => found,
    };
    Problem::Shape { place: place.to_owned(), found, expected }
}

fn string<'a>(value: &'a Value, place: &str) -> Result<&'a str, Problem> {
    value.as_str().ok_or_else(|| shape(value, place, "a string"))
}

fn boolean(value: &Value, place: &str) -> Result<bool, Problem> {
    value.as_bool().ok_or_else(|| shape(value, place, "true or false"))
}

fn count(value: &Value, place: &str) -> Result<u64, Problem> {
    let number = value.as_integer().and_then(|number| u64::try_from(number).ok());
    number.ok_or_else(|| shape(value, place, "a number that is not negative"))
}

fn strings<'a>(value: &'a Value, place: &str) -> Result<Vec<&'a str>, Problem> {
    let list = value.as_array().ok_or_else(|| shape(value, place, "a list of strings"))?;
    list.iter().map(|it| string(it, place)).collect()
}

fn tables<'a>(value: &'a Value, place: &str) -> Result<Vec<&'a Table>, Problem> {
    let list =
        value.as_array().ok_or_else(|| shape(value, place, "a list of tables, each opened by `[[…]]`"))?;
    let table = |it: &'a Value| it.as_table().ok_or_else(|| shape(it, place, "a table"));
    list.iter().map(table).collect()
}
