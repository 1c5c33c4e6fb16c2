//! All budgets, each with the reason for its value, by the room that keeps to it.
//!
//! Budgets count steps or bytes, never seconds; only processes that we start have a wall clock. Whoever hits
//! one says so and is counted.

use core::time::Duration;

// --- all rooms ---

/// Nesting of types, constants and debug types that recursive walks follow.
///
/// Real code stays below 40; each level costs a stack frame.
pub const NESTING: u32 = 256;

/// Bytes of bitcode, source text or compilation database that one file may have.
///
/// The largest unit of the corpus (the SQLite amalgamation) makes 6 MB of bitcode; databases of whole operating systems reach 100 MB.
pub const FILE_BYTES: u64 = 512 << 20;

/// Bytes that a file of settings or models may have: 100,000 rows take some ten megabytes.
pub const CONFIG_BYTES: u64 = 64 << 20;

/// Stack of a worker. Walks over deeply nested input, application of triples and rendering of terms are
/// bounded, but by generous bounds.
pub const STACK_BYTES: usize = 64 << 20;

// --- capture ---

/// Bytes of diagnostics that are kept of one compiler run; the rest is read and dropped.
///
/// Three errors are shown. C++ templates can take 100 KB to state them.
pub const CLANG_MESSAGE_BYTES: u64 = 1 << 20;

/// Bytes that a compiler may take for its data, and that it may write into its one file.
///
/// The largest units of C++ take four gigabytes in clang; a list of dependencies takes some hundred kilobytes.
pub const CLANG_MEMORY: u64 = 8 << 30;

/// See [`CLANG_MEMORY`].
pub const CLANG_FILE_BYTES: u64 = 64 << 20;

/// Bytes of compiled units that are kept from run to run; beyond it, those that were used least recently go.
///
/// The bitcode of a large project (5,000 units of C) takes half a gigabyte; this leaves room for several configurations of it.
pub const CACHE_BYTES: u64 = 4 << 30;

/// Bytes of the table of all files that compiled units were ever made of: a hundred for each file.
pub const CACHE_TABLE_BYTES: u64 = 64 << 20;

/// Files of a directory that are looked at for what a build has just made.
///
/// Include directories have hundreds; a directory of test data may have a million.
pub const SCANNED_FILES: usize = 10_000;

/// Response files (`@file`) that one command line may name, also inside of one another, and the bytes of each.
///
/// Build tools write one or two, of some kilobytes; a file that names itself must come to an end.
pub const RESPONSE_FILES: u32 = 64;

/// See [`RESPONSE_FILES`].
pub const RESPONSE_FILE_BYTES: u64 = 1 << 20;

/// Bytes of all response files of one command line together. A linker may be told of ten thousand objects; a compiler is told of some hundred directories.
pub const RESPONSE_BYTES: u64 = 4 << 20;

/// Bytes that the options of all units of a database may take in memory.
///
/// A hundred thousand units with ten kilobytes of options each take twice their text.
pub const DATABASE_BYTES: u64 = 2 << 30;

/// Steps that may be taken through archives in archives when programs are put together; beyond it, archives are taken for empty.
///
/// A build of ten thousand objects takes some hundred thousand.
pub const LINK_STEPS: usize = 5_000_000;

/// Bytes of the longest name in a table of an ELF file that is read. File systems allow 4096 for a path.
pub const ELF_NAME: u64 = 4096;

/// Wall clock for one unit. The slowest units of large C++ projects take two minutes alone on a
/// core; this leaves room for a busy machine and still ends a template that never does.
pub const CLANG_TIME: Duration = Duration::from_secs(900);

/// A program that has nothing to do but print its version gets this long.
pub const VERSION_TIME: Duration = Duration::from_secs(20);

/// How long a compiler may think about a question that takes it ten milliseconds, on a busy machine.
pub const TOOLCHAIN_TIME: Duration = Duration::from_secs(20);

/// How long a child may do nothing at all. A compiler always has something to do, unless a header is a pipe.
pub const STALL_TIME: Duration = Duration::from_secs(15);

/// How often a unit is tried again without the options that clang rejected. The driver reports
/// unknown options all at once, then unsupported ones, then values, then processors.
pub const CLANG_ATTEMPTS: usize = 5;

// --- lower ---

/// Elements a constant or type may expand to when it is flattened (lanes of a vector, members of a struct value).
///
/// AVX-512 code has 64 byte lanes; structs that clang passes in registers have at most two.
pub const FLAT_LANES: usize = 128;

