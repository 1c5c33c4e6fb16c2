//! Everything of a module but its functions: target, files, types, globals.

use crate::module::{Alias, Global, Init, Linkage, Reloc};
use crate::source::{Member, SourceType};

use super::refs::quote_bytes;
use super::{Printer, put};

impl Printer<'_> {
    pub(super) fn module(&mut self) {
        let module = self.module;
        self.header();
        for (id, ty) in module.types.iter_ids() {
            put!(self, "type {id} = ");
            self.source_type(ty);
            self.out.push('\n');
        }
        module.globals.iter().for_each(|global| self.global(global));
        module.aliases.iter().for_each(|alias| self.alias(alias));
        let runs = [("constructor", &module.constructors), ("destructor", &module.destructors)];
        for (word, &(priority, function)) in
            runs.iter().flat_map(|(word, list)| list.iter().map(move |it| (word, it)))
        {
            put!(self, "{word} {priority} ");
            self.func_ref(function);
            self.out.push('\n');
        }
        for function in module.functions.iter() {
            if function.body.is_some() {
                self.out.push('\n');
            }
            self.function(function);
        }
        self.loc_table(|_| true);
    }

    fn header(&mut self) {
        let module = self.module;
        if let Some(source) = module.source {
            self.out.push_str("source ");
            self.string(source);
            self.out.push('\n');
        }
        self.out.push_str("target");
        if let Some(triple) = module.target.triple {
            self.out.push(' ');
            self.string(triple);
        }
        put!(self, " pointer {}", module.target.pointer_bytes);
        self.out.push_str(if module.target.big_endian { " big_endian\n" } else { "\n" });
        for (id, &path) in module.files.iter_ids() {
            put!(self, "file {id} ");
            self.string(path);
            self.out.push('\n');
        }
    }

    fn source_type(&mut self, ty: &SourceType) {
        match ty {
            SourceType::Unknown => self.out.push_str("unknown"),
            SourceType::Void => self.out.push_str("void"),
            SourceType::Base { name, size, signed, float } => {
                self.out.push_str("base ");
                self.string(*name);
                put!(self, " size {size}");
                self.words([(*signed, "signed"), (*float, "float")]);
            }
            SourceType::Pointer { to, reference: false } => put!(self, "pointer {to}"),
            SourceType::Pointer { to, reference: true } => put!(self, "reference {to}"),
            SourceType::Array { element, count: Some(count) } => put!(self, "array {element} count {count}"),
            SourceType::Array { element, count: None } => put!(self, "array {element}"),
            SourceType::Record { name, union, size, members } => {
                self.out.push_str(if *union { "union " } else { "struct " });
                name.iter().for_each(|&name| {
                    self.string(name);
                    self.out.push(' ');
                });
                put!(self, "size {size} ");
                self.braces(members, |printer, member| printer.member(member));
            }
            SourceType::Enum { name, size, constants } => {
                self.out.push_str("enum ");
                name.iter().for_each(|&name| {
                    self.string(name);
                    self.out.push(' ');
                });
                put!(self, "size {size} ");
                self.braces(constants, |printer, (name, value)| {
                    printer.user_name(*name);
                    put!(printer, " = {value}");
                });
            }
            SourceType::Typedef { name, to } => {
                self.out.push_str("typedef ");
                self.string(*name);
                put!(self, " {to}");
            }
            SourceType::Qualified { to } => put!(self, "qualified {to}"),
            SourceType::Function { result, params, variadic } => {
                put!(self, "function {result} (");
                self.comma_separated(params, |printer, param| put!(printer, "{param}"));
                let dots = if params.is_empty() { "..." } else { ", ..." };
                self.out.push_str(if *variadic { dots } else { "" });
                self.out.push(')');
            }
        }
    }

    fn member(&mut self, member: &Member) {
        if let Some(name) = member.name {
            self.user_name(name);
            self.out.push_str(": ");
        }
        put!(self, "{} at {} size {}", member.ty, member.offset_bits, member.size_bits);
        self.words([(member.bit_field, "bitfield")]);
    }

    fn global(&mut self, global: &Global) {
        self.out.push_str("global ");
        self.linkage(global.linkage);
        self.new_global_name(global.name);
        if let Some(ty) = global.source_type {
            put!(self, ": {ty}");
        }
        put!(self, " size {} align {}", global.size, global.align);
        self.words([(global.constant, "constant"), (global.thread_local, "thread_local")]);
        if global.pretty != global.name {
            self.out.push_str(" pretty ");
            self.string(global.pretty);
        }
        if let Some(init) = &global.init {
            self.init(init);
        }
        self.loc_suffix(global.loc, None);
        self.out.push('\n');
    }

    fn init(&mut self, init: &Init) {
        let empty = init.pieces.is_empty() && init.relocs.is_empty();
        self.out.push_str(if empty { " = {" } else { " = { " });
        self.comma_separated(&init.pieces, |printer, (offset, bytes)| {
            put!(printer, "{offset}: ");
            quote_bytes(&mut printer.out, bytes);
        });
        self.out.push_str(if init.pieces.is_empty() || init.relocs.is_empty() { "" } else { ", " });
        self.comma_separated(&init.relocs, |printer, reloc| printer.reloc(reloc));
        self.out.push_str(if empty { "}" } else { " }" });
        self.words([(init.partial, "partial")]);
    }

    fn reloc(&mut self, reloc: &Reloc) {
        put!(self, "{}: ", reloc.offset);
        self.symbol_ref(reloc.plus);
        if let Some(minus) = reloc.minus {
            self.out.push_str(" - ");
            self.symbol_ref(minus);
        }
        self.offset(reloc.addend);
        if reloc.bytes != self.module.target.pointer_bytes {
            put!(self, " bytes {}", reloc.bytes);
        }
    }

    fn alias(&mut self, alias: &Alias) {
        self.out.push_str("alias ");
        self.linkage(alias.linkage);
        self.new_global_name(alias.name);
        self.out.push_str(" = ");
        self.symbol_ref(alias.target);
        self.offset(alias.offset);
        self.out.push('\n');
    }

    /// The linkage and a space; nothing for what all units see.
    pub(super) fn linkage(&mut self, linkage: Linkage) {
        if linkage != Linkage::External {
            put!(self, "{} ", linkage.word());
        }
    }

    /// `+8` or `-8` behind an address; nothing for 0.
    pub(super) fn offset(&mut self, offset: i64) {
        if offset != 0 {
            put!(self, "{offset:+}");
        }
    }

    /// The words that apply, each after a space.
    pub(super) fn words<const N: usize>(&mut self, words: [(bool, &str); N]) {
        for (_, word) in words.into_iter().filter(|(applies, _)| *applies) {
            put!(self, " {word}");
        }
    }

    pub(super) fn comma_separated<T>(&mut self, items: &[T], mut item: impl FnMut(&mut Self, &T)) {
        for (position, it) in items.iter().enumerate() {
            self.out.push_str(if position == 0 { "" } else { ", " });
            item(self, it);
        }
    }

    fn braces<T>(&mut self, items: &[T], item: impl FnMut(&mut Self, &T)) {
        self.out.push_str(if items.is_empty() { "{" } else { "{ " });
        self.comma_separated(items, item);
        self.out.push_str(if items.is_empty() { "}" } else { " }" });
    }
}
