//! Impacts once more, with their paths.
//!
//! An event keeps q, v⁻ and who touched. From these the contact space is filled as the simulator
//! fills it, bilateral rows eliminated, and the law is asked again, this time with a trace:
//! ```text
//! G' = G_cc − G_cb G_bb⁻¹ G_bc,   u⁻ = J v⁻                                       (1)
//! ```
//! The impulses must be those of the event to [`SAME`] of the largest; otherwise there is no path.
//!
//! # Limits
//! A jam (an impact without collision) is retraced by pressing each of its contacts, until one gives the
//! impulses of the event.
//!
//! # Tests
//! `tests/document.rs`: `paths_lead_from_before_to_after`.

use super::paths::ImpulsePath;
use crate::run::EventLine;
use carom::complementarity::MinNorm;
use carom::contact::{Instant, RowBlock, Site, SiteState, site_state};
use carom::dynamics::jacobian::{VelocityProducts, velocity_products};
use carom::dynamics::loops::LoopRows;
use carom::dynamics::{Articulated, Kinematics, articulate, kinematics};
use carom::impact::press::press;
use carom::impact::{
    ContactSpace, Formulation, ImpactLaw, ImpactSolution, ImpactWorkspace, LawChoice, Phase,
};
use carom::model::{Model, PairId};
use carom_scene::Scene;
use nalgebra::DMatrix;

/// Impulses that differ by less than this fraction of the largest are the same.
const SAME: f64 = 1e-6;

/// A law, and whether its path is the differential one.
struct Law {
    law: Box<dyn ImpactLaw>,
    differential: bool,
}

impl Law {
    fn new(choice: &LawChoice) -> Option<Self> {
        let differential = matches!(choice.formulation, Formulation::Differential { .. });
        Some(Self { law: choice.law().ok()?, differential })
    }
}

/// Scratch for retracing the impacts of one scene.
pub(crate) struct Retrace<'a> {
    model: &'a Model,
    sites: &'a [Site],
    scene: Law,
    pairs: Vec<(Vec<PairId>, Law)>,
    /// Bilateral rows: couplings and prescribed motions.
    ties: Vec<Vec<(usize, f64)>>,
    kin: Kinematics,
    products: VelocityProducts,
    art: Articulated,
    block: RowBlock,
    space: ContactSpace,
    solution: ImpactSolution,
    work: ImpactWorkspace,
}

impl<'a> Retrace<'a> {
    /// None if a law of the scene cannot be made.
    pub fn new(scene: &'a Scene, sites: &'a [Site]) -> Option<Self> {
        let model = &scene.model;
        let mut pairs = Vec::new();
        for (law, ids) in scene.pair_laws() {
            pairs.push((ids, Law::new(law)?));
        }
        let ties = ties(scene);
        let rows = sites.iter().map(|s| s.tangents + 1).sum::<usize>() + ties.len();
        Some(Self {
            model,
            sites,
            scene: Law::new(&scene.law)?,
            pairs,
            ties,
            kin: Kinematics::new(model),
            products: VelocityProducts::new(model),
            art: Articulated::new(model),
            block: RowBlock::with_capacity(model, rows),
            space: ContactSpace::default(),
            solution: ImpactSolution::traced(),
            work: ImpactWorkspace::new(),
        })
    }

    /// The paths of the colliding contacts of an event; none if they are not those of the run.
    pub fn paths(&mut self, event: &EventLine) -> Option<Vec<ImpulsePath>> {
        let touching: Option<Vec<usize>> = event
            .contacts
            .iter()
            .map(|c| self.sites.iter().position(|s| s.name == c.name))
            .collect();
        let touching = touching?;
        self.fill(event, &touching)?;
        if event.kind == "jam" {
            return self.jam(event, &touching);
        }
        let own = self.choose(&touching);
        let law = own.map_or(&self.scene, |place| &self.pairs[place].1);
        // The path of an attenuated impact is that of the law inside, before velocities are scaled.
        let inner = law.law.attenuated().map_or(law.law.as_ref(), |(inner, _)| inner);
        inner.resolve(&self.space, &mut self.work, &mut self.solution).ok()?;
        if !self.agrees(event) {
            return None;
        }
        let closed = self.space.contacts.iter().filter(|c| c.phase != Phase::Apart).count();
        let curved = law.differential && closed == 1;
        let stages = &self.solution.trace.stages;
        let path = |k: usize| ImpulsePath::new((&self.space, stages), (k, touching[k]), curved);
        let paths: Vec<ImpulsePath> = self.space.colliding().map(path).collect();
        Some(paths).filter(|p| p.iter().all(|p| p.p.len() > 1))
    }

    /// The contact space of an event, contacts in the order of the event.
    pub fn space(&mut self, event: &EventLine) -> Option<&ContactSpace> {
        let place = |name: &str| self.sites.iter().position(|s| s.name == name);
        let touching: Option<Vec<usize>> = event.contacts.iter().map(|c| place(&c.name)).collect();
        self.fill(event, &touching?)?;
        Some(&self.space)
    }

