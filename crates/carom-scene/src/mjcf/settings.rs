//! What holds for the whole model: `<compiler>`, `<option>` and its flags.

use super::item::Item;
use super::tag::Tag;
use crate::error::Flaw;
use crate::fault::Fault;
use crate::source::shorten;
use nalgebra::Vector3;

/// Whether inertia comes from geoms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FromGeoms {
    /// Always.
    Always,
    /// Where a body states none.
    WhereMissing,
    /// Never.
    Never,
}

/// What holds for the whole model.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    degrees: bool,
    /// Axes of Euler angles.
    pub euler: String,
    /// Whether a range alone makes a limit.
    pub auto_limits: bool,
    pub from_geoms: FromGeoms,
    /// Groups of geoms that count for inertia.
    pub groups: [f64; 2],
    /// Least mass and principal moment of a moving body.
    pub least_mass: f64,
    pub least_inertia: f64,
    /// Whether moments that no body has are replaced by their mean.
    pub balance: bool,
    /// Whether shapes are fitted to the bounding box of a mesh.
    pub fit_box: bool,
    /// Whether pairs that are stated touch, and whether those of the bits do.
    pub collision: [bool; 2],
    /// Total mass to which all are scaled, if > 0.
    pub total_mass: f64,
    /// Folder of meshes.
    pub mesh_folder: String,
    /// Whether folders in names of files are dropped.
    pub strip: bool,
    pub gravity: Vector3<f64>,
    pub contact: bool,
    pub filter_parent: bool,
    pub limit: bool,
    pub equality: bool,
    pub friction: bool,
    pub spring: bool,
    pub damper: bool,
    pub actuation: bool,
}

impl Settings {
    /// Read the settings; later sections hold over earlier ones.
    pub fn read(model: &Tag) -> Result<Self, Flaw> {
        let mut found = Self::default();
        for section in model.all("compiler") {
            found.compiler(&Item::plain(section))?;
        }
        let mut has_gravity = true;
        for section in model.all("option") {
            found.gravity = Item::plain(section).vector("gravity")?.unwrap_or(found.gravity);
            let item = Item::plain(section);
            // Of earlier versions of the format.
            found.collision = match item.word("collision", &["all", "predefined", "dynamic"])? {
                Some("predefined") => [true, false],
                Some("dynamic") => [false, true],
                Some(_) => [true; 2],
                None => found.collision,
            };
            for flags in section.all("flag") {
                found.flags(&Item::plain(flags), &mut has_gravity)?;
            }
        }
        if !has_gravity {
            found.gravity = Vector3::zeros();
        }
        Ok(found)
    }

    fn compiler(&mut self, item: &Item<'_>) -> Result<(), Flaw> {
        if let Some(word) = item.word("angle", &["degree", "radian"])? {
            self.degrees = word == "degree";
        }
        if item.word("coordinate", &["local", "global"])? == Some("global") {
            let fault = Fault::NotHere {
                owner: item.tag.called(),
                key: "coordinate".into(),
                because: "global coordinates were given up by MuJoCo itself".into(),
                instead: "save the model with MuJoCo 2.3.3, which writes local ones",
            };
            return Err(Flaw::value(item.spot_of("coordinate"), "coordinate", "", fault));
        }
        if let Some(sequence) = item.text("eulerseq") {
            let valid = sequence.len() == 3 && sequence.chars().all(|c| "xyzXYZ".contains(c));
            if !valid {
                let (owner, key) = (item.tag.called(), "eulerseq".to_string());
                let expected = "three of the letters x, y, z, X, Y, Z";
                let fault = Fault::Unreadably { owner, key, expected };
                return Err(Flaw::value(item.spot_of("eulerseq"), "eulerseq", "", fault));
            }
            self.euler = sequence.into();
        }
        self.auto_limits = item.flag("autolimits", self.auto_limits)?;
        self.from_geoms = match item.word("inertiafromgeom", &["true", "false", "auto"])? {
            Some("true") => FromGeoms::Always,
            Some("false") => FromGeoms::Never,
            Some(_) => FromGeoms::WhereMissing,
            None => self.from_geoms,
        };
        if let Some(g) = item.numbers("inertiagrouprange", 2..=2)? {
            self.groups = [g[0], g[1]];
        }
        self.least_mass = item.not_negative("boundmass", self.least_mass)?;
        self.least_inertia = item.not_negative("boundinertia", self.least_inertia)?;
        self.fit_box = item.flag("fitaabb", self.fit_box)?;
        self.balance = item.flag("balanceinertia", self.balance)?;
        self.total_mass = item.number("settotalmass", self.total_mass)?;
        self.strip = item.flag("strippath", self.strip)?;
        if let Some(folder) = item.text("meshdir").or_else(|| item.text("assetdir")) {
            self.mesh_folder = folder.into();
        }
        Ok(())
    }

    fn flags(&mut self, item: &Item<'_>, gravity: &mut bool) -> Result<(), Flaw> {
        let on = |name: &'static str, now: bool| -> Result<bool, Flaw> {
            Ok(item.word(name, &["enable", "disable"])?.map_or(now, |word| word == "enable"))
        };
        *gravity = on("gravity", *gravity)?;
        self.contact = on("contact", self.contact)?;
        self.filter_parent = on("filterparent", self.filter_parent)?;
        self.limit = on("limit", self.limit)?;
        self.equality = on("equality", self.equality)?;
        self.friction = on("frictionloss", self.friction)?;
        self.spring = on("passive", on("spring", self.spring)?)?;
        self.damper = on("passive", on("damper", self.damper)?)?;
        self.actuation = on("actuation", self.actuation)?;
        if !on("constraint", true)? {
            (self.contact, self.limit) = (false, false);
            (self.equality, self.friction) = (false, false);
        }
        Ok(())
    }

    /// An angle as it is written, in radians.
    pub fn angle(&self, written: f64) -> f64 {
        if self.degrees { written.to_radians() } else { written }
    }

    /// The path of a mesh as the model means it.
    pub fn mesh_path(&self, written: &str) -> String {
        let name = match (self.strip, written.rsplit(['/', '\\']).next()) {
            (true, Some(last)) => last,
            _ => written,
        };
        match self.mesh_folder.is_empty() {
            true => name.to_string(),
            false => format!("{}/{name}", self.mesh_folder.trim_end_matches('/')),
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            degrees: true,
            euler: "xyz".into(),
            auto_limits: true,
            from_geoms: FromGeoms::WhereMissing,
            groups: [0.0, 5.0],
            least_mass: 0.0,
            least_inertia: 0.0,
            balance: false,
            fit_box: false,
            collision: [true; 2],
            total_mass: 0.0,
            mesh_folder: String::new(),
            strip: false,
            gravity: Vector3::new(0.0, 0.0, -9.81),
            contact: true,
            filter_parent: true,
            limit: true,
            equality: true,
            friction: true,
            spring: true,
            damper: true,
            actuation: true,
        }
    }
}

/// A name that is written, with a prefix.
pub(crate) fn prefixed(prefix: &str, name: &str) -> String {
    format!("{prefix}{}", shorten(name))
}
