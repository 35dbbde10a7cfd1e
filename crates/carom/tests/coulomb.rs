//! The Coulomb problem on small systems with known answers, on random ones, and on stacks.
#![allow(non_snake_case)]

mod support;

use carom::coulomb::share::{Room, Share};
use carom::coulomb::{
    Duty, Mode, ModeSystem, Problem, Solved, Solver, Tangent, residual, velocity,
};
use nalgebra::{DMatrix, DVector};
use support::{Random, stacks};

struct Found {
    modes: Vec<Mode>,
    x: DVector<f64>,
    w: DVector<f64>,
    solved: Solved,
}

fn solve(problem: &Problem) -> Found {
    let (mut modes, mut x, mut w) = (Vec::new(), DVector::zeros(0), DVector::zeros(0));
    let solved = Solver::default().solve(problem, &[], &mut x, &mut modes);
    velocity(problem, &x, &mut w);
    Found { modes, x, w, solved }
}

const STICK: Mode = Mode { held: true, tangent: Tangent::Stick };

/// One planar contact: G over (tangent, normal), b, μd and μs.
fn planar(G: [f64; 3], b: [f64; 2], mu: [f64; 2], duty: Duty) -> Problem {
    let mut problem = Problem::default();
    problem.resize(2);
    problem.push(1, mu, duty);
    problem.G.copy_from_slice(&[G[0], G[1], G[1], G[2]]);
    problem.b.copy_from_slice(&b);
    problem
}

const ALONG: Duty = Duty::Sliding([1.0, 0.0]);

#[test]
fn eq2_signorini() {
    let pressed = solve(&planar([1.0, 0.0, 2.0], [0.0, -6.0], [0.3; 2], Duty::Coulomb));
    assert_eq!(pressed.modes, [STICK]);
    assert!((pressed.x[1] - 3.0).abs() < 1e-15);
    let lifted = solve(&planar([1.0, 0.0, 2.0], [0.0, 6.0], [0.3; 2], Duty::Coulomb));
    assert_eq!(lifted.modes, [Mode::OPEN]);
    assert_eq!(lifted.x.as_slice(), [0.0, 0.0]);
}

#[test]
fn eq4_slip() {
    let found = solve(&planar([1.0, 0.2, 2.0], [1.0, -6.0], [0.3, 0.5], ALONG));
    let normal = 6.0 / (2.0 - 0.3 * 0.2);
    assert!((found.x[1] - normal).abs() < 1e-14);
    assert!((found.x[0] + 0.3 * normal).abs() < 1e-14);
}

#[test]
fn eq3_stick_or_slip() {
    // Block on an incline: sticks up to tan α = μs, then slips with μd.
    for (slope, sticks) in [(0.59, true), (0.61, false)] {
        let b = [slope * 9.0, -9.0];
        let found = solve(&planar([1.0, 0.0, 1.0], b, [0.4, 0.6], Duty::Coulomb));
        assert_eq!(found.modes[0] == STICK, sticks);
        if !sticks {
            assert_eq!(found.modes[0].tangent, Tangent::Slip([1.0, 0.0]));
            assert!((found.w[0] - (slope - 0.4) * 9.0).abs() < 1e-14);
        }
    }
}

#[test]
fn painleve_eq1_regular() {
    let found = solve(&planar([4.0, 2.0, 1.0], [0.0, -1.0], [0.4; 2], ALONG));
    assert!((found.x[1] - 1.0 / (1.0 - 0.4 * 2.0)).abs() < 1e-13 && found.solved.unique);
}

#[test]
fn painleve_eq2_two() {
    // A = 1 − 0.8 × 2 < 0 and the contact would lift off by itself: it may press as well.
    let problem = planar([4.0, 2.0, 1.0], [0.0, 1.0], [0.8; 2], ALONG);
    let found = solve(&problem);
    assert!(found.solved.accepted() && !found.solved.unique);
    assert_eq!(found.modes, [Mode::OPEN], "the gentlest");
    // What pressed before goes on pressing.
    let (mut modes, mut x) = (Vec::new(), DVector::zeros(0));
    let pressed = Mode::held(Tangent::Slip([1.0, 0.0]));
    let solved = Solver::default().solve(&problem, &[pressed], &mut x, &mut modes);
    assert!(solved.accepted() && modes == [pressed]);
    assert!((x[1] - 1.0 / 0.6).abs() < 1e-13);
}

