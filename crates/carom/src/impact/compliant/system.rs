//! The impact in units of its own: velocities over the largest one, G over its largest normal entry.
//!
//! Only contacts that are not apart are here; a [`Site`] is one of them.

use nalgebra::DMatrix;

use crate::impact::contact_space::{ContactSpace, Phase, reshape};

/// A coefficient of restitution below this counts as zero: what it gives back is below the accuracy of the path.
pub(super) const PLASTIC: f64 = crate::numeric::thresholds::compliant::PLASTIC;

/// One contact that takes part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    /// Its index in the contact space.
    pub contact: usize,
    /// Its first row here.
    pub first: usize,
    /// Number of tangents.
    pub tangents: usize,
    /// Dynamic friction.
    pub mu_d: f64,
    /// Static friction.
    pub mu_s: f64,
    /// Restitution; exactly zero below [`PLASTIC`].
    pub e: f64,
    /// Stiffness.
    pub k: f64,
}

impl Site {
    pub fn normal(&self) -> usize {
        self.first + self.tangents
    }

    pub fn tangent_rows(&self) -> std::ops::Range<usize> {
        self.first..self.normal()
    }
}

/// What the normal compliance of a contact does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Normal {
    /// No compression, no force.
    Open,
    /// uₙ < 0: force and compression grow.
    Loading,
    /// uₙ > 0: they fall.
    Unloading,
}

/// What the friction of a contact does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Tangent {
    /// No friction.
    Free,
    /// At rest, friction inside its disk.
    Hold,
    /// At rest, friction at its static limit along this direction: other contacts hold it.
    Limit([f64; 2]),
    /// Slips along a line; friction has this direction.
    Slip([f64; 2]),
    /// Slips in its plane; friction opposes the slip.
    Turn,
}

/// Data of the impact, constant along the path.
#[derive(Clone, Debug)]
pub(super) struct System {
    pub sites: Vec<Site>,
    pub G: DMatrix<f64>,
    /// η of F = k δ^η.
    pub exponent: f64,
    /// Unit of velocity.
    pub unit_u: f64,
    /// Unit of G.
    pub unit_g: f64,
}

impl Default for System {
    fn default() -> Self {
        let G = DMatrix::zeros(0, 0);
        Self { sites: Vec::new(), G, exponent: 1.0, unit_u: 1.0, unit_g: 1.0 }
    }
}

impl System {
    pub fn rows(&self) -> usize {
        self.G.nrows()
    }

    /// Takes over the contacts that are not apart; `stiffness` by contact, 1 where it is missing.
    pub fn load(&mut self, space: &ContactSpace, stiffness: &[f64], exponent: f64) {
        self.exponent = exponent;
        self.sites.clear();
        let mut first = 0;
        for (contact, c) in space.contacts.iter().enumerate() {
            if c.phase == Phase::Apart {
                continue;
            }
            self.sites.push(Site {
                contact,
                first,
                tangents: c.tangents,
                mu_d: c.friction,
                mu_s: c.static_friction,
                e: if c.restitution < PLASTIC { 0.0 } else { c.restitution },
                k: stiffness.get(contact).copied().unwrap_or(1.0),
            });
            first += c.tangents + 1;
        }
        self.unit_u = space.velocity_scale;
        let normal = |s: &Site| space.contacts[s.contact].normal();
        let g = self.sites.iter().map(|s| space.G[(normal(s), normal(s))]).fold(0.0, f64::max);
        self.unit_g = if g > 0.0 { g } else { 1.0 };
        reshape(&mut self.G, first, first);
        for a in 0..self.sites.len() {
            for b in 0..self.sites.len() {
                self.copy_block(space, self.sites[a], self.sites[b]);
            }
        }
    }

    fn copy_block(&mut self, space: &ContactSpace, a: Site, b: Site) {
        let (from_a, from_b) = (space.contacts[a.contact].first, space.contacts[b.contact].first);
        for i in 0..=a.tangents {
            for j in 0..=b.tangents {
                self.G[(a.first + i, b.first + j)] =
                    space.G[(from_a + i, from_b + j)] / self.unit_g;
            }
        }
    }

    /// y = G x; zero entries of x cost nothing.
    pub fn multiply(&self, x: &[f64], y: &mut [f64]) {
        y.fill(0.0);
        for (j, &x) in x.iter().enumerate() {
            if x != 0.0 {
                for (y, g) in y.iter_mut().zip(self.G.column(j).iter()) {
                    *y += g * x;
                }
            }
        }
    }

