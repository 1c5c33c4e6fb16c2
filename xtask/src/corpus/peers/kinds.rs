//! Which of our kinds a message of another tool is. What has no row is of a kind that we do not have: dead
//! stores, formats, portability.

use catalog::Issue::{
    self, DivByZero, DoubleFree, InvalidFree, MemoryLeak, NullDeref, OutOfBounds, ResourceLeak, UninitRead,
    UseAfterFree, UseAfterScope,
};

use super::tool::Tool::{self, Clang, Cppcheck, Gcc};

/// The tool, what its name of the check begins with, what the message contains, our kind. The first row that fits is taken.
const ROWS: &[(Tool, &str, &str, Issue)] = &[
    (Clang, "core.NullDereference", "undefined pointer", UninitRead),
    (Clang, "core.NullDereference", "", NullDeref),
    (Clang, "core.NonNullParamChecker", "", NullDeref),
    (Clang, "core.CallAndMessage", "null", NullDeref),
    (Clang, "core.CallAndMessage", "", UninitRead),
    (Clang, "core.UndefinedBinaryOperatorResult", "", UninitRead),
    (Clang, "core.uninitialized", "", UninitRead),
    (Clang, "core.DivideZero", "", DivByZero),
    (Clang, "core.StackAddressEscape", "", UseAfterScope),
    (Clang, "cplusplus.NewDeleteLeaks", "", MemoryLeak),
    (Clang, "cplusplus.NewDelete", "", UseAfterFree),
    (Clang, "nullability", "", NullDeref),
    (Clang, "security.ArrayBound", "", OutOfBounds),
    (Clang, "unix.Malloc", "leak", MemoryLeak),
    (Clang, "unix.Malloc", "Use of memory", UseAfterFree),
    (Clang, "unix.Malloc", "Attempt to free", DoubleFree),
    (Clang, "unix.Malloc", "Argument to", InvalidFree),
    (Clang, "unix.MismatchedDeallocator", "", InvalidFree),
    (Clang, "unix.Stream", "never closed", ResourceLeak),
    (Clang, "unix.Stream", "NULL", NullDeref),
    (Clang, "unix.cstring.NullArg", "", NullDeref),
    (Clang, "unix.StdCLibraryFunctions", "NULL", NullDeref),
    (Gcc, "null-", "", NullDeref),
    (Gcc, "possible-null-", "", NullDeref),
    (Gcc, "use-after-free", "", UseAfterFree),
    (Gcc, "double-free", "", DoubleFree),
    (Gcc, "double-f", "", ResourceLeak),
    (Gcc, "free-of-non-heap", "", InvalidFree),
    (Gcc, "mismatching-deallocation", "", InvalidFree),
    (Gcc, "malloc-leak", "", MemoryLeak),
    (Gcc, "file-leak", "", ResourceLeak),
    (Gcc, "fd-leak", "", ResourceLeak),
    (Gcc, "use-of-uninitialized-value", "", UninitRead),
    (Gcc, "out-of-bounds", "", OutOfBounds),
    (Gcc, "use-of-pointer-in-stale-stack-frame", "", UseAfterScope),
    (Cppcheck, "nullPointerArithmetic", "", OutOfBounds),
    (Cppcheck, "nullPointer", "", NullDeref),
    (Cppcheck, "ctunullpointer", "", NullDeref),
    (Cppcheck, "memleak", "", MemoryLeak),
    (Cppcheck, "leakNoVarFunctionCall", "", MemoryLeak),
    (Cppcheck, "leakReturnValNotUsed", "", MemoryLeak),
    (Cppcheck, "resourceLeak", "", ResourceLeak),
    (Cppcheck, "uninit", "", UninitRead),
    (Cppcheck, "legacyUninitvar", "", UninitRead),
    (Cppcheck, "ctuuninitvar", "", UninitRead),
    (Cppcheck, "arrayIndexOutOfBounds", "", OutOfBounds),
    (Cppcheck, "bufferAccessOutOfBounds", "", OutOfBounds),
    (Cppcheck, "negativeIndex", "", OutOfBounds),
    (Cppcheck, "pointerOutOfBounds", "", OutOfBounds),
    (Cppcheck, "ctuArrayIndex", "", OutOfBounds),
    (Cppcheck, "objectIndex", "", OutOfBounds),
    (Cppcheck, "doubleFree", "", DoubleFree),
    (Cppcheck, "dealloc", "", UseAfterFree),
    (Cppcheck, "useAfterFree", "", UseAfterFree),
    (Cppcheck, "autovarInvalidDeallocation", "", InvalidFree),
    (Cppcheck, "mismatchAllocDealloc", "", InvalidFree),
    (Cppcheck, "returnDanglingLifetime", "", UseAfterScope),
    (Cppcheck, "invalidLifetime", "", UseAfterScope),
    (Cppcheck, "danglingLifetime", "", UseAfterScope),
    (Cppcheck, "autoVariables", "", UseAfterScope),
    (Cppcheck, "zerodiv", "", DivByZero),
];

/// Our kind of a message, if we have it.
pub(crate) fn kind(tool: Tool, check: &str, message: &str) -> Option<Issue> {
    let fits = |row: &&(Tool, &str, &str, Issue)| {
        row.0 == tool && check.starts_with(row.1) && message.contains(row.2)
    };
    ROWS.iter().find(fits).map(|row| row.3)
}

/// Kinds that tools tell apart differently have the same family: it is a matter of taste whether freeing twice is a use after free.
pub(crate) fn family(kind: Issue) -> Issue {
    match kind {
        DoubleFree | InvalidFree => UseAfterFree,
        ResourceLeak => MemoryLeak,
        kind => kind,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_decides_where_a_check_has_several_kinds() {
        assert_eq!(
            kind(Clang, "unix.Malloc", "Potential leak of memory pointed to by 'p'"),
            Some(MemoryLeak)
        );
        assert_eq!(kind(Clang, "unix.Malloc", "Attempt to free released memory"), Some(DoubleFree));
        assert_eq!(kind(Clang, "deadcode.DeadStores", "Value stored to 'p' is never read"), None);
        assert_eq!(kind(Gcc, "unix.Malloc", "leak"), None);
    }

    #[test]
    fn every_row_can_be_reached() {
        for row in ROWS {
            assert_eq!(kind(row.0, row.1, row.2), Some(row.3), "{row:?}");
        }
    }
}
