//! Whether other orders or signs of the printed angular velocities explain what differs.
//!
//! The text prints φ̇1, φ̇2, φ̇3 = 0.1, 0.2, 0.3 rad/s for a posture that cannot be what was computed, and neither the senses
//! of the angles nor the figures are in it. All 48 orders and signs of these rates are tried in the inferred posture.
//!
//! Tests: `tests/hurmuzlu.rs`: `variants`.

use super::method::Method;
use super::posture::POSTURE;
use super::sweep::{APART, FRICTION, Point, Sweep};
use crate::claim::Claim;
use crate::data::Data;
use crate::error::Trouble;
use crate::experiment::{Context, Experiment, Source};
use crate::outcome::Outcome;
use crate::table::Table;

/// The experiment.
pub const VARIANTS: Experiment = Experiment {
    name: "hurmuzlu-variants",
    title: "Chain, other orders and signs of the angular velocities",
    source: Source::Hurmuzlu,
    covers: &["figure 4", "figure 5", "figure 6", "figure 7"],
    run,
};

/// What is asked of a variant, in words.
const FACTS: [&str; 9] = [
    "Ac approaches in every posture",
    "both kinematic solutions gain energy somewhere (figure 4A)",
    "they differ in two intervals (figure 4A)",
    "they are the same where neither reverses the slip (figure 4)",
    "two intervals of rebound with interaction (figure 6)",
    "four transitions, two of them without interaction (figure 6)",
    "plastic energy curves within 1 % (figure 7A)",
    "the kinetic definition never underestimates the loss (section 5)",
    "Brach's method never underestimates the loss (section 5)",
];

/// One variant with what holds in it.
struct Variant {
    rates: [f64; 3],
    holds: [bool; 9],
}

/// All orders and signs of the printed rates, the printed ones first.
fn all_rates() -> Vec<[f64; 3]> {
    const ORDERS: [[f64; 3]; 6] = [
        [0.1, 0.2, 0.3],
        [0.1, 0.3, 0.2],
        [0.2, 0.1, 0.3],
        [0.2, 0.3, 0.1],
        [0.3, 0.1, 0.2],
        [0.3, 0.2, 0.1],
    ];
    let signed = |order: [f64; 3]| {
        (0..8).map(move |bits: u8| {
            let sign = |k: usize| if bits >> k & 1 == 1 { -1.0 } else { 1.0 };
            [0, 1, 2].map(|k| sign(k) * order[k])
        })
    };
    ORDERS.into_iter().flat_map(signed).collect()
}

impl Variant {
    fn new(count: i32, rates: [f64; 3]) -> Result<Self, Trouble> {
        let sweep = |method, e| Sweep::with_rates(count, method, [FRICTION, e], rates);
        let [kinematic, kinetic, energetic, whittaker, brach] = [
            sweep(Method::Kinematic, 0.9)?,
            sweep(Method::Kinetic, 0.9)?,
            sweep(Method::Energetic, 0.9)?,
            sweep(Method::Whittaker, 0.9)?,
            sweep(Method::Brach, 0.9)?,
        ];
        let (path, jump) = (sweep(Method::Energetic, 0.0)?, sweep(Method::Whittaker, 0.0)?);
        let gains = |s: &Sweep| s.points.iter().any(|p| p.loss < -1e-12);
        let calm = |a: &Point, b: &Point| !a.reverses() && !b.reverses() && a.apart(b) > APART;
        let under = |s: &Sweep| !s.compared(&energetic, |a, b| a.loss < b.loss - 1e-12).is_empty();
        let over = |s: &Sweep| !s.compared(&energetic, |a, b| a.loss > b.loss + 1e-12).is_empty();
        let shaded = energetic.wherever(|p| p.rebounds_with_interaction());
        let turns: Vec<f64> = energetic
            .points
            .windows(2)
            .filter(|w| w[0].rebounds() != w[1].rebounds())
            .map(|w| 0.5 * (w[0].degrees + w[1].degrees))
            .collect();
        let plain = |t: &&f64| {
            !shaded.iter().any(|i| (i.from - **t).abs() < 1e-9 || (i.to - **t).abs() < 1e-9)
        };
        let apart = |a: &Point, b: &Point| (a.loss - b.loss).abs() > 0.01;
        let holds = [
            energetic.points.iter().all(|p| p.approach < 0.0),
            gains(&kinematic) && gains(&whittaker),
            kinematic.compared(&whittaker, |a, b| a.apart(b) > APART).len() == 2,
            kinematic.compared(&whittaker, calm).is_empty(),
            shaded.len() == 2,
            turns.len() == 4 && turns.iter().filter(plain).count() == 2,
            path.compared(&jump, apart).is_empty(),
            over(&kinetic) && !under(&kinetic),
            over(&brach) && !under(&brach),
        ];
        Ok(Self { rates, holds })
    }

    fn label(&self) -> String {
        let words = self.rates.map(|r| format!("{r}").replace('-', "−"));
        words.join(", ")
    }

    fn count(&self) -> usize {
        self.holds.iter().filter(|h| **h).count()
    }
}

fn run(context: &Context) -> Result<Outcome, Trouble> {
    let mut outcome = Outcome::new(
        "Some statements of section 4 do not hold with the printed angular velocities in the inferred posture. Here the same \
         is asked with every order and sign of these three numbers.",
    );
    outcome.reading(POSTURE);
    let count = context.pick(720, 180);
    let variants: Vec<Variant> =
        all_rates().into_iter().map(|r| Variant::new(count, r)).collect::<Result<_, _>>()?;
    let mut facts = Table::new(
        "For how many of the 48 orders and signs each statement holds",
        &["statement", "with the printed rates", "of 48", "of those in which Ac always approaches"],
    );
    let approaching = || variants.iter().filter(|v| v.holds[0]);
    for (k, fact) in FACTS.iter().enumerate() {
        facts.row([
            (*fact).to_owned(),
            if variants[0].holds[k] { "holds" } else { "does not" }.into(),
            variants.iter().filter(|v| v.holds[k]).count().to_string(),
            format!(
                "{} of {}",
                approaching().filter(|v| v.holds[k]).count(),
                approaching().count()
            ),
        ]);
    }
    let whole = variants.iter().filter(|v| v.count() == FACTS.len()).count();
    let most = variants.iter().map(Variant::count).max().unwrap_or(0);
    let best: Vec<String> =
        variants.iter().filter(|v| v.count() == most).map(Variant::label).collect();
    outcome.claim(
        Claim::test(
            "carom",
            "No order and sign of the printed rates makes all nine statements hold together.",
            whole == 0,
            format!("at most {most} of 9 hold together, with the rates {}", best.join(" or ")),
        )
        .own()
        .open("one that does was found"),
    );
    outcome.table(facts);
    let mut table =
        Table::new("Variants in which most hold", &["rates / (rad/s)", "hold", "do not"]);
    for v in variants.iter().filter(|v| v.count() + 1 >= most) {
        let missing: Vec<_> =
            FACTS.iter().zip(v.holds).filter(|(_, h)| !h).map(|(f, _)| *f).collect();
        table.row([v.label(), v.count().to_string(), missing.join("; ")]);
    }
    outcome.table(table);
    let mut data = Data::new("variants", &["phi1.rad/s", "phi2.rad/s", "phi3.rad/s", "hold"]);
    for v in &variants {
        data.row(&[v.rates[0], v.rates[1], v.rates[2], v.count() as f64]);
    }
    outcome.data(data);
    Ok(outcome)
}
