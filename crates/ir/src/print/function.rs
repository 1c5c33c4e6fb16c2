//! Functions: the header, variables, blocks and how they end.

use base::IdVec;

use crate::function::{Block, BlockId, Body, Function, ValueId, Var, VarId, VarKind};
use crate::inst::{Target, Terminator};
use crate::module::{FileId, FnAttrs, Loc, ModRef, Module, ParamAttrs};
use crate::types::{Signature, Type};

use super::{Printer, put};

/// What the lines of one body refer to.
pub(super) struct BodyCx<'f> {
    pub(super) body: &'f Body,
    /// The function's own file.
    pub(super) home: Option<FileId>,
    /// The variables whose name alone does not tell which one is meant.
    shadowed: IdVec<VarId, bool>,
}

impl<'f> BodyCx<'f> {
    pub(super) fn new(module: &Module, function: &Function, body: &'f Body) -> Self {
        // The place of a function stands in its header, unless it is one of the table at the end.
        let plain = |loc: &&Loc| loc.function.is_none() && loc.inlined_at.is_none();
        let home = module.locs.get(function.loc).filter(plain).and_then(|loc| loc.file);
        let mut by_name: Vec<VarId> = body.vars.ids().collect();
        by_name.sort_by_key(|&var| body.vars[var].name);
        let mut shadowed = IdVec::from_vec(vec![false; body.vars.len()]);
        for pair in by_name.windows(2).filter(|pair| body.vars[pair[0]].name == body.vars[pair[1]].name) {
            (shadowed[pair[0]], shadowed[pair[1]]) = (true, true);
        }
        Self { body, home, shadowed }
    }
}

