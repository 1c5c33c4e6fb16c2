//! Byte-level memory: blocks at concrete addresses, with bounds, lifetime, undefined bits and provenance.
//!
//! Each kind of block has a region of the address space and is put behind the last one of its region with a
//! gap, so that no small step over the end of a block meets another. Addresses are never used again: a stale
//! one always finds the block it once belonged to.
//! Source: the model is that of AddressSanitizer (Serebryany et al., USENIX ATC 2012) with exact bounds
//! instead of red zones, since a pointer knows its block.
//! Departures: a pointer that leaves its block does not access another one even if its address lies there.

mod access;
mod block;
mod copy;
mod leftovers;
mod reach;
mod table;

pub use block::{Block, BlockKind, Family, Site, Status};
pub(crate) use copy::Bytes;
pub use reach::Roots;

use block::{Content, Defined};
use leftovers::Leftovers;
use table::Table;

use crate::value::BlockRef;

/// Addresses below this one count as null: `p->field` with `p` null.
pub const NULL_PAGE: u64 = 4096;

/// Bytes left free between blocks.
const GAP: u64 = 64;

/// An address at most so many bytes behind a block counts as a step over its end.
const NEAR: u64 = 4096;

/// Contents larger than this give their memory back when their block dies.
const KEEP_BYTES: usize = 4096;

/// All memory of a machine.
#[derive(Clone, Debug)]
pub struct Memory {
    blocks: Table,
    contents: Vec<Content>,
    free_contents: Vec<u32>,
    regions: [Region; 4],
    /// Bytes of all live contents.
    live_bytes: u64,
    max_bytes: u64,
    pointer_bytes: u32,
    big_endian: bool,
    /// What fresh memory holds, if that is chosen.
    leftovers: Option<Leftovers>,
}

/// A part of the address space.
#[derive(Clone, Debug)]
struct Region {
    /// Its addresses.
    low: u64,
    high: u64,
    /// The next free address; the last used one if the region grows down.
    next: u64,
    grows_down: bool,
    /// Its blocks in order of creation, hence of addresses.
    blocks: Vec<BlockRef>,
}

/// What a new block should be.
#[derive(Clone, Copy, Debug)]
pub struct NewBlock {
    /// Bytes.
    pub size: u64,
    /// Alignment of its start, a power of two.
    pub align: u64,
    /// What it is.
    pub kind: BlockKind,
    /// Where it is made.
    pub made: Site,
    /// Whether it holds zeros instead of nothing.
    pub zeroed: bool,
    /// Whether it may be written.
    pub writable: bool,
}

/// Why memory cannot be accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccessError {
    /// The address has undefined bits.
    Undefined,
    /// The address is null or close to it.
    Null,
    /// The block was freed.
    Freed(BlockRef),
    /// The scope of the stack slot has ended.
    ScopeEnded(BlockRef),
    /// The address, or the end of the access, is outside of the block.
    OutOfBounds(BlockRef),
    /// There is no block at the address.
    Wild,
    /// The block must not be written.
    Constant(BlockRef),
    /// The block is code.
    Code(BlockRef),
    /// Bits that were never written are used; bytes from the start of the access to the first one.
    Uninit(BlockRef, u64),
}

/// There is no room left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfMemory;

impl Memory {
    /// Empty memory of a machine with the given pointers and byte order.
    pub fn new(pointer_bytes: u32, big_endian: bool, max_bytes: u64) -> Memory {
        // Where Linux puts things: code and data low, then the heap, the stack at the top.
        let starts: [u64; 5] = if pointer_bytes >= 8 {
            [0x40_1000, 0x5555_0000_0000, 0x6000_0000_0000, 0x7000_0000_0000, 0x7fff_ffff_f000]
        } else if pointer_bytes == 4 {
            [0x0804_8000, 0x1000_0000, 0x4000_0000, 0x9000_0000, 0xffff_0000]
        } else {
            [0x1000, 0x4000, 0x8000, 0xc000, 0xff00]
        };
        let region = |index: usize| Region {
            low: starts[index],
            high: starts[index + 1],
            next: if index == STACK { starts[index + 1] } else { starts[index] },
            grows_down: index == STACK,
            blocks: Vec::new(),
        };
        Memory {
            blocks: Table::default(),
            contents: Vec::new(),
            free_contents: Vec::new(),
            regions: [region(CODE), region(DATA), region(HEAP), region(STACK)],
            live_bytes: 0,
            max_bytes,
            pointer_bytes,
            big_endian,
            leftovers: None,
        }
    }

