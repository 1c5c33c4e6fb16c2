//! Functions: the header, variables, blocks and how they end.

use crate::function::{Block, BlockId, Function, ValueDef, ValueId, Var, VarId, VarKind};
use crate::inst::{Target, Terminator, UnreachableCause};
use crate::module::{FnAttrs, ModRef, ParamAttrs};
use crate::types::{Signature, Type};

use super::lexer::Token;
use super::values::BodyState;
use super::{Parsed, Parser};

/// Types with what is promised of each, and whether `...` follows.
#[derive(Default)]
pub(super) struct TypedList {
    pub(super) types: Vec<Type>,
    attrs: Vec<ParamAttrs>,
    pub(super) variadic: bool,
}

impl Parser<'_> {
    /// `func internal @f(i32 noundef, ...) -> (ptr) nounwind pretty "f()" : t3 !file0:3:1 { … }`.
    pub(super) fn function(&mut self) -> Parsed<()> {
        self.need("func")?;
        let linkage = self.linkage()?;
        let name = self.new_global_name()?;
        let params = self.typed_list()?;
        let results = if self.eat("->")? { self.typed_list()? } else { TypedList::default() };
        let attrs = self.fn_attrs()?;
        let pretty = if self.eat("pretty")? { self.string()? } else { name };
        let source_type = self.optional_type()?;
        let loc = self.loc_suffix(None)?;
        let home = self.module.locs.get(loc).and_then(|loc| loc.file);
        let body = if self.token.is("{") { Some(self.body(BodyState::new(home))?) } else { None };
        let signature = Signature { params: params.types, results: results.types, variadic: params.variadic };
        self.module.functions.push(Function {
            name,
            pretty,
            linkage,
            signature,
            param_attrs: params.attrs,
            result_attrs: results.attrs,
            attrs,
            source_type,
            loc,
            body,
        });
        Ok(())
    }

    pub(super) fn typed_list(&mut self) -> Parsed<TypedList> {
        let mut list = TypedList::default();
        self.list("(", ")", |parser| {
            if list.variadic {
                return parser.error("`)` after `...`");
            }
            list.variadic = parser.eat("...")?;
            if !list.variadic {
                list.types.push(parser.ty()?);
                list.attrs.push(parser.param_attrs()?);
            }
            Ok(())
        })?;
        Ok(list)
    }

    /// What is promised of a parameter, argument or result.
    pub(super) fn param_attrs(&mut self) -> Parsed<ParamAttrs> {
        let mut attrs = ParamAttrs::default();
        while let Token::Word(word) = self.token {
            let start = self.start;
            self.advance()?;
            match word {
                _ if attrs.set_flag(word) => {}
                "byval" => attrs.byval = Some(self.parenthesized()?),
                "deref" => attrs.dereferenceable = self.parenthesized()?,
                "deref_or_null" => attrs.dereferenceable_or_null = self.parenthesized()?,
                "align" => attrs.align = self.parenthesized()?,
                _ => return Err(self.error_at(start, "a promise, `,` or `)`")),
            }
        }
        Ok(attrs)
    }

    fn fn_attrs(&mut self) -> Parsed<FnAttrs> {
        let mut attrs = FnAttrs::default();
        while let Token::Word(word) = self.token {
            match word {
                _ if attrs.set_flag(word) => self.advance()?,
                "memory" => self.memory_effects(&mut attrs)?,
                "alloc_size" => {
                    self.advance()?;
                    self.need("(")?;
                    let size = self.number("the position of a parameter")?;
                    let count =
                        if self.eat(",")? { Some(self.number("the position of a parameter")?) } else { None };
                    self.need(")")?;
                    attrs.alloc_size = Some((size, count));
                }
                "alloc_kind" => {
                    self.advance()?;
                    self.need("(")?;
                    while !self.eat(")")? {
                        let start = self.start;
                        if !attrs.alloc_kind.set_flag(self.word("a word of `alloc_kind`")?) {
                            return Err(self.error_at(start, "a word of `alloc_kind`"));
                        }
                    }
                }
                "alloc_family" => {
                    self.advance()?;
                    attrs.alloc_family = Some(self.string()?);
                }
                _ => break,
            }
        }
        Ok(attrs)
    }

    /// `memory(args: read, inaccessible: none, other: readwrite)`.
    fn memory_effects(&mut self, attrs: &mut FnAttrs) -> Parsed<()> {
        self.need("memory")?;
        self.list("(", ")", |parser| {
            let start = parser.start;
            let effect = match parser.word("`args`, `inaccessible` or `other`")? {
                "args" => &mut attrs.memory.args,
                "inaccessible" => &mut attrs.memory.inaccessible,
                "other" => &mut attrs.memory.other,
                _ => return Err(parser.error_at(start, "`args`, `inaccessible` or `other`")),
            };
            parser.need(":")?;
            let start = parser.start;
            let (read, write) = match parser.word("`none`, `read`, `write` or `readwrite`")? {
                "none" => (false, false),
                "read" => (true, false),
                "write" => (false, true),
                "readwrite" => (true, true),
                _ => return Err(parser.error_at(start, "`none`, `read`, `write` or `readwrite`")),
            };
            *effect = ModRef { read, write };
            Ok(())
        })
    }

    fn body(&mut self, mut state: BodyState) -> Parsed<crate::Body> {
        self.need("{")?;
        while self.eat("var")? {
            self.var(&mut state)?;
        }
        while !self.eat("}")? {
            self.block(&mut state)?;
        }
        self.finish_body(state)
    }

    /// `var x0 name: t3 param 0 !3:5`, behind the first word.
    fn var(&mut self, state: &mut BodyState) -> Parsed<()> {
        let id = state.body.vars.next_id();
        self.next_id("x", id)?;
        let name = self.user_name()?;
        let source_type = self.optional_type()?;
        let start = self.start;
        let kind = match self.word("`param`, `local` or `temp`")? {
            "param" => VarKind::Param(self.number("the position of a parameter")?),
            "local" => VarKind::Local,
            "temp" => VarKind::Temp,
            _ => return Err(self.error_at(start, "`param`, `local` or `temp`")),
        };
        let loc = self.loc_suffix(state.home)?;
        state.body.vars.push(Var { name, source_type, loc, kind });
        state.vars.entry(name).and_modify(|it| *it = None).or_insert(Some(id));
        Ok(())
    }

    /// `name` or `name#x3`.
    pub(super) fn var_ref(&mut self, state: &BodyState) -> Parsed<VarId> {
        let start = self.start;
        let name = self.user_name()?;
        if self.eat("#")? {
            let id = self.id("x")?;
            let fits = state.body.vars.get(id).is_none_or(|var| var.name == name);
            return if fits { Ok(id) } else { Err(self.error_at(start, "the name of the variable")) };
        }
        match state.vars.get(&name) {
            Some(&Some(var)) => Ok(var),
            Some(None) => Err(self.error_at(start, "a number (`name#x3`), since several have this name")),
            None => Err(self.error_at(start, "a variable of this function")),
        }
    }

    /// `v3: i32 n`, with an optional name.
    pub(super) fn value_def(&mut self, state: &BodyState) -> Parsed<(ValueId, Type, Option<VarId>)> {
        let id = self.id("v")?;
        self.need(":")?;
        let ty = self.ty()?;
        let named = matches!(self.token, Token::Word(_) | Token::String(_));
        Ok((id, ty, if named { Some(self.var_ref(state)?) } else { None }))
    }

    fn block(&mut self, state: &mut BodyState) -> Parsed<()> {
        let id = state.next_block();
        self.next_id("b", id)?;
        let mut params = Vec::new();
        if self.token.is("(") {
            self.list("(", ")", |parser| {
                let (value, ty, var) = parser.value_def(state)?;
                state.define(value, ty, var, ValueDef::Param(id, params.len() as u32));
                params.push(value);
                Ok(())
            })?;
        }
        self.need(":")?;
        let mut insts = Vec::new();
        let term = loop {
            if let Some(term) = self.terminator(state)? {
                break term;
            }
            insts.push(self.inst_line(state)?);
        };
        let term_loc = self.loc_suffix(state.home)?;
        state.body.blocks.push(Block { params, insts, term, term_loc });
        Ok(())
    }

    /// How a block ends, if its end stands here.
    fn terminator(&mut self, state: &mut BodyState) -> Parsed<Option<Terminator>> {
        let Token::Word(word) = self.token else { return self.error("an instruction") };
        Ok(Some(match word {
            "jump" => {
                self.advance()?;
                Terminator::Jump(self.target_block(state)?)
            }
            "branch" => {
                self.advance()?;
                let cond = self.operand(state)?;
                self.need("?")?;
                let on_true = self.target_block(state)?;
                self.need(":")?;
                Terminator::Branch { cond, on_true, on_false: self.target_block(state)? }
            }
            "switch" => self.switch(state)?,
            "indirect" => {
                self.advance()?;
                let address = self.operand(state)?;
                let mut targets = Vec::new();
                self.list("[", "]", |parser| {
                    targets.push(parser.target_block(state)?);
                    Ok(())
                })?;
                Terminator::IndirectJump { address, targets }
            }
            "return" => self.return_values(state)?,
            "unreachable" => {
                self.advance()?;
                let start = self.start;
                let cause = UnreachableCause::from_word(self.word("a cause")?);
                let Some(cause) = cause else { return Err(self.error_at(start, "a cause")) };
                Terminator::Unreachable { cause }
            }
            _ => return Ok(None),
        }))
    }

    fn switch(&mut self, state: &mut BodyState) -> Parsed<Terminator> {
        self.need("switch")?;
        let value = self.operand(state)?;
        self.need("{")?;
        let mut cases = Vec::new();
        while !self.eat("default")? {
            let case = self.constant()?;
            let case = state.body.consts.insert(case);
            self.need(":")?;
            cases.push((case, self.target_block(state)?));
        }
        self.need(":")?;
        let default = self.target_block(state)?;
        self.need("}")?;
        Ok(Terminator::Switch { value, cases, default })
    }

    fn return_values(&mut self, state: &mut BodyState) -> Parsed<Terminator> {
        self.need("return")?;
        let mut values = Vec::new();
        let ends = |token: &Token<'_>| token.is("!") || token.is("}") || token.number_after("b").is_some();
        if !ends(&self.token) {
            values.push(self.operand(state)?);
            while self.eat(",")? {
                values.push(self.operand(state)?);
            }
        }
        Ok(Terminator::Return { values })
    }

    /// `b3(v1, i32 0)`.
    fn target_block(&mut self, state: &mut BodyState) -> Parsed<Target> {
        let block: BlockId = self.id("b")?;
        let mut args = Vec::new();
        if self.token.is("(") {
            self.list("(", ")", |parser| {
                args.push(parser.operand(state)?);
                Ok(())
            })?;
        }
        Ok(Target { block, args })
    }
}
