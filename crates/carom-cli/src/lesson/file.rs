//! The file of a lesson.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// Questions about a scene.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lesson {
    /// What it is about.
    pub title: String,
    /// The scene, beside the file.
    pub scene: PathBuf,
    /// What a reader should know before the first question.
    #[serde(default)]
    pub intro: String,
    /// The questions, in their order.
    #[serde(default)]
    pub question: Vec<Question>,
}

/// One question: a number is asked for, or a choice.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The question.
    pub ask: String,
    /// Changes to the scene.
    #[serde(default)]
    pub set: Vec<String>,
    /// The number that is asked for, as an expression over the run.
    pub answer: Option<String>,
    /// Its unit.
    #[serde(default)]
    pub unit: String,
    /// A prediction is right if it is this part of the answer off, at most.
    #[serde(default = "tenth")]
    pub tolerance: f64,
    /// Answers to choose from.
    #[serde(default)]
    pub choice: Vec<Choice>,
    /// What the reader learns afterwards.
    pub explain: String,
}

/// An answer to choose.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// Its words.
    pub text: String,
    /// Whether it is right, as an expression over the run.
    pub when: String,
}

fn tenth() -> f64 {
    0.1
}

impl Lesson {
    /// Reads a file; otherwise what is wrong with it, and what to do.
    pub fn load(path: &Path) -> Result<Self, (String, &'static str)> {
        let name = path.display();
        let text = fs::read_to_string(path).map_err(|error| {
            (format!("cannot read {name}: {error}"), "give the file of a lesson")
        })?;
        let lesson: Self = toml::from_str(&text).map_err(|error| {
            let message = format!("{name} is no lesson: {}", error.to_string().trim());
            (message, "docs/lessons.md tells what a lesson may say")
        })?;
        match lesson.fault() {
            Some(fault) => Err((format!("{name}: {fault}"), "docs/lessons.md has an example")),
            None => Ok(lesson),
        }
    }

    /// What cannot be asked.
    fn fault(&self) -> Option<String> {
        if self.question.is_empty() {
            return Some("a lesson needs at least one [[question]]".into());
        }
        self.question.iter().enumerate().find_map(|(i, q)| {
            let fault = match (&q.answer, q.choice.len()) {
                (Some(_), 1..) => "has both an `answer` and choices: give one of them",
                (None, 0 | 1) => "needs an `answer`, or at least two [[question.choice]]",
                _ if !(q.tolerance > 0.0 && q.tolerance < 1.0) => {
                    return Some(format!(
                        "question {}: tolerance = {}, allowed is more than 0 and less than 1",
                        i + 1,
                        q.tolerance
                    ));
                }
                _ => return None,
            };
            Some(format!("question {} {fault}", i + 1))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(question: &str) -> Option<String> {
        let text = format!("title = \"t\"\nscene = \"s.toml\"\n{question}");
        toml::from_str::<Lesson>(&text).unwrap().fault()
    }

    #[test]
    fn questions_ask_for_a_number_or_a_choice() {
        let two = "[[question.choice]]\ntext = \"a\"\nwhen = \"1\"\n\
                   [[question.choice]]\ntext = \"b\"\nwhen = \"0\"\n";
        let of = |rest: &str| format!("[[question]]\nask = \"?\"\nexplain = \"!\"\n{rest}");
        assert_eq!(fault(&of("answer = \"t\"")), None);
        assert_eq!(fault(&of(two)), None);
        assert!(fault("").unwrap().contains("at least one"));
        assert!(fault(&of("")).unwrap().contains("needs an `answer`"));
        assert!(fault(&of(&format!("answer = \"t\"\n{two}"))).unwrap().contains("both"));
        assert!(fault(&of("answer = \"t\"\ntolerance = 1.0")).unwrap().contains("tolerance = 1"));
    }
}