/// Bytes of initializer text that one global may carry; beyond it the content counts as unknown.
///
/// The largest table seen (Unicode data in SQLite and libgit2) has 300 KB.
pub const INIT_BYTES: u64 = 64 << 20;

/// Bits of the widest integer that is followed.
///
/// `_BitInt` may have 8 million bits by the letter; programs use a few hundred. A constant of the width is built at each zero.
pub const INT_BITS: u32 = 1 << 14;

/// Instructions, block parameters and arguments that lowering may make per instruction of LLVM, and for free.
///
/// Real code needs less than two. Flattening multiplies by at most [`FLAT_LANES`], so that a small hostile file could otherwise
/// fill the memory.
pub const LOWER_FACTOR: usize = 16;

/// See [`LOWER_FACTOR`].
pub const LOWER_FREE: usize = 1 << 20;

/// Operations of one constant expression; real ones have a handful. Shared operands let a small hostile file state huge ones, and
/// each may cost a stack frame.
pub const LOWER_EXPRESSION: u32 = 512;

/// Nesting of one operand; real expressions have a handful, and each level costs some stack frames.
pub const LOWER_CONSTANT: u32 = 48;

/// Members of a struct value, most of which may have no lanes. Each access to a member walks over those before it.
pub const FLAT_FIELDS: usize = 8 * FLAT_LANES;

/// Nesting in a mangled name that is followed; names of heavy template code stay below 60.
pub const MANGLED_DEPTH: u32 = 96;

/// Bytes of the longest mangled name that is read; what is longer is shown as it is.
pub const MANGLED_BYTES: usize = 4096;

/// Members and constants of all types of a module together; a hostile file can share one list among all its types.
pub const MODULE_MEMBERS: usize = 1 << 22;

/// Lanes of all types of a module together; a hostile file could otherwise make each of its types cost [`FLAT_LANES`].
pub const MODULE_LANES: usize = 1 << 22;

/// Parts that one operand may have; shared parts let a small hostile file state huge constants.
pub const LOWER_PARTS: u32 = 1024;

/// The largest size we compute with, in bits; no machine has an object of that size.
pub const LAYOUT_BITS: u64 = 1 << 60;

// --- ir ---

/// Blocks that node splitting may add to one function, as a multiple of its size.
///
/// Each irreducible region at most doubles its loop; real functions (computed `goto` interpreters, Duff's device) need less than twice.
pub const SPLIT_FACTOR: usize = 4;

/// How deep loads, calls and arithmetic are followed for the name of a value. A longer name says less than none.
pub const NAME_DEPTH: u32 = 12;

/// How many values are looked at for one name: merges of a large `switch` have some dozens of inputs.
pub const NAME_STEPS: u32 = 200;

/// How many entries of a region are tried as its header. Each costs a walk over the region; regions of C code have two or three.
pub const SPLIT_NODES_HEADERS: usize = 32;

/// Bytes of the longest name of a value; a longer one says less than none.
pub const NAME_LENGTH: usize = 120;

// --- interp ---

/// Instructions of one execution in the interpreter, unless its user says otherwise: about half a minute.
pub const INTERP_STEPS: u64 = 1_000_000_000;

/// Calls within calls in the interpreter. A native stack of 8 MB ends at about this depth, too.
pub const INTERP_DEPTH: usize = 100_000;

/// Bytes that all blocks of an interpreted program may take, its output included.
pub const INTERP_MEMORY: u64 = 1 << 30;

/// Loops of the interpreter within loops, through callbacks of library functions (`qsort`); each takes some stack of the host.
pub const INTERP_NESTING: usize = 64;

/// Bytes that all globals of an interpreted program may take. The largest static arrays of real programs have some hundred megabytes.
pub const INTERP_GLOBALS: u64 = 4 << 30;

/// Bytes of one file that an interpreted program writes; a position that `fseek` made up must not fill the memory.
pub const INTERP_FILE: usize = 256 << 20;

/// Dead blocks that the interpreter keeps for its reports, at least; 40 MB of them.
pub const INTERP_BLOCKS: usize = 1 << 19;

/// Callers that a report or a heap block of the interpreter remembers: more is not read.
pub const INTERP_CALLERS: usize = 16;

/// How far the search for the name of an undefined value goes back. Expressions of C are seldom deeper.
pub const INTERP_NAME: u32 = 8;

/// Failed allocations that a report of the interpreter tells of.
pub const INTERP_FAILURES: usize = 16;