#[test]
fn painleve_eq3_none() {
    let found = solve(&planar([4.0, 2.0, 1.0], [0.0, -1.0], [0.8; 2], ALONG));
    assert!(!found.solved.accepted());
}

#[test]
fn certificate_sees_every_violation() {
    let problem = planar([1.0, 0.0, 1.0], [1.0, -1.0], [0.5; 2], Duty::Coulomb);
    let judge = |x: [f64; 2]| {
        let x = DVector::from_column_slice(&x);
        let mut w = DVector::zeros(0);
        velocity(&problem, &x, &mut w);
        residual(&problem, &x, &w)
    };
    assert!(judge([-0.5, 1.0]) < 1e-15, "slips along +, friction against it");
    for wrong in [[0.5, 1.0], [-0.4, 1.0], [-1.0, 1.0], [-0.5, 0.9], [-0.5, 1.1], [0.0, -1.0]] {
        assert!(judge(wrong) > 0.01, "{wrong:?}");
    }
}

/// Nothing that moves by round-off alone may have friction beyond its cone, or less than its limit where it slips.
#[test]
fn eq6_says_nothing_of_the_size_of_friction() {
    let judge = |slip: f64, friction: f64| {
        let mut problem = Problem::default();
        problem.resize(3);
        problem.push(2, [0.5; 2], Duty::Coulomb);
        problem.G.fill_with_identity();
        problem.b.copy_from_slice(&[friction + slip, 0.0, -1.0]);
        let x = DVector::from_column_slice(&[-friction, 0.0, 1.0]);
        let w = DVector::from_column_slice(&[slip, 0.0, 0.0]);
        residual(&problem, &x, &w)
    };
    assert!(judge(1e-17, 0.7) > 0.05, "sticks beyond its cone");
    assert!(judge(1e-7, 0.4) > 1e-8, "slips with less than its limit");
    assert!(judge(1e-17, 0.4) < 1e-13 && judge(1e-7, 0.5) < 1e-13);
}

/// The direction of a slip of 1e-7 of the accelerations that it is a difference of has nine digits; that is no violation, but
/// friction that is turned by more is.
#[test]
fn eq6_direction_of_a_slow_slip() {
    let judge = |angle: f64, turned: f64| {
        let mut problem = Problem::default();
        problem.resize(3);
        problem.push(2, [0.5; 2], Duty::Coulomb);
        problem.G.fill_with_identity();
        let size = 0.5 + 1e-7;
        problem.b.copy_from_slice(&[size * angle.cos(), size * angle.sin(), -1.0]);
        let along = angle + turned;
        let x = DVector::from_column_slice(&[-0.5 * along.cos(), -0.5 * along.sin(), 1.0]);
        let mut w = DVector::zeros(0);
        velocity(&problem, &x, &mut w);
        residual(&problem, &x, &w)
    };
    for k in 0..100 {
        let angle = 0.1 + 0.06 * f64::from(k);
        assert!(judge(angle, 0.0) < 1e-13, "{angle}");
        assert!(judge(angle, 1e-7) > 1e-8, "{angle}");
    }
}

/// A random mechanism with `nc` contacts, G = J M⁻¹ Jᵀ.
fn random_problem(random: &mut Random, nc: usize, tangents: usize, most: f64) -> Problem {
    let rows = nc * (tangents + 1);
    let n = 1 + random.below(2 * rows);
    let J = DMatrix::from_fn(rows, n, |_, _| random.within(-1.0, 1.0));
    let mut problem = Problem::default();
    problem.resize(rows);
    for _ in 0..nc {
        let mu = random.within(0.0, most);
        let angle = random.within(-3.0, 3.0);
        let direction = match tangents {
            1 => [angle.signum(), 0.0],
            _ => [angle.cos(), angle.sin()],
        };
        let still = random.unit() < 0.5;
        let duty = if still { Duty::Coulomb } else { Duty::Sliding(direction) };
        problem.push(tangents, [mu, mu + random.within(0.0, 0.4 * most)], duty);
    }
    problem.G.copy_from(&(&J * J.transpose()));
    // Consistent with a mechanism: b = J a.
    let a = DMatrix::from_fn(n, 1, |_, _| random.within(-1.0, 1.0));
    problem.b.copy_from_slice((J * a).as_slice());
    problem
}

