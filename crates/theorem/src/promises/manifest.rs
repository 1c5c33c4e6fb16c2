//! States to break a manifest verdict: those with the memory of the error's paths, whatever it contains.
//!
//! **The notion** (Le et al. Def. 3.6): an error is manifest if it happens in every calling context in which
//! the memory exists that its paths dereference, for some choice of the environment. So a state is drawn
//! without looking at path conditions: pointers that some triple of the error follows lead to blocks, all
//! else is chosen to break the verdict ([`Style`]). States in which such memory is missing are no
//! counter-examples; this is the only place that says so.
//!
//! Values are known by where they come from (`p0`, `p0.8`, `g3.8`), so that all triples of an error speak of
//! one state.

use std::collections::BTreeMap;

use base::Id;
use heap::{Kind, Spec, VarRole};
use interp::GlobalRef;
use interp::replay::{Cell, Concrete, block_address, function_address};
use term::{Node, TermId, VarId};
use world::GlobalKey;

use super::draw::{Arena, Rest};
use super::located::called_at;
use super::names::Names;
use crate::programs::generate::Shape;
use crate::programs::types::{To, Ty};

/// Where a value of the caller comes from.
type Origin = String;

/// How the values of a state are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style {
    /// All words are this number: members are null, parameters at a border.
    All(u64),
    /// All words are the address of a function: hooks are set.
    Hooks,
    /// Pointers of one type are the same; numbers at random.
    Aliased,
    /// At random.
    Random,
    /// Small numbers at random, with which little overflows.
    Small,
}

impl Style {
    /// In words.
    pub(super) fn word(self) -> &'static str {
        match self {
            Style::All(0) => "members null",
            Style::All(_) => "at borders",
            Style::Hooks => "hooks set",
            Style::Aliased => "aliased",
            Style::Random => "at random",
            Style::Small => "small numbers",
        }
    }
}

/// The states that are tried.
pub(super) const STYLES: [Style; 18] = [
    Style::All(0),
    Style::All(1),
    Style::All(u64::MAX),
    Style::All(0x7fff_ffff),
    Style::All(0x8000_0000),
    Style::All(0x7fff_ffff_ffff_ffff),
    Style::All(0x8000_0000_0000_0000),
    Style::All(0x100),
    Style::Hooks,
    Style::Aliased,
    Style::Aliased,
    Style::Random,
    Style::Random,
    Style::Random,
    Style::Random,
    Style::Random,
    Style::Random,
    Style::Random,
];

/// What the triples of one error call the same.
pub(super) struct Common {
    /// By triple: where its variables come from, and the blocks of its presumption; none for those that cannot be described that way.
    views: Vec<Option<View>>,
    /// Where pointers come from that some triple follows.
    blocks: Vec<Origin>,
    /// Those among them that some triple frees: other pointers to their blocks would lead to memory that is gone.
    freed: Vec<Origin>,
    /// Where addresses of functions come from that some triple calls, with the address.
    hooks: BTreeMap<Origin, u64>,
    /// The global variables among the blocks.
    globals: BTreeMap<Origin, GlobalKey>,
    /// The address of an unknown function.
    unknown_hook: u64,
}

#[derive(Default)]
struct View {
    vars: BTreeMap<VarId, Root>,
    blocks: Vec<Option<Origin>>,
}

/// Where a variable lies before the call.
enum Root {
    /// An argument.
    Argument(u32),
    /// Bytes of memory.
    Memory(Origin, i64),
}

impl Root {
    fn name(&self) -> Origin {
        match self {
            Root::Argument(at) => format!("p{at}"),
            Root::Memory(block, offset) => format!("{block}.{offset}"),
        }
    }
}

/// The values of one state.
pub(super) struct Chosen<'c> {
    common: &'c Common,
    types: &'c Types,
    style: Style,
    seed: u64,
    /// Of two pointers that are the same: the later, the earlier.
    alias: Option<(Origin, Origin)>,
}

