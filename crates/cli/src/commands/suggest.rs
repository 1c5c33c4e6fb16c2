//! `indict suggest`: what the user could say of functions that cannot be analyzed.

use anyhow::Result;
use base::{counted, visible};
use session::Selection;
use session::{Lost, Proposal, Session, Watch};

use crate::commands::nothing;
use crate::options::{EffortOptions, Inputs};
use crate::output;
use crate::status::Status;

const EXAMPLES: &str = "\
Examples:
  indict suggest -p build/                    what could be written into indict.toml
  indict suggest -p build/ > indict.toml      a file to begin with; read it before you trust it
  indict suggest -p build/ >> indict.toml     what is still missing in the file that is there

The project is analyzed as `indict run` does it. Functions that have neither a body nor a model make the analysis blind: their results
and all memory they are given may be anything. For each of them, indict looks at how the project uses it:
  like = \"malloc\"   its results are freed, or given to a function that sounds like a deallocator and gets its results
  like = \"free\"     it gets what an allocator returned, and nothing is done with the pointer afterwards
  like = \"abort\"    code behind its calls makes sense only if they do not return
  nonnull-return    its results are dereferenced without a test almost everywhere, and findings rest on the rest
These are proposals, not facts: check each one against the function's manual. What is not certain enough is commented out.
Functions that indict.toml already names are not proposed again. docs/configuration.md explains the file.";

/// How many uncertain proposals, and how many functions without one, are listed.
const SHOWN: usize = 15;

/// Proposes entries for indict.toml that say what functions without a body seem to do.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Suggest {
    #[command(flatten)]
    inputs: Inputs,

    #[command(flatten)]
    effort: EffortOptions,
}

impl Suggest {
    pub(crate) fn run(&self, watch: &Watch<'_>) -> Result<Status> {
        let program = Session::open(&self.effort.request(&self.inputs), watch)?.load(watch)?;
        if program.is_empty() {
            return Ok(nothing());
        }
        let mut analysis = program.analyze(&program.options(), watch)?;
        let found = std::mem::take(&mut analysis.report);
        let report = Selection::everything(false).of(program.report(found));
        output::print(&text(&program.suggest(&analysis, &report.findings)))?;
        Ok(Status::Clean)
    }
}

/// One line for the end of a run, if there is something certain enough to propose.
pub(crate) fn note(proposals: &[Proposal]) -> Option<String> {
    let certain: Vec<&Proposal> = proposals.iter().filter(|it| it.certain).collect();
    let first = certain.first()?;
    let rest = if certain.len() == 1 { "" } else { ", …" };
    let entries = if certain.len() == 1 { "entry" } else { "entries" };
    Some(format!(
        "`indict suggest` proposes {} {entries} for indict.toml (`{}`{rest}): functions that could not be analyzed",
        certain.len(),
        first.pretty
    ))
}

/// A file of proposals. It can be loaded as it is.
fn text(proposals: &[Proposal]) -> String {
    let (likely, rest): (Vec<&Proposal>, Vec<&Proposal>) = proposals.iter().partition(|it| it.certain);
    let (unsure, silent): (Vec<&Proposal>, Vec<&Proposal>) =
        rest.into_iter().partition(|it| !it.lines.is_empty());
    if likely.is_empty() && unsure.is_empty() && silent.is_empty() {
        return "# Nothing to propose: all functions that are called have a body or a model.\n".to_owned();
    }
    let mut text = "\
# Proposed by `indict suggest`: what functions without a body seem to do, judging by how the project uses them.
# These are guesses. Check each one before you keep it; docs/configuration.md says what else an entry can say.
"
    .to_owned();
    likely.iter().for_each(|it| text.push_str(&format!("\n{}", row(it, ""))));
    if !unsure.is_empty() {
        text.push_str("\n# Less certain: remove the `#` in front of what is true.\n");
        unsure.iter().take(SHOWN).for_each(|it| text.push_str(&format!("#\n{}", row(it, "# "))));
        text.push_str(&more(unsure.len()));
    }
    if !silent.is_empty() {
        text.push_str(
            "\n# Nothing can be concluded about these. Entries for them would help most, in this order:\n",
        );
        for proposal in silent.iter().take(SHOWN) {
            let reasons: Vec<String> = proposal.reasons.iter().map(|it| format!("; {it}")).collect();
            text.push_str(&format!(
                "#   {}: {}{}\n",
                visible::line(&proposal.pretty),
                lost(&proposal.lost),
                visible::line(&reasons.concat())
            ));
        }
        text.push_str(&more(silent.len()));
    }
    text
}

fn more(count: usize) -> String {
    match count.saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!("#   and {more} more\n"),
    }
}

fn row(proposal: &Proposal, prefix: &str) -> String {
    let mut text = format!("# `{}`: {}.\n", visible::line(&proposal.pretty), lost(&proposal.lost));
    proposal.reasons.iter().for_each(|reason| text.push_str(&format!("# - {}\n", visible::line(reason))));
    text.push_str(&format!("{prefix}[[fn]]\n{prefix}name = {}\n", toml_string(&proposal.name)));
    proposal.lines.iter().for_each(|line| text.push_str(&format!("{prefix}{}\n", visible::line(line))));
    text
}

/// A string of TOML in one line, with escapes for all that is not plain.
fn toml_string(text: &str) -> String {
    let letter = |it: char| match it {
        '"' | '\\' => format!("\\{it}"),
        _ if visible::is_plain(it) => it.to_string(),
        _ => format!("\\U{:08X}", u32::from(it)),
    };
    format!("\"{}\"", text.chars().map(letter).collect::<String>())
}

fn lost(lost: &Lost) -> String {
    let mut parts = vec![
        format!("called at {} in {}", counted(lost.sites, "place"), counted(lost.callers, "function")),
        format!("{} followed through it", counted(lost.paths, "path")),
    ];
    if lost.findings > 0 {
        parts.push(format!("mentioned by {}", counted(lost.findings, "finding")));
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for name in ["malloc", "a \"b\" \\c", "\u{1b}[31mx\n[[fn]]", "\u{202e}größe\u{e0041}"] {
            let text = toml_string(name);
            assert!(text.chars().all(visible::is_plain), "{text}");
            let table: toml::Table = format!("name = {text}").parse().unwrap();
            assert_eq!(table["name"].as_str(), Some(name));
        }
    }
}
