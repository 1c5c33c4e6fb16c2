//! The laws of the IR, and the verifier that finds where a module breaks them.
//!
//! Everything that reads IR may rely on these laws; everything that makes or changes IR keeps them. The
//! verifier never panics: where an id points at nothing (L2) it does not look further into that function.

mod calls;
mod flow;
mod ids;
mod insts;
mod module;
mod structure;

use crate::function::{BlockId, Body, Function, InstId, ValueId, VarId};
use crate::module::{FuncId, GlobalId, LocId, Module};
use crate::source::SourceTypeId;

/// Defines [`Law`] from the one list of laws.
macro_rules! laws {
    ($($law:ident $text:literal)*) => {
        /// A law of the IR.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Law {$(
            #[doc = $text]
            $law,
        )*}

        impl Law {
            /// All laws, in order.
            pub const ALL: &'static [Law] = &[$(Law::$law),*];

            /// The law in words.
            pub fn text(self) -> &'static str {
                match self { $(Law::$law => $text,)* }
            }
        }
    };
}

laws! {
    L1 "A pointer of the target has 1 to 8 bytes."
    L2 "Every id points at something that exists: symbols, files, places, types, globals, functions, blocks, instructions, \
        values, constants, calls, variables, reasons, assembly texts."
    L3 "The first place is the unknown one, and the chain of places where a place was inlined ends."
    L4 "No two globals, functions or aliases have the same linker's name, unless it is empty."
    L5 "Every integer type has 1 to 2^23 bits. A constant integer of at most 128 bits is narrow, others are wide with one word \
        per 64 bits; bits above the width of an integer or float are zero."
    L6 "Alignments are powers of two (those of parameters may be 0: unknown)."
    L7 "The pieces of an initializer are not empty, ascending, disjoint and inside the global; so are its addresses, of 1 to 8 \
        bytes each, and the bytes beneath them are zero."
    L8 "There are as many promises as parameters and results, and `alloc_size` names parameters that exist."
    L9 "A body has an entry block, whose parameters have the types of the signature and to which no terminator goes."
    L10 "Every instruction stands in exactly one block, the particulars of a call belong to one instruction, and every value is \
        defined exactly once, where its record says."
    L11 "The entry reaches every block (an indirect jump reaches all its targets)."
    L12 "The definition of a value dominates its uses. Blocks that break L11 are not looked at."
    L13 "Operands and results of an instruction have the number and types that its description says; flags stand only where they \
        mean something."
    L14 "A target has as many arguments as its block has parameters, of the same types."
    L15 "A branch decides on an `i1`; a switch on an integer, and its cases are distinct constants of that type."
    L16 "An indirect jump goes to a pointer, and its targets are distinct blocks."
    L17 "A return has as many values as the signature has results, of the same types."
    L18 "The arguments and results of a call are those of its signature, further arguments only if it is variadic, with one \
        promise per argument; a callee that is an operand is a pointer."
    L19 "The result of an assignment is a version of its variable; that of an uninitialized read is a version of its own or of no \
        variable."
    L20 "The begin or end of a scope names an alloca."
}

/// A broken law.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// Which.
    pub law: Law,
    /// In which function, if in one.
    pub function: Option<FuncId>,
    /// Where exactly.
    pub place: Position,
    /// What is wrong.
    pub message: String,
}

/// Where in a module or function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Position {
    /// Nowhere in particular: the module's or function's header.
    Header,
    /// A place of the source.
    Loc(LocId),
    /// A type of the source.
    Type(SourceTypeId),
    /// A global variable.
    Global(GlobalId),
    /// A local variable.
    Var(VarId),
    /// A value, by itself.
    Value(ValueId),
    /// A block.
    Block(BlockId),
    /// An instruction.
    Inst(InstId),
    /// The end of a block.
    End(BlockId),
}

impl Violation {
    /// The violation in one line, with the function's name and the instruction.
    pub fn describe(&self, module: &Module) -> String {
        let mut text = format!("{:?}: ", self.law);
        if let Some(id) = self.function {
            let name = module.functions.get(id).map_or("?", |it| crate::print::text_of(module, it.name));
            text += &format!("@{name}: ");
        }
        text += &match self.place {
            Position::Header => String::new(),
            Position::Loc(id) => format!("{id}: "),
            Position::Type(id) => format!("{id}: "),
            Position::Global(id) => format!("{id}: "),
            Position::Var(id) => format!("{id}: "),
            Position::Value(id) => format!("{id}: "),
            Position::Block(id) => format!("{id}: "),
            Position::Inst(id) => {
                let line = self.function.map(|function| crate::print_inst(module, function, id));
                format!("`{}`: ", line.unwrap_or_default())
            }
            Position::End(id) => format!("end of {id}: "),
        };
        text + &self.message
    }
}

/// All laws that a module breaks, in order of the text form.
pub fn verify(module: &Module) -> Vec<Violation> {
    let mut violations = Vec::new();
    module::check(module, &mut violations);
    for id in module.functions.ids() {
        violations.extend(verify_function(module, id));
    }
    violations
}

/// All laws that one function breaks.
pub fn verify_function(module: &Module, id: FuncId) -> Vec<Violation> {
    let function = &module.functions[id];
    let mut sink = Sink { function: id, violations: Vec::new() };
    let header = FuncCx { module, function };
    ids::check_header(&header, &mut sink);
    module::check_function_header(&header, &mut sink);
    if let Some(body) = &function.body {
        ids::check_body(module, body, &mut sink);
        if sink.violations.iter().all(|it| it.law != Law::L2) {
            check_body(&BodyCx { module, function, body }, &mut sink);
        }
    }
    sink.violations
}

fn check_body(cx: &BodyCx<'_>, sink: &mut Sink) {
    structure::check(cx, sink);
    insts::check(cx, sink);
    calls::check(cx, sink);
    flow::check(cx, sink);
}

/// The function whose header is checked.
struct FuncCx<'m> {
    module: &'m Module,
    function: &'m Function,
}

/// The body that is checked; its ids exist.
struct BodyCx<'m> {
    module: &'m Module,
    function: &'m Function,
    body: &'m Body,
}

/// Where the violations of one function go.
struct Sink {
    function: FuncId,
    violations: Vec<Violation>,
}

impl Sink {
    fn report(&mut self, law: Law, place: Position, message: impl Into<String>) {
        self.violations.push(Violation {
            law,
            function: Some(self.function),
            place,
            message: message.into(),
        });
    }

    /// Reports unless `holds`.
    fn expect(&mut self, holds: bool, law: Law, place: Position, message: impl FnOnce() -> String) {
        if !holds {
            self.report(law, place, message());
        }
    }
}
