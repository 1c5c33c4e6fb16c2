//! Variadic arguments as the System V ABI for x86-64 lays them out, because clang expands `va_arg` itself.
//!
//! ```text
//! struct { unsigned gp_offset, fp_offset; void *overflow_arg_area, *reg_save_area; }   // va_list
//! reg_save_area: rdi rsi rdx rcx r8 r9 (8 bytes each), xmm0 … xmm7 (16 bytes each)
//! ```
//! Source: *System V Application Binary Interface, AMD64 Architecture Processor Supplement*, §3.5.7 and Fig.
//! 3.33.
//! Departures: (1) both areas are blocks of their own, and a register that no argument came in is undefined
//! there; (2) lanes of a vector arrive as single floats, two of which share a register; see
//! [`VarArgs::layout`].
//! Not covered: other targets; `va_start` is unsupported there.

use ir::{FloatKind, Operand, ParamAttrs, Type};

use crate::call::Actuals;
use crate::machine::{Machine, OrStop};
use crate::memory::{BlockKind, NewBlock};
use crate::step::Cx;
use crate::value::Value;

/// Bytes of the register save area.
const SAVE_AREA: u64 = 176;
/// Bytes of its part for general registers.
const GENERAL_AREA: u64 = 48;
/// Bytes of a `va_list`.
pub(crate) const LIST_BYTES: u64 = 24;

/// All arguments of a call of a variadic function.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct VarArgs {
    args: Vec<VarArg>,
    /// The number of arguments that have parameters.
    n_fixed: usize,
}

#[derive(Clone, PartialEq, Debug)]
struct VarArg {
    value: Value,
    attrs: ParamAttrs,
}

/// Where the arguments are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Layout {
    /// For each argument: its place.
    places: Vec<ArgSlot>,
    /// What `va_list` starts with.
    gp_offset: u64,
    fp_offset: u64,
    overflow_start: u64,
    /// Bytes of the overflow area.
    overflow_bytes: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ArgSlot {
    /// An offset in the register save area.
    Register(u64),
    /// An offset in the overflow area.
    Memory(u64),
}

impl VarArgs {
    pub(crate) fn new(actuals: &Actuals<'_>, n_params: usize) -> VarArgs {
        let attrs = |position: usize| actuals.attrs.get(position).copied().unwrap_or_default();
        let args = actuals.values.iter().enumerate();
        VarArgs {
            args: args.map(|(at, value)| VarArg { value: value.clone(), attrs: attrs(at) }).collect(),
            n_fixed: n_params,
        }
    }

    /// Assigns registers and stack slots in order.
    ///
    /// A variadic `float` became a `double`, so two single floats in a row are the lanes of one eightbyte of a struct.
    fn layout(&self) -> Layout {
        let mut layout = Layout { gp_offset: 0, fp_offset: GENERAL_AREA, ..Layout::default() };
        let mut start = None;
        let mut second_lane = false;
        for (position, arg) in self.args.iter().enumerate() {
            if position == self.n_fixed {
                start = Some((layout.gp_offset, layout.fp_offset, layout.overflow_bytes));
                second_lane = false;
            }
            let is_single = arg.value.ty() == Type::Float(FloatKind::Single) && position >= self.n_fixed;
            let place = match layout.places.last() {
                Some(ArgSlot::Register(at)) if second_lane && is_single => ArgSlot::Register(at + 4),
                Some(ArgSlot::Memory(at)) if second_lane && is_single => ArgSlot::Memory(at + 4),
                _ => layout.assign(arg),
            };
            second_lane = is_single && !second_lane;
            layout.places.push(place);
        }
        let end = (layout.gp_offset, layout.fp_offset, layout.overflow_bytes);
        (layout.gp_offset, layout.fp_offset, layout.overflow_start) = start.unwrap_or(end);
        layout
    }
}

impl Layout {
    fn assign(&mut self, arg: &VarArg) -> ArgSlot {
        if let Some(bytes) = arg.attrs.byval {
            return self.in_memory(bytes.into(), u64::from(arg.attrs.align).max(8));
        }
        match arg.value.ty() {
            Type::Float(FloatKind::X87) => self.in_memory(16, 16),
            Type::Float(kind) => self.in_vector_register(u64::from(kind.bits() / 8)),
            Type::Int(width) if width > 64 => self.in_general_registers(u64::from(width.div_ceil(64)) * 8),
            Type::Int(_) | Type::Ptr => self.in_general_registers(8),
        }
    }

    fn in_general_registers(&mut self, bytes: u64) -> ArgSlot {
        if bytes <= 16 && self.gp_offset + bytes <= GENERAL_AREA {
            self.gp_offset += bytes;
            return ArgSlot::Register(self.gp_offset - bytes);
        }
        self.in_memory(bytes, if bytes > 8 { 16 } else { 8 })
    }

    fn in_vector_register(&mut self, bytes: u64) -> ArgSlot {
        if self.fp_offset + 16 <= SAVE_AREA {
            self.fp_offset += 16;
            return ArgSlot::Register(self.fp_offset - 16);
        }
        self.in_memory(bytes, bytes.max(8))
    }

    fn in_memory(&mut self, bytes: u64, align: u64) -> ArgSlot {
        let start = self.overflow_bytes.next_multiple_of(align);
        self.overflow_bytes = (start + bytes).next_multiple_of(8);
        ArgSlot::Memory(start)
    }
}

