//! Columns of text.

use base::visible;

/// How the cells of a column stand below one another.
#[derive(Clone, Copy)]
pub(crate) enum Align {
    Left,
    Right,
}

/// Rows of equally many cells, with two spaces between columns and none at the end of a line.
pub(crate) fn columns(align: &[Align], rows: &[Vec<String>]) -> String {
    let clean = |row: &Vec<String>| row.iter().map(|cell| visible::line(cell)).collect();
    let rows: Vec<Vec<String>> = rows.iter().map(clean).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..align.len()).map(width).collect();
    let mut text = String::new();
    for row in &rows {
        let cells = row.iter().zip(&widths).zip(align).map(|((cell, &width), align)| match align {
            Align::Left => format!("{cell:<width$}"),
            Align::Right => format!("{cell:>width$}"),
        });
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stand_below_one_another() {
        let row = |cells: [&str; 3]| cells.map(String::from).to_vec();
        let rows = [row(["unit", "n", "what"]), row(["ä.c", "1234", ""])];
        let expected = "unit     n  what\nä.c   1234\n";
        assert_eq!(columns(&[Align::Left], &[vec!["\u{1b}\n".to_owned()]]), "\\x1b\\n\n");
        assert_eq!(columns(&[Align::Left, Align::Right, Align::Left], &rows), expected);
    }
}
