//! The C types that random programs use, with their layout on x86-64, so that states can be built for them.

use std::fmt;

/// An integer type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct IntTy {
    pub(crate) bytes: u32,
    pub(crate) signed: bool,
}

pub(crate) const INT: IntTy = IntTy { bytes: 4, signed: true };
pub(crate) const BYTE: IntTy = IntTy { bytes: 1, signed: false };
pub(crate) const SHORT: IntTy = IntTy { bytes: 2, signed: true };
pub(crate) const UNSIGNED: IntTy = IntTy { bytes: 4, signed: false };
pub(crate) const LONG: IntTy = IntTy { bytes: 8, signed: true };

/// All of them, common ones more than once.
pub(crate) const INTS: [IntTy; 10] = [
    INT,
    INT,
    INT,
    UNSIGNED,
    UNSIGNED,
    BYTE,
    SHORT,
    LONG,
    IntTy { bytes: 1, signed: true },
    IntTy { bytes: 8, signed: false },
];

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ty {
    /// A number.
    Int(IntTy),
    /// A pointer.
    Ptr(To),
    /// `struct inner`, passed and returned by value in one register.
    Inner,
    /// The address of a function that takes and returns an `int`.
    Hook,
}

/// What a pointer points at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum To {
    /// Numbers.
    Int(IntTy),
    /// `struct node`, an element of a list.
    Node,
    /// `struct box`, which contains another structure, pointers and a union.
    Box,
    /// `struct ops`, which contains addresses of functions.
    Ops,
    /// A pointer to `int`.
    IntPtr,
    /// A pointer to `struct node`.
    NodePtr,
    /// A word of the command line, as `main` gets them.
    Argument,
}

/// What pointer parameters and variables point at, common ones more than once.
pub(crate) const TARGETS: [To; 10] = [
    To::Int(INT),
    To::Int(INT),
    To::Node,
    To::Node,
    To::Node,
    To::Box,
    To::Box,
    To::Ops,
    To::IntPtr,
    To::NodePtr,
];

/// A member that can be read and written.
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) ty: Ty,
    pub(crate) offset: u64,
}

const fn field(name: &'static str, ty: Ty, offset: u64) -> Field {
    Field { name, ty, offset }
}

const NODE: &[Field] =
    &[field("next", Ty::Ptr(To::Node), 0), field("key", Ty::Int(INT), 8), field("tag", Ty::Int(BYTE), 12)];

const BOX: &[Field] = &[
    field("in.a", Ty::Int(SHORT), 0),
    field("in.b", Ty::Int(UNSIGNED), 4),
    field("p", Ty::Ptr(To::Int(INT)), 8),
    field("list", Ty::Ptr(To::Node), 16),
    field("u.l", Ty::Int(LONG), 24),
    field("u.half[1]", Ty::Int(INT), 28),
];

const OPS: &[Field] = &[
    field("run", Ty::Hook, 0),
    field("stop", Ty::Hook, 8),
    field("data", Ty::Ptr(To::Int(INT)), 16),
    field("n", Ty::Int(INT), 24),
];

const INNER: &[Field] = &[field("a", Ty::Int(SHORT), 0), field("b", Ty::Int(UNSIGNED), 4)];

/// What comes before all programs of a file.
pub(crate) const PRELUDE: &str = "\
typedef unsigned long size_t;
void *malloc(size_t size); void *calloc(size_t count, size_t size); void *realloc(void *old, size_t size); void free(void *block);
void *memcpy(void *to, const void *from, size_t size); void *memset(void *to, int byte, size_t size);
_Noreturn void __assert_fail(const char *what, const char *file, unsigned line, const char *function);
#define assert(fact) ((fact) ? (void)0 : __assert_fail(#fact, \"t.c\", __LINE__, \"f\"))
extern int ext_i(void); extern void *ext_p(void); extern __attribute__((pure)) int pure_i(void); extern __attribute__((pure)) void *pure_p(void);
struct node { struct node *next; int key; unsigned char tag; };
struct inner { short a; unsigned b; };
struct box { struct inner in; int *p; struct node *list; union { long l; int half[2]; } u; };
typedef int (*hook)(int);
struct ops { hook run; hook stop; int *data; int n; };
void *pool_alloc(int pool, size_t size); void pool_free(int pool, void *block); void *must_alloc(size_t size); void fatal(void);
";

