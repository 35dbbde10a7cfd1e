//! The tables of the reference in docs/scenes.md.

use super::scene::ALL;

/// One Markdown table for each table of the format, by name.
pub fn reference_tables() -> Vec<(&'static str, String)> {
    ALL.iter()
        .map(|(name, spec)| {
            let mut text = format!("{}\n\n", spec.doc);
            text.push_str("| key | value | unit | default | meaning |\n|---|---|---|---|---|\n");
            for f in spec.fields() {
                let cells = [
                    format!("`{}`", f.key),
                    f.kind.words(None),
                    f.unit.to_string(),
                    f.default.to_string(),
                    f.doc.to_string(),
                ];
                text.push_str(&format!(
                    "| {} |\n",
                    cells.map(|c| c.replace('|', "\\|")).join(" | ")
                ));
            }
            (*name, text)
        })
        .collect()
}