impl Common {
    /// The global variables that triples speak of, by their names here.
    pub(super) fn globals(&self) -> &BTreeMap<Origin, GlobalKey> {
        &self.globals
    }

    /// What some triples have in common.
    pub(super) fn new(names: &Names<'_>, arena: &Arena, specs: &[&Spec]) -> Common {
        let hook = names.unknown_hook().map_or(0, |hook| function_address(names.program, hook));
        let (hooks, globals, unknown_hook) = (BTreeMap::new(), BTreeMap::new(), hook);
        let mut common =
            Common { views: Vec::new(), blocks: Vec::new(), freed: Vec::new(), hooks, globals, unknown_hook };
        for spec in specs {
            let view = common.view(names, arena, spec);
            common.views.push(view);
        }
        common
    }

    /// Whether a triple can be described.
    pub(super) fn describes(&self, at: usize) -> bool {
        self.views[at].is_some()
    }

    fn view(&mut self, names: &Names<'_>, arena: &Arena, spec: &Spec) -> Option<View> {
        let mut view = View::default();
        let (mut blocks, mut hooks) = (Vec::new(), Vec::new());
        for &(var, role) in &arena.roles {
            if let VarRole::Param(at) = role {
                view.vars.insert(var, Root::Argument(at));
            }
        }
        for pre in &spec.pre {
            let name = match spec.post[pre.block.index()].kind {
                Kind::Global(global) => {
                    view.blocks.push(None);
                    let name = format!("g{global}");
                    self.globals.insert(name.clone(), global);
                    name
                }
                Kind::Abduced if pre.extent.0 >= 0 => {
                    let Node::Var(base) = arena.terms.node(pre.base) else { return None };
                    let name = view.vars.get(&base)?.name();
                    match called_at(&arena.summary, pre) {
                        Some(site) => {
                            hooks.push((name.clone(), function_address(names.program, names.hook_at(site)?)));
                            view.blocks.push(None);
                        }
                        None => {
                            if pre.freeable.is_some() || !spec.post[pre.block.index()].status.is_allocated() {
                                self.freed.push(name.clone());
                            }
                            blocks.push(name.clone());
                            view.blocks.push(Some(name.clone()));
                        }
                    }
                    name
                }
                _ => return None,
            };
            for cell in &pre.cells {
                let (Node::Var(var), None) = (arena.terms.node(cell.value), cell.place.symbolic) else {
                    return None;
                };
                view.vars.insert(var, Root::Memory(name.clone(), cell.place.offset));
            }
        }
        blocks.retain(|name| !self.blocks.contains(name));
        blocks.dedup();
        self.blocks.extend(blocks);
        self.hooks.extend(hooks);
        Some(view)
    }

    /// The values of a state; none if there is none of that style.
    pub(super) fn choose<'c>(&'c self, types: &'c Types, style: Style, seed: u64) -> Option<Chosen<'c>> {
        let is_aliased = style == Style::Aliased;
        let alias = if is_aliased { self.alias(types, seed) } else { None };
        let is_known = |origin: &Origin| !self.freed.contains(origin) && types.of(origin).is_some();
        let exists = !is_aliased || self.blocks.iter().any(is_known);
        exists.then_some(Chosen { common: self, types, style, seed, alias })
    }

    /// Two pointers of one type that can be the same.
    fn alias(&self, types: &Types, seed: u64) -> Option<(Origin, Origin)> {
        let mut pairs = Vec::new();
        let live: Vec<&Origin> = self.blocks.iter().filter(|it| !self.freed.contains(it)).collect();
        for (at, &one) in live.iter().enumerate() {
            for &other in &live[..at] {
                let (later, earlier) = if one.len() < other.len() { (other, one) } else { (one, other) };
                let ty = types.of(later);
                if ty.is_some() && ty == types.of(earlier) {
                    pairs.push((later.clone(), earlier.clone()));
                }
            }
        }
        let at = fastrand::Rng::with_seed(seed).usize(0..pairs.len().max(1));
        pairs.into_iter().nth(at)
    }
}