/// A width, or the precision of a number, in `printf`: from here on it is nonsense that would only eat memory.
pub const INTERP_PRECISION: usize = 1 << 24;

/// Classes nested in classes at most; deeper ones are nonsense that reads itself.
pub const INTERP_CLASSES: u32 = 64;

/// Bytes behind an argument that unknown code may give a content.
pub const INTERP_OUTPUT: usize = 4096;

// --- term ---

/// Conditions of one function that guards name, and nodes of all their diagrams; beyond it guards are terms.
///
/// Diagrams of structured code grow with its size; the largest functions of SQLite have 3,000 branches. Operations recurse
/// as deep as there are names, with some hundred bytes of stack each.
pub const GUARD_CONDITIONS: usize = 4000;

/// See [`GUARD_CONDITIONS`]. Sixteen bytes each, and as much again for the tables.
pub const GUARD_NODES: usize = 1 << 17;

/// How deep expressions may be nested, in text that is written and read: each level costs a stack frame.
pub const TERM_NESTING: u32 = 300;

/// Steps of one operation on diagrams per node that there may be: an operation may come by the same nodes again and again without making
/// any, as the exclusive or of two large, similar diagrams does.
pub const GUARD_STEPS: usize = 4;

/// How many rules of rewriting may be at work inside one another. More than a term has bits, so that what takes a term apart bit by bit
/// comes to its end, and small enough for the stack of any thread.
pub const TERM_RULES: u32 = 192;

/// Bytes of text that are written of a term before the rest is left out: more than anyone reads in a message.
pub const TERM_TEXT: usize = 1 << 16;

/// How many parts of a conjunction a rule looks at.
pub const TERM_CONJUNCTS: usize = 8;

/// How many monomials a sum may have to be in normal form.
pub const TERM_MONOMIALS: usize = 16;

/// How many factors a product may have to be in normal form.
pub const TERM_FACTORS: usize = 8;

// --- term: the fast tier ---

/// Literals that the fast tier looks at for one condition that is assumed.
///
/// Path conditions of real code need two or three; more than this is slow convergence (`x < y`, `y < x + 1`, …).
pub const FACTS_STEPS: usize = 12;

/// Nodes of terms that one question to the fast tier looks at, and that one new fact is told to.
///
/// Conditions in C have some ten nodes; what is deeper counts as unknown.
pub const FACTS_NODES: u32 = 12;

/// See [`FACTS_NODES`]; for each comparison of a chain.
pub const FACTS_CHAIN_NODES: u32 = 8;

/// Comparisons that one search for a chain follows, and literals that one change wakes.
///
/// A chain `0 <= i < n <= size` has three; a `switch` leaves one disequality per case.
pub const FACTS_EDGES: usize = 12;

/// Terms below one side of a comparison that wake it when they change.
pub const FACTS_WATCHED: u32 = 6;

/// Extensions within extensions that are looked through; real code has two.
pub const FACTS_EXTENSIONS: u32 = 4;

/// Operations between a variable and a term that is made of it alone; `(long) i + 1` has two.
pub const FACTS_ROOT: u32 = 4;

/// Bases that a linear form of the fast tier may have. `x - y + z` is what pointer arithmetic needs; more is rare and not worth the room.
pub const FACTS_BASES: usize = 4;

// --- solver ---

/// Conflicts after which the first SAT solver gives up a query, and after which the second one does.
///
/// Path conditions of real code take none or a few dozen; a thousand conflicts take some ten milliseconds.
pub const SAT_CONFLICTS: u64 = 2_000;

/// See [`SAT_CONFLICTS`]. About half a second.
pub const SAT_HARD_CONFLICTS: u64 = 20_000;

/// Gates that the circuit of one function's conditions may have; about 50 bytes each.
///
/// A division of 64 bits has 20,000 gates, a product 12,000, a sum 200.
pub const CIRCUIT_GATES: usize = 4_000_000;

/// Bytes that a gate takes: itself, its place in tables, and its clauses with those that the SAT solver learns; an estimate.
pub const GATE_BYTES: usize = 150;

/// Subterms that one elimination of variables may visit, and how deep it may recurse, before it settles for a weaker condition.
///
/// Conditions that a user can read have some dozen atoms; eliminating from them takes some thousand visits, and as many
/// visits as this some milliseconds. A level of the recursion takes some kilobytes of stack.
pub const ELIMINATE_STEPS: usize = 500_000;

/// See [`ELIMINATE_STEPS`].
pub const ELIMINATE_DEPTH: usize = 150;

