//! Words around numbers, and in lines for a terminal of 80 columns.

/// A number with its noun.
pub fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Widest line, in characters.
pub const WIDTH: usize = 80;

/// Words in lines, the first after `start` characters, the others after `indent`. A word that is longer than a line has
/// one of its own.
pub fn wrapped(words: &str, start: usize, indent: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = start;
    for word in words.split_whitespace() {
        let length = word.chars().count();
        let line = lines.last_mut().map_or(0, |line| line.len());
        if line > 0 && used + 1 + length > WIDTH {
            lines.push(String::new());
            used = indent;
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
                used += 1;
            }
            line.push_str(word);
            used += length;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_within_the_terminal() {
        let words = "word ".repeat(60);
        let lines = wrapped(&words, 30, 10);
        assert!(lines[0].chars().count() + 30 <= WIDTH);
        assert!(lines[1..].iter().all(|line| line.chars().count() + 10 <= WIDTH));
        assert_eq!(lines.join(" "), words.trim());
        assert_eq!(wrapped("", 0, 0), [""]);
    }
}
