//! Text of operands and constants.

use base::Id;
use bitcode::{BlockId, Constant, ConstantKind, Def, GepFlags, Type, TypeId, ValueId};

use super::Dump;
use super::names::{binary_name, cast_name, predicate_name};
use super::text::{escaped, float, fnv, integer, joined, quoted};
use super::types::{float_width, pointer};

/// Aggregates with more elements than this are printed as a count and a hash.
const LONGEST_AGGREGATE: usize = 256;

impl Dump<'_> {
    /// `TYPE VALUE`, as seen from the present body.
    pub(super) fn operand(&mut self, value: ValueId) -> String {
        let module = self.module;
        let Some(def) = module.def(self.body, value) else { return format!("no value {value}") };
        match def {
            Def::Global(id) => {
                format!("{} {}", pointer(module.globals[id].address_space), self.global_name(value))
            }
            Def::Function(id) => {
                format!("{} {}", pointer(module.functions[id].address_space), self.global_name(value))
            }
            Def::Alias(id) => {
                format!("{} {}", pointer(module.aliases[id].address_space), self.global_name(value))
            }
            Def::Ifunc(id) => {
                format!("{} {}", pointer(module.ifuncs[id].address_space), self.global_name(value))
            }
            Def::Constant(constant) => self.constant(constant),
            Def::Argument(index) => {
                let ty = self.body.and_then(|body| body.arguments.get(index as usize));
                format!("{} %{index}", self.optional_ty(ty.copied()))
            }
            Def::Instruction(_) => {
                let ty = module.value_type(self.body, value);
                format!("{} %{}", self.optional_ty(ty), self.local_number(value))
            }
        }
    }

    /// The number of an argument or an instruction's result: the body's constants do not count.
    pub(super) fn local_number(&self, value: ValueId) -> usize {
        let (n_arguments, n_constants) =
            self.body.map_or((0, 0), |body| (body.arguments.len(), body.constants.len()));
        let local = value.index() - self.module.values.len();
        if local < n_arguments { local } else { local - n_constants }
    }

    fn optional_ty(&mut self, ty: Option<TypeId>) -> String {
        ty.map_or_else(|| "no type".into(), |ty| self.ty(ty))
    }

    /// Unnamed globals go by their kind and their position in the module.
    pub(super) fn global_name(&self, value: ValueId) -> String {
        let module = self.module;
        let (name, kind, index) = match module.def(None, value) {
            Some(Def::Global(id)) => (&module.globals[id].name, "variable", id.index()),
            Some(Def::Function(id)) => (&module.functions[id].name, "function", id.index()),
            Some(Def::Alias(id)) => (&module.aliases[id].name, "alias", id.index()),
            Some(Def::Ifunc(id)) => (&module.ifuncs[id].name, "ifunc", id.index()),
            _ => return format!("no global {value}"),
        };
        global_text(name, kind, index)
    }

    /// A constant with its type.
    fn constant(&mut self, constant: &Constant) -> String {
        format!("{} {}", self.ty(constant.ty), self.bare_constant(constant))
    }

    fn bare_constant(&mut self, constant: &Constant) -> String {
        match &constant.kind {
            ConstantKind::Null => self.null(constant.ty),
            ConstantKind::Undef => "undef".into(),
            ConstantKind::Poison => "poison".into(),
            ConstantKind::Integer(value) => self.scalar(constant.ty, &[value.cast_unsigned()]),
            ConstantKind::WideInteger(words) | ConstantKind::Float(words) => self.scalar(constant.ty, words),
            ConstantKind::Aggregate(elements) => {
                let texts = joined(elements.iter(), |&element| self.operand(element));
                self.aggregate(constant.ty, elements.len(), &texts)
            }
            ConstantKind::Bytes(bytes) => byte_array(bytes),
            ConstantKind::Data(elements) => self.data(constant.ty, elements),
            _ => self.expression(constant),
        }
    }

    fn null(&mut self, ty: TypeId) -> String {
        match &self.module.types[ty] {
            Type::Integer(_) | Type::Float(_) => self.scalar(ty, &[0]),
            Type::Pointer { .. } => "null".into(),
            Type::Token => "none".into(),
            _ => "zeroinitializer".into(),
        }
    }

    fn scalar(&self, ty: TypeId, words: &[u64]) -> String {
        match &self.module.types[ty] {
            Type::Integer(width) => integer(*width, words),
            Type::Float(format) => float(float_width(*format), words),
            other => format!("number of type {other:?}"),
        }
    }

    fn data(&mut self, ty: TypeId, elements: &[u64]) -> String {
        let module = self.module;
        let (Type::Array { element, .. } | Type::Vector { element, .. }) = &module.types[ty] else {
            return "data that is no array".into();
        };
        if matches!(module.types[ty], Type::Array { .. }) && module.types[*element] == Type::Integer(8) {
            return byte_array(&elements.iter().map(|&word| word as u8).collect::<Vec<_>>());
        }
        let name = self.ty(*element);
        let texts = joined(elements.iter(), |&word| format!("{name} {}", self.scalar(*element, &[word])));
        self.aggregate(ty, elements.len(), &texts)
    }

    fn aggregate(&self, ty: TypeId, count: usize, texts: &str) -> String {
        match &self.module.types[ty] {
            _ if count > LONGEST_AGGREGATE => shortened(count, texts.as_bytes()),
            Type::Struct { .. } => format!("{{{texts}}}"),
            Type::Array { .. } => format!("[{texts}]"),
            _ => format!("<{texts}>"),
        }
    }

    fn expression(&mut self, constant: &Constant) -> String {
        match &constant.kind {
            ConstantKind::Binary { op, flags, lhs, rhs } => {
                let (name, flags) = (binary_name(*op), binary_constant_flags(*op, *flags));
                format!("{name}{flags}({}, {})", self.operand(*lhs), self.operand(*rhs))
            }
            ConstantKind::Unary { arg, .. } => format!("fneg({})", self.operand(*arg)),
            ConstantKind::Cast { op, arg, .. } => format!("{}({})", cast_name(*op), self.operand(*arg)),
            ConstantKind::Gep { source, flags, in_range, base, indices } => {
                let range = in_range.as_ref().map_or(String::new(), |(width, low, high)| {
                    format!(" inrange({}, {})", integer(*width, low), integer(*width, high))
                });
                let head = format!("getelementptr{}{range} {}", gep_flags(*flags), self.ty(*source));
                format!("{head}({})", joined([base].into_iter().chain(indices), |&value| self.operand(value)))
            }
            ConstantKind::Select { cond, on_true, on_false } => {
                self.call_like("select", &[*cond, *on_true, *on_false])
            }
            ConstantKind::Compare { predicate, lhs, rhs } => {
                let (name, predicate) = predicate_name(*predicate);
                self.call_like(&format!("{name} {predicate}"), &[*lhs, *rhs])
            }
            ConstantKind::ExtractElement { vector, index } => {
                self.call_like("extractelement", &[*vector, *index])
            }
            ConstantKind::InsertElement { vector, element, index } => {
                self.call_like("insertelement", &[*vector, *element, *index])
            }
            ConstantKind::ShuffleVector { lhs, rhs, mask } => {
                let (lhs, rhs, mask) = (self.operand(*lhs), self.operand(*rhs), self.mask(*mask));
                format!("shufflevector({lhs}, {rhs}, mask{mask})")
            }
            ConstantKind::BlockAddress { function, block } => {
                format!("blockaddress({}, {})", self.global_name(*function), block_name(*block))
            }
            ConstantKind::InlineAsm { flags, text, constraints, .. } => inline_asm(*flags, text, constraints),
            ConstantKind::DsoLocalEquivalent(value) => {
                format!("dso_local_equivalent({})", self.global_name(*value))
            }
            ConstantKind::NoCfi(value) => format!("no_cfi({})", self.global_name(*value)),
            ConstantKind::PtrAuth(operands) => self.call_like("ptrauth", operands),
            ConstantKind::Unknown { code } => format!("unknown constant {code}"),
            other => format!("no expression {other:?}"),
        }
    }

    fn call_like(&mut self, name: &str, operands: &[ValueId]) -> String {
        format!("{name}({})", joined(operands, |&operand| self.operand(operand)))
    }

    /// The lanes of a constant mask.
    pub(super) fn mask(&mut self, mask: ValueId) -> String {
        let module = self.module;
        let Some(Def::Constant(constant)) = module.def(self.body, mask) else {
            return format!("no mask {mask}");
        };
        let Some(Type::Vector { count, .. }) = module.types.get(constant.ty) else {
            return "mask of no vector".into();
        };
        let lanes: Vec<String> = match &constant.kind {
            ConstantKind::Data(elements) => elements.iter().map(u64::to_string).collect(),
            ConstantKind::Null => vec!["0".into(); *count as usize],
            ConstantKind::Undef | ConstantKind::Poison => vec!["poison".into(); *count as usize],
            ConstantKind::Aggregate(elements) => elements.iter().map(|&element| self.lane(element)).collect(),
            other => vec![format!("mask {other:?}")],
        };
        format!("[{}]", lanes.join(" "))
    }

    fn lane(&self, value: ValueId) -> String {
        match self.module.def(self.body, value) {
            Some(Def::Constant(constant)) => match constant.kind {
                ConstantKind::Integer(lane) => lane.to_string(),
                ConstantKind::Null => "0".into(),
                _ => "poison".into(),
            },
            _ => format!("no lane {value}"),
        }
    }
}

