//! A model: what one library function does, as data for an engine to interpret.
//!
//! Judgment: a model is the disjunction of its cases, and a case is a spec `[when] f(args) [effects; ret]`
//! closed under the frame rule: memory that no effect names stays as it is.
//! Source: Le, Raad, Villard, Berdine, Dreyer, O'Hearn, *Finding Real Bugs in Big Programs with Incorrectness
//! Logic*, OOPSLA 2022, §3.1 (specs of primitives, one per outcome); for what the functions do, the row's own
//! `cite`.
//! Departures: effects are steps in order instead of a footprint and a result, so that each access can be
//! blamed for its own error.

use world::{Digest, Digested};

/// The family of `malloc`, `free` and all that goes with them.
pub(crate) const MALLOC: &str = "malloc";

/// What a library function does. The environment chooses among the cases whose tests hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Model {
    /// The name that the linker sees, hence mangled for C++.
    pub name: String,
    /// The C prototype, if the row states it for this very name.
    pub prototype: Option<String>,
    /// Where the behavior is specified, such as `C17 7.22.3.4`.
    pub cite: String,
    /// The file of models that says so.
    pub file: String,
    /// How many parameters are declared, those of `...` not counted; `None` if the row does not tell. A call with fewer
    /// arguments (or with more, if not [`variadic`](Model::variadic)) is a call of some other function of that name: the engine must not use the model.
    pub params: Option<usize>,
    /// Whether more arguments may follow.
    pub variadic: bool,
    /// Set if the function never returns: after the effects of a case the path ends so, and `ret` means nothing.
    pub noreturn: Option<NoReturn>,
    /// What else it does, whatever the case.
    pub habits: Habits,
    /// The alternatives, at least one. Those whose tests are contradicted on the path drop out; each other one is a possible
    /// outcome of its own. Together the tests cover everything.
    pub cases: Vec<Case>,
}

/// What a function does in all cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Habits {
    /// Whether the arguments, and the memory that they point to, decide which case it is and what is returned (`strcmp`), and not the environment (`access`).
    pub pure: bool,
    /// Whether other code of the program can run meanwhile (`pthread_join`). Functions that get the address of a function run it anyway.
    pub others: bool,
    /// The argument, without arguments of its own, that it calls (`pthread_once`).
    pub runs: Option<usize>,
    /// Whether it returns once more with another number, after anything may have happened (`setjmp`).
    pub again: bool,
}

impl Digested for Model {
    fn digest(&self) -> Digest {
        Digest::of(self)
    }
}

impl Model {
    /// Whether the model is that of a call with so many arguments. One with others is a call of some other function of that name.
    pub fn fits(&self, n_args: usize) -> bool {
        self.params.is_none_or(|params| n_args == params || n_args > params && self.variadic)
    }

    /// Whether all memory that it allocates or frees is that of `malloc`: then it can stand beside bodies that call `malloc` and `free` themselves.
    pub fn is_of_malloc(&self) -> bool {
        let is_malloc = |ret: &Ret| !matches!(ret, Ret::New { family, .. } if family != MALLOC);
        self.cases.iter().all(|case| {
            let mut effects = case.effects.iter();
            is_malloc(&case.ret)
                && effects.all(|effect| match &effect.what {
                    What::Write { value, .. } => is_malloc(value),
                    What::Free { family, .. } => family == MALLOC,
                    _ => true,
                })
        })
    }
}

/// How a path ends in a function that does not return.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NoReturn {
    /// The program or thread ends as its author wished; no error, and memory held is no leak.
    Exit,
    /// The program is aborted on purpose; no error either.
    Abort,
    /// An assertion failed: the error `assert-failure`, if the policy for assertions lets it be reported.
    AssertFailure,
    /// Control goes on elsewhere (`longjmp`, a thrown exception); the path ends without any claim.
    Jump,
}

