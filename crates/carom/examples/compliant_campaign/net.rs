//! Second table: the differential laws over the net.

use std::collections::BTreeMap;
use std::time::Instant;

use carom::impact::net::fault;
use carom::impact::{
    ContactSpace, Differential, ImpactLaw, ImpactSolution, ImpactWorkspace, Promises, Rescue,
    Restitution, audit, resolve_or_comply,
};

use crate::Options;
use crate::problems::{landing, pair};
use crate::random::Random;
use crate::table::{over, worse};

/// Figures of one kind and law.
#[derive(Default)]
struct Tally {
    work: ImpactWorkspace,
    out: ImpactSolution,
    refused: Vec<u64>,
    failed: Vec<u64>,
    closed: u64,
    /// How often the net decided, by reason, and the first problem of each.
    decided: BTreeMap<&'static str, (u64, u64)>,
    worst: f64,
    seconds: f64,
    slowest: (f64, u64),
}

/// Runs all; false if something was refused or failed its audit.
pub fn run(options: &Options) -> bool {
    let (seed, n) = (options.seed, options.net);
    let kinds: [(&str, &(dyn Fn(u64) -> ContactSpace + Sync)); 3] = [
        ("landing-planar", &|i| landing(&mut Random::new(seed, 11, i), true)),
        ("landing", &|i| landing(&mut Random::new(seed, 12, i), false)),
        ("pair", &|i| pair(&mut Random::new(seed, 13, i))),
    ];
    if options.only.is_none() {
        println!(
            "\n{:<16}{:<12}{:>9}{:>9}{:>9}{:>9}{:>8}{:>14}{:>10}{:>12}",
            "kind",
            "law",
            "problems",
            "refused",
            "failed",
            "by net",
            "closed",
            "worst figure",
            "mean/µs",
            "slowest/ms"
        );
    }
    let mut good = true;
    for (name, make) in kinds {
        for restitution in Restitution::ALL {
            let law = Differential { restitution };
            if let Some((only, i)) = &options.only {
                if only == name {
                    let mut tally = Tally::default();
                    tally.one(*i, &make(*i), &law);
                    println!("{restitution} {:#?}\n{:?}", tally.out, audit(&make(*i), &tally.out));
                }
                continue;
            }
            let mut all = Tally::default();
            let work = |i: u64, t: &mut Tally| t.one(i, &make(i), &law);
            over((n, options.threads), work, |t| all.add(t));
            all.print(name, restitution.as_str(), n);
            good &= all.refused.is_empty() && all.failed.is_empty();
        }
    }
    good
}

impl Tally {
    fn one(&mut self, i: u64, space: &ContactSpace, law: &Differential) {
        let start = Instant::now();
        if space.colliding().next().is_none() {
            return;
        }
        let result = resolve_or_comply(law, space, &mut self.work, &mut self.out);
        let seconds = start.elapsed().as_secs_f64();
        self.seconds += seconds;
        if seconds > self.slowest.0 {
            self.slowest = (seconds, i);
        }
        if result.is_err() {
            self.refused.push(i);
            return;
        }
        let promises = match self.out.rescue {
            None => law.promises(),
            Some(_) => Promises::default().gains_never(true),
        };
        let mut a = audit(space, &self.out);
        if promises.audit.0.gain.is_infinite() {
            a.gain = 0.0;
        }
        self.worst = worse(self.worst, a.worst().1);
        if fault(&promises, space, &self.out).is_some() {
            self.failed.push(i);
        }
        if let Some(rescue) = self.out.rescue {
            let word = match rescue {
                Rescue::Audit { check, .. } => check,
                other => other.as_str(),
            };
            let (count, first) = self.decided.entry(word).or_insert((0, i));
            (*count, *first) = (*count + 1, (*first).min(i));
            self.closed += u64::from(self.out.solved.by == "plastic close");
        }
    }

    fn add(&mut self, other: Self) {
        self.refused.extend(other.refused);
        self.failed.extend(other.failed);
        self.closed += other.closed;
        for (word, (more, i)) in other.decided {
            let (count, first) = self.decided.entry(word).or_insert((0, i));
            (*count, *first) = (*count + more, (*first).min(i));
        }
        self.worst = worse(self.worst, other.worst);
        self.seconds += other.seconds;
        if other.slowest.0 > self.slowest.0 {
            self.slowest = other.slowest;
        }
    }

    fn print(&self, name: &str, law: &str, n: u64) {
        let decided: u64 = self.decided.values().map(|(count, _)| count).sum();
        println!(
            "{name:<16}{law:<12}{n:>9}{:>9}{:>9}{decided:>9}{:>8}{:>14.1e}{:>10.1}{:>12.1}   {}",
            self.refused.len(),
            self.failed.len(),
            self.closed,
            self.worst,
            1e6 * self.seconds / n.max(1) as f64,
            1e3 * self.slowest.0,
            self.decided
                .iter()
                .map(|(w, (c, i))| format!("{w} {c} (from :{i})"))
                .collect::<Vec<_>>()
                .join(", "),
        );
        for (what, list) in [("refused", &self.refused), ("failed", &self.failed)] {
            for i in list.iter().take(5) {
                println!("    {what}: --only {name}:{i}");
            }
        }
    }
}
