//! What functions do that are like others: every `like` followed to a row that says it itself.
//!
//! Judgment: `f like g, args = [i₀, i₁ …]` does with its argument `iₖ` what `g` does with argument `k`. Each
//! row is worked out once, in a loop and not by recursion: a file may have a chain of a hundred thousand.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::Problem;
use crate::library::Loaded;
use crate::model::{Arg, Byte, Case, Content, Effect, Habits, Len, NoReturn, Ret, Size, Test, What};
use crate::read::{Behavior, Like};

/// What a function does.
#[derive(Clone)]
pub(crate) struct Followed {
    pub(crate) cases: Vec<Case>,
    pub(crate) noreturn: Option<NoReturn>,
    pub(crate) habits: Habits,
}

/// What each function does, or what is wrong with the rows that say so.
pub(crate) fn follow(rows: &BTreeMap<String, Loaded>) -> BTreeMap<&str, Result<Followed, Problem>> {
    let mut done: BTreeMap<&str, Result<Followed, Problem>> = BTreeMap::new();
    for name in rows.keys() {
        let (way, mut result) = end(name, rows, &done);
        for (name, like) in way.into_iter().rev() {
            result = match result {
                Ok(followed) => through(like, followed),
                Err(Problem::CyclicLike(_)) => Err(Problem::CyclicLike(like.target.clone())),
                Err(problem) => Err(problem),
            };
            done.insert(name, result.clone());
        }
        done.entry(name).or_insert(result);
    }
    done
}

/// The rows from a function to one of which it is known what it does, or to the mistake, and that.
fn end<'r>(
    name: &'r str,
    rows: &'r BTreeMap<String, Loaded>,
    done: &BTreeMap<&str, Result<Followed, Problem>>,
) -> (Vec<(&'r str, &'r Like)>, Result<Followed, Problem>) {
    let mut way = Vec::new();
    let mut met = BTreeSet::new();
    let mut at = name;
    loop {
        if let Some(known) = done.get(at) {
            return (way, known.clone());
        }
        let like = match &rows[at].row.behavior {
            Behavior::Own { cases, noreturn, habits } => {
                let (cases, noreturn, habits) = (cases.clone(), *noreturn, *habits);
                return (way, Ok(Followed { cases, noreturn, habits }));
            }
            Behavior::Like(like) => like,
            Behavior::NonNullReturn => unreachable!("invariant: promises are no rows of the library"),
        };
        way.push((at, like));
        met.insert(at);
        match rows.get_key_value(&like.target) {
            // The name that was probably meant is looked for when all mistakes are known.
            None => return (way, Err(Problem::NoSuchLike { name: like.target.clone(), near: None })),
            Some((target, _)) if met.contains(target.as_str()) => {
                return (way, Err(Problem::CyclicLike(like.target.clone())));
            }
            Some((target, _)) => at = target,
        }
    }
}

/// What a function does that is like one that does this.
fn through(like: &Like, mut followed: Followed) -> Result<Followed, Problem> {
    let cases = &mut followed.cases;
    if like.nonnull {
        cases.retain(|case| case.ret != Ret::Null);
    }
    if cases.is_empty() {
        return Err(Problem::NothingLeft(like.target.clone()));
    }
    cases.iter_mut().try_for_each(|case| renumber(case, like))?;
    Ok(followed)
}

/// Puts the wrapper's argument positions where those of the function stand that it is like:
/// with `args = [1]`, what `malloc` does with its argument 0 the wrapper does with its argument 1.
fn renumber(case: &mut Case, like: &Like) -> Result<(), Problem> {
    let Some(args) = &like.args else { return Ok(()) };
    let at = |it: &mut usize| match args.get(*it) {
        Some(&arg) => {
            *it = arg;
            Ok(())
        }
        None => Err(Problem::ShortArgs { like: like.target.clone(), arg: *it }),
    };
    for test in &mut case.when {
        let (Test::Zero(arg) | Test::NonZero(arg)) = test;
        at(arg)?;
    }
    for Effect { arg, what, .. } in &mut case.effects {
        if let Arg::At(arg) = arg {
            at(arg)?;
        }
        renumber_what(what, &at)?;
    }
    renumber_value(&mut case.ret, &at)
}

fn renumber_what(what: &mut What, at: &impl Fn(&mut usize) -> Result<(), Problem>) -> Result<(), Problem> {
    match what {
        What::Access { len, .. } | What::Havoc { len, .. } => renumber_len(len, at),
        What::Fill { byte, len } => {
            if let Byte::Arg(arg) = byte {
                at(arg)?;
            }
            renumber_len(len, at)
        }
        What::Copy { src, len, .. } => {
            at(src)?;
            renumber_len(len, at)
        }
        What::Write { value, .. } => renumber_value(value, at),
        What::Free { .. } | What::Freeable { .. } | What::Escape | What::Output | What::Format { .. } => {
            Ok(())
        }
    }
}

fn renumber_len(len: &mut Len, at: &impl Fn(&mut usize) -> Result<(), Problem>) -> Result<(), Problem> {
    match len {
        Len::Arg(arg) | Len::StringMax(arg) | Len::AnyMax(arg) => at(arg),
        Len::Product(first, second) => at(first).and_then(|()| at(second)),
        Len::Const(_) | Len::Within(_) | Len::String | Len::Any => Ok(()),
    }
}

fn renumber_value(value: &mut Ret, at: &impl Fn(&mut usize) -> Result<(), Problem>) -> Result<(), Problem> {
    match value {
        Ret::Arg(arg) | Ret::Into(arg) | Ret::Length(arg) | Ret::Span(arg) | Ret::UpTo { arg, .. } => at(arg),
        Ret::New { size, content, .. } => {
            if let Content::From(arg) = content {
                at(arg)?;
            }
            match size {
                Size::Arg(arg) | Size::StringOf(arg) => at(arg),
                Size::Product(first, second) => at(first).and_then(|()| at(second)),
                Size::Const(_) | Size::Unknown => Ok(()),
            }
        }
        Ret::Nothing
        | Ret::Any
        | Ret::Input
        | Ret::Null
        | Ret::NonNull
        | Ret::Range { .. }
        | Ret::Const(_) => Ok(()),
    }
}
