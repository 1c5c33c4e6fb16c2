//! The report: all findings of a run with what else the user should know.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::finding::Finding;
use crate::fingerprint;
use crate::sources::Sources;

/// All that a run says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// One per defect, in the order of places.
    pub findings: Vec<Finding>,
    /// Numbers for the end.
    pub summary: Summary,
    /// Sentences on what was not followed, and why.
    pub notes: Vec<String>,
}

/// Numbers for the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Functions with a body.
    pub functions: usize,
    /// Functions that were analyzed to the end.
    pub analyzed: usize,
    /// Functions that could not be read, or that were stopped by a budget.
    pub gave_up: usize,
    /// The findings of this report.
    pub findings: usize,
    /// Latent errors that are known, whether they are among the findings or only kept.
    pub latent: usize,
}

/// How much of the program was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Functions with a body.
    pub functions: usize,
    /// Functions that were analyzed to the end.
    pub analyzed: usize,
    /// Functions that could not be read, or that were stopped by a budget.
    pub gave_up: usize,
}

/// What a report must know of source files, by their names in debug info. Nothing here reads files.
#[derive(Clone, Copy)]
pub struct Files<'f> {
    /// The name that the user knows.
    pub shown: &'f dyn Fn(&str) -> String,
    /// The name as seen from the root of the project: the same wherever the project lies, and whoever looks from where.
    pub anchored: &'f dyn Fn(&str) -> String,
    /// What is in it, if it is there.
    pub bytes: &'f dyn Fn(&str) -> Option<Vec<u8>>,
}

impl Report {
    /// Of findings in any order; without ids.
    pub fn new(mut findings: Vec<Finding>, coverage: Coverage, mut notes: Vec<String>) -> Report {
        findings.sort_by(|left, right| left.order().cmp(&right.order()));
        let mut seen = BTreeSet::new();
        notes.retain(|note| seen.insert(note.clone()));
        let Coverage { functions, analyzed, gave_up } = coverage;
        let latent = n_latent(&findings);
        let summary = Summary { functions, analyzed, gave_up, findings: findings.len(), latent };
        Report { findings, summary, notes }
    }

    /// The same with the file names that the user knows; without ids.
    pub fn with_files(self, files: &Files<'_>) -> Report {
        let mut sources = Sources::new(files.bytes);
        let mut report = self;
        for finding in &mut report.findings {
            let source = sources.file(&finding.file);
            let statement = source.map(|it| it.statement(finding.line, finding.column)).unwrap_or_default();
            finding.anchor.statement = statement;
            finding.anchor.file = (files.anchored)(&finding.file);
            finding.anchor.origin = std::mem::take(&mut finding.file);
            finding.file = (files.shown)(&finding.anchor.origin);
            finding.trace.iter_mut().for_each(|step| step.file = (files.shown)(&step.file));
        }
        report.findings.sort_by(|left, right| left.order().cmp(&right.order()));
        report
    }

    /// The same with ids. They do not depend on what is shown later.
    pub fn with_ids(mut self) -> Report {
        fingerprint::assign(&mut self.findings);
        self
    }

    /// Keeps some of the findings, by position; latent errors among those that stay known are counted.
    pub fn keep(mut self, known: &[bool], shown: &[bool]) -> Report {
        let is_known = |at: usize| known.get(at).copied().unwrap_or(true);
        let latent = self.findings.iter().enumerate().filter(|(at, it)| is_known(*at) && it.is_latent());
        self.summary.latent = latent.count();
        let mut at = 0;
        self.findings.retain(|_| {
            at += 1;
            is_known(at - 1) && shown.get(at - 1).copied().unwrap_or(true)
        });
        self.summary.findings = self.findings.len();
        self
    }

    /// Latent errors that are known, but not among the findings.
    pub fn n_kept(&self) -> usize {
        self.summary.latent.saturating_sub(n_latent(&self.findings))
    }
}

fn n_latent(findings: &[Finding]) -> usize {
    findings.iter().filter(|finding| finding.is_latent()).count()
}
