//! `indict ir`: the lowered program, as text.

use anyhow::Result;
use base::visible;
use session::{Order, Session, UnitText, Watch};

use crate::options::Inputs;
use crate::output;
use crate::status::Status;

const EXAMPLES: &str = "\
Examples:
  indict ir list.c                             the whole unit
  indict ir list.c --function push             one function, by the name in the source or the linker's name
  indict ir shape.cpp --function 'Shape::area'   C++ names may come without their parameters
  indict ir -p build/ src/list.c               with the flags that the compilation database has for the file
  indict ir list.bc                            bitcode needs no clang

The text form is explained in crates/ir/src/print.rs. Functions that could not be lowered are named on standard error.";

/// Prints the intermediate representation of C and C++ code.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Ir {
    /// Print only this function; may be repeated.
    #[arg(short, long = "function", value_name = "NAME")]
    functions: Vec<String>,

    #[command(flatten)]
    inputs: Inputs,
}

impl Ir {
    pub(crate) fn run(&self, watch: &Watch<'_>) -> Result<Status> {
        let session = Session::open(&self.inputs.request(Order::AsNamed), watch)?;
        let mut printed = Ok(());
        let mut first = true;
        let print = |unit: UnitText| {
            unit.left_out.iter().for_each(|it| output::complain(&visible::line(it)));
            if printed.is_ok() && !unit.text.is_empty() {
                let gap = if first { "" } else { "\n" };
                printed = output::print(&format!("{gap}{}", unit.text));
                first = false;
            }
        };
        let texts = session.texts(&self.functions, print, watch)?;
        printed?;
        if texts.units == 0 {
            return Ok(Status::Failed);
        }
        texts.missing.iter().for_each(|missing| output::complain(missing));
        let nothing = !texts.missing.is_empty() && texts.missing.len() == self.functions.len();
        Ok(if nothing { Status::Failed } else { Status::Clean })
    }
}
