//! Random modules: their ids exist and every value is defined once (laws L2 and L10), everything else is arbitrary.

use base::{Id, Symbol};
use ir::{
    Access, Alias, AllocKind, ArithFlags, BinOp, Block, Body, Call, Callee, CastOp, CmpOp, Const, FloatKind,
    FnAttrs, Function, Global, Init, Inst, Lifetime, Linkage, Loc, Member, MemoryEffects, ModRef, Module,
    Operand, ParamAttrs, ReasonKind, Reloc, Signature, SourceType, SymbolRef, Target, Terminator, Type, UnOp,
    UnreachableCause, Var, VarKind,
};

/// A small generator of random numbers (xorshift64*).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `end`, which should not be 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() >> 33) as usize % end
    }

    pub(crate) fn flip(&mut self) -> bool {
        self.below(2) == 0
    }

    pub(crate) fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    /// A number of any size; small ones and the ends of the range are frequent.
    fn number(&mut self) -> u64 {
        match self.below(4) {
            0 => self.below(4) as u64,
            1 => self.next() >> 56,
            2 => self.next(),
            _ => self.pick(&[u64::MAX, i64::MAX as u64, 1 << 63, 1 << 31]),
        }
    }

    fn optional<T>(&mut self, item: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.flip() { Some(item(self)) } else { None }
    }

    fn list<T>(&mut self, end: usize, mut item: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(end)).map(|_| item(self)).collect()
    }

    /// The id of one of `len` things.
    fn id<I: Id>(&mut self, len: usize) -> I {
        I::new(self.below(len))
    }
}

/// How many of each kind a module has; at least one each, so that ids exist.
struct Counts {
    files: usize,
    locs: usize,
    types: usize,
    globals: usize,
    functions: usize,
}

const NAMES: [&str; 12] =
    ["", "p", "next", "v1", "i32", "a b", "\"", "ü\u{2028}\n", ".str.1", "_ZN1a1bEv", "global", "7up"];

/// A random module.
pub(crate) fn module(random: &mut Random) -> Module {
    let mut module = Module::new();
    let mut count = |end| 1 + random.below(end);
    let counts = Counts {
        files: count(3),
        locs: 1 + count(5),
        types: count(8),
        globals: count(4),
        functions: count(4),
    };
    let symbols: Vec<Symbol> = NAMES.iter().map(|name| module.symbols.intern(name)).collect();
    module.source = random.optional(|it| it.pick(&symbols));
    module.target.triple = random.optional(|it| it.pick(&symbols));
    module.target.pointer_bytes = random.number() as u32;
    module.target.big_endian = random.flip();
    module.files = (0..counts.files).map(|_| random.pick(&symbols)).collect();
    for _ in 1..counts.locs {
        module.locs.push(loc(random, &counts, &symbols));
    }
    module.types = (0..counts.types).map(|_| source_type(random, &counts, &symbols)).collect();
    for _ in 0..3 {
        let detail = random.optional(|it| it.pick(&symbols));
        module.reason(random.pick(&ReasonKind::ALL), detail);
        module.asm.push(random.pick(&symbols));
    }
    let n_reasons = module.reasons.len();
    module.globals = (0..counts.globals).map(|_| global(random, &counts, &symbols)).collect();
    module.functions =
        (0..counts.functions).map(|_| function(random, &counts, &symbols, n_reasons)).collect();
    module.aliases = random.list(3, |it| Alias {
        name: it.pick(&symbols),
        linkage: it.pick(Linkage::ALL),
        target: symbol_ref(it, &counts),
        offset: it.number() as i64,
    });
    module.constructors = random.list(3, |it| (it.number() as u32, it.id(counts.functions)));
    module.destructors = random.list(3, |it| (it.number() as u32, it.id(counts.functions)));
    module
}

fn loc(random: &mut Random, counts: &Counts, symbols: &[Symbol]) -> Loc {
    let inlined = random.below(3) == 0;
    Loc {
        file: random.optional(|it| it.id(counts.files)),
        line: random.number() as u32,
        column: random.number() as u32,
        function: random.optional(|it| it.pick(symbols)).filter(|_| inlined),
        inlined_at: random.optional(|it| it.id(counts.locs)).filter(|_| inlined),
    }
}