/// One possible outcome of a call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Case {
    /// What must hold of the arguments; conjunctive. The engine assumes them on the path of this case.
    pub when: Vec<Test>,
    /// What happens, in this order. An effect that fails (null, freed, out of bounds, …) is the error of the path.
    pub effects: Vec<Effect>,
    /// What is returned, determined after the effects, except that [`Content::From`] looks at memory as it was before them.
    pub ret: Ret,
    /// A verb phrase for traces, such as `returns null` or `fails`; empty if there is nothing to say.
    pub label: String,
}

/// A test of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Test {
    /// That argument is null or the number zero.
    Zero(usize),
    /// That argument is neither null nor zero.
    NonZero(usize),
}

/// Which argument an effect is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Arg {
    /// The one at that position, from 0.
    At(usize),
    /// Each of those passed for `...`, in order. Effects on memory apply to those that are pointers.
    Rest,
}

/// One step of a case.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Effect {
    /// The argument it is about; below, "the pointer".
    pub arg: Arg,
    /// If set, nothing happens when the pointer is null (`free(NULL)`); otherwise null is an error wherever `what` accesses memory
    /// or frees.
    pub null_ok: bool,
    /// What is done.
    pub what: What,
}

/// What an effect does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum What {
    /// The bytes are accessed: they must lie in a live block. Nothing changes in memory; a change is an effect of its own.
    Access {
        /// The bytes are read: they must exist.
        read: bool,
        /// The bytes are written: they must be writable, so not in a constant.
        write: bool,
        /// How many, from the pointer on.
        len: Len,
        /// The function looks at the bytes that are read, so that undefined ones are the error `uninit-read`; if not set, it merely passes them on.
        defined: bool,
    },
    /// The bytes become arbitrary defined ones. No access error of its own: an [`What::Access`] stands before it. Blocks that only the
    /// old bytes pointed to escape. Constants stay as they are.
    Havoc {
        /// How many, but never beyond the end of the block. Where it says no exact number, those up to its maximum, or to the end of the
        /// block if it has none, may have changed or not: they are defined, but like values of unknown code, no error may rest on
        /// a choice of them.
        len: Len,
        /// Where they come from.
        data: Data,
    },
    /// The bytes are all set to one value, as by `memset`; includes the access.
    Fill {
        /// The value.
        byte: Byte,
        /// How many.
        len: Len,
    },
    /// Bytes are copied to the pointer, undefined ones included; includes both accesses.
    Copy {
        /// The argument that points to the source.
        src: usize,
        /// How many; [`Len::String`]: to the first NUL of the source, inclusive.
        len: Len,
        /// The areas may overlap, as in `memmove`; if not set, overlapping is undefined behavior.
        overlap: bool,
    },
    /// An out-parameter: the value is stored where the pointer points to; includes the access.
    Write {
        /// The value.
        value: Ret,
        /// Its size in bytes.
        bytes: u32,
    },
    /// The pointer must be the start of a live block of that family (`invalid-free`, `double-free` otherwise), which is dead afterwards.
    Free {
        /// The family, by its name in [`crate::Library::family`].
        family: String,
        /// Not the argument itself is freed but the pointer stored where it points to (`getline` replaces a buffer);
        /// if that pointer is null nothing happens. An [`What::Access`] for reading it stands before.
        behind: bool,
    },
    /// As [`What::Free`], but the block stays as it is: the function was to free it, and fails (`realloc`). Whoever passes what cannot
    /// be freed is wrong in this case, too.
    Freeable {
        /// The family, by its name in [`crate::Library::family`].
        family: String,
        /// As for [`What::Free`].
        behind: bool,
    },
    /// The function keeps the pointer: its block, and what is reachable from it, is no leak any more.
    Escape,
    /// The value of the argument is put out or decided upon: undefined bits in it are the error `uninit-read`.
    Output,
    /// The argument is a format, and what happens to the arguments of `...` follows from it. Where the engine knows the text,
    /// [`crate::format_effects`] tells; otherwise each argument of `...` is [`What::Output`] (print) or its block is
    /// [`What::Havoc`] (scan). The access to the format itself is an effect of its own.
    Format {
        /// In which language it is written.
        style: FormatStyle,
    },
}

