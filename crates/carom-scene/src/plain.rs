//! Text from files, made harmless for a terminal.
//!
//! Names, titles and values come from anywhere. Written as they are, control characters could move
//! the cursor, rename the window or hide text, and bidirectional marks could show it in another order.
//! Each such character is shown by its number instead, `\u001b`, which is also how JSON spells it
//! within a string.
//!
//! # Tests
//! Below; `carom-cli/tests/outputs.rs`: `nothing_from_a_file_acts_on_the_terminal`, with the commands.

use std::borrow::Cow;

/// The text without characters that act instead of being shown; line breaks and tabs stay.
pub fn plain(text: &str) -> Cow<'_, str> {
    if !text.chars().any(acts) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if acts(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Whether a character acts: controls of both sets, bidirectional and line controls, tags.
fn acts(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{feff}' => true,
        '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}' => true,
        c => c.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acting_characters_are_shown_by_their_numbers() {
        assert_eq!(plain("a\u{1b}]0;x\u{7}b"), "a\\u001b]0;x\\u0007b");
        assert_eq!(plain("\u{9b}31m\u{202e}\r\u{7f}"), "\\u009b31m\\u202e\\u000d\\u007f");
        assert_eq!(plain("\u{e0041}"), "\\udb40\\udc41");
    }

    #[test]
    fn what_is_shown_stays() {
        for text in ["", "ball\n\tμ = 0.3, kg·m²", "Kugel – 球 – עברית", "👩\u{200d}🔬"]
        {
            assert!(matches!(plain(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn json_says_the_same_afterwards() {
        let value = "x\u{9b}\u{202e}\u{e0041}y";
        let text = serde_json::to_string(value).unwrap();
        let read: String = serde_json::from_str(&plain(&text)).unwrap();
        assert_eq!(read, value);
    }
}