#[test]
fn eq1_to_eq5_random_systems_satisfy_every_law() {
    let mut solved = 0;
    for seed in 0..4000 {
        let mut random = Random::new(seed);
        let (nc, tangents) = (1 + random.below(4), 1 + random.below(2));
        let problem = random_problem(&mut random, nc, tangents, 0.25);
        let found = solve(&problem);
        solved += usize::from(found.solved.accepted());
        if found.solved.accepted() {
            assert!(residual(&problem, &found.x, &found.w) <= 1e-9);
        }
    }
    println!("{solved} of 4000 solved");
    assert!(solved > 3900, "only {solved} of 4000 solved");
}

#[test]
fn a_contact_alone_is_what_pivoting_finds() {
    // With a second contact that takes no part the general way is taken.
    let mut random = Random::new(31);
    let (mut sticks, mut slips, mut opens) = (0, 0, 0);
    for _ in 0..3000 {
        let mut lone = random_problem(&mut random, 1, 1, 2.0);
        let c = &mut lone.contacts[0];
        (c.duty, c.static_friction) = (Duty::Coulomb, c.friction);
        let mut general = Problem::default();
        general.resize(4);
        for duty in [Duty::Coulomb, Duty::Apart] {
            let c = &lone.contacts[0];
            general.push(1, [c.friction, c.static_friction], duty);
        }
        general.G.view_mut((0, 0), (2, 2)).copy_from(&lone.G);
        general.G[(2, 2)] = 1.0;
        general.G[(3, 3)] = 1.0;
        general.b.rows_mut(0, 2).copy_from(&lone.b);
        let (found, wanted) = (solve(&lone), solve(&general));
        assert!(found.solved.residual < 1e-12, "{}", found.solved.residual);
        let size = wanted.x.amax().max(1e-300);
        assert!((&found.x - wanted.x.rows(0, 2)).amax() <= 1e-10 * size);
        assert_eq!(found.modes[0].held, wanted.modes[0].held);
        match found.modes[0] {
            Mode::OPEN => opens += 1,
            mode if mode.sticks() => sticks += 1,
            _ => slips += 1,
        }
    }
    assert!(sticks > 100 && slips > 100 && opens > 100, "{sticks} {slips} {opens}");
}

#[test]
fn eq4_a_smooth_contact_alone() {
    for (mobility, b) in [(2.0, -3.0), (1e-7, -1e3), (1e9, -1e-12), (2.0, 3.0), (2.0, 0.0)] {
        let mut lone = Problem::default();
        lone.resize(1);
        lone.push(0, [0.0; 2], Duty::Coulomb);
        (lone.G[(0, 0)], lone.b[0]) = (mobility, b);
        let found = solve(&lone);
        assert_eq!(found.x[0], f64::max(-b / mobility, 0.0));
        assert_eq!(found.modes[0].held, b < 0.0);
        assert!(found.solved.residual <= 1e-15);
    }
}

#[test]
fn eq1_blocks_are_solved_apart() {
    // Two problems side by side have the answers of each alone, to the bit, whatever the other is.
    let mut random = Random::new(5);
    let one = random_problem(&mut random, 3, 2, 0.2);
    let other = random_problem(&mut random, 4, 2, 0.2);
    let mut both = Problem::default();
    let n = one.rows();
    both.resize(n + other.rows());
    both.G.view_mut((0, 0), (n, n)).copy_from(&one.G);
    both.G.view_mut((n, n), (other.rows(), other.rows())).copy_from(&other.G);
    both.b.rows_mut(0, n).copy_from(&one.b);
    both.b.rows_mut(n, other.rows()).copy_from(&other.b);
    for c in one.contacts.iter().chain(&other.contacts) {
        both.push(c.tangents, [c.friction, c.static_friction], c.duty);
    }
    let (a, b, whole) = (solve(&one), solve(&other), solve(&both));
    assert_eq!(whole.x.rows(0, n), a.x.rows(0, n));
    assert_eq!(whole.x.rows(n, other.rows()), b.x.rows(0, other.rows()));
}

