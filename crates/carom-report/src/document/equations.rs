//! The equations of a law, to be read beside its picture.
//!
//! They are lines of the headers of the law's modules, word for word: a test looks each of them up there.
//!
//! # Tests
//! `every_law_of_the_catalogue_has_equations`, `equations_stand_in_the_headers_of_the_laws` below.

use carom::impact::LawChoice;
use carom::impact::catalogue::entry;
use carom_scene::LawWords;
use serde::Serialize;

/// A law in words and equations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PageLaw {
    /// What it is.
    pub title: String,
    /// How it works.
    pub summary: String,
    /// Its equations, one a line.
    pub equations: Vec<&'static str>,
    /// What the letters mean.
    pub symbols: &'static str,
    /// Where it comes from.
    pub source: String,
}

const SYMBOLS: &str = "u relative velocity at the contact (n normal, > 0 apart; t tangential), p impulse, G inverse mass \
    felt at the contacts, e restitution, μd and μs friction of slip and of rest; ⁻ before, ⁺ after, c compression, \
    r restitution; W work of the normal impulse";

const DIFFERENTIAL: &[&str] = &[
    "slip:  ṗₜ = −μd ṗₙ û,   û = uₜ/‖uₜ‖",
    "rest (uₜ = 0):  u̇ₜ = 0 and ‖ṗₜ‖ ≤ μs ṗₙ,  or  (2) with û = u̇ₜ/‖u̇ₜ‖",
    "open (uₙ > 0):  ṗ = 0 until uₙ returns to zero, then closed without restitution",
];
const KINEMATIC: &str = "kinematic:  uₙ⁺ = −e uₙ⁻";
const KINETIC: &str = "kinetic:    p_r = e p_c";
const ENERGETIC: &str = "energetic:  W_r = −e² W_c";
const COMPLIANT: &[&str] = &[
    "F = k δ^η,   δ̇ = −χ uₙ,   χ = 1 while uₙ < 0 (loading),  1/e² while uₙ > 0 (unloading)",
    "ṗₙ = F,   u̇ = G ṗ",
    "slip:   ṗₜ = −μd F uₜ/‖uₜ‖",
    "rest:   u̇ₜ = 0 with ‖ṗₜ‖ ≤ μs F,  else slip along u̇ₜ with μd",
];
const NEWTON: &[&str] = &[
    "u⁺ = u⁻ + G p",
    "0 ≤ pₙ ⟂ uₙ⁺ + e uₙ⁻ ≥ 0",
    "uₜ⁺ = 0 and ‖pₜ‖ ≤ μs pₙ,  or  pₜ = −μd pₙ uₜ⁺/‖uₜ⁺‖",
];
const POISSON: &[&str] = &[
    "0 ≤ pₙ^C ⟂ uₙ^C ≥ 0",
    "uₜ^C = 0 and ‖pₜ^C‖ ≤ μs pₙ^C,  or  pₜ^C = −μd pₙ^C uₜ^C/‖uₜ^C‖",
    "0 ≤ pₙ^E − e pₙ^C ⟂ uₙ⁺ ≥ 0",
    "p = p^C + p^E",
];
const WHITTAKER: &[&str] = &[
    "u⁺ = u⁻ + G p",
    "uₙ⁺ = −e uₙ⁻                       at the colliding contact",
    "uₙ⁺ > 0, p = 0   or   uₙ⁺ = 0, pₙ ≥ 0      at the others",
    "uₜ⁺ = 0, |pₜ| ≤ μs pₙ   or   pₜ = −μd pₙ sign(uₜ⁺)     where pₙ > 0",
];
const BRACH: &[&str] = &["|r| = min(|r₀|, μ, |r_t|),   sign r = sign r_W"];
const CONSTRAINT: &[&str] = &["M(v⁺ − v⁻) = Aᵀp", "A v⁺ = −e A v⁻"];
const COMPLEMENTARY: &[&str] = &["M(v⁺ − v⁻) = Aᵀp", "0 ≤ pₙ ⟂ uₙ⁺ + e uₙ⁻ ≥ 0"];
const MATRIX: &[&str] = &[
    "ϑ⁺ = E ϑ⁻,  E = diag(−eₙ, e_t, e_r)",
    "p = (J A⁻¹ Jᵀ)⁻¹ (E − I) ϑ⁻",
    "‖p_t‖ ≤ μs pₙ,  pₙ ≥ 0,  |m| ≤ μs a pₙ",
];
const DISSIPATION: &[&str] = &[
    "min dᵀd,   d = (μs − μ₁, −x₁, μs − μ₂, −x₂, …)",
    "‖pₜᵢ‖ ≤ μᵢ pₙᵢ",
    "pₙᵢ ≥ 0",
    "pₜᵢ = −βᵢ xᵢ with βᵢ ≥ 0, or xᵢ = 0",
];

