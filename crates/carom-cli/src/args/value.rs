//! Values of arguments, checked before a command begins.

use carom::record::EventKind;
use carom_report::plots::PlotKind;

/// Pixels per unit.
pub fn scale(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|x| (0.1..=20.0).contains(x));
    number.ok_or_else(|| "must be a number from 0.1 to 20".into())
}

/// A length on paper, in millimetres.
pub fn millimetres(text: &str) -> Result<f64, String> {
    let units = [("mm", 1.0), ("cm", 10.0), ("in", 25.4), ("pt", 25.4 / 72.0)];
    let found = units.iter().find_map(|(unit, factor)| {
        let number: f64 = text.trim().strip_suffix(unit)?.trim().parse().ok()?;
        Some(number * factor)
    });
    found.filter(|mm| (20.0..=2000.0).contains(mm)).ok_or_else(|| {
        "must be a length of 20 mm to 2 m with its unit, such as 85mm or 3.3in".into()
    })
}

/// A size of letters on paper, in points.
pub fn points(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|x| (1.0..=100.0).contains(x));
    number.ok_or_else(|| "must be a number of points from 1 to 100".into())
}

/// A number above zero.
pub fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|x| x.is_finite() && *x > 0.0);
    number.ok_or_else(|| "must be a finite number > 0".into())
}

/// Width and height in pixels.
pub fn pixels(text: &str) -> Result<(u32, u32), String> {
    let side = |text: &str| text.trim().parse::<u32>().ok().filter(|n| (16..=8192).contains(n));
    let found = text.split_once(['x', '×']).map(|(w, h)| (side(w), side(h)));
    match found {
        Some((Some(width), Some(height))) => Ok((width, height)),
        _ => Err("must be WIDTHxHEIGHT with sides of 16 to 8192 pixels, such as 960x600".into()),
    }
}

/// A whole number, zero or more.
pub fn count(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "must be a whole number, 0 or more".into())
}

/// A whole number, one or more.
pub fn at_least_one(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|n| *n > 0);
    number.ok_or_else(|| "must be a whole number, 1 or more".into())
}

/// A whole number from one to a bound, beyond which memory would not last.
pub fn from_one_to<const MOST: usize>(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|n| (1..=MOST).contains(n));
    number.ok_or_else(|| format!("must be a whole number, 1 or more, at most {MOST}"))
}

/// A whole number up to a bound, beyond which memory would not last.
pub fn up_to<const MOST: usize>(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|n| *n <= MOST);
    number.ok_or_else(|| format!("must be a whole number, 0 or more, at most {MOST}"))
}

/// The sort of plot with a name.
pub fn plot_kind(word: &str) -> Result<PlotKind, String> {
    PlotKind::from_word(word).ok_or_else(|| {
        let words: Vec<&str> = PlotKind::ALL.iter().map(|kind| kind.word()).collect();
        format!("choose from {}", words.join(", "))
    })
}

/// The word of a kind of event.
pub fn event_kind(word: &str) -> Result<String, String> {
    const KINDS: [EventKind; 12] = [
        EventKind::Impact,
        EventKind::Jam,
        EventKind::Close,
        EventKind::Touch,
        EventKind::LiftOff,
        EventKind::SlipStop,
        EventKind::SlipStart,
        EventKind::SlipReversal,
        EventKind::Saturation,
        EventKind::Switch,
        EventKind::Step,
        EventKind::Rest,
    ];
    let words: Vec<&str> = KINDS.iter().map(EventKind::word).collect();
    match words.contains(&word) {
        true => Ok(word.into()),
        false => Err(format!("choose from {}", words.join(", "))),
    }
}