/// Four normals on one body with three degrees of freedom: heave, roll, pitch.
/// A driven contact that slides has known forces: the others find theirs as if b had them, also from a guess and alone.
#[test]
fn eq2_known_forces_are_part_of_b() {
    let mut random = Random::new(12);
    let mut pushed = 0;
    for round in 0..200 {
        let mut problem = random_problem(&mut random, 4, 1 + round % 2, 0.3);
        let at = random.below(4);
        let preload = random.within(0.0, 2.0);
        let along = if round % 2 == 0 { [-1.0, 0.0] } else { [0.6, 0.8] };
        let c = &mut problem.contacts[at];
        (c.driven, c.preload, c.duty) = (true, preload, Duty::Sliding(along));
        let (c, mut known) = (*c, DVector::zeros(problem.rows()));
        known[c.normal()] = preload;
        c.tangent_rows().zip(along).for_each(|(i, d)| known[i] = -c.friction * preload * d);
        let mut rest = problem.clone();
        rest.b += &problem.G * &known;
        rest.contacts[at].duty = Duty::Apart;
        (rest.contacts[at].driven, rest.contacts[at].preload) = (false, 0.0);
        let all = solve(&problem);
        let mut own = &all.x - &known;
        c.rows().for_each(|i| own[i] = 0.0);
        let mut w = DVector::zeros(0);
        velocity(&rest, &own, &mut w);
        assert!(residual(&rest, &own, &w) <= 1e-9 && all.solved.residual <= 1e-9, "{round}");
        pushed += usize::from(own.amax() > 1e-3);
        // Once more from the modes that were found, which is how a run goes on.
        let (mut modes, mut x) = (Vec::new(), DVector::zeros(0));
        let again = Solver::default().solve(&problem, &all.modes, &mut x, &mut modes);
        assert!(again.residual <= 1e-9, "{round}: {again:?}");
        assert!(c.rows().all(|i| x[i] == known[i]) && modes[at] == all.modes[at], "{round}");
    }
    assert!(pushed > 100);
    let alone = planar([1.0, 0.2, 2.0], [0.1, -6.0], [0.3; 2], Duty::Coulomb);
    let (mut modes, mut x) = (Vec::new(), DVector::zeros(0));
    let first = solve(&alone);
    Solver::default().solve(&alone, &first.modes, &mut x, &mut modes);
    assert!((&x - &first.x).amax() < 1e-14 && modes == first.modes);
}

fn four_corners(b: [f64; 4]) -> Problem {
    let J = DMatrix::from_row_slice(
        4,
        3,
        &[1.0, 1.0, 1.0, 1.0, -1.0, 1.0, 1.0, 1.0, -1.0, 1.0, -1.0, -1.0],
    );
    let mut problem = Problem::default();
    problem.resize(4);
    (0..4).for_each(|_| problem.push(0, [0.0; 2], Duty::Coulomb));
    problem.G.copy_from(&(&J * J.transpose()));
    problem.b.copy_from_slice(&b);
    problem
}

#[test]
fn eq5_least_norm_and_least_change() {
    let problem = four_corners([-9.81; 4]);
    let found = solve(&problem);
    for x in found.x.iter() {
        assert!((x - 9.81 / 4.0).abs() < 1e-13);
    }
    // About a reference along the null space of Jᵀ the forces keep that part of it.
    let (mut system, mut x) = (ModeSystem::default(), DVector::zeros(0));
    let modes = [Mode::held(Tangent::Smooth); 4];
    system.solve_near(&problem, &modes, &[1.0, -1.0, -1.0, 1.0], &mut x);
    assert!(system.deficient());
    for (x, sign) in x.iter().zip([1.0, -1.0, -1.0, 1.0]) {
        assert!((x - (9.81 / 4.0 + sign)).abs() < 1e-12, "{x}");
    }
}

