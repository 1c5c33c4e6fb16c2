//! The report as JSON, schema 1 (the design, §12).

use base::visible;
use serde::Serialize;

use crate::report::Report;

/// Counts up when a field changes its meaning or goes away; a new field does not.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Document<'r> {
    schema: u32,
    tool: Tool,
    #[serde(flatten)]
    report: &'r Report,
}

#[derive(Serialize)]
struct Tool {
    name: &'static str,
    version: &'static str,
}

/// One object, with a line end. What a terminal could misrepresent is escaped, which does not change the value.
pub fn json(report: &Report) -> String {
    let tool = Tool { name: "indict", version: env!("CARGO_PKG_VERSION") };
    let text = serde_json::to_string_pretty(&Document { schema: SCHEMA, tool, report });
    escaped(&text.expect("invariant: a report has only fields that JSON can express")) + "\n"
}

/// With `\u202e` for what is not plain. Outside of strings there are only plain characters and line ends.
fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        match visible::is_plain(letter) || letter == '\n' {
            true => shown.push(letter),
            false => {
                let mut units = [0; 2];
                letter
                    .encode_utf16(&mut units)
                    .iter()
                    .for_each(|unit| shown.push_str(&format!("\\u{unit:04x}")));
            }
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_do_not_change_the_value() {
        let value = "\u{1b}[2J\u{7f}\u{9b}\u{202e}\u{e0041}größe\r\n\t\\\"";
        let text = escaped(&serde_json::to_string(value).expect("a string is JSON"));
        assert!(text.chars().all(visible::is_plain), "{text}");
        assert_eq!(serde_json::from_str::<String>(&text).expect("it is still JSON"), value);
    }
}
