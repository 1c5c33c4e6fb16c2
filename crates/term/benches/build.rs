//! What building and rewriting a term costs, as a multiple of hashing and looking it up: `cargo bench -p term`.
#![expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use term::Terms;
use term::soak::Mix;

/// One function's worth of terms, so that the arena stays in the cache as it does in use; and many.
const SIZES: [usize; 3] = [500, 5_000, 200_000];

fn main() {
    for size in SIZES {
        let mix = Mix::new(size, 1);
        let rounds = (2_000_000 / size).max(5);
        // Both in turn, the best of several, because machines are noisy.
        let (mut build, mut hash) = (Duration::MAX, Duration::MAX);
        for _ in 0..7 {
            build = build.min(time(rounds, || mix.build()));
            hash = hash.min(time(rounds, || mix.hash()));
        }
        let each = |total: Duration| total.as_secs_f64() * 1e9 / (rounds * mix.len()) as f64;
        println!(
            "{size:>7} requests: build and rewrite {:6.1} ns, hash and look up {:6.1} ns, ratio {:.2}; {:.1} M terms/s",
            each(build),
            each(hash),
            each(build) / each(hash),
            1e3 / each(build)
        );
    }
}

fn time(rounds: usize, mut work: impl FnMut() -> Terms) -> Duration {
    let start = Instant::now();
    for _ in 0..rounds {
        black_box(work());
    }
    start.elapsed()
}