#[test]
fn eq1_redundant_forces_find_room() {
    // The load stands close to one corner: least norm makes the opposite one pull.
    let heavy = DVector::from_column_slice(&[1.0, 1.0, 1.0, 1.0]);
    let mut problem = four_corners([0.0; 4]);
    let J = DMatrix::from_row_slice(
        4,
        3,
        &[1.0, 1.0, 1.0, 1.0, -1.0, 1.0, 1.0, 1.0, -1.0, 1.0, -1.0, -1.0],
    );
    let load = DVector::from_column_slice(&[-1.0, -0.7, -0.7]);
    problem.b.copy_from(&(&J * load));
    let found = solve(&problem);
    assert!(found.solved.accepted() && found.w.amax() < 1e-12);
    let modes = [Mode::held(Tangent::Smooth); 4];
    let (mut system, mut least) = (ModeSystem::default(), DVector::zeros(0));
    system.solve(&problem, &modes, &mut least);
    assert!(least.min() < -0.05, "{least}");
    let mut reference = Vec::new();
    Share::default().reference(&problem, &modes, &found.x, &mut reference);
    assert!(reference.iter().all(|x| *x > 1e-4), "{reference:?}");
    assert!((heavy.dot(&DVector::from_vec(reference)) - 1.0).abs() < 1e-9);
}

/// A joint is pushed with 1 N·m into its limit, and its dry friction holds up to 0.4 N·m: the two are redundant, and
/// least norm would ask 0.5 N·m of the friction.
#[test]
fn eq1_dry_friction_of_a_joint_at_its_limit_finds_room() {
    let mut problem = Problem::default();
    problem.resize(3);
    problem.push(0, [0.0; 2], Duty::Coulomb);
    problem.push(1, [1.0; 2], Duty::Coulomb);
    (problem.contacts[1].driven, problem.contacts[1].preload) = (true, 0.4);
    let J = DVector::from_column_slice(&[-1.0, 1.0, 0.0]);
    problem.G.copy_from(&(&J * J.transpose()));
    problem.b.copy_from(&J);
    let modes = [Mode::held(Tangent::Smooth), problem.contacts[1].closed(Tangent::Stick)];
    let edge = DVector::from_column_slice(&[0.6, -0.4, 0.4]);
    let mut reference = Vec::new();
    let room = Share::default().reference(&problem, &modes, &edge, &mut reference);
    assert_eq!(room, Room::Roomy);
    assert!((reference[0] - reference[1] - 1.0).abs() < 1e-9, "{reference:?}");
    assert!(reference[1].abs() <= 0.99 * 0.4 && reference[0] > 0.0, "{reference:?}");
}