/// The law that a run has.
pub(super) fn law(choice: &LawChoice) -> Option<PageLaw> {
    let words = LawWords::of(choice);
    let known = entry(words.formulation)?;
    Some(PageLaw {
        title: known.title.into(),
        summary: known.summary.into(),
        equations: equations(&words),
        symbols: SYMBOLS,
        source: known.source.into(),
    })
}

/// Its equations.
fn equations(words: &LawWords) -> Vec<&'static str> {
    let which = words.which.map(|(_, word)| word);
    match (words.formulation, which) {
        ("differential", kind) => {
            let end = match kind {
                Some("kinematic") => KINEMATIC,
                Some("kinetic") => KINETIC,
                _ => ENERGETIC,
            };
            DIFFERENTIAL.iter().copied().chain([end]).collect()
        }
        ("compliant", _) => COMPLIANT.to_vec(),
        ("newton", _) => NEWTON.to_vec(),
        ("poisson", _) => POISSON.to_vec(),
        ("algebraic", Some("brach")) => WHITTAKER.iter().chain(BRACH).copied().collect(),
        ("algebraic", _) => WHITTAKER.to_vec(),
        ("constraint", _) => {
            let released = words.flags.iter().any(|(key, on)| *key == "complementarity" && *on);
            if released { COMPLEMENTARY.to_vec() } else { CONSTRAINT.to_vec() }
        }
        ("matrix", _) => MATRIX.to_vec(),
        ("dissipation", _) => DISSIPATION.to_vec(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom::impact::catalogue::CATALOGUE;
    use std::fs;
    use std::path::Path;

    /// Text without what lines and columns make of it.
    fn bare(text: &str) -> String {
        text.split_whitespace().filter(|word| *word != "//!").collect::<Vec<_>>().join(" ")
    }

    /// The text of all headers below a folder.
    fn headers(dir: &Path) -> String {
        let mut text = String::new();
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                text += &headers(&path);
            } else {
                text += &fs::read_to_string(path).unwrap();
            }
        }
        text
    }

    #[test]
    fn every_law_of_the_catalogue_has_equations() {
        let scene = |law: &str| {
            let text = format!(
                "space = \"planar\"\nlaw = {law}\n[body.a]\nmass = 1\nshape = {{ disk = 1 }}\n"
            );
            carom_scene::Scene::parse(&text, "law.toml").unwrap().law
        };
        for known in CATALOGUE.iter().filter(|l| !["rule", "attenuation"].contains(&l.formulation))
        {
            let law = law(&scene(&format!("{{ formulation = \"{}\" }}", known.formulation)));
            assert!(!law.unwrap().equations.is_empty(), "{}", known.formulation);
        }
        let brach = law(&scene("{ formulation = \"algebraic\", method = \"brach\" }")).unwrap();
        assert_eq!(brach.equations.len(), WHITTAKER.len() + 1);
        let kinetic = scene("{ formulation = \"differential\", restitution = \"kinetic\" }");
        assert_eq!(law(&kinetic).unwrap().equations.last(), Some(&KINETIC));
    }

    #[test]
    fn equations_stand_in_the_headers_of_the_laws() {
        let laws = Path::new(env!("CARGO_MANIFEST_DIR")).join("../carom/src/impact");
        let known = bare(&headers(&laws));
        let lists =
            [DIFFERENTIAL, COMPLIANT, NEWTON, POISSON, WHITTAKER, BRACH, CONSTRAINT, COMPLEMENTARY];
        let all = lists.iter().chain(&[MATRIX, DISSIPATION]).flat_map(|list| list.iter());
        for equation in all.chain(&[KINEMATIC, KINETIC, ENERGETIC]) {
            assert!(known.contains(&bare(equation)), "{equation}");
        }
    }
}
