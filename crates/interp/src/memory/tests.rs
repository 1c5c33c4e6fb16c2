//! Memory keeps bytes, masks and provenance apart and finds every block again.

use ir::{FloatKind, Type};

use super::{AccessError, BlockKind, Family, Memory, NewBlock, OutOfMemory, Roots, Site, Status};
use crate::value::{BlockRef, Value};

fn memory() -> Memory {
    Memory::new(8, false, 1 << 20)
}

fn heap(size: u64) -> NewBlock {
    let kind = BlockKind::Heap { family: Family::Malloc, callers: 0 };
    NewBlock { size, align: 16, kind, made: Site::NONE, zeroed: false, writable: true }
}

fn global(size: u64) -> NewBlock {
    NewBlock { kind: BlockKind::Library("test"), zeroed: true, ..heap(size) }
}

fn at(memory: &Memory, block: BlockRef, offset: u64) -> Value {
    Value::pointer(memory.block(block).address.wrapping_add(offset), Some(block))
}

#[test]
fn values_of_all_types_come_back() {
    let mut memory = memory();
    let block = memory.allocate(heap(64)).unwrap();
    let values = [
        Value::int(1, 1),
        Value::int(24, 0x010203),
        Value::int(64, u128::from(u64::MAX)),
        Value::int(128, 1 << 100),
        Value::int(200, 77),
        Value::f32(1.5),
        Value::float(FloatKind::X87, 0x3fff_8000_0000_0000_0000),
        Value::pointer(0x1234, Some(block)),
        Value::undefined(Type::Int(33), 64),
    ];
    for value in values {
        memory.write(block, 3, &value);
        assert_eq!(memory.read(block, 3, value.ty()), value);
    }
}

#[test]
fn byte_order_is_the_targets() {
    for (big_endian, first) in [(false, 4), (true, 1)] {
        let mut memory = Memory::new(8, big_endian, 1 << 20);
        let block = memory.allocate(heap(32)).unwrap();
        memory.write(block, 0, &Value::int(32, 0x0102_0304));
        assert_eq!(memory.read(block, 0, Type::Int(8)), Value::int(8, first));
        memory.write(block, 8, &Value::int(128, 1));
        assert_eq!(memory.read(block, 8, Type::Int(128)), Value::int(128, 1));
        assert_eq!(memory.read(block, if big_endian { 23 } else { 8 }, Type::Int(8)), Value::int(8, 1));
    }
}

#[test]
fn pointers_survive_copies_byte_by_byte() {
    let mut memory = memory();
    let (target, cell, copy) = (
        memory.allocate(heap(8)).unwrap(),
        memory.allocate(heap(8)).unwrap(),
        memory.allocate(heap(8)).unwrap(),
    );
    let pointer = at(&memory, target, 4);
    memory.write(cell, 0, &pointer);
    for offset in 0..8 {
        let byte = memory.read(cell, offset, Type::Int(8));
        memory.write(copy, offset, &byte);
    }
    assert_eq!(memory.read(copy, 0, Type::Ptr), pointer);
    memory.write(copy, 0, &Value::int(32, 7));
    memory.write(copy, 4, &Value::int(32, 7));
    assert_eq!(memory.read(copy, 0, Type::Ptr).prov(), None);
}

#[test]
fn copies_keep_undefined_bytes() {
    let mut memory = memory();
    let (from, to) = (memory.allocate(heap(16)).unwrap(), memory.allocate(global(16)).unwrap());
    memory.write(from, 4, &Value::int(32, 9));
    let bytes = memory.take(from, 0, 16);
    memory.put(to, 0, &bytes);
    assert_eq!(memory.read(to, 4, Type::Int(32)), Value::int(32, 9));
    assert!(!memory.read(to, 8, Type::Int(8)).is_defined());
    assert_eq!(memory.bytes(to, 4, 8), Err(AccessError::Uninit(to, 4)));
    assert_eq!(memory.bytes(to, 4, 4), Ok(&[9, 0, 0, 0][..]));
}

#[test]
fn every_bad_address_is_named() {
    let mut memory = memory();
    let block = memory.allocate(heap(8)).unwrap();
    let pointer = at(&memory, block, 0);
    assert_eq!(memory.locate(&pointer, 8, true), Ok((block, 0)));
    assert_eq!(memory.locate(&pointer, 9, true), Err(AccessError::OutOfBounds(block)));
    assert_eq!(memory.locate(&at(&memory, block, 8), 0, true), Ok((block, 8)));
    assert_eq!(memory.locate(&at(&memory, block, u64::MAX), 1, false), Err(AccessError::OutOfBounds(block)));
    assert_eq!(memory.locate(&Value::pointer(40, None), 1, false), Err(AccessError::Null));
    assert_eq!(memory.locate(&Value::pointer(0xdead_beef, None), 1, false), Err(AccessError::Wild));
    assert_eq!(memory.locate(&Value::undefined(Type::Ptr, 64), 1, false), Err(AccessError::Undefined));
    memory.set_writable(block, false);
    assert_eq!(memory.locate(&pointer, 8, true), Err(AccessError::Constant(block)));
    memory.kill(block, Status::Freed(Site::NONE));
    assert_eq!(memory.locate(&pointer, 100, false), Err(AccessError::Freed(block)));
}

