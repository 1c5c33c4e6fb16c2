//! What a captured build linked, handed to those who put units together.

use project::{Artifact, ArtifactKind, Input, Links};

/// The same for [`project`], which knows nothing of builds.
pub fn links(captured: capture::Links) -> Links {
    Links { artifacts: captured.artifacts.into_iter().map(artifact).collect() }
}

fn artifact(captured: capture::Artifact) -> Artifact {
    let capture::Artifact { path, kind, inputs } = captured;
    let kind = match kind {
        capture::ArtifactKind::Program => ArtifactKind::Program,
        capture::ArtifactKind::Shared => ArtifactKind::Shared,
        capture::ArtifactKind::Archive => ArtifactKind::Archive,
        capture::ArtifactKind::Relocatable => ArtifactKind::Relocatable,
    };
    Artifact { path, kind, inputs: inputs.into_iter().map(input).collect() }
}

fn input(captured: capture::Input) -> Input {
    match captured {
        capture::Input::File { path, whole } => Input::File { path, whole },
        capture::Input::Library { name, dirs, whole } => Input::Library { name, dirs, whole },
    }
}
