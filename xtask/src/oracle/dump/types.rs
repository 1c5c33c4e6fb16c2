//! Text of types.

use std::collections::BTreeMap;

use bitcode::{FloatType, Type, TypeId};

use super::Dump;
use super::text::{escaped, joined, quoted};

impl Dump<'_> {
    /// The text of a type; named structs are remembered for the end of the dump.
    pub(super) fn ty(&mut self, id: TypeId) -> String {
        let module = self.module;
        let Some(ty) = module.types.get(id) else { return format!("no type {id}") };
        match ty {
            Type::Void => "void".into(),
            Type::Float(format) => float_name(*format).into(),
            Type::Integer(width) => format!("i{width}"),
            Type::Pointer { address_space } => pointer(*address_space),
            Type::Function { result, params, variadic } => self.function_type(*result, params, *variadic),
            Type::Struct { name: Some(name), .. } | Type::Opaque { name } if !name.is_empty() => {
                let name = escaped(name.as_bytes());
                let text = format!("%{name}");
                self.named_structs.insert(name, id);
                text
            }
            Type::Struct { .. } | Type::Opaque { .. } => self.body(id),
            Type::Array { element, count } => format!("[{count} x {}]", self.ty(*element)),
            Type::Vector { element, count, scalable } => {
                format!("<{}{count} x {}>", if *scalable { "vscale x " } else { "" }, self.ty(*element))
            }
            Type::Target { name, types, ints } => self.target_type(name, types, ints),
            Type::Label => "label".into(),
            Type::Metadata => "metadata".into(),
            Type::Token => "token".into(),
            Type::X86Mmx => "x86_mmx".into(),
            Type::X86Amx => "x86_amx".into(),
            Type::Unknown { code } => format!("unknown type {code}"),
        }
    }

    fn function_type(&mut self, result: TypeId, params: &[TypeId], variadic: bool) -> String {
        let mut texts: Vec<String> = params.iter().map(|&param| self.ty(param)).collect();
        if variadic {
            texts.push("...".into());
        }
        format!("{} ({})", self.ty(result), texts.join(", "))
    }

    fn target_type(&mut self, name: &str, types: &[TypeId], ints: &[u32]) -> String {
        let mut texts = vec![quoted(name.as_bytes())];
        texts.extend(types.iter().map(|&ty| self.ty(ty)));
        texts.extend(ints.iter().map(u32::to_string));
        format!("target({})", texts.join(", "))
    }

    /// The fields of a struct.
    fn body(&mut self, id: TypeId) -> String {
        let module = self.module;
        match &module.types[id] {
            Type::Struct { packed, fields, .. } => {
                let fields = joined(fields.iter(), |&field| self.ty(field));
                if *packed { format!("<{{{fields}}}>") } else { format!("{{{fields}}}") }
            }
            _ => "opaque".into(),
        }
    }

    /// `type %name = body` for every named struct mentioned so far.
    pub(super) fn print_named_structs(&mut self) {
        // The text of one body can name further structs.
        let mut bodies = BTreeMap::new();
        while bodies.len() < self.named_structs.len() {
            for (name, id) in self.named_structs.clone() {
                bodies.entry(name).or_insert_with(|| self.body(id));
            }
        }
        for (name, body) in bodies {
            self.line(&format!("type %{name} = {body}"));
        }
    }
}

/// The text of a pointer type.
pub(super) fn pointer(address_space: u32) -> String {
    if address_space == 0 { "ptr".into() } else { format!("ptr addrspace({address_space})") }
}

/// The width of a float in bits.
pub(super) fn float_width(format: FloatType) -> u32 {
    match format {
        FloatType::Half | FloatType::BFloat => 16,
        FloatType::Float => 32,
        FloatType::Double => 64,
        FloatType::X86Fp80 => 80,
        FloatType::Fp128 | FloatType::PpcFp128 => 128,
    }
}

fn float_name(format: FloatType) -> &'static str {
    match format {
        FloatType::Half => "half",
        FloatType::BFloat => "bfloat",
        FloatType::Float => "float",
        FloatType::Double => "double",
        FloatType::X86Fp80 => "x86_fp80",
        FloatType::Fp128 => "fp128",
        FloatType::PpcFp128 => "ppc_fp128",
    }
}
