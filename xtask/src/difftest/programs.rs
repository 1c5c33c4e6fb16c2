//! Our own programs: one per construct of C and C++, free of undefined behavior.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use capture::Clang;
use interp::{Options, Run};

use super::{native, ours};

/// Runs a program both ways. An error says what is different.
pub(crate) fn check(clang: &Clang, file: &Path, scratch: &Path) -> Result<Option<String>> {
    let text = std::fs::read_to_string(file)?;
    let flags = native::own_flags(&text);
    let program = scratch.join("program");
    native::compile(file, &program, &flags)?;
    let native = native::run(&program, Duration::from_secs(10), &[])?;
    let ours = ours::run(clang, file, &flags, Options::default())?;
    Ok(ours::difference(&native, &ours).or_else(|| complaint(&ours)))
}

/// These programs are clean, so the interpreter should see neither leaks nor undefined behavior, and know all they call.
fn complaint(run: &Run) -> Option<String> {
    if let Some(leak) = run.leaks.first() {
        return Some(format!("a leak is reported: {} at {}", leak.message, leak.place));
    }
    if let Some(event) = run.undefined.first() {
        return Some(format!("undefined behavior is reported: {:?} at {}", event.kind, event.place));
    }
    run.unknown_calls.first().map(|call| format!("`{}` is not known, called at {}", call.name, call.place))
}
