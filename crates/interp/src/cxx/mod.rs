//! Native models of the C++ run-time library, as far as headers leave work to it.

mod guard;
mod hash;
mod istream;
mod list;
mod new_delete;
mod ostream;
mod rtti;
mod streams;
mod string;
mod string_search;
mod throw;
mod tree;

pub(crate) use streams::Streams;

use crate::libc::Models;
use crate::machine::Machine;
use crate::value::BlockRef;

/// All tables, in order of search.
pub(crate) const TABLES: &[Models] = &[
    guard::MODELS,
    hash::MODELS,
    istream::MODELS,
    list::MODELS,
    new_delete::MODELS,
    ostream::MODELS,
    rtti::MODELS,
    streams::INPUT_STRINGS,
    streams::MODELS,
    streams::OUTPUT_STRINGS,
    streams::STRINGS,
    string::MODELS,
    string_search::MODELS,
    throw::MODELS,
    tree::MODELS,
];

/// Gives a global of the library its content; whether it is known.
pub(crate) fn set_up_global(machine: &mut Machine<'_>, name: &str, block: BlockRef) -> bool {
    rtti::set_up_global(machine, name, block) || streams::set_up_global(machine, name, block)
}
