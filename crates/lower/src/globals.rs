//! The first content of globals, and what runs before and after `main`.
//!
//! Judgment: memory of the global at start-up = zeros, overwritten by the pieces, overwritten by the
//! addresses of the relocs. Zeros, however many, cost nothing. Departures: bytes of `undef` (padding, mostly)
//! are zero; an expression that is no difference of two addresses leaves its bytes zero and marks the content
//! as partial.

use base::limits::{INIT_BYTES, NESTING};
use bitcode::{Constant, ConstantKind, Def, Type, TypeId, ValueId};
use ir::{FuncId, GlobalId, Init, Reloc, SymbolRef};

use crate::address::{Labels, Word, symbol, word};
use crate::env::{Env, Output};

/// Zeros between two pieces of content that are written out rather than start another piece.
const SMALL_GAP: usize = 32;

/// What an expression counts as in the budget of bytes: it may take many steps to compute.
const EXPRESSION_COST: u64 = 32;

/// Fills in the contents of all globals, and the lists of constructors and destructors.
pub(crate) fn initialize(env: &Env<'_>, out: &mut Output, labels: &Labels) {
    let mut budget = INIT_BYTES;
    for (value, global) in env.module.values.iter_ids() {
        let bitcode::GlobalValue::Global(id) = *global else { continue };
        let Some(global) = env.module.globals.get(id) else { continue };
        let Some(initializer) = global.initializer else { continue };
        match env.symbols.addresses.get(base::Id::index(value)).copied().flatten() {
            Some((SymbolRef::Global(target), _)) => {
                let mut writer = Writer { env, labels, init: Init::default(), budget };
                writer.value(global.ty, initializer, 0, 0);
                budget = writer.budget;
                fill(out, target, writer.init);
            }
            _ if &*global.name == "llvm.global_ctors" => {
                let mut list = functions(env, initializer);
                list.sort_by_key(|(priority, _)| *priority);
                out.module.constructors = list;
            }
            _ if &*global.name == "llvm.global_dtors" => {
                // The array of destructors is ascending, too, and is walked from its end.
                let mut list = functions(env, initializer);
                list.sort_by_key(|(priority, _)| *priority);
                list.reverse();
                out.module.destructors = list;
            }
            _ => {}
        }
    }
}

fn fill(out: &mut Output, global: GlobalId, init: Init) {
    if let Some(global) = out.module.globals.get_mut(global) {
        global.init = Some(init);
    }
}

/// A list of `{ i32 priority, ptr function, ptr data }`.
fn functions(env: &Env<'_>, list: ValueId) -> Vec<(u32, FuncId)> {
    let elements = |value| match env.module.def(None, value) {
        Some(Def::Constant(Constant { kind: ConstantKind::Aggregate(elements), .. })) => &elements[..],
        _ => &[],
    };
    let entry = |value| {
        let [priority, function, ..] = *elements(value) else { return None };
        let priority = word(env, &Labels::default(), priority).map_or(0, |it| it.addend as u32);
        match symbol(env, function)? {
            (SymbolRef::Func(function), 0) => Some((priority, function)),
            _ => None,
        }
    };
    elements(list).iter().filter_map(|&it| entry(it)).collect()
}

struct Writer<'a, 'm> {
    env: &'a Env<'m>,
    labels: &'a Labels,
    init: Init,
    /// Bytes and steps that may still be spent on this module.
    budget: u64,
}

impl Writer<'_, '_> {
    /// Writes a constant of type `ty` at `offset`.
    fn value(&mut self, ty: TypeId, value: ValueId, offset: u64, depth: u32) {
        let Some(size) = self.env.layout.get(ty).map(|it| it.store_size()) else {
            self.init.partial = true;
            return;
        };
        if size == 0 {
            return;
        }
        if depth > NESTING || !self.spend(1) {
            self.init.partial = true;
            return;
        }
        match self.env.module.def(None, value) {
            Some(Def::Constant(constant)) if constant.ty == ty => {
                self.constant(constant, value, offset, depth);
            }
            Some(Def::Constant(_)) | None => self.init.partial = true,
            Some(_) => self.word(ty, value, offset),
        }
    }

