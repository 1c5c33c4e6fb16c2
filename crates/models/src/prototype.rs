//! C prototypes, as far as models need them: the name, how many parameters, which of them are pointers.
//!
//! Not covered: parameters whose type is an unknown typedef of a pointer; they count as no pointers.

/// What a prototype says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Prototype {
    /// The function's name.
    pub(crate) name: String,
    /// For each parameter, whether it is a pointer.
    pub(crate) pointers: Vec<bool>,
    /// Whether `...` follows.
    pub(crate) variadic: bool,
    /// Whether nothing is returned.
    pub(crate) is_void: bool,
}

/// Types of the C library that are arrays or pointers behind a name.
const POINTER_TYPES: &[&str] = &["va_list", "jmp_buf", "sigjmp_buf", "sighandler_t", "__compar_fn_t"];

impl Prototype {
    /// Reads a declaration such as `void *malloc(size_t size);`; `None` if it is none.
    pub(crate) fn parse(text: &str) -> Option<Prototype> {
        let text = text.trim().strip_suffix(';')?;
        // A function that returns a pointer to a function is written with a typedef.
        let open = text.find('(')?;
        let params = text[open + 1..].strip_suffix(')')?;
        let head = text[..open].trim_end();
        let start = head.rfind(|c: char| !is_word(c)).map_or(0, |before| before + 1);
        let (result, name) = (head[..start].trim(), &head[start..]);
        if name.is_empty() || result.is_empty() || !balanced(params) {
            return None;
        }
        let mut list = split_params(params);
        let variadic = list.last() == Some(&"...");
        if variadic {
            list.pop();
        }
        if list == ["void"] {
            list.clear();
        }
        if list.iter().any(|param| param.is_empty()) {
            return None;
        }
        let pointers = list.iter().map(|param| is_pointer(param)).collect();
        Some(Prototype { name: name.to_owned(), pointers, variadic, is_void: result == "void" })
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn is_pointer(param: &str) -> bool {
    param.contains(['*', '[']) || param.split(|c| !is_word(c)).any(|word| POINTER_TYPES.contains(&word))
}

fn balanced(text: &str) -> bool {
    let mut depth = 0i32;
    for c in text.chars() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

/// Splits at the commas that are not inside of parentheses, as in `int (*compare)(const void *, const void *)`.
fn split_params(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let parts = text.split(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    });
    parts.map(str::trim).collect()
}

#[cfg(test)]
mod tests {
    use super::Prototype;

    fn check(text: &str, expected: &str) {
        let shown = Prototype::parse(text).map_or("none".to_owned(), |it| {
            let params: String = it.pointers.iter().map(|&pointer| if pointer { '*' } else { '.' }).collect();
            format!(
                "{} [{params}]{}{}",
                it.name,
                if it.variadic { "..." } else { "" },
                if it.is_void { " void" } else { "" }
            )
        });
        assert_eq!(shown, expected, "{text}");
    }

    #[test]
    fn prototypes_tell_name_and_parameters() {
        check("void *malloc(size_t size);", "malloc [.]");
        check("void free(void *ptr);", "free [*] void");
        check("int rand(void);", "rand []");
        check("int printf(const char *format, ...);", "printf [*]...");
        check("int vprintf(const char *format, va_list args);", "vprintf [**]");
        check("int pipe(int fds[2]);", "pipe [*]");
        check(
            "void qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *));",
            "qsort [*..*] void",
        );
    }

    #[test]
    fn what_is_no_prototype_is_refused() {
        for text in [
            "",
            "malloc",
            "malloc(size_t);",
            "void *malloc(size_t)",
            "void f(int));",
            "void f(int, );",
            "int (*f)(int);",
        ] {
            check(text, "none");
        }
    }
}
