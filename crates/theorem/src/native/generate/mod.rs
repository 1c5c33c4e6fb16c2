//! Random programs as text: C that people write, drawn without a look at what any engine does.
//!
//! A program is a handful of functions that call one another. Statements are drawn by [`statements`],
//! [`flow`], [`memory`] and [`calls`]; functions of well-known shapes by [`shapes`]. Every point that a
//! verdict can be about has a line of its own ([`writer`]).

mod calls;
mod expressions;
mod flow;
mod memory;
mod shapes;
mod statements;
pub(super) mod writer;

use writer::{Function, Kind, Writer};

/// A program.
pub(super) struct Program {
    /// Its seed.
    pub(super) seed: u64,
    /// Lines, with marks.
    pub(super) lines: Vec<String>,
    /// Its variables.
    pub(super) globals: Vec<(Kind, String)>,
    /// Its functions, callees first.
    pub(super) functions: Vec<Function>,
}

/// What both texts begin with.
pub(super) const TYPES: &str = "\
typedef unsigned long size_t;
struct node { int v; int w; struct node *next; };
struct buf { int len; int cap; int *data; };
typedef int (*hook)(int);
struct ops { hook run; hook stop; };
";

/// The library, for what is analyzed.
pub(super) const LIBRARY: &str = "\
void *malloc(size_t size); void *calloc(size_t count, size_t size); void *realloc(void *old, size_t size); void free(void *block);
void *memset(void *to, int byte, size_t size);
_Noreturn void exit(int code); _Noreturn void abort(void);
_Noreturn void __assert_fail(const char *what, const char *file, unsigned line, const char *function);
#define assert(fact) ((fact) ? (void)0 : __assert_fail(#fact, \"n.c\", __LINE__, \"f\"))
";

/// The same for what is run, and what the marks mean.
pub(super) const RUN_TIME: &str = "\
void *h_malloc(size_t); void *h_calloc(size_t, size_t); void *h_realloc(void *, size_t); void h_free(void *);
_Noreturn void h_exit(int); _Noreturn void h_abort(void); _Noreturn void h_assert(void); void *__asan_memset(void *, int, size_t);
void h_line(int); int h_push(void); void h_pop(int *); void h_fresh(void *, size_t); void h_read(void *, size_t);
int h_int(int); int *h_ints(int); struct node *h_node(int); struct buf *h_buf(int); int **h_out(int); hook h_hook(int);
void h_root(void *, size_t); void h_result(const void *);
#define malloc h_malloc
#define calloc h_calloc
#define realloc h_realloc
#define free h_free
#define memset __asan_memset
#define exit h_exit
#define abort h_abort
#define assert(fact) ((fact) ? (void)0 : h_assert())
#define F int frame_ __attribute__((cleanup(h_pop))) = h_push();
#define U(x) h_fresh(&(x), sizeof(x))
#define R(x) (*({ __typeof__(&(x)) at_ = &(x); h_read(at_, sizeof *at_); at_; }))
";

/// The program of a seed.
pub(super) fn program(seed: u64) -> Program {
    let mut writer = Writer::new(seed);
    writer.callbacks();
    for _ in 0..writer.rng.u32(1..4) {
        writer.shape();
    }
    for number in 0..writer.rng.u32(2..5) {
        writer.anything(number);
    }
    let Writer { lines, globals, functions, .. } = writer;
    Program { seed, lines, globals, functions }
}

impl Writer {
    /// Functions that are passed around, and a table of them.
    fn callbacks(&mut self) {
        for (name, body) in [("inc", "return x + 1;"), ("zero", "return 0;"), ("inv", "return 10 / x;")] {
            self.raw(&format!("static int {name}_{}(int x)", self.seed));
            self.raw("{⟦ F⟧");
            self.block(|it| it.stmt(body));
            self.raw("}");
        }
        let is_constant = if self.chance(60) { "const " } else { "" };
        let seed = self.seed;
        self.raw(&format!(
            "static int (*{is_constant}table_{seed}[3])(int) = {{ inc_{seed}, zero_{seed}, inv_{seed} }};"
        ));
        for (kind, stem, percent) in [(Kind::Int, "limit", 30), (Kind::Node, "head", 20)] {
            if self.chance(percent) {
                let name = format!("{stem}_{seed}");
                self.raw(&format!("{};", kind.declare(&name)));
                self.globals.push((kind, name));
            }
        }
        self.raw("");
    }

    fn shape(&mut self) {
        let has = |it: &Writer, stem: &str| it.functions.iter().any(|f| f.name.starts_with(stem));
        match self.rng.u32(0..9) {
            0..=1 if !has(self, "make") => self.maker(),
            2 if !has(self, "get") => self.getter(),
            3 if !has(self, "open") => self.opener(),
            4 if !has(self, "setup") => self.cleaner(),
            5 if !has(self, "rec") => self.recursion(),
            6 if !has(self, "even") => self.mutual(),
            7 if !has(self, "build") => self.builder(),
            8 if !has(self, "run") => self.machine(),
            _ => {}
        }
    }

    /// A function of random statements.
    fn anything(&mut self, number: u32) {
        let n_ints = self.rng.usize(1..4);
        let mut params = vec![Kind::Int; n_ints];
        for _ in 0..self.rng.u32(0..3) {
            let kinds = [Kind::Ints, Kind::Ints, Kind::Node, Kind::Node, Kind::Buf, Kind::Out, Kind::Hook];
            params.extend(self.pick(&kinds));
        }
        params.truncate(4);
        let result = [Kind::Void, Kind::Int, Kind::Int, Kind::Ints][self.rng.usize(0..4)];
        self.begin(&format!("f{number}"), &params, result);
        self.fuel = self.rng.u32(4..14);
        while self.fuel > 0 {
            self.statements(4);
        }
        self.leave();
        self.end();
    }
}

#[cfg(test)]
mod tests {
    use super::program;

    #[test]
    fn the_same_seed_makes_the_same_program() {
        assert_eq!(program(7).lines, program(7).lines);
        assert_ne!(program(7).lines, program(8).lines);
    }
}
