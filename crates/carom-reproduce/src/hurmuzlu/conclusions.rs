//! Section 5: what the source concludes from all figures.
//!
//! Tests: `tests/hurmuzlu.rs`: `conclusions`.

use super::drawing::{Curves, LOSS, SLIP};
use super::interval::words;
use super::method::Method;
use super::posture::{INFERRED, POSTURE};
use super::sweep::{FRICTION, Point, Sweep};
use crate::claim::{Claim, Evidence};
use crate::data::Data;
use crate::error::Trouble;
use crate::experiment::{Context, Experiment, Source};
use crate::outcome::Outcome;
use crate::show::{fixed, percent, power};
use crate::table::Table;

/// The experiment.
pub const CONCLUSIONS: Experiment = Experiment {
    name: "hurmuzlu-conclusions",
    title: "Chain, the conclusions of the source",
    source: Source::Hurmuzlu,
    covers: &["figure 5", "figure 6"],
    run,
};

const PLACE: &str = "section 5";

fn run(context: &Context) -> Result<Outcome, Trouble> {
    let mut outcome = Outcome::new(
        "All five methods with friction 0.5 at both ends and e = 0.9, judged as the source does: by comparison with the \
         energetic definition.",
    );
    outcome.reading(POSTURE);
    let sweeps = Sweep::several(context, &Method::ALL, FRICTION, 0.9)?;
    let [kinematic, kinetic, energetic, whittaker, brach] = &sweeps[..] else { return Ok(outcome) };
    independence(&mut outcome, &sweeps, energetic);
    energetic_work(&mut outcome, energetic, kinetic);
    overestimates(&mut outcome, energetic, kinetic, brach);
    ranking(&mut outcome, &sweeps, energetic);
    gains(&mut outcome, kinematic, whittaker, brach);
    rebounds(&mut outcome, energetic, whittaker, brach);
    smoothness(context, &mut outcome)?;
    outcome.figure(
        "methods",
        "",
        Curves::by_method(&sweeps).figure(
            "Energy loss and slip of all five methods",
            &[LOSS, SLIP],
            "μ = 0.5 at both ends, e = 0.9.",
        ),
    );
    outcome.table(table(&sweeps, energetic));
    outcome.data(data(&sweeps));
    Ok(outcome)
}

fn independence(outcome: &mut Outcome, sweeps: &[Sweep], energetic: &Sweep) {
    let mut apart = [0.0_f64; 2];
    for sweep in sweeps {
        for (p, e) in sweep.points.iter().zip(&energetic.points) {
            let slot = usize::from(e.slip_changes);
            apart[slot] = apart[slot].max(p.apart(e));
        }
    }
    outcome.claim(Claim::test(
        PLACE,
        "The solution does not depend on the method where the slip at the colliding end keeps its direction.",
        apart[0] < 1e-13,
        format!(
            "largest difference of a velocity among all five: {} there, {} elsewhere",
            power(apart[0]),
            fixed(apart[1], 3)
        ),
    ));
}

/// Restitution work over compression work of the normal impulse, with its sign changed.
fn ratio(p: &Point) -> f64 {
    -p.normal_work[1] / p.normal_work[0]
}

fn energetic_work(outcome: &mut Outcome, energetic: &Sweep, kinetic: &Sweep) {
    let off = |s: &Sweep| s.largest(|p| (ratio(p) - 0.81).abs());
    outcome.claim(Claim::test(
        PLACE,
        "The energetic definition accounts properly for the losses in the normal direction.",
        off(energetic) < 1e-10,
        format!(
            "restitution returns e² = 0.81 of the compression work in every posture, within {}; the kinetic definition is \
             off by up to {}",
            power(off(energetic)),
            fixed(off(kinetic), 3)
        ),
    ));
}

