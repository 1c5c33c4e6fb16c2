//! Where something happened, and through which calls.
//!
//! A function knows its own places ([`Site`]). What happened in a callee is known by the callee's place and
//! the calls that lead there: a chain, outermost first, whose links are kept once in a table ([`Vias`]),
//! because thousands of things happen in the same call.

use std::ops::Deref;

use base::{IdVec, define_id};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use world::FnKey;
pub use world::Site;

define_id! {
    /// A call in a table of calls.
    pub struct ViaId = "via";
}

/// A call between the function under analysis and the one in which something happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Via {
    /// Where.
    pub call: Site,
    /// Who is called.
    pub callee: FnKey,
    /// The call inside of it.
    pub inner: Option<ViaId>,
}

/// Something that happened, with the calls around it: these are in the table of who knows of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Made {
    /// Where, in the innermost callee.
    pub site: Site,
    /// The outermost call; none if it happened in the function under analysis.
    pub via: Option<ViaId>,
}

impl Made {
    /// Something that happened in the function under analysis itself.
    pub fn here(site: Site) -> Made {
        Made { site, via: None }
    }
}

/// A table of calls.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vias(IdVec<ViaId, Via>);

/// A place with its function, and the calls that lead there from the function under analysis.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Trail {
    /// The calls, outermost first, each with the function that it is in.
    pub calls: Vec<(FnKey, Site)>,
    /// The place.
    pub at: (FnKey, Site),
}

impl Trail {
    /// The place in the function under analysis: the outermost call, or the place itself.
    pub fn own(&self) -> (FnKey, Site) {
        self.calls.first().copied().unwrap_or(self.at)
    }
}

impl Vias {
    /// The place in the function under analysis: the site itself, or the call that leads to it.
    pub fn own_site(&self, made: Made) -> Site {
        made.via.map_or(made.site, |via| self.0[via].call)
    }

    /// The calls around something, outermost first.
    pub fn around(&self, made: Made) -> impl Iterator<Item = Via> {
        std::iter::successors(made.via, |&via| self.0[via].inner).map(|via| self.0[via])
    }

    /// Who is called where something happened outside of the function under analysis.
    pub fn callee(&self, made: Made) -> Option<FnKey> {
        made.via.map(|via| self.0[via].callee)
    }

    /// The whole way to something that happened, as seen from function `own`.
    pub fn trail(&self, own: FnKey, made: Made) -> Trail {
        let mut at = own;
        let mut calls = Vec::new();
        for via in self.around(made) {
            calls.push((at, via.call));
            at = via.callee;
        }
        Trail { calls, at: (at, made.site) }
    }

    /// Bytes, about.
    pub fn bytes(&self) -> usize {
        size_of_val(self.0.as_slice())
    }

    /// Whether each call stands behind the one inside of it, as in every table that was made here.
    pub fn is_well_formed(&self) -> bool {
        self.0.iter_ids().all(|(id, via)| via.inner.is_none_or(|inner| inner < id))
    }

    /// Whether the table has a call.
    pub fn contains(&self, via: ViaId) -> bool {
        self.0.contains(via)
    }
}

/// A table of calls that grows: each is kept once.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    table: Vias,
    known: FxHashMap<Via, ViaId>,
}

impl Deref for Calls {
    type Target = Vias;

    fn deref(&self) -> &Vias {
        &self.table
    }
}

impl Calls {
    /// The table alone.
    pub fn into_table(self) -> Vias {
        self.table
    }

    fn keep(&mut self, via: Via) -> ViaId {
        *self.known.entry(via).or_insert_with(|| self.table.0.push(via))
    }
}

/// Things of one table of calls in another one: as they are, or as seen from a caller.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The call through which they are seen.
    through: Option<(Site, FnKey)>,
    /// By call of the first table: the same in the other one, inside of that call.
    known: Vec<Option<ViaId>>,
    /// That call itself.
    call: Option<ViaId>,
}

impl Seen {
    /// As they are.
    pub fn plain() -> Seen {
        Seen { through: None, known: Vec::new(), call: None }
    }

    /// As seen by who calls a function at some place.
    pub fn through(call: Site, callee: FnKey) -> Seen {
        Seen { through: Some((call, callee)), known: Vec::new(), call: None }
    }

    /// Something of the first table in the other one. The tables must be the same each time.
    pub fn made(&mut self, into: &mut Calls, from: &Vias, made: Made) -> Made {
        let inner = made.via.map(|via| self.inside(into, from, via));
        let Some((call, callee)) = self.through else { return Made { via: inner, ..made } };
        let via = match (made.via, self.call) {
            (None, Some(known)) => known,
            (None, None) => *self.call.insert(into.keep(Via { call, callee, inner: None })),
            (Some(_), _) => into.keep(Via { call, callee, inner }),
        };
        Made { via: Some(via), ..made }
    }

    /// A call of the first table, in the other one.
    fn inside(&mut self, into: &mut Calls, from: &Vias, via: ViaId) -> ViaId {
        let at = base::Id::index(via);
        if let Some(&Some(known)) = self.known.get(at) {
            return known;
        }
        let data = from.0[via];
        let inner = data.inner.map(|inner| self.inside(into, from, inner));
        let id = into.keep(Via { inner, ..data });
        self.known.resize(self.known.len().max(at + 1), None);
        self.known[at] = Some(id);
        id
    }
}

#[cfg(test)]
mod tests {
    use base::Id;

    use super::*;

    fn site(at: usize) -> Site {
        Site::new(at)
    }

    fn key(name: &str) -> FnKey {
        FnKey::of(&[name])
    }

    #[test]
    fn a_thing_is_seen_through_all_calls() {
        let (mut inner, mut middle, mut outer) = (Calls::default(), Calls::default(), Calls::default());
        let made = Made::here(site(3));
        let in_middle = Seen::through(site(5), key("leaf")).made(&mut middle, &inner, made);
        let mut seen = Seen::through(site(7), key("middle"));
        let in_outer = seen.made(&mut outer, &middle, in_middle);
        let trail = outer.trail(key("outer"), in_outer);
        let calls = vec![(key("outer"), site(7)), (key("middle"), site(5))];
        assert_eq!(trail, Trail { calls, at: (key("leaf"), site(3)) });
        assert_eq!(outer.own_site(in_outer), site(7));
        assert_eq!(outer.callee(in_outer), Some(key("middle")));
        // The same thing is the same again, also by another view.
        assert_eq!(seen.made(&mut outer, &middle, in_middle), in_outer);
        let again = Seen::through(site(7), key("middle")).made(&mut outer, &middle, in_middle);
        assert_eq!(again, in_outer);
        // Tables are moved as they are.
        let mut moved = Calls::default();
        let in_moved = Seen::plain().made(&mut moved, &outer, in_outer);
        assert_eq!(moved.trail(key("outer"), in_moved), outer.trail(key("outer"), in_outer));
        assert!(moved.is_well_formed() && outer.is_well_formed());
        let here = Seen::plain().made(&mut inner, &moved, made);
        assert_eq!(here, made);
    }
}
