//! From a refused operation to a bug report: the kind, the place, the calls around it, the block, and a
//! sentence.

use base::limits;
use catalog::Issue;
use ir::{Inst, Operand, ValueDef};

use crate::call::CallError;
use crate::machine::{Machine, Stop};
use crate::memory::{AccessError, BlockKind, Site, Status};
use crate::report::{BlockInfo, Bug, EventKind, Fault, Outcome, Spot};
use crate::step::Cx;
use crate::value::{BlockRef, Value};

impl<'p> Machine<'p> {
    /// Counts an event at the present place.
    pub(crate) fn note(&mut self, kind: EventKind) {
        let site = self.site();
        self.events.record(kind, site);
    }

    /// A bug at the present place.
    pub(crate) fn bug(&self, issue: Issue, message: String, block: Option<(BlockRef, u64)>) -> Stop {
        let block = block.map(|(block, address)| self.block_info(block, address));
        let (place, callers) = (self.place(), self.callers());
        Outcome::Bug(Box::new(Bug { issue, message, place, callers, block })).into()
    }

    /// An instruction accessed memory at `ptr` that it must not: `(len, what)` are the bytes and what was done with them.
    #[cold]
    pub(crate) fn bad_access(&self, cx: Cx<'p>, ptr: Operand, error: AccessError, done: (u64, &str)) -> Stop {
        if error == AccessError::Undefined {
            return self.uninit_use(cx, ptr, "as an address");
        }
        let name = self.name_of(cx, ptr);
        self.access_bug(error, self.get(cx, ptr), done, name)
    }

    /// A library function accessed memory that it must not.
    #[cold]
    pub(crate) fn bad_library_access(&self, error: AccessError, pointer: &Value, done: (u64, &str)) -> Stop {
        self.access_bug(error, pointer, done, None)
    }

    /// An instruction used undefined bits of `operand` where they matter.
    #[cold]
    pub(crate) fn uninit_use(&self, cx: Cx<'p>, operand: Operand, how: &str) -> Stop {
        let message = match self.undefined_source(cx, operand, limits::INTERP_NAME) {
            Some(name) => format!("{name} is used {how} but was never written"),
            None => format!("a value that was never written is used {how}"),
        };
        self.bug(Issue::UninitRead, message, None)
    }

    #[cold]
    pub(crate) fn division_by_zero(&self, cx: Cx<'p>, divisor: Operand) -> Stop {
        let message = match self.name_of(cx, divisor) {
            Some(name) => format!("division by {name}, which is zero"),
            None => "division by zero".to_owned(),
        };
        self.bug(Issue::DivByZero, message, None)
    }

    /// A call through a pointer that does not point at a function.
    #[cold]
    pub(crate) fn bad_call(&self, cx: Cx<'p>, pointer: Operand, error: CallError) -> Stop {
        match error {
            CallError::NoFunction => Outcome::Fault { fault: Fault::CallOfData, place: self.place() }.into(),
            CallError::Access(AccessError::Undefined) => {
                self.uninit_use(cx, pointer, "as a function to call")
            }
            CallError::Access(error) => self.bad_access(cx, pointer, error, (1, "called")),
        }
    }

    /// A call of a weak function that nobody defines.
    #[cold]
    pub(crate) fn null_call(&self, cx: Cx<'p>, function: ir::FuncId) -> Stop {
        let module = self.program.modules()[cx.module];
        let name = module.symbols.resolve(module.functions[function].pretty);
        self.bug(Issue::NullDeref, format!("call of `{name}`, whose address is null"), None)
    }

    /// The calls around the present place, innermost first.
    pub fn callers(&self) -> Vec<Spot> {
        self.caller_sites().iter().map(|site| self.program.place(*site)).collect()
    }

    /// The calls around the present place, innermost first, without their names.
    pub(crate) fn caller_sites(&self) -> Vec<Site> {
        self.frames.iter().rev().skip(1).take(limits::INTERP_CALLERS).map(|frame| frame.site()).collect()
    }

