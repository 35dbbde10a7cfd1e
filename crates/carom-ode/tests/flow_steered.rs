//! Flows that are steered by the direction of a velocity: a block pushed over a rough plane.
//!
//! ẇ = F(t) − a w/‖w‖, the angle of w an unknown.

use carom_ode::{Integrator, Method, Rate, Tolerance};
use std::convert::Infallible;

const FRICTION: f64 = 1.0;

struct Block {
    force: fn(f64) -> [f64; 2],
    steered: bool,
    /// Direction at the start of the step, and the angle from it.
    start: f64,
    angle: f64,
    nodes: Option<(f64, f64, [f64; 5])>,
    /// Velocity and its rate at the last evaluation.
    w: [f64; 2],
    rate: [f64; 2],
}

impl Block {
    fn new(force: fn(f64) -> [f64; 2], steered: bool) -> Self {
        let zero = [0.0; 2];
        Self { force, steered, start: 0.0, angle: 0.0, nodes: None, w: zero, rate: zero }
    }

    fn direction(&self, w: &[f64]) -> [f64; 2] {
        let angle = if self.steered { self.start + self.angle } else { w[1].atan2(w[0]) };
        [angle.cos(), angle.sin()]
    }
}

impl Rate for Block {
    type Error = Infallible;

    fn rate(&mut self, t: f64, y: &[f64], dydt: &mut [f64]) -> Result<(), Infallible> {
        let (f, d) = ((self.force)(t), self.direction(y));
        for i in 0..2 {
            dydt[i] = f[i] - FRICTION * d[i];
        }
        (self.w, self.rate) = ([y[0], y[1]], [dydt[0], dydt[1]]);
        Ok(())
    }

    fn unknowns(&self) -> usize {
        usize::from(self.steered)
    }

    fn steer(&mut self, z: &[f64]) {
        self.angle = z[0];
    }

    fn velocities(&self, w: &mut [[f64; 2]], wdot: &mut [[f64; 2]]) {
        let (cos, sin) = (self.start.cos(), self.start.sin());
        let turn = |x: [f64; 2]| [cos * x[0] + sin * x[1], cos * x[1] - sin * x[0]];
        (w[0], wdot[0]) = (turn(self.w), turn(self.rate));
    }

    fn steered(&mut self, t0: f64, h: f64, nodes: &[f64]) {
        self.nodes = Some((t0, h, nodes.try_into().expect("five nodes")));
    }
}

/// w after one second from `w`, and the number of rates.
fn slide(mut block: Block, w: [f64; 2], rtol: f64) -> ([f64; 2], u64) {
    let tolerance = Tolerance::uniform(2, rtol, rtol).expect("tolerance");
    let mut flow = Integrator::new(Method::Dop853, tolerance).expect("integrator");
    flow.restart::<Infallible>(0.0, &w).expect("start");
    flow.suggest_step(1e-2);
    while flow.t() < 1.0 {
        let w = flow.y();
        if w[0].hypot(w[1]) > 0.0 {
            block.start = w[1].atan2(w[0]);
        }
        block.angle = 0.0;
        flow.advance(&mut block, 1.0).expect("step");
    }
    ([flow.y()[0], flow.y()[1]], flow.work().rates)
}

fn turning(t: f64) -> [f64; 2] {
    [1.02 * t.cos(), 1.02 * t.sin()]
}

fn apart(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// Against explicit steps where those can be afforded, and against itself where they cannot.
#[test]
fn eq2_order() {
    let (exact, _) = slide(Block::new(turning, false), [0.2, 0.1], 1e-13);
    for rtol in [1e-6, 1e-8, 1e-10] {
        let (w, _) = slide(Block::new(turning, true), [0.2, 0.1], rtol);
        assert!(apart(w, exact) < 10.0 * rtol, "{rtol:e} {:e}", apart(w, exact));
    }
    // From 1e-9 of the force: direction turns a thousand million times faster than the force does.
    let (fine, rates) = slide(Block::new(turning, true), [1e-9, 0.0], 1e-11);
    assert!(rates < 20_000, "{rates}");
    for rtol in [1e-6, 1e-8] {
        let (w, _) = slide(Block::new(turning, true), [1e-9, 0.0], rtol);
        assert!(apart(w, fine) < 10.0 * rtol, "{rtol:e} {:e}", apart(w, fine));
    }
}

/// From rest a block starts along the force, whatever direction was guessed: w = (F − a F/‖F‖) t.
#[test]
fn eq3_directions_from_rest() {
    let mut block = Block::new(|_| [3.0, 4.0], true);
    block.start = 0.3;
    let (w, rates) = slide(block, [0.0, 0.0], 1e-9);
    assert!(apart(w, [2.4, 3.2]) < 1e-9, "{w:?}");
    assert!(rates < 2000, "{rates}");
}

/// The solution within a step: its derivative is the rate, and it meets the nodes' order.
#[test]
fn interpolant_of_a_steered_step() {
    let mut block = Block::new(turning, true);
    let tolerance = Tolerance::uniform(2, 1e-10, 1e-10).expect("tolerance");
    let mut flow = Integrator::new(Method::Dop853, tolerance).expect("integrator");
    flow.restart::<Infallible>(0.0, &[0.0, 0.0]).expect("start");
    flow.suggest_step(0.05);
    flow.advance(&mut block, 1.0).expect("step");
    let end = flow.t();
    let mut inside = [0.0; 2];
    flow.dense(&mut block).expect("dense").state(0.4 * end, &mut inside);
    let mut again = Block::new(turning, true);
    let tolerance = Tolerance::uniform(2, 1e-12, 1e-12).expect("tolerance");
    let mut short = Integrator::new(Method::Dop853, tolerance).expect("integrator");
    short.restart::<Infallible>(0.0, &[0.0, 0.0]).expect("start");
    short.suggest_step(0.01);
    while short.t() < 0.4 * end {
        let w = short.y();
        if w[0].hypot(w[1]) > 0.0 {
            again.start = w[1].atan2(w[0]);
        }
        again.angle = 0.0;
        short.advance(&mut again, 0.4 * end).expect("step");
    }
    let off = apart(inside, [short.y()[0], short.y()[1]]);
    assert!(off < 1e-9, "{off:e}");
}

/// What is left of a direction before, here a tenth of the tolerance across the force, is forgotten within 1e-10 s: steps are
/// as long as the motion allows from the first on.
#[test]
fn eq5_forgets_the_direction_of_the_start() {
    let mut block = Block::new(|t| [1.0 + 1e-4 * t.cos(), 1e-4 * t.sin()], true);
    let tolerance = Tolerance::uniform(2, 0.0, 1e-9).expect("tolerance");
    let mut flow = Integrator::new(Method::Dop853, tolerance).expect("integrator");
    flow.restart::<Infallible>(0.0, &[0.0, 1e-10]).expect("start");
    flow.suggest_step(1e-2);
    block.start = std::f64::consts::FRAC_PI_2;
    flow.advance(&mut block, 1.0).expect("step");
    assert!(flow.t() > 1e-4, "{:e}", flow.t());
}
