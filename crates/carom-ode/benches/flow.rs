//! Cost of smooth steps and of event location: `cargo bench -p carom-ode --bench flow`.
#![allow(non_snake_case)]

use carom_ode::{Guard, Integrator, Locator, Method, Tolerance, polish};
use std::convert::Infallible;
use std::hint::black_box;
use std::time::Instant;

type Never = Result<(), Infallible>;

/// Least time per call over several rounds, in nanoseconds: the machine is shared.
fn nanoseconds(calls: u32, mut work: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..15 {
        let start = Instant::now();
        for _ in 0..calls {
            work();
        }
        best = best.min(start.elapsed().as_nanos() as f64 / f64::from(calls));
    }
    best
}

fn report(name: &str, ns: f64) {
    println!("{name:<58} {ns:>12.1} ns");
}

/// Independent oscillators: half of the components are positions.
fn oscillators(_: f64, y: &[f64], dydt: &mut [f64]) -> Never {
    let n = y.len() / 2;
    for i in 0..n {
        dydt[i] = y[n + i];
        dydt[n + i] = -y[i];
    }
    Ok(())
}

fn steps() {
    for method in [Method::DormandPrince, Method::Dop853, Method::Rk4 { step: 0.05 }] {
        for n in [2, 4, 13, 60] {
            let mut flow =
                Integrator::new(method, Tolerance::uniform(n, 1e-8, 1e-8).unwrap()).unwrap();
            let y: Vec<f64> = (0..n).map(|i| (i as f64).cos()).collect();
            flow.restart::<Infallible>(0.0, &y).unwrap();
            let ns = nanoseconds(2000, || {
                black_box(flow.advance(&mut oscillators, 1e9).unwrap());
            });
            report(&format!("{method:?}, {n} components: step"), ns);
            let mut at = vec![0.0; n];
            let ns = nanoseconds(2000, || {
                flow.advance(&mut oscillators, 1e9).unwrap();
                let dense = flow.dense(&mut oscillators).unwrap();
                dense.state(0.5 * (dense.t0() + dense.t1()), &mut at);
                black_box(&at);
            });
            report(&format!("{method:?}, {n} components: step, dense, one state"), ns);
        }
    }
}

fn fall(_: f64, y: &[f64], dydt: &mut [f64]) -> Never {
    dydt[0] = y[1];
    dydt[1] = -9.81;
    Ok(())
}

fn height(_: f64, y: &[f64], g: &mut [f64], gdot: &mut [f64]) -> Never {
    g[0] = y[0];
    gdot[0] = y[1];
    Ok(())
}

/// Ten seconds of a ball dropped from 1 m; returns the number of bounces.
fn ball(flow: &mut Integrator, locator: &mut Locator, e: f64) -> u32 {
    flow.forget_step();
    flow.restart::<Infallible>(0.0, &[1.0, 0.0]).unwrap();
    locator.arm(&[Guard::falling(1e-15)]);
    let mut bounces = 0;
    while flow.t() < 10.0 {
        flow.advance(&mut fall, 10.0).unwrap();
        let dense = flow.dense(&mut fall).unwrap();
        let Some(crossing) = locator.locate(&dense, &mut height).unwrap() else { continue };
        let t = polish(flow, &mut fall, locator, &mut height, crossing).unwrap();
        bounces += 1;
        let v = -e * flow.y()[1];
        if v < 1e-6 {
            break;
        }
        let y = [flow.y()[0], v];
        flow.restart::<Infallible>(t, &y).unwrap();
    }
    bounces
}

fn bouncing() {
    for (method, e) in
        [(Method::DormandPrince, 0.5), (Method::DormandPrince, 0.9), (Method::Dop853, 0.9)]
    {
        let mut flow =
            Integrator::new(method, Tolerance::uniform(2, 1e-10, 1e-10).unwrap()).unwrap();
        let mut locator = Locator::new(2);
        let bounces = ball(&mut flow, &mut locator, e);
        let ns = nanoseconds(20, || {
            black_box(ball(&mut flow, &mut locator, e));
        });
        report(&format!("{method:?}, bouncing ball e = {e}, 10 s, {bounces} bounces"), ns);
        report("    per bounce", ns / f64::from(bounces));
    }
}

