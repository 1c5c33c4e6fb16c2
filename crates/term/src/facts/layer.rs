//! Where facts are kept: layers that are shared between states, each on top of those it was forked from.
//!
//! A state owns its top layer and changes it in place; if the layer is shared with a fork, a new one is put
//! on top. Forking is therefore one count of references, and the first change after it one small allocation.
//! So that chains stay short, a new layer takes over what is in the layers below it as long as they are not
//! much larger than what it took over already: below each layer there is one of at least twice its size,
//! hence a logarithmic number of them, and each entry is copied a logarithmic number of times.

use base::Id;
use hashbrown::HashTable;
use smallvec::SmallVec;
use std::sync::Arc;

use super::linear::Linear;
use super::range::Range;
use crate::arena::TermId;
use crate::value::Width;

/// Entries that are searched one by one; beyond it an index is built.
const SCANNED: usize = 16;

/// Entries below which a layer is always taken over rather than put under another one.
const SMALL: usize = 4;

/// A path of 30 conditions has some hundred keys.
const FILTER_BITS: usize = 256;

const NONE: u32 = u32::MAX;

/// What is known of a term.
#[derive(Clone, Copy, Debug)]
pub(super) struct Info {
    pub(super) range: Range,
    /// The first of the literals that are to be looked at again when the term's range changes.
    watch: u32,
    /// The form that the term was found equal to.
    link: u32,
}

impl Info {
    /// What is known of a term that no fact is about.
    #[inline]
    pub(super) fn nothing(width: Width) -> Info {
        Info::only(Range::full(width))
    }

    /// What is known of a term of which nothing but its range is known.
    #[inline]
    pub(super) fn only(range: Range) -> Info {
        Info { range, watch: NONE, link: NONE }
    }

    /// Whether anybody watches the term, or it has a link.
    pub(super) fn is_plain(&self) -> bool {
        self.watch == NONE && self.link == NONE
    }

    /// Whether the term was found equal to a form.
    pub(super) fn has_link(&self) -> bool {
        self.link != NONE
    }
}

/// A condition of which the truth is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Literal {
    pub(super) atom: TermId,
    pub(super) truth: bool,
}

#[derive(Clone, Copy, Debug)]
struct Watch {
    literal: Literal,
    /// Whether the term is a part of the literal as it is written, not by way of a link.
    is_direct: bool,
    next: u32,
}

/// Changes to the layers below.
#[derive(Debug, Default)]
pub(super) struct Layer {
    below: Option<Arc<Layer>>,
    /// One bit for each remainder of a key modulo [`FILTER_BITS`], so that most searches end here.
    filter: [u64; FILTER_BITS / 64],
    /// The terms that this layer says something about; in step with `infos`.
    keys: SmallVec<[TermId; 8]>,
    infos: SmallVec<[Info; 6]>,
    /// Keys with their places, once there are more than [`SCANNED`].
    index: HashTable<(TermId, u32)>,
    /// The number of watches in the layers below; positions count through all layers.
    first_watch: u32,
    watches: SmallVec<[Watch; 6]>,
    first_link: u32,
    links: Vec<Linear>,
    atoms: SmallVec<[TermId; 2]>,
}

impl Layer {
    /// Puts a layer that is empty on top of another one.
    pub(super) fn put_above(&mut self, below: Arc<Layer>) {
        debug_assert!(self.keys.is_empty() && self.below.is_none(), "an empty layer should be put on top");
        let taken = taken_over(&below);
        let mut rest = Some(below);
        let mut upper: SmallVec<[Arc<Layer>; 4]> = SmallVec::new();
        for _ in 0..taken {
            if let Some(layer) = rest {
                rest = layer.below.clone();
                upper.push(layer);
            }
        }
        if let Some(rest) = &rest {
            self.first_watch = rest.end_of_watches();
            self.first_link = rest.end_of_links();
        }
        self.below = rest;
        for layer in upper.iter().rev() {
            self.take_over(layer);
        }
    }

    fn take_over(&mut self, layer: &Layer) {
        for (&key, info) in layer.keys.iter().zip(&layer.infos) {
            match self.place(key) {
                Some(at) => self.infos[at] = *info,
                None => {
                    self.push(key, *info);
                }
            }
        }
        self.watches.extend_from_slice(&layer.watches);
        self.links.extend(layer.links.iter().cloned());
        self.atoms.extend_from_slice(&layer.atoms);
    }

