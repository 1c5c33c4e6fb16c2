//! Random expressions: numbers, conditions, pointers and places, mostly free of errors.

use super::generate::{Generator, Health, Shape};
use super::types::{INTS, IntTy, To, Ty};

/// Numbers that programs like, and borders.
const LITERALS: [&str; 14] =
    ["0", "0", "1", "1", "2", "3", "4", "5", "7", "16", "100", "-1", "255", "0x7fffffff"];

/// A place that can be read and written.
#[derive(Clone, Debug)]
pub(super) struct Lvalue {
    pub(super) text: String,
    pub(super) ty: Ty,
}

impl Generator {
    /// A number of any type.
    pub(super) fn number(&mut self, depth: u32) -> String {
        if depth == 0 || self.chance(35) {
            return self.leaf();
        }
        let (left, right) = (self.number(depth - 1), self.number(depth - 1));
        match self.rng.u32(0..20) {
            0..=4 => format!("({left} + {right})"),
            5..=7 => format!("({left} - {right})"),
            8 => format!("((short){left} * (short){right})"),
            9 => format!("({left} * {})", self.rng.u32(2..6)),
            10 => format!("({left} & {right})"),
            11 => format!("({left} | {right})"),
            12 => format!("({left} ^ {right})"),
            13 => self.shift(&left, &right),
            14 => self.division(&left, &right),
            15 => format!("(- {left})"),
            16 => format!("(~{left})"),
            17 => {
                let ty = self.int_type();
                format!("(({ty}){left})")
            }
            18 => {
                let condition = self.condition(0);
                format!("({condition} ? {left} : {right})")
            }
            _ => format!("((unsigned){left} + (unsigned){right})"),
        }
    }

    fn shift(&mut self, left: &str, right: &str) -> String {
        let direction = if self.chance(50) { "<<" } else { ">>" };
        let amount = match self.rng.u32(0..10) {
            0 => right.to_owned(),
            1..=4 => self.rng.u32(1..9).to_string(),
            _ => format!("({right} & 7)"),
        };
        // To the left only unsigned numbers, which lose bits without further ado.
        format!("((unsigned){left} {direction} {amount})")
    }

    fn division(&mut self, left: &str, right: &str) -> String {
        let operator = if self.chance(50) { "/" } else { "%" };
        match self.rng.u32(0..10) {
            0..=1 => format!("({left} {operator} {right})"),
            2..=6 => format!("({left} {operator} {})", self.rng.u32(2..9)),
            _ => format!("((unsigned char){left} {operator} ((unsigned char){right} | 1))"),
        }
    }

    fn leaf(&mut self) -> String {
        if self.chance(30) {
            return self.literal();
        }
        let place = self.place(|ty| matches!(ty, Ty::Int(_)));
        place.map_or_else(|| self.literal(), |place| place.text)
    }

    pub(super) fn literal(&mut self) -> String {
        LITERALS[self.rng.usize(0..LITERALS.len())].to_owned()
    }

    pub(super) fn int_type(&mut self) -> IntTy {
        INTS[self.rng.usize(0..INTS.len())]
    }

    /// A condition.
    pub(super) fn condition(&mut self, depth: u32) -> String {
        if depth > 0 && self.chance(25) {
            let (left, right) = (self.condition(depth - 1), self.condition(depth - 1));
            let operator = if self.chance(50) { "&&" } else { "||" };
            return format!("({left} {operator} {right})");
        }
        if self.chance(20)
            && let Some(pointer) = self.pointer_variable(None)
        {
            return if self.chance(50) { pointer } else { format!("!{pointer}") };
        }
        let left = self.leaf();
        match self.rng.u32(0..8) {
            0 => format!("({left} & {})", 1 << self.rng.u32(0..4)),
            1 => format!("({left} == {})", self.literal()),
            2 => format!("({left} != {})", self.literal()),
            3 => format!("({left} > {})", self.literal()),
            4 => format!("({left} <= {})", self.number(1)),
            5 => format!("({left} < {})", self.number(1)),
            6 => format!("((unsigned){left} < {})", self.rng.u32(1..20)),
            _ => format!("({left} % 3 == {})", self.rng.u32(0..3)),
        }
    }

    /// The name of a pointer variable that is not known to be freed, most of the time.
    pub(super) fn pointer_variable(&mut self, to: Option<To>) -> Option<String> {
        let risky = self.chance(4);
        let fits = |ty: &Ty| match (ty, to) {
            (Ty::Ptr(_), None) => true,
            (Ty::Ptr(own), Some(to)) => *own == to,
            _ => false,
        };
        let names: Vec<String> = self
            .vars
            .iter()
            .filter(|var| risky || !matches!(var.health, Health::Freed | Health::Unset))
            .filter(|var| matches!(&var.shape, Shape::Scalar(ty) if fits(ty)))
            .map(|var| var.name.clone())
            .collect();
        self.pick(&names).cloned()
    }

