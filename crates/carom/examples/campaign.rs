//! Millions of random energetic impacts, every one audited.
//!
//! `cargo run --release -p carom --example campaign -- [--planar N] [--spatial N] [--seed S] [--threads T] [--ordinary 1]`
//!
//! Problems have 2 to 8 coordinates, one contact, mass matrices with condition numbers up to about 1e4, and all kinds of
//! special cases mixed in: starts at rest and almost at rest, no friction and very strong friction, e = 0, e = 1 and
//! tiny e. Problem i of a kind depends only on the seed and i, so that one can be repeated with `--only KIND:i`.
//!
//! Counted are errors; audit failures, that is figures above 1e-12; gains of kinetic energy above 1e-12 of that before.
//! Random Jacobian rows are sometimes almost dependent. Impulses are then huge and cancel in u⁺ = u⁻ + G p, so that
//! nothing can be computed to 1e-12; what round-off alone explains, 64 ε cond(G) for figures and 64 ε (|p|·|G||p|) for
//! energies, is counted apart. So is |p|·|J v⁻ − u⁻| in energies, where a velocity below 1e-11 of the largest was taken
//! for zero. Ends with status 1 if there is an error, failure or gain beyond that.
//!
//! With `--ordinary 1` the special cases and contacts with cond(G) ≥ 1000 are left out, and nothing is excused: every
//! figure and gain above 1e-12 counts.
#![allow(non_snake_case)]

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use carom::impact::Differential;
use carom::impact::{
    Audit, ImpactAnswer, ImpactContact, ImpactLaw, ImpactProblem, ImpactWorkspace, Planar,
    Reduction, Restitution, audit,
};
use nalgebra::{DMatrix, DVector};

const TOLERANCE: f64 = 1e-12;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    Planar,
    Spatial,
}

struct Options {
    planar: u64,
    spatial: u64,
    seed: u64,
    threads: u64,
    ordinary: bool,
    only: Option<(Kind, u64)>,
}

struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        carom_testing::splitmix64(&mut self.0)
    }

    fn uniform(&mut self, a: f64, b: f64) -> f64 {
        a + (b - a) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn log(&mut self, a: f64, b: f64) -> f64 {
        self.uniform(a.ln(), b.ln()).exp()
    }

    fn below(&mut self, n: u64) -> u64 {
        self.bits() % n
    }
}

/// Makes problem `index` of a kind, in place where the size allows.
fn make(kind: Kind, seed: u64, index: u64, ordinary: bool, p: &mut ImpactProblem) {
    let mut rng = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ index.wrapping_mul(2));
    rng.0 = rng.bits() ^ u64::from(kind == Kind::Spatial);
    let tangents = if kind == Kind::Planar { 1 } else { 2 };
    let n = tangents + 1 + rng.below(6) as usize;
    if p.velocity.len() != n || p.contacts[0].tangents.nrows() != tangents {
        *p = blank(n, tangents);
    }
    let spread = if rng.below(2) == 0 { 1.0 } else { rng.log(1.0, 10.0) };
    let A = DMatrix::from_fn(n, n, |_, _| rng.uniform(-1.0, 1.0));
    let D = DVector::from_fn(n, |_, _| rng.log(1.0 / spread, spread));
    for i in 0..n {
        for j in 0..=i {
            let m: f64 = (0..n).map(|k| A[(i, k)] * A[(j, k)]).sum();
            let m = D[i] * D[j] * (m / n as f64 + if i == j { 0.1 } else { 0.0 });
            (p.mass_matrix[(i, j)], p.mass_matrix[(j, i)]) = (m, m);
        }
    }
    p.velocity.apply(|v| *v = rng.uniform(-1.0, 1.0));
    let c = &mut p.contacts[0];
    c.tangents.apply(|x| *x = rng.uniform(-1.0, 1.0));
    c.normal.apply(|x| *x = rng.uniform(-1.0, 1.0));
    if c.normal.dot(&p.velocity) > 0.0 {
        c.normal.neg_mut();
    }
    if ordinary {
        let c = &mut p.contacts[0];
        c.friction = rng.uniform(0.0, 1.5);
        c.static_friction = c.friction;
        c.restitution = rng.uniform(0.0, 1.0);
    } else {
        special(&mut rng, p);
    }
}

