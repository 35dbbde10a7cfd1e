//! A whole bouncing run with dense output, location and polishing allocates nothing.

use carom_ode::{Guard, Integrator, Locator, Method, Tolerance, polish};
use carom_testing::{CountingAllocator, allocations};
use std::convert::Infallible;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn fall(_: f64, y: &[f64], dydt: &mut [f64]) -> Result<(), Infallible> {
    dydt.copy_from_slice(&[y[1], -9.81 - 0.1 * y[1]]);
    Ok(())
}

fn height(_: f64, y: &[f64], g: &mut [f64], gdot: &mut [f64]) -> Result<(), Infallible> {
    g[0] = y[0];
    gdot[0] = y[1];
    g[1] = 100.0 - y[0];
    Ok(())
}

#[test]
fn a_run_allocates_nothing() {
    for method in [Method::DormandPrince, Method::Dop853, Method::Rk4 { step: 0.01 }] {
        let mut flow = Integrator::new(method, Tolerance::uniform(2, 1e-8, 1e-8).unwrap()).unwrap();
        let mut locator = Locator::new(2);
        let guards = [Guard::falling(1e-15), Guard::falling(1e-13)];
        locator.arm(&guards);
        let count = allocations(|| {
            flow.restart::<Infallible>(0.0, &[1.0, 0.0]).unwrap();
            let mut bounces = 0;
            while bounces < 20 {
                flow.advance(&mut fall, 100.0).unwrap();
                let dense = flow.refined(&mut fall).unwrap();
                if let Some(crossing) = locator.locate(&dense, &mut height).unwrap() {
                    let t =
                        polish(&mut flow, &mut fall, &mut locator, &mut height, crossing).unwrap();
                    let y = [flow.y()[0], -0.8 * flow.y()[1]];
                    flow.restart::<Infallible>(t, &y).unwrap();
                    locator.arm(&guards);
                    bounces += 1;
                }
            }
        });
        assert_eq!(count, 0, "{method:?}");
    }
}
