//! From byte offsets to members and subscripts.

use base::limits;

use super::{Binds, Named, Typed};
use crate::module::Module;
use crate::source::{Member, SourceType, SourceTypeId};

/// Memory by its name.
pub(super) struct Lvalue {
    pub(super) text: String,
    pub(super) binds: Binds,
    pub(super) ty: Option<SourceTypeId>,
    /// Whether it begins just at the address, or is only around or near it.
    pub(super) exact: bool,
}

/// How an address was computed: a constant part, and parts that depend on a value.
pub(super) struct Steps {
    pub(super) offset: i64,
    pub(super) subscripts: Vec<Subscript>,
}

/// `index * scale` bytes.
pub(super) struct Subscript {
    pub(super) index: Named,
    pub(super) scale: u64,
}

/// A place inside an object whose name is known. If the type does not tell, it is the object itself.
pub(super) fn in_object(module: &Module, object: Named, steps: &Steps, bytes: Option<u64>) -> Lvalue {
    let ty = match object.ty {
        Typed::Is(ty) => Some(ty),
        Typed::Unknown | Typed::PointsTo(_) => None,
    };
    let found = ty.and_then(|ty| Walk::new(module, bytes).at(ty, steps.offset, &steps.all()));
    let (path, ty, exact) = match found {
        Some(leaf) => (leaf.path, Some(leaf.ty), leaf.exact),
        None => (String::new(), None, steps.offset == 0 && steps.subscripts.is_empty()),
    };
    if path.is_empty() {
        return Lvalue { text: object.text, binds: object.binds, ty, exact };
    }
    Lvalue { text: object.inside(Binds::Postfix) + &path, binds: Binds::Postfix, ty, exact }
}

/// A place in the memory behind a pointer: `*p`, `p->next`, `p[i].x`.
pub(super) fn behind_pointer(
    module: &Module,
    pointer: Named,
    to: Option<SourceTypeId>,
    steps: &Steps,
    bytes: Option<u64>,
) -> Option<Lvalue> {
    let size = to.and_then(|to| size_of(module, to)).filter(|&size| size > 0);
    let all = steps.all();
    if steps.offset == 0 && all.is_empty() && (bytes.is_none() || size.is_none()) {
        let text = format!("*{}", pointer.inside(Binds::Prefix));
        return Some(Lvalue { text, binds: Binds::Prefix, ty: to, exact: true });
    }
    let (to, size) = (to?, size?);
    let (elements, inner): (Vec<&Subscript>, Vec<&Subscript>) =
        all.iter().partition(|it| it.scale % size == 0);
    let size = i64::try_from(size).ok()?;
    let (position, offset) = (steps.offset.div_euclid(size), steps.offset.rem_euclid(size));
    let mut walk = Walk::new(module, bytes);
    // A struct that ends in an array without length goes on behind its end.
    if elements.is_empty() && position > 0 && has_open_end(module, to) {
        let leaf = walk.at(to, steps.offset, &inner)?;
        return Some(dereferenced(pointer, leaf));
    }
    let leaf = walk.at(to, offset, &inner)?;
    if elements.is_empty() && position == 0 {
        return Some(dereferenced(pointer, leaf));
    }
    let subscript = subscript_text(&elements, size as u64, position);
    let text = format!("{}[{subscript}]{}", pointer.inside(Binds::Postfix), leaf.path);
    Some(Lvalue { text, binds: Binds::Postfix, ty: Some(leaf.ty), exact: leaf.exact })
}

/// `p->member`, `(*p)[3]` or `*p`.
fn dereferenced(pointer: Named, leaf: Leaf) -> Lvalue {
    let (text, binds) = match leaf.path.strip_prefix('.') {
        Some(member) => (format!("{}->{member}", pointer.inside(Binds::Postfix)), Binds::Postfix),
        None if leaf.path.is_empty() => (format!("*{}", pointer.inside(Binds::Prefix)), Binds::Prefix),
        None => (format!("(*{}){}", pointer.inside(Binds::Prefix), leaf.path), Binds::Postfix),
    };
    Lvalue { text, binds, ty: Some(leaf.ty), exact: leaf.exact }
}

impl Steps {
    fn all(&self) -> Vec<&Subscript> {
        self.subscripts.iter().collect()
    }
}

/// Where a walk through a type ended.
struct Leaf {
    /// `.next`, `[3].x`.
    path: String,
    ty: SourceTypeId,
    /// Whether it is just what is accessed.
    exact: bool,
}

