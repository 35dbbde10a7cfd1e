//! What `bench/python.py` compares itself with: the same work in Rust, printed as `name seconds`.
//!
//! `run`: the double pendulum for 10 s at rtol 1e-8 under Newton's law, kept in memory as Python keeps it; best of many.
//! `impacts`: a million planar impacts (RAYON_NUM_THREADS says on how many threads), checked and answered as `carom impact` answers them; best of three.

use std::path::Path;
use std::time::{Duration, Instant};

use carom::impact::{
    Differential, ImpactAnswer, ImpactContact, ImpactProblem, ImpactWorkspace, Restitution,
    resolve_problem_or_comply,
};
use carom_report::{Job, LiveRun};
use carom_scene::Scene;
use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

const PROBLEMS: usize = 1_000_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("run {:e}", run()?.as_secs_f64());
    println!("impacts {:e}", impacts().as_secs_f64());
    Ok(())
}

fn run() -> Result<Duration, Box<dyn std::error::Error>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/double_pendulum.toml");
    let changes = ["law={ formulation = \"newton\" }", "solver.until=10"];
    let scene = Scene::load_with(file, &changes).map_err(|e| e.report())?;
    let mut best = Duration::MAX;
    for _ in 0..200 {
        let start = Instant::now();
        let mut live = LiveRun::new(&scene.model, Job::default(), Vec::new());
        let result = scene.simulation()?.run_with(10.0, &mut live);
        let account = live.finish(scene.clone(), &result, false, Duration::ZERO);
        best = best.min(start.elapsed());
        assert!(account.events.len() > 3);
    }
    Ok(best)
}

/// A random number in [−1, 1].
fn random(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

/// A body that touches with a point: approaches with 1 m/s.
fn problem(seed: &mut u64) -> ImpactProblem {
    let (a, b) = (2.0 * random(seed), 2.0 * random(seed));
    let normal = DVector::from_vec(vec![0.0, 1.0, a]);
    let mut velocity = DVector::from_fn(3, |_, _| 2.0 * random(seed));
    velocity[1] -= normal.dot(&velocity) + 1.0;
    let contact = ImpactContact {
        name: "C0".into(),
        tangents: DMatrix::from_row_slice(1, 3, &[1.0, 0.0, b]),
        normal,
        friction: 0.4,
        static_friction: 0.4,
        restitution: 0.5,
        touching: true,
    };
    ImpactProblem {
        mass_matrix: DMatrix::from_diagonal(&DVector::from_vec(vec![1.0, 1.0, 0.1])),
        velocity,
        contacts: vec![contact],
        bilateral: DMatrix::zeros(0, 3),
    }
}

fn impacts() -> Duration {
    let mut seed = 1;
    let problems: Vec<ImpactProblem> = (0..PROBLEMS).map(|_| problem(&mut seed)).collect();
    let law = Differential { restitution: Restitution::Energetic };
    let mut best = Duration::MAX;
    for _ in 0..3 {
        let start = Instant::now();
        let answers: Vec<[f64; 3]> = problems
            .par_chunks(512)
            .flat_map_iter(|chunk| {
                let (mut work, mut answer) = (ImpactWorkspace::new(), ImpactAnswer::default());
                let solve = |problem: &ImpactProblem| {
                    let valid = problem.validate();
                    let solved = valid.and_then(|()| {
                        resolve_problem_or_comply(&law, problem, &mut work, &mut answer)
                    });
                    match solved {
                        Ok(()) => [answer.velocity[0], answer.velocity[1], answer.velocity[2]],
                        Err(_) => [f64::NAN; 3],
                    }
                };
                chunk.iter().map(solve).collect::<Vec<_>>()
            })
            .collect();
        best = best.min(start.elapsed());
        assert!(answers.len() == PROBLEMS && answers.iter().flatten().all(|v| v.is_finite()));
    }
    best
}
