//! Types of parameters and results, read from the prototypes of models.

/// A prototype, taken apart.
pub(crate) struct Signature {
    /// The type of the result, such as `char *`.
    pub(crate) result: String,
    /// The types of the parameters, without their names.
    pub(crate) params: Vec<String>,
    /// The parameters as they are written.
    pub(crate) written: Vec<String>,
}

impl Signature {
    /// Reads a prototype that the loader accepted.
    pub(crate) fn parse(text: &str, name: &str) -> Signature {
        let (head, rest) = text.split_once('(').expect("a prototype has parameters");
        let result = head.strip_suffix(name).expect("the name stands before the parameters").trim();
        let inside = rest.trim_end_matches(';').strip_suffix(')').expect("the parameters end");
        let mut written = split(inside);
        written.retain(|it| !["void", "..."].contains(it));
        let params = written.iter().map(|it| type_of(it)).collect();
        Signature {
            result: result.to_owned(),
            params,
            written: written.into_iter().map(str::to_owned).collect(),
        }
    }

    /// The types of the parameters for which one argument each is passed: all but a `va_list`.
    pub(crate) fn fixed(&self) -> &[String] {
        &self.params[..self.params.len() - usize::from(self.takes_list())]
    }

    /// Whether the last parameter is a `va_list`, which stands for further arguments.
    pub(crate) fn takes_list(&self) -> bool {
        self.params.last().is_some_and(|it| it == "va_list")
    }
}

/// Whether values of the type are pointers.
pub(crate) fn is_pointer(ty: &str) -> bool {
    ty.contains(['*', '[']) || ty.ends_with("SOCKADDR_ARG")
}

/// Whether the function may not change what the pointer points to.
pub(crate) fn is_const(ty: &str) -> bool {
    ty.starts_with("const ") && ty.matches('*').count() == 1
}

/// Splits at the commas that are not inside of parentheses.
fn split(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let parts = text.split(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    });
    parts.map(str::trim).collect()
}

/// The type of a parameter: `const char *` of `const char *text`, `int (*)(void)` of `int (*function)(void)`.
fn type_of(param: &str) -> String {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if let Some((before, after)) = param.split_once("(*") {
        return format!("{before}(*{}", after.trim_start_matches(word));
    }
    let (plain, array) = match param.find('[') {
        Some(at) => (&param[..at], &param[at..]),
        None => (param, ""),
    };
    let bare = plain.trim_end_matches(word).trim_end();
    // A single word is a type without a name: `void`, `...`.
    let ty = if bare.is_empty() || bare == "const" { plain } else { bare };
    format!("{ty}{array}")
}
