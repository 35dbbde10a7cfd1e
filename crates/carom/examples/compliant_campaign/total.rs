//! First table: the law itself.

use std::time::Instant;

use carom::impact::{Compliant, ImpactLaw, ImpactSolution, ImpactWorkspace, audit};

use crate::Options;
use crate::problems::{Contacts, mechanism};
use crate::random::Random;
use crate::table::{over, worse};

/// Audit figure that counts as a failure.
const FAILS: f64 = 1e-9;

/// Gain, relative to Σ|p| max|u|, that is more than round-off.
const GAIN: f64 = 1e-12;

/// Figures of one kind.
#[derive(Default)]
struct Tally {
    work: ImpactWorkspace,
    out: ImpactSolution,
    problems: u64,
    refused: Vec<u64>,
    failed: Vec<u64>,
    gained: Vec<u64>,
    closed: Vec<u64>,
    worst: f64,
    gain: f64,
    seconds: f64,
    slowest: (f64, u64),
}

/// Kinds: name, contacts, redundant.
const KINDS: [(&str, Contacts, bool); 6] = [
    ("planar", Contacts::Planar, false),
    ("planar-redundant", Contacts::Planar, true),
    ("spatial", Contacts::Spatial, false),
    ("spatial-redundant", Contacts::Spatial, true),
    ("mixed", Contacts::Mixed, false),
    ("mixed-redundant", Contacts::Mixed, true),
];

/// Runs all kinds; false if something was refused, failed or gained.
pub fn run(options: &Options) -> bool {
    let heads = [
        "kind",
        "problems",
        "refused",
        "failed",
        "gained",
        "closed",
        "worst figure",
        "worst gain",
        "mean/µs",
        "slowest/ms",
    ];
    println!(
        "{:<18}{:>9}{:>9}{:>9}{:>9}{:>9}{:>14}{:>12}{:>10}{:>12}",
        heads[0],
        heads[1],
        heads[2],
        heads[3],
        heads[4],
        heads[5],
        heads[6],
        heads[7],
        heads[8],
        heads[9]
    );
    let mut good = true;
    for (kind, (name, contacts, redundant)) in KINDS.into_iter().enumerate() {
        let make = |i: u64| {
            let mut rng = Random::new(options.seed, kind as u64, i);
            mechanism(&mut rng, contacts, redundant, 12)
        };
        if let Some((only, i)) = &options.only {
            if only == name {
                let mut tally = Tally::default();
                tally.one(*i, &make(*i));
                println!("{:#?}\n{:?}", tally.out, audit(&make(*i), &tally.out));
            }
            continue;
        }
        let mut all = Tally::default();
        let count = options.problems / KINDS.len() as u64;
        over((count, options.threads), |i, t: &mut Tally| t.one(i, &make(i)), |t| all.add(t));
        all.print(name);
        good &= all.refused.is_empty() && all.failed.is_empty() && all.gained.is_empty();
    }
    good
}

impl Tally {
    fn one(&mut self, i: u64, space: &carom::impact::ContactSpace) {
        if space.colliding().next().is_none() {
            return;
        }
        let start = Instant::now();
        let result = Compliant::default().resolve(space, &mut self.work, &mut self.out);
        let seconds = start.elapsed().as_secs_f64();
        self.problems += 1;
        self.seconds += seconds;
        if seconds > self.slowest.0 {
            self.slowest = (seconds, i);
        }
        if result.is_err() {
            self.refused.push(i);
            return;
        }
        let a = audit(space, &self.out);
        self.worst = worse(self.worst, a.worst().1);
        self.gain = worse(self.gain, a.gain);
        if a.worst().1.is_nan() || a.worst().1 > FAILS {
            self.failed.push(i);
        }
        if a.gain > GAIN {
            self.gained.push(i);
        }
        if self.out.solved.by == "plastic close" {
            self.closed.push(i);
        }
    }

    fn add(&mut self, other: Self) {
        self.problems += other.problems;
        self.refused.extend(other.refused);
        self.failed.extend(other.failed);
        self.gained.extend(other.gained);
        self.closed.extend(other.closed);
        self.worst = worse(self.worst, other.worst);
        self.gain = worse(self.gain, other.gain);
        self.seconds += other.seconds;
        if other.slowest.0 > self.slowest.0 {
            self.slowest = other.slowest;
        }
    }

    fn print(&self, name: &str) {
        println!(
            "{name:<18}{:>9}{:>9}{:>9}{:>9}{:>9}{:>14.1e}{:>12.1e}{:>10.1}{:>12.1}",
            self.problems,
            self.refused.len(),
            self.failed.len(),
            self.gained.len(),
            self.closed.len(),
            self.worst,
            self.gain,
            1e6 * self.seconds / self.problems.max(1) as f64,
            1e3 * self.slowest.0,
        );
        for (what, list) in
            [("refused", &self.refused), ("failed", &self.failed), ("gained", &self.gained)]
        {
            for i in list.iter().take(5) {
                println!("    {what}: --only {name}:{i}");
            }
        }
        if std::env::var_os("LIST").is_some() {
            println!(
                "    closed {:?}, slowest {:?}",
                &self.closed[..self.closed.len().min(10)],
                self.slowest
            );
        }
    }
}
