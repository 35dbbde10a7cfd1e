//! Random problems and the law on them.

use carom::impact::{
    Differential, ImpactAnswer, ImpactContact, ImpactError, ImpactLaw, ImpactProblem,
    ImpactWorkspace, Restitution, Tolerances,
};
use nalgebra::{DMatrix, DVector};

use crate::impact_support::{Recipe, Rng, random_problem};

pub const RECIPE: Recipe =
    Recipe { contacts: 3, coordinates: 8, shift: 0.2, friction: 0.7, static_excess: 0.0 };

pub fn traced(
    restitution: Restitution,
    problem: &ImpactProblem,
) -> Result<ImpactAnswer, ImpactError> {
    let mut answer = ImpactAnswer::traced();
    Differential { restitution }.resolve_problem(
        problem,
        &mut ImpactWorkspace::new(),
        &mut answer,
    )?;
    Ok(answer)
}

/// Tolerances for one definition: kinematic restitution may gain energy, and so may kinetic with several contacts.
pub fn tolerances(restitution: Restitution, t: f64) -> Tolerances {
    let mut tolerances = Tolerances::uniform(t);
    if restitution != Restitution::Energetic {
        tolerances.0.gain = f64::INFINITY;
    }
    tolerances
}

/// Random problems of 1 to 4 contacts and up to 12 coordinates, well and badly conditioned.
pub fn for_random_problems(
    seed: u64,
    count: usize,
    mut check: impl FnMut(usize, &mut Rng, &ImpactProblem),
) {
    let mut rng = Rng::new(seed);
    for i in 0..count {
        let contacts = 1 + i % 4;
        let recipe = Recipe {
            contacts,
            coordinates: 2 * contacts + rng.below(13 - 2 * contacts),
            shift: [0.3, 0.01, 1e-5][(i / 4) % 3],
            friction: 0.8,
            static_excess: if i % 2 == 0 { 0.0 } else { 0.4 },
        };
        let problem = random_problem(&mut rng, recipe);
        check(i, &mut rng, &problem);
    }
}

/// A block 2 × 1 m sliding left on the ground hits a wall with a point of its left side; ground contacts at `feet`.
/// Friction of the wall, then of the ground.
pub fn block_at_wall(feet: &[f64], friction: [f64; 2], height: f64) -> ImpactProblem {
    let point = |x: f64, y: f64, angle: [f64; 2]| {
        DVector::from_row_slice(&[angle[0], angle[1], x * angle[1] - y * angle[0]])
    };
    let contact =
        |name: &str, x: f64, y: f64, normal: [f64; 2], tangent: [f64; 2], e: f64, friction: f64| {
            ImpactContact {
                name: name.into(),
                tangents: DMatrix::from_row_slice(1, 3, point(x, y, tangent).as_slice()),
                normal: point(x, y, normal),
                friction,
                static_friction: friction,
                restitution: e,
                touching: true,
            }
        };
    let mut contacts =
        vec![contact("wall", -1.0, height, [1.0, 0.0], [0.0, 1.0], 0.6, friction[0])];
    for x in feet {
        contacts.push(contact("foot", *x, -0.5, [0.0, 1.0], [1.0, 0.0], 0.0, friction[1]));
    }
    let M = DMatrix::from_diagonal(&DVector::from_row_slice(&[2.0, 2.0, 2.0 * 5.0 / 12.0]));
    ImpactProblem::new(M, DVector::from_row_slice(&[-1.0, 0.0, 0.0]), contacts).expect("valid")
}