/// The same beside a foot whose friction is all but at its limit: it has one force only, and is no reason for the joint to have
/// no room.
#[test]
fn eq1_margins_are_asked_of_redundant_forces_only() {
    let mut problem = Problem::default();
    problem.resize(5);
    problem.push(0, [0.0; 2], Duty::Coulomb);
    problem.push(1, [1.0; 2], Duty::Coulomb);
    (problem.contacts[1].driven, problem.contacts[1].preload) = (true, 0.4);
    problem.push(1, [0.5; 2], Duty::Coulomb);
    let J = DMatrix::from_row_slice(
        5,
        3,
        &[-1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
    );
    problem.G.copy_from(&(&J * J.transpose()));
    problem.b.copy_from(&(&J * DVector::from_column_slice(&[1.0, -0.4995, -1.0])));
    let stick = |k: usize| problem.contacts[k].closed(Tangent::Stick);
    let modes = [Mode::held(Tangent::Smooth), stick(1), stick(2)];
    let edge = DVector::from_column_slice(&[0.6, -0.4, 0.4, 0.4995, 1.0]);
    let mut reference = Vec::new();
    let room = Share::default().reference(&problem, &modes, &edge, &mut reference);
    assert_eq!(room, Room::Roomy);
    assert!(reference[1].abs() <= 0.99 * 0.4 && reference[0] > 0.0, "{reference:?}");
    assert!((reference[3] - 0.4995).abs() < 1e-9 && (reference[4] - 1.0).abs() < 1e-9);
}

#[test]
fn spatial_cones_are_circular() {
    // A point mass pushed sideways beyond its friction slips along the push, whatever the axes.
    for k in 0..16 {
        let (sin, cos) = (0.4 * k as f64).sin_cos();
        let mut problem = Problem::default();
        problem.resize(3);
        problem.push(2, [0.3; 2], Duty::Coulomb);
        problem.G.fill_diagonal(2.0);
        problem.b.copy_from_slice(&[cos, sin, -1.0]);
        let found = solve(&problem);
        assert!((found.x[0] + 0.15 * cos).abs() < 1e-12 && (found.x[1] + 0.15 * sin).abs() < 1e-12);
    }
}

#[test]
fn two_corners_of_a_box_start_to_slip() {
    // The edge of a box that tips over it slides off, both corners along one direction.
    let inertia = [0.05 / 12.0, 0.1 / 12.0, 0.13 / 12.0];
    let (axes, mu) = ([(0.3_f64).sin_cos(), (1.1_f64).sin_cos()], 0.5);
    let mut rows: Vec<[f64; 6]> = Vec::new();
    for (corner, (sin, cos)) in [-0.1, 0.1].iter().zip(axes) {
        let r = [-0.15, *corner, -0.05];
        for d in [[cos, sin, 0.0], [-sin, cos, 0.0], [0.0, 0.0, 1.0]] {
            let turn =
                [r[1] * d[2] - r[2] * d[1], r[2] * d[0] - r[0] * d[2], r[0] * d[1] - r[1] * d[0]];
            rows.push([d[0], d[1], d[2], turn[0], turn[1], turn[2]]);
        }
    }
    let mut problem = Problem::default();
    problem.resize(6);
    (0..2).for_each(|_| problem.push(2, [mu; 2], Duty::Coulomb));
    for i in 0..6 {
        for j in 0..6 {
            let weigh = |k: usize| if k < 3 { 1.0 } else { 1.0 / inertia[k - 3] };
            problem.G[(i, j)] = (0..6).map(|k| rows[i][k] * rows[j][k] * weigh(k)).sum();
        }
        problem.b[i] = -9.81 * rows[i][2];
    }
    let found = solve(&problem);
    // By hand: N (1 + 0.15²/I) − μ N · 0.15 · 0.05/I = g with I about the y axis.
    let normal = 9.81 / (1.0 + (0.15 * 0.15 - mu * 0.15 * 0.05) / inertia[1]);
    let [a, b] = [found.x[2], found.x[5]];
    assert!((a - 0.5 * normal).abs() < 1e-10 && (b - 0.5 * normal).abs() < 1e-10, "{a} {b}");
    for (mode, (sin, cos)) in found.modes.iter().zip(axes) {
        let Tangent::Slip(d) = mode.tangent else { panic!("{mode:?}") };
        let along = [d[0] * cos - d[1] * sin, d[0] * sin + d[1] * cos];
        assert!((along[0].abs() - 1.0).abs() < 1e-12 && along[1].abs() < 1e-10, "{along:?}");
    }
}

#[test]
fn stacks_are_solved() {
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let (name, problem) = stacks::random(&mut random, 48);
        let start = std::time::Instant::now();
        let found = solve(&problem);
        println!(
            "{name:>10} {:4} contacts {:10.2e} {:?} {:.1} ms",
            problem.contacts.len(),
            found.solved.residual,
            found.solved.by,
            1e3 * start.elapsed().as_secs_f64()
        );
        assert!(found.solved.accepted(), "{name}, seed {seed}: {:?}", found.solved);
    }
}

/// Two contacts that ask for nearly the same: where they can be told apart, forces are those of the equations; where
/// only round-off tells them apart, they stay together.
#[test]
fn eq6_is_continuous_where_contacts_become_redundant() {
    let mut system = ModeSystem::default();
    let modes = [Mode::held(Tangent::Smooth); 2];
    let mut forces = |delta: f64, noise: f64| {
        let mut problem = Problem::default();
        problem.resize(2);
        problem.G.copy_from_slice(&[1.0, 1.0 - delta, 1.0 - delta, 1.0]);
        problem.b.copy_from_slice(&[-1.0, -1.0 - noise]);
        problem.push(0, [0.0; 2], Duty::Coulomb);
        problem.push(0, [0.0; 2], Duty::Coulomb);
        let mut x = nalgebra::DVector::zeros(2);
        system.follow(&problem, &modes, &[], &mut x);
        [x[0], x[1]]
    };
    let [a, b] = forces(1e-2, 1e-3);
    assert!((a - b + 0.1).abs() < 1e-9 && (a + b - 2.001 / 1.99).abs() < 1e-9, "{a} {b}");
    for delta in [0.0, 1e-16, 1e-14, 1e-12] {
        let [a, b] = forces(delta, 1e-15);
        assert!((a - 0.5).abs() < 1e-3 && (b - 0.5).abs() < 1e-3, "{delta:e} {a} {b}");
    }
}

