//! The last entry of `summary.json`: the hash of everything before it.
//!
//! ```text
//! {                      ┐
//!   "format": …          │ hashed, byte by byte
//!   …                    ┘
//!   "check": "0123456789abcdef"
//! }
//! ```
//! It covers the bytes of the text, not its meaning, so it holds for readers of any version.
//!
//! # Tests
//! `every_flipped_bit_is_found` below.

use super::digest::Digest;

/// What comes between the text and its hash.
const ENTRY: &str = ",\n  \"check\": \"";
const END: &str = "\"\n}\n";

/// A JSON object, pretty printed, with its hash as the last entry.
pub(crate) fn seal(text: &str) -> String {
    let body = text.trim_end().strip_suffix('}').unwrap_or(text).trim_end();
    format!("{body}{ENTRY}{}{END}", hash(body))
}

/// Whether a text is as it was sealed; none if it has no seal.
pub(crate) fn is_whole(text: &str) -> Option<bool> {
    let place = text.rfind(ENTRY)?;
    let (body, rest) = text.split_at(place);
    Some(rest == format!("{ENTRY}{}{END}", hash(body)))
}

fn hash(body: &str) -> String {
    let mut digest = Digest::default();
    digest.bytes(body.as_bytes());
    digest.hex()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flipped_bit_is_found() {
        let text = seal("{\n  \"a\": 1,\n  \"b\": \"x\"\n}\n");
        assert_eq!(is_whole(&text), Some(true));
        assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{text}");
        for place in 0..8 * text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[place / 8] ^= 1 << (place % 8);
            let Ok(changed) = String::from_utf8(bytes) else { continue };
            assert_ne!(is_whole(&changed), Some(true), "bit {place}");
        }
    }
}