    /// From now on fresh memory holds what a seed gives, and its bits are defined or not.
    pub(crate) fn choose_leftovers(&mut self, seed: u64, defined: bool) {
        self.leftovers = Some(Leftovers::new(seed, defined));
    }

    /// Bytes as fresh memory holds them, and whether they are defined.
    pub(crate) fn leftover(&mut self, len: usize) -> (Vec<u8>, bool) {
        let mut bytes = vec![0; len];
        let defined = self.leftovers.as_mut().is_some_and(|leftovers| leftovers.fill(&mut bytes));
        (bytes, defined)
    }

    /// A new block.
    pub fn allocate(&mut self, new: NewBlock) -> Result<BlockRef, OutOfMemory> {
        let cost = new.size.checked_add(std::mem::size_of::<Block>() as u64).ok_or(OutOfMemory)?;
        let has_number = self.blocks.len() < u32::MAX as usize - 1;
        if !has_number || self.live_bytes.checked_add(cost).is_none_or(|total| total > self.max_bytes) {
            return Err(OutOfMemory);
        }
        if self.blocks.is_full() {
            self.forget();
        }
        let region = &mut self.regions[region_of(&new.kind)];
        let address = region.place(new.size, new.align).ok_or(OutOfMemory)?;
        let block = BlockRef::new(self.blocks.len());
        region.blocks.push(block);
        self.live_bytes += cost;
        let content = self.new_content(new.size as usize, new.zeroed);
        let NewBlock { size, kind, made, writable, .. } = new;
        self.blocks.push(Block { address, size, kind, status: Status::Alive, made, writable, content });
        Ok(block)
    }

    /// An empty block for something that has no room; it takes none of the budget.
    pub(crate) fn allocate_stand_in(&mut self, kind: BlockKind) -> BlockRef {
        let block = BlockRef::new(self.blocks.len());
        let content = self.new_content(0, true);
        let (address, status, made) = (NULL_PAGE, Status::Alive, Site::NONE);
        self.blocks.push(Block { address, size: 0, kind, status, made, writable: false, content });
        block
    }

    /// Leaves out the addresses before `address` in the region of such blocks; none if some are taken or it lies elsewhere.
    pub(crate) fn skip_to(&mut self, kind: &BlockKind, address: u64) -> Option<()> {
        let region = &mut self.regions[region_of(kind)];
        let fits = !region.grows_down && (region.next..region.high).contains(&address);
        fits.then(|| region.next = address)
    }

    /// Allows so many bytes beyond those that live blocks take now.
    pub fn set_budget(&mut self, bytes: u64) {
        self.max_bytes = self.live_bytes.saturating_add(bytes);
    }

    /// Ends the life of a block; its content is lost.
    pub fn kill(&mut self, block: BlockRef, status: Status) {
        let Some(entry) = self.blocks.get_mut(block) else { return };
        if !entry.is_alive() {
            entry.status = status;
            return;
        }
        entry.status = status;
        let slot = entry.content;
        let content = &mut self.contents[slot as usize];
        self.live_bytes -= content.footprint();
        if content.data.capacity() > KEEP_BYTES {
            *content = Content::default();
        } else {
            content.reset(0, false);
        }
        self.free_contents.push(slot);
    }

    /// Begins the life of a stack slot anew, with unspecified content.
    pub fn revive(&mut self, block: BlockRef) {
        let size = self.block(block).size as usize;
        if self.block(block).is_alive() {
            let content = &mut self.contents[self.blocks.get(block).content as usize];
            self.live_bytes = self.live_bytes - content.footprint() + size as u64;
            content.reset(size, false);
            if let Some(leftovers) = &mut self.leftovers {
                leftovers.give(content);
            }
            return;
        }
        self.live_bytes += size as u64;
        let content = self.new_content(size, false);
        if let Some(entry) = self.blocks.get_mut(block) {
            (entry.status, entry.content) = (Status::Alive, content);
        }
    }

    /// The block itself.
    #[inline]
    pub fn block(&self, block: BlockRef) -> &Block {
        self.blocks.get(block)
    }

    /// Makes a block writable or constant.
    pub fn set_writable(&mut self, block: BlockRef, writable: bool) {
        if let Some(entry) = self.blocks.get_mut(block) {
            entry.writable = writable;
        }
    }

