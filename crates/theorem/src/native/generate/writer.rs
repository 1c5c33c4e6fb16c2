//! The text of a program while it is made: lines with marks, and what is in scope.
//!
//! A line has marks that exist natively only: `§` (a statement begins), `«…»` (an expression that is a
//! point of its own), `‹…›` (memory that is read), `⟦…⟧` (whatever else). [`analyzed`] leaves them out, [`native`]
//! makes calls of the run time of them, so that both texts have the same lines.

use fastrand::Rng;

/// What is passed, or comes back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::native) enum Kind {
    Void,
    Int,
    /// An `int *`: one, or an array.
    Ints,
    /// A list.
    Node,
    /// A `struct buf *`.
    Buf,
    /// An `int **` that is written through.
    Out,
    /// A callback.
    Hook,
}

impl Kind {
    /// The letter by which the run time knows it.
    pub(in crate::native) fn letter(self) -> char {
        match self {
            Kind::Void => 'v',
            Kind::Int => 'i',
            Kind::Ints => 'p',
            Kind::Node => 'n',
            Kind::Buf => 'b',
            Kind::Out => 'o',
            Kind::Hook => 'c',
        }
    }

    /// A declaration.
    pub(in crate::native) fn declare(self, name: &str) -> String {
        match self {
            Kind::Void => format!("void {name}"),
            Kind::Int => format!("int {name}"),
            Kind::Ints => format!("int *{name}"),
            Kind::Node => format!("struct node *{name}"),
            Kind::Buf => format!("struct buf *{name}"),
            Kind::Out => format!("int **{name}"),
            Kind::Hook => format!("hook {name}"),
        }
    }
}

/// A function of a program.
#[derive(Clone, Debug)]
pub(in crate::native) struct Function {
    pub(in crate::native) name: String,
    pub(in crate::native) params: Vec<Kind>,
    pub(in crate::native) result: Kind,
}

/// What is in scope.
#[derive(Clone, Default)]
pub(super) struct Scope {
    /// Integers that may be assigned.
    pub(super) ints: Vec<String>,
    /// Counters of loops.
    pub(super) counters: Vec<String>,
    /// Local arrays, and how long they are.
    pub(super) arrays: Vec<(String, u32)>,
    pub(super) pointers: Vec<String>,
    pub(super) nodes: Vec<String>,
    pub(super) bufs: Vec<String>,
    pub(super) outs: Vec<String>,
    pub(super) hooks: Vec<String>,
    /// Pointers of which the program knows that they are not null.
    pub(super) checked: Vec<String>,
    /// Blocks that this function has to free.
    pub(super) owned: Vec<String>,
    /// Whether there is a loop to leave.
    pub(super) is_loop: bool,
}

/// A program in the making.
pub(super) struct Writer {
    pub(super) rng: Rng,
    pub(super) seed: u64,
    pub(super) lines: Vec<String>,
    pub(super) functions: Vec<Function>,
    pub(super) scope: Scope,
    /// What the function returns.
    pub(super) result: Kind,
    /// Statements that may still be made.
    pub(super) fuel: u32,
    /// Variables of the program, which its callers may have set to anything.
    pub(super) globals: Vec<(Kind, String)>,
    /// Whether its author checks little.
    is_careless: bool,
    indent: usize,
    n_names: u32,
}

impl Writer {
    pub(super) fn new(seed: u64) -> Writer {
        let mut rng = Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let is_careless = rng.u32(0..100) < 35;
        Writer {
            rng,
            is_careless,
            globals: Vec::new(),
            seed,
            lines: Vec::new(),
            functions: Vec::new(),
            scope: Scope::default(),
            result: Kind::Void,
            fuel: 0,
            indent: 0,
            n_names: 0,
        }
    }

    /// So many in a hundred.
    pub(super) fn chance(&mut self, percent: u32) -> bool {
        self.rng.u32(0..100) < percent
    }

    /// So many in a hundred, of what careful people do.
    pub(super) fn careful(&mut self, percent: u32) -> bool {
        let percent = if self.is_careless { percent * 6 / 10 } else { percent };
        self.chance(percent)
    }

    pub(super) fn pick<T: Clone>(&mut self, all: &[T]) -> Option<T> {
        (!all.is_empty()).then(|| all[self.rng.usize(0..all.len())].clone())
    }

    pub(super) fn one_of(&mut self, all: &[&str]) -> String {
        all[self.rng.usize(0..all.len())].to_owned()
    }

