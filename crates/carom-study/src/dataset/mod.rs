//! The dataset: one folder, one row per run.
//!
//! ```text
//! study.json                        what is asked for: the manifest
//! source/                           the scene and what it includes
//! parts/part-000000000000.parquet   rows 0 … P − 1;  the name tells the first row
//! parts/part-000000004096.parquet   rows P … 2P − 1
//! journal.bin                       rows that are done and in no part yet; gone when all are in parts
//! runs/row-000000000012.run         whole runs of rows that a condition chose
//! ```
//! | file | noun |
//! |---|---|
//! | `row` | what is known of a run |
//! | `manifest` | what is asked for, and whether a folder is about the same |
//! | `part` | a Parquet file of consecutive rows |
//! | `journal` | rows one after the other, as they are done |
//! | `store` | the folder: opened, resumed, filled |
//! | `merge` | shards to one dataset |
//! | `reader` | columns back, part by part |
//!
//! A part has its rows in order and nothing that depends on the clock, so it has the same bytes whoever computed it,
//! in whatever order. A row is safe in the journal as soon as it is done; a part takes its name when it is whole.
//! Rows are computed at most one part ahead of the first that is not whole, so memory does not grow with the study.

mod journal;
mod manifest;
mod merge;
mod part;
mod reader;
mod row;
mod store;

pub use manifest::{Manifest, RowsFile, Shard, Text};
pub use merge::{Merged, merge};
pub use reader::{Column, Reader};
pub use row::Row;
pub use store::{Claim, PICTURES, RUNS, SOURCE, Store};
