//! `carom render` and `carom gallery` through the binary.

use carom_testing::{Scratch, scene};
use std::path::Path;
use std::process::{Command, Output};

fn carom(dir: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carom")).current_dir(dir).args(args).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A run of the ball in a folder of its own.
fn ball(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    let scene = scene("ball.toml");
    let out = ["--out", "ball.run", "--quiet"];
    let ran = carom(scratch.folder(), &[&["run", scene.to_str().unwrap()][..], &out].concat());
    assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
    scratch
}

const SMALL: [&str; 4] = ["--size", "64x40", "--fps", "20"];

#[test]
fn frames_a_gif_and_a_picture() {
    let scratch = ball("film");
    let dir = scratch.folder();
    let made = carom(
        dir,
        &[&["render", "ball.run", "--out", "frames/", "--until", "0.5"][..], &SMALL].concat(),
    );
    assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
    assert!(stderr(&made).starts_with("frames/: 11 frames, "), "{}", stderr(&made));
    let names = |folder: &str| {
        let mut names: Vec<String> = std::fs::read_dir(scratch.path(folder))
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    let all = names("frames");
    assert_eq!((all.len(), all[10].as_str()), (11, "frame_00011.png"));
    let bytes = |name: &str| std::fs::read(scratch.path(name)).unwrap();
    assert!(bytes("frames/frame_00001.png").starts_with(b"\x89PNG"));
    assert_ne!(bytes("frames/frame_00001.png"), bytes("frames/frame_00006.png"));
    // A shorter film takes the place of the longer one.
    let shorter = ["render", "ball.run", "--out", "frames", "--until", "0.1", "-q"];
    assert!(carom(dir, &[&shorter[..], &SMALL].concat()).stderr.is_empty());
    assert_eq!(names("frames").len(), 3);
    // As fast as life: 0.5 s are eleven frames; ten times slower, 101.
    let film = ["render", "ball.run", "--out", "ball.gif", "--until", "0.5", "--speed", "0.1"];
    let made = carom(dir, &[&film[..], &SMALL].concat());
    assert!(stderr(&made).starts_with("ball.gif: 101 frames, "), "{}", stderr(&made));
    let gif = bytes("ball.gif");
    assert!(gif.starts_with(b"GIF89a") && gif.ends_with(b";"));
    assert_eq!(gif[6..10], [64, 0, 40, 0]);
    let still = ["render", "ball.run", "--out", "at.png", "--from", "0.25", "--size", "64x40"];
    assert_eq!(carom(dir, &still).status.code(), Some(0));
    assert_eq!(bytes("at.png"), {
        let again = ["render", "ball.run", "--out", "frames", "--from", "0.25", "--until", "0.25"];
        assert_eq!(carom(dir, &[&again[..], &SMALL].concat()).status.code(), Some(0));
        bytes("frames/frame_00001.png")
    });
    assert_ne!(bytes("at.png"), {
        carom(dir, &[&still[..], &["--camera", "top"]].concat());
        bytes("at.png")
    });
}

#[test]
fn what_cannot_be_rendered() {
    let scratch = ball("refused");
    let dir = scratch.folder();
    std::fs::create_dir(scratch.path("mine")).unwrap();
    std::fs::write(scratch.path("mine/thesis.txt"), "").unwrap();
    for (args, words) in [
        (&["--out", "film.avi"][..], "`film.avi` is no sort of film that is known"),
        (&["--out", "mine"], "`mine` holds other things, such as `thesis.txt`"),
        (&["--out", "a.gif", "--from", "11"], "the run goes from 0 s to 10 s"),
        (&["--out", "a.gif", "--from", "2", "--until", "1"], "from 2 s to 1 s"),
        (&["--out", "a.gif", "--speed", "1e-9"], "frames, more than 100000"),
        (&["--out", "a.gif", "--fps", "0"], "must be a finite number > 0"),
        (&["--out", "a.gif", "--size", "9x9"], "sides of 16 to 8192 pixels"),
        (&["--out", "a.gif", "--camera", "above"], "usual, front, back, left, right, top, corner"),
        (&["--out", "a.gif", "--set", "gravity=0"], "cannot change a run that is done"),
    ] {
        let made = carom(dir, &[&["render", "ball.run"][..], args].concat());
        assert_eq!(made.status.code(), Some(2), "{args:?}");
        assert!(stderr(&made).contains(words), "{args:?}: {}", stderr(&made));
        assert!(!scratch.path("a.gif").exists());
    }
    assert!(scratch.path("mine/thesis.txt").exists());
}

/// MP4 is ffmpeg's: it gets every pixel of every frame, and its failure is told in its words.
#[cfg(unix)]
#[test]
fn films_by_ffmpeg() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = ball("ffmpeg");
    let dir = scratch.folder();
    let args = ["render", "ball.run", "--out", "a.mp4", "--until", "0.5", "--size", "65x41"];
    let with = |path: &Path| {
        let all = [&args[..], &["--fps", "20"]].concat();
        Command::new(env!("CARGO_BIN_EXE_carom"))
            .current_dir(dir)
            .env("PATH", path)
            .args(all)
            .output()
            .unwrap()
    };
    let nowhere = scratch.path("nowhere");
    let made = with(&nowhere);
    assert_eq!(made.status.code(), Some(2));
    assert!(stderr(&made).contains("ffmpeg") && stderr(&made).contains("write a .gif"));
    let put = |script: &str| {
        let tools = scratch.path("tools");
        std::fs::create_dir_all(&tools).unwrap();
        let file = tools.join("ffmpeg");
        std::fs::write(&file, script).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
        tools
    };
    let tools =
        put("#!/bin/sh\necho \"$@\" > arguments\nfor last; do :; done\n/bin/cat > \"$last\"\n");
    let made = with(&tools);
    assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
    // Even sides, three bytes a pixel, eleven frames.
    assert_eq!(std::fs::metadata(scratch.path("a.mp4")).unwrap().len(), 64 * 40 * 3 * 11);
    let told = std::fs::read_to_string(scratch.path("arguments")).unwrap();
    assert!(told.contains("-s 64x40 -r 20 -i -"), "{told}");
    std::fs::remove_file(scratch.path("a.mp4")).unwrap();
    let tools = put("#!/bin/sh\necho 'Unknown encoder' >&2\nexit 1\n");
    let made = with(&tools);
    assert_eq!(made.status.code(), Some(2));
    assert!(stderr(&made).contains("ffmpeg gave up: Unknown encoder"), "{}", stderr(&made));
    let left: Vec<_> = std::fs::read_dir(dir)
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.contains("mp4"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

/// Ctrl-C ends a film where it is, and it can be played.
#[cfg(unix)]
#[test]
fn a_film_can_be_interrupted() {
    let scratch = ball("interrupted");
    let args = ["render", "ball.run", "--out", "a.gif", "--speed", "0.001", "--size", "160x100"];
    let child = Command::new(env!("CARGO_BIN_EXE_carom"))
        .current_dir(scratch.folder())
        .args(args)
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let words = stderr(&output);
    assert!(words.starts_with("interrupted: a.gif has ") && words.contains(" frames"), "{words}");
    assert!(std::fs::read(scratch.path("a.gif")).unwrap().ends_with(b";"));
}

#[test]
fn a_gallery_of_scenes() {
    let scratch = Scratch::new("gallery");
    let dir = scratch.folder();
    std::fs::create_dir(scratch.path("scenes")).unwrap();
    for name in ["ball", "pendulum"] {
        let to = scratch.path(&format!("scenes/{name}.toml"));
        std::fs::copy(scene(&format!("{name}.toml")), to).unwrap();
    }
    let made = carom(dir, &["gallery"]);
    assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
    assert!(stderr(&made).contains("2 scenes"), "{}", stderr(&made));
    let page = || std::fs::read_to_string(scratch.path("gallery/index.html")).unwrap();
    assert_eq!(page().matches("<article>").count(), 2);
    for name in ["ball", "pendulum"] {
        for ending in ["html", "png", "gif"] {
            let file = format!("{name}.{ending}");
            assert!(scratch.path(&format!("gallery/{file}")).exists(), "{file}");
        }
        assert!(page().contains(&format!("href=\"{name}.html\"")));
    }
    assert!(page().contains("<dt>energy lost</dt><dd>0.981 J</dd>"), "{}", page());
    // One that cannot be read is told on the page and by the exit code; the others are there.
    std::fs::write(scratch.path("scenes/odd.toml"), "gravity = 'x'\n").unwrap();
    let made = carom(dir, &["gallery", "scenes", "--still"]);
    assert_eq!(made.status.code(), Some(2));
    assert!(stderr(&made).contains("error: odd: "), "{}", stderr(&made));
    assert!(page().contains("class=\"failed\"") && page().matches("<article").count() == 3);
    assert!(!page().contains("class=\"play\""), "no films were wanted");
    let other = carom(dir, &["gallery", "scenes", "--out", "scenes"]);
    assert_eq!(other.status.code(), Some(2));
    assert!(stderr(&other).contains("`scenes` is no gallery"), "{}", stderr(&other));
    let empty = carom(dir, &["gallery", "gallery"]);
    assert!(stderr(&empty).contains("there are no scenes in `gallery`"), "{}", stderr(&empty));
}
