//! Text of instructions.

use bitcode::{BinaryFlags, BlockId, Call, CastOp, MemoryAccess, Op, Type, TypeId, ValueId};

use super::Dump;
use super::names::{binary_name, cast_name, fast_math_names, ordering_name, predicate_name, rmw_name};
use super::text::joined;
use super::values::{block_name, gep_flags};

impl Dump<'_> {
    /// The opcode with its flags, and what follows the result type.
    pub(super) fn operation(&mut self, op: &Op) -> (String, String) {
        match op {
            Op::Unary { fast_math, arg, .. } => {
                (format!("fneg{}", fast_math_names(*fast_math)), self.list(&[*arg]))
            }
            Op::Binary { op, flags, lhs, rhs } => {
                (format!("{}{}", binary_name(*op), binary_flags(*flags)), self.list(&[*lhs, *rhs]))
            }
            Op::Cast { op, flags, arg } => {
                (format!("{}{}", cast_name(*op), cast_flags(*op, *flags)), self.list(&[*arg]))
            }
            Op::Compare { predicate, flags, lhs, rhs } => {
                let (name, predicate) = predicate_name(*predicate);
                (format!("{name}{} {predicate}", compare_flags(name, *flags)), self.list(&[*lhs, *rhs]))
            }
            Op::Select { cond, on_true, on_false, fast_math } => {
                (format!("select{}", fast_math_names(*fast_math)), self.list(&[*cond, *on_true, *on_false]))
            }
            Op::Freeze { arg } => ("freeze".into(), self.list(&[*arg])),
            Op::VaArg { list } => ("va_arg".into(), self.list(&[*list])),
            Op::Phi { incoming, fast_math } => {
                (format!("phi{}", fast_math_names(*fast_math)), format!(" ; {}", self.incoming(incoming)))
            }
            Op::ExtractElement { vector, index } => ("extractelement".into(), self.list(&[*vector, *index])),
            Op::InsertElement { vector, element, index } => {
                ("insertelement".into(), self.list(&[*vector, *element, *index]))
            }
            Op::ShuffleVector { lhs, rhs, mask } => {
                ("shufflevector".into(), format!("{} ; {}", self.list(&[*lhs, *rhs]), self.mask(*mask)))
            }
            Op::ExtractValue { aggregate, indices } => (
                "extractvalue".into(),
                format!("{} ; {}", self.list(&[*aggregate]), joined(indices, u32::to_string)),
            ),
            Op::InsertValue { aggregate, element, indices } => {
                let operands = self.list(&[*aggregate, *element]);
                ("insertvalue".into(), format!("{operands} ; {}", joined(indices, u32::to_string)))
            }
            Op::Call(_) | Op::Invoke { .. } | Op::CallBr { .. } => self.call_operation(op),
            Op::Unknown { code } => (format!("unknown instruction {code}"), String::new()),
            _ => self.memory_operation(op).unwrap_or_else(|| self.control_operation(op)),
        }
    }

    fn memory_operation(&mut self, op: &Op) -> Option<(String, String)> {
        Some(match op {
            Op::Gep { source, flags, base, indices } => {
                let operands: Vec<ValueId> = [*base].into_iter().chain(indices.iter().copied()).collect();
                let source = self.ty(*source);
                (
                    format!("getelementptr{}", gep_flags(*flags)),
                    format!(" ; {source}{}", self.list(&operands)),
                )
            }
            Op::Alloca { allocated, count, align, inalloca, swift_error, .. } => {
                let inalloca = if *inalloca { " inalloca" } else { "" };
                let swift_error = if *swift_error { " swifterror" } else { "" };
                let allocated = self.ty(*allocated);
                let details = format!(" ; {allocated}{}", self.list(&[*count]));
                (format!("alloca{inalloca}{swift_error} align={align}"), details)
            }
            Op::Load { pointer, access } => {
                (format!("load{}", access_flags(*access, "")), self.list(&[*pointer]))
            }
            Op::Store { pointer, value, access } => {
                (format!("store{}", access_flags(*access, "")), self.list(&[*value, *pointer]))
            }
            Op::CompareExchange { pointer, expected, new, access, failure_order, weak } => {
                let weak = if *weak { " weak" } else { "" };
                let flags = access_flags(*access, &ordering_name(*failure_order));
                (format!("cmpxchg{weak}{flags}"), self.list(&[*pointer, *expected, *new]))
            }
            Op::AtomicRmw { op, pointer, value, access } => (
                format!("atomicrmw {}{}", rmw_name(*op), access_flags(*access, "")),
                self.list(&[*pointer, *value]),
            ),
            Op::Fence { order, scope } => {
                (format!("fence{}{}", ordering_name(*order), scope_text(*order, *scope)), String::new())
            }
            _ => return None,
        })
    }

    fn control_operation(&mut self, op: &Op) -> (String, String) {
        match op {
            Op::Return { value } => {
                ("ret".into(), value.map_or_else(String::new, |value| self.list(&[value])))
            }
            Op::Branch { target } => ("br".into(), format!(" ; {}", block_name(*target))),
            Op::CondBranch { cond, on_true, on_false } => {
                let cond = self.operand(*cond);
                ("br".into(), format!(" ; {cond}, {}, {}", block_name(*on_true), block_name(*on_false)))
            }
            Op::Switch { value, default, cases } => {
                let mut text = format!(" ; {}, {}", self.operand(*value), block_name(*default));
                for &(case, target) in cases {
                    text += &format!(", {} -> {}", self.operand(case), block_name(target));
                }
                ("switch".into(), text)
            }
            Op::IndirectBranch { address, targets } => {
                let address = self.operand(*address);
                (
                    "indirectbr".into(),
                    format!(
                        " ; {}",
                        [address].into_iter().chain(names(targets)).collect::<Vec<_>>().join(", ")
                    ),
                )
            }
            Op::Unreachable => ("unreachable".into(), String::new()),
            Op::Resume { value } => ("resume".into(), self.list(&[*value])),
            Op::LandingPad { cleanup, clauses } => {
                let mut text = String::from(if *cleanup { " ; cleanup" } else { " ;" });
                for &(filter, value) in clauses {
                    text += &format!(", {} {}", if filter { "filter" } else { "catch" }, self.operand(value));
                }
                ("landingpad".into(), text)
            }
            Op::FuncletPad { catch, parent, args } => {
                let operands: Vec<ValueId> = [*parent].into_iter().chain(args.iter().copied()).collect();
                (if *catch { "catchpad" } else { "cleanuppad" }.into(), self.list(&operands))
            }
            Op::CatchSwitch { parent, handlers, unwind } => {
                let parent = self.operand(*parent);
                let operands = [parent].into_iter().chain(names(handlers)).collect::<Vec<_>>().join(", ");
                ("catchswitch".into(), format!(" ; {operands} ; {}", unwind_text(*unwind)))
            }
            Op::CatchRet { pad, target } => {
                ("catchret".into(), format!("{}, {}", self.list(&[*pad]), block_name(*target)))
            }
            Op::CleanupRet { pad, unwind } => {
                ("cleanupret".into(), format!("{} ; {}", self.list(&[*pad]), unwind_text(*unwind)))
            }
            other => (format!("no operation {other:?}"), String::new()),
        }
    }

    fn call_operation(&mut self, op: &Op) -> (String, String) {
        match op {
            Op::Call(call) => {
                let tail = ["", " tail", " musttail", " notail"].get(usize::from(call.tail)).unwrap_or(&" ?");
                (format!("call{}{tail}", fast_math_names(call.fast_math)), self.call(call))
            }
            Op::Invoke { call, normal, unwind } => {
                let targets = format!(" ; to {} unwind {}", block_name(*normal), block_name(*unwind));
                (format!("invoke{}", fast_math_names(call.fast_math)), self.call(call) + &targets)
            }
            Op::CallBr { call, fallthrough, indirect } => {
                let mut text = self.call(call) + &format!(" ; to {} or", block_name(*fallthrough));
                text.extend(names(indirect).map(|name| format!(" {name}")));
                ("callbr".into(), text)
            }
            other => (format!("no call {other:?}"), String::new()),
        }
    }

    fn call(&mut self, call: &Call) -> String {
        let ty = self.ty(call.function_type);
        let mut text = format!(" ; cc={} {ty} ; {}", call.calling_convention, self.operand(call.callee));
        for position in 0..call.args.len() {
            text += &format!(", {}", self.argument(call, position));
        }
        text
    }

    fn argument(&mut self, call: &Call, position: usize) -> String {
        if self.is_metadata_parameter(call.function_type, position) {
            let node = call.metadata_arg(position);
            return format!("metadata {}", self.metadata_operand(node));
        }
        self.operand(call.args[position])
    }

    fn is_metadata_parameter(&self, function_type: TypeId, position: usize) -> bool {
        let types = &self.module.types;
        let Some(Type::Function { params, .. }) = types.get(function_type) else { return false };
        params.get(position).is_some_and(|&param| types.get(param) == Some(&Type::Metadata))
    }

    /// ` ; a, b, c`.
    fn list(&mut self, operands: &[ValueId]) -> String {
        format!(" ; {}", joined(operands, |&operand| self.operand(operand)))
    }

    fn incoming(&mut self, incoming: &[(ValueId, BlockId)]) -> String {
        joined(incoming, |&(value, block)| format!("{} from {}", self.operand(value), block_name(block)))
    }
}

