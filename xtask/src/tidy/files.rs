//! The files of the project, as far as they are text.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// A text file of the project.
pub(crate) struct SourceFile {
    /// Relative to the workspace.
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

impl SourceFile {
    /// Rust code that ends up in a crate, as opposed to its tests.
    pub(crate) fn is_rust_source(&self) -> bool {
        self.is_rust_below("src")
    }

    /// Rust code that tests a crate from outside, as opposed to Rust code that is a test's input.
    pub(crate) fn is_rust_test(&self) -> bool {
        self.is_rust_below("tests") && !self.path.starts_with("tests")
    }

    fn is_rust_below(&self, directory: &str) -> bool {
        let inside = self.path.components().any(|part| part.as_os_str() == directory);
        inside && self.path.extension().is_some_and(|extension| extension == "rs")
    }

    /// The lines before the unit tests.
    pub(crate) fn code_lines(&self) -> impl Iterator<Item = &str> {
        self.text.lines().take_while(|line| *line != "#[cfg(test)]")
    }
}

/// Hidden directories that belong to the project; all others hold tools' data.
const HIDDEN: [&str; 2] = [".cargo", ".ci"];

/// In a worktree, this is a file that says where the repository lies.
const REPOSITORY: &str = ".git";

/// All text files below `root`, sorted by path.
pub(crate) fn all(root: &Path) -> Result<Vec<SourceFile>> {
    let mut files = Vec::new();
    collect(root, Path::new(""), &mut files)?;
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

fn collect(root: &Path, below: &Path, files: &mut Vec<SourceFile>) -> Result<()> {
    let directory = root.join(below);
    let entries = fs::read_dir(&directory).with_context(|| format!("while listing {}", below.display()))?;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = below.join(&name);
        let kind = entry.file_type()?;
        let foreign = name == "target" || name.starts_with('.') && !HIDDEN.contains(&name.as_str());
        if kind.is_dir() && !foreign {
            collect(root, &path, files)?;
        } else if kind.is_file()
            && name != REPOSITORY
            && let Ok(text) = fs::read_to_string(root.join(&path))
        {
            files.push(SourceFile { path, text });
        }
    }
    Ok(())
}
