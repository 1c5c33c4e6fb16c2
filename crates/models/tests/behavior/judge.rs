//! Whether what happened is something that the model allows: some case must fit.
//!
//! A case fits if its tests hold, its result is the one that was returned, every byte that changed is one that it may change, every byte
//! that it claims to write was written, and it frees and allocates what was freed and allocated.
//! Not covered: reads that are claimed but do not happen; changes inside of objects of the library's (`uses`), which may be any;
//! allocations that are reachable only through such objects.

use catalog::Issue;
use models::{Arg, Byte, Case, Content, Effect, Len, Library, Model, Ret, Size, Test, What, format_effects};

use crate::plan::Run;
use crate::record::{ArgRecord, Block, Record, RunRecord};

/// Says why no case of the model fits; `None` if one does.
pub(crate) fn judge(library: &Library, run: &Run<'_>, record: &Record) -> Option<String> {
    judge_model(library, run.model, visible_args(run), record)
}

/// As [`judge`], of a model whose first arguments are `visible`.
fn judge_model(library: &Library, model: &Model, visible: usize, record: &Record) -> Option<String> {
    let kept = kept(record);
    record.runs.iter().find_map(|run| {
        if model.noreturn.is_some() {
            let crashed = [libc_signal::SEGV, libc_signal::ALRM].contains(&run.signal);
            return (run.returned || crashed).then(|| format!("returns or crashes (signal {})", run.signal));
        }
        if !run.returned {
            return Some(format!("does not return (signal {}, status {})", run.signal, run.status));
        }
        let scene = Scene { library, run, kept: &kept, visible };
        let mut reasons = String::new();
        for (number, case) in model.cases.iter().enumerate() {
            match scene.fits(model, case) {
                Ok(()) => return None,
                Err(reason) => reasons.push_str(&format!("\n        case {number}: {reason}")),
            }
        }
        Some(format!("no case fits{reasons}"))
    })
}

/// The arguments that the model knows of: those behind a `va_list` are not.
fn visible_args(run: &Run<'_>) -> usize {
    if run.signature.takes_list() { run.signature.params.len() - 1 } else { usize::MAX }
}

/// The numbers of the signals that a wrong call ends with.
mod libc_signal {
    pub(super) const SEGV: i32 = 11;
    pub(super) const ALRM: i32 = 14;
}

/// Which bytes of each argument's area nobody wrote to, neither before the call nor in it: the runs differ in what was there at first, so
/// a byte that is written is seen in one of them whatever is written.
fn kept(record: &Record) -> Vec<Vec<bool>> {
    let n_args = record.runs.iter().map(|it| it.args.len()).max().unwrap_or(0);
    let is_kept = |arg: usize, byte: usize| {
        record.runs.iter().enumerate().all(|(pattern, run)| {
            let arg = run.args.get(arg);
            arg.is_some_and(|it| {
                it.after.get(byte) == Some(&canary(pattern, byte)) && it.before[byte] == it.after[byte]
            })
        })
    };
    (0..n_args)
        .map(|arg| {
            let size = record.runs[0].args.get(arg).map_or(0, |it| it.before.len());
            (0..size).map(|byte| is_kept(arg, byte)).collect()
        })
        .collect()
}

/// What an area holds at first, as in `runtime.c`.
fn canary(pattern: usize, byte: usize) -> u8 {
    let step = (byte % 29) as u8;
    if pattern == 0 { 0x5a - step } else { 0x91 + step }
}

struct Scene<'a> {
    library: &'a Library,
    run: &'a RunRecord,
    kept: &'a [Vec<bool>],
    visible: usize,
}

type Verdict = Result<(), String>;

fn unless(holds: bool, reason: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(reason()) }
}