    /// A pointer of a type: a variable, a member, the address of a local, null.
    pub(super) fn pointer(&mut self, to: To) -> String {
        let locals: Vec<String> = self
            .vars
            .iter()
            .filter(|var| match &var.shape {
                Shape::Scalar(ty) => to.value() == Some(*ty) && var.health != Health::Unset,
                Shape::Struct(own) => *own == to,
                Shape::Array(..) | Shape::Inner => false,
            })
            .map(|var| format!("&{}", var.name))
            .collect();
        let arrays: Vec<String> = self
            .vars
            .iter()
            .filter(|var| matches!(&var.shape, Shape::Array(int, _) if To::Int(*int) == to))
            .map(|var| var.name.clone())
            .collect();
        match self.rng.u32(0..20) {
            0..=8 if let Some(name) = self.pointer_variable(Some(to)) => name,
            9..=11 if let Some(place) = self.place(|ty| *ty == Ty::Ptr(to)) => place.text,
            12..=15 if let Some(local) = self.pick(&locals).cloned() => local,
            16 if let Some(array) = self.pick(&arrays).cloned() => array,
            17 => "0".to_owned(),
            _ => {
                let any = self.pointer_variable(Some(to));
                any.or_else(|| self.pick(&locals).cloned()).unwrap_or_else(|| "0".to_owned())
            }
        }
    }

    /// A place whose type is wanted. Most of the time it exists for sure: what it lies behind was checked and not freed.
    pub(super) fn place(&mut self, wanted: impl Fn(&Ty) -> bool) -> Option<Lvalue> {
        let bold = self.chance(7);
        let mut places: Vec<Lvalue> = Vec::new();
        for index in 0..self.vars.len() {
            let var = self.vars[index].clone();
            match var.shape {
                Shape::Scalar(ty) if var.health != Health::Unset || bold => {
                    if wanted(&ty) {
                        places.push(Lvalue { text: var.name.clone(), ty });
                    }
                    if let Ty::Ptr(to) = ty
                        && (var.health == Health::Good || bold)
                    {
                        self.behind(&var.name, to, &wanted, &mut places);
                    }
                }
                Shape::Scalar(_) => {}
                Shape::Array(int, len) if wanted(&Ty::Int(int)) => {
                    let index = self.index(len);
                    places.push(Lvalue { text: format!("{}[{index}]", var.name), ty: Ty::Int(int) });
                }
                Shape::Array(..) => {}
                Shape::Inner => {
                    let fields = Ty::inner_fields().iter().filter(|field| wanted(&field.ty));
                    places.extend(
                        fields.map(|it| Lvalue { text: format!("{}.{}", var.name, it.name), ty: it.ty }),
                    );
                }
                Shape::Struct(to) => {
                    let fields = to.fields().iter().filter(|field| wanted(&field.ty));
                    places.extend(
                        fields.map(|it| Lvalue { text: format!("{}.{}", var.name, it.name), ty: it.ty }),
                    );
                }
            }
        }
        self.pick(&places).cloned()
    }

    fn behind(&mut self, name: &str, to: To, wanted: &impl Fn(&Ty) -> bool, places: &mut Vec<Lvalue>) {
        if let Some(ty) = to.value() {
            if wanted(&ty) {
                places.push(Lvalue { text: format!("*{name}"), ty });
            }
            return;
        }
        let fields = to.fields().iter().filter(|field| wanted(&field.ty));
        places.extend(fields.map(|it| Lvalue { text: format!("{name}->{}", it.name), ty: it.ty }));
    }

    /// An index into an array of `len` elements, seldom a wrong one.
    pub(super) fn index(&mut self, len: u32) -> String {
        let names: Vec<String> = self
            .vars
            .iter()
            .filter(|var| matches!(var.shape, Shape::Scalar(Ty::Int(_))) && var.health == Health::Good)
            .map(|var| var.name.clone())
            .collect();
        let Some(name) = self.pick(&names).cloned() else { return self.rng.u32(0..len).to_string() };
        match self.rng.u32(0..24) {
            0 => name,
            1 => format!("(unsigned){name} % {}", len + 1),
            2..=10 => self.rng.u32(0..len).to_string(),
            11 => len.to_string(),
            _ => format!(
                "{name} & {}",
                len.next_power_of_two() / if len.is_power_of_two() { 1 } else { 2 } - 1
            ),
        }
    }
}
