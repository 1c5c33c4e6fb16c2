//! What the callee accesses: each access of its presumption is one of the caller's, or makes its presumption grow.

use base::Id;
use term::{Origin, TermId, Terms};

use super::{Applier, Partial, Refused, Step, Stuck};
use crate::block::{BlockId, Content, Kind, Place, Status};
use crate::locate::{Located, fits, offset_term, sum};
use crate::path::{Condition, Reason};
use crate::state::{Access, AccessKind, PreBlock, State};

impl Applier<'_, '_> {
    pub(super) fn found(
        &mut self,
        terms: &mut Terms,
        mut partial: Partial,
        (at, address): (usize, TermId),
        located: Located,
    ) -> Step {
        let pre = &self.callee.spec.pre[at];
        let first = &pre.accesses[0];
        let (block, place) = match located {
            Located::Null if pre.negative => return Err(Refused::Valid),
            Located::Null => return Err(Refused::Null(stuck(partial.state, first, (at, address)))),
            Located::In(block, place) => {
                partial.state.presume_global(block, |state| self.access_here(state, first, place));
                (block, place)
            }
            Located::New(base, place) => {
                let access = match first.is_constant() {
                    true => self.access_here(&partial.state, first, place),
                    false => self.whole_access(terms, &mut partial, first, place),
                };
                let block = self.cx.abduce(terms, &mut partial.state, base, &access);
                let Some(block) = block else { return Err(Refused::Contradiction) };
                if pre.negative {
                    negate(&mut partial.state, block, &access);
                }
                (block, place)
            }
        };
        let is_allocated = partial.state.block(block).status.is_allocated();
        match (pre.negative, is_allocated) {
            (true, true) => return Err(Refused::Valid),
            (false, false) => {
                return Err(Refused::Invalid(stuck(partial.state, first, (at, address)), block));
            }
            _ => {}
        }
        partial.blocks[at] = Some((block, place));
        if !pre.negative {
            // Nothing was done to the block before its first access, whatever else it is.
            let partial = self.check_access(terms, partial, (at, address), first)?;
            return match self.alias(&partial, (at, block, place)) {
                Some(other) => Err(Refused::Aliased(other, at)),
                None => Ok(partial),
            };
        }
        self.touch(terms, &mut partial, (pre, block, place), first);
        Ok(partial)
    }

    /// A further access to a block that was found.
    pub(super) fn further_access(
        &mut self,
        terms: &mut Terms,
        mut partial: Partial,
        at: usize,
        access: usize,
    ) -> Step {
        let pre = &self.callee.spec.pre[at];
        let access = &pre.accesses[access];
        if !self.advance(terms, &mut partial, access) {
            return Err(Refused::Contradiction);
        }
        let address = self.term(terms, &mut partial, pre.base);
        if pre.negative || partial.blocks[at].is_none() {
            return Ok(partial);
        }
        self.check_access(terms, partial, (at, address), access)
    }

    /// Whether an access stays inside of its block, and frees only what can be freed.
    fn check_access(
        &mut self,
        terms: &mut Terms,
        mut partial: Partial,
        (at, address): (usize, TermId),
        access: &Access,
    ) -> Step {
        let pre = &self.callee.spec.pre[at];
        let Some((block, place)) = partial.blocks[at] else { return Err(Refused::Limit) };
        for part in [access.symbolic, access.len].into_iter().flatten() {
            let part = self.term(terms, &mut partial, part);
            let made = self.through(&access.made);
            if !self.cx.can_address(terms, &partial.state, part, Some(&made)) {
                return Err(Refused::Contradiction);
            }
        }
        let before = partial.state.clone();
        if !self.is_inside(terms, &mut partial, (block, place), access) {
            // What rests on a value of unknown code is not an error of this call.
            let here = self.whole_access(terms, &mut partial, access, place);
            if [here.symbolic, here.len]
                .into_iter()
                .flatten()
                .any(|term| terms.mentions(term, Origin::is_unknown))
            {
                return Err(Refused::Contradiction);
            }
            return Err(Refused::OutOfBounds(stuck(before, access, (at, address)), block));
        }
        if let (AccessKind::Free, Some((family, offset))) = (access.kind, pre.freeable) {
            let freed = place.plus(offset);
            if !is_freeable(&partial.state, (block, freed), family) {
                return Err(Refused::NotFreeable(stuck(before, access, (at, address)), block, place));
            }
            // Where memory of others begins nobody knows, but hardly behind its first known byte.
            if freed.is_inside() {
                return Err(Refused::Limit);
            }
        }
        self.touch(terms, &mut partial, (pre, block, place), access);
        Ok(partial)
    }

    /// An access of the callee, as the caller's presumption notes it.
    fn access_here(&mut self, state: &State, access: &Access, place: Place) -> Access {
        let made = self.through(&access.made);
        let (from, to) = access.extent;
        let extent = (from.saturating_add(place.offset), to.saturating_add(place.offset));
        Access { symbolic: place.symbolic, ..state.access(made, access.kind, extent) }
    }

