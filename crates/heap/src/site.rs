//! Where something happened, and through which calls.

use std::sync::Arc;

use rustc_hash::FxHashMap;

/// A place in the code of a function. This crate knows no IR: both are numbers that the engine gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    /// The function, of the project.
    pub function: u32,
    /// The place in it.
    pub place: u32,
}

/// The calls between the function under analysis and the one in which something happened, outermost first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Via {
    /// The call.
    pub call: Site,
    /// Who is called: a function of the project.
    pub callee: u32,
    /// The calls inside of it.
    pub inner: Option<Arc<Via>>,
}

/// Something that happened, with the calls around it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Made {
    /// Where.
    pub site: Site,
    /// The calls in which `site` lies; none if it lies in the function under analysis.
    pub via: Option<Arc<Via>>,
}

impl Made {
    /// Something that happened in the function under analysis itself.
    pub fn here(site: Site) -> Made {
        Made { site, via: None }
    }

    /// The same thing as seen from a caller.
    pub fn through(&self, call: Site, callee: u32) -> Made {
        Made { site: self.site, via: Some(Arc::new(Via { call, callee, inner: self.via.clone() })) }
    }

    /// The place in the function under analysis: the site itself, or the call that leads to it.
    pub fn own_site(&self) -> Site {
        self.via.as_ref().map_or(self.site, |via| via.call)
    }
}

/// The calls that the analysis of one function came through, each kept once: thousands of things happen in the same one.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    /// By call, callee and the address of the calls inside, which the entry keeps alive.
    known: FxHashMap<(Site, u32, usize), Arc<Via>>,
}

impl Calls {
    /// Something that happened in a callee, as seen from its caller; as [`Made::through`].
    pub fn through(&mut self, made: &Made, call: Site, callee: u32) -> Made {
        let inner = made.via.as_ref().map_or(0, |via| Arc::as_ptr(via).addr());
        let via = self
            .known
            .entry((call, callee, inner))
            .or_insert_with(|| Arc::new(Via { call, callee, inner: made.via.clone() }));
        Made { site: made.site, via: Some(Arc::clone(via)) }
    }
}
