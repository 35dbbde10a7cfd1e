//! A film is shot in takes, by several cameras at once, and joined.
//!
//! # Rule
//! A piece depends on nothing but the row that it begins with, and of that only the signs of quaternions depend on what
//! was before. So takes may be shot in any order:
//! ```text
//! film(a … c) = film(a … b) + S film(b … c),   S = ±1 for each body, so that Q(b) of both agree     (1)
//! ```
//! A contact that nobody had seen in a take is where it was last seen before. The film is the same to the last bit,
//! however many cameras there are.
//!
//! # Tests
//! `eq1_the_film_does_not_depend_on_the_takes` below.

use super::between::stretches;
use super::cast::Cast;
use super::film::{COARSEST, Camera, ERROR, Film, MOST, Part, Reel, STEPS, joint};
use super::limits::Limits;
use crate::run::Account;
use crate::stage::Stage;
use std::thread;

/// Cameras at most; more would wait for each other's memory.
const CAMERAS: usize = 4;
/// Parts for which another camera is worth its thread.
const WORTH: usize = 4;

impl Film {
    /// The film of a run; none if its columns are not those of its scene.
    pub fn shoot(account: &Account, stage: &Stage) -> Option<Self> {
        let cameras = thread::available_parallelism().map_or(1, usize::from).min(CAMERAS);
        Self::shoot_by(cameras, account, stage)
    }

    /// The same by so many cameras, or as many as there is work for.
    fn shoot_by(count: usize, account: &Account, stage: &Stage) -> Option<Self> {
        let (model, table) = (&account.scene.model, &account.table);
        let atol = account.scene.options.solver.atol;
        let cast = Cast::new(account, stage);
        let stretches = stretches(table);
        let parts: Vec<Part> = stretches
            .iter()
            .flat_map(|&(first, last)| {
                let starts = (first..last.max(first + 1)).step_by(STEPS);
                starts.map(move |from| ((first, last), from, (from + STEPS).min(last)))
            })
            .collect();
        let count = count.min(parts.len() / WORTH).max(1);
        let camera = || Camera::new(model, stage, table, cast.clone());
        let mut cameras: Vec<Camera<'_>> = (0..count).map(|_| camera()).collect::<Option<_>>()?;
        let mut error = ERROR;
        loop {
            let room = if error < COARSEST { MOST + 3 * stretches.len() } else { usize::MAX };
            let limits = cameras[0].limits((error, atol), room);
            // A run that ended before its first row has no parts, and a film without pictures.
            let share = parts.len().div_ceil(count).max(1);
            let film = thread::scope(|scope| {
                let takes = cameras.iter_mut().zip(parts.chunks(share));
                let blank = || Self::empty(stage, table, error);
                let threads: Vec<_> = takes
                    .map(|(camera, parts)| {
                        let (film, limits) = (blank(), &limits);
                        scope.spawn(move || camera.take(parts, limits, film))
                    })
                    .collect();
                threads
                    .into_iter()
                    .try_fold(blank(), |film, take| Some(film.join(take.join().ok()?)))
            })?;
            if film.t.len() <= room {
                let hidden = stage.sites.iter().zip(&cast.gaps).filter(|(_, shown)| !**shown);
                let hidden = hidden.map(|(site, _)| format!("gap.{}", site.name)).collect();
                let error = (2.0 * error).max(cameras[0].doubt(&stretches));
                return Some(Self { error, hidden, ..film });
            }
            error *= 10.0;
        }
    }