    /// All blocks that are known, in order of creation. Blocks that died long ago are forgotten.
    pub fn blocks(&self) -> impl Iterator<Item = (BlockRef, &Block)> {
        self.blocks.iter()
    }

    /// How many blocks there ever were.
    pub fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// Declares the blocks made so far to be those of functions and globals.
    pub(crate) fn fix(&mut self) {
        self.blocks.fix();
    }

    fn forget(&mut self) {
        let forgotten = self.blocks.forget() as u64;
        self.live_bytes -= forgotten * std::mem::size_of::<Block>() as u64;
        for region in &mut self.regions {
            region.blocks.retain(|block| self.blocks.knows(*block));
        }
    }

    /// The block at an address, alive or not. A little behind a block it is that block.
    pub fn find(&self, address: u64) -> Option<BlockRef> {
        let region = self.regions.iter().find(|region| (region.low..region.high).contains(&address))?;
        let start = |block: &BlockRef| self.block(*block).address;
        let below = if region.grows_down {
            let index = region.blocks.partition_point(|block| start(block) > address);
            region.blocks.get(index).copied()
        } else {
            let index = region.blocks.partition_point(|block| start(block) <= address);
            index.checked_sub(1).map(|index| region.blocks[index])
        };
        below.filter(|block| self.block(*block).offset_of(address) < (self.block(*block).size + NEAR) as i64)
    }

    /// The block that an address lies in, alive or not.
    pub fn find_exact(&self, address: u64) -> Option<BlockRef> {
        self.find(address).filter(|block| self.block(*block).contains(address))
    }

    /// Bytes of a pointer.
    pub fn pointer_bytes(&self) -> u32 {
        self.pointer_bytes
    }

    /// Bits of a pointer.
    #[inline]
    pub fn pointer_bits(&self) -> u32 {
        self.pointer_bytes * 8
    }

    /// Whether the most significant byte comes first.
    pub fn is_big_endian(&self) -> bool {
        self.big_endian
    }

    /// Bytes that live blocks take.
    pub fn live_bytes(&self) -> u64 {
        self.live_bytes
    }

    fn new_content(&mut self, size: usize, zeroed: bool) -> u32 {
        let slot = self.free_contents.pop().unwrap_or_else(|| {
            self.contents.push(Content::default());
            self.contents.len() as u32 - 1
        });
        let content = &mut self.contents[slot as usize];
        content.reset(size, zeroed);
        if let Some(leftovers) = &mut self.leftovers
            && !zeroed
        {
            leftovers.give(content);
        }
        slot
    }

    fn content(&self, block: BlockRef) -> &Content {
        debug_assert!(self.block(block).is_alive(), "only live blocks have content");
        &self.contents[self.block(block).content as usize]
    }

    fn content_mut(&mut self, block: BlockRef) -> &mut Content {
        debug_assert!(self.block(block).is_alive(), "only live blocks have content");
        &mut self.contents[self.blocks.get(block).content as usize]
    }

    /// Makes sure that the bytes of a block can hold provenance, and counts them.
    fn provs_mut(&mut self, block: BlockRef) -> &mut [Option<BlockRef>] {
        let slot = self.blocks.get(block).content as usize;
        let content = &mut self.contents[slot];
        if content.provs.is_empty() {
            content.provs.resize(content.data.len(), None);
            self.live_bytes += 4 * content.data.len() as u64;
        }
        &mut self.contents[slot].provs
    }
}

const CODE: usize = 0;
const DATA: usize = 1;
const HEAP: usize = 2;
const STACK: usize = 3;

fn region_of(kind: &BlockKind) -> usize {
    match kind {
        BlockKind::Function(_) => CODE,
        BlockKind::Global(_) | BlockKind::Library(_) => DATA,
        BlockKind::Heap { .. } | BlockKind::Unknown | BlockKind::Given => HEAP,
        BlockKind::Stack { .. } => STACK,
    }
}

impl Region {
    /// Room for a block, or none if the region is full.
    fn place(&mut self, size: u64, align: u64) -> Option<u64> {
        let align = align.max(16);
        if self.grows_down {
            let address = self.next.checked_sub(size.checked_add(GAP)?)? & !(align - 1);
            self.next = Some(address).filter(|address| *address >= self.low)?;
            return Some(address);
        }
        let address = self.next.checked_add(align - 1)? & !(align - 1);
        let end = address.checked_add(size.max(1))?.checked_add(GAP)?;
        self.next = Some(end).filter(|end| *end <= self.high)?;
        Some(address)
    }
}

#[cfg(test)]
mod tests;
