//! The sample problems with answers from an independent high-precision implementation.

use carom::impact::Differential;
use carom::impact::{
    ImpactAnswer, ImpactContact, ImpactLaw, ImpactProblem, ImpactWorkspace, Restitution,
};
use nalgebra::{DMatrix, DVector};
use serde_json::Value;

fn vector(v: &Value) -> DVector<f64> {
    let entries = v.as_array().expect("an array").iter();
    DVector::from_iterator(entries.len(), entries.map(|x| x.as_f64().expect("a number")))
}

fn matrix(v: &Value, columns: usize) -> DMatrix<f64> {
    let rows: Vec<_> = v.as_array().expect("rows").iter().map(vector).collect();
    DMatrix::from_fn(rows.len(), columns, |i, j| rows[i][j])
}

pub fn problem(v: &Value) -> ImpactProblem {
    let velocity = vector(&v["velocity"]);
    let n = velocity.len();
    let contacts = v["contacts"].as_array().expect("contacts").iter().map(|c| {
        let friction = c["friction"].as_f64().expect("friction");
        ImpactContact {
            name: c["name"].as_str().expect("name").to_owned(),
            tangents: matrix(&c["tangents"], n),
            normal: vector(&c["normal"]),
            friction,
            static_friction: c["static_friction"].as_f64().unwrap_or(friction),
            restitution: c["restitution"].as_f64().expect("restitution"),
            touching: c["touching"].as_bool().unwrap_or(true),
        }
    });
    let contacts = contacts.collect();
    ImpactProblem::new(matrix(&v["mass_matrix"], n), velocity, contacts).expect("valid")
}

fn definition(v: &Value) -> Restitution {
    let word = v["law"]["restitution"].as_str().expect("restitution");
    Restitution::ALL.into_iter().find(|r| r.as_str() == word).expect("a definition")
}

/// Largest deviation relative to `scale`.
fn deviation(ours: impl Iterator<Item = f64>, theirs: &Value, scale: f64) -> f64 {
    let theirs = vector(theirs);
    ours.zip(theirs.iter()).map(|(a, b)| (a - b).abs() / scale).fold(0.0, f64::max)
}

/// Contract: 1e-6. The answers turn out to carry twelve digits.
#[test]
fn spatial_samples() {
    let mut work = ImpactWorkspace::new();
    let mut out = ImpactAnswer::default();
    let mut worst: f64 = 0.0;
    for line in include_str!("../samples/spatial1.jsonl").lines() {
        let v: Value = serde_json::from_str(line).expect("JSON");
        let p = problem(&v["problem"]);
        let law = Differential { restitution: definition(&v["problem"]) };
        law.resolve_problem(&p, &mut work, &mut out).expect("resolves");
        let a = &v["answer"];
        let s = &out.solution;
        let c = &a["contacts"][0];
        let scale = vector(&a["velocity"]).amax().max(p.velocity.amax());
        let energy = a["energy"]["before"].as_f64().expect("energy");
        let mut d = deviation(out.velocity.iter().copied(), &a["velocity"], scale);
        let p_n = c["impulse_normal"].as_f64().expect("impulse");
        d = d.max((s.impulses[2] - p_n).abs() / p_n);
        d = d.max(deviation(s.impulses.iter().take(2).copied(), &c["impulse_tangent"], p_n));
        d = d.max(deviation(s.u_post.iter().take(2).copied(), &c["velocity_tangent"], scale));
        for (ours, name) in [
            (out.energy_before, "before"),
            (out.energy_after, "after"),
            (s.normal_work, "normal_work"),
            (s.friction_work, "friction_work"),
        ] {
            let theirs = a["energy"][name].as_f64().expect("energy");
            d = d.max((ours - theirs).abs() / energy);
        }
        assert_eq!(s.outcomes[0].as_str(), c["outcome"].as_str().expect("outcome"));
        assert!(d < 1e-11, "{}: {d:e}", v["id"]);
        worst = worst.max(d);
    }
    println!("worst deviation from the samples {worst:.1e}");
}
