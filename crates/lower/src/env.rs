//! What translation reads (`Env`) and what it writes (`Output`).

use std::collections::hash_map::Entry;

use base::limits::{LOWER_FACTOR, LOWER_FREE};
use base::{IdVec, Symbol};
use bitcode::{Body, FunctionId, Module, TypeId, ValueId};
use ir::{FnAttrs, FuncId, Function, Linkage, ReasonId, ReasonKind, Signature, SymbolRef};
use rustc_hash::FxHashMap;

use crate::attributes::Attributes;
use crate::debug::Places;
use crate::flat::{self, Shape};
use crate::intrinsics::Intrinsic;
use crate::layout::{DataLayout, Layout};
use crate::nodes::{Nodes, debug_kind};
use crate::source_types::Types;

/// The module that is translated, and what is computed of it once.
pub(crate) struct Env<'m> {
    /// The module as LLVM has it.
    pub module: &'m Module,
    /// Sizes, alignments, offsets.
    pub layout: Layout,
    /// The lanes of types.
    pub shapes: IdVec<TypeId, Shape>,
    /// Promises.
    pub attributes: Attributes,
    /// What globals, functions and aliases became.
    pub symbols: Symbols,
    /// Bits of a pointer.
    pub pointer_bits: u32,
    debug_kind: u32,
}

/// What globals, functions and aliases became.
#[derive(Debug, Default)]
pub(crate) struct Symbols {
    /// By value number: the address, if the thing is kept.
    pub addresses: Vec<Option<(SymbolRef, i64)>>,
    /// By function: the function of the IR; none for intrinsics.
    pub functions: IdVec<FunctionId, Option<FuncId>>,
    /// By function: the intrinsic, if it is one.
    pub intrinsics: IdVec<FunctionId, Option<Intrinsic>>,
    /// Whether calls, and not records, tell of variables.
    pub has_debug_calls: bool,
}

impl Symbols {
    /// The function of the IR.
    pub(crate) fn function(&self, id: FunctionId) -> Option<FuncId> {
        self.functions.get(id).copied().flatten()
    }

    /// The intrinsic that a function is.
    pub(crate) fn intrinsic(&self, id: FunctionId) -> Option<Intrinsic> {
        self.intrinsics.get(id).copied().flatten()
    }
}

impl<'m> Env<'m> {
    /// Computes what depends on types and attributes alone.
    pub(crate) fn new(module: &'m Module) -> Self {
        let layout = Layout::new(DataLayout::parse(&module.data_layout), &module.types);
        let shapes = flat::shapes(&module.types, &layout);
        let attributes = Attributes::new(module, &layout);
        let pointer_bits = layout.spec.pointer(0).bits;
        let debug_kind = debug_kind(module);
        Self { module, layout, shapes, attributes, symbols: Symbols::default(), pointer_bits, debug_kind }
    }

    /// The shape of a type.
    pub(crate) fn shape(&self, ty: TypeId) -> &Shape {
        // The reader checks type numbers; a stray one is like void.
        const NONE: &Shape = &Shape::Lanes(flat::Flat { lanes: Vec::new(), parts: Vec::new() });
        self.shapes.get(ty).unwrap_or(NONE)
    }

    /// The shape of a value, seen from `body`. Globals and functions are pointers.
    pub(crate) fn value_shape(&self, body: Option<&Body>, value: ValueId) -> &Shape {
        const POINTER: &Shape = &Shape::Scalar(ir::Type::Ptr);
        self.module.value_type(body, value).map_or(POINTER, |ty| self.shape(ty))
    }

    /// The signature of a function type, flattened.
    pub(crate) fn signature(&self, ty: TypeId) -> Signature {
        let Some(bitcode::Type::Function { result, params, variadic }) = self.module.types.get(ty) else {
            return Signature::default();
        };
        Signature {
            params: params.iter().flat_map(|&it| self.shape(it).lanes()).copied().collect(),
            results: self.shape(*result).lanes().to_vec(),
            variadic: *variadic,
        }
    }

