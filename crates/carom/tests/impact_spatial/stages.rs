//! Several contacts.

use carom::impact::spatial::{SpatialDifferential, SpatialScratch, resolve, resolve_staged};
use carom::impact::*;

use crate::random::{Random, case, problem, space};

#[test]
fn staged_law_of_one_contact_is_the_closed_solution() {
    let mut rng = Random(3);
    let (mut scratch, mut out) = (SpatialScratch::default(), ImpactSolution::default());
    let mut worst = 0.0_f64;
    for i in 0..300 {
        let c = case(&mut rng, 3.0);
        let t = std::time::Instant::now();
        let r = resolve_staged(c.c.definition, &space(&c), &mut scratch, &mut out);
        let dt = t.elapsed();
        let s = resolve(&c.K, &c.u, &c.c, None).expect("resolves");
        if let Err(e) = r { println!("{i} {e:?} {c:?} {s:?}"); continue; }
        let scale = c.u.amax().max(s.velocity.amax());
        let d = (0..3).map(|k| (s.velocity[k] - out.u_post[k]).abs() / scale).fold(0.0, f64::max);
        let dw = (s.normal_work - out.normal_work).abs() / s.compression_work.abs();
        worst = worst.max(d).max(dw);
        if d > 1e-10 || dw > 1e-10 || i < 10 { println!("{i} {d:.1e} {dw:.1e} {dt:?}"); }
    }
    println!("worst {worst:.1e}");
}

#[test]
fn one_tangent_contacts_follow_the_planar_law() {
    let mut rng = Random(4);
    let (mut work, mut a, mut b) = (ImpactWorkspace::new(), ImpactAnswer::default(), ImpactAnswer::default());
    let mut worst = 0.0_f64;
    for i in 0..300 {
        let tangents = [[1, 1, 1], [1, 0, 1], [0, 1, 1]][i % 3];
        let p = problem(&mut rng, 10, &tangents);
        for r in Restitution::ALL {
            let x = Differential { restitution: r }.resolve_problem(&p, &mut work, &mut a);
            let y = SpatialDifferential::new(r).resolve_problem(&p, &mut work, &mut b);
            if x.is_err() || y.is_err() { println!("{i} {x:?} {y:?}"); continue; }
            let d = (&a.velocity - &b.velocity).amax() / a.velocity.amax();
            worst = worst.max(d);
            if d > 1e-12 { println!("{i} {r} {d:e}"); }
        }
    }
    println!("worst {worst:.1e}");
}

#[test]
fn spatial_mix() {
    let mut rng = Random(5);
    let (mut work, mut a) = (ImpactWorkspace::new(), ImpactAnswer::default());
    for i in 0..200 {
        let tangents: &[usize] = [&[2usize, 2, 2][..], &[2, 1], &[0, 2, 1], &[1, 2, 2], &[2, 2, 2, 2]][i % 5];
        let p = problem(&mut rng, 14, tangents);
        let r = Restitution::ALL[i % 3];
        let t = std::time::Instant::now();
        let y = SpatialDifferential::new(r).resolve_problem(&p, &mut work, &mut a);
        let dt = t.elapsed();
        if let Err(e) = y { println!("{i} {tangents:?} {e:?}"); continue; }
        let mut red = Reduction::default(); red.reduce(&p).unwrap();
        let au = audit(&red.space, &a.solution);
        if au.worst().1 > 1e-10 || i < 20 { println!("{i} {tangents:?} {:?} {dt:?} {:?}", au.worst(), a.solution.outcomes); }
    }
}

#[test]
fn debug180() {
    let mut rng = Random(5);
    let mut work = ImpactWorkspace::new();
    for i in 0..200 {
        let tangents: &[usize] = [&[2usize, 2, 2][..], &[2, 1], &[0, 2, 1], &[1, 2, 2], &[2, 2, 2, 2]][i % 5];
        let p = problem(&mut rng, 14, tangents);
        if i != 180 { continue; }
        let r = Restitution::ALL[i % 3];
        let mut a = ImpactAnswer::traced();
        SpatialDifferential::new(r).resolve_problem(&p, &mut work, &mut a).unwrap();
        let mut red = Reduction::default(); red.reduce(&p).unwrap();
        for s in &a.solution.trace.stages {
            let mut u = red.space.u_pre.clone();
            u += &red.space.G * nalgebra::DVector::from_column_slice(&s.impulses);
            u -= nalgebra::DVector::from_column_slice(&s.velocity);
            println!("{:?} {} p {:.6} imp {:?} res {:?}", s.event, s.contact, s.normal_impulse, s.impulses, u.as_slice());
        }
    }
    let mut rng = Random(3);
    for i in 0..300 {
        let c = case(&mut rng, 3.0);
        if i == 89 {
            let mut f = |e: StageEvent, s: carom::impact::spatial::SpatialImpact| println!("{e:?} {:?} {}", s.velocity, s.impulse[2]);
            resolve(&c.K, &c.u, &c.c, Some(&mut f)).unwrap();
            let mut out = ImpactSolution::traced();
            let _ = resolve_staged(c.c.definition, &space(&c), &mut SpatialScratch::default(), &mut out);
            for s in &out.trace.stages { println!("{:?} {} {:?}", s.event, s.normal_impulse, s.velocity); }
            println!("{:?} {:?}", out.u_post, out.impulses);
        }
    }
}
