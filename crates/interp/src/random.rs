//! Numbers from a seed, for everything that a run may choose.
//!
//! Source: Steele, Lea, Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014 (SplitMix64).

/// A stream of numbers.
#[derive(Clone, Debug)]
pub(crate) struct Random {
    state: u64,
}

impl Random {
    /// The stream of a seed.
    pub(crate) fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    /// The next 64 bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// The next byte.
    pub(crate) fn byte(&mut self) -> u8 {
        (self.next() >> 56) as u8
    }
}
