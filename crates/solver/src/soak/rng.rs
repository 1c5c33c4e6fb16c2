//! Numbers that look random, the same for the same seed.

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// A sequence of its own for each seed.
    pub fn new(seed: u64) -> Rng {
        Rng { state: seed }
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.number() % bound as u64) as usize
    }

    /// One of them.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// True once in so many times.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// A value of a word: often one at which things change.
    pub fn value(&mut self) -> u128 {
        let any = u128::from(self.number()) << 64 | u128::from(self.number());
        match self.below(4) {
            0 => any % 8,
            1 => (any % 8).wrapping_neg(),
            2 => 1 << (any % 128),
            _ => any,
        }
    }
}