/// A walk through a type to what is accessed.
struct Walk<'m> {
    module: &'m Module,
    /// The bytes of the scalar that is accessed; none if it is the outermost thing at the offset.
    bytes: Option<u64>,
    /// How many more types are looked at; unions in unions could be many.
    steps_left: u32,
}

impl<'m> Walk<'m> {
    fn new(module: &'m Module, bytes: Option<u64>) -> Self {
        Self { module, bytes, steps_left: limits::NESTING }
    }

    /// What is `offset` bytes and some subscripts inside `ty`.
    fn at(&mut self, ty: SourceTypeId, offset: i64, subscripts: &[&Subscript]) -> Option<Leaf> {
        self.steps_left = self.steps_left.checked_sub(1)?;
        let (ty, data) = stripped(self.module, ty)?;
        let here = |exact| Leaf { path: String::new(), ty, exact };
        if offset == 0 && subscripts.is_empty() && self.bytes.is_none() {
            return Some(here(true));
        }
        let inside = match data {
            SourceType::Record { members, union, .. } => self.member(members, *union, offset, subscripts),
            SourceType::Array { element, .. } => self.element(*element, offset, subscripts),
            SourceType::Base { .. } | SourceType::Pointer { .. } | SourceType::Enum { .. } => {
                return self.scalar(ty, offset, subscripts).map(here);
            }
            SourceType::Unknown
            | SourceType::Void
            | SourceType::Function { .. }
            | SourceType::Typedef { .. }
            | SourceType::Qualified { .. } => None,
        };
        // What is inside does not cover the access: it is the aggregate's, if it is all in it.
        let size = size_of(self.module, ty).and_then(|size| i64::try_from(size).ok());
        let covered = subscripts.is_empty() && offset >= 0 && size.is_none_or(|size| offset < size);
        inside.or_else(|| covered.then(|| here(false)))
    }

    /// Whether the access is in a scalar; if so, whether it is just the scalar.
    fn scalar(&self, ty: SourceTypeId, offset: i64, subscripts: &[&Subscript]) -> Option<bool> {
        let size = size_of(self.module, ty)?;
        let end = u64::try_from(offset).ok()?.checked_add(self.bytes.unwrap_or(1))?;
        (end <= size && subscripts.is_empty()).then_some(offset == 0 && self.bytes == Some(size))
    }

    fn member(
        &mut self,
        members: &[Member],
        union: bool,
        offset: i64,
        subscripts: &[&Subscript],
    ) -> Option<Leaf> {
        if !union && let Some(field) = self.bit_field(members, offset) {
            return subscripts.is_empty().then_some(field?);
        }
        let holds = |member: &&Member| {
            let start = (member.offset_bits / 8) as i64;
            let size = size_of(self.module, member.ty).filter(|&size| size > 0);
            offset >= start && size.is_none_or(|size| offset - start < size as i64)
        };
        let holding: Vec<&Member> = members.iter().filter(holds).filter(|it| !it.bit_field).collect();
        // `s.a[i - 1]` begins in the member before `a`.
        let next = members
            .iter()
            .filter(|it| !subscripts.is_empty() && (it.offset_bits / 8) as i64 > offset)
            .take(1);
        let mut best: Option<Leaf> = None;
        for member in holding.into_iter().chain(next) {
            let Some(offset) = offset.checked_sub((member.offset_bits / 8) as i64) else { continue };
            let mut inner = self.at(member.ty, offset, subscripts);
            if member.name.is_none() && inner.as_ref().is_some_and(|it| it.path.is_empty()) {
                // The whole anonymous member: it is called by what is in it.
                inner = self.first_in(member.ty, offset).or(inner);
            }
            let Some(inner) = inner else { continue };
            let path = self.named(member, inner.path);
            let leaf = Leaf { path, ..inner };
            if leaf.exact {
                return Some(leaf);
            }
            best = best.or(Some(leaf));
        }
        best
    }

    /// The first thing with a name at an offset of a record.
    fn first_in(&mut self, ty: SourceTypeId, offset: i64) -> Option<Leaf> {
        self.steps_left = self.steps_left.checked_sub(1)?;
        match stripped(self.module, ty)?.1 {
            SourceType::Record { members, union, .. } => self.member(members, *union, offset, &[]),
            _ => None,
        }
    }

