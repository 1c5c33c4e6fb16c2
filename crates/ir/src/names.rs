//! Names of values and of memory as the user wrote them: `p->next`, `t[i].x`, `*p`, `s.u.flag`, `f()->x`.
//!
//! An SSA value is followed back to a variable, a global or a call; loads and address arithmetic on the way
//! become member accesses and subscripts, by the byte offsets in the user's types. Where the way ends in
//! something without a name, there is no answer: a message then says what the value is, instead of inventing
//! a name.
//!
//! Departures from the source text: arguments of calls are left out, conversions are not shown, and what
//! cannot be named inside a subscript is `…`.

mod path;

use crate::function::{Body, Function, ValueDef, ValueId, VarId, VarKind};
use crate::inst::{BinOp, Call, Callee, Inst};
use crate::module::{FuncId, Global, Module};
use crate::source::{SourceType, SourceTypeId};
use crate::types::{Const, ConstId, Operand};
use base::limits;
use path::{Lvalue, Steps, Subscript};

/// The name of a value, e.g. of a pointer that is null.
pub fn describe(module: &Module, function: &Function, operand: Operand) -> Option<String> {
    Namer::new(module, function)?.value(operand, 0).map(|it| it.text)
}

/// The name of the memory behind a pointer: of the scalar of `bytes` bytes that is accessed there, or of the whole object that begins
/// there if it is accessed in another way.
pub fn describe_place(
    module: &Module,
    function: &Function,
    ptr: Operand,
    bytes: Option<u64>,
) -> Option<String> {
    Namer::new(module, function)?.place(ptr, bytes, 0).map(|it| it.text)
}

/// The name of what is `offset` bytes inside an object called `name` of type `ty`, with `bytes` as for [`describe_place`].
pub fn describe_inside(
    module: &Module,
    name: &str,
    ty: SourceTypeId,
    offset: i64,
    bytes: Option<u64>,
) -> String {
    let steps = Steps { offset, subscripts: Vec::new() };
    path::in_object(module, Named::new(name, Some(ty)), &steps, bytes).text
}

/// A piece of C text with what is known of its type.
struct Named {
    text: String,
    /// How tightly it binds.
    binds: Binds,
    ty: Typed,
}

/// How tightly the outermost operation of a text binds; decides about parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binds {
    /// `a + b`.
    Binary,
    /// `*p`, `&x`.
    Prefix,
    /// `p->next`, `x`, `f()`.
    Postfix,
}

/// The type of a text.
#[derive(Clone, Copy)]
enum Typed {
    Unknown,
    /// A type of the table.
    Is(SourceTypeId),
    /// A pointer to a type of the table, which need not be there itself.
    PointsTo(SourceTypeId),
}

impl Named {
    fn new(text: impl Into<String>, ty: Option<SourceTypeId>) -> Self {
        Self { text: text.into(), binds: Binds::Postfix, ty: ty.map_or(Typed::Unknown, Typed::Is) }
    }

    /// The text as an operand of something that binds like `binds`.
    fn inside(self, binds: Binds) -> String {
        if self.binds < binds { format!("({})", self.text) } else { self.text }
    }
}

struct Namer<'m> {
    module: &'m Module,
    body: &'m Body,
    steps_left: u32,
}

impl<'m> Namer<'m> {
    fn new(module: &'m Module, function: &'m Function) -> Option<Self> {
        Some(Self { module, body: function.body.as_ref()?, steps_left: limits::NAME_STEPS })
    }

    fn value(&mut self, operand: Operand, depth: u32) -> Option<Named> {
        self.steps_left = self.steps_left.checked_sub(1)?;
        if depth > limits::NAME_DEPTH {
            return None;
        }
        let named = match operand {
            Operand::Const(constant) => self.constant(constant, depth),
            Operand::Value(value) => match self.body.values.get(value)?.var.and_then(|var| self.var(var)) {
                Some(named) => Some(named),
                None => self.definition(value, depth),
            },
        };
        named.filter(|it| it.text.len() <= limits::NAME_LENGTH)
    }