/// Friction and restitution, and starts at rest or grazing.
fn special(rng: &mut Random, p: &mut ImpactProblem) {
    let c = &mut p.contacts[0];
    c.friction = match rng.below(10) {
        0 => 0.0,
        1 => rng.log(1.0, 50.0),
        _ => rng.uniform(0.0, 1.5),
    };
    c.static_friction = c.friction * if rng.below(2) == 0 { 1.0 } else { rng.uniform(1.0, 2.0) };
    c.restitution = match rng.below(10) {
        0 => 0.0,
        1 => 1.0,
        2 => rng.log(1e-8, 1.0),
        _ => rng.uniform(0.0, 1.0),
    };
    // Removes the slip, wholly or almost, by a change of v along the rows of the tangents.
    let keep = match rng.below(8) {
        0 => 0.0,
        1 => rng.log(1e-9, 1.0),
        _ => return,
    };
    let gram = &c.tangents * c.tangents.transpose();
    let slip = &c.tangents * &p.velocity * (1.0 - keep);
    if let Some(x) = gram.cholesky().map(|l| l.solve(&slip)) {
        p.velocity -= c.tangents.transpose() * x;
    }
    if c.normal.dot(&p.velocity) > 0.0 {
        c.normal.neg_mut();
    }
}

fn blank(n: usize, tangents: usize) -> ImpactProblem {
    ImpactProblem {
        mass_matrix: DMatrix::identity(n, n),
        velocity: DVector::zeros(n),
        contacts: vec![ImpactContact {
            name: "A".to_owned(),
            tangents: DMatrix::zeros(tangents, n),
            normal: DVector::zeros(n),
            friction: 0.0,
            static_friction: 0.0,
            restitution: 0.0,
            touching: true,
        }],
        bilateral: DMatrix::zeros(0, n),
    }
}

#[derive(Default)]
struct Tally {
    impacts: u64,
    skipped: u64,
    errors: u64,
    failures: u64,
    gains: u64,
    /// Figures and energies above 1e-12 that are explained.
    explained_counts: [u64; 2],
    /// Worst figures of the impacts with cond(G) < 1000.
    worst: Audit,
    worst_gain: f64,
    examples: Vec<(u64, String)>,
}

impl Tally {
    fn bad(&self) -> u64 {
        self.errors + self.failures + self.gains
    }

    fn merge(&mut self, o: Tally) {
        self.impacts += o.impacts;
        self.skipped += o.skipped;
        self.errors += o.errors;
        self.failures += o.failures;
        self.gains += o.gains;
        self.explained_counts = [0, 1].map(|i| self.explained_counts[i] + o.explained_counts[i]);
        self.worst = worst(&self.worst, &o.worst);
        self.worst_gain = self.worst_gain.max(o.worst_gain);
        self.examples.extend(o.examples);
    }

    fn note(&mut self, index: u64, what: impl FnOnce() -> String) {
        if self.examples.len() < 5 {
            self.examples.push((index, what()));
        }
    }
}

fn worst(a: &Audit, b: &Audit) -> Audit {
    Audit {
        momentum: a.momentum.max(b.momentum),
        unilaterality: a.unilaterality.max(b.unilaterality),
        penetration: a.penetration.max(b.penetration),
        cone: a.cone.max(b.cone),
        balance: a.balance.max(b.balance),
        gain: a.gain.max(b.gain),
    }
}

/// Everything one thread needs.
struct Bench {
    ordinary: bool,
    problem: ImpactProblem,
    reduction: Reduction,
    work: ImpactWorkspace,
    answer: ImpactAnswer,
    tally: Tally,
}

impl Bench {
    fn new(ordinary: bool) -> Self {
        Self {
            ordinary,
            problem: blank(2, 1),
            reduction: Reduction::default(),
            work: ImpactWorkspace::new(),
            answer: ImpactAnswer::default(),
            tally: Tally::default(),
        }
    }

