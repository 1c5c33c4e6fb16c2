//! Writing to the two streams: results to standard output, everything else to standard error.

use std::io::{self, ErrorKind, Write};

use anyhow::{Context, Result};

/// Writes results. A reader that went away (`indict ir a.c | head`) has seen enough: that is no error.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(error).context("while writing to standard output")
        }
        _ => Ok(()),
    }
}

/// Says what is wrong with the input or the machine.
pub(crate) fn complain(message: &str) {
    tell(&format!("indict: {message}\n"));
}

/// Writes what is not a result. If nobody listens, there is nobody to tell about that either.
pub(crate) fn tell(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// `1 unit`, `2 units`.
pub(crate) fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}