    /// A variable that the user knows.
    fn var(&self, var: VarId) -> Option<Named> {
        let var = self.body.vars.get(var).filter(|var| var.kind != VarKind::Temp)?;
        Some(Named::new(self.module.symbols.resolve(var.name), var.source_type))
    }

    fn constant(&mut self, constant: ConstId, depth: u32) -> Option<Named> {
        match *self.body.consts.get(constant)? {
            Const::Int { width, value } => Some(Named::new(signed(width, value).to_string(), None)),
            Const::Null => Some(Named::new("NULL", None)),
            Const::Func(function) => Some(self.function(function)),
            Const::Global { .. } => self.address(constant.into(), depth),
            Const::WideInt { .. }
            | Const::Float { .. }
            | Const::Block(_)
            | Const::Undef(_)
            | Const::Poison(_) => None,
        }
    }

    /// A function by the name the user knows, without its parameters.
    fn function(&self, function: FuncId) -> Named {
        let function = &self.module.functions[function];
        let pretty = self.module.symbols.resolve(function.pretty);
        Named::new(without_params(pretty), function.source_type)
    }

    fn definition(&mut self, value: ValueId, depth: u32) -> Option<Named> {
        let inst = match self.body.values[value].def {
            ValueDef::Param(block, _) if block == Body::ENTRY => return self.parameter(value),
            ValueDef::Param(..) => return None,
            ValueDef::Result(inst, _) => inst,
        };
        match self.body.insts[inst].inst {
            Inst::Load { ptr, .. } => {
                let bytes = self.body.values[value].ty.store_bytes(self.module.target.pointer_bytes);
                let place = self.place(ptr, Some(bytes), depth + 1)?;
                Some(Named {
                    text: place.text,
                    binds: place.binds,
                    ty: place.ty.map_or(Typed::Unknown, Typed::Is),
                })
            }
            Inst::Assign { value: source, .. } | Inst::Freeze { arg: source } => {
                self.value(source, depth + 1)
            }
            Inst::Cast { arg, .. } => {
                let named = self.value(arg, depth + 1)?;
                Some(Named { ty: Typed::Unknown, ..named })
            }
            Inst::Alloca { .. } | Inst::PtrAdd { .. } => self.address(value.into(), depth),
            Inst::Call { call } => self.call(&self.body.calls[call], depth),
            Inst::Binary { op, lhs, rhs, .. } => self.arithmetic(op, lhs, rhs, depth),
            _ => None,
        }
    }

    /// A parameter of the function itself is named after the variable that it is first stored to.
    fn parameter(&self, value: ValueId) -> Option<Named> {
        let entry = self.body.blocks.get(Body::ENTRY)?;
        let is_param = |var: &VarId| matches!(self.body.vars[*var].kind, VarKind::Param(_));
        let var = entry.insts.iter().find_map(|&inst| match self.body.insts[inst].inst {
            Inst::Assign { var, value: source } if source == value.into() => Some(var),
            Inst::Store { ptr, value: source, .. } if source == value.into() => self.alloca_var(ptr),
            _ => None,
        });
        self.var(var.filter(is_param)?)
    }

    /// The variable of an alloca.
    fn alloca_var(&self, ptr: Operand) -> Option<VarId> {
        let ValueDef::Result(inst, _) = self.body.values[ptr.value()?].def else { return None };
        match self.body.insts[inst].inst {
            Inst::Alloca { var, .. } => var,
            _ => None,
        }
    }

    /// `f()`, `p->handler()`.
    fn call(&mut self, call: &Call, depth: u32) -> Option<Named> {
        let callee = match call.callee {
            Callee::Func(function) => self.function(function),
            Callee::Ptr(address) => self.value(address, depth + 1)?,
            Callee::Asm(_) => return None,
        };
        let function = self.pointee(callee.ty).or(match callee.ty {
            Typed::Is(ty) => Some(ty),
            Typed::Unknown | Typed::PointsTo(_) => None,
        });
        let result = function.and_then(|ty| match path::stripped(self.module, ty)?.1 {
            SourceType::Function { result, .. } => Some(*result),
            _ => None,
        });
        let text = callee.inside(Binds::Postfix);
        // `new int` calls `operator new`, which nobody wrote.
        let is_written = !["operator new", "operator delete"].iter().any(|it| text.starts_with(it));
        is_written.then(|| Named::new(text + "()", result))
    }

