//! Classes of defaults: what an element has that does not state it.
//!
//! An attribute is looked for in the element, then in the element of the same name of its class, then
//! in the classes around that one, up to the outermost. The class of an element is the one that it
//! names, else the `childclass` of the nearest body or frame around it, else the outermost.

use super::item::Item;
use super::tag::{Attribute, Tag};
use crate::assemble::duplicate;
use crate::error::Flaw;
use crate::fault::Fault;
use crate::source::shorten;
use crate::suggest::nearest;
use std::collections::HashMap;

/// The class of elements that name none.
const OUTERMOST: &str = "main";

/// Motors of all kinds share their defaults.
pub(crate) const ACTUATORS: &[&str] = &[
    "general",
    "motor",
    "position",
    "velocity",
    "intvelocity",
    "damper",
    "cylinder",
    "muscle",
    "adhesion",
    "dcmotor",
    "pid",
    "orientation",
    "plugin",
];

/// Kinds of equality, which share theirs.
const EQUALITIES: &[&str] = &["connect", "weld", "joint", "tendon", "flex"];

/// One class.
struct Class<'a> {
    parent: Option<usize>,
    tags: Vec<&'a Tag>,
}

/// All classes of a model.
pub(crate) struct Defaults<'a> {
    classes: Vec<Class<'a>>,
    names: HashMap<String, (usize, &'a Tag)>,
}

impl<'a> Defaults<'a> {
    /// The classes of `<default>` sections.
    pub fn read(model: &'a Tag) -> Result<Self, Flaw> {
        let mut all = Self { classes: Vec::new(), names: HashMap::new() };
        all.classes.push(Class { parent: None, tags: Vec::new() });
        for section in model.all("default") {
            match section.text("class") {
                None | Some(OUTERMOST) => all.fill(section, 0)?,
                Some(_) => all.add(section, 0)?,
            }
        }
        Ok(all)
    }

    fn add(&mut self, tag: &'a Tag, parent: usize) -> Result<(), Flaw> {
        let Some(name) = tag.attribute("class") else {
            let (owner, what, name) = (tag.called(), "attribute", "class");
            let expected = "the name of the class";
            return Err(Flaw::word(tag.spot, Fault::Missing { owner, what, name, expected }));
        };
        let number = self.classes.len();
        if let Some((_, before)) = self.names.insert(name.value.clone(), (number, tag)) {
            return Err(duplicate("class", &name.value, name.spot, before.spot));
        }
        self.classes.push(Class { parent: Some(parent), tags: Vec::new() });
        self.fill(tag, number)
    }

    fn fill(&mut self, tag: &'a Tag, class: usize) -> Result<(), Flaw> {
        for child in &tag.children {
            match child.name.as_str() {
                "default" => self.add(child, class)?,
                // What is said later holds.
                _ => self.classes[class].tags.insert(0, child),
            }
        }
        Ok(())
    }

    /// The number of a class by its name.
    pub fn class(&self, name: &Attribute) -> Result<usize, Flaw> {
        if name.value == OUTERMOST {
            return Ok(0);
        }
        self.names.get(&name.value).map(|(number, _)| *number).ok_or_else(|| {
            let mut known: Vec<&str> = self.names.keys().map(String::as_str).collect();
            known.sort_unstable();
            let fault = Fault::UnknownName {
                owner: "the model".into(),
                what: "class",
                name: shorten(&name.value),
                suggestion: nearest(&name.value, known),
            };
            Flaw::word(name.spot, fault)
        })
    }

    /// An element with its defaults; `around` is the class of the elements around it.
    pub fn item<'t>(&'t self, tag: &'t Tag, around: usize) -> Result<Item<'t>, Flaw> {
        let own = match tag.attribute("class") {
            Some(name) => self.class(name)?,
            None => around,
        };
        let mut item = Item { tag, defaults: Vec::new() };
        let mut class = Some(own);
        while let Some(number) = class {
            let fits = |t: &&&Tag| is_default_of(&t.name, &tag.name);
            item.defaults.extend(self.classes[number].tags.iter().filter(fits).copied());
            class = self.classes[number].parent;
        }
        Ok(item)
    }

    /// The class inside a body or frame.
    pub fn inside(&self, tag: &Tag, around: usize) -> Result<usize, Flaw> {
        tag.attribute("childclass").map_or(Ok(around), |name| self.class(name))
    }
}

/// Whether an element of defaults holds for another.
fn is_default_of(default: &str, element: &str) -> bool {
    default == element
        || (ACTUATORS.contains(&default) && ACTUATORS.contains(&element))
        || (default == "equality" && EQUALITIES.contains(&element))
        || (default == "tendon" && matches!(element, "spatial" | "fixed"))
}