fn overestimates(outcome: &mut Outcome, energetic: &Sweep, kinetic: &Sweep, brach: &Sweep) {
    for (sweep, statement) in [
        (kinetic, "The kinetic definition overestimates the energy loss."),
        (brach, "Brach's method overestimates the energy loss."),
    ] {
        let excess = |a: &Point, b: &Point| a.loss - b.loss;
        let pairs = || sweep.points.iter().zip(&energetic.points);
        let low = pairs().map(|(a, b)| excess(a, b)).fold(f64::INFINITY, f64::min);
        let high = pairs().map(|(a, b)| excess(a, b)).fold(f64::NEG_INFINITY, f64::max);
        let over = sweep.compared(energetic, |a, b| excess(a, b) > 1e-12);
        let under = sweep.compared(energetic, |a, b| excess(a, b) < -1e-12);
        outcome.claim(
            Claim::test(
                PLACE,
                statement,
                under.is_empty() && !over.is_empty(),
                format!(
                    "over, by up to {} of the energy before, for {}; under, by up to {}, for {}",
                    percent(high),
                    words(&over),
                    percent(-low),
                    words(&under)
                ),
            )
            .open(INFERRED),
        );
    }
}

/// Mean and largest deviation of the loss from the energetic one.
fn deviation(sweep: &Sweep, energetic: &Sweep) -> [f64; 2] {
    let all = sweep.points.iter().zip(&energetic.points).map(|(a, b)| (a.loss - b.loss).abs());
    let (sum, most) = all.fold((0.0, 0.0_f64), |(s, m), x| (s + x, m.max(x)));
    [sum / sweep.points.len() as f64, most]
}

fn ranking(outcome: &mut Outcome, sweeps: &[Sweep], energetic: &Sweep) {
    let others: Vec<_> = sweeps.iter().filter(|s| s.method != Method::Energetic).collect();
    let measure = |which: usize| move |s: &&&Sweep| (deviation(s, energetic)[which] * 1e15) as u64;
    let best = |which| others.iter().min_by_key(measure(which)).map(|s| s.method);
    let worst = |which| others.iter().max_by_key(measure(which)).map(|s| s.method);
    let words = |s: &&Sweep| {
        let [mean, most] = deviation(s, energetic);
        format!("{} {} and {}", s.method.name(), percent(mean), percent(most))
    };
    let found = others.iter().map(words).collect::<Vec<_>>().join("; ");
    let found = format!("deviation of the loss from the energetic one, mean and largest: {found}");
    let readings = |method: Method, of: &dyn Fn(usize) -> Option<Method>| {
        Evidence::Readings(vec![
            ("mean deviation".into(), of(0) == Some(method)),
            ("largest deviation".into(), of(1) == Some(method)),
        ])
    };
    outcome.claim(Claim::new(
        PLACE,
        "The kinetic definition is more consistent with the energetic one than the other three methods.",
        readings(Method::Kinetic, &best),
        found.clone(),
    ));
    let gain = |s: &Sweep| s.largest(|p| -p.loss);
    let most = others.iter().max_by(|a, b| gain(a).total_cmp(&gain(b))).map(|s| s.method);
    let Evidence::Readings(mut all) = readings(Method::Whittaker, &worst) else { return };
    all.push(("largest gain of energy".into(), most == Some(Method::Whittaker)));
    outcome.claim(Claim::new(
        PLACE,
        "Whittaker's method is energetically the least consistent of all.",
        Evidence::Readings(all),
        found,
    ));
}

fn gains(outcome: &mut Outcome, kinematic: &Sweep, whittaker: &Sweep, brach: &Sweep) {
    let gain = |s: &Sweep| s.largest(|p| -p.loss);
    outcome.claim(Claim::test(
        PLACE,
        "Brach's method removes the energy gains of Whittaker's.",
        gain(whittaker) > 1e-12 && gain(brach) < 1e-12,
        format!(
            "largest gain {} with Whittaker's, {} with Brach's",
            percent(gain(whittaker)),
            power(gain(brach).max(0.0))
        ),
    ));
    outcome.claim(Claim::test(
        PLACE,
        "The kinematic definition in the differential formulation can increase the energy.",
        gain(kinematic) > 1e-12,
        format!(
            "by up to {}, {}",
            percent(gain(kinematic)),
            words(&kinematic.wherever(|p| p.loss < -1e-12))
        ),
    ));
}