    fn constant(&mut self, constant: &Constant, value: ValueId, offset: u64, depth: u32) {
        let ty = constant.ty;
        match &constant.kind {
            ConstantKind::Null | ConstantKind::Undef | ConstantKind::Poison => {}
            ConstantKind::Integer(number) => self.small_number(ty, offset, *number),
            ConstantKind::WideInteger(words) | ConstantKind::Float(words) => self.number(ty, offset, words),
            ConstantKind::Bytes(bytes) => {
                let size = self.env.layout.get(ty).map_or(0, |it| it.store_size());
                self.bytes(offset, &bytes[..bytes.len().min(usize::try_from(size).unwrap_or(0))]);
            }
            ConstantKind::Data(words) => self.data(ty, words, offset),
            ConstantKind::Aggregate(elements) => self.aggregate(ty, elements, offset, depth),
            _ => self.word(ty, value, offset),
        }
    }

    fn aggregate(&mut self, ty: TypeId, elements: &[ValueId], offset: u64, depth: u32) {
        match &self.env.module.types[ty] {
            Type::Struct { fields, .. } => {
                let layout = self.env.layout.get(ty);
                let offsets = layout.map_or(&[][..], |it| &it.offsets);
                for ((&field, &element), &place) in fields.iter().zip(elements).zip(offsets) {
                    self.value(field, element, offset + place, depth + 1);
                }
            }
            Type::Array { element, count } => {
                let stride = self.env.layout.alloc_size(*element).unwrap_or(0);
                for (index, &value) in (0..*count).zip(elements) {
                    self.value(*element, value, offset + index * stride, depth + 1);
                }
            }
            Type::Vector { element, count, .. } => {
                let bits = self.env.layout.get(*element).map_or(0, |it| it.bits);
                if !bits.is_multiple_of(8) {
                    return self.packed(bits as u32, elements, offset);
                }
                for (index, &value) in (0..*count).zip(elements) {
                    self.value(*element, value, offset + index * (bits / 8), depth + 1);
                }
            }
            _ => self.init.partial = true,
        }
    }

    /// A vector of integers that are no whole bytes, of at most 64 bits each.
    fn packed(&mut self, width: u32, elements: &[ValueId], offset: u64) {
        let mut words = Vec::with_capacity(elements.len());
        for &element in elements {
            match word(self.env, self.labels, element) {
                Some(Word { plus: None, minus: None, addend }) if width <= 64 => words.push(addend as u64),
                _ => {
                    self.init.partial = true;
                    return;
                }
            }
        }
        self.packed_data(width, &words, offset);
    }

    /// An array or vector of numbers of at most 64 bits.
    fn data(&mut self, ty: TypeId, words: &[u64], offset: u64) {
        let (element, count, packed) = match &self.env.module.types[ty] {
            Type::Array { element, count } => (*element, *count, false),
            Type::Vector { element, count, .. } => (*element, *count, true),
            _ => {
                self.init.partial = true;
                return;
            }
        };
        let words = &words[..words.len().min(usize::try_from(count).unwrap_or(usize::MAX))];
        let Some(layout) = self.env.layout.get(element) else { return };
        if packed && !layout.bits.is_multiple_of(8) {
            return self.packed_data(layout.bits as u32, words, offset);
        }
        let stride = if packed { layout.store_size() } else { layout.alloc_size() } as usize;
        let size = layout.store_size() as usize;
        let big_endian = self.env.layout.spec.big_endian;
        let mut bytes = vec![0; stride.saturating_mul(words.len()).min(INIT_BYTES as usize)];
        for (slot, word) in bytes.chunks_exact_mut(stride.max(1)).zip(words) {
            copy_bytes(&mut slot[..size], &[*word], big_endian);
        }
        self.bytes(offset, &bytes);
    }

    fn packed_data(&mut self, width: u32, words: &[u64], offset: u64) {
        let total = width as usize * words.len();
        let mut bits = vec![0u64; total.div_ceil(64)];
        let big_endian = self.env.layout.spec.big_endian;
        for (index, word) in words.iter().enumerate() {
            let lane = if big_endian { words.len() - 1 - index } else { index };
            for bit in (0..width as usize).filter(|bit| word >> bit & 1 != 0) {
                let position = lane * width as usize + bit;
                bits[position / 64] |= 1 << (position % 64);
            }
        }
        let mut bytes = vec![0; total.div_ceil(8)];
        copy_bytes(&mut bytes, &bits, big_endian);
        self.bytes(offset, &bytes);
    }

