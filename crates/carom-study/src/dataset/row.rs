//! What is known of a run.

/// One row of the dataset, without its parameters, which follow from its number.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its number, from 0.
    pub number: u64,
    /// Results, NaN where there is none.
    pub results: Vec<f64>,
    /// Why the run ended.
    pub stop: String,
    /// When, s; NaN if it did not begin.
    pub stop_time: f64,
    /// What went wrong, if anything did.
    pub message: Option<String>,
    /// Hash of its events and of its last state.
    pub hash: u64,
}

impl Row {
    /// As bytes for the journal.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(64 + 8 * self.results.len());
        bytes.extend(self.number.to_le_bytes());
        bytes.extend(self.stop_time.to_le_bytes());
        bytes.extend(self.hash.to_le_bytes());
        bytes.extend((self.results.len() as u32).to_le_bytes());
        for x in &self.results {
            bytes.extend(x.to_le_bytes());
        }
        let mut text = |text: Option<&str>| {
            let length = text.map_or(u32::MAX, |t| t.len() as u32);
            bytes.extend(length.to_le_bytes());
            bytes.extend(text.unwrap_or_default().as_bytes());
        };
        text(Some(&self.stop));
        text(self.message.as_deref());
        bytes
    }

    /// Back from bytes; none if they are not those of a row.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut cursor = Cursor(bytes);
        let number = u64::from_le_bytes(cursor.take()?);
        let stop_time = f64::from_le_bytes(cursor.take()?);
        let hash = u64::from_le_bytes(cursor.take()?);
        let count = u32::from_le_bytes(cursor.take()?) as usize;
        if cursor.0.len() < count.checked_mul(8)? {
            return None;
        }
        let results = (0..count).map(|_| Some(f64::from_le_bytes(cursor.take()?)));
        let results = results.collect::<Option<_>>()?;
        let stop = cursor.text()??;
        let message = cursor.text()?;
        cursor.0.is_empty().then_some(Self { number, results, stop, stop_time, message, hash })
    }
}

struct Cursor<'a>(&'a [u8]);

impl Cursor<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*head)
    }

    fn text(&mut self) -> Option<Option<String>> {
        let length = u32::from_le_bytes(self.take()?);
        if length == u32::MAX {
            return Some(None);
        }
        let (text, rest) = self.0.split_at_checked(length as usize)?;
        self.0 = rest;
        Some(Some(std::str::from_utf8(text).ok()?.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_read_back_or_not_at_all() {
        let row = Row {
            number: 7,
            results: vec![0.1, -0.0, f64::INFINITY],
            stop: "error".into(),
            stop_time: 2.5,
            message: Some("größer".into()),
            hash: 42,
        };
        let bytes = row.bytes();
        assert_eq!(Row::read(&bytes), Some(row));
        for cut in 0..bytes.len() {
            assert_eq!(Row::read(&bytes[..cut]), None);
        }
    }
}
