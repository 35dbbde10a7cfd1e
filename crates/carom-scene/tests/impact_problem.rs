//! Impacts of runs in generalised coordinates.

use carom::contact::sites;
use carom::hybrid::{Simulation, impact_problem};
use carom::impact::{ImpactAnswer, ImpactLaw, ImpactWorkspace, Newton};

/// (1): M and J at an impact of a run give the velocities after it that the run found from its rows, and the relative
/// velocities that it recorded.
#[test]
fn eq1_rows_are_those_of_the_run() {
    let scene = carom_scene::Scene::load("../../scenes/double_pendulum.toml").unwrap();
    let model = &scene.model;
    let all = sites(model);
    let sim = Simulation::new(model, scene.initial.clone(), Newton);
    let run = sim.run_until(3.0).unwrap();
    let mut count = 0;
    for event in run.events().iter().filter(|e| e.kind.is_jump() && e.rescue.is_none()) {
        let touching: Vec<_> = event.contacts.iter().map(|c| &all[c.site]).collect();
        let problem = impact_problem(model, &touching, (&event.q, &event.v_pre));
        for (c, row) in event.contacts.iter().zip(&problem.contacts) {
            let u = row.normal.dot(&problem.velocity);
            assert!((u - c.u_pre[2]).abs() < 1e-10 * (1.0 + u.abs()), "{u} {:?}", c.u_pre);
        }
        let mut answer = ImpactAnswer::default();
        if event.remaining_time.is_none() {
            Newton.resolve_problem(&problem, &mut ImpactWorkspace::new(), &mut answer).unwrap();
            for (found, expected) in event.v_post.iter().zip(answer.velocity.iter()) {
                assert!((found - expected).abs() < 1e-9 * (1.0 + expected.abs()));
            }
            count += 1;
        }
    }
    assert!(count > 3, "{count}");
}