/// What is known of the types of a function's context.
#[derive(Default)]
pub(super) struct Types {
    pub(super) params: Vec<Ty>,
    /// By number.
    pub(super) globals: BTreeMap<Origin, Shape>,
}

impl Types {
    /// The type of a value, as far as it is known.
    fn of(&self, origin: &str) -> Option<Ty> {
        let (first, rest) = origin.split_once('.').unwrap_or((origin, ""));
        let mut offsets = rest.split('.').filter(|it| !it.is_empty()).map(|it| it.parse::<u64>().ok());
        let mut ty = match first.strip_prefix('p') {
            Some(param) => *self.params.get(param.parse::<usize>().ok()?)?,
            None => {
                let shape = self.globals.get(first)?;
                match (shape, offsets.next()??) {
                    (Shape::Scalar(ty), 0) => *ty,
                    (Shape::Struct(to), offset) => member(*to, offset)?,
                    _ => return None,
                }
            }
        };
        for offset in offsets {
            let Ty::Ptr(to) = ty else { return None };
            ty = member(to, offset?)?;
        }
        Some(ty)
    }
}

fn member(to: To, offset: u64) -> Option<Ty> {
    match to.value() {
        Some(value) => Some(value).filter(|_| offset == 0),
        None => to.fields().iter().find(|field| field.offset == offset).map(|field| field.ty),
    }
}

