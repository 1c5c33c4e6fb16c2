//! What fresh memory holds if its bits are chosen instead of undefined.

use super::block::{Content, Defined};
use crate::random::Random;

/// What fresh memory holds.
#[derive(Clone, Debug)]
pub(super) struct Leftovers {
    random: Random,
    defined: bool,
}

impl Leftovers {
    pub(super) fn new(seed: u64, defined: bool) -> Leftovers {
        Leftovers { random: Random::new(seed), defined }
    }

    /// All zeros, all ones, or anything: decisions about fresh memory mostly are about whether it is zero or
    /// negative. The result is whether these bytes are defined.
    pub(super) fn fill(&mut self, bytes: &mut [u8]) -> bool {
        match self.random.next() % 4 {
            0 => bytes.fill(0),
            1 => bytes.fill(0xff),
            _ => bytes.fill_with(|| self.random.byte()),
        }
        self.defined
    }

    /// Gives a fresh block its content.
    pub(super) fn give(&mut self, content: &mut Content) {
        if self.fill(&mut content.data) {
            content.defined = Defined::All;
        }
    }
}