fn rebounds(outcome: &mut Outcome, energetic: &Sweep, whittaker: &Sweep, brach: &Sweep) {
    let both = |s: &Sweep| s.count(|p| p.rebounds_with_interaction());
    outcome.claim(Claim::test(
        PLACE,
        "The algebraic methods exclude a rebound at A0 with interaction.",
        both(whittaker) == 0 && both(brach) == 0,
        format!("Whittaker {}, Brach {} postures", both(whittaker), both(brach)),
    ));
    let odd = energetic.count(|p| p.rebounds_with_interaction() && !p.slip_changes);
    outcome.claim(Claim::test(
        PLACE,
        "The differential methods have it only where the slip at the impact point stops or reverses.",
        both(energetic) > 0 && odd == 0,
        format!("{} postures (energetic), {odd} of them without a change of slip", both(energetic)),
    ));
}

/// At a transition without interaction, impulse and velocity at A0 both go to zero.
fn smoothness(context: &Context, outcome: &mut Outcome) -> Result<(), Trouble> {
    let coarse = Sweep::new(context, Method::Whittaker, FRICTION, 0.9)?;
    let nearest = |s: &Sweep| {
        let pairs = s.points.windows(2).filter(|w| w[0].rebounds() != w[1].rebounds());
        let sides = pairs.map(|w| w.iter().map(|p| p.impulse.max(p.rebound)).fold(0.0, f64::max));
        sides.fold(0.0, f64::max)
    };
    let count = coarse.points.windows(2).filter(|w| w[0].rebounds() != w[1].rebounds()).count();
    // Impulse and velocity are Lipschitz in φ1 with a constant below 2 per rad, so a smooth meeting leaves at most this.
    let bound = 2.0 * coarse.step.to_radians();
    outcome.claim(Claim::test(
        PLACE,
        "Transitions between rebound and no rebound are smooth: impulse and velocity at A0 meet at zero.",
        count > 0 && nearest(&coarse) < bound,
        format!(
            "Whittaker's method: beside its {count} transitions both are below {}, within {}° of the transition",
            power(nearest(&coarse)),
            fixed(coarse.step, 2)
        ),
    ));
    Ok(())
}

fn table(sweeps: &[Sweep], energetic: &Sweep) -> Table {
    let mut table = Table::new(
        "The five methods over φ1, μ = 0.5, e = 0.9",
        &[
            "method",
            "largest gain",
            "gains energy for",
            "mean |Δloss|",
            "largest |Δloss|",
            "rebound with interaction for",
        ],
    );
    for sweep in sweeps {
        let [mean, most] = deviation(sweep, energetic);
        table.row([
            sweep.method.name().to_string(),
            percent(sweep.largest(|p| -p.loss).max(0.0)),
            words(&sweep.wherever(|p| p.loss < -1e-12)),
            percent(mean),
            percent(most),
            words(&sweep.wherever(|p| p.rebounds_with_interaction())),
        ]);
    }
    table
}

fn data(sweeps: &[Sweep]) -> Data {
    let columns =
        ["method", "phi1.deg", "loss", "p_n_A0.N s", "u_n_A0.m/s", "u_t_Ac.m/s", "p_t_Ac.N s"];
    let mut data = Data::new("methods", &columns);
    for sweep in sweeps {
        for p in &sweep.points {
            let row = [p.degrees, p.loss, p.impulse, p.rebound, p.slip[1], p.friction];
            data.labelled(&[sweep.method.name()], &row);
        }
    }
    data
}
