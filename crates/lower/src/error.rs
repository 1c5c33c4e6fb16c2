//! Why a function could not be lowered.

use base::Symbol;
use bitcode::{BlockId, InstId, ValueId};
use ir::LocId;

/// A function that was left out: it is a declaration in the IR.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The function, by the name the user knows it by.
    pub function: Symbol,
    /// Where it is defined.
    pub loc: LocId,
    /// Why it was left out.
    pub cause: Cause,
}

/// Why a function could not be lowered. All but the budget mean that the file is damaged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Cause {
    /// The reader could not read the body.
    #[error("its body could not be read: {0}")]
    Unread(String),
    /// A value number that nothing defines.
    #[error("value {0} does not exist")]
    NoValue(ValueId),
    /// A value that is used where it is not defined yet.
    #[error("value {0} is used before it is defined")]
    NotYet(ValueId),
    /// A block number that nothing defines, or a block without an end.
    #[error("block {0} does not exist or does not end")]
    NoBlock(BlockId),
    /// An instruction whose operands do not fit it.
    #[error("the operands of instruction {0} do not fit")]
    Operands(InstId),
    /// A block that is entered from a block its `phi` does not know.
    #[error("block {0} is entered from a block that its phi does not list")]
    Phi(BlockId),
    /// A constant whose parts do not fit its type.
    #[error("constant {0} does not fit its type")]
    Constant(ValueId),
    /// More instructions than we allow.
    #[error("it grows beyond the budget of {budget} instructions", budget = base::limits::LOWER_FREE)]
    Budget,
    /// The IR breaks a law.
    #[error("its IR breaks a law: {0}")]
    Law(String),
}

/// Why the translation of one instruction stops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Its types or operation are not modeled: it becomes `Nondet`.
    Unmodeled(ir::ReasonId),
    /// The operands do not fit.
    Operands,
    /// The function is lost.
    Broken(Cause),
}

impl From<Cause> for Stop {
    fn from(cause: Cause) -> Stop {
        Stop::Broken(cause)
    }
}
