//! Memory before anything runs: a block for every function and global, with its first content.
//!
//! It is built once per program; every machine starts with a copy. Addresses are therefore the same in all
//! runs, and the constants of functions can be computed once.

use base::limits::INTERP_GLOBALS;
use base::{Id, IdVec};
use ir::{Const, Init, Reloc, SymbolRef, Type};

use crate::memory::{BlockKind, Memory, NewBlock, Site};
use crate::program::{Code, FnRef, GlobalRef, Linked, LinkedGlobal, Program, code_bytes, label_offset};
use crate::value::{BlockRef, Value, width_of};

/// The blocks of functions and globals.
#[derive(Clone, Debug)]
pub(crate) struct Image {
    pub(crate) memory: Memory,
    pub(crate) functions: IdVec<FnRef, BlockRef>,
    pub(crate) globals: IdVec<GlobalRef, BlockRef>,
    /// Whether some global had no room; then nothing can run.
    pub(crate) is_too_large: bool,
}

impl Default for Image {
    fn default() -> Self {
        let memory = Memory::new(8, false, 0);
        Self { memory, functions: IdVec::new(), globals: IdVec::new(), is_too_large: false }
    }
}

/// The least size of a global that no module defines: room for what library code expects there (virtual tables, `FILE`s).
const UNDEFINED_GLOBAL_BYTES: u64 = 64;

impl Image {
    /// Lays out the functions and globals of a program whose symbols are resolved.
    pub(crate) fn build(program: &Program<'_>) -> Image {
        let target = program.target();
        let memory = Memory::new(target.pointer_bytes, target.big_endian, INTERP_GLOBALS);
        let mut image = Image { memory, ..Image::default() };
        for (id, function) in program.functions().iter_ids() {
            let block = image.add(BlockKind::Function(id), code_bytes(function), 16, false);
            image.functions.push(block);
        }
        for (id, global) in program.globals().iter_ids() {
            let size = match global.global.init {
                Some(_) => global.size,
                None => global.size.max(UNDEFINED_GLOBAL_BYTES),
            };
            let writable = !global.global.constant;
            let align = u64::from(global.global.align).max(1).next_power_of_two();
            let block = image.add(BlockKind::Global(id), size, align, writable);
            image.globals.push(block);
        }
        for (id, global) in program.globals().iter_ids() {
            if let Some(init) = &global.global.init
                && !image.is_too_large
            {
                image.fill(program, image.globals[id], global, init);
            }
        }
        image.memory.fix();
        image
    }

    /// The constants of a function with a body.
    pub(crate) fn constants(&self, program: &Program<'_>, function: FnRef) -> Box<[Value]> {
        let linked = &program.functions()[function];
        let Code::Body(body) = linked.code else { return Box::default() };
        let ids = (0..body.consts.len()).map(Id::new);
        ids.map(|id| self.constant(program, function, linked.module, &body.consts[id])).collect()
    }

    /// The address of a symbol.
    pub(crate) fn address(&self, linked: Linked) -> Value {
        let (block, offset) = match linked {
            Linked::Func(function) => (self.functions[function], 0),
            Linked::Global(global, offset) => (self.globals[global], offset),
            Linked::Null => return Value::null(),
        };
        self.pointer(block, offset as u64)
    }

    fn pointer(&self, block: BlockRef, offset: u64) -> Value {
        let address = self.memory.block(block).address.wrapping_add(offset);
        Value::pointer(address & crate::words::low_mask(self.memory.pointer_bits()), Some(block))
    }

    fn constant(&self, program: &Program<'_>, function: FnRef, module: usize, constant: &Const) -> Value {
        let bits = self.memory.pointer_bits();
        match constant {
            Const::Int { width, value } => Value::int(*width, *value),
            Const::WideInt { width, words } => {
                let ty = Type::Int(*width);
                let words = crate::words::Words::from_words(*width, words);
                Value::from_words(ty, words, crate::words::Words::zero(*width))
            }
            Const::Null => Value::null(),
            Const::Float { kind, bits } => Value::float(*kind, *bits),
            Const::Global { .. } | Const::Func(_) => {
                self.address(program.lookup_const(module, constant).unwrap_or(Linked::Null))
            }
            Const::Block(block) => self.pointer(self.functions[function], label_offset(*block)),
            Const::Undef(ty) | Const::Poison(ty) => Value::undefined(*ty, bits),
        }
    }

    fn add(&mut self, kind: BlockKind, size: u64, align: u64, writable: bool) -> BlockRef {
        let new = NewBlock { size, align, kind, made: Site::NONE, zeroed: true, writable };
        if let Ok(block) = self.memory.allocate(new) {
            return block;
        }
        self.is_too_large = true;
        self.memory.allocate_stand_in(kind)
    }

    fn fill(&mut self, program: &Program<'_>, block: BlockRef, global: &LinkedGlobal<'_>, init: &Init) {
        for (offset, bytes) in &init.pieces {
            self.memory.write_bytes(block, *offset as usize, bytes);
        }
        for reloc in &init.relocs {
            let value = self.relocated(program, global.module, reloc);
            self.memory.write(block, reloc.offset as usize, &value);
        }
    }

    /// `address(plus) - address(minus) + addend`, cut to the bytes that are stored.
    fn relocated(&self, program: &Program<'_>, module: usize, reloc: &Reloc) -> Value {
        let plus = self.symbol(program, module, reloc.plus);
        let minus = reloc.minus.map_or(0, |symbol| self.symbol(program, module, symbol).low());
        let number = plus.low().wrapping_sub(minus).wrapping_add(reloc.addend as u64);
        if reloc.minus.is_none() && reloc.bytes == self.memory.pointer_bytes() {
            let mask = crate::words::low_mask(width_of(Type::Ptr, self.memory.pointer_bits()));
            return Value::pointer(number & mask, plus.prov());
        }
        Value::int(reloc.bytes.max(1) * 8, number.into())
    }

    fn symbol(&self, program: &Program<'_>, module: usize, symbol: SymbolRef) -> Value {
        let start = self.address(program.lookup(module, symbol));
        match symbol {
            SymbolRef::Block(_, block) => {
                Value::pointer(start.low().wrapping_add(label_offset(block)), start.prov())
            }
            _ => start,
        }
    }
}
