//! Units as a project sees them.

use std::path::PathBuf;

use base::{IdVec, define_id};

use crate::paths;

define_id! {
    /// A unit of the project.
    pub struct UnitId = "unit";
    /// A function of the whole project: all copies of it that are equal (see [`merge`](crate::merge)).
    pub struct FnId = "fn";
    /// A program of the project: units that are linked together.
    pub struct ProgramId = "program";
}

/// A translation unit that is compiled and lowered.
#[derive(Clone, Debug)]
pub struct UnitIr {
    /// Where its source is; absolute.
    pub path: PathBuf,
    /// The source as the user reads it in messages.
    pub file: String,
    /// The flags it was compiled by. They tell two compilations of one file apart.
    pub args: Vec<String>,
    /// The absolute paths of the object files that the build made of it; none if that is not known.
    pub outputs: Vec<PathBuf>,
    /// What it means.
    pub module: ir::Module,
}

/// Numbers units in an order that does not depend on how they came in.
///
/// Units that agree in source, flags and outputs cannot be told apart; those keep their order.
pub(crate) fn in_order(mut units: Vec<UnitIr>) -> IdVec<UnitId, UnitIr> {
    for unit in &mut units {
        unit.path = paths::normalized(&unit.path);
        unit.outputs = unit.outputs.iter().map(|output| paths::normalized(output)).collect();
        unit.outputs.sort();
    }
    units.sort_by(|a, b| (&a.path, &a.args, &a.outputs).cmp(&(&b.path, &b.args, &b.outputs)));
    IdVec::from_vec(units)
}