fn names(blocks: &[BlockId]) -> impl Iterator<Item = String> {
    blocks.iter().map(|&block| block_name(block))
}

fn unwind_text(unwind: Option<BlockId>) -> String {
    unwind.map_or_else(|| "unwind caller".into(), |block| format!("unwind {}", block_name(block)))
}

fn binary_flags(flags: BinaryFlags) -> String {
    let words =
        [(flags.nuw, " nuw"), (flags.nsw, " nsw"), (flags.exact, " exact"), (flags.disjoint, " disjoint")];
    let text: String = words.iter().filter(|(set, _)| *set).map(|&(_, word)| word).collect();
    text + &fast_math_names(flags.fast_math)
}

fn cast_flags(op: CastOp, flags: u32) -> String {
    match op {
        CastOp::Trunc => format!("{}{}", bit(flags, 1, " nuw"), bit(flags, 2, " nsw")),
        CastOp::ZExt | CastOp::UiToFp => bit(flags, 1, " nneg").into(),
        CastOp::FpTrunc | CastOp::FpExt => fast_math_names(flags),
        _ => String::new(),
    }
}

fn compare_flags(name: &str, flags: u32) -> String {
    if name == "fcmp" { fast_math_names(flags) } else { bit(flags, 1, " samesign").into() }
}

fn bit(flags: u32, mask: u32, word: &'static str) -> &'static str {
    if flags & mask != 0 { word } else { "" }
}

/// Volatile, orderings, scope, alignment.
fn access_flags(access: MemoryAccess, failure: &str) -> String {
    let volatile = if access.volatile { " volatile" } else { "" };
    let scope = scope_text(access.order, access.scope);
    format!("{volatile}{}{failure}{scope} align={}", ordering_name(access.order), access.align)
}

/// Scope 1 is the whole system, which goes without saying.
fn scope_text(order: impl Into<u64>, scope: impl Into<u64>) -> String {
    let (order, scope) = (order.into(), scope.into());
    if order == 0 || scope == 1 { String::new() } else { format!(" scope={scope}") }
}
