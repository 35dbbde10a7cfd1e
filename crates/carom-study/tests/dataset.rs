//! The folder of a study: the same bytes whoever computed it, nothing lost, nothing overwritten.

use carom_study::dataset::{Column, Manifest, Reader, Shard, Store, merge};
use carom_study::sampling::{Parameter, Plan, RowTable};
use carom_study::{Ask, Progress, Study, StudyError, Work};
use carom_testing::{Scratch, contents};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

const BALL: &str = r#"
[body.ball]
mass = 0.1
shape = { sphere = 0.05 }
position = [0, 0, 1.05]
[body.ground]
shape = "plane"
[[contact]]
between = ["ball", "ground"]
restitution = 0.5
friction = 0.3
[solver]
until = 1
"#;

fn ask(samples: u64) -> Ask {
    let vary = ["contact.0.restitution=sobol(0, 1)", "body.ball.velocity.0=random(-1, 1)"];
    with(&vary, Some(samples))
}

fn with(vary: &[&str], samples: Option<u64>) -> Ask {
    let vary = vary.iter().map(|v| Parameter::read(v).unwrap()).collect();
    let plan = Plan::new(vary, None, samples, 1).unwrap();
    let results = vec![("third".into(), "time(impact, 3)".into()), ("x".into(), "q.ball.x".into())];
    // Velocities are stated, so that they can be varied by their place.
    let text = BALL.replace("position =", "velocity = [0, 0, 0]\nposition =");
    Ask { plan, results, part_rows: 8, ..Ask::of_scene(text, "ball.toml") }
}

/// Works on a study until `most` rows are done.
fn work(dir: &Path, ask: Ask, threads: usize, most: u64) -> Result<(Progress, bool), StudyError> {
    let study = Study::new(ask)?;
    let store = Store::open(dir, study.manifest(), (study.plan(), study.results()), &[])?;
    let stop = AtomicBool::new(most == 0);
    let count = |_: u64, _: &[String]| Ok(());
    let work = Work { study: &study, threads, stop: &stop, keep: Some(&count) };
    let (last, _, whole) = work.run(store, &mut |now| {
        if now.now >= most {
            stop.store(true, Ordering::Relaxed);
        }
    })?;
    Ok((last, whole))
}

#[test]
fn threads_do_not_matter() {
    let (one, four) = (Scratch::new("one"), Scratch::new("four"));
    let (last, whole) = work(one.folder(), ask(50), 1, u64::MAX).unwrap();
    assert_eq!((last.done, last.total, last.now, last.failed, whole), (50, 50, 50, 0, true));
    work(four.folder(), ask(50), 4, u64::MAX).unwrap();
    let files = contents(one.folder());
    assert_eq!(files.keys().filter(|n| n.starts_with("parts/")).count(), 7);
    assert!(!files.contains_key("journal.bin"));
    assert_eq!(files, contents(four.folder()));
    let reader = Reader::open(one.folder()).unwrap();
    assert_eq!(reader.rows().unwrap(), 50);
    let names = ["row", "contact.0.restitution", "body.ball.velocity.0", "third", "x"];
    assert_eq!(reader.names[..5], names);
    let Column::Numbers(rows) = &reader.read(6, &[0]).unwrap()[0] else { panic!() };
    assert_eq!(rows, &[48.0, 49.0]);
    let columns = reader.read(0, &[1, 3]).unwrap();
    for (e, third) in columns[0].clone().numbers().iter().zip(columns[1].clone().numbers()) {
        let exact = (2.0 / 9.81_f64).sqrt() * (1.0 + 2.0 * e + 2.0 * e * e);
        assert!(
            exact > 1.0 && third.is_nan() || (third - exact).abs() < 1e-9,
            "{e} {third} {exact}"
        );
    }
}

