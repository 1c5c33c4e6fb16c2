//! `indict ir`: the lowered program, as text.

use anyhow::Result;
use base::visible;

use crate::commands::close;
use crate::inputs::Inputs;
use crate::output;
use crate::paths::Here;
use crate::pipeline::{self, Lowered};
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

/// What is printed of a unit.
struct Printed {
    text: String,
    /// Which of the wanted names it has, as positions.
    has: Vec<usize>,
    /// The names it has, if a wanted one may be misspelt.
    names: Vec<String>,
    complaints: Vec<String>,
}

impl Ir {
    pub(crate) fn run(&self) -> Result<Status> {
        let here = Here::find();
        let work = self.inputs.prepare(&here)?;
        let mut found = vec![false; self.functions.len()];
        let mut known = Vec::new();
        let mut printed = Ok(());
        let mut first = true;
        let loaded = pipeline::load(
            work,
            &here,
            |unit| self.text(&unit),
            |unit| {
                unit.complaints.iter().for_each(|it| output::complain(&visible::line(it)));
                unit.has.iter().for_each(|&wanted| found[wanted] = true);
                known.extend(unit.names);
                if printed.is_ok() && !unit.text.is_empty() {
                    let gap = if first { "" } else { "\n" };
                    printed = output::print(&format!("{gap}{}", unit.text));
                    first = false;
                }
            },
        )?;
        printed?;
        if loaded.units == 0 {
            return Ok(Status::Failed);
        }
        let missing = self.functions.iter().zip(&found).filter(|(_, found)| !**found);
        let missing: Vec<&String> = missing.map(|(name, _)| name).collect();
        for name in &missing {
            let names = known.iter().map(String::as_str);
            output::complain(&format!("there is no function `{name}`{}", close::suggestion(name, names)));
        }
        let nothing = !missing.is_empty() && missing.len() == self.functions.len();
        Ok(if nothing { Status::Failed } else { Status::Clean })
    }

    fn text(&self, unit: &Lowered) -> Printed {
        let module = &unit.module;
        let complaints =
            unit.skipped.iter().map(|skipped| format!("{}: left out: {skipped}", unit.file)).collect();
        let mut printed = Printed { text: String::new(), has: Vec::new(), names: Vec::new(), complaints };
        if self.functions.is_empty() {
            printed.text = ir::print(module);
            return printed;
        }
        for (id, function) in module.functions.iter_ids() {
            let names = [function.name, function.pretty].map(|symbol| module.symbols.resolve(symbol));
            let mut wanted = self.functions.iter().enumerate().filter(|(_, name)| is_name(name, names));
            if let Some((position, _)) = wanted.next() {
                printed.has.push(position);
                printed.has.extend(wanted.map(|(position, _)| position));
                let gap = if printed.text.is_empty() { "" } else { "\n" };
                printed.text.push_str(&format!("{gap}{}", ir::print_function(module, id)));
            }
            printed.names.extend(names.map(String::from));
        }
        printed
    }
}

/// Whether the user means a function of these names (the linker's and the demangled one) by `wanted`.
fn is_name(wanted: &str, [linker, pretty]: [&str; 2]) -> bool {
    wanted == linker || wanted == pretty || wanted == without_parameters(pretty)
}

/// `ns::area` of `ns::area(int, ns::Shape const&) const`. The list of parameters is the last pair of parentheses, but
/// `operator()` has another one in its name.
fn without_parameters(pretty: &str) -> &str {
    let Some(end) = pretty.rfind(')') else { return pretty };
    let mut depth = 0;
    for (at, letter) in pretty[..=end].char_indices().rev() {
        match letter {
            ')' => depth += 1,
            '(' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &pretty[..at];
        }
    }
    pretty
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpp_names_may_come_without_parameters() {
        let check = |pretty, expected| assert_eq!(without_parameters(pretty), expected);
        check("push", "push");
        check("ns::area(int, ns::Shape const&) const", "ns::area");
        check("apply(int (*)(int))", "apply");
        check("Less::operator()(int, int) const", "Less::operator()");
        check("(anonymous namespace)::f()", "(anonymous namespace)::f");
        check(")", ")");
    }
}