impl<'p> Machine<'p> {
    pub(crate) fn va_start(&mut self, cx: Cx<'p>, list: Operand) -> OrStop {
        if !self.has_sysv_varargs() {
            return self.unsupported("va_start on a target other than x86-64 System V");
        }
        let Some(varargs) = self.top().varargs.clone() else {
            return self.unsupported("va_start in a function without variadic arguments");
        };
        let layout = varargs.layout();
        let save_area = self.argument_area(cx, SAVE_AREA)?;
        let overflow = self.argument_area(cx, layout.overflow_bytes)?;
        for (arg, place) in varargs.args.iter().zip(&layout.places) {
            let (area, offset) = match *place {
                ArgSlot::Register(offset) => (&save_area, offset),
                ArgSlot::Memory(offset) => (&overflow, offset),
            };
            self.store_argument(&offset_by(area, offset), arg)?;
        }
        let list = self.get(cx, list).clone();
        let overflow = offset_by(&overflow, layout.overflow_start);
        self.store_at(&list, &Value::int(32, layout.gp_offset.into()))?;
        self.store_at(&offset_by(&list, 4), &Value::int(32, layout.fp_offset.into()))?;
        self.store_at(&offset_by(&list, 8), &overflow)?;
        self.store_at(&offset_by(&list, 16), &save_area)
    }

    pub(crate) fn va_copy(&mut self, cx: Cx<'p>, dst: Operand, src: Operand) -> OrStop {
        if !self.has_sysv_varargs() {
            return self.unsupported("va_copy on a target other than x86-64 System V");
        }
        let (dst, src) = (self.get(cx, dst).clone(), self.get(cx, src).clone());
        self.copy_bytes(&dst, &src, LIST_BYTES)
    }

    /// Whether `va_list` has the layout of this file. Code without a triple, written by hand, has it.
    pub(crate) fn has_sysv_varargs(&self) -> bool {
        let triple = self.program.triple();
        let is_sysv = triple.starts_with("x86_64") && !triple.contains("windows") && !triple.contains("x32");
        is_sysv || triple.is_empty() && self.memory.pointer_bytes() == 8 && !self.memory.is_big_endian()
    }

    fn argument_area(&mut self, cx: Cx<'p>, size: u64) -> OrStop<Value> {
        let kind = BlockKind::Stack { function: cx.function, var: None };
        let new = NewBlock { size, align: 16, kind, made: self.site(), zeroed: false, writable: true };
        let block = self.new_slot(new)?;
        Ok(self.pointer_to(block, 0))
    }

    /// Integers fill their slot; the bits beyond a narrow one are as undefined as the ABI leaves them.
    fn store_argument(&mut self, to: &Value, arg: &VarArg) -> OrStop {
        if let Some(bytes) = arg.attrs.byval {
            return self.copy_bytes(to, &arg.value, bytes.into());
        }
        self.store_at(to, &arg.value)
    }
}

/// The pointer so many bytes further on.
pub(crate) fn offset_by(pointer: &Value, bytes: u64) -> Value {
    Value::pointer(pointer.low().wrapping_add(bytes), pointer.prov())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(args: &[(Value, Option<u32>)], n_fixed: usize) -> Layout {
        let arg = |(value, byval): &(Value, Option<u32>)| VarArg {
            value: value.clone(),
            attrs: ParamAttrs { byval: *byval, align: 8, ..ParamAttrs::default() },
        };
        VarArgs { args: args.iter().map(arg).collect(), n_fixed }.layout()
    }

    fn int() -> (Value, Option<u32>) {
        (Value::int(32, 1), None)
    }

    #[test]
    fn fixed_parameters_take_registers_first() {
        let layout =
            layout(&[(Value::null(), None), (Value::f64(1.0), None), int(), (Value::f64(2.0), None)], 2);
        assert_eq!((layout.gp_offset, layout.fp_offset, layout.overflow_start), (8, 64, 0));
        assert_eq!(
            layout.places,
            [ArgSlot::Register(0), ArgSlot::Register(48), ArgSlot::Register(8), ArgSlot::Register(64)]
        );
    }

    #[test]
    fn the_seventh_integer_and_the_ninth_float_are_in_memory() {
        let mut args: Vec<_> = (0..8).map(|_| int()).collect();
        args.extend((0..9).map(|_| (Value::f64(1.0), None)));
        let layout = layout(&args, 1);
        assert_eq!(layout.places[5..8], [ArgSlot::Register(40), ArgSlot::Memory(0), ArgSlot::Memory(8)]);
        assert_eq!(layout.places[15..], [ArgSlot::Register(160), ArgSlot::Memory(16)]);
        assert_eq!(layout.overflow_bytes, 24);
    }

    #[test]
    fn long_doubles_and_structs_are_always_in_memory() {
        let long = Value::float(FloatKind::X87, 0);
        let layout = layout(&[int(), (Value::null(), Some(20)), (long, None), (Value::int(128, 1), None)], 1);
        assert_eq!(
            layout.places,
            [ArgSlot::Register(0), ArgSlot::Memory(0), ArgSlot::Memory(32), ArgSlot::Register(8)]
        );
        assert_eq!(layout.overflow_bytes, 48);
    }

    #[test]
    fn a_wide_integer_is_not_split_between_registers_and_memory() {
        let mut args: Vec<_> = (0..5).map(|_| int()).collect();
        args.push((Value::int(128, 1), None));
        args.push(int());
        let layout = layout(&args, 1);
        assert_eq!(layout.places[5..], [ArgSlot::Memory(0), ArgSlot::Register(40)]);
    }

    #[test]
    fn two_single_floats_share_a_register() {
        let single = || (Value::f32(1.0), None);
        let layout = layout(&[int(), single(), single(), single()], 1);
        assert_eq!(layout.places[1..], [ArgSlot::Register(48), ArgSlot::Register(52), ArgSlot::Register(64)]);
    }
}