/// Double pendulum of two bars, 1 m, 4.04 kg, 0.05 m wide, angles absolute from +x.
fn double_pendulum(_: f64, y: &[f64], dydt: &mut [f64]) -> Never {
    let (m, l, g) = (4.04, 1.0, 9.81);
    let I = m * (l * l + 0.05 * 0.05) / 12.0;
    let (s, c) = (y[1] - y[0]).sin_cos();
    let (a, b, d) = (I + 1.25 * m * l * l, 0.5 * m * l * l * c, I + 0.25 * m * l * l);
    let k = 0.5 * m * l * l * s;
    let f = [
        k * y[3] * y[3] - 1.5 * m * g * l * y[0].cos(),
        -k * y[2] * y[2] - 0.5 * m * g * l * y[1].cos(),
    ];
    let det = a * d - b * b;
    dydt.copy_from_slice(&[y[2], y[3], (d * f[0] - b * f[1]) / det, (a * f[1] - b * f[0]) / det]);
    Ok(())
}

fn tip(_: f64, y: &[f64], g: &mut [f64], gdot: &mut [f64]) -> Never {
    let ((s0, c0), (s1, c1)) = (y[0].sin_cos(), y[1].sin_cos());
    g[0] = 1.5 + s0 + s1;
    gdot[0] = c0 * y[2] + c1 * y[3];
    Ok(())
}

fn pendulum() {
    for (method, rtol) in
        [(Method::DormandPrince, 1e-8), (Method::Dop853, 1e-8), (Method::Dop853, 1e-12)]
    {
        let mut flow = Integrator::new(method, Tolerance::uniform(4, rtol, rtol).unwrap()).unwrap();
        let mut locator = Locator::new(4);
        let mut run = || {
            flow.forget_step();
            flow.restart::<Infallible>(0.0, &[0.0; 4]).unwrap();
            locator.arm(&[Guard::falling(1e-15)]);
            loop {
                flow.advance(&mut double_pendulum, 10.0).unwrap();
                let dense = flow.dense(&mut double_pendulum).unwrap();
                if let Some(c) = locator.locate(&dense, &mut tip).unwrap() {
                    return polish(&mut flow, &mut double_pendulum, &mut locator, &mut tip, c)
                        .unwrap();
                }
            }
        };
        let t = run();
        let ns = nanoseconds(100, || {
            black_box(run());
        });
        let error = t - 0.515_352_890_777_4;
        report(&format!("{method:?} {rtol:e}, double pendulum to its impact, {error:+.1e} s"), ns);
        let (calls, work) = (locator.evaluations(), flow.work());
        println!("    guard evaluations per step {:.1}", calls as f64 / work.steps as f64);
    }
}

fn many_guards() {
    for n in [1, 8, 50] {
        let mut flow =
            Integrator::new(Method::DormandPrince, Tolerance::uniform(2, 1e-8, 1e-8).unwrap())
                .unwrap();
        flow.restart::<Infallible>(0.0, &[1.0, 0.0]).unwrap();
        flow.suggest_step(0.05);
        flow.advance(&mut oscillators, 1e9).unwrap();
        for (far, name) in [(1e3, "all far"), (1.0 + 1e-6, "all near")] {
            let mut locator = Locator::new(2);
            locator.arm(&vec![Guard::either(1e-15); n]);
            let mut guards = |_: f64, y: &[f64], g: &mut [f64], gdot: &mut [f64]| -> Never {
                g.fill(far - y[0]);
                gdot.fill(-y[1]);
                Ok(())
            };
            let dense = flow.dense(&mut oscillators).unwrap();
            let ns = nanoseconds(2000, || {
                black_box(locator.locate(&dense, &mut guards).unwrap());
            });
            report(&format!("locate without crossing, {n} guards, {name}"), ns);
        }
    }
}

fn main() {
    steps();
    bouncing();
    pendulum();
    many_guards();
}