/// The two languages of formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FormatStyle {
    /// As for `printf`: arguments are values, strings, and pointers to counts (`%n`).
    Printf,
    /// As for `scanf`: arguments are pointers to where the result goes.
    Scanf,
}

/// Where arbitrary bytes come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Data {
    /// The library computed them.
    Unknown,
    /// From outside of the program: a file, a socket, the user.
    Input,
}

/// A number of bytes.
///
/// If it is zero, nothing is accessed, so the pointer may be null.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Len {
    /// So many.
    Const(u64),
    /// As the argument says, unsigned.
    Arg(usize),
    /// As the product of two arguments says, unsigned, without wrapping.
    Product(usize, usize),
    /// To the first NUL, inclusive: at least one byte; each further one only if those before are known not to be NUL. When written:
    /// some text with its NUL, so at least one byte.
    String,
    /// As [`Len::String`], but at most as many as the argument says (the NUL, too, must fit when written).
    StringMax(usize),
    /// At least one, it is not known how many: only the first byte can be blamed.
    Any,
    /// As [`Len::Any`], but at most as many as the argument says: nothing if that is zero.
    AnyMax(usize),
    /// As [`Len::Any`], but at most so many: the size of an object of the library's, of which only parts may be touched and which
    /// may be smaller on some machines.
    Within(u64),
}

/// The value that [`What::Fill`] sets bytes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Byte {
    /// That value.
    Const(u8),
    /// The lowest eight bits of that argument.
    Arg(usize),
}

/// A returned value, or one stored in an out-parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ret {
    /// There is no value: the function returns `void`. If the call has a result nevertheless, a row of a user's forgot it: it is [`Ret::Any`].
    Nothing,
    /// Any value of the type, chosen by the environment; a pointer is treated like one that unknown code returned, so not assumed to be null.
    Any,
    /// Any value of the type, read from outside of the program.
    Input,
    /// The null pointer.
    Null,
    /// That argument.
    Arg(usize),
    /// A pointer into the block of that argument, at the place the argument points to or behind it; keeps the block alive.
    Into(usize),
    /// The number of bytes before the first NUL that the argument points to; where the text is not known, any number that is
    /// less than the block's size.
    Length(usize),
    /// A number from 0 to what [`Ret::Length`] would be: how far a search in the argument went.
    Span(usize),
    /// A pointer to some live object of the library with unknown defined content that nobody must free; not null. Two such pointers
    /// may be equal.
    NonNull,
    /// A number from `lo` to `hi`, both included, in the signed interpretation.
    Range {
        /// The least.
        lo: i64,
        /// The greatest.
        hi: i64,
    },
    /// A number from `lo` to what the argument says, which is unsigned; if that is less than `lo`, it is `lo`.
    UpTo {
        /// The least: 0, or -1 for a failure.
        lo: i64,
        /// The argument that holds the greatest.
        arg: usize,
    },
    /// That number.
    Const(i64),
    /// The base of a new block that is not null; that an allocation may fail is a case of its own.
    New {
        /// The family whose deallocators may free it, by its name in [`crate::Library::family`].
        family: String,
        /// How large it is.
        size: Size,
        /// What is in it.
        content: Content,
    },
}

/// The size of a new block in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Size {
    /// So many.
    Const(u64),
    /// As the argument says, unsigned.
    Arg(usize),
    /// As the product of two arguments says, unsigned; if that wraps, the allocation fails.
    Product(usize, usize),
    /// What a copy of the string needs that the argument points to: its length and one for the NUL.
    StringOf(usize),
    /// It is not known; no access to the block is out of bounds.
    Unknown,
}

/// What is in a new block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Content {
    /// Undefined bytes.
    Uninit,
    /// Zeros.
    Zeroed,
    /// Arbitrary defined bytes.
    Unknown,
    /// Some text and its NUL: arbitrary defined bytes as well, of which at least one is NUL.
    String,
    /// The bytes from where the argument points on, as far as both blocks reach, as they were before the effects; the rest is undefined. If the
    /// argument is null all is.
    From(usize),
}
