//! The text form of a module.
//!
//! It is complete: [`parse`](crate::parse()) makes an equal module of it, up to what no part of the program
//! refers to (unused constants, reasons, assembly texts, symbols) and the numbers of constants, calls and
//! places.
//!
//! ```text
//! source "list.c"
//! target "x86_64-pc-linux-gnu" pointer 8
//! file file0 "/src/list.c"
//! type t0 = base "int" size 4 signed
//! global internal @count: t0 size 4 align 4 = {} !file0:3:5
//!
//! func @push(i32 noundef) -> (ptr noalias) nounwind !file0:9:1 {
//!   var x0 value: t0 param 0 !9:15
//! b0(v0: i32 value):
//!   v1: ptr = call @malloc(i64 16 noundef) !10:20
//!   v2: i1 = cmp eq v1, null !11:7
//!   branch v2 ? b2(null) : b1 !11:7
//! …
//! ```
//!
//! A line ends with the place in the source: `!line:column` in the function's own file, `!file2:line:column`
//! in another one, `!loc4` for inlined code, whose chain is in the table at the end of the module. Ids of
//! values, blocks, types, files, variables, globals and functions are kept: the n-th of each in the text has
//! number n (values in any order).

mod function;
mod inst;
mod module;
mod refs;

use crate::function::InstId;
use crate::module::{FuncId, Module};
use function::BodyCx;
pub(crate) use refs::text_of;
use refs::{GlobalNames, LocNumbers};

/// The text form of a whole module.
pub fn print(module: &Module) -> String {
    let mut printer = Printer::new(module);
    printer.module();
    printer.out
}

/// The text form of one function, with the places of inlined code that it refers to.
pub fn print_function(module: &Module, function: FuncId) -> String {
    let mut printer = Printer::new(module);
    if let Some(function) = module.functions.get(function) {
        printer.function(function);
        let used = refs::locs_of(module, function);
        printer.loc_table(|loc| used.contains(&loc));
    }
    printer.out
}

/// The text form of one instruction, in one line; empty if there is no such instruction.
pub fn print_inst(module: &Module, function: FuncId, inst: InstId) -> String {
    let mut printer = Printer::new(module);
    let function = module.functions.get(function);
    if let Some((function, body)) = function.and_then(|it| Some((it, it.body.as_ref()?))) {
        printer.inst_line(&BodyCx::new(module, function, body), inst);
    }
    printer.out.truncate(printer.out.trim_end().len());
    printer.out
}

/// What is printed, and how far it is.
struct Printer<'m> {
    module: &'m Module,
    names: GlobalNames,
    locs: LocNumbers,
    out: String,
}

impl<'m> Printer<'m> {
    fn new(module: &'m Module) -> Self {
        Self { module, names: GlobalNames::new(module), locs: LocNumbers::new(module), out: String::new() }
    }
}

/// Appends formatted text to a printer.
macro_rules! put {
    ($printer:expr, $($arg:tt)*) => {
        std::fmt::Write::write_fmt(&mut $printer.out, format_args!($($arg)*))
            .expect("invariant: writing to a string cannot fail")
    };
}
use put;