fn source_type(random: &mut Random, counts: &Counts, symbols: &[Symbol]) -> SourceType {
    let name = random.optional(|it| it.pick(symbols));
    let size = random.number();
    let to = random.id(counts.types);
    match random.below(10) {
        0 => SourceType::Unknown,
        1 => SourceType::Void,
        2 => {
            SourceType::Base { name: random.pick(symbols), size, signed: random.flip(), float: random.flip() }
        }
        3 => SourceType::Pointer { to, reference: random.flip() },
        4 => SourceType::Array { element: to, count: random.optional(Random::number) },
        5 => {
            let members = random.list(4, |it| Member {
                name: it.optional(|it| it.pick(symbols)),
                offset_bits: it.number(),
                size_bits: it.number(),
                ty: it.id(counts.types),
                bit_field: it.flip(),
            });
            SourceType::Record { name, union: random.flip(), size, members }
        }
        6 => {
            let constants =
                random.list(4, |it| (it.pick(symbols), i128::from(it.number() as i64) << it.below(64)));
            SourceType::Enum { name, size, constants }
        }
        7 => SourceType::Typedef { name: random.pick(symbols), to },
        8 => SourceType::Qualified { to },
        _ => SourceType::Function {
            result: to,
            params: random.list(3, |it| it.id(counts.types)),
            variadic: random.flip(),
        },
    }
}

fn symbol_ref(random: &mut Random, counts: &Counts) -> SymbolRef {
    match random.below(3) {
        0 => SymbolRef::Global(random.id(counts.globals)),
        1 => SymbolRef::Func(random.id(counts.functions)),
        _ => SymbolRef::Block(random.id(counts.functions), random.id(5)),
    }
}

fn global(random: &mut Random, counts: &Counts, symbols: &[Symbol]) -> Global {
    let init = random.optional(|it| Init {
        pieces: it.list(3, |it| (it.number(), it.list(20, |it| it.number() as u8))),
        relocs: it.list(3, |it| Reloc {
            offset: it.number(),
            bytes: it.number() as u32,
            plus: symbol_ref(it, counts),
            minus: it.optional(|it| symbol_ref(it, counts)),
            addend: it.number() as i64,
        }),
        partial: it.flip(),
    });
    Global {
        name: random.pick(symbols),
        pretty: random.pick(symbols),
        linkage: random.pick(Linkage::ALL),
        size: random.number(),
        align: random.number() as u32,
        constant: random.flip(),
        thread_local: random.flip(),
        init,
        source_type: random.optional(|it| it.id(counts.types)),
        loc: random.id(counts.locs),
    }
}

fn function(random: &mut Random, counts: &Counts, symbols: &[Symbol], n_reasons: usize) -> Function {
    let signature = signature(random);
    let mut flags = [false; 12].map(|_| random.flip()).into_iter();
    let mut flag = || flags.next().expect("enough flags");
    let alloc_kind = AllocKind {
        alloc: flag(),
        realloc: flag(),
        free: flag(),
        uninitialized: flag(),
        zeroed: flag(),
        aligned: flag(),
    };
    let mut attrs = FnAttrs {
        noreturn: flag(),
        willreturn: flag(),
        nounwind: flag(),
        cold: flag(),
        returns_twice: flag(),
        nofree: flag(),
        ..FnAttrs::default()
    };
    if random.flip() {
        attrs.alloc_kind = alloc_kind;
    }
    attrs.memory =
        MemoryEffects { args: mod_ref(random), inaccessible: mod_ref(random), other: mod_ref(random) };
    attrs.alloc_size = random.optional(|it| (it.number() as u32, it.optional(|it| it.number() as u32)));
    attrs.alloc_family = random.optional(|it| it.pick(symbols));
    Function {
        name: random.pick(symbols),
        pretty: random.pick(symbols),
        linkage: random.pick(Linkage::ALL),
        param_attrs: signature.params.iter().map(|_| param_attrs(random)).collect(),
        result_attrs: signature.results.iter().map(|_| param_attrs(random)).collect(),
        signature,
        attrs,
        source_type: random.optional(|it| it.id(counts.types)),
        loc: random.id(counts.locs),
        body: random.optional(|it| body(it, counts, symbols, n_reasons)),
    }
}

fn mod_ref(random: &mut Random) -> ModRef {
    ModRef { read: random.below(4) > 0, write: random.below(4) > 0 }
}