    /// A number by its words, least significant first.
    fn number(&mut self, ty: TypeId, offset: u64, words: &[u64]) {
        let Some(layout) = self.env.layout.get(ty) else { return };
        let size = layout.store_size();
        let mut bytes = vec![0; size.min(INIT_BYTES) as usize];
        copy_bytes(&mut bytes, words, self.env.layout.spec.big_endian);
        // `_Bool` and bit-precise integers are stored with zeros above.
        let top = if self.env.layout.spec.big_endian { bytes.first_mut() } else { bytes.last_mut() };
        if let (Some(top), bits @ 1..) = (top, layout.bits % 8) {
            *top &= (1 << bits) - 1;
        }
        self.bytes(offset, &bytes);
    }

    /// A number that is extended with its sign to whatever width the type has.
    fn small_number(&mut self, ty: TypeId, offset: u64, number: i64) {
        let size = self.env.layout.get(ty).map_or(0, |it| it.store_size().min(INIT_BYTES));
        let mut words = vec![if number < 0 { u64::MAX } else { 0 }; size.div_ceil(8).max(1) as usize];
        words[0] = number as u64;
        self.number(ty, offset, &words);
    }

    /// An address, or what can be computed of addresses.
    fn word(&mut self, ty: TypeId, value: ValueId, offset: u64) {
        let Some(layout) = self.env.layout.get(ty) else { return };
        if !self.spend(EXPRESSION_COST) {
            self.init.partial = true;
            return;
        }
        match word(self.env, self.labels, value) {
            Some(Word { plus: Some(plus), minus, addend }) if layout.store_size() <= 8 => {
                let bytes = layout.store_size() as u32;
                self.init.relocs.push(Reloc { offset, bytes, plus, minus, addend });
            }
            Some(Word { plus: None, minus: None, addend }) => {
                self.small_number(ty, offset, addend);
            }
            _ => self.init.partial = true,
        }
    }

    /// Writes bytes, without the long runs of zeros among them.
    fn bytes(&mut self, offset: u64, bytes: &[u8]) {
        let mut start = 0;
        while let Some(skip) = bytes[start..].iter().position(|it| *it != 0) {
            start += skip;
            let mut end = start;
            for (position, _) in bytes.iter().enumerate().skip(start).filter(|(_, byte)| **byte != 0) {
                if position > end + SMALL_GAP {
                    break;
                }
                end = position + 1;
            }
            self.piece(offset + start as u64, &bytes[start..end]);
            start = end;
        }
    }

    fn piece(&mut self, offset: u64, bytes: &[u8]) {
        if !self.spend(bytes.len() as u64) {
            self.init.partial = true;
            return;
        }
        match self.init.pieces.last_mut() {
            Some((start, piece))
                if offset.saturating_sub(*start + piece.len() as u64) <= SMALL_GAP as u64 =>
            {
                piece.resize((offset - *start) as usize, 0);
                piece.extend_from_slice(bytes);
            }
            _ => self.init.pieces.push((offset, bytes.to_vec())),
        }
    }

    fn spend(&mut self, amount: u64) -> bool {
        match self.budget.checked_sub(amount) {
            Some(left) => {
                self.budget = left;
                true
            }
            None => false,
        }
    }
}

/// The number in `words` (least significant first) as `target.len()` bytes.
fn copy_bytes(target: &mut [u8], words: &[u64], big_endian: bool) {
    let source = words.iter().flat_map(|it| it.to_le_bytes());
    if big_endian {
        target.iter_mut().rev().zip(source).for_each(|(to, from)| *to = from);
    } else {
        target.iter_mut().zip(source).for_each(|(to, from)| *to = from);
    }
}

#[cfg(test)]
mod tests {
    use base::Id;
    use bitcode::{FloatType, GlobalValue, GlobalVariable, Linkage};

    use super::*;
    use crate::declare::declare;

    /// A module under construction; constants come after its only global.
    struct Source(bitcode::Module);

    impl Source {
        fn new(data_layout: &str) -> Self {
            let mut module = bitcode::Module { data_layout: data_layout.into(), ..Default::default() };
            module.values.push(GlobalValue::Global(bitcode::GlobalId::new(0)));
            Self(module)
        }

        fn ty(&mut self, ty: Type) -> TypeId {
            self.0.types.push(ty)
        }

        fn constant(&mut self, ty: TypeId, kind: ConstantKind) -> ValueId {
            self.0.constants.push(Constant { ty, kind });
            self.0.values.push(GlobalValue::Constant(self.0.constants.len() as u32 - 1))
        }