    fn one(&mut self, kind: Kind, seed: u64, index: u64) {
        make(kind, seed, index, self.ordinary, &mut self.problem);
        if let Err(e) = self.reduction.reduce(&self.problem) {
            self.tally.errors += 1;
            return self.tally.note(index, || e.to_string());
        }
        let space = &self.reduction.space;
        if space.single_colliding().is_err() {
            // The approach is below the zero of velocities.
            self.tally.skipped += 1;
            return;
        }
        if self.ordinary && condition(&space.G) >= 1e3 {
            self.tally.skipped += 1;
            return;
        }
        let restitution = Restitution::Energetic;
        let out = &mut self.answer.solution;
        let result = match kind {
            Kind::Planar => Planar { restitution }.resolve(space, &mut self.work, out),
            Kind::Spatial => Differential { restitution }.resolve(space, &mut self.work, out),
        };
        self.tally.impacts += 1;
        if let Err(e) = result {
            self.tally.errors += 1;
            return self.tally.note(index, || e.to_string());
        }
        self.reduction.lift(&self.problem, &mut self.answer);
        self.check(index);
    }

    fn check(&mut self, index: u64) {
        let (a, t, space) = (&self.answer, &mut self.tally, &self.reduction.space);
        let figures = audit(space, &a.solution);
        let gain = (a.energy_after - a.energy_before) / a.energy_before;
        let (figure, holds) = (figures.worst().1, figures.worst().1 <= TOLERANCE);
        let gains = gain.is_nan() || gain > TOLERANCE;
        let condition = condition(&space.G);
        if condition < 1e3 {
            t.worst = worst(&t.worst, &figures);
            t.worst_gain = t.worst_gain.max(gain);
        }
        if !holds {
            let explained = !self.ordinary && figure <= 64.0 * f64::EPSILON * condition;
            let count = if explained { &mut t.explained_counts[0] } else { &mut t.failures };
            *count += 1;
            if !explained {
                t.note(index, || format!("condition {condition:.1e} {figures:?}"));
            }
        }
        if gains {
            let p = &a.solution.impulses;
            let size = p.abs().dot(&(space.G.abs() * p.abs())) / a.energy_before;
            let rounded = rounded(&self.problem.contacts[0], &self.problem.velocity, &space.u_pre);
            let explained = !self.ordinary
                && gain <= 64.0 * f64::EPSILON * size + p.abs().dot(&rounded) / a.energy_before;
            let count = if explained { &mut t.explained_counts[1] } else { &mut t.gains };
            *count += 1;
            if !explained {
                t.note(index, || format!("gain {gain:e} condition {condition:.1e} {figures:?}"));
            }
        }
    }
}

/// |J v⁻ − u⁻|: what was taken for zero.
fn rounded(c: &ImpactContact, v: &DVector<f64>, u_pre: &DVector<f64>) -> DVector<f64> {
    let mut u = DVector::zeros(u_pre.len());
    let tangents = c.tangents.nrows();
    u.rows_mut(0, tangents).copy_from(&(&c.tangents * v));
    u[tangents] = c.normal.dot(v);
    (u - u_pre).abs()
}

/// Condition number of G.
fn condition(G: &DMatrix<f64>) -> f64 {
    let values = match G.nrows() {
        2 => G.fixed_view::<2, 2>(0, 0).symmetric_eigenvalues().iter().copied().collect::<Vec<_>>(),
        3 => G.fixed_view::<3, 3>(0, 0).symmetric_eigenvalues().iter().copied().collect(),
        _ => G.symmetric_eigenvalues().iter().copied().collect(),
    };
    let largest = values.iter().fold(0.0_f64, |a, x| a.max(*x));
    let least = values.iter().fold(f64::INFINITY, |a, x| a.min(*x));
    largest / least.max(f64::EPSILON * largest)
}