/// Queries of one elimination to the solver, each a fraction of a millisecond.
pub const ELIMINATE_QUERIES: usize = 64;

/// Subterms of the largest condition that is a query of an elimination: most of them are easy, but a few hundred
/// multiplications take a second.
pub const ELIMINATE_ASKED: usize = 500;

/// Classes of values that one variable may fall into. A large `switch` on an input character has as many.
pub const ELIMINATE_CLASSES: usize = 64;

/// Values at which one variable is tried because an atom may begin to hold there: each copies the condition.
pub const ELIMINATE_STARTS: usize = 12;

/// Values by which a necessary condition is proven to be the strongest. Where four do not suffice, forty seldom do.
pub const ELIMINATE_WITNESSES: usize = 6;

/// Bits of the widest variable that is given every value in turn.
pub const ELIMINATE_BITS: u32 = 3;

/// Queries to the solver by which one condition is simplified, and the atoms of the largest one that is.
///
/// Longer conditions are not read by anybody; each atom takes one or two queries.
pub const SIMPLIFY_QUERIES: usize = 200;

/// See [`SIMPLIFY_QUERIES`].
pub const SIMPLIFY_ATOMS: usize = 100;

/// Different subterms of the largest query for which values are guessed before a circuit is built.
///
/// Paths have some hundred; a guess takes some microseconds for each variable.
pub const GUESS_NODES: usize = 2_000;

/// Pairs of a lower and an upper bound that one variable may have: each becomes a comparison.
pub const ELIMINATE_PAIRS: usize = 16;

/// Disequalities that one variable between bounds may have: each doubles the pairs.
pub const ELIMINATE_SPLITS: usize = 3;

/// How deep a linear term is looked into: longer sums are not written by hand.
pub const ELIMINATE_LINEAR: usize = 32;

/// How deep a sum is looked into for the values at which it begins to hold.
pub const ELIMINATE_SUM: usize = 32;

/// Steps after which Z3, which only tests use, gives up; some ten seconds.
pub const ORACLE_STEPS: u32 = 100_000_000;

// --- heap ---

/// Cells of a block with other symbolic offsets that one access is compared with, and choices inside of one address. Each may double the paths.
pub const HEAP_SPLITS: usize = 4;

/// Cells of a block with other symbolic offsets than the one that is accessed; beyond it the path is not followed.
pub const HEAP_OTHERS: usize = 6;

/// Elements of the largest constant table that are told apart at an unknown index: each is a part of a nested choice.
pub const HEAP_TABLE: u64 = 16;

/// Alternatives within alternatives of a condition that are looked at. Conditions in C have one or two.
pub const HEAP_ALTERNATIVES: u32 = 8;

/// Blocks that each block is said to lie apart from: conditions about more addresses than this are not seen in real code.
pub const HEAP_APART: usize = 12;

/// Accesses of one block that a presumption remembers. The first decides about null and freed memory; the rest is about bounds.
pub const HEAP_ACCESSES: usize = 12;

/// Partial applications of one triple: each symbolic offset may double them.
pub const HEAP_PARTIAL: usize = 16;

// --- conditions ---

/// Conditions of the longest path whose condition is worked out for people. Longer ones are cut to what callers see anyway.
pub const CONDITION_READ: usize = 12;

/// Conjuncts of the longest condition whose conjuncts are compared with one another: three are told.
pub const CONDITION_COMPARED: usize = 12;

/// Parts of a condition that are told; the rest is counted. Nobody checks more by hand.
pub const CONDITION_TOLD: usize = 3;

// --- split ---

/// How often a path may go back to the head of a loop, unless the user says otherwise: the bound of the design (§5).
pub const SPLIT_UNROLL: u32 = 3;

/// Paths that are kept at each point, unless the user says otherwise: the bound of the design (§5).
pub const SPLIT_WIDTH: usize = 20;

/// Bytes that the analysis of one function may hold: its code, its terms, the states of its paths, its circuit.
///
/// Counted from what is in them, not from what the allocator makes of it, so that the same functions are given up on every machine and for any number of threads.
/// A thread works on one function at a time. A `switch` of 20,000 cases with an allocation each holds as much; nobody writes one by hand.
pub const FUNCTION_BYTES: usize = 256 << 20;

/// Bytes of the largest summary of a function: all callers go through it. SQLite's largest has 450 KB; summaries of functions that call one another ten thousand deep grow with each call.
pub const SUMMARY_BYTES: usize = 1 << 20;