    fn arithmetic(&mut self, op: BinOp, lhs: Operand, rhs: Operand, depth: u32) -> Option<Named> {
        let sign = match op {
            BinOp::Add => "+",
            BinOp::Sub => "-",
            BinOp::Mul => "*",
            BinOp::UDiv | BinOp::SDiv => "/",
            BinOp::URem | BinOp::SRem => "%",
            BinOp::Shl => "<<",
            BinOp::LShr | BinOp::AShr => ">>",
            BinOp::And => "&",
            BinOp::Or => "|",
            BinOp::Xor => "^",
            _ => return None,
        };
        let lhs = self.value(lhs, depth + 1)?.inside(Binds::Prefix);
        let rhs = self.value(rhs, depth + 1)?.inside(Binds::Prefix);
        // `n - 1` is an addition of -1 in the IR.
        let text = match (sign, rhs.strip_prefix('-')) {
            ("+", Some(rhs)) => format!("{lhs} - {rhs}"),
            _ => format!("{lhs} {sign} {rhs}"),
        };
        Some(Named { text, binds: Binds::Binary, ty: Typed::Unknown })
    }

    /// A pointer into a variable, a global or the memory behind another pointer: `&x`, `&p->next`, `buffer`.
    fn address(&mut self, ptr: Operand, depth: u32) -> Option<Named> {
        let place = self.place(ptr, None, depth).filter(|place| place.exact)?;
        let element = place.ty.and_then(|ty| match path::stripped(self.module, ty)?.1 {
            SourceType::Array { element, .. } => Some(*element),
            _ => None,
        });
        if let Some(element) = element {
            // An array is the address of its first element.
            return Some(Named { text: place.text, binds: place.binds, ty: Typed::PointsTo(element) });
        }
        if place.text.starts_with('"') {
            return Some(Named::new(place.text, None));
        }
        let ty = place.ty.map_or(Typed::Unknown, Typed::PointsTo);
        let text = match place.text.strip_prefix('*') {
            Some(pointer) => pointer.to_owned(),
            None => format!("&{}", place.text),
        };
        Some(Named { text, binds: Binds::Prefix, ty })
    }

    /// The memory behind a pointer.
    fn place(&mut self, ptr: Operand, bytes: Option<u64>, depth: u32) -> Option<Lvalue> {
        let (root, mut steps) = self.steps(ptr, depth)?;
        if let Some(object) = self.object(root, &mut steps) {
            return Some(path::in_object(self.module, object, &steps, bytes));
        }
        let pointer = self.value(root, depth + 1)?;
        let to = self.pointee(pointer.ty);
        if self.is_reference(pointer.ty) {
            // A reference is written like the object it refers to.
            let object = Named { ty: to.map_or(Typed::Unknown, Typed::Is), ..pointer };
            return Some(path::in_object(self.module, object, &steps, bytes));
        }
        path::behind_pointer(self.module, pointer, to, &steps, bytes)
    }

    /// Follows address arithmetic back to where it begins.
    fn steps(&mut self, ptr: Operand, depth: u32) -> Option<(Operand, Steps)> {
        let mut steps = Steps { offset: 0, subscripts: Vec::new() };
        let mut root = ptr;
        while let Some(&Inst::PtrAdd { base, index, scale, .. }) = self.inst_of(root) {
            self.steps_left = self.steps_left.checked_sub(1)?;
            match self.int(index) {
                Some(index) => {
                    let bytes = index.checked_mul(i64::try_from(scale).ok()?)?;
                    steps.offset = steps.offset.checked_add(bytes)?;
                }
                None => {
                    let index = self.value(index, depth + 1).unwrap_or_else(|| Named::new("…", None));
                    steps.subscripts.push(Subscript { index, scale });
                }
            }
            root = base;
        }
        steps.subscripts.reverse();
        Some((root, steps))
    }

    /// The variable or global that an address is the address of.
    fn object(&self, root: Operand, steps: &mut Steps) -> Option<Named> {
        match root {
            Operand::Value(_) => self.var(self.alloca_var(root)?),
            Operand::Const(constant) => match *self.body.consts.get(constant)? {
                Const::Global { global, offset } => {
                    steps.offset = steps.offset.checked_add(offset)?;
                    Some(self.global(&self.module.globals[global]))
                }
                _ => None,
            },
        }
    }

