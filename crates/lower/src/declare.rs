//! Globals, functions and ifuncs of a module as ids with names, types and promises; bodies and contents
//! follow later.
//!
//! Dropped: intrinsics (they become instructions) and the `llvm.*` globals, which speak to the linker
//! (`llvm.global_ctors` is read by [`globals`](crate::globals)).

use base::IdVec;
use bitcode::{AttributeListId, GlobalValue, GlobalVariable, Node, TypeId};
use ir::{FnAttrs, Function, Global, Linkage, Signature, SourceTypeId, SymbolRef};

use crate::attributes::of_lane;
use crate::debug::Places;
use crate::env::{Env, Output, Symbols};
use crate::intrinsics::Intrinsic;
use crate::names::demangle;
use crate::nodes::Nodes;

/// Gives every global, function and ifunc its id. Aliases are resolved by [`aliases`](crate::aliases).
pub(crate) fn declare(env: &Env<'_>, out: &mut Output) -> Symbols {
    let module = env.module;
    describe_target(env, out);
    let globals: IdVec<bitcode::GlobalId, _> =
        module.globals.iter().map(|it| declare_global(env, out, it)).collect();
    let mut symbols = Symbols::default();
    for function in module.functions.iter() {
        let intrinsic = Intrinsic::of(&function.name);
        symbols.has_debug_calls |= intrinsic.as_ref().is_some_and(Intrinsic::is_debug);
        let id = intrinsic.is_none().then(|| declare_function(env, out, function));
        symbols.functions.push(id);
        symbols.intrinsics.push(intrinsic);
    }
    let ifuncs: IdVec<bitcode::IfuncId, _> =
        module.ifuncs.iter().map(|it| declare_ifunc(env, out, it)).collect();
    symbols.addresses = module
        .values
        .iter()
        .map(|value| {
            let symbol = match *value {
                GlobalValue::Global(id) => globals.get(id).copied().flatten().map(SymbolRef::Global),
                GlobalValue::Function(id) => symbols.function(id).map(SymbolRef::Func),
                GlobalValue::Ifunc(id) => ifuncs.get(id).copied().map(SymbolRef::Func),
                GlobalValue::Alias(_) | GlobalValue::Constant(_) => None,
            };
            symbol.map(|it| (it, 0))
        })
        .collect();
    symbols
}

fn describe_target(env: &Env<'_>, out: &mut Output) {
    let symbol = |text: &str, out: &mut Output| (!text.is_empty()).then(|| out.module.symbols.intern(text));
    out.module.source = symbol(&env.module.source_filename, out);
    out.module.target = ir::TargetInfo {
        triple: symbol(&env.module.triple, out),
        pointer_bytes: env.pointer_bits / 8,
        big_endian: env.layout.spec.big_endian,
    };
}

/// A declared function of the given name, for what is defined in a way that the IR has no words for.
pub(crate) fn declare_name(env: &Env<'_>, out: &mut Output, name: &str, ty: TypeId) -> ir::FuncId {
    out.library_function(name, &env.signature(ty))
}

/// Our linkage for LLVM's.
pub(crate) fn linkage(linkage: bitcode::Linkage) -> Linkage {
    use bitcode::Linkage as Llvm;
    match linkage {
        Llvm::External | Llvm::Appending => Linkage::External,
        Llvm::AvailableExternally => Linkage::AvailableExternally,
        // One definition rule: all definitions are equal.
        Llvm::LinkOnceOdr | Llvm::WeakOdr => Linkage::LinkOnce,
        Llvm::LinkOnceAny | Llvm::WeakAny | Llvm::Common => Linkage::Weak,
        Llvm::Internal | Llvm::Private => Linkage::Internal,
        Llvm::ExternalWeak => Linkage::ExternWeak,
    }
}

fn declare_global(env: &Env<'_>, out: &mut Output, global: &GlobalVariable) -> Option<ir::GlobalId> {
    if global.name.starts_with("llvm.") {
        return None;
    }
    let name = out.name(&global.name, SymbolRef::Global(out.module.globals.next_id()));
    let layout = env.layout.get(global.ty);
    let align = u32::try_from(global.align).ok().filter(|it| it.is_power_of_two());
    let described = describe_global(env, out, global);
    let demangled = described.name.is_none().then(|| demangle(&global.name)).flatten();
    let pretty = described.name.or_else(|| demangled.map(|it| out.module.symbols.intern(&it)));
    Some(out.module.globals.push(Global {
        name,
        pretty: pretty.unwrap_or(name),
        linkage: linkage(global.linkage),
        size: layout.map_or(0, |it| it.alloc_size()),
        align: align.or(layout.map(|it| it.align)).unwrap_or(1),
        constant: global.constant,
        thread_local: global.thread_local != 0,
        init: None,
        source_type: described.ty,
        loc: described.loc,
    }))
}

/// What debug info says of a global.
struct Described {
    name: Option<base::Symbol>,
    ty: Option<SourceTypeId>,
    loc: ir::LocId,
}

