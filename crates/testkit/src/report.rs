//! What a failing file says.

use std::fmt;
use std::path::{Path, PathBuf};

/// Something wrong with a test file itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The line from 1.
    pub line: u32,
    /// What is wrong with it.
    pub message: String,
}

/// All mistakes of one test file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistakes {
    /// The file.
    pub path: PathBuf,
    /// In the order of the lines.
    pub mistakes: Vec<Mistake>,
}

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Mistake { line, message } in &self.mistakes {
            writeln!(f, "{}:{line}: {message}", self.path.display())?;
        }
        Ok(())
    }
}

impl std::error::Error for Mistakes {}

/// How what was found differs from what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    path: PathBuf,
    rows: Vec<Row>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    /// `None` for what has no line, which stands first.
    line: Option<u32>,
    sign: &'static str,
    text: String,
    /// The line of the file, without indentation.
    source: String,
}

/// A line and what is said of it.
pub(crate) type Shown = (Option<u32>, String);

/// The difference, if there is one.
pub(crate) fn difference(
    path: &Path,
    source: &str,
    missing: Vec<Shown>,
    surplus: Vec<Shown>,
) -> Result<(), Difference> {
    let lines: Vec<&str> = source.lines().collect();
    let row = |sign, (line, text): Shown| {
        let source = line.and_then(|line| lines.get((line as usize).checked_sub(1)?));
        Row { line, sign, text, source: source.map_or("", |text| text.trim()).to_owned() }
    };
    let missing = missing.into_iter().map(|it| row("missing", it));
    let surplus = surplus.into_iter().map(|it| row("surplus", it));
    let mut rows: Vec<Row> = missing.chain(surplus).collect();
    rows.sort_by_key(|row| row.line);
    match rows.is_empty() {
        true => Ok(()),
        false => Err(Difference { path: path.to_owned(), rows }),
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Row { line, sign, text, source } in &self.rows {
            match line {
                Some(line) => writeln!(f, "{}:{line}: {sign}: {text}", self.path.display())?,
                None => writeln!(f, "{}: {sign}: {text}", self.path.display())?,
            }
            if !source.is_empty() {
                writeln!(f, "    | {source}")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Difference {}
