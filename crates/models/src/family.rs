//! Allocation families: what was allocated by one must be freed by a deallocator of the same.

use catalog::Issue;
use world::{FamilyInfo, FamilyKey};

/// One family. Its deallocators are not listed here but derived from the models that free it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// The name used in models, such as `new[]`.
    pub name: String,
    /// What is reported when a block of it is lost: memory or another resource.
    pub leak: Issue,
    /// What allocates it, in words for messages: `malloc`, `new[]`, `fopen`.
    pub words: String,
    /// The functions that free it, ordered by name; also those that do so in only some of their cases, such as `realloc`.
    pub deallocators: Vec<String>,
}

impl Family {
    /// Its key.
    pub fn key(&self) -> FamilyKey {
        FamilyKey::of(&[&self.name])
    }

    /// What engines want to know of it.
    pub fn info(&self) -> FamilyInfo<'_> {
        FamilyInfo { words: &self.words, leak: self.leak }
    }
}
