//! What names of functions hint at. A hint alone is never certain.

/// Whether one of the words of `name` (`pool_get`, `xmlFreeDoc`) is one of these.
fn has_word(name: &str, words: &[&str]) -> bool {
    split(name).iter().any(|part| words.contains(&part.as_str()))
}

/// The words of a name, in lower case: at underscores, and where a capital follows a small letter.
fn split(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in name.chars() {
        if !c.is_ascii_alphanumeric() || c.is_ascii_uppercase() && before.is_ascii_lowercase() {
            words.push(String::new());
        }
        if c.is_ascii_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.push(c.to_ascii_lowercase());
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// `pool_free`, `xfree`, `xmlFreeDoc`, `obj_destroy`.
pub(super) fn sounds_like_free(name: &str) -> bool {
    // `BIO_meth_set_destroy` is told what is to be called one day.
    if has_word(name, &["set", "get", "add", "register", "on", "is", "has"]) {
        return false;
    }
    has_word(name, &["free", "xfree", "destroy", "dealloc", "delete", "dispose"])
        || name.to_lowercase().ends_with("free")
}

/// `obj_unref`, `put_page`: what is given back may live on.
pub(super) fn sounds_like_release(name: &str) -> bool {
    has_word(name, &["unref", "release", "put", "close", "cleanup", "fini", "clear"])
}

/// `pool_alloc`, `xmalloc`, `list_new`.
pub(super) fn sounds_like_allocator(name: &str) -> bool {
    sounds_like_size_allocator(name) || has_word(name, &["new", "create", "dup", "clone", "copy", "make"])
}

/// The ones that are told how much: `pool_alloc`, `xmalloc`, `zalloc`.
pub(super) fn sounds_like_size_allocator(name: &str) -> bool {
    name.to_lowercase().contains("alloc") || has_word(name, &["getmem"])
}

pub(super) fn sounds_like_realloc(name: &str) -> bool {
    name.to_lowercase().contains("realloc")
}

/// What is allocated is filled with zeros.
pub(super) fn sounds_like_calloc(name: &str) -> bool {
    let name = name.to_lowercase();
    ["calloc", "zalloc", "alloc0", "allocz"].iter().any(|it| name.contains(it))
}

pub(super) fn sounds_like_strdup(name: &str) -> bool {
    name.to_lowercase().contains("strdup")
}

/// `die`, `fatal_error`, `xabort`, `panic`.
pub(super) fn sounds_like_abort(name: &str) -> bool {
    const WORDS: &[&str] =
        &["die", "fatal", "abort", "xabort", "panic", "bail", "bailout", "croak", "oom", "terminate", "exit"];
    has_word(name, WORDS)
}

/// What two names of one family have in common: `pool_alloc` and `pool_free`, `xmalloc` and `xfree`.
pub(super) fn are_related(allocator: &str, deallocator: &str) -> bool {
    matches!((stem(allocator), stem(deallocator)), (Some(a), Some(b)) if a == b)
}

/// `EVP_PKEY_up_ref` for `EVP_PKEY_free`: what is freed may live on.
pub(super) fn counts_references(name: &str, deallocator: &str) -> bool {
    const COUNTERS: &[&str] = &["ref", "upref", "addref", "incref", "retain", "hold"];
    let stem = stem(deallocator).unwrap_or_default();
    let name = name.to_lowercase();
    name.strip_prefix(&stem).is_some_and(|rest| COUNTERS.contains(&rest.replace('_', "").as_str()))
}

/// What comes before the verb: `pool_` of `pool_alloc`.
fn stem(name: &str) -> Option<String> {
    const VERBS: &[&str] = &[
        "malloc", "calloc", "realloc", "zalloc", "alloc", "strdup", "dup", "new", "create", "free",
        "destroy", "delete",
    ];
    let name = name.to_lowercase();
    let cut = VERBS.iter().filter_map(|verb| name.find(verb)).min();
    cut.map(|at| name[..at].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_hint_at_what_functions_do() {
        for name in ["pool_free", "xfree", "xmlFreeDoc", "BN_free", "my_destroy", "objectDelete"] {
            assert!(sounds_like_free(name), "{name}");
        }
        for name in ["freeze", "lookup", "refresh", "undeleted", "BIO_meth_set_destroy", "is_free"] {
            assert!(!sounds_like_free(name), "{name}");
        }
        assert!(sounds_like_allocator("CRYPTO_malloc") && sounds_like_allocator("listNew"));
        assert!(!sounds_like_allocator("renew"));
        assert!(sounds_like_abort("die") && sounds_like_abort("git_fatal") && !sounds_like_abort("diet"));
        assert!(are_related("pool_alloc", "pool_free") && are_related("xmalloc", "xfree"));
        assert!(
            counts_references("EVP_PKEY_up_ref", "EVP_PKEY_free") && !counts_references("reference", "free")
        );
        assert!(!are_related("pool_alloc", "list_free") && !are_related("lookup", "free"));
    }
}