fn param_attrs(random: &mut Random) -> ParamAttrs {
    let mut attrs = ParamAttrs::default();
    if random.flip() {
        return attrs;
    }
    for word in [
        "nonnull",
        "noundef",
        "noalias",
        "nocapture",
        "readonly",
        "writeonly",
        "returned",
        "sret",
        "allocptr",
    ] {
        if random.flip() {
            assert!(attrs.set_flag(word));
        }
    }
    attrs.byval = random.optional(|it| it.number() as u32);
    attrs.dereferenceable = random.number();
    attrs.dereferenceable_or_null = random.number();
    attrs.align = random.number() as u32;
    attrs
}

fn signature(random: &mut Random) -> Signature {
    Signature { params: random.list(3, ty), results: random.list(3, ty), variadic: random.flip() }
}

fn ty(random: &mut Random) -> Type {
    match random.below(4) {
        0 => Type::Ptr,
        1 => Type::Float(random.pick(FloatKind::ALL)),
        2 => Type::Int(random.pick(&[1, 8, 32, 64, 128, 129, 300])),
        _ => Type::Int((random.number() as u32).min(u32::MAX - 1)),
    }
}

fn body(random: &mut Random, counts: &Counts, symbols: &[Symbol], n_reasons: usize) -> Body {
    let mut body = Body::default();
    for _ in 0..1 + random.below(4) {
        let position = random.number() as u32;
        body.vars.push(Var {
            name: random.pick(symbols),
            source_type: random.optional(|it| it.id(counts.types)),
            loc: random.id(counts.locs),
            kind: random.pick(&[VarKind::Param(position), VarKind::Local, VarKind::Temp]),
        });
    }
    let n_vars = body.vars.len();
    let n_blocks = 1 + random.below(5);
    for _ in 0..n_blocks {
        let term = Terminator::Return { values: Vec::new() };
        let term_loc = random.id(counts.locs);
        body.blocks.push(Block { params: Vec::new(), insts: Vec::new(), term, term_loc });
    }
    for block in body.blocks.ids() {
        for _ in 0..random.below(3) {
            let var = random.optional(|it| it.id(n_vars));
            let ty = ty(random);
            body.add_param(block, ty, var);
        }
        for _ in 0..random.below(6) {
            let types = random.list(3, ty);
            // Operands are filled in when all values exist.
            let inst = body.add_inst(Inst::StackSave, random.id(counts.locs), &types);
            body.blocks[block].insts.push(inst);
            for result in body.results(inst) {
                body.values[result].var = random.optional(|it| it.id(n_vars));
            }
        }
    }
    let mut cx = BodyCx { random, counts, n_blocks, n_vars, n_reasons };
    for inst in body.insts.ids() {
        body.insts[inst].inst = cx.inst(&mut body, inst);
    }
    for block in body.blocks.ids() {
        body.blocks[block].term = cx.terminator(&mut body);
    }
    body
}

struct BodyCx<'r> {
    random: &'r mut Random,
    counts: &'r Counts,
    n_blocks: usize,
    n_vars: usize,
    n_reasons: usize,
}

