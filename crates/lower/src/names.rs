//! The names the user knows functions and globals by: demangled C++ and Rust.

use std::fmt::{self, Write};

use base::limits;
use cpp_demangle::{DemangleOptions, ParseOptions};

/// The name the user knows `name` by; none if that is `name` itself.
pub(crate) fn demangle(name: &str) -> Option<String> {
    if is_rust(name) {
        let demangled = rustc_demangle::try_demangle(name).ok()?;
        let mut text = Bounded::default();
        // The alternate form leaves out the hash at the end.
        write!(text, "{demangled:#}").ok()?;
        return Some(text.0);
    }
    if !name.starts_with("_Z") && !name.starts_with("__Z") {
        return None;
    }
    let parse = ParseOptions::default().recursion_limit(limits::MANGLED_DEPTH);
    let symbol = cpp_demangle::Symbol::new_with_options(name, &parse).ok()?;
    let print = DemangleOptions::default().no_return_type().recursion_limit(limits::MANGLED_DEPTH);
    let mut text = Bounded::default();
    symbol.structured_demangle(&mut text, &print).ok()?;
    Some(text.0)
}

/// Rust's own scheme, or the older one: a C++ name that ends in `17h` and 16 hexadecimal digits.
fn is_rust(name: &str) -> bool {
    if name.starts_with("_R") {
        return true;
    }
    let hash = name.len().checked_sub(20).map_or(&[][..], |start| &name.as_bytes()[start..]);
    match hash {
        [b'1', b'7', b'h', digits @ .., b'E'] => {
            name.starts_with("_ZN") && digits.iter().all(u8::is_ascii_hexdigit)
        }
        _ => false,
    }
}

/// A string that refuses to grow beyond [`limits::MANGLED_BYTES`].
#[derive(Default)]
struct Bounded(String);

impl Write for Bounded {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.len() + text.len() > limits::MANGLED_BYTES {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::demangle;

    #[test]
    fn names_of_three_languages() {
        assert_eq!(demangle("main"), None);
        assert_eq!(demangle("_ZN3foo3barEi").as_deref(), Some("foo::bar(int)"));
        assert_eq!(demangle("_ZTV1A").as_deref(), Some("{vtable(A)}"));
        assert_eq!(demangle("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE").as_deref(), {
            Some("core::fmt::Write::write_fmt")
        });
    }

    #[test]
    fn hostile_names_are_refused() {
        let doubling: String = (0..60).map(|it| format!("S{it:X}_S{it:X}_")).collect();
        let name = format!("_Z1fIN1aE{doubling}E");
        assert!(demangle(&name).is_none_or(|it| it.len() <= base::limits::MANGLED_BYTES));
        assert_eq!(demangle("_R17h"), None);
        assert_eq!(demangle("ÿÿÿÿÿÿÿÿÿÿÿÿ"), None);
    }
}
