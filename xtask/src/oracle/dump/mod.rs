//! Our own module in the oracle's format.
//!
//! The format, and why it is as it is, stands at the top of `tests/oracle/dump.cpp`: both programs print the
//! same lines for the same file. Where our reader does not know something, the text says so and thereby
//! differs.

mod attributes;
mod debug;
mod debug_types;
mod instructions;
mod metadata;
mod names;
mod text;
mod types;
mod values;

use std::collections::BTreeMap;

use base::Id;
use bitcode::{
    Body, DebugLoc, Def, Function, GlobalVariable, InstId, Linkage, MdId, Module, Node, Op, Type, TypeId,
    ValueId,
};

use self::debug::{DebugLocation, VariableRecord};
use self::names::linkage_name;
use self::text::quoted;
use self::values::{block_name, global_text};

/// The text of a whole module.
pub(super) fn dump(module: &Module) -> String {
    let mut dump = Dump {
        module,
        body: None,
        out: String::new(),
        named_structs: BTreeMap::new(),
        debug_types: BTreeMap::new(),
    };
    dump.print_module();
    dump.out
}

/// The dump so far.
struct Dump<'m> {
    module: &'m Module,
    /// The body being printed; operands are seen from it.
    body: Option<&'m Body>,
    out: String,
    /// Named structs that were mentioned.
    named_structs: BTreeMap<String, TypeId>,
    /// Numbers of the debug types that were printed, by their text.
    debug_types: BTreeMap<String, usize>,
}

impl<'m> Dump<'m> {
    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn print_module(&mut self) {
        let module = self.module;
        self.line(&format!("triple {}", quoted(module.triple.as_bytes())));
        self.line(&format!("datalayout {}", quoted(module.data_layout.as_bytes())));
        self.line(&format!("source {}", quoted(module.source_filename.as_bytes())));
        if !module.asm.is_empty() {
            self.line(&format!("asm {}", quoted(module.asm.as_bytes())));
        }
        self.print_named_metadata();
        for (index, global) in module.globals.iter().enumerate() {
            self.print_global(index, global);
        }
        self.print_aliases();
        for (index, function) in module.functions.iter().enumerate() {
            if !function.name.starts_with("llvm.dbg.") {
                self.print_function(index, function);
            }
        }
        self.print_named_structs();
    }

    /// Named lists of nodes with the nodes' own operands, one level deep.
    fn print_named_metadata(&mut self) {
        let module = self.module;
        for (name, members) in &module.metadata.named {
            self.line(&format!("named {}", quoted(name.as_bytes())));
            for &member in members {
                let text = match self.node(Some(member)) {
                    Some(Node::CompileUnit { language, file, producer }) => {
                        self.unit(*language, *file, *producer)
                    }
                    _ => {
                        let elements = self.tuple(Some(member));
                        let texts = text::joined(elements, |&id| match id {
                            None => "null".into(),
                            id => self.metadata_operand(id),
                        });
                        format!("{{{texts}}}")
                    }
                };
                self.line(&format!("  {text}"));
            }
        }
    }

    fn print_aliases(&mut self) {
        let module = self.module;
        for (index, alias) in module.aliases.iter().enumerate() {
            let name = global_text(&alias.name, "alias", index);
            let flags = global_flags(alias.linkage, alias.visibility, alias.thread_local);
            let text = format!("alias {name} {}{flags} = {}", self.ty(alias.ty), self.operand(alias.target));
            self.line(&text);
        }
        for (index, ifunc) in module.ifuncs.iter().enumerate() {
            let name = global_text(&ifunc.name, "ifunc", index);
            let flags = global_flags(ifunc.linkage, ifunc.visibility, 0);
            let text =
                format!("ifunc {name} {}{flags} = {}", self.ty(ifunc.ty), self.operand(ifunc.resolver));
            self.line(&text);
        }
    }

    fn print_global(&mut self, index: usize, global: &GlobalVariable) {
        let variables: Vec<String> =
            self.debug_nodes(&global.attachments).into_iter().map(|id| self.global_variable(id)).collect();
        let name = global_text(&global.name, "variable", index);
        let space = if global.address_space == 0 {
            String::new()
        } else {
            format!(" addrspace={}", global.address_space)
        };
        let constant = if global.constant { " constant" } else { "" };
        let flags = global_flags(global.linkage, global.visibility, global.thread_local);
        let unnamed = unnamed_address(global.unnamed_addr);
        let placement = self.placement(global.align, global.section);
        let text =
            format!("global {name} {}{space}{constant}{flags}{unnamed}{placement}", self.ty(global.ty));
        self.line(&text);
        self.print_attributes(global.attributes, "  ");
        if let Some(initializer) = global.initializer {
            let text = self.operand(initializer);
            self.line(&format!("  init {text}"));
        }
        self.print_attachments(global.attachments.iter().copied(), "  ");
        for variable in variables {
            self.line(&format!("  {variable}"));
        }
    }

    /// The nodes attached as `dbg`.
    fn debug_nodes(&self, attachments: &[(u32, MdId)]) -> Vec<MdId> {
        attachments.iter().filter(|(kind, _)| self.kind_name(*kind) == "dbg").map(|&(_, id)| id).collect()
    }

    fn placement(&self, align: u64, section: u32) -> String {
        let mut text = if align == 0 { String::new() } else { format!(" align={align}") };
        if let Some(index) = (section as usize).checked_sub(1) {
            let name = self.module.sections.get(index).map_or("?", String::as_str);
            text += &format!(" section={}", quoted(name.as_bytes()));
        }
        text
    }

