//! What was seen of each fault, kept between runs over the same code.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::PathBuf;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::copy::home;
use super::list::Fault;

/// What was seen of a fault.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Seen {
    /// The first suite that noticed it.
    pub(crate) by: Option<(String, How)>,
    /// Violations that the theorem oracle counted, if it was asked.
    pub(crate) violations: Option<u64>,
}

/// How a suite notices a fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum How {
    /// Tests fail.
    Fails { tests: u64, first: String },
    /// So many promises are not kept.
    Violates(u64),
    /// It ends in another way than it should.
    Breaks,
    /// It does not end.
    Hangs,
}

impl How {
    pub(crate) fn violations(&self) -> u64 {
        if let How::Violates(number) = self { *number } else { 0 }
    }
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            How::Fails { tests: 1, first } => write!(f, "`{first}` fails"),
            How::Fails { tests, first } => write!(f, "{tests} tests fail, first `{first}`"),
            How::Violates(number) => write!(f, "{number} violations"),
            How::Breaks => write!(f, "breaks"),
            How::Hangs => write!(f, "takes too long"),
        }
    }
}

impl Seen {
    pub(crate) fn is_noticed(&self) -> bool {
        self.by.is_some()
    }

    /// Whether the theorem oracle saw as many violations as the row asks for.
    pub(crate) fn is_loud(&self, fault: &Fault) -> bool {
        fault.violations.is_none_or(|least| self.violations.is_some_and(|seen| seen >= least))
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.by {
            Some((suite, how)) => write!(f, "{suite}: {how}")?,
            None => write!(f, "SURVIVES")?,
        }
        match (&self.by, self.violations) {
            (Some((_, How::Violates(_))), _) | (None, _) | (_, None) => Ok(()),
            (_, Some(violations)) => write!(f, "; theorem oracle: {violations} violations"),
        }
    }
}

/// What was seen of the faults of one version of the code.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Results {
    /// Of the rooms that have faults, without their tests: what was noticed stays so when tests are added.
    fingerprint: u64,
    /// By the fault itself: whoever changes a row asks anew.
    seen: BTreeMap<String, Seen>,
}

impl Results {
    /// What earlier runs over the same code saw.
    pub(crate) fn load(fingerprint: u64) -> Results {
        let text = fs::read_to_string(file()).ok();
        let known: Option<Results> = text.and_then(|text| serde_json::from_str(&text).ok());
        let known = known.filter(|it| it.fingerprint == fingerprint);
        known.unwrap_or(Results { fingerprint, ..Results::default() })
    }

    /// Whether it is known that a fault is noticed, as loudly as it must be. What survived is asked again.
    pub(crate) fn is_settled(&self, fault: &Fault) -> bool {
        self.of(fault).is_some_and(|seen| seen.is_noticed() && seen.is_loud(fault))
    }

    pub(crate) fn of(&self, fault: &Fault) -> Option<&Seen> {
        self.seen.get(&key(fault))
    }

    /// Faults with what was seen of them, as far as they were tried.
    pub(crate) fn rows<'r>(&'r self, faults: &[&'r Fault]) -> Vec<(&'r Fault, &'r Seen)> {
        faults.iter().filter_map(|&fault| Some((fault, self.of(fault)?))).collect()
    }

    pub(crate) fn keep(&mut self, fault: &Fault, seen: Seen) -> Result<()> {
        self.seen.insert(key(fault), seen);
        Ok(fs::write(file(), serde_json::to_string(self)?)?)
    }
}

fn file() -> PathBuf {
    home().join("results.json")
}

fn key(fault: &Fault) -> String {
    let Fault { file, within, old, new, .. } = fault;
    format!("{file}: {} {old} => {new}", within.as_deref().unwrap_or_default())
}