/// Runs `count` problems on all threads, with a line of progress on a terminal.
fn run(kind: Kind, count: u64, o: &Options) -> Tally {
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    const BLOCK: u64 = 5000;
    let start = Instant::now();
    let mut total = Tally::default();
    std::thread::scope(|scope| {
        let work = || {
            let mut bench = Bench::new(o.ordinary);
            loop {
                let first = next.fetch_add(BLOCK, Ordering::Relaxed);
                if first >= count {
                    return bench.tally;
                }
                let last = (first + BLOCK).min(count);
                (first..last).for_each(|i| bench.one(kind, o.seed, i));
                done.fetch_add(last - first, Ordering::Relaxed);
            }
        };
        let threads: Vec<_> = (0..o.threads).map(|_| scope.spawn(work)).collect();
        let terminal = std::io::stderr().is_terminal();
        while threads.iter().any(|t| !t.is_finished()) {
            std::thread::sleep(Duration::from_millis(200));
            if terminal {
                let n = done.load(Ordering::Relaxed);
                let rate = n as f64 / start.elapsed().as_secs_f64();
                eprint!("\r{kind:?}: {n} of {count}, {rate:.0} per second ");
                std::io::stderr().flush().ok();
            }
        }
        if terminal {
            eprintln!();
        }
        for t in threads {
            match t.join() {
                Ok(tally) => total.merge(tally),
                Err(_) => total.errors += 1,
            }
        }
    });
    report(kind, &total, start.elapsed());
    total
}

fn report(kind: Kind, t: &Tally, time: Duration) {
    println!(
        "{kind:?}: {} impacts in {:.1} s: {} errors, {} audit failures, {} energy gains, {} left out",
        t.impacts,
        time.as_secs_f64(),
        t.errors,
        t.failures,
        t.gains,
        t.skipped
    );
    let [figures, energies] = t.explained_counts;
    println!(
        "  above 1e-12 but explained (G almost singular, velocities taken for zero): {figures} figures, {energies} energies"
    );
    println!("  cond(G) < 1000: worst figures {:?}", t.worst);
    println!("  cond(G) < 1000: largest relative gain of kinetic energy {:e}", t.worst_gain);
    for (index, what) in t.examples.iter().take(10) {
        println!("  {kind:?}:{index} {what}");
    }
}

fn options() -> Result<Options, String> {
    let mut o = Options {
        planar: 100_000,
        spatial: 100_000,
        seed: 1,
        threads: 2,
        ordinary: false,
        only: None,
    };
    let mut args = std::env::args().skip(1);
    while let Some(name) = args.next() {
        let value = args.next().ok_or(format!("{name} needs a value"))?;
        let number = || value.parse::<u64>().map_err(|e| format!("{name} {value}: {e}"));
        match name.as_str() {
            "--planar" => o.planar = number()?,
            "--spatial" => o.spatial = number()?,
            "--seed" => o.seed = number()?,
            "--threads" => o.threads = number()?.max(1),
            "--ordinary" => o.ordinary = number()? != 0,
            "--only" => o.only = Some(only(&value)?),
            _ => return Err(format!("unknown argument {name}")),
        }
    }
    Ok(o)
}

fn only(value: &str) -> Result<(Kind, u64), String> {
    let (kind, index) = value.split_once(':').ok_or("--only takes KIND:INDEX")?;
    let kind = match kind {
        "Planar" => Kind::Planar,
        "Spatial" => Kind::Spatial,
        _ => return Err(format!("unknown kind {kind}")),
    };
    Ok((kind, index.parse().map_err(|e| format!("{index}: {e}"))?))
}

fn main() -> ExitCode {
    let o = match options() {
        Ok(o) => o,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    if let Some((kind, index)) = o.only {
        let mut bench = Bench::new(o.ordinary);
        bench.one(kind, o.seed, index);
        println!("{:#?}\n{:#?}", bench.reduction.space, bench.answer);
        report(kind, &bench.tally, Duration::ZERO);
        return ExitCode::from(u8::from(bench.tally.bad() > 0));
    }
    let bad = run(Kind::Planar, o.planar, &o).bad() + run(Kind::Spatial, o.spatial, &o).bad();
    ExitCode::from(u8::from(bad > 0))
}