/// `@name`, or the kind and position of a global without a name.
pub(super) fn global_text(name: &str, kind: &str, index: usize) -> String {
    if name.is_empty() { format!("@${kind}{index}") } else { format!("@{}", escaped(name.as_bytes())) }
}

/// `bbN`.
pub(super) fn block_name(block: BlockId) -> String {
    format!("bb{}", block.index())
}

/// `inbounds` implies `nusw`; it is said only where it stands alone.
pub(super) fn gep_flags(flags: GepFlags) -> String {
    let wrap = match flags {
        GepFlags { inbounds: true, .. } => " inbounds",
        GepFlags { nusw: true, .. } => " nusw",
        _ => "",
    };
    format!("{wrap}{}", if flags.nuw { " nuw" } else { "" })
}

fn binary_constant_flags(op: bitcode::BinaryOp, flags: u64) -> String {
    use bitcode::BinaryOp::{AShr, Add, LShr, Mul, SDiv, Shl, Sub, UDiv};
    match op {
        Add | Sub | Mul | Shl => {
            format!(
                "{}{}",
                if flags & 1 != 0 { " nuw" } else { "" },
                if flags & 2 != 0 { " nsw" } else { "" }
            )
        }
        UDiv | SDiv | LShr | AShr if flags & 1 != 0 => " exact".into(),
        _ => String::new(),
    }
}

fn byte_array(bytes: &[u8]) -> String {
    if bytes.len() > LONGEST_AGGREGATE {
        shortened(bytes.len(), bytes)
    } else {
        format!("c{}", quoted(bytes))
    }
}

fn shortened(count: usize, bytes: &[u8]) -> String {
    format!("#{count}:{:016x}", fnv(bytes))
}

fn inline_asm(flags: u32, text: &str, constraints: &str) -> String {
    let words = [(1, " sideeffect"), (2, " alignstack"), (4, " inteldialect"), (8, " unwind")];
    let flags: String = words.iter().filter(|(bit, _)| flags & bit != 0).map(|&(_, word)| word).collect();
    format!("asm{flags} {} {}", quoted(text.as_bytes()), quoted(constraints.as_bytes()))
}
