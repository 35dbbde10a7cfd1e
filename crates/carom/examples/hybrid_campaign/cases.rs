//! One random run: a mechanism, its start, a law and the options.

use super::mechanisms;
use super::random::Random;
use carom::hybrid::{Method, Options, Output, Simulation};
use carom::impact::{
    Compliant, Constraint, DissipationOptions, Formulation, LawChoice, Restitution,
    RestitutionMatrix, SeveralContacts,
};
use carom::model::Model;
use carom::state::State;

/// Sorts of mechanisms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A planar polygon or ellipse on an incline.
    Planar,
    /// A box in space on an incline.
    Box,
    /// A sphere, ellipsoid, disk or capsule in space on an incline.
    Round,
    /// A planar chain with joint limits, springs and dampers over a floor.
    Chain,
    /// The same in space.
    SpatialChain,
    /// Several spheres that hit each other and a floor.
    Balls,
    /// Narrow clearances, rocking blocks, grooves: many impacts close together.
    Rattle,
    /// Two or three mechanisms of the kinds above in one scene.
    Several,
    /// A trunk on legs with limits and dry friction at every joint, which falls.
    Legged,
    /// Balls that fall on a chain and on each other.
    Struck,
}

impl Kind {
    pub const ALL: [Self; 10] = [
        Self::Planar,
        Self::Box,
        Self::Round,
        Self::Chain,
        Self::SpatialChain,
        Self::Balls,
        Self::Rattle,
        Self::Several,
        Self::Legged,
        Self::Struck,
    ];

    /// How many of them are a single mechanism.
    pub const SINGLE: usize = 7;

    pub fn word(self) -> &'static str {
        match self {
            Self::Planar => "planar",
            Self::Box => "box",
            Self::Round => "round",
            Self::Chain => "chain",
            Self::SpatialChain => "spatial-chain",
            Self::Balls => "balls",
            Self::Rattle => "rattle",
            Self::Several => "several",
            Self::Legged => "legged",
            Self::Struck => "struck",
        }
    }
}

/// What is run.
#[derive(Clone)]
pub struct Case {
    pub model: Model,
    pub state: State,
    pub choice: LawChoice,
    pub options: Options,
    /// Time of the run, s.
    pub end: f64,
}

/// Starts tried until one does not penetrate.
const STARTS: usize = 200;

impl Case {
    /// Case number `index` of a kind; depends on nothing else. `None` if every start penetrates.
    pub fn new(kind: Kind, seed: u64, index: u64) -> Option<Self> {
        let mut random = Random::new(seed ^ (index << 8) ^ kind as u64);
        let single = Kind::ALL[..Kind::SINGLE].contains(&kind);
        let choice = if single { law(&mut random) } else { any_law(&mut random) };
        let options = options(&mut random);
        let (model, draw) = mechanisms::mechanism(kind, &mut random)?;
        for _ in 0..STARTS {
            let state = draw(&mut random, &model);
            let start = Simulation::new(&model, state.clone(), choice.law().ok()?);
            if start.run_until(0.0).is_ok() {
                let end = random.within(1.0, 3.0);
                return Some(Self { model, state, choice, options, end });
            }
        }
        None
    }

    /// Whether the law promises that no impact gains energy.
    pub fn conserves(&self) -> bool {
        matches!(
            self.choice.formulation,
            Formulation::Differential { restitution: Restitution::Energetic }
                | Formulation::Compliant(_)
        )
    }

    /// Whether impacts are followed along a compliant path.
    pub fn follows_stages(&self) -> bool {
        matches!(self.choice.formulation, Formulation::Compliant(_))
    }

    /// The law in words.
    pub fn law_word(&self) -> String {
        let own = match &self.choice.formulation {
            Formulation::Differential { restitution } => format!("{restitution:?}").to_lowercase(),
            Formulation::Whittaker => String::from("whittaker"),
            Formulation::Brach => String::from("brach"),
            other => String::from(other.as_str()),
        };
        let rule = if self.choice.several == SeveralContacts::Together { "" } else { "+seq" };
        format!("{own}{rule}")
    }
}

fn law(random: &mut Random) -> LawChoice {
    let differential = |restitution| Formulation::Differential { restitution };
    let formulation = match random.below(20) {
        0 => Formulation::Newton,
        1 => Formulation::Poisson,
        2 => differential(Restitution::Kinematic),
        3 => differential(Restitution::Kinetic),
        4 => Formulation::Matrix(RestitutionMatrix::default()),
        5 => Formulation::Dissipation(DissipationOptions::default()),
        6 => Formulation::Constraint(Constraint { complementarity: true, ..Constraint::default() }),
        _ => differential(Restitution::Energetic),
    };
    let several = SeveralContacts::ALL[usize::from(random.chance(0.3))];
    LawChoice { formulation, several, attenuation: None }
}

/// Every law, with what may be wrapped around it.
fn any_law(random: &mut Random) -> LawChoice {
    let mut choice = law(random);
    match random.below(8) {
        0 => choice.formulation = Formulation::Compliant(Compliant::default()),
        1 => {
            let compliant = Compliant { exponent: 1.5, ..Compliant::default() };
            choice.formulation = Formulation::Compliant(compliant);
        }
        2 => choice.formulation = Formulation::Whittaker,
        3 => choice.formulation = Formulation::Brach,
        4 => choice.attenuation = Some(random.within(0.0, 1.0)),
        _ => {}
    }
    choice
}

fn options(random: &mut Random) -> Options {
    let rtol = [1e-9, 1e-9, 1e-6, 1e-11][random.below(4)];
    let method = [None, None, Some(Method::DormandPrince), Some(Method::Dop853)][random.below(4)];
    Options {
        method,
        rtol,
        atol: 1e-2 * rtol,
        output: Output::Steps,
        max_events: 1_000_000,
        ..Options::default()
    }
}