    /// The parameter types of a function type.
    pub(crate) fn params(&self, ty: TypeId) -> &'m [TypeId] {
        match self.module.types.get(ty) {
            Some(bitcode::Type::Function { params, .. }) => params,
            _ => &[],
        }
    }

    /// The debug info that can be seen from `body` (none: from the module).
    pub(crate) fn nodes<'b>(&self, body: Option<&'b Body>) -> Nodes<'b>
    where
        'm: 'b,
    {
        Nodes { module: self.module, body, debug_kind: self.debug_kind }
    }
}

/// The module that is made.
pub(crate) struct Output {
    /// What is finished of it.
    pub module: ir::Module,
    /// Places that are known.
    pub places: Places,
    /// Types of the user that are known.
    pub types: Types,
    /// Reasons that are known.
    reasons: FxHashMap<(ReasonKind, Option<Symbol>), ReasonId>,
    /// Inline assembly texts that are known.
    asm: FxHashMap<Symbol, ir::AsmId>,
    /// What the linker knows by a name.
    names: FxHashMap<Symbol, SymbolRef>,
    /// Instructions, parameters and arguments that may still be made.
    pub budget: usize,
}

impl Output {
    /// An empty module for what becomes of `module`.
    pub(crate) fn new(module: &Module) -> Self {
        let bodies = module.functions.iter().filter_map(|it| it.body.as_ref());
        let n_insts: usize = bodies.map(|it| it.insts.len()).sum();
        Self {
            module: ir::Module::new(),
            places: Places::new(module),
            types: Types::new(module),
            reasons: FxHashMap::default(),
            asm: FxHashMap::default(),
            names: FxHashMap::default(),
            budget: LOWER_FREE + LOWER_FACTOR * n_insts,
        }
    }

    /// Takes what is about to be made from the budget; none if there is not enough left.
    pub(crate) fn spend(&mut self, amount: usize) -> Option<()> {
        self.budget = self.budget.checked_sub(amount)?;
        Some(())
    }

    /// The id of a reason for something not modeled.
    pub(crate) fn reason(&mut self, kind: ReasonKind, detail: &str) -> ReasonId {
        let detail = (!detail.is_empty()).then(|| self.module.symbols.intern(detail));
        let reasons = &mut self.module.reasons;
        *self.reasons.entry((kind, detail)).or_insert_with(|| reasons.push(ir::Reason { kind, detail }))
    }

    /// The id of an inline assembly text.
    pub(crate) fn asm(&mut self, text: &str) -> ir::AsmId {
        let text = self.module.symbols.intern(text);
        *self.asm.entry(text).or_insert_with(|| self.module.asm.push(text))
    }

    /// Gives a linker's name to `owner`. Of two things of one name, as only a damaged file has them, the second goes without.
    pub(crate) fn name(&mut self, name: &str, owner: SymbolRef) -> Symbol {
        let symbol = self.module.symbols.intern(name);
        match self.names.entry(symbol) {
            Entry::Occupied(_) => self.module.symbols.intern(""),
            Entry::Vacant(entry) => {
                entry.insert(owner);
                symbol
            }
        }
    }

    /// The function of that name, declared with `signature` if the module does not have it.
    pub(crate) fn library_function(&mut self, name: &str, signature: &Signature) -> FuncId {
        if let Some(known) = self.module.symbols.lookup(name)
            && let Some(SymbolRef::Func(func)) = self.names.get(&known)
        {
            return *func;
        }
        let name = self.name(name, SymbolRef::Func(self.module.functions.next_id()));
        self.module.functions.push(Function {
            name,
            pretty: name,
            linkage: Linkage::External,
            signature: signature.clone(),
            param_attrs: vec![Default::default(); signature.params.len()],
            result_attrs: vec![Default::default(); signature.results.len()],
            attrs: FnAttrs::default(),
            source_type: None,
            loc: Places::UNKNOWN,
            body: None,
        })
    }
}