fn describe_global(env: &Env<'_>, out: &mut Output, global: &GlobalVariable) -> Described {
    let nodes = env.nodes(None);
    let unknown = Described { name: None, ty: None, loc: Places::UNKNOWN };
    let attached = nodes.attached(&global.attachments);
    let variable = match nodes.get(attached) {
        Some(Node::GlobalVariableExpression { variable, .. }) => nodes.get(*variable),
        other => other,
    };
    let Some(Node::GlobalVariable(info)) = variable else { return unknown };
    let name = nodes.text(info.name).map(|it| qualified(nodes, info.scope, it));
    Described {
        name: name.map(|it| out.module.symbols.intern(&it)),
        ty: info.ty.map(|it| out.types.convert(&mut out.module, nodes, Some(it))),
        loc: out.places.of_line(&mut out.module, nodes, info.file, info.line),
    }
}

/// `name` with the namespaces and classes around it. A static variable of a function is known by its plain name.
fn qualified(nodes: Nodes<'_>, scope: Option<bitcode::MdId>, name: &str) -> String {
    let mut result = name.to_owned();
    let mut scope = scope;
    for _ in 0..16 {
        let (outer, part) = match nodes.get(scope) {
            Some(Node::Namespace { scope, name }) => (*scope, nodes.text(*name)),
            Some(Node::CompositeType(composite)) => (composite.scope, nodes.text(composite.name)),
            _ => break,
        };
        result = format!("{}::{result}", part.unwrap_or("(anonymous namespace)"));
        scope = outer;
    }
    result
}

fn declare_function(env: &Env<'_>, out: &mut Output, function: &bitcode::Function) -> ir::FuncId {
    let name = out.name(&function.name, SymbolRef::Func(out.module.functions.next_id()));
    let pretty = demangle(&function.name).map(|it| out.module.symbols.intern(&it));
    let (source_type, loc) = describe_function(out, env.nodes(None), &function.attachments);
    // A hostile file can give a thousand functions one type of a million lanes. What is too much has an open signature.
    let mut signature = env.signature(function.ty);
    let (mut param_attrs, mut result_attrs) = promises(env, function.ty, function.attributes);
    if out.spend(signature.params.len()).is_none() {
        signature = Signature { variadic: true, ..Signature::default() };
        (param_attrs, result_attrs) = (Vec::new(), Vec::new());
    }
    let attrs = function_attrs(env, out, function);
    out.module.functions.push(Function {
        name,
        pretty: pretty.unwrap_or(name),
        linkage: linkage(function.linkage),
        signature,
        param_attrs,
        result_attrs,
        attrs,
        source_type,
        loc,
        body: None,
    })
}

/// What debug info says of a function: its type and its place.
pub(crate) fn describe_function(
    out: &mut Output,
    nodes: Nodes<'_>,
    attachments: &[(u32, bitcode::MdId)],
) -> (Option<SourceTypeId>, ir::LocId) {
    let Some(Node::Subprogram(subprogram)) = nodes.get(nodes.attached(attachments)) else {
        return (None, Places::UNKNOWN);
    };
    let ty = subprogram.ty.map(|it| out.types.convert(&mut out.module, nodes, Some(it)));
    (ty, out.places.of_line(&mut out.module, nodes, subprogram.file, subprogram.line))
}

/// What an attribute list promises of the flattened parameters and results of a function type.
fn promises(env: &Env<'_>, ty: TypeId, list: AttributeListId) -> (Vec<ir::ParamAttrs>, Vec<ir::ParamAttrs>) {
    let mut params = Vec::new();
    for (position, &param) in env.params(ty).iter().enumerate() {
        let n_lanes = env.shape(param).lanes().len();
        let attrs = of_lane(env.attributes.param(list, position), n_lanes);
        params.resize(params.len() + n_lanes, attrs);
    }
    let n_results = env.signature(ty).results.len();
    (params, vec![of_lane(env.attributes.result(list), n_results); n_results])
}

fn function_attrs(env: &Env<'_>, out: &mut Output, function: &bitcode::Function) -> FnAttrs {
    let promises = env.attributes.function(function.attributes);
    // Positions of parameters change when they are flattened.
    let params = env.params(function.ty);
    let position = |index: u32| {
        let (before, [own, ..]) = params.split_at_checked(index as usize)? else { return None };
        env.shape(*own).lanes().first()?;
        Some(before.iter().map(|&it| env.shape(it).lanes().len() as u32).sum::<u32>())
    };
    let alloc_size =
        promises.alloc_size.and_then(|(size, count)| Some((position(size)?, count.and_then(position))));
    FnAttrs {
        noreturn: promises.noreturn,
        willreturn: promises.willreturn,
        nounwind: promises.nounwind,
        cold: promises.cold,
        returns_twice: promises.returns_twice,
        nofree: promises.nofree,
        memory: promises.memory,
        alloc_size,
        alloc_kind: promises.alloc_kind,
        alloc_family: promises.alloc_family.as_deref().map(|it| out.module.symbols.intern(it)),
    }
}

/// An ifunc is a function that is defined elsewhere: its resolver chooses when the program is loaded.
fn declare_ifunc(env: &Env<'_>, out: &mut Output, ifunc: &bitcode::Ifunc) -> ir::FuncId {
    declare_name(env, out, &ifunc.name, ifunc.ty)
}