/// What the project says of functions whose bodies it does not have.
pub(crate) const CONFIGURATION: &str = "\
[[fn]]
name = 'pool_alloc'
like = 'malloc'
args = [1]

[[fn]]
name = 'pool_free'
like = 'free'
args = [1]

[[fn]]
name = 'must_alloc'
like = 'malloc'
nonnull-return = true

[[fn]]
name = 'fatal'
like = 'abort'
";

/// The bodies of these functions, which only the interpreter sees; and unknown functions that addresses can lead to.
pub(crate) const ELSEWHERE: &str = "\
typedef unsigned long size_t;
void *malloc(size_t size); void free(void *block); _Noreturn void abort(void);
void *pool_alloc(int pool, size_t size) { return malloc(size); }
void pool_free(int pool, void *block) { free(block); }
void *must_alloc(size_t size) { void *block; while (!(block = malloc(size))) {} return block; }
void fatal(void) { abort(); }
extern int unknown_hook(int);
int (*unknown_hooks[])(int) = { unknown_hook };
";

/// The unknown function of [`ELSEWHERE`].
pub(crate) const UNKNOWN_HOOK: &str = "unknown_hook";

impl Ty {
    /// The members of a structure of this type.
    pub(crate) fn inner_fields() -> &'static [Field] {
        INNER
    }
}

impl To {
    /// The members behind such a pointer; none if there is one value only.
    pub(crate) fn fields(self) -> &'static [Field] {
        match self {
            To::Node => NODE,
            To::Box => BOX,
            To::Ops => OPS,
            To::Int(_) | To::IntPtr | To::NodePtr | To::Argument => &[],
        }
    }

    /// The type of the one value behind such a pointer.
    pub(crate) fn value(self) -> Option<Ty> {
        match self {
            To::Int(int) => Some(Ty::Int(int)),
            To::IntPtr => Some(Ty::Ptr(To::Int(INT))),
            To::NodePtr => Some(Ty::Ptr(To::Node)),
            To::Node | To::Box | To::Ops | To::Argument => None,
        }
    }

    /// The bytes of what it points at.
    pub(crate) fn size(self) -> u64 {
        match self {
            To::Int(int) => int.bytes.into(),
            To::Node => 16,
            To::Box | To::Ops => 32,
            To::IntPtr | To::NodePtr | To::Argument => 8,
        }
    }
}

impl fmt::Display for IntTy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.bytes, self.signed) {
            (1, true) => "signed char",
            (1, false) => "unsigned char",
            (2, true) => "short",
            (2, false) => "unsigned short",
            (4, true) => "int",
            (4, false) => "unsigned",
            (_, true) => "long",
            (_, false) => "unsigned long",
        })
    }
}

impl fmt::Display for To {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            To::Int(int) => write!(f, "{int}"),
            To::Node => f.write_str("struct node"),
            To::Box => f.write_str("struct box"),
            To::Ops => f.write_str("struct ops"),
            To::IntPtr => f.write_str("int *"),
            To::NodePtr => f.write_str("struct node *"),
            To::Argument => f.write_str("char *"),
        }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Int(int) => write!(f, "{int} "),
            Ty::Ptr(to @ (To::IntPtr | To::NodePtr | To::Argument)) => write!(f, "{to}*"),
            Ty::Ptr(to) => write!(f, "{to} *"),
            Ty::Inner => f.write_str("struct inner "),
            Ty::Hook => f.write_str("hook "),
        }
    }
}
