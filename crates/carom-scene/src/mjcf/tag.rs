//! The tags of a file, with those of the files that it includes in their places.

use super::names::NAMES;
use crate::error::Flaw;
use crate::fault::Fault;
use crate::files::Files;
use crate::source::{Sources, Spot, shorten};
use crate::suggest::nearest;
use crate::xml::document;
use std::path::Path;

/// An attribute.
#[derive(Debug, Clone)]
pub(crate) struct Attribute {
    pub name: String,
    pub value: String,
    /// Where its name is written.
    pub name_spot: Spot,
    /// Where its value is written.
    pub spot: Spot,
}

/// A tag, its attributes and what stands in it.
#[derive(Debug, Clone)]
pub(crate) struct Tag {
    pub name: String,
    /// Where its name is written.
    pub spot: Spot,
    pub attributes: Vec<Attribute>,
    pub children: Vec<Tag>,
}

impl Tag {
    /// An attribute by name.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|a| a.name == name)
    }

    /// The value of an attribute.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.attribute(name).map(|a| a.value.as_str())
    }

    /// All children of a name.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Tag> + 'a {
        self.children.iter().filter(move |c| c.name == name)
    }

    /// How it is called in messages.
    pub fn called(&self) -> String {
        match self.text("name").or_else(|| self.text("class")) {
            Some(name) => format!("<{} {}>", self.name, shorten(name)),
            None => format!("<{}>", self.name),
        }
    }
}

/// Where a file is read from, and which files were.
pub(crate) struct Reader<'a> {
    pub sources: &'a mut Sources,
    pub files: &'a mut Files,
    /// The folder of the model, relative to the scene.
    pub folder: String,
    /// The folder of the file that is being read.
    pub here: String,
    /// The folder of each included file.
    pub folders: Vec<(usize, String)>,
    /// Files that were included, which happens once each.
    pub included: Vec<String>,
    /// Texts between tags, which have no meaning, and whose they are.
    pub texts: Vec<(String, Spot)>,
}

impl Reader<'_> {
    /// A path as the model writes it, relative to the scene.
    pub fn path(&self, written: &str) -> String {
        Path::new(&self.folder).join(written).display().to_string()
    }

    /// The path of a file of an element: `of_model`, else what is written beside the file that holds the element.
    pub fn asset(&self, of_model: &str, written: &Attribute) -> String {
        let of_model = self.path(of_model);
        let holder = self.folders.iter().find(|(source, _)| *source == written.spot.source);
        let beside = |(_, folder): &(usize, String)| {
            Path::new(folder).join(&written.value).display().to_string()
        };
        match holder.map(beside) {
            Some(beside) if !self.files.exists(&of_model) && self.files.exists(&beside) => beside,
            _ => of_model,
        }
    }

    /// The outer tag of a source, with includes in place.
    pub fn tree(&mut self, source: usize) -> Result<Tag, Flaw> {
        let text = self.sources.text(source).to_string();
        let document = document(&text, source, "MJCF")?;
        self.tag(document.root_element(), source)
    }

    fn tag(&mut self, node: roxmltree::Node<'_, '_>, source: usize) -> Result<Tag, Flaw> {
        let name = node.tag_name().name().to_string();
        let start = node.range().start + 1;
        let spot = Spot { source, start, end: start + name.len() };
        let at = |r: std::ops::Range<usize>| Spot { source, start: r.start, end: r.end };
        let attributes = node.attributes().map(|a| Attribute {
            name: a.name().into(),
            value: a.value().into(),
            name_spot: at(a.range_qname()),
            spot: at(a.range_value()),
        });
        let mut tag = Tag { name, spot, attributes: attributes.collect(), children: Vec::new() };
        for child in node.children() {
            if child.is_text() && child.text().is_some_and(|t| !t.trim().is_empty()) {
                self.texts.push((tag.called(), at(child.range())));
            }
            if !child.is_element() {
                continue;
            }
            let found = self.tag(child, source)?;
            match found.name.as_str() {
                "include" => tag.children.extend(self.include(&found)?),
                _ => tag.children.push(found),
            }
        }
        Ok(tag)
    }

    /// What the file of an `<include>` holds.
    fn include(&mut self, tag: &Tag) -> Result<Vec<Tag>, Flaw> {
        let Some(file) = tag.attribute("file") else {
            let owner = tag.called();
            let (what, name, expected) = ("attribute", "file", "the path of a file");
            return Err(Flaw::word(tag.spot, Fault::Missing { owner, what, name, expected }));
        };
        // Beside the model, else beside the file that includes it.
        let beside = Path::new(&self.here).join(&file.value).display().to_string();
        let path = match self.path(&file.value) {
            of_model if self.files.exists(&of_model) || !self.files.exists(&beside) => of_model,
            _ => beside,
        };
        if self.included.contains(&path) {
            let message = format!("`{}` is included twice", shorten(&file.value));
            return Err(Flaw::word(file.spot, Fault::Syntax { format: "MJCF", message }));
        }
        self.included.push(path.clone());
        let source = self
            .files
            .source(&path, self.sources)
            .map_err(|fault| Flaw::value(file.spot, "file", "", fault))?;
        let folder =
            Path::new(&path).parent().map_or_else(String::new, |p| p.display().to_string());
        self.folders.push((source, folder.clone()));
        let outer = std::mem::replace(&mut self.here, folder);
        let tree = self.tree(source)?;
        self.here = outer;
        Ok(tree.children)
    }
}

