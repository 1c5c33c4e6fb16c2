//! Places in the code of a function that stay what they are when other functions change: positions in its own
//! body.

use base::{IdVec, define_id};
use ir::{Body, LocId};
use rustc_hash::FxHashMap;

define_id! {
    /// A place in the code of a function: its position among the places of its body. The first one stands for an unknown place.
    pub struct Site = "at";
}

/// The places of a body, in the order of its blocks.
#[derive(Clone, Debug)]
pub struct Sites {
    locs: IdVec<Site, LocId>,
    of: FxHashMap<LocId, Site>,
}

impl Sites {
    /// The places of all instructions and ends of blocks.
    pub fn of(body: &Body) -> Sites {
        let mut sites = Sites { locs: IdVec::new(), of: FxHashMap::default() };
        sites.add(LocId::FIRST);
        for block in body.blocks.iter() {
            block.insts.iter().for_each(|&inst| sites.add(body.insts[inst].loc));
            sites.add(block.term_loc);
        }
        sites
    }

    /// The position of a place; the first one if nothing is done there.
    pub fn get(&self, loc: LocId) -> Site {
        self.of.get(&loc).copied().unwrap_or(Site::FIRST)
    }

    /// The place at a position; the unknown one if there is none.
    pub fn loc(&self, site: Site) -> LocId {
        self.locs.get(site).copied().unwrap_or(LocId::FIRST)
    }

    fn add(&mut self, loc: LocId) {
        let Sites { locs, of } = self;
        of.entry(loc).or_insert_with(|| locs.push(loc));
    }
}
