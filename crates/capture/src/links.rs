//! What a build put together: which objects and libraries make up which program.
//!
//! Recorded while the build runs and kept beside the compilation database, whose format has no place for it.
//! `project` decides with it which definition a reference means.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use base::limits;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::store_dir;

/// The file beside the compilation database.
const FILE_NAME: &str = "links.json";

/// All that a build linked or archived, in the order of the commands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Links {
    /// A file that was written twice is here once, as it was written last; members added to an archive by several commands
    /// are collected.
    pub artifacts: Vec<Artifact>,
}

impl Links {
    /// What a build linked, with the libraries found as its linker found them: in the directories of `-L`, and through symbolic
    /// links such as `libx.so`, which lead to the file that was written.
    pub(crate) fn settled(artifacts: BTreeMap<PathBuf, Artifact>) -> Links {
        let known: BTreeMap<PathBuf, PathBuf> =
            artifacts.keys().filter_map(|path| Some((path.canonicalize().ok()?, path.clone()))).collect();
        let written = |path: &Path| known.get(&path.canonicalize().ok()?).cloned();
        let settle = |input: Input| match input {
            Input::File { path, whole } if !artifacts.contains_key(&path) => {
                Input::File { path: written(&path).unwrap_or_else(|| physical(path)), whole }
            }
            Input::Library { ref name, ref dirs, whole } => {
                let files = [format!("lib{name}.so"), format!("lib{name}.a")];
                let mut paths = dirs.iter().flat_map(|dir| files.iter().map(move |file| dir.join(file)));
                paths.find_map(|path| written(&path)).map_or(input, |path| Input::File { path, whole })
            }
            Input::File { .. } => input,
        };
        let settled = artifacts.values().cloned().map(|mut artifact| {
            artifact.inputs = artifact.inputs.into_iter().map(settle).collect();
            artifact
        });
        Links { artifacts: settled.collect() }
    }

    /// The links beside a compilation database; none if there are none, or if they cannot be read.
    pub fn load(dir: &Path) -> Links {
        let text = files::read(&dir.join(FILE_NAME), limits::FILE_BYTES).ok();
        text.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
    }

    /// Writes them beside a compilation database.
    pub(crate) fn save(&self, dir: &Path) -> Result<(), Error> {
        let file = dir.join(FILE_NAME);
        let text = serde_json::to_vec_pretty(self).map_err(io::Error::from);
        text.and_then(|text| store_dir::replace_file(&file, &text))
            .map_err(|source| Error::Unwritable { path: file, source })
    }
}

/// The path with its directory as the system knows it: objects may be named through symbolic links, and may be gone themselves.
fn physical(path: PathBuf) -> PathBuf {
    let (Some(dir), Some(name)) = (path.parent(), path.file_name()) else { return path };
    dir.canonicalize().map_or_else(|_| path.clone(), |dir| dir.join(name))
}

/// A file that a linker or archiver wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Artifact {
    /// Absolute, without `.` and `..`.
    pub path: PathBuf,
    /// What was written.
    pub kind: ArtifactKind,
    /// What it was made of, in the order of the command.
    pub inputs: Vec<Input>,
}

/// What a linker or archiver writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ArtifactKind {
    /// An executable.
    Program,
    /// A shared object.
    Shared,
    /// A static library: a linker takes of it only the members that it needs.
    Archive,
    /// Objects joined into one (`ld -r`): a linker takes all of it.
    Relocatable,
}

/// A part of an artifact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Input {
    /// An object (an output of a unit), an archive or a shared object, by its absolute path.
    File {
        /// Where it is.
        path: PathBuf,
        /// Whether all members of an archive are taken (`--whole-archive`).
        whole: bool,
    },
    /// `-lNAME`, to be looked for in these directories and then in those of the system.
    Library {
        /// Without `lib` and extension.
        name: String,
        /// The absolute directories of `-L`, in order.
        dirs: Vec<PathBuf>,
        /// Whether all members of an archive are taken (`--whole-archive`).
        whole: bool,
    },
}