/// Children that every place in the tree of bodies has under the path `body`.
fn path_of(parent: &str, name: &str) -> String {
    match (parent, name) {
        ("", _) => "mujoco".into(),
        ("mujoco", name) => name.into(),
        ("worldbody" | "body" | "body/frame" | "body/replicate", "body") => "body".into(),
        ("worldbody" | "body" | "body/frame" | "body/replicate", name) => format!("body/{name}"),
        ("default", "default") => "default".into(),
        (parent, name) => format!("{parent}/{name}"),
    }
}

/// Every tag and attribute has a name that MJCF knows.
pub(crate) fn check_names(tag: &Tag, parent: &str) -> Result<(), Flaw> {
    let path = path_of(parent, &tag.name);
    let Some((_, attributes)) = NAMES.iter().find(|(known, _)| *known == path) else {
        return Err(unknown_tag(tag, parent));
    };
    for attribute in &tag.attributes {
        if attributes.split(' ').any(|known| known == attribute.name) {
            continue;
        }
        let known: Vec<String> =
            attributes.split(' ').filter(|a| !a.is_empty()).map(String::from).collect();
        let fault = Fault::UnknownKey {
            owner: tag.called(),
            what: "attribute",
            name: shorten(&attribute.name),
            suggestion: nearest(&attribute.name, known.iter().map(String::as_str)),
            known,
        };
        return Err(Flaw::word(attribute.name_spot, fault));
    }
    tag.children.iter().try_for_each(|child| check_names(child, &path))
}

fn unknown_tag(tag: &Tag, parent: &str) -> Flaw {
    // All names whose path is the one that would be asked for in this place.
    let here = |path: &&'static str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        path_of(parent, name) == **path && *path != "mujoco"
    };
    let known: Vec<String> = NAMES
        .iter()
        .map(|(path, _)| *path)
        .filter(here)
        .map(|path| path.rsplit('/').next().unwrap_or(path).to_string())
        .collect();
    let owner = match parent {
        "mujoco" => "the model".into(),
        parent => format!("<{}>", parent.rsplit('/').next().unwrap_or(parent)),
    };
    let fault = Fault::UnknownKey {
        owner,
        what: "tag",
        name: shorten(&tag.name),
        suggestion: nearest(&tag.name, known.iter().map(String::as_str)),
        known,
    };
    Flaw::word(tag.spot, fault)
}
