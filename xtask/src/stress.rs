//! `cargo x stress`: programs that are large in one way each, through `indict run`, with the memory and the
//! time that they take.
//!
//! Claims: a function with 100,000 allocations takes less than 1 GB, a file with 190,000 functions (20 MB)
//! less than 3 GB, and time grows with the size. clang's memory is not in it: the programs are compiled
//! before.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use testkit::stress::{FUNCTIONS, PROGRAMS, Shape};
use wait4::Wait4;

use crate::root;

/// Analyze programs that are large in one way each, and measure it. Needs `cargo build --release -p cli`.
#[derive(clap::Args)]
pub(crate) struct Stress {
    /// Only these (`leaks`, `functions`, …).
    #[arg(value_name = "NAME")]
    only: Vec<String>,
    /// How much of the full size, in percent.
    #[arg(long, default_value_t = 100)]
    percent: usize,
    /// Threads to analyze with.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// The tool. Without this option: target/release/indict.
    #[arg(long, value_name = "PATH")]
    indict: Option<PathBuf>,
}

/// What a program may take.
struct Claim {
    shape: &'static Shape,
    /// How large it is at full size.
    n: usize,
    megabytes: u64,
}

/// What a program took.
struct Measured {
    seconds: f64,
    cpu: f64,
    megabytes: u64,
    /// The last line of the report.
    outcome: String,
}

impl Stress {
    pub(crate) fn run(self) -> Result<()> {
        let mut failed = Vec::new();
        println!("{:<10} {:>8} {:>8} {:>8} {:>8}  outcome", "program", "n", "seconds", "cpu", "peak MB");
        for claim in claims()
            .iter()
            .filter(|it| self.only.is_empty() || self.only.iter().any(|name| name == it.shape.name))
        {
            let n = (claim.n * self.percent / 100).max(1);
            // What is linear is seen between a quarter and the whole.
            let few = self.measure(claim.shape, n.div_ceil(4))?;
            let all = self.measure(claim.shape, n)?;
            if all.megabytes > claim.megabytes {
                failed.push(format!(
                    "{}: {} MB instead of {}",
                    claim.shape.name, all.megabytes, claim.megabytes
                ));
            }
            // Four times as much may take six times as long; what takes less than a second is noise.
            if all.cpu > 6.0 * few.cpu.max(0.3) {
                failed.push(format!(
                    "{}: {:.1} s for {n}, {:.1} s for a quarter",
                    claim.shape.name, all.cpu, few.cpu
                ));
            }
        }
        if failed.is_empty() { Ok(()) } else { bail!("not as claimed:\n{}", failed.join("\n")) }
    }

    fn measure(&self, shape: &Shape, n: usize) -> Result<Measured> {
        let dir = tempfile::tempdir()?;
        fs::write(dir.path().join("a.c"), (shape.text)(n))?;
        // Compiles, and keeps what came out of it.
        self.indict(dir.path(), &["stats"])?;
        let measured = self.indict(dir.path(), &["run", "--jobs", &self.jobs.to_string()])?;
        let Measured { seconds, cpu, megabytes, outcome } = &measured;
        println!("{:<10} {n:>8} {seconds:>8.1} {cpu:>8.1} {megabytes:>8}  {outcome}", shape.name);
        Ok(measured)
    }

    fn indict(&self, dir: &Path, words: &[&str]) -> Result<Measured> {
        let tool = self.indict.clone().unwrap_or_else(|| root().join("target/release/indict"));
        let output = dir.join("output");
        let started = Instant::now();
        let mut child = Command::new(&tool)
            .args(words)
            .arg("a.c")
            .current_dir(dir)
            .stdin(Stdio::null())
            .stdout(fs::File::create(&output)?)
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("while starting {}", tool.display()))?;
        let ended = child.wait4()?;
        if !matches!(ended.status.code(), Some(0 | 1)) {
            bail!("{} ended with {}", words.join(" "), ended.status);
        }
        let text = fs::read_to_string(&output)?;
        Ok(Measured {
            seconds: started.elapsed().as_secs_f64(),
            cpu: (ended.rusage.utime + ended.rusage.stime).as_secs_f64(),
            megabytes: ended.rusage.maxrss >> 20,
            outcome: text.lines().last().unwrap_or_default().to_owned(),
        })
    }
}

fn claims() -> Vec<Claim> {
    let one = FUNCTIONS.iter().map(|shape| Claim { shape, n: 100_000, megabytes: 1000 });
    let many = PROGRAMS.iter().map(|shape| match shape.name {
        "functions" => Claim { shape, n: 190_000, megabytes: 3000 },
        "variables" | "table" => Claim { shape, n: 100_000, megabytes: 1000 },
        _ => Claim { shape, n: 10_000, megabytes: 3000 },
    });
    one.chain(many).collect()
}
