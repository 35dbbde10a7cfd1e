//! What the climbs of a search led to.

use super::climb::Climbed;
use super::constraints::{Constraints, PostureLimit};
use super::distinct::{same, shape};
use super::stationarity::{End, Stationarity};
use crate::capability::evaluator::Evaluator;
use crate::capability::largest::{Capability, capability};
use crate::capability::stance::Stance;
use crate::error::AgilityError;
use crate::thresholds::ends::{SAME, SAME_MISS};
use carom::dynamics::Kinematics;
use carom::model::{BodyId, JointKind};
use nalgebra::Vector3;

/// Results by number of start; `None` where none was computed.
pub(super) type Ends = Vec<Option<Result<Climbed, AgilityError>>>;

/// A local optimum.
#[derive(Debug, Clone)]
pub struct Optimum {
    /// The posture.
    pub q: Vec<f64>,
    /// Its capability.
    pub capability: Capability,
    /// Worst miss of the constraints, m or rad.
    pub miss: f64,
    /// How many starts ended here.
    pub hits: usize,
    /// The first of them; 0 is the posture given.
    pub start: usize,
    /// What kind of end the climb reached.
    pub end: End,
    /// What that is concluded from.
    pub stationarity: Option<Stationarity>,
    /// Bounds of the posture that hold with equality.
    pub limits: Vec<PostureLimit>,
}

/// What a search found.
#[derive(Debug, Clone)]
pub struct SearchResult {
    /// Distinct optima, best first; never empty.
    pub optima: Vec<Optimum>,
    /// Capability of the posture given, once on the ground, m/s²; `None` if it has none.
    pub start: Option<f64>,
    /// Climbs that were made, from all sources.
    pub climbs: usize,
    /// Starts for which no posture was found from which to climb.
    pub failed: usize,
    /// Starts and hops that were left out because the search was stopped.
    pub skipped: usize,
    /// Climbs that ended without being stationary.
    pub unfinished: usize,
    /// Steps of all climbs.
    pub steps: usize,
    /// Capabilities computed by all climbs.
    pub evaluations: usize,
}

fn value(climbed: &Climbed) -> f64 {
    climbed.capability.acceleration
}

/// Distinct postures that were reached, best first.
pub(super) fn best_first(stance: &Stance<'_>, list: &Ends) -> Vec<Vec<f64>> {
    let mut kin = Kinematics::new(stance.model());
    let mut ends: Vec<&Climbed> = list.iter().flatten().flatten().collect();
    ends.sort_by(|a, b| value(b).total_cmp(&value(a)));
    let mut forms: Vec<Vec<f64>> = Vec::new();
    let mut known = Vec::new();
    for end in ends {
        let form = shape(stance, &end.q, &mut kin);
        if !forms.iter().any(|other| same(other, &form)) {
            forms.push(form);
            known.push(end.q.clone());
        }
    }
    known
}

/// Optima that differ, best first.
pub(super) fn gather(
    stance: &Stance<'_>,
    constraints: &Constraints,
    list: Ends,
    home: &[f64],
) -> Result<SearchResult, AgilityError> {
    let skipped = list.iter().filter(|e| e.is_none()).count();
    let tried = list.len() - skipped;
    let start = list.first().and_then(|r| r.as_ref()?.as_ref().ok()).map(|c| c.start);
    let mut fault = None;
    let mut ends: Vec<(usize, Climbed)> = Vec::new();
    for (i, result) in list.into_iter().enumerate() {
        match result {
            Some(Ok(climbed)) => ends.push((i, climbed)),
            // The fault of the posture given says most.
            Some(Err(error)) => fault = fault.or(Some(error)),
            None => {}
        }
    }
    if ends.is_empty() {
        return Err(match fault {
            Some(error @ AgilityError::Powerless { .. }) => {
                AgilityError::NoPosture { tried, reason: Box::new(error) }
            }
            Some(error) => error,
            None => AgilityError::NoMotors,
        });
    }
    let (climbs, failed) = (ends.len(), tried - ends.len());
    let unfinished = ends.iter().filter(|(_, c)| !c.end.converged()).count();
    let steps = ends.iter().map(|(_, c)| c.steps).sum();
    let evaluations = ends.iter().map(|(_, c)| c.evaluations).sum();
    ends.sort_by(|a, b| value(&b.1).total_cmp(&value(&a.1)).then(a.0.cmp(&b.0)));
    let optima = distinct(stance, constraints, ends, home);
    Ok(SearchResult { optima, start, climbs, failed, skipped, unfinished, steps, evaluations })
}

/// The same posture over the place where the search began, if that is as good: on flat ground nothing tells where to
/// stand, and goals are absolute. Only for mechanisms that stand free.
fn brought_home(
    evaluator: &mut Evaluator<'_, '_>,
    constraints: &Constraints,
    climbed: Climbed,
    home: &[f64],
) -> Climbed {
    let model = evaluator.stance().model();
    let free =
        |b: &BodyId| matches!(model.body(*b).joint.kind, JointKind::Free | JointKind::Planar);
    let bases: Vec<BodyId> = model.body_ids().filter(free).collect();
    let [base] = bases[..] else { return climbed };
    let at = model.q_range(base).start;
    let axes = if model.body(base).joint.kind == JointKind::Free { 3 } else { 2 };
    let place = |q: &[f64]| Vector3::from_fn(|i, _| if i < axes { q[at + i] } else { 0.0 });
    let up = model.gravity().try_normalize(0.0).unwrap_or_else(Vector3::zeros);
    let way = place(home) - place(&climbed.q);
    let level = way - up * up.dot(&way);
    let mut q = climbed.q.clone();
    (0..axes).for_each(|i| q[at + i] += level[i]);
    let rest = vec![0.0; model.nv()];
    let miss = constraints.miss(evaluator, &climbed.q).max(SAME_MISS);
    if constraints.miss(evaluator, &q) > miss {
        return climbed;
    }
    match capability(&evaluator.problem(0.0, &q, &rest)) {
        Ok(there) if same_value(there.acceleration, climbed.capability.acceleration) => {
            Climbed { q, capability: there, ..climbed }
        }
        _ => climbed,
    }
}

/// Whether two capabilities differ by round-off only.
fn same_value(a: f64, b: f64) -> bool {
    (a - b).abs() <= SAME * (1.0 + b.abs())
}

/// One of each kind, from a sorted list.
fn distinct(
    stance: &Stance<'_>,
    constraints: &Constraints,
    ends: Vec<(usize, Climbed)>,
    home: &[f64],
) -> Vec<Optimum> {
    let mut kin = Kinematics::new(stance.model());
    let mut evaluator = Evaluator::new(stance);
    let mut optima: Vec<(Vec<f64>, Optimum)> = Vec::new();
    for (i, climbed) in ends {
        let form = shape(stance, &climbed.q, &mut kin);
        if let Some((_, known)) = optima.iter_mut().find(|(other, _)| same(other, &form)) {
            known.hits += 1;
            known.start = known.start.min(i);
            continue;
        }
        let climbed = brought_home(&mut evaluator, constraints, climbed, home);
        let miss = constraints.miss(&mut evaluator, &climbed.q);
        let limits = constraints.limits_met(&mut evaluator, &climbed.q);
        let Climbed { q, capability, end, stationarity, .. } = climbed;
        let optimum = Optimum { q, capability, miss, hits: 1, start: i, end, stationarity, limits };
        optima.push((form, optimum));
    }
    optima.into_iter().map(|o| o.1).collect()
}