/// What round-off in the accelerations does to the forces of nearly redundant contacts, σ from regular to exactly
/// redundant, is within the bound, and where contacts are not redundant the bound is not more than a thousand times what
/// happens.
#[test]
fn eq7_bounds_the_round_off_of_nearly_redundant_forces() {
    let mut system = ModeSystem::default();
    let modes = [Mode::held(Tangent::Smooth); 2];
    for power in 1..16 {
        let delta = 10f64.powi(-power);
        let mut forces = |noise: f64| {
            let mut problem = Problem::default();
            problem.resize(2);
            problem.G.copy_from_slice(&[1.0, 1.0 - delta, 1.0 - delta, 1.0]);
            problem.b.copy_from_slice(&[-1.0, -1.0 - noise]);
            problem.push(0, [0.0; 2], Duty::Coulomb);
            problem.push(0, [0.0; 2], Duty::Coulomb);
            let mut x = nalgebra::DVector::zeros(2);
            system.follow(&problem, &modes, &[], &mut x);
            (x[0], system.noise())
        };
        let ((exact, bound), (other, _)) = (forces(0.0), forces(2.0 * f64::EPSILON));
        let change = (other - exact).abs() / exact.abs();
        assert!(change <= bound.max(1e-15), "{delta:e}: {change:e} {bound:e}");
        let sharp = delta < 1e-5 || bound <= 1e3 * change.max(1e-15);
        assert!(sharp && bound < 1e-6, "{delta:e}: {change:e} {bound:e}");
    }
}

/// Two contacts slip, their friction rises: forces grow without bound where the determinant of the modes vanishes, and (8)
/// vanishes there at both, whichever of them makes it; without friction it is one, alone it is A/Gₙₙ.
#[test]
fn eq8_is_where_forces_grow_without_bound() {
    let mut random = Random::new(8);
    let mut system = ModeSystem::default();
    let mut poles = 0;
    for _ in 0..200 {
        let J = nalgebra::DMatrix::from_fn(4, 5, |_, _| random.within(-1.0, 1.0));
        let G = &J * J.transpose();
        let pose = |mu: f64, count: usize| {
            let mut problem = Problem::default();
            problem.resize(2 * count);
            problem.G.copy_from(&G.view((0, 0), (2 * count, 2 * count)));
            problem.b.fill(-1.0);
            (0..count).for_each(|_| problem.push(1, [mu; 2], Duty::Sliding([1.0, 0.0])));
            problem
        };
        let modes = [Mode::held(Tangent::Slip([1.0, 0.0])); 2];
        let mut x = DVector::zeros(0);
        let mut stability = |mu: f64, count: usize| {
            let problem = pose(mu, count);
            system.follow(&problem, &modes[..count], &[], &mut x);
            [1, 2 * count - 1].map(|n| system.stability(&problem, n))
        };
        for s in stability(0.0, 2) {
            assert!(s > 0.25 && s <= 1.0 + 1e-12, "{s}");
        }
        let alone = 1.0 - 3.0 * G[(1, 0)] / G[(1, 1)];
        if alone < 0.25 {
            assert!((stability(3.0, 1)[0] - alone).abs() < 1e-12 * alone.abs().max(1.0));
        }
        let A =
            |i: usize, j: usize, mu: f64| G[(2 * i + 1, 2 * j + 1)] - mu * G[(2 * i + 1, 2 * j)];
        let det = |mu: f64| A(0, 0, mu) * A(1, 1, mu) - A(0, 1, mu) * A(1, 0, mu);
        let Some(k) = (1..100).find(|&k| det(0.05 * f64::from(k)) < 0.0) else { continue };
        let (mut low, mut high) = (0.05 * f64::from(k - 1), 0.05 * f64::from(k));
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if det(middle) > 0.0 { low = middle } else { high = middle }
        }
        poles += 1;
        let (before, after) = (stability(low - 1e-7, 2), stability(high + 1e-7, 2));
        for s in before.into_iter().chain(after) {
            assert!(s.abs() < 1e-3, "{before:?} {after:?}");
        }
        assert!(before.iter().zip(after).any(|(b, a)| *b > 0.0 && a < 0.0), "{before:?} {after:?}");
    }
    assert!(poles > 50, "{poles}");
}