    /// Anonymous members and base classes are not written.
    fn named(&self, member: &Member, inner: String) -> String {
        match member.name {
            Some(name) => format!(".{}{inner}", self.module.symbols.resolve(name)),
            None => inner,
        }
    }

    /// The only bit-field in the accessed bytes; `Some(None)` if there are several, which no access tells apart.
    fn bit_field(&self, members: &[Member], offset: i64) -> Option<Option<Leaf>> {
        let start = u64::try_from(offset).ok()?.checked_mul(8)?;
        let end = start.checked_add(self.bytes?.checked_mul(8)?)?;
        let overlaps =
            |it: &&Member| it.offset_bits < end && it.offset_bits.saturating_add(it.size_bits) > start;
        let mut fields = members.iter().filter(|it| it.bit_field).filter(overlaps);
        let field = fields.next()?;
        let others = members.iter().filter(overlaps).any(|it| !it.bit_field);
        if fields.next().is_some() || others {
            // A plain member of just these bytes is meant, not the fields beside it.
            return if others { None } else { Some(None) };
        }
        Some(Some(Leaf { path: self.named(field, String::new()), ty: field.ty, exact: true }))
    }

    fn element(&mut self, element: SourceTypeId, offset: i64, subscripts: &[&Subscript]) -> Option<Leaf> {
        let size = size_of(self.module, element).filter(|&size| size > 0)?;
        let (elements, inner): (Vec<&Subscript>, Vec<&Subscript>) =
            subscripts.iter().copied().partition(|it| it.scale % size == 0);
        let signed_size = i64::try_from(size).ok()?;
        let (position, rest) = (offset.div_euclid(signed_size), offset.rem_euclid(signed_size));
        let leaf = self.at(element, rest, &inner)?;
        let subscript = subscript_text(&elements, size, position);
        Some(Leaf { path: format!("[{subscript}]{}", leaf.path), ..leaf })
    }
}

/// The inside of `[i + 1]`, for elements of `size` bytes.
fn subscript_text(subscripts: &[&Subscript], size: u64, position: i64) -> String {
    let mut text = String::new();
    for subscript in subscripts {
        let factor = subscript.scale / size;
        text += if text.is_empty() { "" } else { " + " };
        let index = &subscript.index;
        match factor {
            1 => text += &index.text,
            _ if index.binds == Binds::Binary => text += &format!("({}) * {factor}", index.text),
            _ => text += &format!("{} * {factor}", index.text),
        }
    }
    match (text.is_empty(), position) {
        (true, _) => position.to_string(),
        (false, 0) => text,
        (false, 1..) => format!("{text} + {position}"),
        (false, _) => format!("{text} - {}", position.unsigned_abs()),
    }
}

/// A type without other names and qualifiers.
pub(super) fn stripped(module: &Module, mut ty: SourceTypeId) -> Option<(SourceTypeId, &SourceType)> {
    for _ in 0..limits::NESTING {
        match module.types.get(ty)? {
            SourceType::Typedef { to, .. } | SourceType::Qualified { to } => ty = *to,
            data => return Some((ty, data)),
        }
    }
    None
}

/// The bytes of a type, if they are known.
fn size_of(module: &Module, ty: SourceTypeId) -> Option<u64> {
    let mut count = 1_u64;
    let mut at = ty;
    for _ in 0..limits::NESTING {
        match stripped(module, at)?.1 {
            SourceType::Array { element, count: Some(n) } => {
                count = count.checked_mul(*n)?;
                at = *element;
            }
            SourceType::Base { size, .. }
            | SourceType::Record { size, .. }
            | SourceType::Enum { size, .. } => {
                return count.checked_mul(*size);
            }
            SourceType::Pointer { .. } => return count.checked_mul(module.target.pointer_bytes.into()),
            SourceType::Unknown
            | SourceType::Void
            | SourceType::Array { count: None, .. }
            | SourceType::Function { .. }
            | SourceType::Typedef { .. }
            | SourceType::Qualified { .. } => return None,
        }
    }
    None
}

/// Whether a struct ends in an array without length, or of one element or none as was the custom before.
fn has_open_end(module: &Module, ty: SourceTypeId) -> bool {
    let Some((_, SourceType::Record { members, .. })) = stripped(module, ty) else { return false };
    let last = members.last().and_then(|it| stripped(module, it.ty));
    matches!(last, Some((_, SourceType::Array { count: None | Some(0 | 1), .. })))
}
