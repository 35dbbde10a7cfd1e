//! A ZIP archive of entries stored without compression, the container of npz.
//!
//! Own writer: of the format only three records are needed (local header, central header, end),
//! sizes are known beforehand and nothing is compressed; a crate would bring more code than this
//! file. Sizes or offsets beyond 32 bits take the ZIP64 fields.
//!
//! # Source
//! PKWARE APPNOTE 6.3.10, sections 4.3.7, 4.3.12, 4.3.14–4.3.16, 4.5.3. CRC-32 is that of
//! ISO 3309, reflected polynomial 0xedb88320.
//!
//! # Tests
//! `crc_of_the_standard`, `large_entries_take_zip64` below; `tests/npz.rs` reads an npz by its own reader.

use std::io::{Result, Seek, SeekFrom, Write};

/// Largest value of a 32-bit field; it means "see the ZIP64 field".
const FULL: u64 = 0xffff_ffff;
/// 1 January 1980: the same bytes for the same run.
const DATE: u16 = 0x0021;

/// The CRC-32 of bytes that come in pieces.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Crc32(u32);

impl Crc32 {
    /// Of nothing.
    pub fn new() -> Self {
        Self(!0)
    }

    /// Adds bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        const TABLE: [u32; 256] = table();
        for byte in bytes {
            self.0 = TABLE[usize::from(self.0 as u8 ^ byte)] ^ (self.0 >> 8);
        }
    }

    /// The sum.
    pub fn value(self) -> u32 {
        !self.0
    }
}

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut n = 0;
    while n < 256 {
        let mut c = n as u32;
        let mut bit = 0;
        while bit < 8 {
            c = if c & 1 == 1 { 0xedb8_8320 ^ (c >> 1) } else { c >> 1 };
            bit += 1;
        }
        table[n] = c;
        n += 1;
    }
    table
}

/// An entry that has been written.
struct Entry {
    name: String,
    size: u64,
    crc: u32,
    offset: u64,
}

/// An archive in the making.
pub(crate) struct Archive<W: Write + Seek> {
    out: W,
    offset: u64,
    entries: Vec<Entry>,
    crc: Crc32,
}

impl<W: Write + Seek> Archive<W> {
    /// An archive that starts at the present place of `out`.
    pub fn new(out: W) -> Self {
        Self { out, offset: 0, entries: Vec::new(), crc: Crc32::new() }
    }

    /// Begins an entry of `size` bytes, which [`Self::write`] must then deliver.
    pub fn begin(&mut self, name: &str, size: u64) -> Result<()> {
        let entry = Entry { name: name.into(), size, crc: 0, offset: self.offset };
        let header = local_header(&entry);
        self.out.write_all(&header)?;
        self.offset += header.len() as u64 + size;
        self.entries.push(entry);
        self.crc = Crc32::new();
        Ok(())
    }

    /// Bytes of the entry.
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.crc.update(bytes);
        self.out.write_all(bytes)
    }

    /// Ends the entry: its sum goes into its header.
    pub fn end(&mut self) -> Result<()> {
        let Some(entry) = self.entries.last_mut() else { return Ok(()) };
        entry.crc = self.crc.value();
        self.out.seek(SeekFrom::Start(entry.offset + 14))?;
        self.out.write_all(&entry.crc.to_le_bytes())?;
        self.out.seek(SeekFrom::Start(self.offset)).map(|_| ())
    }

    /// Writes the directory.
    pub fn finish(mut self) -> Result<()> {
        let start = self.offset;
        let mut directory = Vec::new();
        for entry in &self.entries {
            directory.extend(central_header(entry));
        }
        let (count, size) = (self.entries.len() as u64, directory.len() as u64);
        directory.extend(end_records(count, size, start));
        self.out.write_all(&directory)?;
        self.out.flush()
    }
}

fn version(large: bool) -> u16 {
    if large { 45 } else { 20 }
}

fn local_header(entry: &Entry) -> Vec<u8> {
    let large = entry.size >= FULL;
    let mut h = Vec::new();
    h.extend(b"PK\x03\x04");
    common_fields(entry, large, &mut h);
    h.extend((entry.name.len() as u16).to_le_bytes());
    h.extend((if large { 20_u16 } else { 0 }).to_le_bytes());
    h.extend(entry.name.as_bytes());
    if large {
        h.extend(1_u16.to_le_bytes());
        h.extend(16_u16.to_le_bytes());
        h.extend(entry.size.to_le_bytes());
        h.extend(entry.size.to_le_bytes());
    }
    h
}

