//! Programs as the interpreter runs them: the whole way from source to execution.

use std::path::Path;

use anyhow::Result;
use capture::Clang;
use interp::{Options, Outcome, Program, Run};
use theorem::module_of;

use super::native::{Native, Status};

/// Compiles, reads, lowers, verifies and runs a program.
pub(crate) fn run(clang: &Clang, file: &Path, flags: &[String], options: Options) -> Result<Run> {
    let module = module_of(clang, file, flags)?;
    let program = Program::link(std::slice::from_ref(&module));
    Ok(interp::run_main(&program, options))
}

/// How the two runs differ, if they do.
pub(crate) fn difference(native: &Native, ours: &Run) -> Option<String> {
    if let Some(problem) = ended_differently(native.status, &ours.outcome) {
        return Some(problem);
    }
    if native.stdout != ours.stdout {
        return Some(first_difference(&native.stdout, &ours.stdout));
    }
    None
}

const SIGABRT: i32 = 6;
const SIGTRAPS: [i32; 2] = [4, 5];

fn ended_differently(native: Status, ours: &Outcome) -> Option<String> {
    let same = match (native, ours) {
        (Status::Exited(native), Outcome::Exited(ours)) => native == ours & 0xff,
        (Status::Signal(signal), Outcome::Aborted { .. }) => signal == SIGABRT || SIGTRAPS.contains(&signal),
        _ => false,
    };
    if same {
        return None;
    }
    let ours = match ours {
        Outcome::Bug(bug) => format!("{} at {}: {}", bug.issue.id(), bug.place, bug.message),
        other => format!("{other:?}"),
    };
    Some(format!("natively {native:?}, interpreted {ours}"))
}

fn first_difference(native: &[u8], ours: &[u8]) -> String {
    let (native, ours) = (String::from_utf8_lossy(native), String::from_utf8_lossy(ours));
    for (number, (native, ours)) in native.lines().zip(ours.lines()).enumerate() {
        if native != ours {
            return format!("line {} of the output: natively {native:?}, interpreted {ours:?}", number + 1);
        }
    }
    format!("natively {} lines of output, interpreted {}", native.lines().count(), ours.lines().count())
}
