//! Do texts cover each other, or leave the figure?

use crate::figure::Layout;
use crate::marks::text::TextBox;

/// Overlaps up to this depth are round-off, px.
const SLACK: f64 = 0.25;

/// Something wrong with the texts of a figure.
#[derive(Debug, Clone, PartialEq)]
pub enum Clash {
    /// Two texts share some room.
    Overlap(TextBox, TextBox),
    /// A text is partly outside the figure.
    Outside(TextBox),
    /// A note found no place.
    LeftOut(String),
}

impl std::fmt::Display for Clash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Overlap(a, b) => {
                write!(f, "`{}` ({:?}) and `{}` ({:?}) overlap", a.text, a.role, b.text, b.role)
            }
            Self::Outside(a) => write!(f, "`{}` ({:?}) leaves the figure", a.text, a.role),
            Self::LeftOut(text) => write!(f, "`{text}` found no place"),
        }
    }
}

impl Layout {
    /// All clashes of texts.
    pub fn clashes(&self) -> Vec<Clash> {
        let mut found: Vec<Clash> = self.left_out.iter().cloned().map(Clash::LeftOut).collect();
        for (k, a) in self.texts.iter().enumerate() {
            let inside = a.x >= -SLACK
                && a.y >= -SLACK
                && a.x + a.width <= self.width + SLACK
                && a.y + a.height <= self.height + SLACK;
            if !inside {
                found.push(Clash::Outside(a.clone()));
            }
            let shrunk = a.area().grown(-SLACK);
            for b in &self.texts[k + 1..] {
                if shrunk.meets(&b.area().grown(-SLACK)) {
                    found.push(Clash::Overlap(a.clone(), b.clone()));
                }
            }
        }
        found
    }
}
