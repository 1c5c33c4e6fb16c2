//! The data layout string: `e-m:e-p270:32:32-i64:64-f80:128-n8:16:32:64-S128`.

/// What a data layout string fixes; what it leaves open has LLVM's defaults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DataLayout {
    /// Whether the most significant byte comes first.
    pub big_endian: bool,
    /// The least alignment of structs in bytes.
    pub aggregate_align: u32,
    /// Address spaces with their pointers.
    pointers: Vec<(u32, Pointer)>,
    /// Alignments of integers: bits and bytes, ascending by bits.
    integers: Vec<(u32, u32)>,
    /// Alignments of floats: bits and bytes.
    floats: Vec<(u32, u32)>,
    /// Alignments of vectors: bits and bytes.
    vectors: Vec<(u32, u32)>,
}

/// How pointers of an address space are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pointer {
    /// Bits of an address, a multiple of 8, at most 64. Wider ones (capabilities, buffer descriptors) are passed over.
    pub bits: u32,
    /// ABI alignment in bytes.
    pub align: u32,
}

impl Default for DataLayout {
    fn default() -> Self {
        Self {
            big_endian: false,
            aggregate_align: 1,
            pointers: vec![(0, Pointer { bits: 64, align: 8 })],
            integers: vec![(1, 1), (8, 1), (16, 2), (32, 4), (64, 4)],
            floats: vec![(16, 2), (32, 4), (64, 8), (128, 16)],
            vectors: vec![(64, 8), (128, 16)],
        }
    }
}

impl DataLayout {
    /// Reads a data layout string. Parts that make no sense are passed over, as the string comes from a file.
    pub(crate) fn parse(text: &str) -> Self {
        let mut layout = Self::default();
        for part in text.split('-') {
            layout.part(part);
        }
        layout
    }

    fn part(&mut self, part: &str) -> Option<()> {
        let mut fields = part.split(':');
        let head = fields.next()?;
        let kind = head.chars().next()?;
        let number = || head.trim_start_matches(|it: char| it.is_ascii_alphabetic()).parse::<u32>();
        match kind {
            'e' => self.big_endian = false,
            'E' => self.big_endian = true,
            'p' => {
                let bits = fields.next()?.parse::<u32>().ok()?;
                let align = align_of(fields.next()?)?;
                if bits.is_multiple_of(8) && (8..=64).contains(&bits) {
                    set(&mut self.pointers, number().unwrap_or(0), Pointer { bits, align });
                }
            }
            'i' => set(&mut self.integers, number().ok()?, align_of(fields.next()?)?),
            'f' => set(&mut self.floats, number().ok()?, align_of(fields.next()?)?),
            'v' => set(&mut self.vectors, number().ok()?, align_of(fields.next()?)?),
            'a' => self.aggregate_align = align_of(fields.next()?)?,
            // Stack alignment, mangling, native widths and the like do not change where a byte lies.
            _ => {}
        }
        Some(())
    }

    /// The pointers of an address space.
    pub(crate) fn pointer(&self, address_space: u32) -> Pointer {
        let known = self.pointers.iter().find(|(space, _)| *space == address_space);
        known.map_or(self.pointers[0].1, |(_, pointer)| *pointer)
    }

    /// The alignment of an integer: that of the next wider one listed, else of the widest.
    pub(super) fn integer_align(&self, bits: u32) -> u32 {
        let wider = self.integers.iter().find(|(width, _)| *width >= bits);
        wider.or(self.integers.last()).map_or(1, |(_, align)| *align)
    }

    /// The alignment of a float: the one listed, else its size.
    pub(super) fn float_align(&self, bits: u32) -> u32 {
        let exact = self.floats.iter().find(|(width, _)| *width == bits);
        exact.map_or((bits / 8).next_power_of_two(), |(_, align)| *align)
    }

    /// The alignment of a vector: the one listed, else its size.
    pub(super) fn vector_align(&self, bits: u64) -> u32 {
        let exact = self.vectors.iter().find(|(width, _)| u64::from(*width) == bits);
        exact.map_or_else(
            || u32::try_from(bits.div_ceil(8).max(1).next_power_of_two()).unwrap_or(1 << 31),
            |(_, align)| *align,
        )
    }
}

/// Replaces or adds an entry; the table stays ascending.
fn set<T>(table: &mut Vec<(u32, T)>, key: u32, value: T) {
    match table.binary_search_by_key(&key, |(it, _)| *it) {
        Ok(index) => table[index].1 = value,
        Err(index) => table.insert(index, (key, value)),
    }
}

/// An alignment in bits, as bytes; 0 stands for 1.
fn align_of(text: &str) -> Option<u32> {
    let bytes = (text.parse::<u32>().ok()? / 8).max(1);
    bytes.is_power_of_two().then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_overrides_the_defaults() {
        let layout = DataLayout::parse("E-m:m-p:32:32-i64:64-n32-a:0:64");
        assert!(layout.big_endian);
        assert_eq!(layout.pointer(0), Pointer { bits: 32, align: 4 });
        assert_eq!((layout.integer_align(64), layout.integer_align(7)), (8, 1));
        assert_eq!(DataLayout::parse("e-m:e-p:32:32").integer_align(64), 4);
    }

    #[test]
    fn nonsense_is_passed_over() {
        assert_eq!(DataLayout::parse("x-p:7-p:77:8-i:8-i3:99-iä:8--:::"), DataLayout::default());
    }
}
