//! What a build did, put together from the commands that it ran.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::PathBuf;

use crate::command::{self, Compilation, Skipped, Understood};
use crate::intercept::capture::{Captured, Ended, Method};
use crate::intercept::session::{Event, Session};
use crate::links::{Artifact, ArtifactKind, Input, Links};

/// What was found so far.
#[derive(Default)]
pub(crate) struct Found {
    /// By object: what was compiled twice counts as it was compiled last.
    compilations: BTreeMap<(PathBuf, PathBuf), Compilation>,
    artifacts: BTreeMap<PathBuf, Artifact>,
    skipped: Vec<Skipped>,
    failed: BTreeSet<PathBuf>,
    probes: usize,
    /// What probes were compiled to.
    tried: BTreeSet<PathBuf>,
}

impl Found {
    /// Reads what the wrappers wrote.
    pub(crate) fn by(session: &Session, compilers: &[String]) -> io::Result<Found> {
        let mut found = Found::default();
        for event in session.events()? {
            let understood = command::understand(&event.words, &event.dir, compilers);
            found.add(&event, understood);
        }
        Ok(found)
    }

    fn add(&mut self, event: &Event, understood: Understood) {
        for compilation in understood.compilations {
            let source = compilation.dir.join(&compilation.file);
            let is_made = event.succeeded || event.compiled.contains(&compilation.output);
            match () {
                () if command::is_probe(&compilation) => {
                    self.probes += 1;
                    self.tried.insert(compilation.output);
                }
                () if is_made => {
                    _ = self.compilations.insert((source, compilation.output.clone()), compilation)
                }
                () => _ = self.failed.insert(source),
            }
        }
        if let Some(artifact) = understood.artifact.filter(|_| event.succeeded) {
            self.add_artifact(artifact);
        }
        self.skipped.extend(understood.skipped);
    }

    /// An archive may be filled by several commands; everything else is written anew.
    fn add_artifact(&mut self, artifact: Artifact) {
        let is_tried = |input: &Input| matches!(input, Input::File { path, .. } if self.tried.contains(path));
        if artifact.inputs.iter().any(is_tried) {
            return;
        }
        match self.artifacts.get_mut(&artifact.path) {
            Some(known) if known.kind == ArtifactKind::Archive && artifact.kind == ArtifactKind::Archive => {
                let new: Vec<_> =
                    artifact.inputs.into_iter().filter(|it| !known.inputs.contains(it)).collect();
                known.inputs.extend(new);
            }
            _ => _ = self.artifacts.insert(artifact.path.clone(), artifact),
        }
    }

    pub(crate) fn finish(mut self, ended: Ended, method: Method) -> Captured {
        // What failed first and was compiled later has not failed.
        self.compilations.keys().for_each(|(source, _)| _ = self.failed.remove(source));
        self.skipped.sort();
        self.skipped.dedup();
        Captured {
            ended,
            method,
            compilations: self.compilations.into_values().collect(),
            links: Links::settled(self.artifacts),
            skipped: self.skipped,
            probes: self.probes,
            failed: self.failed.into_iter().collect(),
        }
    }
}
