//! `tests/ir/split`: IR files that state all that is known of their functions, as `indict run` would work it out.
//!
//! Below each function stand its triples, in order. Behind them, after `implied`, stand those error triples of Fig. 3 of Le
//! et al. that its accesses imply (`summary::derived_errors`), and after `reported` what users see. `BLESS=1` writes the files
//! anew; compare each line with the rule of the paper before you commit it.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use base::Id;
use catalog::{Fate, What};
use heap::Exit;
use ir::{Loc, Module};
use project::{FnId, Links, Project, UnitIr};
use report::Finding;
use session::{Analysis, Engines, Options, Watch, analyze};
use summary::{Triples, derived_errors};
use testkit::{IrTest, Said, ir_trials, run};

fn main() -> ExitCode {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/ir/split");
    run(ir_trials(&dir, "split", split))
}

/// What comes out for each function with a body, below its last line.
fn split(test: &IrTest) -> Result<Vec<Said>, String> {
    let mut module = ir::parse(&test.source).map_err(|error| format!("{}:{error}", test.path.display()))?;
    give_places(&mut module);
    if let Some(violation) = ir::verify(&module).first() {
        return Err(format!("{}: {}", test.path.display(), violation.describe(&module)));
    }
    let path = PathBuf::from("/p/test.c");
    let unit = UnitIr { file: "test.c".to_owned(), args: Vec::new(), outputs: Vec::new(), path, module };
    let project = Project::new(vec![unit], &Links::default());
    let options = Options { engines: Engines { split: true, doomed: false }, ..Options::default() };
    let analysis = analyze(&project, &options, &Watch::nobody());
    let ends = (1..).zip(test.source.lines()).filter(|(_, line)| *line == "}").map(|(number, _)| number);
    let functions = project.functions();
    Ok(ends.zip(functions).map(|(line, it)| Said { line, text: text(&project, &analysis, it) }).collect())
}

/// Each instruction has a place of its own, as in code of people who write one statement on a line.
fn give_places(module: &mut Module) {
    for function in module.functions.iter_mut() {
        let Some(body) = &mut function.body else { continue };
        let mut place = || {
            let line = module.locs.len() as u32;
            module.locs.push(Loc { line, ..Loc::default() })
        };
        for block in body.blocks.iter_mut() {
            block.insts.iter().for_each(|&inst| body.insts[inst].loc = place());
            block.term_loc = place();
        }
    }
}

fn text(project: &Project, analysis: &Analysis, function: FnId) -> String {
    let triples = &analysis.summaries[function.index()].split;
    let mut parts = Vec::new();
    if triples.gave_up {
        parts.push("given up\n".to_owned());
    }
    parts.extend(triples.specs.is_empty().then(|| "no triples\n".to_owned()));
    parts.extend(triples.specs.iter().map(|spec| triples.show(spec, &said)));
    if triples.incomplete {
        parts.push("and paths that were not followed to their end\n".to_owned());
    }
    parts.extend(implied(triples).iter().map(|it| format!("implied\n{it}")));
    let name = project.function(function).pretty();
    let reported = analysis.report.findings.iter();
    parts.extend(reported.filter(|it| it.function == name && it.fate == Fate::Shown).map(finding));
    parts.join("\n")
}

fn implied(triples: &Triples) -> Vec<String> {
    let mut triples = triples.clone();
    let derived = derived_errors(&mut triples);
    let mut texts = Vec::new();
    for mut error in derived {
        error.spec.exit = Exit::Er(triples.bugs.len() as u32);
        triples.bugs.push(error.bug);
        texts.push(triples.show(&error.spec, &said));
    }
    texts
}

fn finding(finding: &Finding) -> String {
    format!("reported {} ({}): {}\n", finding.kind, finding.verdict, finding.message)
}

fn said(what: &What) -> String {
    report::words::message(what, None)
}
