//! The report: all findings of a run with what else the user should know.

use std::collections::BTreeSet;

use catalog::Issue;
use serde::Serialize;

use crate::defect;
use crate::finding::Finding;
use crate::fingerprint;

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

impl Report {
    /// Of all that engines found, in any order: one finding per defect, sorted, with ids.
    ///
    /// Ids do not depend on what is selected later.
    pub fn new(found: Vec<Finding>, coverage: Coverage, mut notes: Vec<String>) -> Report {
        let mut findings = defect::one_each(found);
        findings.sort_by(|left, right| left.order().cmp(&right.order()));
        fingerprint::assign(&mut findings);
        let mut seen = BTreeSet::new();
        notes.retain(|note| seen.insert(note.clone()));
        let Coverage { functions, analyzed, gave_up } = coverage;
        let latent = n_latent(&findings);
        let summary = Summary { functions, analyzed, gave_up, findings: findings.len(), latent };
        Report { findings, summary, notes }
    }

    /// The same with all file names changed, such as to those that the user knows. Order and ids follow.
    pub fn with_files(self, rename: impl Fn(&str) -> String) -> Report {
        let Summary { functions, analyzed, gave_up, .. } = self.summary;
        let mut findings = self.findings;
        for finding in &mut findings {
            finding.file = rename(&finding.file);
            finding.trace.iter_mut().for_each(|step| step.file = rename(&step.file));
        }
        Report::new(findings, Coverage { functions, analyzed, gave_up }, self.notes)
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
