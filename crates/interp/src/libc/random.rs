//! Pseudo-random numbers, the same sequences as glibc's.
//!
//! Source: the additive feedback generator x³¹ + x³ + 1 that glibc documents for `random` (its default,
//! TYPE_3), and the 48-bit congruential generator that POSIX prescribes for `drand48`.

use super::args::{Args, int};
use super::{Answer, Models, Reply};
use crate::machine::Machine;
use crate::value::Value;
use ir::Type;

pub(crate) const MODELS: Models = &[
    ("rand", rand),
    ("srand", srand),
    ("random", random),
    ("srandom", srand),
    ("rand_r", rand_r),
    ("drand48", drand48),
    ("lrand48", lrand48),
    ("mrand48", mrand48),
    ("srand48", srand48),
];

const DEGREE: usize = 31;
const SEPARATION: usize = 3;

/// The state of all generators.
#[derive(Clone, Debug)]
pub(crate) struct Generators {
    /// The last 31 words, oldest at `next`; seeded with 1 when first used.
    words: Option<[u32; DEGREE]>,
    next: usize,
    linear: u64,
}

impl Default for Generators {
    fn default() -> Self {
        Self { words: None, next: 0, linear: 0x1234_abcd_330e }
    }
}

impl Generators {
    fn seed(&mut self, seed: u32) {
        let mut words = [0u32; DEGREE];
        let mut word = if seed == 0 { 1 } else { seed as i32 };
        words[0] = word as u32;
        for slot in words.iter_mut().skip(1) {
            // 16807 · word modulo 2^31 - 1, by Schrage's decomposition.
            let (high, low) = (word / 127_773, word % 127_773);
            word = 16_807 * low - 2_836 * high;
            if word < 0 {
                word += i32::MAX;
            }
            *slot = word as u32;
        }
        self.words = Some(words);
        self.next = SEPARATION;
        for _ in 0..10 * DEGREE {
            self.advance();
        }
    }

    fn random(&mut self) -> u32 {
        if self.words.is_none() {
            self.seed(1);
        }
        self.advance() >> 1
    }

    /// The next word: the sum of those 3 and 31 steps before.
    fn advance(&mut self) -> u32 {
        let Some(words) = &mut self.words else { return 0 };
        let recent = words[(self.next + DEGREE - SEPARATION) % DEGREE];
        let word = words[self.next].wrapping_add(recent);
        words[self.next] = word;
        self.next = (self.next + 1) % DEGREE;
        word
    }

    fn linear(&mut self) -> u64 {
        self.linear = self.linear.wrapping_mul(0x5_deec_e66d).wrapping_add(0xb) & 0xffff_ffff_ffff;
        self.linear
    }
}

fn rand(machine: &mut Machine<'_>, _: &Args<'_>) -> Reply {
    Ok(int(machine.library.random.random() as i32))
}

fn random(machine: &mut Machine<'_>, _: &Args<'_>) -> Reply {
    let number = machine.library.random.random();
    Ok(machine.long(number.into()))
}

fn srand(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let seed = machine.c_int(args, 0)?;
    machine.library.random.seed(seed as u32);
    Ok(Answer::none())
}

/// Three steps of a congruential generator make one number.
fn rand_r(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let state = args.ptr(0);
    let mut seed = machine.load_defined(&state, Type::Int(32))?.low() as u32;
    let mut step = |bits: u32| {
        seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        seed / 65_536 % bits
    };
    let first = step(2048);
    let second = first << 10 ^ step(1024);
    let number = second << 10 ^ step(1024);
    machine.store_at(&state, &Value::int(32, seed.into()))?;
    Ok(int(number as i32))
}

fn drand48(machine: &mut Machine<'_>, _: &Args<'_>) -> Reply {
    let number = machine.library.random.linear();
    Ok(Value::f64(number as f64 / (1u64 << 48) as f64).into())
}

fn lrand48(machine: &mut Machine<'_>, _: &Args<'_>) -> Reply {
    let number = machine.library.random.linear() >> 17;
    Ok(machine.long(number))
}

fn mrand48(machine: &mut Machine<'_>, _: &Args<'_>) -> Reply {
    let number = (machine.library.random.linear() >> 16) as i32;
    Ok(machine.long(i64::from(number) as u64))
}

fn srand48(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let seed = machine.number(args, 0)?;
    machine.library.random.linear = (seed & 0xffff_ffff) << 16 | 0x330e;
    Ok(Answer::none())
}

#[cfg(test)]
mod tests {
    use super::*;

    // The expected numbers were printed by glibc 2.36.
    #[test]
    fn the_sequences_are_those_of_glibc() {
        let mut generators = Generators::default();
        let numbers: Vec<u32> = (0..4).map(|_| generators.random()).collect();
        assert_eq!(numbers, [1_804_289_383, 846_930_886, 1_681_692_777, 1_714_636_915]);
        generators.seed(42);
        assert_eq!(generators.random(), 71_876_166);
    }
}
