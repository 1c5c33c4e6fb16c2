//! All budgets, each with the reason for its value.
//!
//! Budgets count steps or bytes, never seconds. Whoever hits one says so and is counted.

/// Bytes that the analysis of one function may hold: its code, its terms, the states of its paths, its circuit.
///
/// Counted from what is in them, not from what the allocator makes of it, so that the same functions are given up on every machine and for any number of threads.
/// A thread works on one function at a time. A `switch` of 20,000 cases with an allocation each holds as much; nobody writes one by hand.
pub const FUNCTION_BYTES: usize = 256 << 20;

/// Bytes that may be kept for a whole run: the code of all units, the summaries and the findings of all functions. Beyond it functions are given up, the last of the schedule first.
///
/// A function of SQLite keeps 50 KB, one of a few lines 5 KB, so that this is enough for 80,000 large or 800,000 small functions; a developer's machine has 16 GB, and each thread needs [`FUNCTION_BYTES`] on top.
pub const RUN_BYTES: usize = 4 << 30;

/// Bytes of the largest summary of a function: all callers go through it. SQLite's largest has 450 KB; summaries of functions that call one another ten thousand deep grow with each call.
pub const SUMMARY_BYTES: usize = 1 << 20;

/// Elements a constant or type may expand to when it is flattened (lanes of a vector, members of a struct value).
///
/// AVX-512 code has 64 byte lanes; structs that clang passes in registers have at most two.
pub const FLAT_LANES: usize = 128;

/// Nesting of types, constants and debug types that recursive walks follow.
///
/// Real code stays below 40; each level costs a stack frame.
pub const NESTING: u32 = 256;

/// Blocks that node splitting may add to one function, as a multiple of its size.
///
/// Each irreducible region at most doubles its loop; real functions (computed `goto` interpreters, Duff's device) need less than twice.
pub const SPLIT_FACTOR: usize = 4;

/// Bytes of initializer text that one global may carry; beyond it the content counts as unknown.
///
/// The largest table seen (Unicode data in SQLite and libgit2) has 300 KB.
pub const INIT_BYTES: u64 = 64 << 20;

/// Bytes of bitcode, source text or compilation database that one file may have.
///
/// The largest unit of the corpus (the SQLite amalgamation) makes 6 MB of bitcode; databases of whole operating systems reach 100 MB.
pub const FILE_BYTES: u64 = 512 << 20;

/// Bytes that a file of settings or models may have: 100,000 rows take some ten megabytes.
pub const CONFIG_BYTES: u64 = 64 << 20;

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

/// Callees that one call through a pointer may have; beyond it they count as unknown.
///
/// Who follows so many alternatives learns nothing. The largest tables of handlers in the corpus have some hundred entries.
pub const CALLEES: usize = 1000;

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

/// Conditions of one function that guards name, and nodes of all their diagrams; beyond it guards are terms.
///
/// Diagrams of structured code grow with its size; the largest functions of SQLite have 3,000 branches. Operations recurse
/// as deep as there are names, with some hundred bytes of stack each.
pub const GUARD_CONDITIONS: usize = 4000;
/// See [`GUARD_CONDITIONS`]. Sixteen bytes each, and as much again for the tables.
pub const GUARD_NODES: usize = 1 << 17;

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

/// Different subterms of the largest query for which values are guessed before a circuit is built.
///
/// Paths have some hundred; a guess takes some microseconds for each variable.
pub const GUESS_NODES: usize = 2_000;

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

/// Blocks of the largest function that has a loop-free form, and copies of blocks that this form may have.
///
/// The largest functions (interpreters, parsers) have some thousand blocks. With more copies than this, inner loops are one havoced copy.
pub const UNFOLDED_BLOCKS: usize = 3_000;
/// See [`UNFOLDED_BLOCKS`].
pub const UNFOLDED_COPIES: usize = 150;
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
