//! What a model has that carom does not simulate, named once each.

use super::item::Item;
use super::tag::Tag;
use crate::source::Spot;
use crate::warning::{Caution, Cautions};
use std::collections::HashSet;

/// Sections that are not simulated.
const SECTIONS: &[(&str, &str)] = &[
    ("sensor", "what they measure follows from the recorded motion"),
    ("tendon", "tendons make no force here"),
    ("deformable", "bodies are rigid"),
    ("extension", "plugins are programs of MuJoCo"),
];

/// Attributes of compliance: contacts, limits and dry friction are hard here.
const SOFT: &[&str] = &[
    "solref",
    "solimp",
    "solmix",
    "solreflimit",
    "solimplimit",
    "solreffriction",
    "solimpfriction",
    "margin",
    "gap",
];

const HARD: &str = "contacts, limits and friction are hard here";
const OWN_SOLVER: &str = "it belongs to MuJoCo's own solver";

/// Options of MuJoCo's numerics.
const NUMERICS: &[&str] = &[
    "timestep",
    "integrator",
    "iterations",
    "solver",
    "cone",
    "jacobian",
    "impratio",
    "tolerance",
    "ls_iterations",
    "ls_tolerance",
    "noslip_iterations",
    "noslip_tolerance",
    "ccd_iterations",
    "ccd_tolerance",
    "o_margin",
    "o_solref",
    "o_solimp",
    "o_friction",
];

/// Cautions of one model.
#[derive(Default)]
pub(crate) struct LeftOut {
    told: HashSet<String>,
    /// Whether meshes touch nothing.
    pub meshes: bool,
    pub cautions: Cautions,
}

impl LeftOut {
    /// Name something once.
    pub fn tell(&mut self, what: &str, owner: String, why: &'static str, spot: Spot) {
        if self.told.insert(what.to_string()) {
            self.cautions.push((Caution::NotSimulated { what: what.into(), owner, why }, spot));
        }
    }

    fn attribute(&mut self, item: &Item<'_>, name: &str, why: &'static str) {
        if let Some(attribute) = item.attribute(name) {
            let what = format!("{name} of <{}>", item.tag.name);
            self.tell(&what, item.tag.called(), why, attribute.name_spot);
        }
    }

    /// Whole sections, options and flags.
    pub fn model(&mut self, model: &Tag) {
        for section in &model.children {
            if let Some((name, why)) = SECTIONS.iter().find(|(name, _)| *name == section.name)
                && !section.children.is_empty()
            {
                let spot = section.children[0].spot;
                self.tell(&format!("<{name}>"), "the model".into(), why, spot);
            }
            let skins = section.all("skin").filter(|_| section.name == "asset");
            skins.for_each(|s| self.tell("<skin>", "the model".into(), "skins are looks", s.spot));
            let fields = section.all("hfield").filter(|f| f.text("file").is_some());
            for field in fields.filter(|_| section.name == "asset") {
                let why = "it makes no contact feature: write its heights as elevation";
                self.tell("height field of a file", field.called(), why, field.spot);
            }
        }
        for option in model.all("option") {
            self.option(&Item::plain(option));
        }
        for compiler in model.all("compiler").map(Item::plain) {
            if compiler.text("alignfree") == Some("true") {
                let why = "frames of free bodies stay where they are written";
                self.attribute(&compiler, "alignfree", why);
            }
        }
    }

    fn option(&mut self, item: &Item<'_>) {
        for name in NUMERICS {
            if item.has(name) {
                let spot = item.attribute(name).map_or(item.tag.spot, |a| a.name_spot);
                self.tell("numerics of <option>", name.to_string(), OWN_SOLVER, spot);
            }
        }
        for name in ["density", "viscosity", "wind"] {
            let nonzero =
                item.text(name).is_some_and(|t| t.split_whitespace().any(|x| x.parse() != Ok(0.0)));
            if nonzero {
                self.attribute(item, name, "forces of a fluid are not simulated");
            }
        }
        self.attribute(item, "magnetic", "magnetometers are not simulated");
        self.attribute(item, "actuatorgroupdisable", "all motors are read");
    }

    /// Attributes of a body.
    pub fn body(&mut self, item: &Item<'_>) {
        let nonzero = |name: &str| item.text(name).is_some_and(|t| t.trim().parse() != Ok(0.0));
        if nonzero("gravcomp") {
            self.attribute(item, "gravcomp", "gravity acts on all bodies");
        }
        if item.text("mocap") == Some("true") {
            self.attribute(item, "mocap", "the body stays where it is");
        }
        if item.text("sleep").is_some_and(|t| t != "auto") {
            self.attribute(item, "sleep", OWN_SOLVER);
        }
    }

    /// Attributes of a joint.
    pub fn joint(&mut self, item: &Item<'_>) {
        self.soft(item);
        let ball = matches!(item.text("type"), Some("ball" | "free"));
        let nonzero = |name: &str| {
            item.text(name).is_some_and(|t| t.split_whitespace().any(|x| x.parse() != Ok(0.0)))
        };
        if ball && nonzero("frictionloss") {
            self.attribute(item, "frictionloss", "dry friction acts on hinges and slides only");
        }
        if ball && nonzero("stiffness") {
            self.attribute(item, "stiffness", "springs act on hinges and slides only");
        }
        if ball && nonzero("range") && item.text("limited") != Some("false") {
            self.attribute(item, "range", "limits act on hinges and slides only");
        }
        if nonzero("springyield") {
            self.attribute(item, "springyield", "springs do not yield");
        }
        if item.text("actuatorgravcomp") == Some("true") {
            self.attribute(item, "actuatorgravcomp", "gravity acts on all bodies");
        }
        if item.text("align") == Some("true") {
            self.attribute(item, "align", "frames of free bodies stay where they are written");
        }
    }

    /// Attributes of a geom.
    pub fn geom(&mut self, item: &Item<'_>) {
        self.soft(item);
        for name in ["fluidshape", "adhesion", "surfacevel"] {
            if !matches!(item.text(name), None | Some("none" | "0")) {
                self.attribute(
                    item,
                    name,
                    "fluids, adhesion and moving surfaces are not simulated",
                );
            }
        }
        match item.text("type") {
            Some("mesh") if !self.meshes => {}
            Some(kind @ ("mesh" | "sdf")) => {
                let why = "it makes no contact feature";
                self.tell(&format!("geom of type {kind}"), item.tag.called(), why, item.tag.spot);
            }
            None if item.has("mesh") && self.meshes => {
                let why = "it makes no contact feature";
                self.tell("geom of type mesh", item.tag.called(), why, item.tag.spot);
            }
            _ => {}
        }
    }

    /// Attributes of soft constraints.
    pub fn soft(&mut self, item: &Item<'_>) {
        for name in SOFT {
            if let Some(attribute) = item.attribute(name) {
                self.tell("compliance", attribute.name.clone(), HARD, attribute.name_spot);
            }
        }
    }
}