impl BodyCx<'_> {
    fn operand(&mut self, body: &mut Body) -> Operand {
        if self.random.flip() && !body.values.is_empty() {
            return Operand::Value(self.random.id(body.values.len()));
        }
        let constant = self.constant();
        body.consts.insert(constant).into()
    }

    fn constant(&mut self) -> Const {
        let random = &mut *self.random;
        match random.below(9) {
            0 => Const::Null,
            1 => Const::int(
                random.pick(&[1, 2, 8, 32, 64, 127, 128]),
                u128::from(random.number()) << random.below(64),
            ),
            2 => {
                let width = 129 + random.below(200) as u32;
                let mut words: Vec<u64> = (0..width.div_ceil(64)).map(|_| random.number()).collect();
                let unused = words.len() as u32 * 64 - width;
                *words.last_mut().expect("wide") &= u64::MAX >> unused;
                Const::WideInt { width, words: words.into() }
            }
            3 => {
                let kind = random.pick(FloatKind::ALL);
                let bits = u128::from(random.number()) << random.below(64);
                Const::Float { kind, bits: bits & (u128::MAX >> (128 - kind.bits())) }
            }
            4 => Const::Global { global: random.id(self.counts.globals), offset: random.number() as i64 },
            5 => Const::Func(random.id(self.counts.functions)),
            6 => Const::Block(random.id(self.n_blocks)),
            7 => Const::Undef(ty(random)),
            _ => Const::Poison(ty(random)),
        }
    }

    fn inst(&mut self, body: &mut Body, id: ir::InstId) -> Inst {
        let [first, second, third] = [(); 3].map(|()| self.operand(body));
        let random = &mut *self.random;
        let access = Access { align: random.number() as u32, volatile: random.flip(), atomic: random.flip() };
        match random.below(23) {
            0 if body.insts[id].n_results > 0 => Inst::Assign { var: random.id(self.n_vars), value: first },
            1 => Inst::Uninit { var: random.optional(|it| it.id(self.n_vars)) },
            2 => Inst::Nondet { reason: random.id(self.n_reasons) },
            3 => Inst::Unary { op: random.pick(UnOp::ALL), arg: first },
            4 => {
                let flags = ArithFlags { nuw: random.flip(), nsw: random.flip(), exact: random.flip() };
                Inst::Binary { op: random.pick(BinOp::ALL), flags, lhs: first, rhs: second }
            }
            5 => Inst::Funnel { left: random.flip(), high: first, low: second, amount: third },
            6 => Inst::Compare { op: random.pick(CmpOp::ALL), lhs: first, rhs: second },
            7 => Inst::Cast { op: random.pick(CastOp::ALL), arg: first },
            8 => Inst::Select { cond: first, on_true: second, on_false: third },
            9 => Inst::Freeze { arg: first },
            10 => {
                Inst::PtrAdd { base: first, index: second, scale: random.number(), inbounds: random.flip() }
            }
            11 => {
                let var = random.optional(|it| it.id(self.n_vars));
                Inst::Alloca { var, size: first, align: random.number() as u32 }
            }
            12 => Inst::Lifetime { ptr: first, event: random.pick(Lifetime::ALL) },
            13 => Inst::StackRestore { saved: first },
            14 => Inst::Load { ptr: first, access },
            15 => Inst::Store { ptr: first, value: second, access },
            16 => Inst::MemCopy { dst: first, src: second, len: third, overlap: random.flip() },
            17 => Inst::MemSet { dst: first, byte: second, len: third },
            18 => Inst::VaStart { list: first },
            19 => Inst::VaEnd { list: first },
            20 => Inst::VaCopy { dst: first, src: second },
            21 => Inst::Assume { cond: first },
            _ => self.call(body, id, first),
        }
    }

    fn call(&mut self, body: &mut Body, id: ir::InstId, address: Operand) -> Inst {
        let args: Vec<Operand> = (0..self.random.below(4)).map(|_| self.operand(body)).collect();
        let random = &mut *self.random;
        let callee = match random.below(3) {
            0 => Callee::Func(random.id(self.counts.functions)),
            1 => Callee::Asm(random.id(3)),
            _ => Callee::Ptr(address),
        };
        // Half of the calls fit their signature.
        let mut signature = signature(random);
        if random.flip() {
            let n_fixed = if signature.variadic { random.below(args.len() + 1) } else { args.len() };
            signature.params = args[..n_fixed].iter().map(|&it| body.ty(it)).collect();
            signature.results = body.results(id).map(|it| body.values[it].ty).collect();
        }
        let arg_attrs = args.iter().map(|_| param_attrs(random)).collect();
        let call = Call { callee, args, arg_attrs, signature, noreturn: random.flip() };
        Inst::Call { call: body.calls.push(call) }
    }

    fn target(&mut self, body: &mut Body) -> Target {
        let args = (0..self.random.below(3)).map(|_| self.operand(body)).collect();
        Target { block: self.random.id(self.n_blocks), args }
    }

    fn terminator(&mut self, body: &mut Body) -> Terminator {
        let operand = self.operand(body);
        match self.random.below(6) {
            0 => Terminator::Jump(self.target(body)),
            1 => {
                Terminator::Branch { cond: operand, on_true: self.target(body), on_false: self.target(body) }
            }
            2 => {
                let cases = (0..self.random.below(4))
                    .map(|_| {
                        let case = self.constant();
                        (body.consts.insert(case), self.target(body))
                    })
                    .collect();
                Terminator::Switch { value: operand, cases, default: self.target(body) }
            }
            3 => {
                let targets = (0..self.random.below(4)).map(|_| self.target(body)).collect();
                Terminator::IndirectJump { address: operand, targets }
            }
            4 => {
                Terminator::Return { values: (0..self.random.below(3)).map(|_| self.operand(body)).collect() }
            }
            _ => Terminator::Unreachable { cause: self.random.pick(UnreachableCause::ALL) },
        }
    }
}
