//! The interpreter on small programs in the text form of the IR: text in, text out.

mod calls;
mod errors;
mod events;
mod hostile;
mod library;
mod linking;
mod memory;
mod replay;
mod state;
mod undefined;
mod varargs;

use interp::{Bug, Options, Outcome, Program, Run, Spot, run_main};

/// Runs `main` of one module and compares what is worth telling, line by line.
#[track_caller]
fn check(text: &str, expected: &str) {
    check_with(Options::default(), &[text], expected);
}

#[track_caller]
fn check_with(options: Options, texts: &[&str], expected: &str) {
    let modules: Vec<ir::Module> = texts.iter().map(|text| parse(text)).collect();
    let program = Program::link(&modules);
    let told = tell(&run_main(&program, options));
    let lines = |text: &str| text.lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>();
    let expected: Vec<String> = lines(expected).into_iter().filter(|line| !line.is_empty()).collect();
    assert_eq!(lines(&told), expected, "\n{told}");
}

#[track_caller]
fn parse(text: &str) -> ir::Module {
    match ir::parse::parse(text) {
        Ok(module) => {
            let broken = ir::verify::verify(&module);
            assert!(broken.is_empty(), "the test's module should be valid: {broken:?}");
            module
        }
        Err(error) => panic!("{error}\n{text}"),
    }
}

/// Output, outcome, leaks, events and unknown calls of a run; one per line.
fn tell(run: &Run) -> String {
    let mut lines = Vec::new();
    let stdout = String::from_utf8_lossy(&run.stdout);
    lines.extend(stdout.lines().map(|line| format!("> {line}")));
    lines.push(match &run.outcome {
        Outcome::Exited(status) => format!("exit {status}"),
        Outcome::Bug(bug) => tell_bug(bug),
        Outcome::Aborted { what, place } => format!("aborted by {what} at {}", at(place)),
        Outcome::Unreachable(place) => format!("unreachable at {}", at(place)),
        Outcome::Fault { fault, place } => format!("{} at {}", fault.word(), at(place)),
        Outcome::OutOfBudget(budget) => format!("out of {budget:?}"),
        Outcome::Unsupported { what, place } => format!("unsupported {what} at {}", at(place)),
        Outcome::Returned(values) => format!("returned {values:?}"),
    });
    lines.extend(run.leaks.iter().map(tell_bug));
    let events = run.undefined.iter().chain(&run.notes);
    lines.extend(events.map(|it| format!("{:?} at {} ({})", it.kind, at(&it.place), it.count)));
    lines.extend(run.unknown_calls.iter().map(|it| format!("unknown {} at {}", it.name, at(&it.place))));
    lines.join("\n")
}

fn tell_bug(bug: &Bug) -> String {
    let mut line = format!("{} at {}: {}", bug.issue, at(&bug.place), bug.message);
    for caller in &bug.callers {
        line += &format!(" < {}", at(caller));
    }
    if let Some(block) = &bug.block {
        line += &format!(" [made at {}", at(&block.allocated));
        if let Some(ended) = &block.ended {
            line += &format!(", ended at {}", at(ended));
        }
        line += "]";
    }
    line
}

fn at(place: &Spot) -> String {
    format!("{}:{}", place.function, place.line)
}
