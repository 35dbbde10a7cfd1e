//! `carom laws`: the catalogue of impact laws.

use std::process::ExitCode;

use carom::impact::catalogue::{CATALOGUE, InScenes, LawEntry, LawOption, entry};
use serde_json::{Value, json};

use crate::args::LawsArgs;
use crate::exit;
use crate::words::wrapped;

/// Runs the command.
pub fn run(args: &LawsArgs) -> ExitCode {
    let laws: Vec<&LawEntry> = match args.formulation.as_deref() {
        None => CATALOGUE.iter().collect(),
        Some(name) => match entry(name) {
            Some(law) => vec![law],
            None => {
                let names: Vec<&str> = CATALOGUE.iter().map(|law| law.formulation).collect();
                let message = format!("there is no law `{name}`");
                return exit::fail(&message, &format!("the laws are {}", names.join(", ")));
            }
        },
    };
    if args.json {
        let list: Vec<Value> = laws.iter().map(|law| in_json(law)).collect();
        return exit::print_all(&(serde_json::to_string_pretty(&list).unwrap_or_default() + "\n"));
    }
    let mut text = String::new();
    for (i, law) in laws.iter().enumerate() {
        if i > 0 {
            text.push('\n');
        }
        describe(law, &mut text);
    }
    exit::print_all(&text)
}

/// A law with all its words.
pub fn in_json(law: &LawEntry) -> Value {
    let option = |option: &LawOption| {
        let scenes = match option.scenes {
            InScenes::Same => json!({ "written": option.name }),
            InScenes::Written(table) => json!({ "written": table }),
            InScenes::Not(why) => json!({ "not": why }),
        };
        json!({
            "name": option.name,
            "values": option.values,
            "default": option.default,
            "meaning": option.meaning,
            "scenes": scenes,
        })
    };
    let (promise, condition) = law.energy.words();
    json!({
        "formulation": law.formulation,
        "title": law.title,
        "summary": law.summary,
        "options": law.options.iter().map(option).collect::<Vec<_>>(),
        "scope": law.scope,
        "energy": format!("{promise} {condition}").trim_end(),
        "source": law.source,
    })
}

fn describe(law: &LawEntry, text: &mut String) {
    text.push_str(&format!("{}: {}\n", law.formulation, law.title));
    paragraph("  ", "  ", law.summary, text);
    for option in law.options {
        let start = format!("  {} = {} (default {}): ", option.name, option.values, option.default);
        paragraph(&start, "      ", option.meaning, text);
        match option.scenes {
            InScenes::Same => {}
            InScenes::Written(table) => paragraph("      in scenes: ", "          ", table, text),
            InScenes::Not(why) => paragraph("      not in scenes: ", "          ", why, text),
        }
    }
    paragraph("  scope: ", "      ", law.scope, text);
    let (promise, condition) = law.energy.words();
    paragraph("  energy: ", "      ", format!("{promise} {condition}").trim_end(), text);
    paragraph("  source: ", "      ", law.source, text);
}

/// Appends a paragraph broken into lines, the first beginning with `start`, the others after `indent`.
fn paragraph(start: &str, indent: &str, words: &str, text: &mut String) {
    let lead = &start[..start.len() - start.trim_start().len()];
    let all = format!("{start}{words}");
    let lines = wrapped(&all, lead.len(), indent.len());
    for (k, line) in lines.iter().enumerate() {
        text.push_str(if k == 0 { lead } else { indent });
        text.push_str(line);
        text.push('\n');
    }
}
