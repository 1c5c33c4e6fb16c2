//! Blocks and records of a module: globals, functions, aliases.

use base::Id;
use llvm_bitcode::schema::blocks::ModuleCode;

use super::{Fault, Fields, Reader, alignment, block_id, text};
use crate::attributes::AttributeListId;
use crate::bitstream::{Block, Entry, Record};
use crate::error::Error;
use crate::module::{Alias, Function, GlobalValue, GlobalVariable, Ifunc, Linkage, ValueId};

impl<'a> Reader<'a> {
    pub(super) fn module(&mut self, mut block: Block<'a>) -> Result<(), Error> {
        self.module.attribute_lists.push(Vec::new());
        let mut record = Record::default();
        loop {
            match block.next(&mut self.info, &mut record)? {
                Entry::Block(inner) => self.module_block(inner)?,
                Entry::Record => self.module_record(&record, block.offset())?,
                Entry::End => return Ok(()),
            }
        }
    }

    fn module_block(&mut self, block: Block<'a>) -> Result<(), Error> {
        let offset = block.offset();
        match block.id {
            block_id::TYPE => {
                self.type_table(block)?;
                self.check_types().map_err(|what| Error::Malformed { what, offset })
            }
            block_id::PARAMATTR_GROUP => self.attribute_groups(block),
            block_id::PARAMATTR => self.attribute_lists(block),
            block_id::CONSTANTS => self.module_constants(block),
            block_id::METADATA => self.module_metadata(block),
            block_id::METADATA_KIND => self.metadata_kinds(block),
            block_id::OPERAND_BUNDLE_TAGS => self.records(block, |reader, record| {
                reader.module.bundle_tags.push(text(&record.values));
                Ok(())
            }),
            block_id::FUNCTION => self.function_block(block),
            block_id::VALUE_SYMTAB
            | block_id::USELIST
            | block_id::SYNC_SCOPE_NAMES
            | block_id::GLOBALVAL_SUMMARY
            | block_id::FULL_LTO_SUMMARY => Ok(()),
            id => {
                self.note_unknown(id, None);
                Ok(())
            }
        }
    }

    fn module_record(&mut self, record: &Record<'a>, offset: u64) -> Result<(), Error> {
        let code = u8::try_from(record.code).ok().and_then(|code| ModuleCode::try_from(code).ok());
        let done = match code {
            Some(ModuleCode::Version) if record.values.first() != Some(&2) => {
                return Err(
                    self.unsupported("it keeps names in its symbol table, as LLVM 4 and older write them")
                );
            }
            Some(ModuleCode::Version) => Ok(()),
            Some(ModuleCode::Triple) => {
                self.module.triple = text(&record.values);
                Ok(())
            }
            Some(ModuleCode::Datalayout) => {
                self.module.data_layout = text(&record.values);
                self.alloca_space = alloca_space(&self.module.data_layout);
                Ok(())
            }
            Some(ModuleCode::SourceFilename) => {
                self.module.source_filename = text(&record.values);
                Ok(())
            }
            Some(ModuleCode::Asm) => {
                self.module.asm = text(&record.values);
                Ok(())
            }
            Some(ModuleCode::SectionName) => {
                self.module.sections.push(text(&record.values));
                Ok(())
            }
            Some(ModuleCode::GlobalVar) => self.global_variable(&record.values),
            Some(ModuleCode::Function) => self.function(&record.values),
            Some(ModuleCode::Alias) => self.alias(&record.values),
            Some(ModuleCode::Ifunc) => self.ifunc(&record.values),
            Some(
                ModuleCode::GCName
                | ModuleCode::Comdat
                | ModuleCode::VstOffset
                | ModuleCode::Hash
                | ModuleCode::AsmProperty
                | ModuleCode::GuidList,
            ) => Ok(()),
            _ => {
                self.note_unknown(block_id::MODULE, Some(record.code));
                Ok(())
            }
        };
        done.map_err(|what| Error::Malformed { what, offset })
    }

    // [name offset, name size, type, constant | explicit << 1 | address space << 2, initializer + 1, linkage, alignment,
    //  section, visibility, thread-local, unnamed_addr, externally initialized, dll, comdat, attributes, …]
    fn global_variable(&mut self, values: &[u64]) -> Result<(), Fault> {
        let mut fields = Fields::new(values);
        let name = self.name(&mut fields)?;
        let ty = self.type_id(fields.next()?)?;
        let flags = fields.next()?;
        let initializer = fields.next()?;
        let linkage = linkage(fields.next()?);
        let align = alignment(fields.next()?);
        let section = fields.next()? as u32;
        let mut optional = || fields.optional().unwrap_or(0);
        let (visibility, thread_local, unnamed_addr) = (optional(), optional(), optional());
        let attributes = [optional(), optional(), optional(), optional()][3];
        let address_space = (flags >> 2) as u32;
        let global = GlobalVariable {
            name,
            ty,
            address_space,
            constant: flags & 1 != 0,
            initializer: match initializer {
                0 => None,
                number => Some(value_id(number - 1)?),
            },
            linkage,
            align,
            section,
            visibility: visibility as u32,
            thread_local: thread_local as u32,
            unnamed_addr: unnamed_addr as u32,
            attributes: AttributeListId::from_record(attributes, &self.module.attribute_lists),
            attachments: Vec::new(),
        };
        let id = self.module.globals.push(global);
        self.global_value(GlobalValue::Global(id), address_space);
        Ok(())
    }

