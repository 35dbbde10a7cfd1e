//! Reading JSON straight into numbers.
//!
//! A pull reader over one text: the caller says what it expects next, nothing is stored in between. Strict JSON
//! (RFC 8259); numbers are rounded correctly.

use std::borrow::Cow;

use super::fault::Fault;

/// Nesting beyond this is refused.
const DEEPEST: usize = 64;

/// A position in a JSON text.
pub struct Json<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl<'a> Json<'a> {
    /// At the start of a text.
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0, depth: 0 }
    }

    /// The next byte that is not blank, without taking it; 0 at the end.
    fn peek(&mut self) -> u8 {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.at) {
            if !matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
                return *byte;
            }
            self.at += 1;
        }
        0
    }

    /// Takes a byte if it is next.
    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == byte && self.at < self.text.len();
        self.at += usize::from(found);
        found
    }

    /// A fault at this place.
    pub fn expected(&mut self, expected: &'static str) -> Fault {
        self.peek();
        Fault::syntax(self.text, self.at, expected)
    }

    /// The text must end here.
    pub fn end(&mut self) -> Result<(), Fault> {
        match self.peek() {
            0 if self.at >= self.text.len() => Ok(()),
            _ => Err(self.expected("the end of the text")),
        }
    }

    /// Reads an object; `member` is called with each name and must read the value.
    pub fn object(
        &mut self,
        mut member: impl FnMut(&mut Self, &str) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.open(b'{', "an object")?;
        if self.take(b'}') {
            self.depth -= 1;
            return Ok(());
        }
        loop {
            let name = self.string()?;
            if !self.take(b':') {
                return Err(self.expected("`:`"));
            }
            member(self, &name).map_err(|fault| fault.within(&name))?;
            if self.take(b'}') {
                self.depth -= 1;
                return Ok(());
            }
            if !self.take(b',') {
                return Err(self.expected("`,` or `}`"));
            }
        }
    }

    /// Reads an array; `item` is called with each index and must read the value. Returns the length.
    pub fn array(
        &mut self,
        mut item: impl FnMut(&mut Self, usize) -> Result<(), Fault>,
    ) -> Result<usize, Fault> {
        self.open(b'[', "an array")?;
        if self.take(b']') {
            self.depth -= 1;
            return Ok(0);
        }
        let mut index = 0;
        loop {
            item(self, index).map_err(|fault| fault.at_index(index))?;
            index += 1;
            if self.take(b']') {
                self.depth -= 1;
                return Ok(index);
            }
            if !self.take(b',') {
                return Err(self.expected("`,` or `]`"));
            }
        }
    }

    fn open(&mut self, byte: u8, expected: &'static str) -> Result<(), Fault> {
        if !self.take(byte) {
            return Err(self.expected(expected));
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.expected("at most 64 levels"));
        }
        Ok(())
    }

    /// Reads a finite number.
    pub fn number(&mut self) -> Result<f64, Fault> {
        self.peek();
        let text = &self.text.as_bytes()[self.at..];
        match fast_float2::parse_partial::<f64, _>(text) {
            Ok((x, length)) if is_number(&text[..length]) => {
                if !x.is_finite() {
                    return Err(self.expected("a number below 1.8e308"));
                }
                self.at += length;
                Ok(x)
            }
            _ => Err(self.expected("a number")),
        }
    }

    /// Whether a number, rather than anything else, comes next.
    pub fn number_is_next(&mut self) -> bool {
        matches!(self.peek(), b'-' | b'0'..=b'9')
    }

    /// Reads numbers in an array, appending them; returns how many.
    pub fn numbers(&mut self, into: &mut Vec<f64>) -> Result<usize, Fault> {
        self.array(|json, _| {
            into.push(json.number()?);
            Ok(())
        })
    }

    /// Reads a truth value.
    pub fn boolean(&mut self) -> Result<bool, Fault> {
        if self.word("true") {
            Ok(true)
        } else if self.word("false") {
            Ok(false)
        } else {
            Err(self.expected("true or false"))
        }
    }

    fn word(&mut self, word: &str) -> bool {
        self.peek();
        let found = self.text[self.at..].starts_with(word);
        self.at += if found { word.len() } else { 0 };
        found
    }

    /// Reads a string; borrowed unless it has escapes.
    pub fn string(&mut self) -> Result<Cow<'a, str>, Fault> {
        if self.peek() != b'"' {
            return Err(self.expected("a string"));
        }
        let start = self.at + 1;
        let rest = &self.text.as_bytes()[start..];
        let special = |b: &u8| *b == b'"' || *b == b'\\' || *b < b' ';
        let at = start + rest.iter().position(special).unwrap_or(rest.len());
        match self.text.as_bytes().get(at) {
            Some(b'"') => {
                self.at = at + 1;
                Ok(Cow::Borrowed(&self.text[start..at]))
            }
            Some(b'\\') => self.escaped(start, at),
            _ => {
                self.at = at;
                Err(self.expected("the end of the string"))
            }
        }
    }

    /// The rest of a string from its first escape on.
    fn escaped(&mut self, start: usize, first: usize) -> Result<Cow<'a, str>, Fault> {
        let mut text = self.text[start..first].to_owned();
        self.at = first;
        loop {
            let rest = &self.text[self.at..];
            let mut chars = rest.chars();
            match chars.next() {
                Some('"') => {
                    self.at += 1;
                    return Ok(Cow::Owned(text));
                }
                Some('\\') => {
                    self.at += 1;
                    text.push(self.escape()?);
                }
                Some(c) if c >= ' ' => {
                    text.push(c);
                    self.at += c.len_utf8();
                }
                _ => return Err(self.expected("the end of the string")),
            }
        }
    }

    /// The character after a backslash.
    fn escape(&mut self) -> Result<char, Fault> {
        let byte = self.text.as_bytes().get(self.at).copied().unwrap_or(0);
        let plain = match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode(),
            _ => return Err(self.expected("an escape")),
        };
        self.at += 1;
        Ok(plain)
    }

    /// \uXXXX, or two of them for characters beyond the basic plane.
    fn unicode(&mut self) -> Result<char, Fault> {
        let high = self.hex()?;
        if !(0xD800..0xE000).contains(&high) {
            return char::from_u32(high).ok_or_else(|| self.expected("a character"));
        }
        if !self.text[self.at..].starts_with('\\') {
            return Err(self.expected("the second half of a character"));
        }
        self.at += 1;
        let low = self.hex()?;
        let pair = (0xD800..0xDC00).contains(&high) && (0xDC00..0xE000).contains(&low);
        let code = 0x10000 + ((high & 0x3FF) << 10) + (low & 0x3FF);
        match char::from_u32(code) {
            Some(c) if pair => Ok(c),
            _ => Err(self.expected("the second half of a character")),
        }
    }

    /// uXXXX.
    fn hex(&mut self) -> Result<u32, Fault> {
        let digits = self.text.as_bytes().get(self.at..self.at + 5);
        let value = digits.filter(|d| d[0] == b'u' && d[1..].iter().all(u8::is_ascii_hexdigit));
        let Some(digits) = value else {
            return Err(self.expected("four hexadecimal digits"));
        };
        let code = digits[1..]
            .iter()
            .fold(0, |code, d| code * 16 + char::from(*d).to_digit(16).unwrap_or(0));
        self.at += 5;
        Ok(code)
    }

    /// Passes over any value and returns its text.
    pub fn skip(&mut self) -> Result<&'a str, Fault> {
        let first = self.peek();
        let start = self.at;
        match first {
            b'{' => self.object(|json, _| json.skip().map(|_| ()))?,
            b'[' => self.array(|json, _| json.skip().map(|_| ())).map(|_| ())?,
            b'"' => self.string().map(|_| ())?,
            b't' | b'f' => self.boolean().map(|_| ())?,
            b'n' if self.word("null") => {}
            _ => match number_end(self.text.as_bytes(), start) {
                Some(end) => self.at = end,
                None => return Err(self.expected("a value")),
            },
        }
        Ok(&self.text[start..self.at])
    }
}

