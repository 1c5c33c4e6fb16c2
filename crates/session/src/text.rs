//! The lowered program as text, unit by unit.

use anyhow::Result;
use ir::names::without_params;

use crate::close;
use crate::load::{How, load};
use crate::lowered::Lowered;
use crate::units::Work;
use crate::watch::Watch;

/// The IR of a unit, or of some functions of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitText {
    /// The IR; empty if the unit has none of the functions.
    pub text: String,
    /// Functions that could not be lowered, each with the file and the reason.
    pub left_out: Vec<String>,
}

/// What there is to say of all units together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texts {
    /// How many units there are.
    pub units: usize,
    /// For each name that no function has: that it has none, with similar names that some have.
    pub missing: Vec<String>,
}

/// What is made of a unit on its thread.
struct Made {
    unit: UnitText,
    /// Which of the wanted names it has, as positions.
    has: Vec<usize>,
    /// The names it has, if a wanted one may be misspelt.
    names: Vec<String>,
}

/// Lowers all units and hands their IR to `sink`, in order.
pub(crate) fn texts(
    work: Work,
    how: How<'_>,
    functions: &[String],
    mut sink: impl FnMut(UnitText),
    watch: &Watch<'_>,
) -> Result<Texts> {
    let mut found = vec![false; functions.len()];
    let mut known = Vec::new();
    let add = |made: Made| {
        made.has.iter().for_each(|&wanted| found[wanted] = true);
        known.extend(made.names);
        sink(made.unit);
    };
    let loaded = load(work, how, |unit| text(&unit, functions), add, watch)?;
    let missing = functions.iter().zip(&found).filter(|(_, found)| !**found).map(|(name, _)| {
        let names = known.iter().map(String::as_str);
        format!("there is no function `{name}`{}", close::suggestion(name, names))
    });
    Ok(Texts { units: loaded.units, missing: missing.collect() })
}

fn text(unit: &Lowered, functions: &[String]) -> Made {
    let module = &unit.module;
    let left_out = unit.skipped.iter().map(|skipped| format!("{}: left out: {skipped}", unit.file)).collect();
    let mut made =
        Made { unit: UnitText { text: String::new(), left_out }, has: Vec::new(), names: Vec::new() };
    let text = &mut made.unit.text;
    if functions.is_empty() {
        *text = ir::print(module);
        return made;
    }
    for (id, function) in module.functions.iter_ids() {
        let names = [function.name, function.pretty].map(|symbol| module.symbols.resolve(symbol));
        let mut wanted = functions.iter().enumerate().filter(|(_, name)| is_name(name, names));
        if let Some((position, _)) = wanted.next() {
            made.has.push(position);
            made.has.extend(wanted.map(|(position, _)| position));
            let gap = if text.is_empty() { "" } else { "\n" };
            text.push_str(&format!("{gap}{}", ir::print_function(module, id)));
        }
        made.names.extend(names.map(String::from));
    }
    made
}

/// Whether the user means a function of these names (the linker's and the demangled one) by `wanted`.
fn is_name(wanted: &str, [linker, pretty]: [&str; 2]) -> bool {
    wanted == linker || wanted == pretty || wanted == without_params(pretty)
}