    /// A global by its name; a string literal by its text.
    fn global(&self, global: &Global) -> Named {
        let literal = global.init.as_ref().filter(|_| global.constant && global.source_type.is_none());
        let text = literal.and_then(|init| match &init.pieces[..] {
            [(0, bytes)] if init.relocs.is_empty() => std::str::from_utf8(bytes).ok(),
            _ => None,
        });
        let printable = |text: &&str| text.chars().all(|it| !it.is_control());
        match text.map(|text| text.trim_end_matches('\0')).filter(printable) {
            Some(text) => {
                let shown: String = text.chars().take(limits::NAME_LENGTH / 4).collect();
                Named::new(format!("\"{shown}{}\"", if shown.len() < text.len() { "…" } else { "" }), None)
            }
            None => Named::new(self.module.symbols.resolve(global.pretty), global.source_type),
        }
    }

    fn inst_of(&self, operand: Operand) -> Option<&'m Inst> {
        match self.body.values[operand.value()?].def {
            ValueDef::Result(inst, _) => Some(&self.body.insts[inst].inst),
            ValueDef::Param(..) => None,
        }
    }

    fn int(&self, operand: Operand) -> Option<i64> {
        match operand {
            Operand::Const(constant) => match *self.body.consts.get(constant)? {
                Const::Int { width, value } => i64::try_from(signed(width, value)).ok(),
                _ => None,
            },
            Operand::Value(_) => None,
        }
    }

    /// What a pointer of that type points at.
    fn pointee(&self, ty: Typed) -> Option<SourceTypeId> {
        match ty {
            Typed::Unknown => None,
            Typed::PointsTo(to) => Some(to),
            Typed::Is(ty) => match path::stripped(self.module, ty)?.1 {
                SourceType::Pointer { to, .. } => Some(*to),
                SourceType::Array { element, .. } => Some(*element),
                _ => None,
            },
        }
    }

    fn is_reference(&self, ty: Typed) -> bool {
        let Typed::Is(ty) = ty else { return false };
        matches!(path::stripped(self.module, ty), Some((_, SourceType::Pointer { reference: true, .. })))
    }
}

/// The number that the bits of an integer mean when signed; a truth value is 0 or 1.
fn signed(width: u32, value: u128) -> i128 {
    let unused = if width == 1 { 0 } else { 128_u32.saturating_sub(width) };
    (value << unused) as i128 >> unused
}

/// A demangled name without its parameter list and what follows it: `list::push(int) const` is `list::push`.
pub fn without_params(pretty: &str) -> &str {
    let Some(end) = pretty.rfind(')') else { return pretty };
    // In `call<int (int)>` and `(anonymous namespace)::x` the last parentheses are no parameter list.
    if !(pretty[end + 1..].is_empty() || pretty[end + 1..].starts_with(' ')) {
        return pretty;
    }
    let mut depth = 0;
    for (at, byte) in pretty.as_bytes()[..=end].iter().enumerate().rev() {
        depth += i32::from(*byte == b')') - i32::from(*byte == b'(');
        if depth == 0 {
            // `operator()` has no other name.
            return if at == 0 || pretty[..at].ends_with("operator") { pretty } else { &pretty[..at] };
        }
    }
    pretty
}

#[cfg(test)]
mod tests {
    use super::without_params;

    #[test]
    fn parameter_lists_are_left_out() {
        let check = |pretty: &str, expected: &str| assert_eq!(without_params(pretty), expected);
        check("main", "main");
        check("list::push(int)", "list::push");
        check("list::size() const", "list::size");
        check("apply(int (*)(char), int)", "apply");
        check("(anonymous namespace)::helper(int)", "(anonymous namespace)::helper");
        check("(anonymous namespace)::value", "(anonymous namespace)::value");
        check("call<int (int)>", "call<int (int)>");
        check("less::operator()(int, int) const", "less::operator()");
        check("(", "(");
        check(")", ")");
        check("ü()", "ü");
    }
}
