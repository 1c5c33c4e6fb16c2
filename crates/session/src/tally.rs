//! What became of the units, in one line for a person.

use std::collections::BTreeMap;

use base::counted;

/// Where the bitcode of a unit came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// From clang, in this run.
    Compiled,
    /// From the cache.
    Reused,
    /// The input was bitcode.
    Given,
}

/// How many units went which way.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// From clang, in this run.
    pub compiled: usize,
    /// From the store.
    pub reused: usize,
    /// The input was bitcode.
    pub given: usize,
    /// By reason.
    pub failed: BTreeMap<&'static str, usize>,
    /// Sources in other languages, by reason.
    pub skipped: BTreeMap<&'static str, usize>,
}

impl Tally {
    pub(crate) fn add(&mut self, origin: Origin) {
        *match origin {
            Origin::Compiled => &mut self.compiled,
            Origin::Reused => &mut self.reused,
            Origin::Given => &mut self.given,
        } += 1;
    }

    pub(crate) fn add_failed(&mut self, reason: &'static str) {
        *self.failed.entry(reason).or_default() += 1;
    }

    pub(crate) fn add_skipped(&mut self, reason: &'static str) {
        *self.skipped.entry(reason).or_default() += 1;
    }

    /// `212 units: 200 compiled, 12 reused; 2 failed (2 do not compile); 3 skipped (3 assembly)`.
    pub fn line(&self) -> String {
        let units = self.compiled + self.reused + self.given;
        let parts = [(self.compiled, "compiled"), (self.reused, "reused"), (self.given, "given as bitcode")];
        let parts =
            parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
        let mut line = counted(units, "unit");
        let parts: Vec<String> = parts.collect();
        if !parts.is_empty() {
            line.push_str(&format!(": {}", parts.join(", ")));
        }
        for (groups, what) in [(&self.failed, "failed"), (&self.skipped, "skipped")] {
            let total: usize = groups.values().sum();
            if total > 0 {
                let reasons = groups.iter().map(|(reason, count)| format!("{count} {reason}"));
                line.push_str(&format!("; {total} {what} ({})", reasons.collect::<Vec<_>>().join(", ")));
            }
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_happened_is_told() {
        let mut tally = Tally { compiled: 1, ..Tally::default() };
        assert_eq!(tally.line(), "1 unit: 1 compiled");
        tally.reused = 12;
        tally.add_failed("not compiled by clang");
        tally.add_failed("no such file");
        tally.add_failed("no such file");
        tally.add_skipped("assembly");
        let expected = "13 units: 1 compiled, 12 reused; 3 failed (2 no such file, 1 not compiled by clang); \
            1 skipped (1 assembly)";
        assert_eq!(tally.line(), expected);
        assert_eq!(Tally::default().line(), "0 units");
    }
}
