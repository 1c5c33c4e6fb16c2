//! The report: all findings of a run with what else the user should know.

use std::collections::BTreeSet;

use catalog::Issue;
use serde::Serialize;

use crate::defect;
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

/// What the user wants to see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The kinds to report.
    pub kinds: BTreeSet<Issue>,
    /// Whether to show latent errors that are no leaks, too.
    pub latent: bool,
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

impl Default for Selection {
    /// What is shown to who asks for nothing in particular.
    fn default() -> Selection {
        let kinds = Issue::ALL.iter().copied().filter(|it| !it.is_on_request()).collect();
        Selection { kinds, latent: false }
    }
}

impl Report {
    /// Of all that engines found, in any order: one finding per defect, sorted; without ids.
    pub fn new(found: Vec<Finding>, coverage: Coverage, mut notes: Vec<String>) -> Report {
        let mut findings = defect::one_each(found);
        findings.sort_by(|left, right| left.order().cmp(&right.order()));
        let mut seen = BTreeSet::new();
        notes.retain(|note| seen.insert(note.clone()));
        let Coverage { functions, analyzed, gave_up } = coverage;
        let latent = n_latent(&findings);
        let summary = Summary { functions, analyzed, gave_up, findings: findings.len(), latent };
        Report { findings, summary, notes }
    }

    /// The same with ids, and with the file names that the user knows.
    ///
    /// Ids do not depend on what is selected later.
    pub fn with_files(self, files: &Files<'_>) -> Report {
        let Summary { functions, analyzed, gave_up, .. } = self.summary;
        let mut sources = Sources::new(files.bytes);
        let mut findings = self.findings;
        for finding in &mut findings {
            let source = sources.file(&finding.file);
            let statement = source.map(|it| it.statement(finding.line, finding.column)).unwrap_or_default();
            finding.anchor.statement = statement;
            finding.anchor.file = (files.anchored)(&finding.file);
            finding.anchor.origin = std::mem::take(&mut finding.file);
            finding.file = (files.shown)(&finding.anchor.origin);
            finding.trace.iter_mut().for_each(|step| step.file = (files.shown)(&step.file));
        }
        let mut report = Report::new(findings, Coverage { functions, analyzed, gave_up }, self.notes);
        fingerprint::assign(&mut report.findings);
        report
    }

    /// What the user wants to see of it.
    ///
    /// Le et al., §2.3: all that is certain, and all leaks. A latent leak that is also shown as a certain one is not shown
    /// twice. Other latent errors, and leaks that are left to callers, are only counted, unless they are asked for.
    pub fn select(self, selection: &Selection) -> Report {
        let Report { mut findings, mut summary, notes } = self;
        findings.retain(|finding| selection.kinds.contains(&finding.kind));
        summary.latent = n_latent(&findings);
        if !selection.latent {
            let certain = defect::certain(&findings);
            let is_shown = |finding: &Finding| {
                let is_leak = finding.kind.is_leak() && !finding.left;
                !finding.is_latent() || is_leak && !certain.contains(&defect::of(finding))
            };
            let shown: Vec<bool> = findings.iter().map(is_shown).collect();
            let mut shown = shown.into_iter();
            findings.retain(|_| shown.next().unwrap_or(true));
        }
        defect::drop_repeated(&mut findings);
        summary.findings = findings.len();
        Report { findings, summary, notes }
    }

    /// Latent errors that are known, but not among the findings.
    pub fn n_kept(&self) -> usize {
        self.summary.latent.saturating_sub(n_latent(&self.findings))
    }
}

fn n_latent(findings: &[Finding]) -> usize {
    findings.iter().filter(|finding| finding.is_latent()).count()
}