    /// This film and the one that follows it, equation (1).
    fn join(mut self, mut next: Self) -> Self {
        if self.t.is_empty() {
            return next;
        }
        if next.t.is_empty() {
            return self;
        }
        let bodies = self.poses.len() / (7 * self.t.len());
        for body in 0..bodies {
            let own = 7 * body + 3..7 * body + 7;
            let pairs = self.last[own.clone()].iter().zip(&next.first[own.clone()]);
            if pairs.map(|(a, b)| a * b).sum::<f64>() < 0.0 {
                let frames = next.poses.chunks_mut(7 * bodies);
                frames.for_each(|frame| frame[own.clone()].iter_mut().for_each(|x| *x = -*x));
                next.last[own].iter_mut().for_each(|x| *x = -*x);
            }
        }
        // A take that begins with a stretch has a frame there, one that goes on with a stretch has none.
        if next.degrees.iter().map(|p| usize::from(*p).max(1)).sum::<usize>() < next.t.len() {
            let (before, after) = (self.t[self.t.len() - 1], next.t[0]);
            self.degrees.push(joint(before, after));
        }
        self.t.extend(next.t);
        self.degrees.extend(next.degrees);
        self.samples.extend(next.samples);
        self.poses.extend(next.poses);
        self.com.extend(next.com);
        for (column, more) in self.columns.iter_mut().zip(next.columns) {
            column.extend(more);
        }
        for (reel, more) in self.reels.iter_mut().zip(next.reels) {
            reel.join(more);
        }
        self.bounds.unite(&next.bounds);
        self.last = next.last;
        self
    }
}

impl Reel {
    /// This reel and the one that follows it.
    fn join(&mut self, next: Self) {
        let (frames, others) = (self.point.len() / 3, next.point.len() / 3);
        self.unseen += if self.unseen == frames { next.unseen } else { 0 };
        let held = next.unseen.min(others);
        for (list, more) in self.lists().into_iter().zip(next.lists_of()) {
            let last =
                list.len().checked_sub(3).map_or([0.0; 3], |k| [list[k], list[k + 1], list[k + 2]]);
            list.extend(last.iter().cycle().take(3 * held));
            list.extend(&more[3 * held..]);
        }
    }

    fn lists(&mut self) -> [&mut Vec<f32>; 4] {
        let [t1, t2] = &mut self.tangents;
        [&mut self.point, &mut self.normal, t1, t2]
    }

    fn lists_of(&self) -> [&Vec<f32>; 4] {
        [&self.point, &self.normal, &self.tangents[0], &self.tangents[1]]
    }
}

impl Camera<'_> {
    /// Puts parts that follow each other on a film.
    fn take(&mut self, parts: &[Part], limits: &Limits, mut film: Film) -> Film {
        for part in parts {
            self.expose(*part, limits, &mut film);
            if film.t.len() > limits.room {
                break;
            }
        }
        film
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::LiveRun;
    use carom_scene::Scene;
    use std::path::Path;
    use std::time::Duration;

    fn account(name: &str, until: &str) -> Account {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(name);
        let scene = Scene::load_with(&file, &[until]).unwrap();
        let mut live = LiveRun::new(&scene.model, Default::default(), Vec::new());
        let simulation = scene.simulation().unwrap();
        let result = simulation.run_with(scene.options.solver.until, &mut live);
        live.finish(scene, &result, false, Duration::ZERO)
    }

    /// Bodies that overlap at the start: the run has no row.
    #[test]
    fn a_run_without_rows_has_an_empty_film() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/granular_pile.toml");
        let scene = Scene::load_with(&file, &["body.grain1.position=[0, 0]"]).unwrap();
        let mut live = LiveRun::new(&scene.model, Default::default(), Vec::new());
        let result = scene.simulation().unwrap().run_with(0.01, &mut live);
        assert!(result.is_err());
        let account = live.finish(scene, &result, false, Duration::ZERO);
        let film = Film::shoot_by(2, &account, &Stage::of(&account.scene)).unwrap();
        assert!(film.t.is_empty());
    }

    /// Bodies that turn, contacts that open and close, one long stretch and many short ones.
    #[test]
    fn eq1_the_film_does_not_depend_on_the_takes() {
        for (name, until) in [
            ("box_drop.toml", "solver.until=1.5"),
            ("superball.toml", "solver.until=1"),
            ("double_pendulum.toml", "solver.until=4"),
            ("rolling_disk.toml", "solver.until=2"),
        ] {
            let account = account(name, until);
            let stage = Stage::of(&account.scene);
            let one = Film::shoot_by(1, &account, &stage).unwrap();
            for cameras in 2..=5 {
                let film = Film::shoot_by(cameras, &account, &stage).unwrap();
                let same = format!("{film:?}") == format!("{one:?}");
                assert!(same, "{name} by {cameras} cameras is another film");
            }
        }
    }
}
