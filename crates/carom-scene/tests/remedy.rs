//! Hints for runs that failed are true of the scene at hand: whoever follows one gets on.

use carom::hybrid::SimError;
use carom::impact::ImpactError;
use carom::record::{Directive, Observer};
use carom_scene::{Scene, remedy};

/// Laws that have no answer for a box on its edges, and none for a stone with fifteen contacts.
const MATRIX: &str = "law={ formulation = 'matrix', rotational = 0.3, arm = 0.01 }";

/// A stiff spring: steps of one length must be short.
const STIFF: &str = r#"
gravity = [0, 0, 0]
[body.ball]
mass = 1
shape = { sphere = 0.1 }
position = [1, 0, 0]
[[spring]]
a = { body = "ball" }
stiffness = 1e5
rest = 0.2
[solver]
until = 20
scheme = "moreau"
step = 0.02
"#;

fn shipped(name: &str) -> String {
    std::fs::read_to_string(carom_testing::scene(name)).unwrap()
}

struct Nobody;
impl Observer for Nobody {
    fn step(&mut self, _: f64) -> Directive {
        Directive::Continue
    }
}

fn read(text: &str, sets: &[&str]) -> Option<Scene> {
    Scene::parse_with(text, "remedy.toml", sets).ok()
}

fn failure(text: &str, sets: &[&str]) -> Option<SimError> {
    let scene = read(text, sets).unwrap();
    scene.simulation().unwrap().run_with(scene.options.solver.until, &mut Nobody).err()
}

/// The hint for a scene, and the value that it offers.
fn hint(text: &str, sets: &[&str]) -> (String, Option<String>) {
    let error = failure(text, sets).expect("the run fails");
    let more = |set: &str| read(text, &[sets, &[set]].concat());
    let hint = remedy(&read(text, sets).unwrap(), &error, more);
    let offered = hint.strip_prefix("give --set '").and_then(|rest| rest.split_once('\''));
    let offered = offered.map(|(set, _)| set.to_string());
    (hint, offered)
}

/// Offered, followed, and the run ends where it should.
#[test]
fn eq1_the_hint_is_followed() {
    let [drop, stone, stiff] = [shipped("box_drop.toml"), shipped("stone.toml"), STIFF.into()];
    for (text, sets) in [
        (&drop, vec![MATRIX, "solver.until=0.7"]),
        (&stone, vec![MATRIX, "solver.until=0.3"]),
        (&stiff, vec![]),
        (&stiff, vec!["solver={ method = 'rk4', step = 0.02, until = 20 }"]),
    ] {
        let (hint, offered) = hint(text, &sets);
        let offered = offered.unwrap_or_else(|| panic!("{hint}"));
        let followed: Vec<&str> = sets.iter().copied().chain([offered.as_str()]).collect();
        let again = failure(text, &followed);
        assert!(again.is_none(), "{hint}: {again:?}");
    }
}

/// The law of the scene is not offered again, and what was tried in vain is told as such.
#[test]
fn what_does_not_help_is_not_offered() {
    let (text, sets) = (shipped("stone.toml"), [MATRIX, "solver.until=0.3"]);
    let error = failure(&text, &sets).unwrap();
    assert!(
        matches!(&error, SimError::Impact { source: ImpactError::NotApplicable { .. }, .. }),
        "{error}"
    );
    // Nothing can be read: nothing may be offered.
    let scene = read(&text, &sets).unwrap();
    let words = remedy(&scene, &error, |_| None);
    assert!(
        words.starts_with("change friction, restitution or the start; no help were "),
        "{words}"
    );
    assert!(words.contains("differential") && words.contains("newton"), "{words}");
    // The scene as it is fails again, so whoever offers it is not believed.
    let words = remedy(&scene, &error, |_| read(&text, &sets));
    assert!(words.starts_with("change friction"), "{words}");
    // A law whose failure it was is not among the means.
    let mut own = scene.clone();
    own.law = read(&text, &["law={ formulation = 'newton' }"]).unwrap().law;
    let words = remedy(&own, &error, |_| None);
    assert!(words.contains("poisson") && !words.contains("newton"), "{words}");
    // Errors that no value of the solver changes keep their own hint.
    let error = SimError::BadStep { step: f64::NAN };
    assert_eq!(remedy(&scene, &error, |_| None), error.hint());
}