    /// What a report tells of a block.
    pub(crate) fn block_info(&self, block: BlockRef, address: u64) -> BlockInfo {
        let entry = self.memory.block(block);
        let ended = match entry.status {
            Status::Alive => None,
            Status::Freed(site) | Status::ScopeEnded(site) | Status::Returned(site) => {
                Some(self.program.place(site))
            }
        };
        let callers = match entry.kind {
            BlockKind::Heap { callers, .. } => Some(callers),
            _ => None,
        };
        let free_callers = self.library.free_stacks.get(&block).copied();
        let places = |stack: Option<u32>| {
            let sites = stack.and_then(|stack| self.call_stacks.get(stack as usize)).into_iter().flatten();
            sites.map(|site| self.program.place(*site)).collect()
        };
        BlockInfo {
            what: self.block_name(block),
            size: entry.size,
            offset: entry.offset_of(address),
            allocated: self.made_at(block),
            allocated_callers: places(callers),
            ended,
            ended_callers: places(free_callers),
            number: block.index(),
        }
    }

    /// What a block is, in words.
    pub(crate) fn block_name(&self, block: BlockRef) -> String {
        match self.memory.block(block).kind {
            BlockKind::Global(global) => {
                let linked = &self.program.globals()[global];
                let module = self.program.modules()[linked.module];
                match module.symbols.resolve(linked.global.pretty) {
                    // Clang's own name; no name of C starts with a dot.
                    name if name.starts_with(".str") => "a string literal".to_owned(),
                    name => format!("global `{name}`"),
                }
            }
            BlockKind::Function(function) => {
                format!("function `{}`", self.program.functions()[function].name)
            }
            BlockKind::Stack { function, var } => {
                let linked = &self.program.functions()[function];
                let body = linked.function.body.as_ref();
                let var = var.and_then(|var| body.and_then(|body| body.vars.get(var)));
                match var {
                    Some(var) => {
                        let name = self.program.modules()[linked.module].symbols.resolve(var.name);
                        format!("local variable `{name}`")
                    }
                    None => "temporary on the stack".to_owned(),
                }
            }
            BlockKind::Heap { family, .. } => format!("block from `{}`", family.allocator()),
            BlockKind::Library(what) => what.to_owned(),
            BlockKind::Unknown => "block made by unknown code".to_owned(),
            BlockKind::Given => "block given from outside".to_owned(),
        }
    }

    fn made_at(&self, block: BlockRef) -> Spot {
        let entry = self.memory.block(block);
        match entry.kind {
            BlockKind::Global(global) => {
                let linked = &self.program.globals()[global];
                self.program.place_in(linked.module, linked.global.loc)
            }
            BlockKind::Stack { function, var: Some(var) } => {
                let body = self.program.functions()[function].function.body.as_ref();
                let declared = body.and_then(|body| body.vars.get(var)).map(|var| var.loc);
                let loc = declared.unwrap_or(entry.made.loc);
                self.program.place(Site { function: Some(function), loc })
            }
            _ => self.program.place(entry.made),
        }
    }

    fn access_bug(
        &self,
        error: AccessError,
        pointer: &Value,
        done: (u64, &str),
        name: Option<String>,
    ) -> Stop {
        let (len, what) = done;
        let subject = name.map_or_else(|| "a pointer".to_owned(), |name| name.to_string());
        let at = |block| Some((block, pointer.low()));
        let bytes = if len == 1 { "1 byte is".to_owned() } else { format!("{len} bytes are") };
        match error {
            AccessError::Undefined => {
                let message = "an address that was never written is used".to_owned();
                self.bug(Issue::UninitRead, message, None)
            }
            AccessError::Null => {
                let message = match pointer.low() {
                    0 => format!("{subject} is null and is {}", dereferenced(what)),
                    offset => format!("{subject} is {offset} bytes from null and is {}", dereferenced(what)),
                };
                self.bug(Issue::NullDeref, message, None)
            }
            AccessError::Freed(block) => {
                let message = format!("{bytes} {what} in a {} that was freed", self.block_name(block));
                self.bug(Issue::UseAfterFree, message, at(block))
            }
            AccessError::ScopeEnded(block) => {
                let message = format!("{bytes} {what} in {} after its scope ended", self.block_name(block));
                self.bug(Issue::UseAfterScope, message, at(block))
            }
            AccessError::OutOfBounds(block) => {
                let entry = self.memory.block(block);
                let (offset, size) = (entry.offset_of(pointer.low()), entry.size);
                let message = format!(
                    "{bytes} {what} at offset {offset} of {} of {size} bytes",
                    self.block_name(block)
                );
                self.bug(Issue::OutOfBounds, message, at(block))
            }
            AccessError::Wild => {
                let message = format!("{bytes} {what} at {:#x}, where no object is", pointer.low());
                self.bug(Issue::OutOfBounds, message, None)
            }
            AccessError::Uninit(block, index) => {
                let offset = self.memory.block(block).offset_of(pointer.low()) + index as i64;
                let message =
                    format!("byte {offset} of {} is used but was never written", self.block_name(block));
                self.bug(Issue::UninitRead, message, at(block))
            }
            AccessError::Constant(_) => {
                Outcome::Fault { fault: Fault::WriteToConstant, place: self.place() }.into()
            }
            AccessError::Code(_) => Outcome::Fault { fault: Fault::AccessToCode, place: self.place() }.into(),
        }
    }