/// Instructions that the split engine executes for one function, over all its paths.
///
/// A function of 300 instructions with 20 paths and some loops needs some thousand; a third more finds a hundredth more of the bugs that are seeded into the corpus, and takes a quarter more time.
pub const SPLIT_STEPS: usize = 9_000;

/// Operations in the largest value that is followed, counted as often as they are used.
///
/// Values that programs decide about have some ten; those of cryptography double with each round.
pub const SPLIT_WEIGHT: u32 = 150;

/// Rounds of a loop that are followed beyond `unroll`, because nothing was decided in them.
///
/// Tables of bytes have 256 elements.
pub const SPLIT_CERTAIN_ROUNDS: u32 = 260;

/// Paths that end in errors which are kept for one function, and those of one site and kind.
pub const SPLIT_ERRORS: usize = 200;

/// See [`SPLIT_ERRORS`]. A few are enough to show that all ways lead to the error.
pub const SPLIT_ERRORS_PER_SITE: usize = 16;

/// Triples of one function that end as they should: what callers have to try at each call.
pub const SPLIT_SPECS: usize = 24;

/// Triples of one function that end in an error, and those of one site and kind: what callers have to try at each call.
pub const SPLIT_TOLD: usize = 16;

/// See [`SPLIT_TOLD`].
pub const SPLIT_TOLD_PER_SITE: usize = 2;

/// Paths of one function that were not followed to their end, but whose beginnings callers must provide for, too; and paths on which the program ends.
pub const SPLIT_CUTS: usize = 4;

/// Pairs of paths at one block for which it is asked whether they can become one; a thousand paths make as many, a `switch` of a hundred thousand cases has more.
pub const SPLIT_JOINS: usize = 500_000;

/// Bytes that a copy or fill of memory moves one by one; larger ones are followed only if they cover whole blocks.
pub const SPLIT_COPY: u64 = 512;

/// Conflicts of one query of the split engine. Path conditions take none or a few dozen; what takes more is not followed.
pub const SPLIT_CONFLICTS: u64 = 400;

/// Steps that one query to the solver counts as.
pub const SPLIT_QUERY: usize = 100;

/// Queries of one function that ask whether an error is forced.
pub const SPLIT_FORCED: usize = 100;

/// Conditions of the longest path that the solver is asked about before callers are told of it. Longer ones cost more than they exclude.
pub const SPLIT_ASKED: usize = 60;

/// Conditions that two paths may differ in to become one; more are not worth a disjunction.
pub const SPLIT_DIFFERENCE: usize = 4;

/// Decisions that a story tells at most: what fits on a screen with its source.
pub const SPLIT_DECISIONS: usize = 6;

/// Decisions at the end of a path that the story of a leak tells at most: they lead to the exit that forgets the block.
pub const SPLIT_LAST_DECISIONS: usize = 4;

/// Other places of the same error that are told.
pub const SPLIT_OTHERS: usize = 3;

/// Paths to a latent error that the solver is asked about, until it says of one that it can be taken.
pub const SPLIT_TRIED: usize = 4;

/// Paths of one function that go on in the last round of a loop, each time it is come to.
pub const SPLIT_LAST_ROUNDS: usize = 3;

/// Bytes of the longest text that is read byte by byte. Texts that programs compare with have some ten.
pub const SPLIT_TEXT: u64 = 256;

/// Letters of the longest literal that is part of a name: what fits on a line.
pub const SPLIT_LITERAL: usize = 32;

/// How often a callee is told more about a call: each time it is analyzed anew.
pub const SPLIT_SPECIAL: usize = 3;

/// Choices inside of one value that are looked at for null: `c ? p : 0` has one, and each doubles the cases.
pub const SPLIT_CHOICES: usize = 4;

/// Variables of the largest arena in which debug builds compare accesses with triples: enough for most functions of the tests, and soon over for large ones.
pub const SPLIT_COMPARED_VARS: usize = 200;

/// Blocks of the largest state that is compared.
pub const SPLIT_COMPARED_BLOCKS: usize = 24;

// --- unfold ---

/// Blocks of the largest function that has a loop-free form, and copies of blocks that this form may have.
///
/// The largest functions (interpreters, parsers) have some thousand blocks. With more copies than this, inner loops are one havoced copy.
pub const UNFOLDED_BLOCKS: usize = 3_000;

/// See [`UNFOLDED_BLOCKS`].
pub const UNFOLDED_COPIES: usize = 150;

// --- doomed ---

