//! The npz is a ZIP of npy arrays: read by a reader of its own, which shares nothing with the writer.

mod support;

use carom::hybrid::Output;
use carom_report::{Extras, SavedRun};
use carom_testing::Scratch;
use std::fs;
use support::{ball, write};

fn u16_at(bytes: &[u8], at: usize) -> usize {
    usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]))
}

fn u32_at(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

/// Bit by bit, as the polynomial division is defined.
fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = !0_u32;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    !crc
}

/// Names and contents by way of the central directory.
fn entries(zip: &[u8]) -> Vec<(String, Vec<u8>)> {
    let end = zip.len() - 22;
    assert_eq!(&zip[end..end + 4], b"PK\x05\x06");
    let mut at = u32_at(zip, end + 16);
    let mut all = Vec::new();
    for _ in 0..u16_at(zip, end + 10) {
        assert_eq!(&zip[at..at + 4], b"PK\x01\x02");
        let (size, name, extra) =
            (u32_at(zip, at + 24), u16_at(zip, at + 28), u16_at(zip, at + 30));
        let local = u32_at(zip, at + 42);
        let title = String::from_utf8(zip[at + 46..at + 46 + name].to_vec()).unwrap();
        assert_eq!(&zip[local..local + 4], b"PK\x03\x04");
        let data = local + 30 + u16_at(zip, local + 26) + u16_at(zip, local + 28);
        let content = zip[data..data + size].to_vec();
        assert_eq!(crc32(&content) as usize, u32_at(zip, at + 16), "{title}");
        assert_eq!(crc32(&content) as usize, u32_at(zip, local + 14), "{title}");
        all.push((title, content));
        at += 46 + name + extra;
    }
    assert_eq!(at, end);
    all
}

/// Header text and data.
fn npy(bytes: &[u8]) -> (String, &[u8]) {
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let size = u16_at(bytes, 8);
    (String::from_utf8(bytes[10..10 + size].to_vec()).unwrap(), &bytes[10 + size..])
}

#[test]
fn arrays_hold_the_columns() {
    let scratch = Scratch::new("npz");
    let dir = scratch.path("run");
    write(&dir, &ball(), Output::Steps, Extras { csv: false, npz: true });
    let run = SavedRun::load(&dir).unwrap();
    let zip = fs::read(dir.join("trajectory.npz")).unwrap();
    let entries = entries(&zip);
    let names: Vec<String> = run.names.iter().map(|n| format!("{n}.npy")).collect();
    assert_eq!(entries.iter().map(|e| e.0.clone()).collect::<Vec<_>>(), names);
    for (name, (_, content)) in run.names.iter().zip(&entries) {
        let (header, data) = npy(content);
        assert!(header.contains(&format!("'shape': ({},)", run.len())));
        match run.column(name) {
            Some(column) => {
                assert!(header.contains("'descr': '<f8'"));
                let values = data.chunks(8).map(|b| f64::from_le_bytes(b.try_into().unwrap()));
                assert!(values.eq(column.iter().copied()), "{name}");
            }
            None => {
                assert!(header.contains("'descr': '<U5'"));
                let words = data.chunks(20).map(|word| {
                    let letters =
                        word.chunks(4).map(|c| char::from_u32(u32_at(c, 0) as u32).unwrap());
                    letters.filter(|c| *c != '\0').collect::<String>()
                });
                assert!(words.eq(run.modes("ball-ground").unwrap()));
            }
        }
    }
}