    /// The name of the variable that an operand is a version of.
    fn name_of(&self, cx: Cx<'p>, operand: Operand) -> Option<String> {
        let value = operand.value()?;
        if let Some(var) = cx.body.values[value].var {
            return Some(self.var_name(cx, var));
        }
        match self.definition(cx, operand)? {
            Inst::Load { ptr, .. } => {
                let pointer = self.get(cx, *ptr);
                let block = pointer.prov()?;
                let is_start = self.memory.block(block).address == pointer.low();
                let is_named = matches!(
                    self.memory.block(block).kind,
                    BlockKind::Global(_) | BlockKind::Stack { var: Some(_), .. }
                );
                (is_start && is_named).then(|| self.block_name(block))
            }
            Inst::Cast { arg, .. } | Inst::Freeze { arg } => self.name_of(cx, *arg),
            _ => None,
        }
    }

    /// What an undefined operand was computed from, as far as it has a name.
    fn undefined_source(&self, cx: Cx<'p>, operand: Operand, depth: u32) -> Option<String> {
        if let Some(name) = self.name_of(cx, operand) {
            return Some(name);
        }
        if depth == 0 {
            return None;
        }
        let follow = |operands: &[Operand]| {
            let undefined = operands.iter().find(|operand| !self.get(cx, **operand).is_defined());
            undefined.and_then(|operand| self.undefined_source(cx, *operand, depth - 1))
        };
        match self.definition(cx, operand)? {
            Inst::Uninit { var } => var.map(|var| self.var_name(cx, var)),
            Inst::Load { ptr, .. } => {
                let pointer = self.get(cx, *ptr);
                let block = pointer.prov()?;
                let offset = self.memory.block(block).offset_of(pointer.low());
                Some(format!("the content of {} at offset {offset}", self.block_name(block)))
            }
            Inst::Unary { arg, .. } | Inst::Cast { arg, .. } | Inst::Freeze { arg } => follow(&[*arg]),
            Inst::Binary { lhs, rhs, .. } | Inst::Compare { lhs, rhs, .. } => follow(&[*lhs, *rhs]),
            Inst::PtrAdd { base, index, .. } => follow(&[*base, *index]),
            Inst::Select { cond, on_true, on_false } => follow(&[*cond, *on_true, *on_false]),
            Inst::Funnel { high, low, amount, .. } => follow(&[*high, *low, *amount]),
            _ => None,
        }
    }

    fn definition(&self, cx: Cx<'p>, operand: Operand) -> Option<&'p Inst> {
        match cx.body.values[operand.value()?].def {
            ValueDef::Result(inst, _) => Some(&cx.body.insts[inst].inst),
            ValueDef::Param(..) => None,
        }
    }

    fn var_name(&self, cx: Cx<'p>, var: ir::VarId) -> String {
        let module = self.program.modules()[cx.module];
        format!("`{}`", module.symbols.resolve(cx.body.vars[var].name))
    }
}

fn dereferenced(what: &str) -> &str {
    if what == "called" { "called" } else { "dereferenced" }
}
