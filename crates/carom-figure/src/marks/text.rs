//! Texts measured: letters become glyphs with places; subscripts and superscripts of Unicode are set as such, small
//! and shifted, whether or not the font has them. Unicode lacks some: a single letter with `_` and one letter or digit
//! behind it, such as `E_f`, is a symbol with its subscript as well; longer words keep their underscores.

use super::draw::{Rect, Segment};
use super::font::{self, Weight};
use super::missing;

/// What a text is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Heading of the figure.
    Title,
    /// Heading of a panel.
    PanelTitle,
    /// Name and unit of a horizontal axis.
    XLabel,
    /// Name and unit of a vertical axis, left or right.
    YLabel,
    /// Number or name at a tick.
    Tick,
    /// Entry of a legend.
    Legend,
    /// Label of a guide line or of a point.
    Note,
    /// Line of the caption.
    Caption,
}

/// A text of a figure and the room that it takes, px from the upper left corner.
#[derive(Debug, Clone, PartialEq)]
pub struct TextBox {
    /// The text.
    pub text: String,
    /// What it is there for.
    pub role: Role,
    /// Number of its panel; none for those of the whole figure.
    pub panel: Option<usize>,
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

impl TextBox {
    pub(crate) fn new(text: String, role: Role, panel: Option<usize>, r: &Rect) -> Self {
        Self { text, role, panel, x: r.x0, y: r.y0, width: r.width(), height: r.height() }
    }

    pub(crate) fn area(&self) -> Rect {
        Rect { x0: self.x, y0: self.y, x1: self.x + self.width, y1: self.y + self.height }
    }
}

/// A glyph of a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Glyph {
    pub id: u16,
    /// Place of its origin from the start of the baseline, y down.
    pub x: f64,
    pub y: f64,
    pub size: f64,
    /// The letter, if the font lacks it.
    pub missing: Option<char>,
}

impl Glyph {
    /// Its outline in parts of its size, y down, baseline at 0.
    pub fn outline(&self, weight: Weight) -> Vec<Segment> {
        match self.missing {
            Some(letter) => missing::outline(letter, weight),
            None => font::outline(self.id, weight),
        }
    }
}

/// A text of one line, set.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Words {
    pub text: String,
    pub size: f64,
    pub weight: Weight,
    pub glyphs: Vec<Glyph>,
    pub width: f64,
}

/// Subscripts and superscripts are smaller by this factor.
const SMALL: f64 = 0.72;
/// Height over and under the baseline in parts of the size.
const ASCENT: f64 = 0.75;
const DESCENT: f64 = 0.22;

impl Words {
    /// Sets a text in regular letters.
    pub fn new(text: &str, size: f64) -> Self {
        Self::with_weight(text, size, Weight::Regular)
    }

    /// Sets a text.
    pub fn with_weight(text: &str, size: f64, weight: Weight) -> Self {
        let (mut glyphs, mut x) = (Vec::new(), 0.0);
        for (c, shift) in letters(text) {
            let part = if shift == 0.0 { size } else { size * SMALL };
            let id = font::glyph(c, weight);
            let missing = (id == 0).then_some(c);
            glyphs.push(Glyph { id, x, y: shift * size, size: part, missing });
            let advance = match missing {
                Some(_) => missing::WIDTH,
                None => font::advance(id, weight),
            };
            x += part * advance;
        }
        Self { text: text.into(), size, weight, glyphs, width: x }
    }

    /// The same in smaller letters if it is wider than `room`, but not smaller than `least`.
    pub fn fitted(text: &str, size: f64, room: f64, least: f64) -> Self {
        let words = Self::new(text, size);
        if words.width <= room {
            words
        } else {
            Self::new(text, (size * room / words.width).max(least))
        }
    }

    /// From the top of the tallest letters to the baseline.
    pub fn ascent(&self) -> f64 {
        ASCENT * self.size
    }

    /// Height of the box of a line.
    pub fn height(&self) -> f64 {
        (ASCENT + DESCENT) * self.size
    }
}

/// Breaks a text into lines no wider than `room`, at spaces.
pub(crate) fn wrapped(text: &str, size: f64, weight: Weight, room: f64) -> Vec<Words> {
    let mut lines: Vec<Words> = Vec::new();
    for word in text.split_whitespace() {
        let longer = lines.last().map(|l| format!("{} {word}", l.text));
        let longer =
            longer.map(|t| Words::with_weight(&t, size, weight)).filter(|w| w.width <= room);
        match (longer, lines.last_mut()) {
            (Some(longer), Some(last)) => *last = longer,
            _ => lines.push(Words::with_weight(word, size, weight)),
        }
    }
    lines
}

