//! Cppcheck, with its rules for POSIX. It has no compiler: it takes macros and include paths, and does
//! without headers that it does not find.
//!
//! Such a unit may stop it by an `#error` about the compiler or the system. It is then asked again with the
//! macros that GCC and some headers define.
//!
//! Departures: its messages are asked for by a template of one line each; its XML says the same in more
//! words.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::tool::Said;

pub(crate) const OPTIONS: &[&str] = &[
    "--enable=warning",
    "--library=posix",
    "--platform=unix64",
    "--quiet",
    "--template={file}\t{line}\t{id}\t{message}",
    "--template-location=",
];

/// Options of compilers that it takes, too.
const TAKEN: &[&str] = &["-D", "-U", "-I", "-std="];

/// Options of compilers that name a directory of headers.
const INCLUDES: &[&str] = &["-isystem", "-iquote", "-idirafter"];

/// What it says when it could not read a unit.
const FAILURES: &[&str] = &[
    "syntaxError",
    "preprocessorErrorDirective",
    "cppcheckError",
    "internalError",
    "internalAstError",
    "unknownMacro",
];

/// Headers whose macros it gets in the second and in the third attempt. Not all at once: it computes a bound such as `ULONG_MAX` wrongly.
const HEADERS: &[&[&str]] = &[&["unistd.h"], &["unistd.h", "limits.h", "stdint.h"]];

/// Its further options in each attempt; files for them are put into `dir`.
pub(crate) fn attempts(dir: &Path) -> Result<Vec<Vec<String>>> {
    let mut attempts = vec![Vec::new()];
    for (index, headers) in HEADERS.iter().enumerate() {
        let mut command = Command::new("gcc");
        command.args(headers.iter().flat_map(|header| ["-include", header]));
        command.args(["-dM", "-E", "-x", "c", "/dev/null"]).stdin(Stdio::null());
        let macros = command.output().context("while asking gcc for its macros")?.stdout;
        let file = dir.join(format!("macros-{index}.h"));
        fs::write(&file, macros)?;
        attempts.push(vec![format!("--include={}", file.display())]);
    }
    Ok(attempts)
}

/// Of the options of a unit, those that it understands.
pub(crate) fn fitting(args: &[String]) -> Vec<String> {
    let mut fitting = Vec::new();
    let mut rest = args.iter();
    while let Some(word) = rest.next() {
        if INCLUDES.contains(&word.as_str()) {
            fitting.extend(rest.next().map(|dir| format!("-I{dir}")));
        } else if ["-D", "-U", "-I"].contains(&word.as_str()) {
            fitting.extend(rest.next().map(|value| format!("{word}{value}")));
        } else if let Some(standard) = word.strip_prefix("-std=") {
            fitting.push(format!("--std={}", standard.replace("gnu", "c")));
        } else if TAKEN.iter().any(|option| word.starts_with(option)) {
            fitting.push(word.clone());
        }
    }
    fitting
}

pub(crate) fn parse(messages: &str) -> Result<Vec<Said>> {
    let all: Vec<Said> = messages.lines().filter_map(said).collect();
    match all.iter().find(|said| FAILURES.contains(&said.check.as_str())) {
        Some(failure) => bail!("{}", failure.message),
        None => Ok(all),
    }
}

fn said(line: &str) -> Option<Said> {
    let mut fields = line.splitn(4, '\t');
    let (file, number, check, message) = (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
    Some(Said {
        file: file.to_owned(),
        line: number.parse().ok()?,
        check: check.to_owned(),
        message: message.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_a_message() {
        let text = "a.c\t3\tnullPointer\tNull pointer dereference: p\nb.h\t9\tmemleak\tMemory leak: q\n";
        let expected = [
            Said::new("a.c", 3, "nullPointer", "Null pointer dereference: p"),
            Said::new("b.h", 9, "memleak", "Memory leak: q"),
        ];
        assert_eq!(parse(text).unwrap(), expected);
        assert!(parse("").unwrap().is_empty());
    }

    #[test]
    fn a_unit_that_it_cannot_read_was_not_looked_at() {
        let error = parse("a.c\t3\tsyntaxError\tsyntax error: )\n").unwrap_err();
        assert_eq!(error.to_string(), "syntax error: )");
    }

    #[test]
    fn it_gets_macros_directories_and_the_standard() {
        let args = ["-I", "inc", "-isystem", "sys", "-DA=1", "-m64", "-std=gnu11", "-fPIC"].map(String::from);
        assert_eq!(fitting(&args), ["-Iinc", "-Isys", "-DA=1", "--std=c11"]);
    }
}
