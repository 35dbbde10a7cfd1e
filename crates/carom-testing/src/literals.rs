//! Thresholds that are spelt where they are used.
//!
//! A crate has one table, `thresholds.rs`, in which small numbers have a name, a meaning and a unit. Comments, strings and
//! tests beside the code may speak of others.

use std::path::Path;

use crate::place::rust_files;

/// Numbers below this are thresholds.
const SMALL: f64 = 1e-5;

/// Where the sources of a crate spell a number below 1e-5 outside their table, one line for each.
///
/// # Panics
/// If the folder cannot be read.
pub fn small_literals(src: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let table = |file: &Path| file.file_stem().is_some_and(|stem| stem == "thresholds");
    for file in rust_files(src).into_iter().filter(|file| !table(file)) {
        let inside = file.strip_prefix(src).unwrap_or(&file).display().to_string();
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (line, words) in code.lines().enumerate() {
            let small = |x: &&str| x.parse::<f64>().is_ok_and(|x| x > 0.0 && x < SMALL);
            let spelt: Vec<&str> = numbers(words).into_iter().filter(small).collect();
            found.extend(spelt.iter().map(|x| format!("{inside}:{}: {x}", line + 1)));
        }
    }
    found
}

/// The numbers with an exponent in a line of code, without those in comments and strings.
fn numbers(line: &str) -> Vec<&str> {
    let code = line.split("//").next().unwrap_or_default();
    let outside = code.split('"').step_by(2);
    let part = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '-' || c == '_';
    let spelt = outside.flat_map(move |text| text.split(move |c| !part(c)));
    spelt
        .filter(|word| word.contains("e-") && word.starts_with(|c: char| c.is_ascii_digit()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_in_code_only() {
        let line = r#"if a < 1e-9 * b || c(2.5e-7, "1e-3 and 1e-8") { // 1e-11"#;
        assert_eq!(numbers(line), ["1e-9", "2.5e-7"]);
        assert_eq!(numbers("/// below 1e-9"), Vec::<&str>::new());
        assert_eq!(numbers("let edge-e1 = one-e-2;"), Vec::<&str>::new());
    }
}
