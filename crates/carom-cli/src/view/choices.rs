//! The impact laws that a scene can be run with, from the catalogue.

use carom::contact::sites;
use carom::impact::catalogue::{CATALOGUE, LawEntry};
use carom_scene::{LawWords, Scene};
use serde_json::{Value, json};

/// Entries of the catalogue that are wrappers around laws.
const WRAPPERS: [&str; 2] = ["rule", "attenuation"];
/// Options that name the law rather than tune it.
const NAMING: [&str; 3] = ["restitution", "method", "complementarity"];

/// A law by its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Name for people.
    pub label: String,
    /// The table of the law, as an override.
    pub set: String,
    words: Words,
}

/// Formulation, the option that names it with its value, rule.
type Words = (String, Option<(String, String)>, String);

impl Choice {
    /// As the page reads it.
    pub fn to_json(&self) -> Value {
        json!({ "label": self.label, "set": [self.set] })
    }
}

/// All laws; each under both rules if several contacts could take part.
pub fn choices(scene: &Scene) -> Vec<Choice> {
    let several = sites(&scene.model).len() > 1;
    let rules: &[&str] = if several { &["together", "sequential"] } else { &["together"] };
    let mut all = Vec::new();
    for rule in rules {
        for entry in CATALOGUE.iter().filter(|e| !WRAPPERS.contains(&e.formulation)) {
            for option in named(entry) {
                all.push(choice(entry.formulation, option, rule));
            }
        }
    }
    all
}

/// The values of the option that names a law of the family; one none if there is no such option.
fn named(entry: &LawEntry) -> Vec<Option<(String, String)>> {
    let Some(option) = entry.options.iter().find(|o| NAMING.contains(&o.name)) else {
        return vec![None];
    };
    let values = option.values.split('|').map(str::trim);
    values.map(|value| Some((option.name.to_string(), value.to_string()))).collect()
}

fn choice(formulation: &str, option: Option<(String, String)>, rule: &str) -> Choice {
    let mut label = formulation.to_string();
    let mut set = format!("law={{ formulation = \"{formulation}\"");
    if let Some((name, value)) = &option {
        match value.as_str() {
            "true" => label.push_str(&format!(", {name}")),
            "false" => {}
            word => label.push_str(&format!(", {word}")),
        }
        let flag = matches!(value.as_str(), "true" | "false");
        let value = if flag { value.clone() } else { format!("\"{value}\"") };
        set.push_str(&format!(", {name} = {value}"));
    }
    if rule != "together" {
        label.push_str(&format!(", {rule}"));
        set.push_str(&format!(", rule = \"{rule}\""));
    }
    set.push_str(" }");
    Choice { label, set, words: (formulation.into(), option, rule.into()) }
}

/// The place of the scene's own law among the choices, if it is one of them.
pub fn own(scene: &Scene, choices: &[Choice]) -> Option<usize> {
    let law = LawWords::of(&scene.law);
    let tuned = law.unusual_numbers().next().is_some() || !law.energy_control.is_empty();
    // The first flag names the law; any other that is on makes it another law.
    if tuned || law.flags.iter().skip(1).any(|(_, on)| *on) {
        return None;
    }
    choices.iter().position(|c| c.words == words(&law))
}

fn words(law: &LawWords) -> Words {
    let word = law.which.map(|(key, word)| (key.to_string(), word.to_string()));
    let flag = law.flags.first().map(|(key, on)| (key.to_string(), on.to_string()));
    (law.formulation.into(), word.or(flag), law.rule.into())
}
