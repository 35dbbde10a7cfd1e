//! Random impacts for the compliant path, and for the net that it is under every other law.
//!
//! `cargo run --release -p carom --example compliant_campaign -- [--problems N] [--net N] [--seed S] [--threads T]`
//!
//! First table: problems of 1 to 12 contacts with 0, 1 or 2 tangents, friction up to 5, restitution 0 to 1, half of
//! them redundant; touching, resting and separating contacts mixed in. Counted are refusals, audit figures above 1e-9,
//! gains of energy, and paths that were closed without restitution. Second table: random landings of a box on 2 to 4
//! corners and random pairs of spatial contacts by the differential laws over the net, with the share that the net
//! decided. Problem i of a kind depends only on the seed and i; `--only KIND:i` prints one. Ends with status 1 if
//! anything was refused, failed its audit or gained energy.
#![allow(non_snake_case)]

mod net;
mod problems;
mod random;
mod table;
mod total;

use std::process::ExitCode;

/// What the user asked for.
pub struct Options {
    pub(crate) problems: u64,
    pub(crate) net: u64,
    pub(crate) seed: u64,
    pub(crate) threads: u64,
    pub(crate) only: Option<(String, u64)>,
}

fn options() -> Result<Options, String> {
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let mut o = Options { problems: 100_000, net: 20_000, seed: 1, threads, only: None };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
        let number = || value.parse().map_err(|_| format!("{word}: `{value}` is not a number"));
        match word.as_str() {
            "--problems" => o.problems = number()?,
            "--net" => o.net = number()?,
            "--seed" => o.seed = number()?,
            "--threads" => o.threads = number()?,
            "--only" => {
                let (kind, i) = value.split_once(':').ok_or("--only KIND:INDEX")?;
                let i = i.parse().map_err(|_| format!("`{i}` is not a number"))?;
                o.only = Some((kind.to_owned(), i));
            }
            _ => return Err(format!("unknown option {word}")),
        }
    }
    Ok(o)
}

fn main() -> ExitCode {
    let options = match options() {
        Ok(options) => options,
        Err(message) => {
            eprintln!("error: {message}");
            return ExitCode::from(2);
        }
    };
    let good = total::run(&options) & net::run(&options);
    ExitCode::from(u8::from(!good))
}
