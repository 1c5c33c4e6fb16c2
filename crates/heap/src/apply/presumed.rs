//! The presumption of the callee: each block of it is one of the caller's, or makes the caller's presumption
//! grow; each access goes by the one rule ([`crate::access()`]).

use base::Id;
use term::{Origin, TermId};

use super::{Applier, Matched, Partial, Refused, Stuck, Undefined};
use crate::access::{Bounds, Fault, Frees, Span, Wanted, Went, access, access_again};
use crate::block::{BlockId, Content, Kind, Place, Status};
use crate::contents::Bytes;
use crate::locate::{Located, locate};
use crate::path::{Condition, Reason};
use crate::site::Made;
use crate::state::{Access, AccessKind, State};

impl Applier<'_, '_, '_> {
    /// Finds the block that stands for one of the presumption.
    pub(super) fn block(&mut self, mut partial: Partial, at: usize) -> Vec<Matched> {
        let pre = &self.callee.spec.pre[at];
        let Some(first) = pre.accesses.first() else { return vec![Err(Refused::Limit)] };
        if let Err(refused) = self.advance(&mut partial, first) {
            return vec![Err(refused)];
        }
        let address = self.term(&mut partial, pre.base);
        let made = self.through(first.made);
        if pre.negative {
            return self.freed_block(partial, at, (address, made));
        }
        let span = self.span(&mut partial, first);
        let wanted =
            Wanted { address, base: None, span, kind: first.kind, frees: self.frees(at, first), made };
        let state = std::mem::take(&mut partial.state);
        let ways = access(self.cx, self.arena, state, &wanted);
        if ways.is_empty() {
            return vec![Err(Refused::Contradiction)];
        }
        let ways = ways.into_iter().map(|way| (way.state, way.went)).collect();
        let steps = partial.in_each(ways).into_iter();
        steps
            .map(|(partial, went)| {
                let (partial, bytes) = self.went(partial, (at, first), &wanted, went)?;
                self.found(partial, at, bytes)
            })
            .collect()
    }

    /// A further access to a block that was found.
    pub(super) fn further_access(&mut self, mut partial: Partial, at: usize, access: usize) -> Matched {
        let pre = &self.callee.spec.pre[at];
        let access = &pre.accesses[access];
        self.advance(&mut partial, access)?;
        let address = self.term(&mut partial, pre.base);
        let Some((block, place)) = partial.blocks[at].filter(|_| !pre.negative) else { return Ok(partial) };
        let made = self.through(access.made);
        let span = self.span(&mut partial, access);
        let wanted =
            Wanted { address, base: None, span, kind: access.kind, frees: self.frees(at, access), made };
        let state = std::mem::take(&mut partial.state);
        let way = access_again(self.cx, self.arena, state, Bytes { block, place }, &wanted);
        let Some(way) = way else { return Err(Refused::Contradiction) };
        let partial = Partial { state: way.state, ..partial };
        Ok(self.went(partial, (at, access), &wanted, way.went)?.0)
    }

    /// What became of an access of the callee.
    fn went(
        &mut self,
        mut partial: Partial,
        (at, access): (usize, &Access),
        wanted: &Wanted,
        went: Went,
    ) -> Result<(Partial, Bytes), Refused> {
        match went {
            Went::Ok(bytes) => Ok((partial, bytes)),
            Went::Open(bytes, bounds) => {
                // What the path does not know is assumed: whether it is an error is for the callee's triples to say.
                let Bounds { within: term, .. } = bounds;
                let condition = Condition { term, made: wanted.made, reason: Reason::Needed };
                match partial.state.path.assume(&mut self.arena.terms, condition) {
                    true => Ok((partial, bytes)),
                    false => {
                        Err(self.stuck(partial.state, (at, access), (wanted, Fault::OutOfBounds(bytes))))
                    }
                }
            }
            Went::Nothing => Err(Refused::Contradiction),
            Went::Wrong(fault) => Err(self.stuck(partial.state, (at, access), (wanted, fault))),
        }
    }

    /// What a fault is for the callee's triple: an error of the callee, or a reason why the triple is not about this state.
    fn stuck(
        &self,
        state: State,
        (pre, access): (usize, &Access),
        (wanted, fault): (&Wanted, Fault),
    ) -> Refused {
        match fault {
            Fault::NoPointer | Fault::NotData => return Refused::Contradiction,
            Fault::Limit => return Refused::Limit,
            Fault::Undecided => return Refused::Undecided,
            Fault::Undefined(var) => {
                let made = wanted.made;
                return Refused::Undefined(Box::new(Undefined { state, var, made, is_condition: false }));
            }
            // What rests on a value of unknown code is not an error of this call.
            Fault::OutOfBounds(bytes) if self.rests_on_unknown(bytes, wanted) => {
                return Refused::Contradiction;
            }
            Fault::Null | Fault::Invalid(_) | Fault::OutOfBounds(_) | Fault::NotFreeable(..) => {}
        }
        let address = wanted.address;
        Refused::Fault(Box::new(Stuck { state, fault, access: access.clone(), pre, address }))
    }

    fn rests_on_unknown(&self, bytes: Bytes, wanted: &Wanted) -> bool {
        let parts = [bytes.place.symbolic, wanted.span.from.symbolic, wanted.span.len];
        parts.into_iter().flatten().any(|term| self.arena.terms.mentions(term, Origin::is_unknown))
    }

    /// A block was found: is it another one of the presumption as well?
    fn found(&mut self, mut partial: Partial, at: usize, Bytes { block, place }: Bytes) -> Matched {
        partial.blocks[at] = Some((block, place));
        match self.alias(&partial, (at, block, place)) {
            Some(other) => Err(Refused::Aliased(other, at)),
            None => Ok(partial),
        }
    }

    /// `X ↦̸`: the block must have been freed.
    fn freed_block(
        &mut self,
        mut partial: Partial,
        at: usize,
        (address, made): (TermId, Made),
    ) -> Vec<Matched> {
        if let Err(refused) = self.check_defined(&partial.state, (address, false), Some(made)) {
            return vec![Err(refused)];
        }
        let state = std::mem::take(&mut partial.state);
        let located = locate(self.arena, state, address, made);
        let steps = partial.in_each(located).into_iter();
        steps.map(|(partial, located)| self.freed(partial, (at, made), located)).collect()
    }

    fn freed(&mut self, mut partial: Partial, (at, made): (usize, Made), located: Located) -> Matched {
        let first = &self.callee.spec.pre[at].accesses[0];
        let found = match located {
            Located::Null => return Err(Refused::Valid),
            Located::In(block, _) if partial.state.block(block).status.is_allocated() => {
                return Err(Refused::Valid);
            }
            Located::In(block, place) => (block, place),
            Located::New(base, _) if self.arena.is_number(base) => return Err(Refused::Contradiction),
            Located::New(base, place) => {
                let access = partial.state.access(made, first.kind, (place.offset, place.offset));
                let block = self.arena.abduce(&mut partial.state, base, &access);
                let Some(block) = block else { return Err(Refused::Contradiction) };
                negate(&mut partial.state, block, made);
                (block, place)
            }
        };
        partial.blocks[at] = Some(found);
        Ok(partial)
    }

    /// The bytes of an access of the callee, in the caller's terms.
    fn span(&mut self, partial: &mut Partial, access: &Access) -> Span {
        let symbolic = access.symbolic.map(|symbolic| self.term(partial, symbolic));
        let len = access.len.map(|len| self.term(partial, len));
        let (from, to) = access.extent;
        Span { from: Place { symbolic, offset: from }, bytes: to.saturating_sub(from).max(0) as u64, len }
    }

    /// What an access of the callee frees.
    fn frees(&self, at: usize, access: &Access) -> Option<Frees> {
        let freeable = self.callee.spec.pre[at].freeable.filter(|_| access.kind == AccessKind::Free);
        freeable.map(|(family, offset)| Frees { family, offset, null_ok: false })
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

/// The presumption asks for a block that was freed.
fn negate(state: &mut State, block: BlockId, made: Made) {
    state.block_mut(block).status = Status::Freed(made);
    if let Some(pre) = state.pre_mut(block) {
        pre.negative = true;
    }
}