/// Contact forces of two quadrupeds on the ground, as their falls have posed them: 14 and 30 rows, two feet whose distance
/// no force can change but 1e-13, accelerations that ask for it. Both cannot stick; one must slip, so slowly that its
/// velocity is 1e-8 of the others.
#[test]
fn nearly_redundant_feet_let_go() {
    let mut solver = Solver::default();
    for problem in problems(include_str!("data/nearly_redundant.txt")) {
        let (mut x, mut modes) = (DVector::zeros(0), Vec::new());
        let solved = solver.solve(&problem, &[], &mut x, &mut modes);
        let rows = problem.rows();
        assert!(solved.accepted() && solved.softness == 0.0, "{rows} rows: {solved:?}");
    }
}

/// A quadruped on its shoulders, of which some slip by 1e-7 of the accelerations: forces, and the impulses of a time step.
#[test]
fn eq1_to_eq5_slips_that_g_hardly_sees() {
    let mut solver = Solver::default();
    for problem in problems(include_str!("data/slow_slips.txt")) {
        let (mut x, mut modes) = (DVector::zeros(0), Vec::new());
        let solved = solver.solve(&problem, &[], &mut x, &mut modes);
        assert!(solved.accepted() && solved.softness == 0.0, "{solved:?}");
    }
}

/// `rows n`, the lower triangle of G, b, `contacts k`, and of each its tangents, friction, whether it slides, and along what.
fn problems(text: &str) -> Vec<Problem> {
    let mut words = text.split_whitespace().peekable();
    let mut all = Vec::new();
    while words.next() == Some("rows") {
        let mut number = || words.next().and_then(|w| w.parse::<f64>().ok()).unwrap();
        let rows = number() as usize;
        let mut problem = Problem::default();
        problem.resize(rows);
        for i in 0..rows {
            for j in 0..=i {
                problem.G[(i, j)] = number();
                problem.G[(j, i)] = problem.G[(i, j)];
            }
        }
        problem.b.iter_mut().for_each(|b| *b = number());
        assert_eq!(words.next(), Some("contacts"));
        let mut number = || words.next().and_then(|w| w.parse::<f64>().ok()).unwrap();
        for _ in 0..number() as usize {
            let tangents = number() as usize;
            let (mu, slides) = (number(), number() != 0.0);
            let duty = if slides { Duty::Sliding([number(), number()]) } else { Duty::Coulomb };
            problem.push(tangents, [mu; 2], duty);
        }
        all.push(problem);
    }
    all
}

/// A foot that sticks and a joint limit that is about to let go, with so much friction that the foot may as well leave: the
/// forces of least norm would be none, in another motion.
#[test]
fn eq1_redundant_forces_stay_with_their_motion() {
    let mut problem = Problem::default();
    problem.resize(4);
    problem.push(2, [2.614761336264146; 2], Duty::Coulomb);
    problem.push(0, [0.0; 2], Duty::Coulomb);
    problem.G = DMatrix::from_row_slice(
        4,
        4,
        &[
            [1.3949552585012406, 0.20380880931116493, 0.3514260466328985, 7.373477091288149],
            [0.20380880931116493, 0.809274302308794, 0.11924317748723563, 2.3279027291460346],
            [0.3514260466328985, 0.11924317748723563, 0.10908127030351626, 1.4108823278159883],
            [7.373477091288149, 2.3279027291460346, 1.4108823278159883, 62.07813523793327],
        ]
        .concat(),
    );
    problem.b.copy_from_slice(&[
        0.2776643146467044,
        1.3873396601991674,
        0.08823022892848842,
        7.3886012998175135,
    ]);
    let (mut modes, mut x, mut w) = (Vec::new(), DVector::zeros(0), DVector::zeros(0));
    let warm = [STICK, Mode::held(Tangent::Smooth)];
    let solved = Solver::default().solve(&problem, &warm, &mut x, &mut modes);
    velocity(&problem, &x, &mut w);
    assert!(solved.accepted());
    // Modes are those of the forces: what is held does not move, what moves is not held.
    let moves = w.amax() > 1e-7 * problem.b.amax();
    assert_eq!(modes[0].held, !moves, "{modes:?} {x} {w}");
}