/// Rows that are done stay done wherever the work ends, and a journal that is cut off loses its last row only.
#[test]
fn interruptions_do_not_matter() {
    let (whole, parted) = (Scratch::new("whole"), Scratch::new("parted"));
    work(whole.folder(), ask(60), 1, u64::MAX).unwrap();
    let dir = parted.folder();
    let study = Study::new(ask(60)).unwrap();
    let mut done = 0;
    for round in 0..20 {
        let mut store =
            Store::open(dir, study.manifest(), (study.plan(), study.results()), &[]).unwrap();
        assert_eq!(store.progress(), (done, 60), "round {round}");
        // Rows in an order of their own, as of many threads.
        let mut claimed: Vec<u64> = Vec::new();
        while let carom_study::dataset::Claim::Row(row) = store.claim()
            && claimed.len() < 7
        {
            claimed.push(row);
        }
        let n = claimed.len();
        for row in claimed.into_iter().rev().take(4 + round % 3) {
            let row = study.run(row, &AtomicBool::new(false)).unwrap();
            store.push(row, study.plan()).unwrap();
            done += 1;
        }
        // Dropped without an end, as if killed; now and then a record is cut off.
        drop(store);
        let journal = dir.join("journal.bin");
        let bytes = fs::read(&journal).unwrap();
        if round % 4 == 1 && n > 0 && bytes.len() > 60 {
            fs::write(&journal, &bytes[..bytes.len() - 3]).unwrap();
            done -= 1;
        }
    }
    let (last, _) = work(dir, ask(60), 2, u64::MAX).unwrap();
    assert_eq!(last.done, 60);
    assert!(last.now < 20, "{last:?}");
    assert_eq!(contents(whole.folder()), contents(dir));
}

#[test]
fn more_rows_later() {
    let (all, later) = (Scratch::new("all"), Scratch::new("later"));
    work(all.folder(), ask(45), 2, u64::MAX).unwrap();
    for (rows, new) in [(3, 3), (20, 17), (10, 0), (45, 25)] {
        let (last, whole) = work(later.folder(), ask(rows), 2, u64::MAX).unwrap();
        assert_eq!((last.now, whole), (new, true), "{rows}");
    }
    assert_eq!(contents(all.folder()), contents(later.folder()));
    // The list on the slowest axis may grow as well.
    let longer = Scratch::new("longer");
    let list = |values: &str| with(&[values, "body.ball.velocity.0=0:1:3"], None);
    work(longer.folder(), list("contact.0.restitution=[0.1, 0.2]"), 1, u64::MAX).unwrap();
    let more = list("contact.0.restitution=[0.1, 0.2, 0.9]");
    let (last, _) = work(longer.folder(), more.clone(), 1, u64::MAX).unwrap();
    assert_eq!((last.now, last.done), (3, 9));
    let once = Scratch::new("once");
    work(once.folder(), more, 1, u64::MAX).unwrap();
    assert_eq!(contents(once.folder()), contents(longer.folder()));
}

#[test]
fn shards_are_merged_to_the_same_bytes() {
    let whole = Scratch::new("unsharded");
    work(whole.folder(), ask(50), 1, u64::MAX).unwrap();
    let shards: Vec<Scratch> = (1..=3).map(|k| Scratch::new(&format!("shard{k}"))).collect();
    let mut sum = 0;
    for (k, dir) in shards.iter().enumerate() {
        let shard = Some(Shard { index: k as u64 + 1, count: 3 });
        let (last, _) = work(dir.folder(), Ask { shard, ..ask(50) }, 1, u64::MAX).unwrap();
        assert_eq!(last.now, last.total);
        sum += last.total;
    }
    assert_eq!(sum, 50);
    let paths: Vec<_> = shards.iter().map(|s| s.folder().to_path_buf()).collect();
    let out = Scratch::new("merged");
    let part = merge(out.folder(), &paths[..2]).unwrap();
    assert_eq!((part.wanted, part.missing.first()), (50, Some(&16)));
    let merged = merge(out.folder(), &paths).unwrap();
    assert_eq!((merged.rows, merged.missing.len()), (50, 0));
    assert_eq!(contents(out.folder()), contents(whole.folder()));
    // What is missing after a merge is computed like that of any study.
    let other = Scratch::new("lost-shard");
    merge(other.folder(), &paths[1..]).unwrap();
    let (last, _) = work(other.folder(), ask(50), 1, u64::MAX).unwrap();
    assert_eq!((last.done, last.now), (50, 50 - 16 - 16));
    assert_eq!(contents(other.folder()), contents(whole.folder()));
    let many = Some(Shard { index: 1, count: 100 });
    let error =
        work(Scratch::new("many").folder(), Ask { shard: many, ..ask(50) }, 1, 1).unwrap_err();
    assert_eq!(error.to_string(), "100 shards cannot share 7 parts of 8 rows");
    let strange = work(&paths[0], ask(50), 1, 1).unwrap_err().to_string();
    assert!(strange.contains("its shard is Some(Shard { index: 1"), "{strange}");
}