    fn end_of_watches(&self) -> u32 {
        self.first_watch + self.watches.len() as u32
    }

    fn end_of_links(&self) -> u32 {
        self.first_link + self.links.len() as u32
    }

    fn layers(&self) -> impl Iterator<Item = &Layer> {
        std::iter::successors(Some(self), |layer| layer.below.as_deref())
    }

    /// Bytes of a layer and those below it; of what others hold, too, its share.
    pub(super) fn bytes(top: &Arc<Layer>) -> usize {
        let (mut bytes, mut holders) = (0, 1_usize);
        let mut next = Some(top);
        while let Some(layer) = next {
            holders = holders.saturating_mul(Arc::strong_count(layer));
            bytes += layer.own_bytes() / holders;
            next = layer.below.as_ref();
        }
        bytes
    }

    fn own_bytes(&self) -> usize {
        const ENTRY: usize = size_of::<TermId>() + size_of::<Info>();
        const INDEX_ENTRY: usize = 2 * (size_of::<(TermId, u32)>() + 1);
        let spilled = |len: usize, inline: usize, bytes: usize| if len > inline { len * bytes } else { 0 };
        size_of::<Layer>()
            + spilled(self.keys.len(), self.infos.inline_size(), ENTRY)
            + spilled(self.watches.len(), self.watches.inline_size(), size_of::<Watch>())
            + spilled(self.atoms.len(), self.atoms.inline_size(), size_of::<TermId>())
            + self.index.len() * INDEX_ENTRY
            + self.links.len() * size_of::<Linear>()
    }

    /// What is known of a term.
    #[inline]
    pub(super) fn info(&self, term: TermId) -> Option<&Info> {
        let mut layer = self;
        loop {
            if let Some(at) = layer.place(term) {
                return Some(&layer.infos[at]);
            }
            layer = layer.below.as_deref()?;
        }
    }

    /// What is known of a term, to be changed.
    fn info_mut(&mut self, term: TermId, width: Width) -> &mut Info {
        let at = self.place_mut(term, width);
        &mut self.infos[at]
    }

    /// Where what is known of a term can be changed.
    fn place_mut(&mut self, term: TermId, width: Width) -> usize {
        self.place(term).unwrap_or_else(|| {
            let known = self.below.as_deref().and_then(|below| below.info(term)).copied();
            self.push(term, known.unwrap_or(Info::nothing(width)))
        })
    }

    #[inline]
    fn place(&self, term: TermId) -> Option<usize> {
        let (word, bit) = filter_bit(term);
        if self.filter[word] & bit == 0 {
            None
        } else if self.keys.len() <= SCANNED {
            self.keys.iter().position(|&key| key == term)
        } else {
            self.index.find(hash(term), |&(key, _)| key == term).map(|&(_, at)| at as usize)
        }
    }

    fn push(&mut self, term: TermId, info: Info) -> usize {
        let at = self.keys.len();
        let (word, bit) = filter_bit(term);
        self.filter[word] |= bit;
        self.keys.push(term);
        self.infos.push(info);
        let keys = &self.keys;
        if keys.len() > SCANNED {
            // The index begins with all keys when there are too many to be scanned, and with room for a path.
            let first = if at == SCANNED { 0 } else { at };
            if first == 0 {
                self.index.reserve(4 * SCANNED, |&(key, _)| hash(key));
            }
            for place in first..=at {
                let entry = (keys[place], place as u32);
                self.index.insert_unique(hash(keys[place]), entry, |&(key, _)| hash(key));
            }
        }
        at
    }

    /// Sets the range of a term.
    pub(super) fn set_range(&mut self, term: TermId, range: Range) {
        self.info_mut(term, range.width).range = range;
    }

