//! Run-time type information: `dynamic_cast`, `typeid`.

use crate::libc::Models;
use crate::machine::Machine;
use crate::value::BlockRef;

pub(crate) const MODELS: Models = &[];

/// Whether the global is one of the tables of `std::type_info`'s subclasses.
pub(crate) fn set_up_global(_: &mut Machine<'_>, name: &str, _: BlockRef) -> bool {
    name.starts_with("_ZTVN10__cxxabiv1")
}