/// Version needed, flags (names are UTF-8), method, time, date, sum, sizes.
fn common_fields(entry: &Entry, large: bool, h: &mut Vec<u8>) {
    h.extend(version(large).to_le_bytes());
    h.extend(0x0800_u16.to_le_bytes());
    h.extend(0_u16.to_le_bytes());
    h.extend(0_u16.to_le_bytes());
    h.extend(DATE.to_le_bytes());
    h.extend(entry.crc.to_le_bytes());
    let size = if large { FULL as u32 } else { entry.size as u32 };
    h.extend(size.to_le_bytes());
    h.extend(size.to_le_bytes());
}

fn central_header(entry: &Entry) -> Vec<u8> {
    let (large, far) = (entry.size >= FULL, entry.offset >= FULL);
    let mut extra = Vec::new();
    if large {
        extra.extend(entry.size.to_le_bytes());
        extra.extend(entry.size.to_le_bytes());
    }
    if far {
        extra.extend(entry.offset.to_le_bytes());
    }
    let mut h = Vec::new();
    h.extend(b"PK\x01\x02");
    h.extend(version(large || far).to_le_bytes());
    common_fields(entry, large, &mut h);
    h.extend((entry.name.len() as u16).to_le_bytes());
    let extra_size = if extra.is_empty() { 0 } else { extra.len() as u16 + 4 };
    h.extend(extra_size.to_le_bytes());
    // Comment length, disk, internal and external attributes.
    h.extend([0; 10]);
    h.extend((if far { FULL as u32 } else { entry.offset as u32 }).to_le_bytes());
    h.extend(entry.name.as_bytes());
    if !extra.is_empty() {
        h.extend(1_u16.to_le_bytes());
        h.extend((extra.len() as u16).to_le_bytes());
        h.extend(extra);
    }
    h
}

/// The end of the directory, with its ZIP64 forms where a number is too large.
fn end_records(count: u64, size: u64, start: u64) -> Vec<u8> {
    let large = count >= 0xffff || size >= FULL || start >= FULL;
    let mut r = Vec::new();
    if large {
        r.extend(b"PK\x06\x06");
        r.extend(44_u64.to_le_bytes());
        r.extend(45_u16.to_le_bytes());
        r.extend(45_u16.to_le_bytes());
        r.extend([0; 8]);
        for x in [count, count, size, start] {
            r.extend(x.to_le_bytes());
        }
        r.extend(b"PK\x06\x07");
        r.extend(0_u32.to_le_bytes());
        r.extend((start + size).to_le_bytes());
        r.extend(1_u32.to_le_bytes());
    }
    r.extend(b"PK\x05\x06");
    r.extend([0; 4]);
    let short = count.min(0xffff) as u16;
    r.extend(short.to_le_bytes());
    r.extend(short.to_le_bytes());
    r.extend((size.min(FULL) as u32).to_le_bytes());
    r.extend((start.min(FULL) as u32).to_le_bytes());
    r.extend(0_u16.to_le_bytes());
    r
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crc_of_the_standard() {
        let mut crc = Crc32::new();
        crc.update(b"1234");
        crc.update(b"56789");
        assert_eq!(crc.value(), 0xcbf4_3926);
    }

    #[test]
    fn large_entries_take_zip64() {
        let small = Entry { name: "a".into(), size: 5, crc: 1, offset: 7 };
        let large = Entry { name: "a".into(), size: 1 << 33, crc: 1, offset: 1 << 34 };
        assert_eq!(local_header(&small).len(), 31);
        assert_eq!(central_header(&small).len(), 47);
        let local = local_header(&large);
        assert_eq!(local.len(), 31 + 20);
        assert_eq!(local[18..26], [0xff; 8]);
        assert_eq!(local[35..43], (1_u64 << 33).to_le_bytes());
        let central = central_header(&large);
        assert_eq!(central.len(), 47 + 4 + 24);
        assert_eq!(central[67..], (1_u64 << 34).to_le_bytes());
        assert_eq!(end_records(3, 100, 200).len(), 22);
        assert_eq!(end_records(3, 100, 1 << 33).len(), 22 + 56 + 20);
    }
}