/// The letters of a text with their shifts down in parts of the size.
fn letters(text: &str) -> Vec<(char, f64)> {
    let all: Vec<char> = text.chars().filter(|c| !missing::is_silent(*c)).collect();
    let is_word = |c: &char| c.is_alphanumeric() || *c == '_';
    let lowers = |k: usize| {
        all[k] == '_'
            && k > 0
            && all[k - 1].is_alphabetic()
            && (k < 2 || !is_word(&all[k - 2]))
            && all.get(k + 1).is_some_and(|c| c.is_alphanumeric())
            && !all.get(k + 2).is_some_and(is_word)
    };
    let shown = (0..all.len()).filter(|k| !lowers(*k));
    shown.map(|k| if k > 0 && lowers(k - 1) { (all[k], DOWN) } else { script(all[k]) }).collect()
}

/// Shift of a subscript and of a superscript down in parts of the size.
const DOWN: f64 = 0.16;
const UP: f64 = -0.34;

/// The letter behind a subscript or superscript, and its shift down in parts of the size.
fn script(c: char) -> (char, f64) {
    const HIGH: [(char, char); 20] = [
        ('⁰', '0'),
        ('¹', '1'),
        ('²', '2'),
        ('³', '3'),
        ('⁴', '4'),
        ('⁵', '5'),
        ('⁶', '6'),
        ('⁷', '7'),
        ('⁸', '8'),
        ('⁹', '9'),
        ('⁺', '+'),
        ('⁻', '−'),
        ('⁼', '='),
        ('⁽', '('),
        ('⁾', ')'),
        ('ⁿ', 'n'),
        ('ⁱ', 'i'),
        ('ᵀ', 'T'),
        ('ᵗ', 't'),
        ('ᵏ', 'k'),
    ];
    const LOW: [(char, char); 29] = [
        ('₀', '0'),
        ('₁', '1'),
        ('₂', '2'),
        ('₃', '3'),
        ('₄', '4'),
        ('₅', '5'),
        ('₆', '6'),
        ('₇', '7'),
        ('₈', '8'),
        ('₉', '9'),
        ('₊', '+'),
        ('₋', '−'),
        ('₌', '='),
        ('ₐ', 'a'),
        ('ₑ', 'e'),
        ('ₒ', 'o'),
        ('ₓ', 'x'),
        ('ₕ', 'h'),
        ('ₖ', 'k'),
        ('ₗ', 'l'),
        ('ₘ', 'm'),
        ('ₙ', 'n'),
        ('ₚ', 'p'),
        ('ₛ', 's'),
        ('ₜ', 't'),
        ('ᵢ', 'i'),
        ('ⱼ', 'j'),
        ('ᵣ', 'r'),
        ('ᵥ', 'v'),
    ];
    let find =
        |table: &[(char, char)]| table.iter().find(|(from, _)| *from == c).map(|(_, to)| *to);
    match (find(&HIGH), find(&LOW)) {
        (Some(letter), _) => (letter, UP),
        (_, Some(letter)) => (letter, DOWN),
        _ => (c, 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn width_is_the_sum_of_the_letters() {
        let (a, b, ab) =
            (Words::new("en", 10.0), Words::new("ergy", 10.0), Words::new("energy", 10.0));
        assert!((a.width + b.width - ab.width).abs() < 1e-12);
        assert!((Words::new("energy", 20.0).width - 2.0 * ab.width).abs() < 1e-12);
    }

    #[test]
    fn scripts_are_small_and_shifted() {
        let words = Words::new("vₙ⁺", 10.0);
        assert_eq!(words.glyphs[0].y, 0.0);
        assert!(words.glyphs[1].y > 0.0 && words.glyphs[2].y < 0.0);
        assert!(words.glyphs.iter().all(|g| g.id != 0));
        assert_eq!(words.glyphs[1].id, Words::new("n", 10.0).glyphs[0].id);
    }

    #[test]
    fn symbols_have_subscripts_and_words_have_underscores() {
        let low = |text: &str| Words::new(text, 10.0).glyphs.iter().filter(|g| g.y > 0.0).count();
        assert_eq!((low("E_f, friction"), low("v_t = 0"), low("μ_s")), (1, 1, 1));
        assert_eq!(
            (low("low_leg"), low("a_b_c"), low("_x"), low("x_"), low("q_12")),
            (0, 0, 0, 0, 0)
        );
        assert_eq!(Words::new("v_t", 10.0).glyphs, Words::new("vₜ", 10.0).glyphs);
    }

    #[test]
    fn lines_break_at_spaces_and_keep_every_word() {
        let text = "one two three four five six seven";
        let lines = wrapped(text, 10.0, Weight::Regular, 60.0);
        assert!(lines.len() > 1 && lines.iter().all(|l| l.width <= 60.0));
        let joined: Vec<&str> = lines.iter().map(|l| l.text.as_str()).collect();
        assert_eq!(joined.join(" "), text);
    }
}
