//! The law: which contacts act, and the search for their slip.

use crate::numeric::thresholds::dissipation;
use nalgebra::DVector;

use super::chart::Chart;
use super::karnopp::Karnopp;
use super::options::DissipationOptions;
use super::search::{Ending, Optimum, Search};
use super::single::{Conditions, Curve};
use crate::impact::algebraic::record;
use crate::impact::contact_space::ContactSpace;
use crate::impact::error::{ImpactError, Reason};
use crate::impact::law::{ImpactLaw, Promises};
use crate::impact::solution::{ImpactSolution, Rule, Solved};
use crate::impact::trace::StageEvent;
use crate::impact::workspace::ImpactWorkspace;

/// Name in errors and lists.
const NAME: &str = "dissipation";

/// Most contacts that may take part: sets of released contacts are enumerated.
pub const MOST_CONTACTS: usize = 10;

/// The dissipation principle, see the [module](super).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dissipation {
    /// Parameters.
    pub options: DissipationOptions,
}

/// How certain the answer of the search over several contacts is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Certificate {
    /// The distance dᵀd (4.5) of the answer.
    pub objective: f64,
    /// No feasible motion with the same contacts has a smaller distance than this.
    pub bound: f64,
    /// Number of regions examined, over all sets of released contacts; zero for one contact, which needs none.
    pub regions: usize,
    /// Whether the search came to its end; if not, [`bound`](Self::bound) tells what could still be gained.
    pub certain: bool,
    /// Number of contacts released.
    pub released: usize,
}

impl Dissipation {
    /// The law with given parameters.
    pub fn new(options: DissipationOptions) -> Self {
        Self { options }
    }

    /// Resolves the impact and says how certain the answer is.
    pub fn resolve_certified(
        &self,
        space: &ContactSpace,
        out: &mut ImpactSolution,
    ) -> Result<Certificate, ImpactError> {
        self.options.validate()?;
        out.reset(space);
        self.check(space)?;
        record(StageEvent::Start, space, out);
        let mut acting = (0..space.contacts.len()).filter(|&i| space.contacts[i].takes_part());
        let certificate = match (acting.next(), acting.next()) {
            (Some(contact), None) => self.resolve_single(space, contact, out)?,
            _ => self.resolve_several(space, out)?,
        };
        record(StageEvent::End, space, out);
        Ok(certificate)
    }

    fn check(&self, space: &ContactSpace) -> Result<(), ImpactError> {
        if space.colliding().next().is_none() {
            return Err(space.no_approach());
        }
        let not_applicable = |reason| Err(ImpactError::NotApplicable { law: NAME, reason });
        let count = space.contacts.iter().filter(|c| c.takes_part()).count();
        if count > MOST_CONTACTS {
            return not_applicable(Reason::TooManyContacts { count, largest: MOST_CONTACTS });
        }
        for contact in space.colliding() {
            let n = space.contacts[contact].normal();
            if space.G[(n, n)] <= 0.0 {
                return not_applicable(Reason::Immovable { contact });
            }
        }
        Ok(())
    }

    fn friction(&self, space: &ContactSpace, contact: usize, needed: f64) -> Karnopp {
        let c = &space.contacts[contact];
        Karnopp {
            static_friction: c.static_friction,
            least: c.friction.min(needed),
            slip_speed: self.options.slip_speed,
            exponent: self.options.exponent,
        }
    }

    /// Largest change of energy, if limited (5.9).
    fn energy(&self, space: &ContactSpace) -> Option<f64> {
        let limit = self.options.binding_energy_limit()?;
        Some((limit - 1.0) * space.kinetic_energy)
    }

    fn energy_unreachable(&self) -> ImpactError {
        ImpactError::EnergyLimit {
            law: NAME,
            limit: self.options.energy_limit.unwrap_or(f64::INFINITY),
        }
    }

    fn resolve_single(
        &self,
        space: &ContactSpace,
        contact: usize,
        out: &mut ImpactSolution,
    ) -> Result<Certificate, ImpactError> {
        let c = &space.contacts[contact];
        let curve = Curve::new(space, c);
        let conditions = Conditions {
            friction: self.friction(space, contact, curve.needed_for_stick()),
            energy: self.energy(space),
        };
        let (p_t, p_n) =
            curve.nearest_to_stick(&conditions).ok_or_else(|| self.energy_unreachable())?;
        for (a, i) in c.tangent_rows().enumerate() {
            out.impulses[i] = p_t[a];
        }
        out.impulses[c.normal()] = p_n;
        out.complete(space);
        let speed = out.u_post.rows(c.first, c.tangents).norm();
        let friction = conditions.friction;
        let objective = (friction.static_friction - friction.coefficient(speed)).powi(2)
            + (speed / self.options.velocity_unit).powi(2);
        Ok(Certificate { objective, bound: objective, certain: true, ..Certificate::default() })
    }