    fn print_function(&mut self, index: usize, function: &'m Function) {
        // The subprogram and its types can be among the body's own metadata.
        self.body = function.body.as_ref();
        let attachments = function.body.as_ref().map_or(&function.attachments, |body| &body.attachments);
        let subprogram = match self.debug_nodes(attachments).first().map(|&id| self.node(Some(id))) {
            Some(Some(Node::Subprogram(subprogram))) => Some(self.subprogram(subprogram)),
            Some(other) => Some(format!("no subprogram {other:?}")),
            None => None,
        };
        let head = if function.defined { "define" } else { "declare" };
        let name = global_text(&function.name, "function", index);
        let flags = global_flags(function.linkage, function.visibility, 0);
        let placement = self.placement(function.align, function.section);
        let ty = self.ty(function.ty);
        let unnamed = unnamed_address(function.unnamed_addr);
        self.line(&format!(
            "{head} {name} {ty}{flags}{unnamed} cc={}{placement}",
            function.calling_convention
        ));
        if let Some(personality) = function.personality {
            let text = self.operand(personality);
            self.line(&format!("  personality {text}"));
        }
        if !function.name.starts_with("llvm.") {
            self.print_attributes(function.attributes, "  ");
        }
        self.print_attachments(attachments.iter().copied(), "  ");
        if let Some(subprogram) = subprogram {
            self.line(&format!("  {subprogram}"));
        }
        self.print_body(function);
        self.body = None;
    }

    fn print_body(&mut self, function: &'m Function) {
        if let Some(cause) = &function.broken {
            self.line(&format!("no body: {cause}"));
        }
        let Some(body) = &function.body else { return };
        for (value, name) in &body.value_names {
            self.line(&format!("  name %{} {}", self.local_number(*value), quoted(name.as_bytes())));
        }
        let mut records = body.records.iter().peekable();
        let mut n_values = body.arguments.len();
        for (index, block) in body.blocks.iter().enumerate() {
            self.line(&format!("{}:", block_name(Id::new(index))));
            for offset in 0..block.len as usize {
                let inst = InstId::new(block.first.index() + offset);
                while let Some(record) = records.next_if(|record| record.before <= inst) {
                    self.print_record(record);
                }
                self.print_instruction(body, inst, &mut n_values);
            }
        }
    }

    fn print_instruction(&mut self, body: &'m Body, id: InstId, n_values: &mut usize) {
        let inst = &body.insts[id];
        let loc = inst.loc.map(|loc| body.locs[loc]);
        if self.print_debug_intrinsic(&inst.op, loc) {
            return;
        }
        let (head, details) = self.operation(&inst.op);
        let ty = self.ty(inst.ty);
        let result = if self.module.types.get(inst.ty) == Some(&Type::Void) {
            String::new()
        } else {
            *n_values += 1;
            format!("%{} = ", *n_values - 1)
        };
        self.line(&format!("  {result}{head} : {ty}{details}"));
        if let Op::Call(call) | Op::Invoke { call, .. } | Op::CallBr { call, .. } = &inst.op {
            for (tag, values) in &call.bundles {
                self.print_bundle(*tag, values);
            }
            self.print_attributes(call.attributes, "    ");
        }
        let first = body.inst_attachments.partition_point(|(owner, ..)| *owner < id);
        let own = body.inst_attachments[first..].iter().take_while(|(owner, ..)| *owner == id);
        self.print_attachments(own.map(|&(_, kind, node)| (kind, node)), "    ");
        self.print_location(loc.map(|loc| DebugLocation(loc).into()));
    }

    fn print_bundle(&mut self, tag: u32, values: &[ValueId]) {
        let tag = self.module.bundle_tags.get(tag as usize).map_or("?", String::as_str);
        let values = text::joined(values, |&value| self.operand(value));
        self.line(&format!("    bundle {}({values})", quoted(tag.as_bytes())));
    }

    /// Prints a call of `llvm.dbg.*` as the record that it stands for; false if `op` is something else.
    fn print_debug_intrinsic(&mut self, op: &Op, loc: Option<DebugLoc>) -> bool {
        let Op::Call(call) = op else { return false };
        let Some(Def::Function(callee)) = self.module.def(self.body, call.callee) else { return false };
        let location = loc.map(|loc| DebugLocation(loc).into());
        let arg = |position| call.metadata_arg(position);
        let kind = match &*self.module.functions[callee].name {
            "llvm.dbg.declare" => "declare",
            "llvm.dbg.value" => "value",
            "llvm.dbg.assign" => "assign",
            "llvm.dbg.label" => {
                self.print_label(arg(0), location);
                return true;
            }
            _ => return false,
        };
        let mut operands = self.located(arg(0), arg(2));
        if kind == "assign" {
            operands += &format!(" address {}", self.located(arg(4), arg(5)));
        }
        self.print_variable(&VariableRecord { kind, operands, variable: arg(1) }, location);
        true
    }
}

fn unnamed_address(code: u32) -> &'static str {
    match code {
        0 => "",
        1 => " unnamed_addr",
        2 => " local_unnamed_addr",
        _ => " unnamed_addr=?",
    }
}

/// What all kinds of globals share: linkage, visibility, thread-local mode.
fn global_flags(linkage: Linkage, visibility: u32, thread_local: u32) -> String {
    let visibility = match visibility {
        0 => "",
        1 => " hidden",
        2 => " protected",
        _ => " visibility=?",
    };
    let thread_local = match thread_local {
        0 => "",
        1 => " tls=generaldynamic",
        2 => " tls=localdynamic",
        3 => " tls=initialexec",
        4 => " tls=localexec",
        _ => " tls=?",
    };
    format!(" {}{visibility}{thread_local}", linkage_name(linkage))
}
