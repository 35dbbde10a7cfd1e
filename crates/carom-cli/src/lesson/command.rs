//! The command: every question is run and answered, and one page holds them all.

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use carom_report::document::RunDocument;
use carom_report::page::lesson;
use carom_report::run::disk::replace;
use serde_json::{Value, json};

use super::answer::answer;
use super::file::{Lesson, Question};
use crate::args::LessonArgs;
use crate::exit;
use crate::interrupt::interrupt_flag;
use crate::live::from_file;

/// Runs the command.
pub fn run(args: &LessonArgs) -> ExitCode {
    match page(&args.file) {
        Ok((html, count)) => {
            let out = args.out.clone().unwrap_or_else(|| args.file.with_extension("html"));
            if let Err(error) = replace(&out, html.as_bytes()) {
                return exit::fail(&error.to_string(), error.hint());
            }
            exit::say(format_args!("{count} questions in {}", out.display()));
            ExitCode::SUCCESS
        }
        Err(code) => code,
    }
}

/// The page of a lesson, and how many questions it has.
fn page(path: &Path) -> Result<(String, usize), ExitCode> {
    let lesson_file = Lesson::load(path).map_err(|(fault, hint)| exit::fail(&fault, hint))?;
    let scene = path.parent().map_or(lesson_file.scene.clone(), |dir| dir.join(&lesson_file.scene));
    let stop = interrupt_flag();
    let mut questions = Vec::new();
    for (i, question) in lesson_file.question.iter().enumerate() {
        let told = |(fault, hint): (String, String)| {
            exit::fail(&format!("{}, question {}: {fault}", path.display(), i + 1), &hint)
        };
        questions.push(asked(question, &scene, (&stop, &told))?);
    }
    let head = json!({ "title": lesson_file.title, "intro": lesson_file.intro.trim() });
    let count = questions.len();
    Ok((lesson(&lesson_file.title, &head, &questions), count))
}

/// A question with its answer, as the page reads it, and the document of its run.
fn asked(
    question: &Question,
    scene: &Path,
    (stop, told): (&AtomicBool, &dyn Fn((String, String)) -> ExitCode),
) -> Result<(Value, String), ExitCode> {
    let answer = answer(question, scene, stop).map_err(told)?;
    let lived = from_file(scene, &question.set, stop)?;
    let document = RunDocument::new(&lived.account).and_then(|document| document.to_json());
    let document = document.map_err(|e| told((e.to_string(), e.hint().into())))?;
    let choices: Vec<&str> = question.choice.iter().map(|c| c.text.as_str()).collect();
    let value = json!({
        "ask": question.ask.trim(),
        "unit": question.unit,
        "tolerance": question.tolerance,
        "choices": choices,
        "answer": answer,
        "explain": question.explain.trim(),
        "set": question.set,
    });
    Ok((value, document))
}
