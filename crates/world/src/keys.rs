//! Keys: names for functions, global variables, families of allocators and units that mean the same in every
//! run and on every machine.
//!
//! A key is 64 bits of a digest. What it is a digest of is decided where the whole project is known
//! ([`Namesakes`] resolves what a name alone does not): the linker's name, for what only its unit sees also
//! the file, and for copies that differ a digest of what they are. Two things of one project never have the
//! same key, whoever wrote the project.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::digest::Digest;

macro_rules! define_keys {
    ($($(#[$meta:meta])* $name:ident = $tag:literal;)*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(u64);

        impl $name {
            /// The key of what these parts name, from the most telling one on.
            pub fn of(parts: &[&str]) -> $name {
                $name(Digest::of_parts($tag, parts).short())
            }
        }

        impl Key for $name {
            fn of(parts: &[&str]) -> $name {
                $name::of(parts)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:016x}", self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($tag, ":{:016x}"), self.0)
            }
        }
    )*};
}

define_keys! {
    /// A function, with a body or without.
    FnKey = "function";
    /// A global variable.
    GlobalKey = "global";
    /// A family of allocation functions: what one of them made, one of them frees.
    FamilyKey = "family";
    /// A translation unit.
    UnitKey = "unit";
}

/// A key of some kind.
pub trait Key: Copy + Ord {
    /// The key of what these parts name.
    fn of(parts: &[&str]) -> Self;
}

/// Things that want keys, each with parts that tell it from others, the most telling first. Each gets as few of its parts into its key as it takes to be the only one.
///
/// ```text
/// copy   in list.h    digest 1        key of "copy", "list.h"            one function, whichever units include the header
/// main   in a.c       digest 2        key of "main", "a.c"
/// main   in b.c       digest 3        key of "main", "b.c"
/// ```
#[derive(Clone, Copy)]
pub struct Namesakes<'p> {
    /// How many things there are.
    pub n_things: usize,
    /// By thing: how many of its parts are in its key at least. What nobody outside of its file can name is not known by its name alone.
    pub least: &'p dyn Fn(usize) -> usize,
    /// By thing and number: a part of it, if it has so many. Asked for only where it is needed.
    pub part: &'p dyn Fn(usize, usize) -> Option<String>,
}

impl Namesakes<'_> {
    /// The keys of all things.
    pub fn keys<K: Key>(self) -> Vec<K> {
        let mut things: Vec<Thing> = (0..self.n_things).map(|_| Thing::default()).collect();
        let mut keys: Vec<Option<K>> = vec![None; self.n_things];
        let mut taken: BTreeSet<K> = BTreeSet::new();
        let mut open: Vec<usize> = (0..self.n_things).collect();
        let mut used = 1;
        while !open.is_empty() {
            let mut wanted: BTreeMap<K, Vec<usize>> = BTreeMap::new();
            for &at in &open {
                let key = things[at].key(used.max((self.least)(at)), &|number| (self.part)(at, number));
                wanted.entry(key).or_default().push(at);
            }
            open.clear();
            for (key, same) in wanted {
                match same.as_slice() {
                    [only] if taken.insert(key) => keys[*only] = Some(key),
                    _ if same.iter().all(|&at| things[at].is_exhausted) => {
                        for (number, at) in (1..).zip(same) {
                            keys[at] = Some(things[at].numbered(number, &mut taken));
                        }
                    }
                    _ => open.extend(same),
                }
            }
            open.sort_unstable();
            used += 1;
        }
        keys.into_iter().map(|key| key.expect("invariant: each thing got its key")).collect()
    }
}

/// The parts of a thing that were asked for.
#[derive(Default)]
struct Thing {
    parts: Vec<String>,
    /// Whether there are no more.
    is_exhausted: bool,
}

impl Thing {
    /// The key of the first parts.
    fn key<K: Key>(&mut self, used: usize, part: &dyn Fn(usize) -> Option<String>) -> K {
        while self.parts.len() < used && !self.is_exhausted {
            match part(self.parts.len()) {
                Some(part) => self.parts.push(part),
                None => self.is_exhausted = true,
            }
        }
        self.key_with(None)
    }

    /// The key of one of several things that nothing tells apart but a number.
    fn numbered<K: Key>(&self, number: usize, taken: &mut BTreeSet<K>) -> K {
        let mut suffix = number.to_string();
        loop {
            let key = self.key_with(Some(&suffix));
            if taken.insert(key) {
                return key;
            }
            suffix.push('\'');
        }
    }

    fn key_with<K: Key>(&self, suffix: Option<&str>) -> K {
        let parts: Vec<&str> = self.parts.iter().map(String::as_str).chain(suffix).collect();
        K::of(&parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(things: &[(&[&str], usize)]) -> Vec<FnKey> {
        let part = |at: usize, number: usize| things[at].0.get(number).map(|part| (*part).to_owned());
        Namesakes { n_things: things.len(), least: &|at| things[at].1, part: &part }.keys()
    }

    #[test]
    fn a_key_has_as_few_parts_as_it_takes() {
        let all = keys(&[
            (&["open", "a.c", "1"], 1),
            (&["main", "a.c", "2"], 1),
            (&["main", "b.c", "3"], 1),
            (&["copy", "list.h", "4"], 2),
            (&["copy", "list.h", "5"], 2),
            (&["same"], 1),
            (&["same"], 1),
        ]);
        assert_eq!(all[0], FnKey::of(&["open"]));
        assert_eq!(all[1], FnKey::of(&["main", "a.c"]));
        assert_eq!(all[2], FnKey::of(&["main", "b.c"]));
        assert_eq!(all[3], FnKey::of(&["copy", "list.h", "4"]));
        let different: BTreeSet<FnKey> = all.iter().copied().collect();
        assert_eq!(different.len(), all.len());
        // What only its file can name keeps its key, whoever else has the name.
        assert_eq!(keys(&[(&["copy", "list.h", "4"], 2)]), [FnKey::of(&["copy", "list.h"])]);
    }

    #[test]
    fn parts_do_not_flow_into_one_another() {
        assert_ne!(FnKey::of(&["ab", "c"]), FnKey::of(&["a", "bc"]));
        assert_ne!(FnKey::of(&["a"]).to_string(), GlobalKey::of(&["a"]).to_string());
    }
}
