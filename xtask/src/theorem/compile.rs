//! From random programs to IR: many programs per file, so that clang starts seldom.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use capture::Clang;

use crate::frontend;

use super::generate::Generated;
use super::types::PRELUDE;

/// Compiles programs together, with the flags of the product. The text is what places in the result speak of.
pub(super) fn compile(clang: &Clang, programs: &[Generated], scratch: &Path) -> Result<ir::Module> {
    let file = scratch.join("t.c");
    std::fs::write(&file, text(programs))?;
    frontend::module(clang, &file, &["-w".to_owned()])
}

/// The file of some programs.
pub(super) fn text(programs: &[Generated]) -> String {
    let mut text = PRELUDE.to_owned();
    for program in programs {
        // Places are those of a file with this program alone.
        let _ = writeln!(text, "#line {} \"t.c\" /* seed {} */", PRELUDE.lines().count() + 2, program.seed);
        for line in &program.lines {
            let _ = writeln!(text, "{line}");
        }
    }
    text
}