    pub(super) fn name(&mut self, stem: &str) -> String {
        self.n_names += 1;
        format!("{stem}{}", self.n_names)
    }

    /// A line as it is.
    pub(super) fn raw(&mut self, text: &str) {
        self.lines.push(format!("{}{text}", "    ".repeat(self.indent)));
    }

    /// A statement.
    pub(super) fn stmt(&mut self, text: &str) {
        self.raw(&format!("§{text}"));
    }

    /// Opens a block behind a line, which ends in a brace.
    pub(super) fn block(&mut self, body: impl FnOnce(&mut Writer)) {
        let outer = self.scope.clone();
        self.indent += 1;
        body(self);
        self.indent -= 1;
        self.scope = outer;
    }

    /// `head (first` and further operands on lines of their own, and `tail` behind.
    pub(super) fn condition(&mut self, head: &str, operands: &[String], tail: &str) {
        let (last, all) = (operands.len() - 1, operands.to_vec());
        for (at, operand) in all.iter().enumerate() {
            let end = if at == last { tail } else { "" };
            let (word, expression) = match at {
                0 => (head.to_owned(), operand.as_str()),
                _ => (format!("    {} ", &operand[..2]), &operand[2..]),
            };
            self.raw(&format!("{word}«{expression}»{end}"));
        }
    }

    /// Begins a function: its head and scope.
    pub(super) fn begin(&mut self, stem: &str, params: &[Kind], result: Kind) -> Vec<String> {
        self.scope = Scope::default();
        for (kind, name) in self.globals.clone() {
            self.known(kind, &name);
        }
        self.result = result;
        self.n_names = 0;
        let name = format!("{stem}_{}", self.seed);
        let names: Vec<String> = params.iter().map(|kind| self.param(*kind)).collect();
        let list: Vec<String> = params.iter().zip(&names).map(|(kind, name)| kind.declare(name)).collect();
        let is_static = if self.chance(40) { "static " } else { "" };
        let list = if list.is_empty() { "void".to_owned() } else { list.join(", ") };
        let head = result.declare(&format!("{name}({list})"));
        self.raw(&format!("{is_static}{head}"));
        self.raw("{⟦ F⟧");
        self.indent += 1;
        self.functions.push(Function { name, params: params.to_vec(), result });
        names
    }

    fn param(&mut self, kind: Kind) -> String {
        let stem = match kind {
            Kind::Int => ["n", "k", "flag", "len"][self.rng.usize(0..4)],
            Kind::Ints => ["p", "q", "v"][self.rng.usize(0..3)],
            Kind::Node => "list",
            Kind::Buf => "b",
            Kind::Out => "out",
            Kind::Hook | Kind::Void => "cb",
        };
        let name = self.name(stem);
        self.known(kind, &name);
        name
    }

    /// Adds a variable to the scope.
    pub(super) fn known(&mut self, kind: Kind, name: &str) {
        let list = match kind {
            Kind::Int => &mut self.scope.ints,
            Kind::Ints => &mut self.scope.pointers,
            Kind::Node => &mut self.scope.nodes,
            Kind::Buf => &mut self.scope.bufs,
            Kind::Out => &mut self.scope.outs,
            Kind::Hook => &mut self.scope.hooks,
            Kind::Void => return,
        };
        list.push(name.to_owned());
    }

    /// Ends a function.
    pub(super) fn end(&mut self) {
        self.indent -= 1;
        self.raw("}");
        self.raw("");
    }
}

/// What is analyzed.
pub(in crate::native) fn analyzed(line: &str) -> String {
    let mut text = String::new();
    let mut is_native = false;
    for letter in line.chars() {
        match letter {
            '⟦' => is_native = true,
            '⟧' => is_native = false,
            '§' | '«' | '»' | '‹' | '›' => {}
            _ if is_native => {}
            _ => text.push(letter),
        }
    }
    text.trim_end().to_owned()
}

/// What is run; `number` is that of the line.
pub(in crate::native) fn native(line: &str, number: usize) -> String {
    let mut text = String::new();
    for letter in line.chars() {
        match letter {
            '⟦' | '⟧' => {}
            '§' => text += &format!("h_line({number}); "),
            '«' => text += &format!("(h_line({number}), "),
            '‹' => text += "R(",
            '»' | '›' => text.push(')'),
            _ => text.push(letter),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_native_only() {
        let line = "§x = ‹p->v›;⟦ U(x);⟧";
        assert_eq!(analyzed(line), "x = p->v;");
        assert_eq!(native(line, 7), "h_line(7); x = R(p->v); U(x);");
    }
}
