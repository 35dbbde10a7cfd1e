//! `carom lesson` through the binary: answers come from runs, and what cannot be asked is told.

use carom_testing::{Scratch, scene};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn carom(dir: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carom")).current_dir(dir).args(args).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The data of a page.
fn data(path: &Path) -> Value {
    let html = fs::read_to_string(path).unwrap();
    let (_, rest) = html.split_once("id=\"carom-lesson\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn the_lessons_of_the_repository_have_answers() {
    let scratch = Scratch::new("lessons");
    let lessons = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lessons");
    let mut names: Vec<_> = fs::read_dir(&lessons).unwrap().map(|e| e.unwrap().path()).collect();
    names.sort();
    assert!(names.len() >= 5, "{names:?}");
    for path in names {
        let out = scratch.path("page.html");
        let made = carom(
            scratch.folder(),
            &["lesson", path.to_str().unwrap(), "--out", out.to_str().unwrap()],
        );
        assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
        let page = data(&out);
        let questions = page["questions"].as_array().unwrap();
        assert!(questions.len() >= 2, "{path:?}");
        for question in questions {
            assert!(question["question"]["answer"].is_number(), "{question}");
            assert_eq!(question["document"]["format"], "carom page");
        }
    }
}

#[test]
fn numbers_are_those_of_the_run() {
    let scratch = Scratch::new("lesson_numbers");
    let text = format!(
        "title = \"t\"\nscene = {:?}\n[[question]]\nask = \"?\"\nanswer = \"at(impact, 1, v.ball.vz)\"\nexplain = \"!\"\n\
         set = [\"contact.0.restitution=0.25\"]\n[[question]]\nask = \"?\"\nexplain = \"!\"\n\
         [[question.choice]]\ntext = \"few\"\nwhen = \"count(impact) < 3\"\n\
         [[question.choice]]\ntext = \"many\"\nwhen = \"count(impact) >= 3\"\n",
        scene("ball.toml")
    );
    fs::write(scratch.path("l.toml"), text).unwrap();
    let made = carom(scratch.folder(), &["lesson", "l.toml"]);
    assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
    let page = data(&scratch.path("l.html"));
    let answer = page["questions"][0]["question"]["answer"].as_f64().unwrap();
    // Falls 1 m: √(2 g) before, a quarter of it after.
    assert!((answer - 0.25 * (2.0 * 9.81_f64).sqrt()).abs() < 1e-9, "{answer}");
    assert_eq!(page["questions"][1]["question"]["answer"], 1);
}

#[test]
fn what_cannot_be_asked_is_told() {
    let scratch = Scratch::new("lesson_faults");
    let ball = scene("ball.toml");
    let head = format!("title = \"t\"\nscene = {ball:?}\n");
    let question = "[[question]]\nask = \"?\"\nexplain = \"!\"\n";
    let two = |a: &str, b: &str| {
        format!(
            "[[question.choice]]\ntext = \"a\"\nwhen = \"{a}\"\n[[question.choice]]\ntext = \"b\"\nwhen = \"{b}\"\n"
        )
    };
    for (text, told) in [
        (head.clone(), "at least one [[question]]"),
        (format!("{head}{question}"), "question 1 needs an `answer`"),
        (format!("{head}{question}answer = \"q.ball.zz\"\n"), "question 1"),
        (format!("{head}{question}answer = \"time(lift-off, 1)\"\n"), "the answer is NaN"),
        (format!("{head}{question}{}", two("1", "1")), "2 of 2 choices are right"),
        (format!("{head}{question}{}", two("0", "0")), "0 of 2 choices are right"),
        (format!("{head}{question}answr = \"t\"\n"), "unknown field `answr`"),
        (format!("{head}{question}answer = \"t\"\nset = [\"body.bal.mass=1\"]\n"), "bal"),
        (head.replace("ball.toml", "bell.toml") + question + "answer = \"t\"\n", "bell.toml"),
    ] {
        fs::write(scratch.path("l.toml"), &text).unwrap();
        let made = carom(scratch.folder(), &["lesson", "l.toml"]);
        assert_eq!(made.status.code(), Some(2), "{text}");
        assert!(stderr(&made).contains(told), "{told}: {}", stderr(&made));
        assert!(!scratch.path("l.html").exists(), "{text}");
    }
}
