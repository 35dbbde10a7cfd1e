//! The net under every law, by the numbers of `impact::net`.

mod impact_support;

use carom::impact::net::fault;
use carom::impact::{
    ContactSpace, Differential, ImpactAnswer, ImpactError, ImpactLaw, ImpactSolution,
    ImpactWorkspace, Newton, Promises, Rescue, Restitution, Whittaker, audit, resolve_or_comply,
    resolve_problem_or_comply,
};
use impact_support::{Recipe, Rng, problem_from, random_problem, reduce};

/// A law that gives a ready answer, or an error.
struct Fake(Result<ImpactSolution, ImpactError>, Promises);

impl ImpactLaw for Fake {
    fn name(&self) -> &'static str {
        "fake"
    }

    fn promises(&self) -> Promises {
        self.1
    }

    fn resolve(
        &self,
        _: &ContactSpace,
        _: &mut ImpactWorkspace,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        out.clone_from(self.0.as_ref().map_err(Clone::clone)?);
        Ok(())
    }
}

fn spaces(count: usize) -> Vec<ContactSpace> {
    let mut rng = Rng::new(81);
    let recipe =
        Recipe { contacts: 2, coordinates: 6, shift: 0.3, friction: 0.5, static_excess: 0.0 };
    (0..count).map(|_| reduce(&random_problem(&mut rng, recipe))).collect()
}

fn resolved(law: &dyn ImpactLaw, space: &ContactSpace) -> ImpactSolution {
    let mut out = ImpactSolution::default();
    resolve_or_comply(law, space, &mut ImpactWorkspace::new(), &mut out).expect("an answer");
    out
}

fn energetic() -> Differential {
    Differential { restitution: Restitution::Energetic }
}

#[test]
fn eq1_good_answers_stay() {
    for space in spaces(40) {
        let law = energetic();
        let mut alone = ImpactSolution::default();
        law.resolve(&space, &mut ImpactWorkspace::new(), &mut alone).expect("an ordinary problem");
        let out = resolved(&law, &space);
        assert_eq!(out.rescue, None);
        assert_eq!(out.u_post, alone.u_post);
        assert_ne!(out.solved.by, "compliant");
    }
}

#[test]
fn eq2_plastic() {
    for mut space in spaces(20) {
        space.contacts.iter_mut().for_each(|c| c.restitution = 0.0);
        let error = ImpactError::NoConsistentMode { law: "fake", stage: 1, residual: 1.0 };
        let out = resolved(&Fake(Err(error), Promises::default()), &space);
        assert_eq!(out.rescue, Some(Rescue::NoMode));
        assert_eq!(out.solved.by, "complementarity");
        let plastic = resolved(&Newton, &space);
        assert_eq!(out.u_post, plastic.u_post);
    }
}

#[test]
fn eq3_refusals_are_answered() {
    let space = &spaces(1)[0];
    let law = "fake";
    for (error, rescue) in [
        (ImpactError::NoConsistentMode { law, stage: 0, residual: 1.0 }, Rescue::NoMode),
        (ImpactError::AmbiguousModes { law, stage: 0 }, Rescue::Ambiguous),
        (ImpactError::Jammed { law, contact: 0, rate: 0.0 }, Rescue::Jammed),
        (ImpactError::Unsolved { law, residual: 1.0, tolerance: 1e-9 }, Rescue::Unsolved),
        (ImpactError::EnergyLimit { law, limit: 1.0 }, Rescue::EnergyLimit),
        (ImpactError::TooManyStages { law, limit: 9 }, Rescue::TooLong),
    ] {
        let out = resolved(&Fake(Err(error), Promises::default()), space);
        assert_eq!((out.rescue, out.solved.by), (Some(rescue), "compliant"));
        assert!(audit(space, &out).worst().1 < 1e-11);
        assert!(!rescue.as_str().is_empty());
    }
    // What the user got wrong stays wrong.
    let mut open = space.clone();
    open.u_pre.fill(1.0);
    open.classify();
    let (mut work, mut out) = (ImpactWorkspace::new(), ImpactSolution::default());
    let error = resolve_or_comply(&Whittaker, &open, &mut work, &mut out);
    assert!(matches!(error, Err(ImpactError::NoApproach { .. })));
}

#[test]
fn eq4_friction_that_drives() {
    let space = &spaces(1)[0];
    let good = resolved(&energetic(), space);
    let mut bad = good.clone();
    let shift = 1e-3 * good.normal_work.abs();
    bad.friction_works[0] += shift - bad.friction_works[0];
    bad.normal_works[0] -= bad.friction_works.iter().sum::<f64>() - good.friction_work;
    bad.sum_works();
    let path = Promises::of_a_path(true);
    let found = fault(&path, space, &bad);
    assert!(matches!(found, Some(Rescue::Audit { check: "friction work", .. })), "{found:?}");
    assert_eq!(fault(&Promises::default(), space, &bad), None);
    assert_eq!(resolved(&Fake(Ok(bad), path), space).solved.by, "compliant");
}

/// Impulses a thousand times too large: momentum, cone and balance hold, and no word is said without this.
#[test]
fn eq5_absurd_gains() {
    for space in spaces(20) {
        let mut bad = resolved(&energetic(), &space);
        bad.impulses *= 1e3;
        bad.complete(&space);
        let out = resolved(&Fake(Ok(bad), Promises::default()), &space);
        assert!(matches!(out.rescue, Some(Rescue::Audit { .. })));
        assert_eq!(out.solved.by, "compliant");
    }
}

#[test]
fn numbers_that_are_none_are_a_fault() {
    let space = &spaces(1)[0];
    let mut bad = resolved(&energetic(), space);
    bad.u_post[0] = f64::NAN;
    let out = resolved(&Fake(Ok(bad), Promises::default()), space);
    assert!(out.rescue.is_some() && out.u_post.iter().all(|u| u.is_finite()));
}

/// Problems that were refused, or answered with energy out of nothing.
#[test]
fn known_cases_are_answered() {
    let kinetic = Differential { restitution: Restitution::Kinetic };
    let energetic = energetic();
    let cases: [(&str, &dyn ImpactLaw); 6] = [
        (include_str!("samples/net/kinetic_energy_x6e6.json"), &kinetic),
        (include_str!("samples/net/kinetic_energy_x7e8.json"), &kinetic),
        (include_str!("samples/net/spatial_residual_7e7.json"), &energetic),
        (include_str!("samples/net/spatial_no_mode_2corners.json"), &energetic),
        (include_str!("samples/net/spatial_ambiguous_4corners.json"), &energetic),
        (include_str!("samples/net/spatial_no_mode_4corners.json"), &energetic),
    ];
    for (text, law) in cases {
        let problem = problem_from(&serde_json::from_str(text).expect("a problem"));
        let mut answer = ImpactAnswer::default();
        resolve_problem_or_comply(law, &problem, &mut ImpactWorkspace::new(), &mut answer)
            .expect("an answer");
        let a = audit(&reduce(&problem), &answer.solution);
        assert!(a.worst().1 < 1e-7, "{a:?}");
        assert!(answer.energy_after <= answer.energy_before * (1.0 + 1e-12));
    }
}
