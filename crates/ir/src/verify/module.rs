//! L1, L3, L4, L6, L7, L8: the target, places, names, globals and headers of functions.

use rustc_hash::FxHashSet;

use base::{Id, Symbol};

use crate::function::Function;
use crate::module::{Global, Init, Loc, LocId, Module};
use crate::types::{Signature, Type};
use crate::words::WIDEST_INT;

use super::{FuncCx, Law, Position, Sink, Violation, ids};

/// Everything but functions.
pub(super) fn check(module: &Module, violations: &mut Vec<Violation>) {
    ids::check_module(module, violations);
    let mut sink = ModuleSink { violations };
    let pointer_bytes = module.target.pointer_bytes;
    sink.expect((1..=8).contains(&pointer_bytes), Law::L1, Position::Header, || {
        format!("pointers have {pointer_bytes} bytes")
    });
    check_locs(module, &mut sink);
    check_names(module, &mut sink);
    for (id, global) in module.globals.iter_ids() {
        check_global(global, Position::Global(id), &mut sink);
    }
}

struct ModuleSink<'v> {
    violations: &'v mut Vec<Violation>,
}

impl ModuleSink<'_> {
    fn expect(&mut self, holds: bool, law: Law, place: Position, message: impl FnOnce() -> String) {
        if !holds {
            self.violations.push(Violation { law, function: None, place, message: message() });
        }
    }
}

fn check_locs(module: &Module, sink: &mut ModuleSink<'_>) {
    let first = module.locs.get(LocId::FIRST);
    sink.expect(first == Some(&Loc::default()), Law::L3, Position::Loc(LocId::FIRST), || {
        "the first place should be the unknown one".into()
    });
    // By place: the walk that came there first; a walk that comes back to its own trail has found a cycle.
    let mut walk_of = vec![None; module.locs.len()];
    for id in module.locs.ids() {
        if walk_of[id.index()].is_some() {
            continue;
        }
        let mut next = Some(id);
        while let Some(at) = next.filter(|&at| walk_of.get(at.index()) == Some(&None)) {
            walk_of[at.index()] = Some(id);
            next = module.locs[at].inlined_at;
        }
        let cyclic = next.is_some_and(|at| walk_of.get(at.index()) == Some(&Some(id)));
        sink.expect(!cyclic, Law::L3, Position::Loc(id), || {
            "its chain of inlining comes back to itself".into()
        });
    }
}

fn check_names(module: &Module, sink: &mut ModuleSink<'_>) {
    let globals = module.globals.iter_ids().map(|(id, it)| (it.name, Position::Global(id)));
    let functions = module.functions.iter().map(|it| (it.name, Position::Header));
    let aliases = module.aliases.iter().map(|it| (it.name, Position::Header));
    let mut seen: FxHashSet<Symbol> = FxHashSet::default();
    for (name, place) in globals.chain(functions).chain(aliases) {
        if !ids::has_symbol(module, name) || module.symbols.resolve(name).is_empty() {
            continue;
        }
        sink.expect(seen.insert(name), Law::L4, place, || {
            format!("another definition is called `{}`", module.symbols.resolve(name))
        });
    }
}

fn check_global(global: &Global, place: Position, sink: &mut ModuleSink<'_>) {
    sink.expect(global.align.is_power_of_two(), Law::L6, place, || format!("align {}", global.align));
    let problem = global.init.as_ref().and_then(|init| init_problem(init, global.size));
    sink.expect(problem.is_none(), Law::L7, place, || problem.unwrap_or_default());
}

/// What is wrong with an initializer.
fn init_problem(init: &Init, size: u64) -> Option<String> {
    let pieces = init.pieces.iter().map(|(offset, bytes)| (*offset, bytes.len() as u64));
    let relocs = init.relocs.iter().map(|it| (it.offset, u64::from(it.bytes)));
    if let Some(reloc) = init.relocs.iter().find(|it| !(1..=8).contains(&it.bytes)) {
        return Some(format!("the address at {} has {} bytes", reloc.offset, reloc.bytes));
    }
    let problem = range_problem(pieces, size, "piece").or_else(|| range_problem(relocs, size, "address"));
    if problem.is_some() {
        return problem;
    }
    // Both lists ascend, so one walk over the pieces serves all addresses.
    let mut pieces = init.pieces.iter().peekable();
    for reloc in &init.relocs {
        let end = reloc.offset + u64::from(reloc.bytes);
        while pieces.next_if(|(offset, bytes)| offset + bytes.len() as u64 <= reloc.offset).is_some() {}
        let mut over = pieces.clone().take_while(|(offset, _)| *offset < end);
        let beneath = |(offset, bytes): &(u64, Vec<u8>)| {
            let from = reloc.offset.saturating_sub(*offset) as usize;
            let to = ((end - offset) as usize).min(bytes.len());
            bytes.get(from..to).is_some_and(|bytes| bytes.iter().any(|&byte| byte != 0))
        };
        if over.any(beneath) {
            return Some(format!("bytes beneath the address at {} are not zero", reloc.offset));
        }
    }
    None
}

/// What is wrong with a list of ranges that should be ascending, disjoint, not empty and inside.
fn range_problem(ranges: impl Iterator<Item = (u64, u64)>, size: u64, what: &str) -> Option<String> {
    let mut last_end = 0;
    for (offset, bytes) in ranges {
        let end = offset.checked_add(bytes).filter(|&end| end <= size);
        let Some(end) = end else {
            return Some(format!("the {what} at {offset} ends outside"));
        };
        if bytes == 0 {
            return Some(format!("the {what} at {offset} is empty"));
        }
        if offset < last_end {
            return Some(format!("the {what} at {offset} begins before the end of the one before"));
        }
        last_end = end;
    }
    None
}

/// The header of a function.
pub(super) fn check_function_header(cx: &FuncCx<'_>, sink: &mut Sink) {
    let Function { signature, param_attrs, result_attrs, attrs, .. } = cx.function;
    check_signature(signature, Position::Header, sink);
    let counts = [
        ("parameters", signature.params.len(), param_attrs),
        ("results", signature.results.len(), result_attrs),
    ];
    for (what, expected, attrs) in counts {
        let holds = expected == attrs.len();
        sink.expect(holds, Law::L8, Position::Header, || {
            format!("{} promises for {expected} {what}", attrs.len())
        });
        check_param_aligns(attrs, Position::Header, sink);
    }
    if let Some((size, count)) = attrs.alloc_size {
        let n_params = signature.params.len() as u32;
        let holds = size < n_params && count.is_none_or(|count| count < n_params);
        sink.expect(holds, Law::L8, Position::Header, || {
            "`alloc_size` names a parameter that does not exist".into()
        });
    }
}

/// L6 for parameters, arguments and results.
pub(super) fn check_param_aligns(attrs: &[crate::ParamAttrs], place: Position, sink: &mut Sink) {
    for align in attrs.iter().map(|it| it.align).filter(|&align| align != 0) {
        sink.expect(align.is_power_of_two(), Law::L6, place, || format!("align({align})"));
    }
}

/// L5 for the types of a signature.
pub(super) fn check_signature(signature: &Signature, place: Position, sink: &mut Sink) {
    for ty in signature.params.iter().chain(&signature.results) {
        sink.expect(has_width(*ty), Law::L5, place, || {
            format!("the type {ty} of the signature has no such width")
        });
    }
}

/// Whether the width of a type is one that integers may have.
pub(super) fn has_width(ty: Type) -> bool {
    match ty {
        Type::Int(width) => (1..=WIDEST_INT).contains(&width),
        Type::Ptr | Type::Float(_) => true,
    }
}