        /// What the global holds if `initializer` is its content.
        fn init(mut self, ty: TypeId, initializer: ValueId) -> Init {
            self.0.globals.push(GlobalVariable {
                name: "g".into(),
                ty,
                address_space: 0,
                constant: false,
                initializer: Some(initializer),
                linkage: Linkage::External,
                align: 0,
                section: 0,
                visibility: 0,
                thread_local: 0,
                unnamed_addr: 0,
                attributes: bitcode::AttributeListId::EMPTY,
                attachments: Vec::new(),
            });
            let mut env = Env::new(&self.0);
            let mut out = Output::new(&self.0);
            env.symbols = declare(&env, &mut out);
            initialize(&env, &mut out, &Labels::default());
            out.module.globals[GlobalId::new(0)].init.take().expect("a global with content")
        }
    }

    #[test]
    fn structs_hold_numbers_addresses_and_gaps() {
        let mut source = Source::new("e-i64:64");
        let (byte, long) = (source.ty(Type::Integer(8)), source.ty(Type::Integer(64)));
        let pointer = source.ty(Type::Pointer { address_space: 0 });
        let ty = source.ty(Type::Struct { name: None, packed: false, fields: [byte, long, pointer].into() });
        let number = source.constant(byte, ConstantKind::Integer(-2));
        let zero = source.constant(long, ConstantKind::Null);
        // The address of the global itself.
        let elements = [number, zero, ValueId::new(0)].into();
        let value = source.constant(ty, ConstantKind::Aggregate(elements));
        let init = source.init(ty, value);
        assert_eq!(init.pieces, [(0, vec![0xfe])]);
        let own = SymbolRef::Global(GlobalId::new(0));
        assert_eq!(init.relocs, [Reloc { offset: 16, bytes: 8, plus: own, minus: None, addend: 0 }]);
        assert!(!init.partial);
    }

    #[test]
    fn byte_order_and_padding_are_those_of_the_target() {
        for (layout, expected) in [
            ("e", vec![0, 0, 0, 0, 0, 0, 0, 0xa0, 0xff, 0x3f]),
            ("E", vec![0x3f, 0xff, 0xa0, 0, 0, 0, 0, 0, 0, 0]),
        ] {
            let mut source = Source::new(layout);
            let ty = source.ty(Type::Float(FloatType::X86Fp80));
            let words = [0xa000_0000_0000_0000, 0x3fff].into();
            let value = source.constant(ty, ConstantKind::Float(words));
            let pieces = source.init(ty, value).pieces;
            let (start, bytes) = &pieces[0];
            let first = expected.iter().position(|it| *it != 0).expect("some content");
            let last = expected.iter().rposition(|it| *it != 0).expect("some content");
            assert_eq!((*start, &bytes[..]), (first as u64, &expected[first..=last]));
        }
    }

    #[test]
    fn vectors_of_bits_are_packed() {
        let mut source = Source::new("e");
        let bit = source.ty(Type::Integer(1));
        let ty = source.ty(Type::Vector { element: bit, count: 12, scalable: false });
        let (zero, one) =
            (source.constant(bit, ConstantKind::Null), source.constant(bit, ConstantKind::Integer(-1)));
        let lanes = (0..12).map(|it| if it == 0 || it == 9 { one } else { zero }).collect();
        let value = source.constant(ty, ConstantKind::Aggregate(lanes));
        assert_eq!(source.init(ty, value).pieces, [(0, vec![1, 2])]);
    }

    #[test]
    fn long_runs_of_zeros_cost_nothing() {
        let mut source = Source::new("e");
        let byte = source.ty(Type::Integer(8));
        let ty = source.ty(Type::Array { element: byte, count: 1000 });
        let mut bytes = vec![0; 1000];
        (bytes[1], bytes[3], bytes[900]) = (1, 2, 3);
        let value = source.constant(ty, ConstantKind::Bytes(bytes.into()));
        assert_eq!(source.init(ty, value).pieces, [(1, vec![1, 0, 2]), (900, vec![3])]);
    }

    #[test]
    fn a_constant_that_holds_itself_is_given_up() {
        let mut source = Source::new("e");
        let byte = source.ty(Type::Integer(8));
        let ty = source.ty(Type::Array { element: byte, count: 1 << 40 });
        let own = ValueId::new(1);
        let value = source.constant(ty, ConstantKind::Aggregate([own].into()));
        assert_eq!(value, own);
        assert!(source.init(ty, value).partial);
    }
}
