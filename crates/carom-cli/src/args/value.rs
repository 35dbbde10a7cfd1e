//! Values of arguments, checked before a command begins.

use std::str::FromStr;

use carom_report::plots::PlotKind;

/// A number above zero.
pub fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|x| x.is_finite() && *x > 0.0);
    number.ok_or_else(|| "must be a finite number > 0".into())
}

/// A whole number, zero or more.
pub fn count(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "must be a whole number, 0 or more".into())
}

/// A whole number, one or more.
pub fn at_least_one<T: FromStr + PartialOrd + From<u8>>(text: &str) -> Result<T, String> {
    let number = text.parse().ok().filter(|n| *n >= T::from(1));
    number.ok_or_else(|| "must be a whole number, 1 or more".into())
}

/// The sort of plot with a name.
pub fn plot_kind(word: &str) -> Result<PlotKind, String> {
    PlotKind::from_word(word).ok_or_else(|| {
        let words: Vec<&str> = PlotKind::ALL.iter().map(|kind| kind.word()).collect();
        format!("choose from {}", words.join(", "))
    })
}
