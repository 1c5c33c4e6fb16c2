//! The list of faults: what is changed, where, and which promise that breaks.

use std::collections::BTreeSet;

use anyhow::{Context, Result};
use serde::Deserialize;

/// The lists, one per room.
const LISTS: [(&str, &str); 8] = [
    ("conditions", include_str!("faults/conditions.toml")),
    ("doomed", include_str!("faults/doomed.toml")),
    ("heap", include_str!("faults/heap.toml")),
    ("lower", include_str!("faults/lower.toml")),
    ("models", include_str!("faults/models.toml")),
    ("split", include_str!("faults/split.toml")),
    ("summary", include_str!("faults/summary.toml")),
    ("unfold", include_str!("faults/unfold.toml")),
];

/// A fault that a tired engineer could make.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Fault {
    /// `room/what-goes-wrong`, once it is loaded.
    pub(crate) name: String,
    /// From the room's `src`; from the root of the workspace once it is loaded.
    pub(crate) file: String,
    /// A piece of the file that contains `old`, if that alone stands there several times.
    pub(crate) within: Option<String>,
    /// The code that should be there: an expression, or statements that end with a semicolon.
    pub(crate) old: String,
    /// The code in its place: of the same sort; of statements, possibly none.
    pub(crate) new: String,
    /// The promise that is broken.
    pub(crate) breaks: String,
    /// The least number of violations by which the theorem oracle must notice it.
    pub(crate) violations: Option<u64>,
    /// Why it is right that nobody notices.
    pub(crate) explained: Option<String>,
    /// Its place in the list, from 1.
    #[serde(skip)]
    pub(crate) number: usize,
    #[serde(skip)]
    pub(crate) room: &'static str,
}

#[derive(Deserialize)]
struct List {
    fault: Vec<Fault>,
}

/// All faults.
pub(crate) fn all() -> Result<Vec<Fault>> {
    let mut faults = Vec::new();
    for (room, text) in LISTS {
        let list: List = toml::from_str(text).with_context(|| format!("in the faults of {room}"))?;
        for fault in list.fault {
            let name = format!("{room}/{}", fault.name);
            let file = format!("crates/{room}/src/{}", fault.file);
            faults.push(Fault { name, file, number: faults.len() + 1, room, ..fault });
        }
    }
    Ok(faults)
}

/// The rooms that have faults.
pub(crate) fn rooms(faults: &[Fault]) -> BTreeSet<&'static str> {
    faults.iter().map(|it| it.room).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutants::place;
    use crate::root;

    #[test]
    fn every_fault_still_has_its_place() {
        let faults = all().expect("the lists should be readable");
        for fault in &faults {
            let text = std::fs::read_to_string(root().join(&fault.file)).expect("the file should be there");
            assert!(place::find(&text, fault).is_ok(), "{}: {:?}", fault.name, place::find(&text, fault));
            assert_ne!(fault.old, fault.new, "{}", fault.name);
        }
        let files: BTreeSet<&str> = faults.iter().map(|it| it.file.as_str()).collect();
        for file in files {
            let text = std::fs::read_to_string(root().join(file)).expect("the file should be there");
            let own: Vec<&Fault> = faults.iter().filter(|it| it.file == file).collect();
            assert!(place::switched(&text, &own).is_ok(), "{:?}", place::switched(&text, &own).err());
        }
    }

    #[test]
    fn there_are_enough_faults_of_every_room() {
        let faults = all().expect("the lists should be readable");
        assert!(faults.len() >= 60, "{}", faults.len());
        for (room, _) in LISTS {
            let count = faults.iter().filter(|it| it.room == room).count();
            assert!(count >= 5, "{room} has {count} faults");
        }
        let names: BTreeSet<&str> = faults.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names.len(), faults.len(), "names should differ");
        assert!(faults.iter().any(|it| it.violations.is_some_and(|least| least >= 100)));
    }
}
