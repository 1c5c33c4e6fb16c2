//! Random programs, the same ones for the same seed, and random states to start them in.
//!
//! Reading order: [`types`] (the C types, and what programs may use), [`expressions`], [`statements`],
//! [`calls`], [`generate`] (programs that look like C that people write), [`tiny`] (programs all of whose
//! runs can be tried), [`compile`] (from programs to projects), [`sample`] (random states, and the errors
//! that runs from them meet).

pub(crate) mod types;

mod calls;
mod expressions;
mod statements;

pub(crate) mod compile;
pub(crate) mod generate;
pub(crate) mod sample;
pub(crate) mod tiny;

use std::ops::Range;

/// Programs in one project.
pub(crate) const TOGETHER: u64 = 20;

/// Seeds in groups, of which each becomes one project.
pub(crate) fn groups(seeds: Range<u64>) -> impl Iterator<Item = Range<u64>> {
    let end = seeds.end;
    seeds.step_by(TOGETHER as usize).map(move |first| first..end.min(first + TOGETHER))
}