#[test]
fn an_address_without_provenance_finds_its_block() {
    let mut memory = memory();
    let stack = NewBlock { kind: BlockKind::Given, ..heap(24) };
    let blocks: Vec<_> =
        (0..5).map(|index| memory.allocate(if index % 2 == 0 { heap(24) } else { stack }).unwrap()).collect();
    for &block in &blocks {
        let address = memory.block(block).address;
        assert_eq!(memory.find_exact(address + 23), Some(block));
        assert_eq!(memory.find_exact(address + 24), None);
        assert_eq!(memory.find(address + 24), Some(block));
        let pointer = Value::pointer(address + 8, None);
        assert_eq!(memory.locate(&pointer, 16, true), Ok((block, 8)));
    }
}

#[test]
fn stack_slots_can_begin_anew() {
    let mut memory = memory();
    let kind = BlockKind::Stack { function: base::Id::new(0), var: None };
    let slot = memory.allocate(NewBlock { kind, ..heap(4) }).unwrap();
    memory.write(slot, 0, &Value::int(32, 1));
    memory.kill(slot, Status::ScopeEnded(Site::NONE));
    assert_eq!(memory.locate(&at(&memory, slot, 0), 4, false), Err(AccessError::ScopeEnded(slot)));
    memory.revive(slot);
    assert!(!memory.read(slot, 0, Type::Int(32)).is_defined());
}

#[test]
fn heap_blocks_are_reachable_through_any_word_that_points_into_them() {
    let mut memory = memory();
    let root = memory.allocate(global(16)).unwrap();
    let (first, second, lost) = (
        memory.allocate(heap(32)).unwrap(),
        memory.allocate(heap(8)).unwrap(),
        memory.allocate(heap(8)).unwrap(),
    );
    let interior = Value::pointer(memory.block(first).address + 9, None);
    memory.write(root, 8, &interior);
    memory.write(first, 16, &at(&memory, second, 0));
    memory.write(first, 3, &at(&memory, lost, 0));
    assert_eq!(memory.unreachable_heap(&Roots::default()), [lost]);
    let roots = Roots { values: vec![at(&memory, lost, 7)] };
    assert_eq!(memory.unreachable_heap(&roots), []);
}

#[test]
fn memory_ends_at_its_budget() {
    let mut memory = memory();
    assert_eq!(memory.allocate(heap(1 << 30)), Err(OutOfMemory));
    assert_eq!(memory.allocate(heap(u64::MAX)), Err(OutOfMemory));
    for _ in 0..10_000 {
        let block = memory.allocate(heap(1000)).unwrap();
        memory.kill(block, Status::Freed(Site::NONE));
        memory.max_bytes += std::mem::size_of::<super::Block>() as u64;
    }
}

#[test]
fn strings_end_at_a_defined_zero() {
    let mut memory = memory();
    let block = memory.allocate(heap(8)).unwrap();
    memory.write_bytes(block, 0, b"abc");
    let pointer = at(&memory, block, 0);
    assert_eq!(memory.c_string(&pointer), Err(AccessError::Uninit(block, 3)));
    memory.write_bytes(block, 3, b"\0");
    assert_eq!(memory.c_string(&pointer), Ok(b"abc".to_vec()));
    assert_eq!(memory.c_string_up_to(&pointer, 2), Ok(b"ab".to_vec()));
    memory.write_bytes(block, 3, b"defgh");
    assert_eq!(memory.c_string(&pointer), Err(AccessError::OutOfBounds(block)));
}

#[test]
fn blocks_that_died_long_ago_are_forgotten_but_not_their_kind() {
    let mut memory = Memory::new(8, false, 200 << 20);
    let kept = memory.allocate(heap(8)).unwrap();
    let freed = memory.allocate(heap(8)).unwrap();
    let slot_kind = BlockKind::Stack { function: base::Id::new(0), var: None };
    let slot = memory.allocate(NewBlock { kind: slot_kind, ..heap(8) }).unwrap();
    let stale = [freed, slot].map(|block| at(&memory, block, 0));
    memory.kill(freed, Status::Freed(Site::NONE));
    memory.kill(slot, Status::Returned(Site::NONE));
    memory.write(kept, 0, &Value::int(64, 7));
    for _ in 0..3_000_000 {
        let block = memory.allocate(NewBlock { kind: slot_kind, ..heap(8) }).unwrap();
        memory.kill(block, Status::Returned(Site::NONE));
    }
    assert_eq!(memory.locate(&stale[0], 1, false), Err(AccessError::Freed(freed)));
    assert_eq!(memory.locate(&stale[1], 1, false), Err(AccessError::ScopeEnded(slot)));
    assert_eq!(memory.read(kept, 0, Type::Int(64)), Value::int(64, 7));
    let address = memory.block(kept).address;
    assert_eq!(memory.locate(&Value::pointer(address, None), 8, true), Ok((kept, 0)));
    assert!(memory.blocks().count() < 1_100_000);
}