/// Whether something that reads as a number is one in JSON, which has no `.5`, `1.`, `01`, `+1` or `inf`.
fn is_number(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let leading = match digits {
        [b'0', second, ..] => !second.is_ascii_digit(),
        [first, ..] => first.is_ascii_digit(),
        [] => false,
    };
    leading
        && text.last().is_some_and(u8::is_ascii_digit)
        // Only an exponent has letters; such numbers are rare and checked in full.
        && (text.iter().all(|b| *b <= b'9') || number_end(text, 0) == Some(text.len()))
}

/// Where the number that starts at `start` ends; `None` if it is none.
fn number_end(bytes: &[u8], start: usize) -> Option<usize> {
    let text = &bytes[start..];
    let digits = usize::from(text.first() == Some(&b'-'));
    let mut at = run(text, digits)?;
    if text[digits] == b'0' && at > digits + 1 {
        return None;
    }
    if text.get(at) == Some(&b'.') {
        at = run(text, at + 1)?;
    }
    if matches!(text.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
        at = run(text, at + 1 + sign)?;
    }
    Some(start + at)
}

/// End of a run of at least one digit.
fn run(text: &[u8], from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    let count = rest.iter().position(|b| !b.is_ascii_digit()).unwrap_or(rest.len());
    (count > 0).then_some(from + count)
}