    /// All contacts act if they can; else as few as possible are released, with the least distance among those sets.
    fn resolve_several(
        &self,
        space: &ContactSpace,
        out: &mut ImpactSolution,
    ) -> Result<Certificate, ImpactError> {
        let contacts = 0..space.contacts.len();
        let acting: Vec<usize> = contacts.filter(|&i| space.contacts[i].takes_part()).collect();
        let mut budget = Budget { left: self.options.region_limit as f64, regions: 0 };
        for released in 0..acting.len() {
            let mut best: Option<(Optimum, Vec<usize>, f64)> = None;
            let mut certain = true;
            for set in subsets(&acting, released) {
                match self.search(space, (&acting, &set), &mut budget) {
                    Ok(None) => {}
                    Ok(Some(found)) => {
                        certain &= found.0.certain;
                        if best.as_ref().is_none_or(|(b, ..)| found.0.objective < b.objective) {
                            best = Some(found);
                        }
                    }
                    // Sets that were not looked at any more may hold a better motion.
                    Err(_) if best.is_some() => {
                        certain = false;
                        break;
                    }
                    Err(error) => return Err(error),
                }
            }
            if let Some((optimum, rows, scale)) = best {
                for (j, &row) in rows.iter().enumerate() {
                    out.impulses[row] = optimum.impulses[j] * scale;
                }
                out.rule = Rule::Together;
                out.complete(space);
                return Ok(Certificate {
                    objective: optimum.objective,
                    bound: optimum.bound,
                    regions: budget.regions,
                    certain,
                    released,
                });
            }
        }
        match self.options.binding_energy_limit() {
            Some(_) => Err(self.energy_unreachable()),
            None => Err(ImpactError::NoConsistentMode { law: NAME, stage: 0, residual: f64::NAN }),
        }
    }

    /// The optimum with the contacts of `released` let go, its rows and the scale of its impulses.
    fn search(
        &self,
        space: &ContactSpace,
        (acting, released): (&[usize], &[usize]),
        budget: &mut Budget,
    ) -> Result<Option<(Optimum, Vec<usize>, f64)>, ImpactError> {
        let unfinished = ImpactError::TooManyStages { law: NAME, limit: self.options.region_limit };
        let contacts = acting.len() - released.len();
        let Some(limit) = budget.regions_of(contacts) else { return Err(unfinished) };
        let Some(chart) = Chart::new(space, |i| acting.contains(&i) && !released.contains(&i))
        else {
            return Ok(None);
        };
        let needed = chart.needed_for_stick();
        let friction = chart.members.iter().zip(&needed).map(|(m, needed)| {
            let mut friction = self.friction(space, m.contact, *needed);
            friction.slip_speed /= chart.velocity_scale;
            friction
        });
        let energy_scale = chart.velocity_scale * chart.impulse_scale;
        let search = Search {
            friction: friction.collect(),
            released: released
                .iter()
                .map(|&i| (space.contacts[i].normal(), chart.targets[i]))
                .collect(),
            energy: self.energy(space).map(|e| e / energy_scale),
            velocity_unit: self.options.velocity_unit / chart.velocity_scale,
            limit,
            chart: &chart,
        };
        match search.run() {
            Ending::Optimum(optimum) => {
                budget.spend(contacts, optimum.regions);
                Ok(Some((optimum, chart.rows, chart.impulse_scale)))
            }
            Ending::Empty(regions) => {
                budget.spend(contacts, regions);
                Ok(None)
            }
            Ending::Unfinished => {
                budget.spend(contacts, limit);
                Err(unfinished)
            }
        }
    }
}

/// What the search of one impact may still cost, in regions of a problem of two contacts.
///
/// A region is a programme whose unknowns and conditions are both proportional to the number n of contacts, and whose
/// solution factors its active conditions: it costs (n/2)³ of those of two contacts. All sets of released contacts share
/// one budget, so that an impact takes a bounded time, however many contacts it has.
struct Budget {
    left: f64,
    regions: usize,
}

impl Budget {
    fn price(contacts: usize) -> f64 {
        (0.5 * contacts as f64).powi(3).max(1.0)
    }

    /// How many regions of so many contacts are left; none if not even one is.
    fn regions_of(&self, contacts: usize) -> Option<usize> {
        let count = self.left / Self::price(contacts);
        (count >= 1.0).then_some(count as usize)
    }

    fn spend(&mut self, contacts: usize, regions: usize) {
        self.left -= Self::price(contacts) * regions as f64;
        self.regions += regions;
    }
}

impl ImpactLaw for Dissipation {
    fn name(&self) -> &'static str {
        NAME
    }

    fn promises(&self) -> Promises {
        Promises::default().gains_never(self.options.binding_energy_limit().is_some())
    }

    fn resolve(
        &self,
        space: &ContactSpace,
        _work: &mut ImpactWorkspace,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        let found = self.resolve_certified(space, out)?;
        let gap = (found.objective - found.bound).max(0.0) / (1.0 + found.objective);
        out.solved = Solved { residual: gap, unique: found.certain, ..Solved::by("search") };
        Ok(())
    }
}

/// All subsets of a given size, in lexicographic order.
fn subsets(items: &[usize], size: usize) -> Vec<Vec<usize>> {
    let masks = 0u32..1 << items.len();
    masks
        .filter(|mask| mask.count_ones() as usize == size)
        .map(|mask| {
            let picked = items.iter().enumerate();
            picked.filter(|(i, _)| mask >> i & 1 == 1).map(|(_, &item)| item).collect()
        })
        .collect()
}

impl Chart {
    /// μ_f of every member: the friction coefficient it needs when all of them stick; infinite if they cannot.
    fn needed_for_stick(&self) -> Vec<f64> {
        let moving = self.moving;
        let redundant = self.P.columns(moving, self.dimension() - moving);
        let p: DVector<f64> = &self.p0 - redundant * (redundant.transpose() * &self.p0);
        let reachable = self.x0.amax() <= dissipation::REST;
        let members = self.members.iter();
        members
            .map(|m| {
                let (p_t, p_n) = (p.rows(m.first, m.tangents).norm(), p[m.normal()]);
                match (reachable && p_n >= 0.0, p_t) {
                    (true, 0.0) => 0.0,
                    (true, _) if p_n > 0.0 => p_t / p_n,
                    _ => f64::INFINITY,
                }
            })
            .collect()
    }
}