    /// Force of a site at compression δ.
    pub fn force(&self, i: usize, delta: f64) -> f64 {
        let k = self.sites[i].k;
        if self.exponent == 1.0 { k * delta } else { k * delta.max(0.0).powf(self.exponent) }
    }

    /// dF/dδ.
    pub fn slope(&self, i: usize, delta: f64) -> f64 {
        let (k, eta) = (self.sites[i].k, self.exponent);
        if eta == 1.0 { k } else { k * eta * delta.max(0.0).powf(eta - 1.0) }
    }

    /// Energy stored while loading to δ.
    pub fn stored(&self, i: usize, delta: f64) -> f64 {
        self.force(i, delta) * delta / (self.exponent + 1.0)
    }
}

/// Where the path is.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    /// Contact velocities.
    pub u: Vec<f64>,
    /// Contact velocities at the start.
    pub start: Vec<f64>,
    /// Compressions.
    pub delta: Vec<f64>,
    /// Impulses so far.
    pub p: Vec<f64>,
    /// Work of each normal impulse so far.
    pub normal_work: Vec<f64>,
    /// Work of each friction impulse so far.
    pub friction_work: Vec<f64>,
    /// What each normal compliance does.
    pub normal: Vec<Normal>,
    /// What each friction does.
    pub tangent: Vec<Tangent>,
    /// Direction in which slip leaves rest, or in which it goes.
    pub heading: Vec<[f64; 2]>,
}

impl State {
    /// The start: no compression; colliding contacts load.
    pub fn start(&mut self, system: &System, space: &ContactSpace) {
        let (m, n) = (system.rows(), system.sites.len());
        for (x, size) in [
            (&mut self.u, m),
            (&mut self.p, m),
            (&mut self.delta, n),
            (&mut self.normal_work, n),
            (&mut self.friction_work, n),
        ] {
            x.clear();
            x.resize(size, 0.0);
        }
        self.normal.clear();
        self.tangent.clear();
        self.tangent.resize(n, Tangent::Free);
        self.heading.clear();
        self.heading.resize(n, [1.0, 0.0]);
        for site in &system.sites {
            let c = &space.contacts[site.contact];
            for i in 0..=site.tangents {
                self.u[site.first + i] = space.u_pre[c.first + i] / system.unit_u;
            }
            let loads = self.u[site.normal()] < 0.0;
            self.normal.push(if loads { Normal::Loading } else { Normal::Open });
        }
        self.start.clone_from(&self.u);
    }

    /// Whether no contact carries a force or is about to.
    pub fn idle(&self) -> bool {
        self.normal.iter().all(|n| *n == Normal::Open)
    }

    /// −dδ/dt over uₙ: 1 while loading, 1/e² while unloading.
    pub fn give(&self, site: &Site, i: usize) -> f64 {
        match self.normal[i] {
            Normal::Open => 0.0,
            Normal::Loading => 1.0,
            Normal::Unloading => 1.0 / (site.e * site.e),
        }
    }

    /// Slip speed.
    pub fn speed(&self, site: &Site) -> f64 {
        site.tangent_rows().fold(0.0_f64, |s, i| s.hypot(self.u[i]))
    }

    /// Headings of the contacts that slip in their plane.
    pub fn look_ahead(&mut self, system: &System) {
        for (i, site) in system.sites.iter().enumerate() {
            let speed = self.speed(site);
            if self.tangent[i] == Tangent::Turn && speed > 0.0 {
                self.heading[i] = [self.u[site.first] / speed, self.u[site.first + 1] / speed];
            }
        }
    }

    /// Normal work of a change of compression, by the energy that loading stores and unloading gives back in part.
    pub fn work_to(&self, system: &System, i: usize, delta: f64) -> f64 {
        let change = system.stored(i, delta) - system.stored(i, self.delta[i]);
        match self.normal[i] {
            Normal::Open => 0.0,
            Normal::Loading => -change,
            Normal::Unloading => -change * system.sites[i].e * system.sites[i].e,
        }
    }
}

/// Friction rate per unit of normal force where its direction is known.
pub(super) fn fixed_friction(site: &Site, tangent: Tangent) -> Option<[f64; 2]> {
    match tangent {
        Tangent::Limit(d) => Some([site.mu_s * d[0], site.mu_s * d[1]]),
        Tangent::Slip(d) => Some([site.mu_d * d[0], site.mu_d * d[1]]),
        Tangent::Free => Some([0.0; 2]),
        Tangent::Hold | Tangent::Turn => None,
    }
}
