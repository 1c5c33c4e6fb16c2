//! Known gaps: what the annotated C files say that the tool gets wrong.

use anyhow::Result;
use testkit::names::{Claim, Gap, functions};

use crate::root;
use crate::tidy::files;

/// Count the annotated functions of tests/c, and list the gaps among them
#[derive(clap::Args)]
pub(crate) struct Debts {}

impl Debts {
    pub(crate) fn run(self) -> Result<()> {
        let files = files::all(&root().join("tests/c"))?;
        let mut claims = [0, 0, 0];
        let mut gaps = [Vec::new(), Vec::new()];
        for file in &files {
            for function in functions(&file.text) {
                claims[match function.claim {
                    Claim::Bad => 0,
                    Claim::Latent => 1,
                    Claim::Ok => 2,
                }] += 1;
                let place = format!("{}:{} {}", file.path.display(), function.first_line, function.name);
                match function.gap {
                    Some(Gap::FalseNegative) => gaps[0].push(place),
                    Some(Gap::FalsePositive) => gaps[1].push(place),
                    None => {}
                }
            }
        }
        let [bad, latent, ok] = claims;
        println!("{bad} functions with an error, {latent} with a latent one, {ok} clean ones");
        for (gaps, what) in gaps.iter().zip(["errors that are not found", "findings that are wrong"]) {
            println!("{} {what}", gaps.len());
            gaps.iter().for_each(|gap| println!("  {gap}"));
        }
        Ok(())
    }
}