impl Chosen<'_> {
    /// For a triple: the values of its variables.
    pub(super) fn facts(&self, arena: &mut Arena, at: usize) -> Vec<TermId> {
        let mut facts = Vec::new();
        let Some(view) = &self.common.views[at] else { return facts };
        for (var, root) in &view.vars {
            let term = arena.terms.var_term(*var);
            let width = arena.terms.width(term);
            let value = arena.terms.constant(width, self.value(root, width));
            facts.push(arena.terms.eq(term, value));
        }
        facts
    }

    /// For a triple: the positions of its blocks in the state.
    pub(super) fn positions(&self, at: usize) -> Vec<usize> {
        let position =
            |name: &Option<Origin>| name.as_ref().and_then(|name| self.position(name)).unwrap_or(0);
        self.common.views[at].iter().flat_map(|view| &view.blocks).map(position).collect()
    }

    fn position(&self, origin: &str) -> Option<usize> {
        let origin = self.same(origin);
        self.common.blocks.iter().position(|block| *block == origin)
    }

    /// The one name of a value that has several.
    fn same(&self, origin: &str) -> Origin {
        let mut origin = origin.to_owned();
        let Some((later, earlier)) = &self.alias else { return origin };
        while let Some(rest) = origin.strip_prefix(later.as_str())
            && (rest.is_empty() || rest.starts_with('.'))
        {
            origin = format!("{earlier}{rest}");
        }
        origin
    }

    fn value(&self, root: &Root, width: u32) -> u128 {
        let bytes = width.div_ceil(8);
        let byte = |at: u32| match root {
            Root::Argument(_) => byte_of(self.pointer_or_number(&root.name()), at),
            Root::Memory(block, offset) => self.memory(block, offset + i64::from(at)),
        };
        (0..bytes).rev().fold(0, |sum, at| sum << 8 | u128::from(byte(at)))
    }

    /// A byte of memory: part of a pointer that is followed, or of a number.
    fn memory(&self, block: &str, at: i64) -> u8 {
        let block = self.same(block);
        let address = |start: i64| Some((self.address(&format!("{block}.{start}"))?, (at - start) as u32));
        let (word, at) = ((at - 7)..=at).find_map(address).unwrap_or_else(|| {
            let number = self.number(&block, at & !7);
            // Members have four bytes, mostly.
            let is_small = matches!(self.style, Style::All(_)) && number >> 32 == 0;
            (if is_small { number << 32 | number } else { number }, (at & 7) as u32)
        });
        byte_of(word, at)
    }

    /// Where a pointer leads. What is known to be one and no triple follows is null or leads to memory, or to a function: some path may need it.
    fn address(&self, origin: &str) -> Option<u64> {
        let same = self.same(origin);
        let hook = self.common.hooks.get(&same).copied();
        let known = hook.or_else(|| self.position(origin).map(block_address));
        known.or_else(|| {
            let ty = self.types.of(&same)?;
            self.pointer(ty, &same)
        })
    }

    /// A pointer of a type that no triple follows; none if it is a number.
    fn pointer(&self, ty: Ty, origin: &str) -> Option<u64> {
        let is_odd = matches!(self.style, Style::Random | Style::Aliased) && self.number(origin, 0) & 1 == 1;
        let is_same =
            |other: &&Origin| !self.common.freed.contains(other) && self.types.of(other) == Some(ty);
        let same = self.common.blocks.iter().find(is_same).filter(|_| self.style == Style::Aliased);
        match ty {
            Ty::Ptr(_) if let Some(position) = same.and_then(|same| self.position(same)) => {
                Some(block_address(position))
            }
            Ty::Hook if is_odd || self.style == Style::Hooks => Some(self.common.unknown_hook),
            Ty::Ptr(_) if is_odd => Some(block_address(self.spare())),
            Ty::Hook | Ty::Ptr(_) => Some(0),
            Ty::Int(_) | Ty::Inner => None,
        }
    }

    fn spare(&self) -> usize {
        self.common.blocks.len()
    }

    /// What no triple mentions.
    pub(super) fn rest(&self, globals: &[(GlobalRef, Shape)]) -> Rest {
        let word = |ty: Ty, origin: &str| self.pointer(ty, origin).unwrap_or_else(|| self.number(origin, 0));
        let cell = |global: GlobalRef, ty: Ty, offset: u64| {
            let bytes = match ty {
                Ty::Int(int) => int.bytes,
                Ty::Ptr(_) | Ty::Inner | Ty::Hook => 8,
            };
            let value = word(ty, &format!("{global:?}.{offset}"));
            Cell { offset, bytes, value: Concrete::Int(value.into()) }
        };
        let cells = |&(global, shape): &(GlobalRef, Shape)| {
            let cells = match shape {
                Shape::Scalar(ty) => vec![cell(global, ty, 0)],
                Shape::Array(int, len) => {
                    (0..len).map(|at| cell(global, Ty::Int(int), u64::from(at * int.bytes))).collect()
                }
                Shape::Struct(to) => to.fields().iter().map(|it| cell(global, it.ty, it.offset)).collect(),
                Shape::Inner => Vec::new(),
            };
            (global, cells)
        };
        let params = self.types.params.iter().enumerate();
        Rest {
            args: params.map(|(at, ty)| word(*ty, &format!("p{at}"))).collect(),
            globals: globals.iter().map(cells).collect(),
            spare: self.spare(),
        }
    }

    fn pointer_or_number(&self, origin: &str) -> u64 {
        self.address(origin).unwrap_or_else(|| self.number(origin, 0))
    }

    fn number(&self, origin: &str, word: i64) -> u64 {
        match self.style {
            Style::All(number) => return number,
            Style::Hooks => return self.common.unknown_hook,
            Style::Aliased | Style::Random | Style::Small => {}
        }
        let hash = self.same(origin).bytes().fold(self.seed ^ word as u64, |sum, byte| {
            (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3).rotate_left(17)
        });
        let mut rng = fastrand::Rng::with_seed(hash);
        match rng.u32(0..6) {
            _ if self.style == Style::Small => rng.u64(0..20),
            0..=2 => rng.u64(0..5),
            3 => rng.u64(..),
            4 => u64::MAX - rng.u64(0..3),
            _ => u64::from(rng.u32(..)),
        }
    }
}

fn byte_of(word: u64, at: u32) -> u8 {
    word.to_le_bytes().get(at as usize).copied().unwrap_or(0)
}