    /// The contact space of an event, equation (1).
    fn fill(&mut self, event: &EventLine, touching: &[usize]) -> Option<()> {
        let (q, v) = (&event.q, &event.velocity_before);
        if q.len() != self.model.nq() {
            // It tells of some bodies only.
            return None;
        }
        kinematics(self.model, q, v, &mut self.kin);
        velocity_products(self.model, &self.kin, &mut self.products);
        articulate(self.model, &self.kin, &mut self.art).ok()?;
        self.block.clear();
        let at = Instant { model: self.model, kin: &self.kin, art: &self.art };
        for terms in &self.ties {
            self.block.push_combination(&at, terms);
        }
        let block = &mut self.block;
        for one in self.model.loops() {
            LoopRows::new(self.model, (&self.kin, &self.products), one)
                .visit(self.model.moves_in_plane(), |row| block.push_loop(&at, &row));
        }
        let held = self.block.rows();
        for site in touching {
            let site = &self.sites[*site];
            let state: SiteState =
                site_state(self.model, site, (&self.kin, &self.products), (q, v));
            state.push_rows(site, &at, &mut self.block);
        }
        let rows = self.block.rows();
        let mut G = DMatrix::zeros(rows, rows);
        self.block.gram(&self.art, &mut G);
        let G = eliminated(&G, held);
        self.space.resize(G.nrows());
        for i in 0..G.nrows() {
            self.space.u_pre[i] = self.block.times(held + i, v);
        }
        self.space.G.copy_from(&G);
        for (k, site) in touching.iter().enumerate() {
            let s = &self.sites[*site];
            let friction = [s.surface.friction, s.surface.static_friction];
            let c = &event.contacts[k];
            // In a `close` the contacts that stay were resolved without restitution.
            let closes = event.kind == "close" && c.mode_after != "open";
            let e = if closes { 0.0 } else { s.surface.restitution };
            self.space.push_contact(s.tangents, friction, e, true);
        }
        self.space.classify();
        self.space.kinetic_energy = event.energy_before;
        Some(())
    }

    /// Place of the one law of a pair that all colliding contacts share; none: that of the scene.
    fn choose(&self, touching: &[usize]) -> Option<usize> {
        let place = |k: usize| {
            let pair = self.sites[touching[k]].pair?;
            self.pairs.iter().position(|(others, _)| others.contains(&pair))
        };
        let mut laws = self.space.colliding().map(place);
        let first = laws.next()??;
        laws.all(|other| other == Some(first)).then_some(first)
    }

    /// Whether the impulses are those of the event.
    fn agrees(&self, event: &EventLine) -> bool {
        let mut size = 0.0_f64;
        let mut worst = 0.0_f64;
        for (c, line) in self.space.contacts.iter().zip(&event.contacts) {
            let wanted = line.impulse_tangent.iter().chain([&line.impulse_normal]);
            for (row, p) in c.rows().zip(wanted) {
                size = size.max(p.abs());
                worst = worst.max((self.solution.impulses[row] - p).abs());
            }
        }
        worst <= SAME * size
    }

    /// The path of an impact without collision: of the contact whose pressing gives the impulses of the
    /// event.
    fn jam(&mut self, event: &EventLine, touching: &[usize]) -> Option<Vec<ImpulsePath>> {
        for k in 0..touching.len() {
            let pressed = press(&mut self.space, k, &mut self.work, &mut self.solution);
            if !matches!(pressed, Ok(true)) || !self.agrees(event) {
                continue;
            }
            let curved = touching.len() == 1;
            let stages = &self.solution.trace.stages;
            let path = ImpulsePath::new((&self.space, stages), (k, touching[k]), curved);
            return Some(vec![path]).filter(|p| p[0].p.len() > 1);
        }
        None
    }
}

/// Rows that hold whatever happens: ties between joints, then prescribed motions.
fn ties(scene: &Scene) -> Vec<Vec<(usize, f64)>> {
    let ratio = |dof: usize| scene.model.coordinates()[dof].ratio;
    let mut rows = Vec::new();
    for c in scene.model.couplings() {
        rows.push(vec![(c.follower, ratio(c.follower)), (c.leader, -c.ratio * ratio(c.leader))]);
    }
    rows.extend(scene.prescribed.iter().map(|p| vec![(p.dof, ratio(p.dof))]));
    rows
}

/// The first `held` rows eliminated, equation (1); redundant ones by the least norm.
fn eliminated(G: &DMatrix<f64>, held: usize) -> DMatrix<f64> {
    let free = G.nrows() - held;
    let mut reduced = G.view((held, held), (free, free)).into_owned();
    let mut solver = MinNorm::default();
    for j in 0..free {
        if held == 0 {
            break;
        }
        solver.reset(held, held);
        for a in 0..held {
            solver.set_rhs(a, -G[(a, held + j)]);
            for b in 0..held {
                solver.set(a, b, G[(a, b)]);
            }
        }
        let x = solver.solve(MinNorm::RANK_TOLERANCE).to_vec();
        for i in 0..free {
            reduced[(i, j)] += (0..held).map(|b| G[(held + i, b)] * x[b]).sum::<f64>();
        }
    }
    reduced
}
