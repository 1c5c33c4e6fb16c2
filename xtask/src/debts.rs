//! Known gaps: what the annotated C files say that the tool gets wrong; and how much they state.

use anyhow::Result;
use testkit::names::{Claim, Gap, functions};
use testkit::{CTest, Expectation, Words};

use crate::root;
use crate::tidy::files;

/// Count the annotated functions of tests/c and what they state, and list the gaps among them
#[derive(clap::Args)]
pub(crate) struct Debts {}

/// Whether the words are right is for the tests to find out.
const ANY_WORDS: Words = Words { is_kind: |_| true, is_cause: |_| true };

/// What an expectation may state besides its kind: cause, condition, trace, all of them.
const PARTS: [fn(&Expectation) -> bool; 4] = [
    |it| it.cause.is_some(),
    |it| it.when.is_some(),
    |it| !it.steps.is_empty(),
    |it| it.cause.is_some() && it.when.is_some() && !it.steps.is_empty(),
];

impl Debts {
    pub(crate) fn run(self) -> Result<()> {
        let files = files::all(&root().join("tests/c"))?;
        let mut claims = [0, 0, 0];
        let mut gaps = [Vec::new(), Vec::new()];
        let mut stated = [0; 4];
        for file in &files {
            let expected = CTest::parse(&file.path, &file.text, ANY_WORDS)?.expected;
            for function in functions(&file.text) {
                let lines = function.first_line..=function.last_line;
                let inside = || expected.iter().filter(|it| lines.contains(&it.line));
                for (count, states) in stated.iter_mut().zip(PARTS) {
                    *count += usize::from(inside().any(states));
                }
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
        let [cause, condition, trace, all] = stated;
        println!(
            "{cause} functions state a cause, {condition} a condition, {trace} a trace, {all} all of them"
        );
        for (gaps, what) in gaps.iter().zip(["errors that are not found", "findings that are wrong"]) {
            println!("{} {what}", gaps.len());
            gaps.iter().for_each(|gap| println!("  {gap}"));
        }
        Ok(())
    }
}
