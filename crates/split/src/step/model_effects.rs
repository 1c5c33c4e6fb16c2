//! What library functions do to memory.

use base::limits;
use heap::block::Content;
use heap::path::Reason;
use heap::{AccessKind, Kind, Located, Place, Status};
use models::{Byte, Data, Effect, FormatStyle, Habits, Len, Model, What};
use term::{Origin, TermId};

use super::access::{Bytes, Wanted};
use super::call::Calling;
use super::copy::Length;
use crate::engine::Engine;
use crate::flow::Flow;
use crate::world::Stopped;

/// A deallocation under way.
struct Freeing {
    /// The family that it is for.
    family: u16,
    null_ok: bool,
    /// The function, as the user knows it.
    by: String,
}

impl Engine<'_> {
    /// One effect on one argument.
    pub(super) fn effect(
        &mut self,
        mut flow: Flow,
        calling: &Calling<'_>,
        (effect, at): (&Effect, usize),
        next: &mut Vec<Flow>,
    ) {
        let Some(&pointer) = calling.args.get(at) else { return next.push(flow) };
        if effect.null_ok && !matches!(effect.what, What::Free { .. }) {
            let is_null = self.is_zero(pointer);
            let mut skipped = flow.clone();
            if self.assume(&mut skipped, is_null, Reason::Choice) {
                next.push(skipped);
            }
            let nonnull = self.terms.not(is_null);
            if !self.assume(&mut flow, nonnull, Reason::Choice) {
                return;
            }
        }
        let is_pointer = self.terms.width(pointer) == self.pointer_bits;
        match &effect.what {
            What::Output => {
                let made = self.here();
                if self.check_defined(&flow.state, pointer, &made, "as an argument") {
                    next.push(flow);
                }
            }
            What::Format { style } => self.format(flow, calling, (*style, at), next),
            What::Escape => {
                self.give_away(&mut flow.state, heap::Given::kept(pointer));
                next.push(flow);
            }
            _ if !is_pointer => next.push(flow),
            What::Access { read, write, len, defined } => {
                let kind = if *write { AccessKind::Write } else { AccessKind::Read };
                if *read && !*defined {
                    // Who gets the bytes gets the pointers in them.
                    let blocks = self.blocks_of(&flow.state, pointer);
                    let inside: Vec<TermId> =
                        blocks.iter().flat_map(|&block| flow.state.block(block).values()).collect();
                    self.let_escape(&mut flow.state, &inside);
                }
                self.access_effect(flow, calling, (at, *len), (kind, *read && *defined), next);
            }
            What::Havoc { len, data } => self.havoc_effect(flow, calling, (pointer, *len, *data), next),
            What::Fill { byte, len } => {
                let byte = match byte {
                    Byte::Const(byte) => self.terms.constant(8, (*byte).into()),
                    Byte::Arg(at) => calling.args[*at],
                };
                let Some(len) = self.length(&mut flow, calling, *len) else { return next.push(flow) };
                self.fill(flow, [pointer, byte, len], calling.call.args.get(at).copied(), next);
            }
            What::Copy { src, len, .. } => self.copy_effect(flow, calling, (at, *src, *len), next),
            What::Write { value, bytes } => self.write_effect(flow, calling, (at, value, *bytes), next),
            What::Free { family, behind } => {
                self.free_effect(flow, calling, (at, family, *behind, effect.null_ok), next);
            }
        }
    }

    /// A number of bytes as a term; none if it is a matter of text.
    fn length(&mut self, flow: &mut Flow, calling: &Calling<'_>, len: Len) -> Option<TermId> {
        match len {
            Len::Const(bytes) => Some(self.terms.constant(self.pointer_bits, bytes.into())),
            Len::Arg(at) => calling.args.get(at).copied().map(|arg| self.as_size(arg)),
            Len::Product(a, b) => {
                let (a, b) = (self.as_size(*calling.args.get(a)?), self.as_size(*calling.args.get(b)?));
                let overflows = self.terms.umul_overflow(a, b);
                let fits = self.terms.not(overflows);
                let _ = self.assume(flow, fits, Reason::Choice);
                Some(self.terms.mul(a, b))
            }
            Len::String | Len::StringMax(_) | Len::Any | Len::AnyMax(_) | Len::Within(_) => None,
        }
    }

    fn access_effect(
        &mut self,
        mut flow: Flow,
        calling: &Calling<'_>,
        (at, len): (usize, Len),
        (kind, defined): (AccessKind, bool),
        next: &mut Vec<Flow>,
    ) {
        let (address, operand) = (calling.args[at], calling.call.args.get(at).copied());
        if let Len::StringMax(most) | Len::AnyMax(most) = len
            && let Some(&most) = calling.args.get(most)
            && flow.state.path.facts.range(&self.terms, most).constant() == Some(0)
        {
            // Nothing fits into no bytes: `snprintf(NULL, 0, …)`.
            return next.push(flow);
        }
        let Some(length) = self.length(&mut flow, calling, len) else {
            let wanted = Wanted { address, operand, bytes: 1, kind };
            for (mut flow, bytes) in self.access(flow, wanted) {
                if !defined
                    || !matches!(len, Len::String | Len::StringMax(_))
                    || self.is_defined_byte(&mut flow, bytes)
                {
                    next.push(flow);
                }
            }
            return;
        };
        let known =
            self.terms.value(length).or_else(|| flow.state.path.facts.range(&self.terms, length).constant());
        let length = Length { term: length, constant: known.and_then(|value| u64::try_from(value).ok()) };
        if length.constant == Some(0) {
            return next.push(flow);
        }
        let wanted = Wanted { address, operand, bytes: length.constant.unwrap_or(0), kind };
        for (mut flow, bytes) in self.access_range(flow, wanted, length) {
            if !defined || self.is_defined_byte(&mut flow, bytes) {
                next.push(flow);
            }
        }
    }

    /// Whether the first byte was written; if not, that is the error of the path.
    fn is_defined_byte(&mut self, flow: &mut Flow, at: Bytes) -> bool {
        if flow.state.block(at.block).rest != Content::Undefined && !self.has_uninit {
            return true;
        }
        let byte = self.read(&mut flow.state, at, 1, None);
        let made = self.here();
        self.check_defined(&flow.state, byte, &made, "by a library function")
    }

    fn havoc_effect(
        &mut self,
        flow: Flow,
        calling: &Calling<'_>,
        (address, len, data): (TermId, Len, Data),
        next: &mut Vec<Flow>,
    ) {
        let _ = calling;
        let origin = match data {
            Data::Unknown => Origin::UnknownCall,
            Data::Input => Origin::Input,
        };
        for (state, located) in self.locate(flow.state.clone(), address) {
            let mut flow = flow.with(state);
            if let Located::In(block, place) = located
                && flow.state.block(block).status.is_allocated()
            {
                let small = match len {
                    Len::Const(bytes @ 1..=16) => Some(bytes as u32),
                    _ => None,
                };
                match (small, len) {
                    (Some(bytes), _) if place.symbolic.is_none() => {
                        let value = self.chosen(&mut flow, "the library", bytes * 8, origin);
                        self.write(&mut flow.state, Bytes { block, place }, bytes, value);
                    }
                    // A mutex inside of a structure: its neighbors stay what they are.
                    (_, Len::Within(bytes)) if place.symbolic.is_none() && bytes <= limits::SPLIT_COPY => {
                        for at in (0..bytes).step_by(8) {
                            let bytes = (bytes - at).min(8) as u32;
                            let value = self.chosen(&mut flow, "the library", bytes * 8, origin);
                            let place = place.plus(at as i64);
                            self.write(&mut flow.state, Bytes { block, place }, bytes, value);
                        }
                    }
                    // A buffer is filled; what lies around something inside of a structure is not.
                    _ if place == Place::at(0) => {
                        self.overwrite_by(&mut flow.state, Bytes { block, place }, Content::Unknown);
                    }
                    _ => self.overwrite(&mut flow.state, Bytes { block, place }),
                }
            }
            next.push(flow);
        }
    }

    fn copy_effect(
        &mut self,
        mut flow: Flow,
        calling: &Calling<'_>,
        (dst, src, len): (usize, usize, Len),
        next: &mut Vec<Flow>,
    ) {
        let names = [calling.call.args.get(dst).copied(), calling.call.args.get(src).copied()];
        let (to, from) = (calling.args[dst], calling.args[src]);
        let len = match len {
            Len::String | Len::StringMax(_) => {
                let length = self.text_length(&mut flow, from);
                match (length, len) {
                    (Some(length), Len::String) => {
                        Some(self.terms.constant(self.pointer_bits, u128::from(length) + 1))
                    }
                    _ => None,
                }
            }
            len => self.length(&mut flow, calling, len),
        };
        if let Some(len) = len {
            return self.copy(flow, [to, from, len], names, next);
        }
        // Some text, nobody knows how long.
        let source = Wanted { address: from, operand: names[1], bytes: 1, kind: AccessKind::Read };
        for (flow, _) in self.access(flow, source) {
            let target = Wanted { address: to, operand: names[0], bytes: 1, kind: AccessKind::Write };
            for (mut flow, at) in self.access(flow, target) {
                self.overwrite(&mut flow.state, at);
                next.push(flow);
            }
        }
    }

    fn write_effect(
        &mut self,
        flow: Flow,
        calling: &Calling<'_>,
        (at, value, bytes): (usize, &models::Ret, u32),
        next: &mut Vec<Flow>,
    ) {
        let wanted = Wanted {
            address: calling.args[at],
            operand: calling.call.args.get(at).copied(),
            bytes: bytes.into(),
            kind: AccessKind::Write,
        };
        let model = unnamed();
        for (mut flow, place) in self.access(flow, wanted) {
            if let Some(term) = self.value_of(&mut flow, calling, (&model, value), bytes * 8) {
                let term = self.resized(term, bytes * 8);
                self.write(&mut flow.state, place, bytes, term);
                next.push(flow);
            }
        }
    }

    fn free_effect(
        &mut self,
        flow: Flow,
        calling: &Calling<'_>,
        (at, family, behind, null_ok): (usize, &str, bool, bool),
        next: &mut Vec<Flow>,
    ) {
        let operand = calling.call.args.get(at).copied();
        let pointer = calling.args[at];
        let freeing = Freeing { family: self.family_number(family), null_ok, by: self.deallocator(calling) };
        if !behind {
            return self.free(flow, (pointer, operand), &freeing, next);
        }
        let bytes = self.pointer_bits / 8;
        let wanted = Wanted { address: pointer, operand, bytes: bytes.into(), kind: AccessKind::Read };
        for (mut flow, place) in self.access(flow, wanted) {
            let inner = self.read(&mut flow.state, place, bytes, None);
            self.free(flow, (inner, None), &freeing, next);
        }
    }

    /// `[p = nil ∨ p ↦ X * X ↦ V] free(p) [ok: p ↦ X * X ↦̸]`, and its errors.
    fn free(
        &mut self,
        flow: Flow,
        (address, operand): (TermId, Option<ir::Operand>),
        freeing: &Freeing,
        next: &mut Vec<Flow>,
    ) {
        let made = self.here();
        if !self.check_defined(&flow.state, address, &made, "as an address") {
            return;
        }
        let wanted = Wanted { address, operand, bytes: 0, kind: AccessKind::Free };
        for (state, located) in self.locate(flow.state.clone(), address) {
            let flow = flow.with(state);
            match located {
                Located::Null if freeing.null_ok => next.push(flow),
                Located::Null => self.null_access(&flow.state, &wanted),
                Located::In(block, place) => self.free_block(flow, &wanted, (block, place, freeing), next),
                Located::New(base, place) => {
                    if freeing.null_ok && place == Place::at(0) {
                        let mut nothing = flow.clone();
                        let is_null = self.is_zero(base);
                        if self.assume(&mut nothing, is_null, Reason::Needed) {
                            next.push(nothing);
                        }
                    }
                    self.free_new(flow, &wanted, (base, place, freeing), next);
                }
            }
        }
    }

    fn free_new(
        &mut self,
        mut flow: Flow,
        wanted: &Wanted,
        (base, place, freeing): (TermId, Place, &Freeing),
        next: &mut Vec<Flow>,
    ) {
        if place.is_inside() {
            return self.stop(Stopped::Alias);
        }
        let access = flow.state.access(self.here(), AccessKind::Free, (0, 0));
        let Some(block) = self.abduce_block(&mut flow.state, base, &access) else {
            // The path says that it is null.
            if !freeing.null_ok {
                self.null_access(&flow.state, wanted);
            }
            return;
        };
        if let Some(pre) = flow.state.pre_mut(block) {
            pre.freeable = Some((freeing.family, place.offset));
        }
        self.mark_freed(&mut flow, block);
        next.push(flow);
    }

    fn free_block(
        &mut self,
        mut flow: Flow,
        wanted: &Wanted,
        (block, place, freeing): (heap::BlockId, Place, &Freeing),
        next: &mut Vec<Flow>,
    ) {
        let data = flow.state.block(block);
        // What never was an address to free is none after the end of the block, either.
        let is_inner = place != Place::at(0) && place.symbolic.is_none();
        let was_freeable = match data.kind {
            Kind::Heap(_) => !is_inner,
            kind => kind != Kind::Stack,
        };
        if was_freeable && !data.status.is_allocated() {
            return self.invalid_access(&flow.state, wanted, Bytes { block, place });
        }
        match data.kind {
            Kind::Heap(_) if is_inner => {
                self.invalid_free(&flow.state, wanted, block, "points into the middle of");
            }
            Kind::Heap(own) if own != freeing.family => {
                self.wrong_family(&flow.state, wanted, (block, own), &freeing.by);
            }
            Kind::Stack | Kind::Global(_) | Kind::Constant(_) | Kind::Function(_) => {
                self.invalid_free(&flow.state, wanted, block, "points to");
            }
            // Where it begins nobody knows, but hardly behind its first known byte.
            Kind::Abduced | Kind::Unknown if place.is_inside() => self.give_up(flow.state, Stopped::Alias),
            Kind::Heap(_) | Kind::Abduced | Kind::Unknown => {
                let access = flow.state.access(self.here(), AccessKind::Free, (0, 0));
                flow.state.touch(block, &access);
                if let Some(pre) = flow.state.pre_mut(block) {
                    pre.freeable = Some((freeing.family, place.offset));
                }
                self.mark_freed(&mut flow, block);
                next.push(flow);
            }
        }
    }

    /// What the user calls the function that frees.
    fn deallocator(&self, calling: &Calling<'_>) -> String {
        let declared = calling.declared.map(|function| self.module.functions[function].pretty);
        let name = declared.map(|name| ir::names::without_params(self.module.symbols.resolve(name)));
        name.unwrap_or("a deallocation function").to_owned()
    }

    fn mark_freed(&mut self, flow: &mut Flow, block: heap::BlockId) {
        let made = self.here();
        flow.state.block_mut(block).status = Status::Freed(made);
    }

    /// What a format does to the arguments behind it.
    fn format(
        &mut self,
        flow: Flow,
        calling: &Calling<'_>,
        (style, at): (FormatStyle, usize),
        next: &mut Vec<Flow>,
    ) {
        let mut flows = vec![flow];
        for position in at + 1..calling.args.len() {
            let mut after = Vec::new();
            for flow in flows {
                let arg = calling.args[position];
                match style {
                    FormatStyle::Printf => {
                        let made = self.here();
                        if self.check_defined(&flow.state, arg, &made, "as an argument") {
                            after.push(flow);
                        }
                    }
                    FormatStyle::Scanf if self.terms.width(arg) == self.pointer_bits => {
                        let operand = calling.call.args.get(position).copied();
                        let wanted = Wanted { address: arg, operand, bytes: 1, kind: AccessKind::Write };
                        for (mut flow, place) in self.access(flow, wanted) {
                            self.overwrite_by(&mut flow.state, place, Content::Unknown);
                            after.push(flow);
                        }
                    }
                    FormatStyle::Scanf => after.push(flow),
                }
            }
            flows = after;
        }
        next.extend(flows);
    }
}

/// A model for values that are stored, not returned.
fn unnamed() -> Model {
    Model {
        name: "the library".to_owned(),
        prototype: None,
        cite: String::new(),
        file: String::new(),
        params: None,
        variadic: false,
        noreturn: None,
        habits: Habits::default(),
        cases: Vec::new(),
    }
}
