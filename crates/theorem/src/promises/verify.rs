//! Whether a run is what a triple promises.

use std::collections::BTreeMap;

use base::Id;
use catalog::Issue;
use heap::block::Content;
use heap::{Exit, Kind, Spec, Status, Trail};
use interp::replay::{Concrete, Replayed, STRIDE, Where, allocation_address};
use interp::{Event, EventKind, GlobalRef, Outcome, Program, Spot, Value};

use super::draw::{Arena, Drawn, Lies, is_vague, offset};
use super::located::Located;
use super::names::Names;

/// What a triple promises.
#[derive(Clone, Copy)]
pub(super) enum Promise<'a> {
    /// This error.
    Error(&'a Located<'a>),
    /// This error, which an access to the caller's memory implies.
    Implied(&'a Located<'a>),
    /// The end that the triple has: a return or the end of the program.
    End,
}

/// Why the run is not the promised one; nothing if it is.
pub(super) fn verify(
    names: &Names<'_>,
    arena: &Arena,
    spec: &Spec,
    promise: Promise<'_>,
    (drawn, run): (&Drawn, &Replayed<'_>),
) -> Option<String> {
    // Behind the loss of memory nothing is promised but that it stays lost.
    if is_lost(promise) && (does_undefined(run).is_some() || !matches!(run.outcome, Outcome::Returned(_))) {
        return None;
    }
    if let Some(event) = does_undefined(run) {
        return Some(format!("the run does something undefined before: {:?} at {}", event.kind, event.place));
    }
    match (promise, spec.exit) {
        (Promise::Error(bug) | Promise::Implied(bug), _) => other_error(names, bug, run),
        (Promise::End, Exit::NoReturn) => match &run.outcome {
            Outcome::Exited(_) | Outcome::Aborted { .. } => None,
            // An assertion about what the environment did ends the program, and is no error of the function.
            Outcome::Bug(bug) if bug.issue == Issue::AssertFailure => None,
            _ => Some(format!("the program should end, but {}", told(run))),
        },
        (Promise::End, _) => match &run.outcome {
            Outcome::Returned(results) => other_results(arena, spec, drawn, results)
                .or_else(|| other_memory(arena, spec, drawn, run))
                .or_else(|| other_frame(names.program, arena, spec, (drawn, run))),
            _ => Some(format!("the function should return, but {}", told(run))),
        },
    }
}

/// What a run did first of what C leaves undefined and stops no machine.
pub(super) fn does_undefined<'r>(run: &'r Replayed<'_>) -> Option<&'r Event> {
    run.undefined.iter().find(|event| matters(event.kind))
}

/// Undefined operations that a triple excludes.
fn matters(kind: EventKind) -> bool {
    !matches!(
        kind,
        EventKind::UndefinedArgument
            | EventKind::NullArgument
            | EventKind::CallMismatch
            | EventKind::Misaligned
            // A pointer that leaves its object, but not the address space, is no concern of triples.
            | EventKind::PointerOverflow
    )
}

fn is_lost(promise: Promise<'_>) -> bool {
    matches!(promise, Promise::Error(bug) if bug.lost)
}

/// How a run ended, in words.
pub(super) fn told(run: &Replayed<'_>) -> String {
    match &run.outcome {
        Outcome::Bug(bug) => format!("the run ends with {bug}"),
        outcome => format!("the run ends with {outcome:?}, leaks {:?}", leaks(run)),
    }
}

fn leaks(run: &Replayed<'_>) -> Vec<String> {
    run.leaks.iter().map(|leak| leak.place.to_string()).collect()
}

/// Why a run does not end in an error, or in another one.
pub(super) fn other_error(names: &Names<'_>, bug: &Located<'_>, run: &Replayed<'_>) -> Option<String> {
    let promised = format!("{} at {}", bug.issue, names.place(bug.made.at));
    if bug.issue == Issue::MemoryLeak {
        let made = bug.reported.as_ref().unwrap_or(&bug.made);
        let is_it = |leak: &interp::Bug| is_at(names, made, &leak.place, &leak.callers);
        let found = matches!(run.outcome, Outcome::Returned(_)) && run.leaks.iter().any(is_it);
        let at = names.place(made.at);
        return (!found).then(|| format!("the block of {at} should leak, but {}", told(run)));
    }
    match &run.outcome {
        Outcome::Bug(met) if met.issue == bug.issue && is_at(names, &bug.made, &met.place, &met.callers) => {
            None
        }
        Outcome::Returned(values)
            if bug.issue == Issue::UseAfterScope && values.iter().any(|value| is_dangling(run, value)) =>
        {
            None
        }
        _ => Some(format!("there should be {promised}, but {}", told(run))),
    }
}

/// Whether a value points at a local of a function that has returned.
pub(super) fn is_dangling(run: &Replayed<'_>, value: &Value) -> bool {
    let memory = run.machine().memory();
    let block = value.prov().or_else(|| memory.find_exact(value.low()));
    block.is_some_and(|block| matches!(memory.block(block).status, interp::Status::Returned(_)))
}

/// Whether something happened at that line, through those calls.
pub(super) fn is_at(names: &Names<'_>, made: &Trail, met: &Spot, callers: &[Spot]) -> bool {
    let met: Vec<u32> = names.frames(met, callers).iter().map(|frame| frame.line).collect();
    let mut lines = vec![names.place(made.at).line];
    lines.extend(call_lines(names, made));
    met == lines
}

/// The lines of the calls through which something happened, the innermost first.
pub(super) fn call_lines(names: &Names<'_>, made: &Trail) -> Vec<u32> {
    made.calls.iter().rev().map(|&call| names.place(call).line).collect()
}

fn other_results(arena: &Arena, spec: &Spec, drawn: &Drawn, results: &[Value]) -> Option<String> {
    for (at, (term, value)) in spec.results.iter().zip(results).enumerate() {
        if is_vague(arena, spec, *term) || !value.is_defined() {
            continue;
        }
        let promised = drawn.model.value(&arena.terms, *term);
        if promised != value.low128() {
            let shown = arena.terms.show(*term);
            return Some(format!(
                "result {at} should be {promised:#x} ({shown}), but it is {:#x}",
                value.low128()
            ));
        }
    }
    None
}

fn other_memory(arena: &Arena, spec: &Spec, drawn: &Drawn, run: &Replayed<'_>) -> Option<String> {
    for (at, block) in spec.post.iter().enumerate() {
        let shown = arena.terms.show(block.base).to_string();
        let Some((place, slack)) = where_is(arena, spec, drawn, at) else { continue };
        let should_be_freed = matches!(block.status, Status::Freed(_));
        if should_be_freed != run.is_freed(place) {
            let word = if should_be_freed { "" } else { "not " };
            return Some(format!("the block of {shown} should {word}be freed"));
        }
        let cells = if should_be_freed { &[] } else { block.cells.as_slice() };
        for cell in cells.iter().filter(|cell| !is_vague(arena, spec, cell.value)) {
            let from = slack + offset(arena, &drawn.model, cell.place);
            let promised = drawn.model.value(&arena.terms, cell.value);
            let value = u64::try_from(from).ok().and_then(|from| run.read(place, from, cell.bytes));
            // `x - x` of an unwritten `x` is zero for the engine, and unwritten for the interpreter: bits it knows must agree.
            let is_same = value.as_ref().is_some_and(|it| {
                let known = !it.undef_words().low128();
                it.low128() & known == promised & known
            });
            if !is_same {
                let value = value.map_or("gone".to_owned(), |value| format!("{value:?}"));
                let what = arena.terms.show(cell.value);
                return Some(format!(
                    "{} bytes at offset {from} of {shown} should be {promised:#x} ({what}), but they are {value}",
                    cell.bytes
                ));
            }
        }
    }
    None
}

/// Where a block of the result lies in the run.
fn where_is(arena: &Arena, spec: &Spec, drawn: &Drawn, at: usize) -> Option<(Where, i64)> {
    if let Some(pre) = spec.pre.iter().position(|pre| pre.block.index() == at) {
        return match drawn.places.get(pre)? {
            Lies::In(place, slack) => Some((*place, *slack)),
            Lies::Code(_) => None,
        };
    }
    let block = &spec.post[at];
    if !matches!(block.kind, Kind::Heap(_)) || is_vague(arena, spec, block.base) {
        return None;
    }
    let address = drawn.model.value(&arena.terms, block.base) as u64;
    let number = address.checked_sub(allocation_address(0))? / STRIDE;
    Some((Where::Allocation(number as usize), 0))
}

/// Frame: bytes of globals that the triple does not speak of are what they were.
fn other_frame(
    program: &Program<'_>,
    arena: &Arena,
    spec: &Spec,
    (drawn, run): (&Drawn, &Replayed<'_>),
) -> Option<String> {
    let mut before: BTreeMap<(GlobalRef, u64), u8> = BTreeMap::new();
    for (global, cells) in &drawn.state.globals {
        for cell in cells {
            let Concrete::Int(value) = cell.value else { continue };
            let bytes = value.to_le_bytes();
            before.extend(
                (0..cell.bytes).map(|at| ((*global, cell.offset + u64::from(at)), bytes[at as usize])),
            );
        }
    }
    for (at, pre) in spec.pre.iter().enumerate() {
        let Lies::In(Where::Global(global), _) = drawn.places[at] else { continue };
        let post = &spec.post[pre.block.index()];
        if post.rest != Content::Initial {
            before.retain(|(other, _), _| *other != global);
        }
        for cell in &post.cells {
            let from = offset(arena, &drawn.model, cell.place);
            let written = from..from + i64::from(cell.bytes);
            before.retain(|(other, at), _| *other != global || !written.contains(&(*at as i64)));
        }
    }
    before.into_iter().find_map(|((global, at), byte)| {
        let value = run.read(Where::Global(global), at, 1)?;
        let name = program.globals()[global].name;
        (value.low() != u64::from(byte)).then(|| {
            format!("byte {at} of global {name} should still be {byte:#x}, but it is {:#x}", value.low())
        })
    })
}
