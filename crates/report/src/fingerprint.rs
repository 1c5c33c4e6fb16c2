//! Ids of findings that survive moved lines, and are the same on every machine.
//!
//! Judgment: the id is a hash of the kind, the linker's name of the function, the file as seen from the root
//! of its project, the text of the statement ([`statement`](crate::statement)), and how many findings that
//! agree in all this come before it. What is told of a finding (message, verdict, condition, engine) is no
//! part of it: better words, or a better engine, do not make it another finding.
//! Source: the design, §11.

use std::collections::BTreeMap;

use catalog::Fate;

use crate::finding::{Anchor, Finding};

/// Gives every finding its id. Their anchors must be filled in.
pub(crate) fn assign(findings: &mut [Finding]) {
    let mut alike: BTreeMap<[u8; 32], Vec<usize>> = BTreeMap::new();
    for (index, finding) in findings.iter().enumerate() {
        alike.entry(basis(finding)).or_default().push(index);
    }
    for (basis, mut indices) in alike {
        indices.sort_by(|&left, &right| order(&findings[left]).cmp(&order(&findings[right])));
        for (ordinal, index) in (0_u64..).zip(indices) {
            findings[index].id = id(&basis, ordinal);
        }
    }
}

/// What makes a finding what it is.
fn basis(finding: &Finding) -> [u8; 32] {
    let Anchor { function, file, statement, .. } = &finding.anchor;
    let mut hasher = blake3::Hasher::new();
    for part in [finding.kind.id().as_bytes(), function.as_bytes(), file.as_bytes(), statement] {
        // With its length, so that parts cannot flow into one another.
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    *hasher.finalize().as_bytes()
}

/// Sixteen hexadecimal digits.
fn id(basis: &[u8; 32], ordinal: u64) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(basis).update(&ordinal.to_le_bytes());
    hasher.finalize().as_bytes()[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The order of findings that agree: first those that are looked for in every run, so that `--latent` does not change ids; then by place. The file as
/// it was named decides between files of one name; the names that are shown do not, since they depend on the working directory.
fn order(finding: &Finding) -> impl Ord + '_ {
    let is_on_request = finding.fate != Fate::Shown;
    let trace: Vec<_> = finding.trace.iter().map(|step| (step.line, step.column, step.depth)).collect();
    let place = (&finding.anchor.origin, finding.line, finding.column);
    (is_on_request, place, trace, &finding.message, &finding.condition)
}
