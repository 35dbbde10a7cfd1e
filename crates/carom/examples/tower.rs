//! Towers of boxes that fall on each other and come to rest: events, evaluations, energy.
//!
//! ```console
//! $ cargo run --release -p carom --example tower -- planar 10
//! $ cargo run --release -p carom --example tower -- spatial 10 0.01 0.2 3
//! ```
//! In turn: the space, the number of boxes, the gap below each at the start in m, the restitution, the end in s. Each
//! box stands a little beside the one below it, so that no two corners meet. `--events` lists what happened.

use carom::contact::{Mode, Site, sites};
use carom::hybrid::{Options, Simulation};
use carom::impact::Newton;
use carom::model::{Feature, Joint, JointKind, Model, ModelBuilder, Shape, Surface};
use carom::record::{Directive, Event, Observer};
use carom::spatial::{Inertia, Pose};
use carom::state::State;
use nalgebra::{Matrix3, Unit, Vector3};
use std::time::Instant;

/// Half extents of a box: width, depth, height, m.
const HALF: [f64; 3] = [0.1, 0.1, 0.05];
const FRICTION: f64 = 0.5;

/// A tower of boxes, each `gap` above the one below it.
fn tower(
    planar: bool,
    count: usize,
    gap: f64,
    restitution: f64,
) -> Result<(Model, State), Box<dyn std::error::Error>> {
    let mut builder = ModelBuilder::new();
    let up = if planar { Vector3::y() } else { Vector3::z() };
    builder.gravity(-9.81 * up)?;
    let half = if planar { [HALF[0], HALF[2], HALF[1]] } else { HALF };
    let s = half.map(|h| h * h / 3.0);
    let moments = Vector3::new(s[1] + s[2], s[0] + s[2], s[0] + s[1]);
    let inertia = Inertia::new(1.0, Vector3::zeros(), Matrix3::from_diagonal(&moments))?;
    let surface = Surface { restitution, static_friction: FRICTION, friction: FRICTION };
    let floor = Shape::HalfSpace { normal: Unit::new_normalize(up) };
    let at = Pose::identity();
    let floor = Feature { name: "floor".into(), body: None, placement: at, shape: floor };
    let mut below = builder.add_feature(floor)?;
    for k in 0..count {
        let kind = if planar { JointKind::Planar } else { JointKind::Free };
        let joint = Joint::new(format!("b{k}.joint"), kind, Pose::identity());
        let body = Some(builder.add_body(format!("b{k}"), None, joint, inertia)?);
        let shape = Shape::Box { half_extents: half };
        let feature = Feature { name: format!("b{k}"), body, placement: at, shape };
        let feature = builder.add_feature(feature)?;
        builder.add_pair(format!("c{k}"), below, feature, surface)?;
        below = feature;
    }
    let model = builder.build()?;
    let mut state = State::neutral(&model);
    let beside = |k: usize, m: usize| 0.01 * ((k * m % 5) as f64 - 2.0);
    for k in 0..count {
        let height = HALF[2] * (2 * k + 1) as f64 + gap * (k + 1) as f64;
        let (place, per) = if planar { (up * height, 3) } else { (up * height, 7) };
        let place = place + Vector3::x() * beside(k, 7);
        let place = if planar { place } else { place + Vector3::y() * beside(k, 3) };
        let coordinates = if planar { 2 } else { 3 };
        for i in 0..coordinates {
            state.q[per * k + i] = place[i];
        }
    }
    Ok((model, state))
}

/// Tells events as they happen.
struct Teller {
    names: Vec<String>,
    tells: bool,
}

impl Observer for Teller {
    fn site(&mut self, _: usize, site: &Site) {
        self.names.push(site.name.clone());
    }

    fn event(&mut self, event: &Event) -> Directive {
        if self.tells {
            let word = |mode: &Mode| &mode.word()[..2];
            let each = event.contacts.iter().map(|c| {
                let name = self.names.get(c.site).map_or("?", String::as_str);
                let (before, after) = (word(&c.before), word(&c.after));
                format!(
                    "{name} {before}>{after} u {:.1e}>{:.1e} p {:.1e}",
                    c.u_pre[2], c.u_post[2], c.impulse[2]
                )
            });
            let rescue = event.rescue.map_or("", |r| r.word());
            let each: Vec<String> = each.collect();
            println!("{:.12} {} {rescue} | {}", event.t, event.kind.word(), each.join(", "));
        }
        Directive::Continue
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (words, flags): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|w| !w.starts_with("--"));
    let planar = words.first().is_none_or(|w| w == "planar");
    let number = |i: usize, or: f64| words.get(i).map_or(Ok(or), |w| w.parse::<f64>());
    let (count, gap) = (number(1, 10.0)? as usize, number(2, 0.01)?);
    let (restitution, until) = (number(3, 0.2)?, number(4, 3.0)?);
    let (model, state) = tower(planar, count, gap, restitution)?;
    let start = Instant::now();
    let mut teller = Teller {
        names: sites(&model).into_iter().map(|s| s.name).collect(),
        tells: flags.iter().any(|f| f == "--events"),
    };
    let run = Simulation::new(&model, state, Newton).options(Options::default());
    let run = run.run_with(until, &mut teller)?;
    let s = &run.statistics;
    println!(
        "{count} boxes, t = {:.6} s, {:?}: {} events, {} impacts, {} steps, {} rates, {} guards, {} rescues",
        run.state.t,
        run.stop,
        s.events,
        s.impacts,
        s.steps,
        s.rates,
        s.guards,
        s.rescues.iter().sum::<u64>()
    );
    println!(
        "ledger {:.1e} J of {:.3} J, least gap {:.1e} m, residual {:.1e}, fastest {:.1e} m/s, {:.3} s",
        run.ledger.closure(),
        run.ledger.initial,
        s.worst_gap,
        s.worst_residual,
        run.state.v.amax(),
        start.elapsed().as_secs_f64()
    );
    Ok(())
}
