//! The two experiments of the double pendulum.

use super::claims::{Runs, claims};
use super::control_claims;
use super::figures;
use super::setting::{SECTION_5_5, SLIP_SPEED, Setting, TABLE_2_4, floors};
use crate::claim::Claim;
use crate::error::Trouble;
use crate::experiment::{Context, Experiment, Source};
use crate::flickinger::case::{Case, repeated};
use crate::flickinger::sheets::{impacts, overview, samples};
use crate::outcome::Outcome;

/// Every run of table 2.4 from the horizontal.
pub const PENDULUM: Experiment = Experiment {
    name: "flickinger-pendulum",
    title: "Double pendulum over a floor: restitution and energetic coefficient",
    source: Source::Flickinger,
    covers: &[
        "table 2.4",
        "figure 3.2",
        "figure 3.3",
        "figure 3.4",
        "figure 3.8",
        "figure 3.9",
        "figure 5.2",
        "figure 5.3",
        "figure 5.4",
        "figure 5.5",
        "figure 5.6",
        "figure 5.7",
    ],
    run: table_2_4,
};

/// Section 5.5.
pub const PENDULUM_CONTROL: Experiment = Experiment {
    name: "flickinger-pendulum-control",
    title: "Double pendulum over a floor: attenuation against an energy constraint",
    source: Source::Flickinger,
    covers: &["table 2.4", "figure 5.14", "figure 5.15", "figure 5.16"],
    run: section_5_5,
};

fn run_all<const N: usize>(settings: &[Setting; N]) -> Result<[Case; N], Trouble> {
    let cases = settings.iter().map(Setting::run).collect::<Result<Vec<_>, _>>()?;
    cases
        .try_into()
        .map_err(|_| Trouble::Absent { experiment: PENDULUM.name, what: "a run".into() })
}

fn table_2_4(context: &Context) -> Result<Outcome, Trouble> {
    let cases = run_all(&TABLE_2_4)?;
    let mut outcome = Outcome::new(
        "Two bars released at rest from the horizontal hit the floor with their tip, under five pairs of restitution e \
         and energetic coefficient e*. The law is the source's: stick where the friction cone allows it, else the slip \
         nearest to stick; velocities are scaled down where the kinetic energy exceeds e* times that before.",
    );
    readings(&mut outcome);
    let [none, low, minimum, moderate, moderate_low] = &cases;
    let floors = &over_floors(context, &TABLE_2_4[0])?;
    for claim in claims(&Runs { none, low, minimum, moderate, moderate_low, floors })? {
        outcome.claim(claim);
    }
    outcome.claim(layer(none)?);
    present(&TABLE_2_4, &cases, &mut outcome)?;
    for (setting, case) in TABLE_2_4.iter().zip(&cases) {
        outcome.figure(setting.name, setting.figures, figures::one(setting, case)?);
    }
    Ok(outcome)
}

fn section_5_5(context: &Context) -> Result<Outcome, Trouble> {
    let cases = run_all(&SECTION_5_5)?;
    let mut outcome = Outcome::new(
        "The pendulum starts at rest from q1 = π/4, q2 = −3π/4 with e = e* = 1, without energy control, with velocity \
         attenuation (5.2), and with the energy as a constraint of the search for the slip (5.9).",
    );
    outcome.reading(
        "The constraint (5.9) is taken with the kinetic energy after the impact; (5.13) and (5.14) print the same time \
         on both sides.",
    );
    outcome.reading(
        "For one contact and e = 1 the constraint is met with friction only by reversing the slip, uₜ⁺ = −uₜ⁻, so that \
         the motion goes back as it came; attenuation instead stops the slip and slows the rest. Similar velocities \
         after the same impact cannot come from both.",
    );
    let [none, attenuation, constraint] = &cases;
    let floors = over_floors(context, &SECTION_5_5[0])?;
    for claim in control_claims::claims(none, attenuation, constraint, &floors) {
        outcome.claim(claim);
    }
    present(&SECTION_5_5, &cases, &mut outcome)?;
    let figure = figures::control(&SECTION_5_5, &cases);
    outcome.figure("energy_control", "figures 5.14 to 5.16", figure);
    Ok(outcome)
}

/// A run with every height of the floor that rounds to the printed one.
fn over_floors(context: &Context, setting: &Setting) -> Result<Vec<(f64, Case)>, Trouble> {
    floors(context).into_iter().map(|height| Ok((height, setting.run_over(height)?))).collect()
}

fn readings(outcome: &mut Outcome) {
    outcome.reading(
        "q1 is measured from the horizontal, q2 from the first bar, and the floor is 1.5 m below the pivot; figure 2.3 is \
         not in the text. This reading gives the first impact of section 5.5 at the published time. L3 = 1.5 m has two digits: \
         statements about runs without control are tested for floors from 1.45 to 1.55 m.",
    );
    outcome.reading(
        "v_s is 1e-5 m/s in table 2.1 and 1.4e-4 (with the unit of an acceleration) in section 4.1. Taken: table 2.1; a \
         claim tells what the other changes.",
    );
    outcome.reading(
        "e* multiplies kinetic energies, as in (5.2). e* = 5 never acts. Attenuation scales all velocities, which is no \
         impulse at the contact in general; with two degrees of freedom and two contact rows it is one.",
    );
    outcome.reading(
        "The published forces at impacts are estimates by (3.25), whose work depends on the origin of the coordinates; \
         ours beside them have the same meaning and no more. Impulses are in the data.",
    );
}

/// Whether the two values of v_s give the same run.
fn layer(case: &Case) -> Result<Claim, Trouble> {
    const OTHER: f64 = 1.4e-4;
    let other = TABLE_2_4[0].run_with(OTHER)?;
    let times = case.impacts().zip(other.impacts()).map(|(a, b)| (a.t - b.t).abs());
    let apart = times.fold(0.0, f64::max);
    let same = case.impacts().count() == other.impacts().count();
    Ok(Claim::test(
        "table 2.1, 4.1",
        "The two values of v_s describe the same friction (taken: impact times of the run without control within 1 ms).",
        same && apart < 1e-3,
        format!("impact times with {SLIP_SPEED:e} and {OTHER:e} m/s differ by up to {apart:.1e} s"),
    ))
}

fn present(settings: &[Setting], cases: &[Case], outcome: &mut Outcome) -> Result<(), Trouble> {
    let names = settings
        .iter()
        .map(|s| format!("{}: e = {}, {}", s.title, s.restitution, s.control.label()));
    outcome.table(overview("What each run did", names.zip(cases)));
    for (setting, case) in settings.iter().zip(cases) {
        outcome.data(samples(setting.name, case));
        outcome.data(impacts(&format!("{}_impacts", setting.name), case)?);
        let what = format!("Double pendulum, {}", setting.title);
        match setting.published {
            Some(published) => {
                let times = repeated(case.seconds, || setting.run())?;
                outcome.published_timing(what, setting.name, published, times);
            }
            None => outcome.timing(what, case.seconds),
        }
    }
    Ok(())
}