#[test]
fn another_study_is_left_alone() {
    let dir = Scratch::new("other");
    work(dir.folder(), ask(20), 1, 5).unwrap();
    let before = contents(dir.folder());
    let fault = |ask: Ask| {
        let error = work(dir.folder(), ask, 1, u64::MAX).unwrap_err();
        assert!(error.hint().contains("nothing was changed"), "{error}");
        error.to_string()
    };
    let scene = Ask { text: ask(20).text.replace("mass = 0.1", "mass = 0.2"), ..ask(20) };
    assert!(fault(scene).contains("holds another study: its scene is"));
    let results = Ask { results: vec![("a".into(), "t".into())], ..ask(20) };
    assert!(fault(results).contains("its list of results is"));
    let vary = with(
        &["contact.0.restitution=sobol(0, 0.5)", "body.ball.velocity.0=random(-1, 1)"],
        Some(20),
    );
    assert!(fault(vary).contains("its parameter `contact.0.restitution` is sobol(0, 1)"));
    assert!(fault(Ask { part_rows: 16, ..ask(20) }).contains("its number of rows in a part is 8"));
    assert!(
        fault(Ask { overrides: vec!["solver.until=2".into()], ..ask(20) }).contains("its scene is")
    );
    assert_eq!(contents(dir.folder()), before);
    // What a scene says about its study, its title and its comments do not matter.
    let same = format!("# Comment\ntitle = \"A\"\n{}\n[study]\nsamples = 3\n", ask(20).text);
    let (last, _) = work(dir.folder(), Ask { text: same, ..ask(20) }, 1, u64::MAX).unwrap();
    assert_eq!(last.done, 20);
}

#[test]
fn foreign_folders_and_damage() {
    let foreign = Scratch::new("foreign");
    fs::write(foreign.path("thesis.tex"), "precious").unwrap();
    let error = work(foreign.folder(), ask(3), 1, 9).unwrap_err().to_string();
    assert!(error.contains("holds `thesis.tex`, which is not of this command"), "{error}");
    assert_eq!(fs::read_dir(foreign.folder()).unwrap().count(), 1);

    let damaged = Scratch::new("damaged");
    work(damaged.folder(), ask(20), 1, u64::MAX).unwrap();
    let whole = contents(damaged.folder());
    let part = damaged.path("parts/part-000000000008.parquet");
    fs::write(&part, "no parquet").unwrap();
    let error = work(damaged.folder(), ask(20), 1, 9).unwrap_err();
    assert!(error.to_string().contains("is damaged"), "{error}");
    assert_eq!(fs::read(&part).unwrap(), b"no parquet");
    fs::remove_file(&part).unwrap();
    let (last, _) = work(damaged.folder(), ask(20), 1, u64::MAX).unwrap();
    assert_eq!(last.now, 8);
    assert_eq!(contents(damaged.folder()), whole);

    let jumps = Scratch::new("jumps");
    fs::write(jumps.path("study.json"), "{\"format\": \"carom study\"}").unwrap();
    let error = work(jumps.folder(), ask(3), 1, 9).unwrap_err().to_string();
    assert!(error.ends_with("holds a study of random jumps"), "{error}");
    fs::write(jumps.path("study.json"), "{").unwrap();
    assert!(work(jumps.folder(), ask(3), 1, 9).unwrap_err().to_string().contains("is not a study"));

    // One process at a time.
    let study = Study::new(ask(3)).unwrap();
    let dir = Scratch::new("busy");
    let open = || Store::open(dir.folder(), study.manifest(), (study.plan(), study.results()), &[]);
    let _first = open().unwrap();
    assert!(open().unwrap_err().to_string().contains("still under way"));
    // A folder that nothing can be written to.
    let error = work(Path::new("/proc/carom.study"), ask(3), 1, 9).unwrap_err().to_string();
    assert!(error.contains("cannot create `/proc/carom.study`"), "{error}");
}