impl Printer<'_> {
    pub(super) fn function(&mut self, function: &Function) {
        self.out.push_str("func ");
        self.linkage(function.linkage);
        self.new_global_name(function.name);
        self.typed_list(&function.signature.params, &function.param_attrs, function.signature.variadic);
        if !function.signature.results.is_empty() {
            self.out.push_str(" -> ");
            self.typed_list(&function.signature.results, &function.result_attrs, false);
        }
        self.fn_attrs(&function.attrs);
        if function.pretty != function.name {
            self.out.push_str(" pretty ");
            self.string(function.pretty);
        }
        if let Some(ty) = function.source_type {
            put!(self, " : {ty}");
        }
        self.loc_suffix(function.loc, None);
        if let Some(body) = &function.body {
            self.out.push_str(" {\n");
            self.body(&BodyCx::new(self.module, function, body));
            self.out.push('}');
        }
        self.out.push('\n');
    }

    /// `(i32 noundef, ptr, ...)`.
    fn typed_list(&mut self, types: &[Type], attrs: &[ParamAttrs], variadic: bool) {
        self.out.push('(');
        for (position, ty) in types.iter().enumerate() {
            put!(self, "{}{ty}", if position == 0 { "" } else { ", " });
            attrs.get(position).into_iter().for_each(|attrs| self.param_attrs(attrs));
        }
        let dots = if types.is_empty() { "..." } else { ", ..." };
        self.out.push_str(if variadic { dots } else { "" });
        self.out.push(')');
    }

    /// A signature without promises.
    pub(super) fn signature(&mut self, signature: &Signature) {
        self.typed_list(&signature.params, &[], signature.variadic);
        if !signature.results.is_empty() {
            self.out.push_str(" -> ");
            self.typed_list(&signature.results, &[], false);
        }
    }

    fn fn_attrs(&mut self, attrs: &FnAttrs) {
        attrs.flag_words().for_each(|word| put!(self, " {word}"));
        let memory = attrs.memory;
        let effects = [("args", memory.args), ("inaccessible", memory.inaccessible), ("other", memory.other)];
        if effects.iter().any(|(_, effect)| *effect != ModRef::BOTH) {
            self.out.push_str(" memory(");
            self.comma_separated(&effects, |printer, &(word, effect)| {
                put!(printer, "{word}: {}", mod_ref_word(effect));
            });
            self.out.push(')');
        }
        match attrs.alloc_size {
            Some((size, Some(count))) => put!(self, " alloc_size({size}, {count})"),
            Some((size, None)) => put!(self, " alloc_size({size})"),
            None => {}
        }
        for (position, word) in attrs.alloc_kind.flag_words().enumerate() {
            put!(self, "{}{word}", if position == 0 { " alloc_kind(" } else { " " });
        }
        self.out.push_str(if attrs.alloc_kind == Default::default() { "" } else { ")" });
        if let Some(family) = attrs.alloc_family {
            self.out.push_str(" alloc_family ");
            self.string(family);
        }
    }

    /// What is promised of a parameter, argument or result, each word after a space.
    pub(super) fn param_attrs(&mut self, attrs: &ParamAttrs) {
        if *attrs == ParamAttrs::default() {
            return;
        }
        attrs.flag_words().for_each(|word| put!(self, " {word}"));
        if let Some(bytes) = attrs.byval {
            put!(self, " byval({bytes})");
        }
        let numbers = [
            ("deref", attrs.dereferenceable),
            ("deref_or_null", attrs.dereferenceable_or_null),
            ("align", attrs.align.into()),
        ];
        for (word, number) in numbers.into_iter().filter(|&(_, number)| number != 0) {
            put!(self, " {word}({number})");
        }
    }

    fn body(&mut self, cx: &BodyCx<'_>) {
        for (id, var) in cx.body.vars.iter_ids() {
            self.var(cx, id, var);
        }
        for (id, block) in cx.body.blocks.iter_ids() {
            self.block(cx, id, block);
        }
    }

    fn var(&mut self, cx: &BodyCx<'_>, id: VarId, var: &Var) {
        put!(self, "  var {id} ");
        self.user_name(var.name);
        if let Some(ty) = var.source_type {
            put!(self, ": {ty}");
        }
        put!(self, " {}", var.kind.word());
        if let VarKind::Param(position) = var.kind {
            put!(self, " {position}");
        }
        self.loc_suffix(var.loc, cx.home);
        self.out.push('\n');
    }

    /// The name of a variable, with its number if another one has the same name.
    pub(super) fn var_ref(&mut self, cx: &BodyCx<'_>, id: VarId) {
        match cx.body.vars.get(id) {
            Some(var) => self.user_name(var.name),
            None => self.out.push_str("\"\""),
        }
        if cx.shadowed.get(id).copied().unwrap_or(true) {
            put!(self, "#{id}");
        }
    }

    fn block(&mut self, cx: &BodyCx<'_>, id: BlockId, block: &Block) {
        put!(self, "{id}");
        if !block.params.is_empty() {
            self.out.push('(');
            self.comma_separated(&block.params, |printer, &param| printer.value_def(cx, param));
            self.out.push(')');
        }
        self.out.push_str(":\n");
        for &inst in &block.insts {
            self.out.push_str("  ");
            self.inst_line(cx, inst);
        }
        self.out.push_str("  ");
        self.terminator(cx, &block.term);
        self.loc_suffix(block.term_loc, cx.home);
        self.out.push('\n');
    }

    /// `v3: i32 n` where a value is defined.
    pub(super) fn value_def(&mut self, cx: &BodyCx<'_>, id: ValueId) {
        put!(self, "{id}");
        let Some(value) = cx.body.values.get(id) else { return };
        put!(self, ": {}", value.ty);
        if let Some(var) = value.var {
            self.out.push(' ');
            self.var_ref(cx, var);
        }
    }

    fn terminator(&mut self, cx: &BodyCx<'_>, term: &Terminator) {
        match term {
            Terminator::Jump(target) => {
                self.out.push_str("jump ");
                self.target(cx, target);
            }
            Terminator::Branch { cond, on_true, on_false } => {
                self.out.push_str("branch ");
                self.operand(cx, *cond);
                self.out.push_str(" ? ");
                self.target(cx, on_true);
                self.out.push_str(" : ");
                self.target(cx, on_false);
            }
            Terminator::Switch { value, cases, default } => {
                self.out.push_str("switch ");
                self.operand(cx, *value);
                self.out.push_str(" {\n");
                for &(case, ref target) in cases {
                    self.out.push_str("    ");
                    self.operand(cx, case.into());
                    self.out.push_str(": ");
                    self.target(cx, target);
                    self.out.push('\n');
                }
                self.out.push_str("    default: ");
                self.target(cx, default);
                self.out.push_str("\n  }");
            }
            Terminator::IndirectJump { address, targets } => {
                self.out.push_str("indirect ");
                self.operand(cx, *address);
                self.out.push_str(" [");
                self.comma_separated(targets, |printer, target| printer.target(cx, target));
                self.out.push(']');
            }
            Terminator::Return { values } => {
                self.out.push_str(if values.is_empty() { "return" } else { "return " });
                self.comma_separated(values, |printer, &value| printer.operand(cx, value));
            }
            Terminator::Unreachable { cause } => put!(self, "unreachable {}", cause.word()),
        }
    }

    fn target(&mut self, cx: &BodyCx<'_>, target: &Target) {
        put!(self, "{}", target.block);
        if !target.args.is_empty() {
            self.out.push('(');
            self.comma_separated(&target.args, |printer, &arg| printer.operand(cx, arg));
            self.out.push(')');
        }
    }
}

/// The word for reading and writing.
fn mod_ref_word(effect: ModRef) -> &'static str {
    match (effect.read, effect.write) {
        (false, false) => "none",
        (true, false) => "read",
        (false, true) => "write",
        (true, true) => "readwrite",
    }
}
