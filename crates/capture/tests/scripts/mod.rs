//! Scripts that stand for other programs.

use std::path::Path;
use std::process::Command;

/// Writes a script that can be run at once.
///
/// Another process writes it: what is open for writing in this one is so in all processes that other tests are just starting, and cannot be run until they have begun.
pub(crate) fn install(path: &Path, text: &str) {
    let write = "printf '%s' \"$1\" > \"$0\" && chmod 755 \"$0\"";
    let status = Command::new("sh").args(["-c", write]).arg(path).arg(text).status();
    assert!(status.is_ok_and(|it| it.success()), "{} could not be written", path.display());
}
