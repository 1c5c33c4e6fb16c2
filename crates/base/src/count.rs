//! Numbers of things, for sentences.

/// `1 unit`, `2 units`.
pub fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}
