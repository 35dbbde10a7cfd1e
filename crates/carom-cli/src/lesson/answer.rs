//! What a run answers to a question.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use carom_study::{Ask, Study};
use serde_json::{Value, json};

use super::file::Question;

/// The right answer: a number, or the number of a choice from 0. Otherwise what is wrong, and what to do.
pub fn answer(
    question: &Question,
    scene: &Path,
    stop: &AtomicBool,
) -> Result<Value, (String, String)> {
    let text = fs::read_to_string(scene).map_err(|error| {
        (format!("cannot read {}: {error}", scene.display()), "look at `scene`".to_string())
    })?;
    let mut ask = Ask::of_scene(text, scene.display().to_string());
    ask.overrides = question.set.clone();
    ask.results = match &question.answer {
        Some(expression) => vec![("answer".into(), expression.clone())],
        None => {
            let named = |(i, choice): (usize, &super::file::Choice)| {
                (format!("choice{}", i + 1), choice.when.clone())
            };
            question.choice.iter().enumerate().map(named).collect()
        }
    };
    let study = Study::new(ask).map_err(|error| (error.to_string(), error.hint()))?;
    let row = study.run(0, stop).ok_or(("interrupted".to_string(), String::new()))?;
    if let Some(message) = row.message {
        return Err((format!("the run fails: {message}"), "look at `set`".into()));
    }
    if question.answer.is_some() {
        return match row.results[0] {
            x if x.is_finite() => Ok(json!(x)),
            x => Err((
                format!("the answer is {x}"),
                "what the expression asks for does not happen in this run".into(),
            )),
        };
    }
    let right: Vec<usize> = (0..row.results.len())
        .filter(|i| row.results[*i] != 0.0 && !row.results[*i].is_nan())
        .collect();
    match right[..] {
        [one] => Ok(json!(one)),
        _ => Err((
            format!("{} of {} choices are right", right.len(), row.results.len()),
            "exactly one `when` must hold in the run".into(),
        )),
    }
}
