//! Strings as `u32` symbols.
//!
//! An interner belongs to one module of IR: symbols of different interners must not be mixed.

use std::hash::{BuildHasher, BuildHasherDefault};

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::define_id;
use crate::id::{Id, IdVec};

define_id! {
    /// An interned string.
    pub struct Symbol = "sym";
}

/// The strings behind [`Symbol`]s, in order of first use.
#[derive(Clone, Default)]
pub struct Interner {
    /// All strings one after the other.
    text: String,
    /// Where each string ends in `text`.
    ends: IdVec<Symbol, u32>,
    table: HashTable<Symbol>,
}

impl Interner {
    /// The symbol of `string`, new or known.
    pub fn intern(&mut self, string: &str) -> Symbol {
        let hash = hash(string);
        let (text, ends) = (&self.text, &self.ends);
        if let Some(&known) = self.table.find(hash, |&it| resolve(text, ends, it) == string) {
            return known;
        }
        self.text.push_str(string);
        let symbol = self.ends.push(self.text.len() as u32);
        let (text, ends) = (&self.text, &self.ends);
        self.table.insert_unique(hash, symbol, |&it| self::hash(resolve(text, ends, it)));
        symbol
    }

    /// The symbol of `string` if it was interned before.
    pub fn lookup(&self, string: &str) -> Option<Symbol> {
        self.table.find(hash(string), |&it| self.resolve(it) == string).copied()
    }

    /// The number of strings; symbols below it exist.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Bytes that all strings take, with their places; about.
    pub fn bytes(&self) -> usize {
        self.text.len() + self.ends.len() * (size_of::<u32>() + size_of::<Symbol>() + 1)
    }

    /// The string of `symbol`.
    pub fn resolve(&self, symbol: Symbol) -> &str {
        resolve(&self.text, &self.ends, symbol)
    }
}

impl std::fmt::Debug for Interner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Interner({} strings)", self.ends.len())
    }
}

fn resolve<'a>(text: &'a str, ends: &IdVec<Symbol, u32>, symbol: Symbol) -> &'a str {
    let start = match symbol.index() {
        0 => 0,
        index => ends[Symbol::new(index - 1)],
    };
    &text[start as usize..ends[symbol] as usize]
}

fn hash(string: &str) -> u64 {
    BuildHasherDefault::<FxHasher>::default().hash_one(string)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_strings_are_one_symbol() {
        let mut interner = Interner::default();
        let next = interner.intern("next");
        let empty = interner.intern("");
        assert_eq!(interner.intern("next"), next);
        assert_ne!(next, empty);
        assert_eq!((interner.resolve(next), interner.resolve(empty)), ("next", ""));
        assert_eq!(interner.lookup("prev"), None);
    }
}