    /// The same of a term of which it is known what is known; gives the literals that watch it.
    #[inline]
    pub(super) fn change_range(&mut self, term: TermId, known: &Info, range: Range) -> Watchers<'_> {
        let at = self.place(term).unwrap_or_else(|| self.push(term, *known));
        let info = &mut self.infos[at];
        info.range = range;
        let next = info.watch;
        Watchers { layer: self, next }
    }

    /// Links a base to the form that it equals.
    pub(super) fn set_link(&mut self, term: TermId, width: Width, form: Linear) {
        let link = self.end_of_links();
        self.links.push(form);
        self.info_mut(term, width).link = link;
    }

    /// The form that a base is linked to.
    pub(super) fn link(&self, info: &Info) -> Option<&Linear> {
        let at = info.link;
        if at == NONE {
            return None;
        }
        let layer = self.layers().find(|layer| layer.first_link <= at)?;
        layer.links.get((at - layer.first_link) as usize)
    }

    /// Lets a literal be looked at again when a term changes; says whether the term has a link.
    ///
    /// A literal is direct if it is written with the term, and not about it by way of a link.
    pub(super) fn watch(&mut self, term: TermId, width: Width, literal: Literal, is_direct: bool) -> bool {
        let at = self.place_mut(term, width);
        self.watch_at(at, literal, is_direct)
    }

    /// The same of a term of which it is known what is known.
    pub(super) fn watch_known(&mut self, term: TermId, known: &Info, literal: Literal) {
        let at = self.place(term).unwrap_or_else(|| self.push(term, *known));
        self.watch_at(at, literal, true);
    }

    #[inline]
    fn watch_at(&mut self, at: usize, literal: Literal, is_direct: bool) -> bool {
        let fresh = self.end_of_watches();
        let Info { watch: next, link, .. } = self.infos[at];
        if (Watchers { layer: self, next }).next() != Some((literal, is_direct)) {
            self.infos[at].watch = fresh;
            self.watches.push(Watch { literal, is_direct, next });
        }
        link != NONE
    }

    /// The literals that watch a term, the newest first, and whether they are direct.
    pub(super) fn watchers(&self, term: TermId) -> Watchers<'_> {
        Watchers { layer: self, next: self.info(term).map_or(NONE, |info| info.watch) }
    }

    /// Notes a condition that was assumed.
    pub(super) fn push_atom(&mut self, atom: TermId) {
        self.atoms.push(atom);
    }

    /// All conditions that were assumed, in order.
    pub(super) fn atoms(&self) -> impl Iterator<Item = TermId> {
        let layers: SmallVec<[&Layer; 8]> = self.layers().collect();
        layers.into_iter().rev().flat_map(|layer| layer.atoms.iter().copied())
    }
}

/// See [`Layer::watchers`].
pub(super) struct Watchers<'a> {
    layer: &'a Layer,
    next: u32,
}

impl Iterator for Watchers<'_> {
    type Item = (Literal, bool);

    #[inline]
    fn next(&mut self) -> Option<(Literal, bool)> {
        let at = self.next;
        if at == NONE {
            return None;
        }
        // Older watches are in the same layer or below.
        while at < self.layer.first_watch {
            self.layer = self.layer.below.as_deref()?;
        }
        let watch = self.layer.watches.get((at - self.layer.first_watch) as usize)?;
        self.next = watch.next;
        Some((watch.literal, watch.is_direct))
    }
}

/// How many of the uppermost layers a new one takes over: the most for which the lowest of them is at most twice as large as those
/// above it together.
fn taken_over(top: &Layer) -> usize {
    let mut taken = 0;
    let mut above = 0;
    for (at, layer) in top.layers().enumerate() {
        let size = layer.keys.len();
        if size <= 2 * above + SMALL {
            taken = at + 1;
        }
        above += size;
    }
    taken
}

/// The word of a filter, and the bit in it.
#[inline]
fn filter_bit(term: TermId) -> (usize, u64) {
    let bit = term.index() % FILTER_BITS;
    (bit / 64, 1 << (bit % 64))
}

fn hash(term: TermId) -> u64 {
    // Ids count up; the table takes its bits from both ends of the hash.
    (term.index() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_of_many_forks_has_few_layers() {
        let mut top = Arc::new(Layer::default());
        for it in 0..1000 {
            let mut layer = Layer::default();
            layer.put_above(Arc::clone(&top));
            for term in [2 * it, 2 * it + 1].map(TermId::new) {
                layer.set_range(term, Range::of(32, it as u64));
                layer.watch(TermId::FIRST, 32, Literal { atom: term, truth: true }, true);
            }
            layer.push_atom(TermId::new(it));
            top = Arc::new(layer);
        }
        assert!(top.layers().count() <= 8, "{} layers", top.layers().count());
        assert_eq!(top.info(TermId::new(77)).and_then(|info| info.range.single()), Some(38));
        assert!(top.atoms().map(Id::index).eq(0..1000));
        assert_eq!(top.watchers(TermId::FIRST).count(), 2000);
    }
}
