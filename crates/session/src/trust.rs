//! What the user should know of what was not believed, not handed on or not run of all that came with the
//! code.

use std::collections::BTreeMap;

use base::counted;
use capture::{Doubts, Unit};

use crate::paths::Here;

/// How many options or compilers are named in a note.
const NAMED: usize = 6;

/// The notes, if there is something to say.
pub(crate) fn notes(units: &[Unit], doubts: &Doubts, here: &Here) -> Vec<String> {
    let compilers = doubts.unasked_compilers.iter().map(|path| here.shorten(path)).collect();
    [left_out(units), strange(doubts.strange_entries), unasked(compilers)].into_iter().flatten().collect()
}

/// Options that clang did not get, the most frequent first.
fn left_out(units: &[Unit]) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for option in units.iter().flat_map(|unit| &unit.left_out) {
        *counts.entry(option).or_default() += 1;
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let names = counts.iter().map(|(name, count)| format!("{name} ({})", counted(*count, "unit"))).collect();
    let names = listed(names)?;
    Some(format!(
        "options that were not handed to clang, because they could run, write or load something, or are not known: {names}"
    ))
}

fn strange(entries: usize) -> Option<String> {
    let what = match entries {
        0 => return None,
        1 => "1 entry of the store was".to_owned(),
        _ => format!("{entries} entries of the store were"),
    };
    Some(format!("{what} made, moved or changed by somebody else: not used, and made again"))
}

fn unasked(compilers: Vec<String>) -> Option<String> {
    let compilers = listed(compilers)?;
    Some(format!(
        "compilers that are named by the database and are not on PATH are not run; if headers are missing, add their directory to PATH: {compilers}"
    ))
}

/// The first names, and how many more there are.
fn listed(mut names: Vec<String>) -> Option<String> {
    let more = names.len().saturating_sub(NAMED);
    names.truncate(NAMED);
    let rest = if more == 0 { String::new() } else { format!(", and {more} more") };
    (!names.is_empty()).then(|| format!("{}{rest}", names.join(", ")))
}