    /// The same with its own symbolic parts.
    fn whole_access(
        &mut self,
        terms: &mut Terms,
        partial: &mut Partial,
        access: &Access,
        place: Place,
    ) -> Access {
        let symbolic = access.symbolic.map(|symbolic| self.term(terms, partial, symbolic));
        let len = access.len.map(|len| self.term(terms, partial, len));
        let from = sum(terms, place, Place { symbolic, offset: access.extent.0 });
        let bytes = access.extent.1 - access.extent.0;
        let made = self.through(&access.made);
        let extent = (from.offset, from.offset.wrapping_add(bytes));
        Access { symbolic: from.symbolic, len, ..partial.state.access(made, access.kind, extent) }
    }

    /// Lets the caller's presumption ask for what an access of the callee does.
    fn touch(
        &mut self,
        terms: &mut Terms,
        partial: &mut Partial,
        (pre, block, place): (&PreBlock, BlockId, Place),
        access: &Access,
    ) {
        if partial.state.pre_of(block).is_none() {
            return;
        }
        let here = self.whole_access(terms, partial, access, place);
        partial.state.touch(block, &here);
        let freeable = pre.freeable.filter(|_| access.kind == AccessKind::Free);
        if let (Some((family, offset)), Some(own)) = (freeable, partial.state.pre_mut(block)) {
            own.freeable = Some((family, offset + place.offset));
        }
    }

    /// Whether an access fits into its block; if the path does not know, it is assumed.
    fn is_inside(
        &mut self,
        terms: &mut Terms,
        partial: &mut Partial,
        (block, place): (BlockId, Place),
        access: &Access,
    ) -> bool {
        let Some(size) = partial.state.block(block).size else { return true };
        if access.extent.0 >= access.extent.1 && access.len.is_none() {
            return true;
        }
        let here = self.whole_access(terms, partial, access, place);
        let from = Place { symbolic: here.symbolic, offset: here.extent.0 };
        let from = offset_term(terms, from, terms.width(size));
        let within = match here.len {
            None => fits(terms, from, (here.extent.1 - here.extent.0) as u128, size),
            Some(len) => {
                let (inside, room) = (terms.ule(from, size), terms.sub(size, from));
                let enough = terms.ule(len, room);
                terms.and(inside, enough)
            }
        };
        match partial.state.path.facts.decide(terms, within) {
            Some(decided) => decided,
            None => {
                let condition = Condition { term: within, made: here.made, reason: Reason::Needed };
                partial.state.path.assume(terms, condition)
            }
        }
    }

    /// Another block of the presumption that lies in the same bytes of the caller's memory.
    fn alias(&self, partial: &Partial, (at, block, place): (usize, BlockId, Place)) -> Option<usize> {
        let pre = &self.callee.spec.pre;
        // Freeing concerns the whole block; so may accesses to globals and at an index, and what forgets its content.
        let is_whole = |at: usize| {
            let post = &self.callee.spec.post[pre[at].block.index()];
            matches!(post.status, Status::Freed(_))
                || pre[at].freeable.is_some()
                || matches!(post.kind, Kind::Global(_))
                || matches!(post.rest, Content::Unknown | Content::NotFollowed)
                || pre[at].accesses.iter().any(|access| !access.is_constant())
        };
        (0..pre.len()).filter(|&other| other != at).find(|&other| {
            let Some((other_block, other_place)) = partial.blocks[other] else { return false };
            let overlap = || {
                let (own, others) = (self.touched(at, place), self.touched(other, other_place));
                own.iter().any(|a| others.iter().any(|b| a.0 < b.1 && b.0 < a.1))
            };
            let is_apart = || other_place.symbolic == place.symbolic && !overlap();
            other_block == block && (is_whole(at) || is_whole(other) || !is_apart())
        })
    }

    /// The bytes of a block of the presumption that the callee reads or writes, from where its base is in the caller's block.
    fn touched(&self, at: usize, place: Place) -> Vec<(i64, i64)> {
        let pre = &self.callee.spec.pre[at];
        let post = &self.callee.spec.post[pre.block.index()];
        let cells = pre.cells.iter().chain(&post.cells).map(|cell| (cell.place.offset, cell.end()));
        let accesses = pre.accesses.iter().map(|access| access.extent);
        // An extent without a bound reaches to the end of all numbers.
        let from_base = |(from, to): (i64, i64)| {
            let end = to.max(from.saturating_add(1));
            (place.offset.saturating_add(from), place.offset.saturating_add(end))
        };
        cells.chain(accesses).map(from_base).collect()
    }
}

/// Where application got stuck.
fn stuck(state: State, access: &Access, (pre, address): (usize, TermId)) -> Box<Stuck> {
    Box::new(Stuck { state, access: access.clone(), pre, address })
}

/// The presumption asks for a block that was freed.
fn negate(state: &mut State, block: BlockId, access: &Access) {
    state.block_mut(block).status = Status::Freed(access.made.clone());
    if let Some(pre) = state.pre_mut(block) {
        pre.negative = true;
    }
}

/// Whether a pointer can be given to a deallocation function of a family.
fn is_freeable(state: &State, (block, place): (BlockId, Place), family: u16) -> bool {
    let kind = state.block(block).kind;
    matches!(kind, Kind::Abduced | Kind::Unknown) || kind == Kind::Heap(family) && place == Place::at(0)
}
