//! From random programs to projects: many programs together, spread over a few units, so that clang starts
//! seldom.
//!
//! Each program has a file name of its own, which places speak of; its lines are those of the program as it
//! is printed.

use std::fmt::{self, Write as _};
use std::path::Path;

use anyhow::{Context, Result};
use capture::Clang;
use project::{Links, Project, UnitIr};
use tempfile::TempDir;

use super::generate::{Generated, Signature, UNITS, Variable};
use super::types::{self, PRELUDE};
use crate::front_end::module_of;

/// A clang, and a directory for the files that it reads.
pub struct Compiler {
    clang: Clang,
    scratch: TempDir,
}

impl Compiler {
    /// With this clang, or the one that the product would use.
    pub fn new(clang: Option<&Path>) -> Result<Compiler> {
        let clang = Clang::find(clang)?;
        let scratch = tempfile::tempdir().context("while making a temporary directory")?;
        Ok(Compiler { clang, scratch })
    }

    /// Compiles programs into one unit, with the flags of the product.
    pub(crate) fn module(&self, programs: &[Generated]) -> Result<ir::Module> {
        self.compiled(&text(programs), &self.scratch.path().join("t.c"))
    }

    /// Compiles programs into a project of several units.
    pub(crate) fn project(&self, programs: &[Generated]) -> Result<Project> {
        let mut units: Vec<(String, String)> =
            (0..UNITS).map(|unit| (format!("unit{unit}.c"), unit_text(programs, unit))).collect();
        // The bodies of two `main`s cannot be in one unit.
        for program in programs.iter().filter(|it| it.functions.iter().any(|it| it.unit == UNITS)) {
            let file = format!("main{}.c", program.seed);
            units.push((file, unit_text(std::slice::from_ref(program), UNITS)));
        }
        let unit = |(file, text): (String, String)| {
            let path = self.scratch.path().join(&file);
            let module = self.compiled(&text, &path).with_context(|| format!("in unit {file}"))?;
            Ok(UnitIr { path, file, args: Vec::new(), outputs: Vec::new(), module })
        };
        let units = units.into_iter().map(unit).collect::<Result<Vec<UnitIr>>>()?;
        Ok(Project::new(units, &Links::default()))
    }

    /// A project of one file.
    pub(crate) fn project_of(&self, text: &str) -> Result<Project> {
        let (path, file) = (self.scratch.path().join("t.c"), "t.c".to_owned());
        let module = self.compiled(text, &path)?;
        let unit = UnitIr { path, file, args: Vec::new(), outputs: Vec::new(), module };
        Ok(Project::new(vec![unit], &Links::default()))
    }

    /// A project of one file; it may use what random programs use.
    pub(crate) fn single(&self, text: &str) -> Result<Project> {
        let program = Generated { lines: text.lines().map(str::to_owned).collect(), ..Generated::default() };
        self.project_of(&self::text(&[program]))
    }

    /// What lies outside of projects.
    pub(crate) fn elsewhere(&self) -> Result<ir::Module> {
        self.compiled(types::ELSEWHERE, &self.scratch.path().join(ELSEWHERE))
    }

    fn compiled(&self, text: &str, file: &Path) -> Result<ir::Module> {
        std::fs::write(file, text)?;
        module_of(&self.clang, file, &["-w".to_owned()])
    }
}

/// The file of what lies outside of projects.
const ELSEWHERE: &str = "elsewhere.c";

/// Programs, to be shown as [`text`].
pub(crate) struct Text<'p>(pub(crate) &'p [Generated]);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text(self.0))
    }
}

/// The file of some programs in one unit.
fn text(programs: &[Generated]) -> String {
    let mut text = PRELUDE.to_owned();
    for program in programs {
        declare(&mut text, program, |_| true, "");
        let _ = writeln!(text, "#line 1 \"{}\"", file_of(program));
        for line in &program.lines {
            let _ = writeln!(text, "{line}");
        }
    }
    text
}

/// The name by which places call a program.
fn file_of(program: &Generated) -> String {
    format!("t{}.c", program.seed)
}

/// What some programs have in one unit.
fn unit_text(programs: &[Generated], unit: usize) -> String {
    let mut text = PRELUDE.to_owned();
    for program in programs {
        let is_here = |function: &Signature| function.unit == unit;
        declare(&mut text, program, is_here, if unit == 0 { "" } else { "extern " });
        for function in program.functions.iter().filter(|it| is_here(it)) {
            let _ = writeln!(text, "#line {} \"{}\"", function.lines.start + 1, file_of(program));
            for line in &program.lines[function.lines.clone()] {
                let _ = writeln!(text, "{line}");
            }
        }
    }
    text
}

/// Declares what the functions of a program use: functions that are seen, variables, and tables.
fn declare(text: &mut String, program: &Generated, is_here: impl Fn(&Signature) -> bool, linkage: &str) {
    let seen = program.functions.iter().filter(|it| !it.lines.is_empty() && (!it.is_static || is_here(it)));
    for function in seen {
        let _ = writeln!(text, "{};", function.head());
    }
    for Variable { declaration, initializer } in &program.variables {
        let initializer = initializer.as_ref().filter(|_| linkage.is_empty());
        let initializer = initializer.map_or(String::new(), |it| format!(" = {it}"));
        let _ = writeln!(text, "{linkage}{declaration}{initializer};");
    }
    for table in &program.tables {
        let _ = writeln!(text, "{table}");
    }
}
