//! Residual, J and γ of every kind of row against differences.

use crate::support::{Random, random_state, random_tree};
use carom::dynamics::jacobian::{VelocityProducts, velocity_products};
use carom::dynamics::loops::{LoopRow, LoopRows};
use carom::dynamics::{Kinematics, integrate, kinematics};
use carom::model::{Anchor, BodyId, Loop, LoopKind, Model};
use carom::state::State;

fn equations(model: &Model, one: &Loop, q: &[f64], v: &[f64]) -> (Kinematics, Vec<LoopRow>) {
    let mut kin = Kinematics::new(model);
    let mut products = VelocityProducts::new(model);
    kinematics(model, q, v, &mut kin);
    velocity_products(model, &kin, &mut products);
    let mut rows = Vec::new();
    LoopRows::new(model, (&kin, &products), one).visit(false, |row| rows.push(row));
    (kin, rows)
}

fn rate(model: &Model, one: &Loop, q: &[f64], v: &[f64], k: usize) -> f64 {
    let (kin, rows) = equations(model, one, q, v);
    let mut J = vec![0.0; model.nv()];
    rows[k].add_to(model, &kin, &mut J);
    J.iter().zip(v).map(|(j, v)| j * v).sum()
}

/// The state a time `h` later at constant v.
fn later(model: &Model, state: &State, h: f64) -> Vec<f64> {
    let w: Vec<f64> = state.v.iter().map(|v| v * h).collect();
    let mut q = vec![0.0; model.nq()];
    integrate::step(model, state.q.as_slice(), &w, &mut q);
    q
}

#[test]
fn eq1_to_eq3_rows_from_differences() {
    let kinds =
        [LoopKind::Point, LoopKind::Hinge, LoopKind::Weld, LoopKind::Distance { length: 0.7 }];
    let h = 1e-4;
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let model = random_tree(&mut random, 12);
        let state = random_state(&mut random, &model);
        let ids: Vec<BodyId> = model.body_ids().collect();
        let mut anchor = |may_be_world: bool| {
            let body = ids[random.below(ids.len())];
            let world = may_be_world && random.below(3) == 0;
            Anchor { body: (!world).then_some(body), placement: random.pose() }
        };
        for kind in kinds {
            let one = Loop { name: "l".into(), kind, a: anchor(true), b: anchor(false) };
            let v = state.v.as_slice();
            let (_, rows) = equations(&model, &one, state.q.as_slice(), v);
            assert_eq!(rows.len(), LoopRows::count(&kind, false));
            let moved = |s: f64| later(&model, &state, s * h);
            let speed = v.iter().fold(1.0_f64, |m, v| m.max(v.abs()));
            for (k, row) in rows.iter().enumerate() {
                let value = |s: f64| equations(&model, &one, &moved(s), v).1[k].value;
                let slope =
                    (8.0 * (value(1.0) - value(-1.0)) - (value(2.0) - value(-2.0))) / (12.0 * h);
                let exact = rate(&model, &one, state.q.as_slice(), v, k);
                let size = speed * 10.0;
                assert!((slope - exact).abs() < 1e-7 * size, "J: {slope} {exact} {kind:?}");
                let fast = |s: f64| rate(&model, &one, &moved(s), v, k);
                let bend = (8.0 * (fast(1.0) - fast(-1.0)) - (fast(2.0) - fast(-2.0))) / (12.0 * h);
                let size = size * size;
                assert!((bend - row.gamma).abs() < 1e-7 * size, "γ: {bend} {row:?}");
            }
        }
    }
}