/// Whether a text is exactly one JSON value.
pub fn is_one_value(text: &str) -> bool {
    let mut json = Json::new(text);
    json.skip().is_ok() && json.end().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str) -> bool {
        is_one_value(text)
    }

    #[test]
    fn grammar() {
        for good in [
            "0",
            "-0",
            "1.5e-3",
            "1E+9",
            "[]",
            "{}",
            " [1 , 2] ",
            "true",
            "null",
            "\"\\u00e9\\n\"",
            "{\"a\":{\"b\":[1,{}]}}",
            "\"\\ud83d\\ude00\"",
        ] {
            assert!(whole(good), "{good}");
        }
        for bad in [
            "",
            "01",
            "1.",
            ".5",
            "+1",
            "1e",
            "1e+",
            "[1,]",
            "{,}",
            "{\"a\"}",
            "[1 2]",
            "NaN",
            "nul",
            "\"a",
            "\"\\x\"",
            "\"\\ud83d\"",
            "{\"a\":1,}",
            "1 2",
            "-",
            "--1",
            "Infinity",
            "'a'",
            "\"\t\"",
        ] {
            assert!(!whole(bad), "{bad}");
        }
    }

    #[test]
    fn deep_nesting_is_refused_without_a_crash() {
        let deep = "[".repeat(100_000);
        assert!(!whole(&deep));
        let fine = format!("{}{}", "[".repeat(60), "]".repeat(60));
        assert!(whole(&fine));
    }

    #[test]
    fn numbers_are_exact() {
        for x in [0.1_f64, 1.0 / 3.0, 5e-324, 1.7976931348623157e308, -2.2250738585072014e-308] {
            let text = format!("{x:e}");
            assert_eq!(Json::new(&text).number().unwrap().to_bits(), x.to_bits());
        }
        for bad in
            ["1e999", "-", ".5", "1.", "01", "-01", "+1", "1.e5", "inf", "nan", "-inf", "", "x"]
        {
            assert!(Json::new(bad).number().is_err(), "{bad}");
        }
        let mut x = 3.0e-310_f64;
        while x < 1e307 {
            for text in [format!("{x:?}"), format!("{x:e}"), format!("-{x:?}")] {
                let read = Json::new(&text).number().unwrap();
                assert_eq!(read.to_bits(), text.parse::<f64>().unwrap().to_bits(), "{text}");
            }
            x *= 1.234567890123e1;
        }
    }

    #[test]
    fn strings() {
        let mut json = Json::new("\"a\\u00e9\\\"\\ud83d\\ude00b\"");
        assert_eq!(json.string().unwrap(), "aé\"😀b");
        assert!(matches!(Json::new("\"plain é\"").string().unwrap(), Cow::Borrowed("plain é")));
    }

    #[test]
    fn faults_say_where() {
        let mut json = Json::new("{\"a\": [1, NaN]}");
        let mut numbers = Vec::new();
        let fault = json.object(|json, _| json.numbers(&mut numbers).map(|_| ())).unwrap_err();
        assert_eq!(fault.to_string(), "a[1]: expected a number, found `NaN` at column 11");
    }
}