/// Terms of the passive form of one function; a function of 500 lines has some ten thousand.
pub const DOOMED_TERMS: usize = 150_000;

/// Conflicts of one query about a doomed point. That a block is alive, a first guess shows or a few conflicts.
pub const DOOMED_CONFLICTS: u64 = 500;

/// Queries about the points of one function, and terms of the function times queries: a query costs in proportion to the function.
pub const DOOMED_QUERIES: usize = 300;

/// See [`DOOMED_QUERIES`]. With a quarter of it, 906 points of the corpus stay undecided; with this, 135, as many as without a limit. What is found is the same each time.
pub const DOOMED_WORK: usize = 6_000_000;

/// Gates of the circuit of one function.
pub const DOOMED_GATES: usize = 400_000;

/// Blocks and instructions of the largest callee that is inlined, and instructions that are inlined into one function in all.
pub const DOOMED_INLINED_BLOCKS: usize = 12;

/// See [`DOOMED_INLINED_BLOCKS`].
pub const DOOMED_INLINED_INSTS: usize = 60;

/// See [`DOOMED_INLINED_BLOCKS`].
pub const DOOMED_INLINED: usize = 400;

/// How deep calls are inlined. A wrapper around a wrapper is seen through; deeper, contracts say enough.
pub const DOOMED_DEPTH: u32 = 2;

/// Cells that are remembered at one point; the oldest are forgotten first. Each load is compared with all of them.
pub const DOOMED_CELLS: usize = 40;

/// How deep conditional pointers are looked into for what was freed: each level doubles the work.
pub const DOOMED_CHOICES: u32 = 4;

/// Steps that the story of a doomed point has at most: what fits on a screen with its source.
pub const DOOMED_STORY: usize = 8;

/// Cases of the largest `switch` of which the default is told by what it is not. Only three are told.
pub const DOOMED_CASES: usize = 64;

/// Blocks behind a doomed point that are looked at for what fails; each costs a query.
pub const DOOMED_CANDIDATES: usize = 4;

/// Signed operations that are kept from overflowing in search of an execution that C defines; each costs a query.
pub const DOOMED_OVERFLOWS: usize = 8;

/// Failures that are looked behind for the one that is certain; each costs a query.
pub const DOOMED_FAILURES: usize = 12;

// --- project ---

/// Callees that one call through a pointer may have; beyond it they count as unknown.
///
/// Who follows so many alternatives learns nothing. The largest tables of handlers in the corpus have some hundred entries.
pub const CALLEES: usize = 1000;

/// Blocks that are looked at behind a call for what its result is used for: a test follows soon or not at all.
pub const SUGGEST_BLOCKS: usize = 200;

/// How many values are looked at for one address.
///
/// Chains of copies and loads are shorter than ten; merges of a large `switch` have some dozens of inputs.
pub const INDIRECT_STEPS: u32 = 400;

// --- session ---

/// Bytes that may be kept for a whole run: the code of all units, the summaries and the findings of all functions. Beyond it functions are given up, the last of the schedule first.
///
/// A function of SQLite keeps 50 KB, one of a few lines 5 KB, so that this is enough for 80,000 large or 800,000 small functions; a developer's machine has 16 GB, and each thread needs [`FUNCTION_BYTES`] on top.
pub const RUN_BYTES: usize = 4 << 30;

/// Functions of a component of the call graph that is taken for recursion. Larger ones are mostly made by calls through pointers that do not all happen: who calls into them comes back.
pub const RECURSIVE_FUNCTIONS: usize = 3;

/// Specialized summaries inside of specialized summaries: a callback that is handed on once.
pub const SPECIAL_DEPTH: u32 = 2;

/// The same for recursion that is followed with the arguments of a call, whatever `--unroll` says: each takes room on the stack.
pub const SPECIAL_RECURSION: u32 = 16;

/// Comparisons of names that may be misspelt with names that are there; 200,000 take a tenth of a second.
pub const CONFIG_COMPARISONS: usize = 200_000;

/// Components that may be under way beyond the first one that is not done. With some milliseconds for each nobody waits, and what they leave is small against the budget.
pub const RUN_LAG: usize = 1024;

// --- report ---

/// Letters of one part of a condition in the text; JSON has all of it. Two lines of a terminal.
pub const CONDITION_LETTERS: usize = 160;

/// Tokens on either side of a line that are looked at for its statement: tables of constants are statements of a hundred thousand.
pub const STATEMENT_TOKENS: usize = 500;