#[test]
fn rows_of_a_file() {
    let dir = Scratch::new("rows");
    let csv = dir.path("rows.csv");
    let study = |text: &str| -> Result<Ask, StudyError> {
        fs::write(&csv, text).unwrap();
        let table = RowTable::load(&csv)?;
        let plan = Plan::new(Vec::new(), Some(table), None, 1)?;
        Ok(Ask { plan, ..ask(1) })
    };
    let three = "contact.0.restitution,law.formulation\n0.5,newton\n0.25,poisson\n";
    let out = dir.path("out");
    let (last, _) = work(&out, study(three).unwrap(), 1, u64::MAX).unwrap();
    assert_eq!((last.done, last.failed), (2, 0));
    // More lines, and nothing else.
    let more = format!("{three}0.9,newton\n");
    let (last, _) = work(&out, study(&more).unwrap(), 1, u64::MAX).unwrap();
    assert_eq!((last.done, last.now), (3, 1));
    let changed = more.replace("0.5,", "0.6,");
    let error = work(&out, study(&changed).unwrap(), 1, 9).unwrap_err().to_string();
    assert!(error.contains("its file of rows is"), "{error}");
    let reader = Reader::open(&out).unwrap();
    let place = reader.place("law.formulation").unwrap();
    let texts = reader.read(0, &[place]).unwrap().remove(0).texts();
    assert_eq!(texts, ["newton", "poisson", "newton"].map(|t| Some(t.to_string())));
    // A part of a study is a Parquet file of rows like any other, but for columns that are not values.
    for (text, told) in [
        ("a,b\n1\n", "line 2: 1 values, 2 are named"),
        ("a\n", "there are no rows"),
        ("a\nnan\n", "line 2: `a` is not a number"),
        ("a,b\n1,\n", "`b` is empty"),
        ("a\n\"1\n", "a quotation mark is not closed"),
    ] {
        let error = study(text).unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
    }
    assert!(
        RowTable::load(Path::new("rows.txt")).unwrap_err().to_string().contains("neither in .csv")
    );
    let parquet = dir.path("out/parts/part-000000000000.parquet");
    let read = RowTable::load(&parquet).unwrap_err().to_string();
    assert!(read.contains("is empty"), "{read}");
}

/// Rows that fail say why, the others go on.
#[test]
fn failures_are_rows() {
    let dir = Scratch::new("failures");
    let vary = ["$k=[0, 1, 2, 3]", "contact.0.restitution=expr(0.4 * $k)"];
    let mut asked = with(&vary, None);
    asked.limits.steps = Some(100_000);
    let (last, whole) = work(dir.folder(), asked, 1, u64::MAX).unwrap();
    assert_eq!((last.done, last.failed, whole), (4, 1, true));
    let reader = Reader::open(dir.folder()).unwrap();
    let places = ["stop", "message", "x"].map(|n| reader.place(n).unwrap());
    let columns = reader.read(0, &places).unwrap();
    let (stops, messages) = (columns[0].clone().texts(), columns[1].clone().texts());
    let stops: Vec<&str> = stops.iter().flatten().map(String::as_str).collect();
    assert_eq!(stops, ["reached-end", "reached-end", "reached-end", "scene"]);
    let message = messages[3].as_deref().unwrap();
    assert!(message.contains("contact 1: `restitution` is out of range"), "{message}");
    assert!(messages[..3].iter().all(Option::is_none));
    let x = columns[2].clone().numbers();
    assert!(x[3].is_nan() && x[..3].iter().all(|x| x.is_finite()));
    assert_eq!(Manifest::load(dir.folder()).unwrap().unwrap().step_limit, Some(100_000));
}