impl Scene<'_> {
    fn fits(&self, model: &Model, case: &Case) -> Verdict {
        for test in &case.when {
            let holds = match *test {
                Test::Zero(arg) => self.value(arg) == 0,
                Test::NonZero(arg) => self.value(arg) != 0,
            };
            unless(holds, || format!("{test:?} does not hold"))?;
        }
        let effects = self.effects(model, case);
        self.fits_value(&case.ret, self.run.value, "the result")?;
        effects.iter().try_for_each(|it| self.happened(it, &effects))?;
        self.nothing_else_changed(&effects)?;
        self.nothing_else_freed(&effects)
    }

    fn arg(&self, arg: usize) -> Option<&ArgRecord> {
        self.run.args.get(arg).filter(|_| arg < self.visible)
    }

    fn value(&self, arg: usize) -> u64 {
        self.run.args.get(arg).map_or(0, |it| it.value)
    }

    /// The effects of a case, those of a format and of `...` for each argument.
    fn effects(&self, model: &Model, case: &Case) -> Vec<(usize, Effect)> {
        let first = model.params.unwrap_or(0);
        let mut list = Vec::new();
        for effect in &case.effects {
            match (effect.arg, &effect.what) {
                (Arg::At(at), What::Format { style }) => {
                    let text = self.arg(at).map_or(&[][..], |it| &it.before);
                    let derived = format_effects(*style, text, first).unwrap_or_default();
                    list.extend(derived.into_iter().filter_map(|it| match it.arg {
                        Arg::At(at) => Some((at, it)),
                        Arg::Rest => None,
                    }));
                }
                (Arg::At(at), _) => list.push((at, effect.clone())),
                (Arg::Rest, _) => list.extend((first..self.run.args.len()).map(|at| (at, effect.clone()))),
            }
        }
        list.retain(|(at, _)| *at < self.visible);
        list
    }

    fn fits_value(&self, ret: &Ret, value: Option<u64>, place: &str) -> Verdict {
        let Some(value) = value else {
            return unless(matches!(ret, Ret::Nothing | Ret::Any | Ret::Input), || {
                format!("{place} is no value")
            });
        };
        let (signed, shown) = (value as i64, self.describe(value));
        let wrong = || format!("{place} is {shown}, not {ret:?}");
        match ret {
            Ret::Nothing | Ret::Any | Ret::Input => Ok(()),
            Ret::Null => unless(value == 0, wrong),
            Ret::Arg(arg) => unless(value == self.value(*arg), wrong),
            Ret::Into(arg) => {
                let (start, size) =
                    (self.value(*arg), self.arg(*arg).map_or(0, |it| it.before.len()).max(64));
                unless(value >= start && value - start <= size as u64, wrong)
            }
            Ret::Length(arg) => unless(value == self.text(*arg) as u64, wrong),
            Ret::Span(arg) => unless(value <= self.text(*arg) as u64, wrong),
            Ret::NonNull => {
                unless(value != 0 && self.fresh(value).is_none() && self.area(value).is_none(), wrong)
            }
            Ret::Range { lo, hi } => unless((*lo..=*hi).contains(&signed), wrong),
            Ret::UpTo { lo, arg } => {
                let most = i64::try_from(self.value(*arg)).unwrap_or(i64::MAX);
                unless(signed == *lo || (*lo..=most).contains(&signed), wrong)
            }
            Ret::Const(number) => unless(signed == *number, wrong),
            Ret::New { family, size, content } => {
                unless(value != 0, wrong)?;
                let is_memory = self.library.family(family).is_some_and(|it| it.leak == Issue::MemoryLeak);
                match self.fresh(value) {
                    Some(block) => self.fits_block(block, *size, *content),
                    None => unless(!is_memory, wrong),
                }
            }
        }
    }

    fn fits_block(&self, block: &Block, size: Size, content: Content) -> Verdict {
        let least = match size {
            Size::Const(size) => size,
            Size::Arg(arg) => self.value(arg),
            Size::Product(first, second) => self.value(first) * self.value(second),
            Size::StringOf(arg) => self.text(arg) as u64 + 1,
            Size::Unknown => 0,
        };
        unless(block.size >= least, || format!("the new block has {} bytes, not {least}", block.size))?;
        let holds = match content {
            Content::Uninit | Content::Unknown => true,
            Content::Zeroed => block.content.iter().all(|byte| *byte == 0),
            Content::String => block.content.contains(&0) || block.size > block.content.len() as u64,
            Content::From(arg) => {
                let source = self.arg(arg).map_or(&[][..], |it| &it.before);
                block.content.iter().zip(source).take(least as usize).all(|(new, old)| new == old)
            }
        };
        unless(holds, || format!("the new block does not hold {content:?}"))
    }

    /// Whether what the effect claims is to be seen.
    fn happened(&self, (at, effect): &(usize, Effect), all: &[(usize, Effect)]) -> Verdict {
        let Some(arg) = self.arg(*at) else { return Ok(()) };
        if arg.value == 0 {
            return unless(effect.null_ok || !touches(&effect.what, |len| self.most(len, arg)), || {
                format!("argument {at} is null")
            });
        }
        match &effect.what {
            What::Havoc { len, .. } => {
                // Without an access it is only said what may change.
                let is_access = |what: &What| matches!(what, What::Access { write: true, .. });
                let claimed = all.iter().any(|(of, it)| of == at && is_access(&it.what));
                if claimed { self.is_written(*at, arg, *len) } else { Ok(()) }
            }
            What::Fill { byte, len } => {
                let byte = match byte {
                    Byte::Const(byte) => *byte,
                    Byte::Arg(arg) => self.value(*arg) as u8,
                };
                let end = self.most(*len, arg).min(arg.after.len());
                unless(arg.after[..end].iter().all(|it| *it == byte), || {
                    format!("argument {at} is not filled")
                })
            }
            What::Copy { src, len, .. } => {
                let source = &self.run.args[*src].before;
                let end = if *len == Len::String { self.text(*src) + 1 } else { self.most(*len, arg) };
                unless(arg.after.get(..end) == source.get(..end), || format!("argument {at} is no copy"))
            }
            What::Write { value, bytes } => self
                .fits_value(value, Some(stored(&arg.after, *bytes)), &format!("what argument {at} points to"))
                .or_else(|reason| unless(self.is_replaced(arg), || reason)),
            What::Free { behind: false, .. } => {
                unless(self.run.freed.contains(&arg.value), || format!("argument {at} is not freed"))
            }
            What::Free { .. }
            | What::Freeable { .. }
            | What::Access { .. }
            | What::Escape
            | What::Output
            | What::Format { .. } => Ok(()),
        }
    }

    /// A buffer that was large enough stays where it is (`getline`).
    fn is_replaced(&self, arg: &ArgRecord) -> bool {
        let old = stored(&arg.before, 8);
        old != 0 && stored(&arg.after, 8) == old
    }

    fn is_written(&self, at: usize, arg: &ArgRecord, len: Len) -> Verdict {
        let kept = &self.kept[at];
        if let Len::Within(most) = len {
            return unless(arg.pointee == 0 || most <= arg.pointee as u64, || {
                format!("argument {at} points to only {} bytes", arg.pointee)
            });
        }
        if arg.before.is_empty() {
            return Ok(());
        }
        match len {
            Len::Const(_) | Len::Arg(_) | Len::Product(..) => {
                let end = self.most(len, arg);
                // A byte that was put there on purpose may stay.
                let first = (0..end.min(kept.len())).find(|byte| kept[*byte]);
                unless(first.is_none() && end <= kept.len(), || {
                    format!("byte {} of argument {at} is not written", first.unwrap_or(end))
                })
            }
            Len::String | Len::StringMax(_) => {
                let end = self.most(len, arg).min(arg.after.len());
                unless(end == 0 || arg.after[..end].contains(&0), || format!("argument {at} holds no text"))
            }
            Len::Any | Len::AnyMax(_) | Len::Within(_) => Ok(()),
        }
    }

    fn nothing_else_changed(&self, effects: &[(usize, Effect)]) -> Verdict {
        for (at, arg) in self.run.args.iter().enumerate().take(self.visible) {
            let reach =
                effects.iter().filter(|(of, _)| *of == at).map(|(_, it)| self.reach(&it.what, arg)).max();
            let last = (0..arg.before.len()).rev().find(|byte| arg.before[*byte] != arg.after[*byte]);
            if let Some(last) = last {
                unless(last < reach.unwrap_or(0), || {
                    format!("byte {last} of argument {at} changes, {} may", reach.unwrap_or(0))
                })?;
            }
        }
        Ok(())
    }

    /// How many bytes the effect may change.
    fn reach(&self, what: &What, arg: &ArgRecord) -> usize {
        match what {
            What::Access { write: true, len, .. } | What::Havoc { len, .. } | What::Fill { len, .. } => {
                self.most(*len, arg)
            }
            What::Copy { src, len, .. } => {
                if *len == Len::String {
                    self.text(*src) + 1
                } else {
                    self.most(*len, arg)
                }
            }
            What::Write { bytes, .. } => *bytes as usize,
            _ => 0,
        }
    }

    fn nothing_else_freed(&self, effects: &[(usize, Effect)]) -> Verdict {
        for (at, arg) in self.run.args.iter().enumerate().take(self.visible) {
            let frees = |inside: bool| {
                let wanted = |what: &What| matches!(what, What::Free { behind, .. } if *behind == inside);
                effects.iter().any(|(of, effect)| *of == at && wanted(&effect.what))
            };
            let is_freed = |value: u64| value != 0 && self.run.freed.contains(&value);
            unless(!is_freed(arg.value) || frees(false), || format!("argument {at} is freed"))?;
            let inside = if arg.before.len() >= 8 { stored(&arg.before, 8) } else { 0 };
            unless(!is_freed(inside) || frees(true), || format!("what argument {at} points to is freed"))?;
        }
        Ok(())
    }

    fn most(&self, len: Len, arg: &ArgRecord) -> usize {
        match len {
            Len::Const(size) => size as usize,
            Len::Arg(at) | Len::StringMax(at) | Len::AnyMax(at) => self.value(at) as usize,
            Len::Product(first, second) => (self.value(first) * self.value(second)) as usize,
            Len::String | Len::Any => usize::MAX,
            Len::Within(size) => arg.pointee.max(size as usize),
        }
    }

    /// The length of the text that the argument pointed to before the call.
    fn text(&self, arg: usize) -> usize {
        let before = &self.run.args[arg].before;
        before.iter().position(|byte| *byte == 0).unwrap_or(before.len())
    }

    fn fresh(&self, value: u64) -> Option<&Block> {
        self.run.fresh.iter().find(|it| it.start == value)
    }

    /// The argument in whose area the pointer points.
    fn area(&self, value: u64) -> Option<usize> {
        let inside = |it: &ArgRecord| value >= it.value && value - it.value < it.before.len() as u64;
        self.run.args.iter().position(|it| it.value != 0 && inside(it))
    }

    /// A value for messages, which are the same in every run.
    fn describe(&self, value: u64) -> String {
        match (self.fresh(value), self.area(value)) {
            (Some(block), _) => format!("a new block of {} bytes", block.size),
            (_, Some(arg)) => format!("argument {arg} + {}", value - self.value(arg)),
            _ if (value as i64).unsigned_abs() < 1 << 32 => format!("{}", value as i64),
            _ => "a large number or a pointer".to_owned(),
        }
    }
}

/// Whether an effect has something to do with the memory behind the pointer.
fn touches(what: &What, most: impl Fn(Len) -> usize) -> bool {
    match what {
        What::Access { len, .. } | What::Fill { len, .. } | What::Copy { len, .. } => most(*len) != 0,
        What::Write { .. } | What::Free { .. } => true,
        What::Havoc { .. } | What::Freeable { .. } | What::Escape | What::Output | What::Format { .. } => {
            false
        }
    }
}

/// The number that is stored at the start, sign-extended.
fn stored(bytes: &[u8], size: u32) -> u64 {
    let size = size.min(8) as usize;
    let value = bytes.iter().take(size).rev().fold(0u64, |value, byte| value << 8 | u64::from(*byte));
    let unused = 64 - 8 * size as u32;
    ((value << unused) as i64 >> unused) as u64
}