    // [name offset, name size, type, calling convention, is declaration, linkage, attributes, alignment, section, visibility,
    //  gc, unnamed_addr, prologue + 1, dll, comdat, prefix + 1, personality + 1, preemption, address space, …]
    fn function(&mut self, values: &[u64]) -> Result<(), Fault> {
        let mut fields = Fields::new(values);
        let name = self.name(&mut fields)?;
        let ty = self.type_id(fields.next()?)?;
        if !matches!(self.module.types[ty], crate::types::Type::Function { .. }) {
            return Err("a function should have a function type");
        }
        let calling_convention = fields.next()? as u32;
        let declaration = fields.next()? != 0;
        let linkage = linkage(fields.next()?);
        let attributes = fields.next()?;
        let align = alignment(fields.next()?);
        let section = fields.next()? as u32;
        let visibility = fields.next()? as u32;
        let rest = fields.rest();
        let optional = |index: usize| rest.get(index).copied().unwrap_or(0);
        let (unnamed_addr, personality, address_space) = (optional(1), optional(6), optional(8) as u32);
        let function = Function {
            name,
            ty,
            address_space,
            calling_convention,
            linkage,
            attributes: AttributeListId::from_record(attributes, &self.module.attribute_lists),
            align,
            section,
            visibility,
            unnamed_addr: unnamed_addr as u32,
            personality: match personality {
                0 => None,
                number => Some(value_id(number - 1)?),
            },
            attachments: Vec::new(),
            defined: !declaration,
            body: None,
            broken: None,
        };
        let id = self.module.functions.push(function);
        if !declaration {
            self.bodies.push_back(id);
        }
        self.global_value(GlobalValue::Function(id), address_space);
        Ok(())
    }

    // [name offset, name size, type, address space, target, linkage, visibility, dll, thread-local, unnamed_addr, …]
    fn alias(&mut self, values: &[u64]) -> Result<(), Fault> {
        let mut fields = Fields::new(values);
        let name = self.name(&mut fields)?;
        let ty = self.type_id(fields.next()?)?;
        let address_space = fields.next()? as u32;
        let target = value_id(fields.next()?)?;
        let linkage = linkage(fields.next()?);
        let rest = fields.rest();
        let optional = |index: usize| rest.get(index).copied().unwrap_or(0) as u32;
        let (visibility, thread_local) = (optional(0), optional(2));
        let alias = Alias { name, ty, address_space, target, linkage, visibility, thread_local };
        let id = self.module.aliases.push(alias);
        self.global_value(GlobalValue::Alias(id), address_space);
        Ok(())
    }

    // [name offset, name size, type, address space, resolver, linkage, visibility, …]
    fn ifunc(&mut self, values: &[u64]) -> Result<(), Fault> {
        let mut fields = Fields::new(values);
        let name = self.name(&mut fields)?;
        let ty = self.type_id(fields.next()?)?;
        let address_space = fields.next()? as u32;
        let resolver = value_id(fields.next()?)?;
        let linkage = linkage(fields.next()?);
        let visibility = fields.optional().unwrap_or(0) as u32;
        let id = self.module.ifuncs.push(Ifunc { name, ty, address_space, resolver, linkage, visibility });
        self.global_value(GlobalValue::Ifunc(id), address_space);
        Ok(())
    }

    fn global_value(&mut self, value: GlobalValue, address_space: u32) {
        self.module.values.push(value);
        let ty = self.pointer_type(address_space);
        self.value_types.push(ty);
    }

    fn name(&self, fields: &mut Fields<'_>) -> Result<Box<str>, Fault> {
        let (offset, size) = (fields.next()?, fields.next()?);
        let range = usize::try_from(offset).ok().zip(usize::try_from(size).ok());
        let bytes = range.and_then(|(offset, size)| self.names.get(offset..)?.get(..size));
        let bytes = bytes.ok_or("a name should lie in the string table")?;
        Ok(String::from_utf8_lossy(bytes).into())
    }
}

pub(super) fn value_id(number: u64) -> Result<ValueId, Fault> {
    match u32::try_from(number) {
        Ok(index) if index < u32::MAX => Ok(ValueId::new(index as usize)),
        _ => Err("a value's number should fit 32 bits"),
    }
}

fn linkage(number: u64) -> Linkage {
    match number {
        1 | 16 => Linkage::WeakAny,
        2 => Linkage::Appending,
        3 => Linkage::Internal,
        4 | 18 => Linkage::LinkOnceAny,
        7 => Linkage::ExternalWeak,
        8 => Linkage::Common,
        9 | 13 | 14 => Linkage::Private,
        10 | 17 => Linkage::WeakOdr,
        11 | 15 | 19 => Linkage::LinkOnceOdr,
        12 => Linkage::AvailableExternally,
        // 5 and 6 are the old DLL linkages; LLVM's reader, too, takes what it does not know for external.
        _ => Linkage::External,
    }
}

/// The address space of stack slots that name none: `A5` in a data layout.
fn alloca_space(data_layout: &str) -> u32 {
    let number = data_layout.split('-').find_map(|part| part.strip_prefix('A'));
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}
