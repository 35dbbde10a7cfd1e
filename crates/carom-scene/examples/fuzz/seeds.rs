//! What the cases are made from: shipped scenes, test scenes, examples of the documentation, and a few for what those lack.

use carom_scene::Scene;
use std::path::{Path, PathBuf};

/// A name beside which included files are looked for, and a text.
pub type Seed = (String, Vec<u8>);

/// Scenes of features that the shipped ones do not have.
const MORE: [&str; 6] = [
    // A pile in time steps.
    "[body.g1]\nmass = 1\nshape = { sphere = 0.1 }\nposition = [0, 0, 0.2]\n[body.g2]\nmass = 1\nshape = { sphere = 0.1 }\n\
     position = [0.05, 0, 0.42]\n[body.floor]\nshape = \"plane\"\n[[pile]]\nof = [\"g*\", \"floor\"]\nrestitution = 0.1\n\
     friction = 0.5\n[solver]\nscheme = \"moreau\"\nstep = 0.002\n",
    // A pile by events, in the plane.
    "space = \"planar\"\n[body.d1]\nmass = 1\nshape = { disk = 0.1 }\nposition = [0, 0.2]\n[body.d2]\nmass = 1\n\
     shape = { disk = 0.1 }\nposition = [0.05, 0.5]\n[body.d3]\nmass = 1\nshape = { disk = 0.07 }\n\
     position = [0.5, 0.3]\n[body.floor]\nshape = \"plane\"\n[[pile]]\nof = [\"d*\", \"floor\"]\nrestitution = 0.4\nfriction = 0.3\n",
    // Polygons and convex hulls.
    "space = \"planar\"\n[body.wedge]\nmass = 1\nshape = { polygon = [[0, 0], [0.3, 0], [0.1, 0.2]] }\nposition = [0, 0.5]\n\
     [body.block]\nmass = 2\nshape = { box = [0.4, 0.2] }\nposition = [0.1, 0.1]\n[body.floor]\nshape = \"plane\"\n[[contact]]\n\
     between = [\"wedge\", \"block\"]\nrestitution = 0.2\nfriction = 0.4\n[[contact]]\nbetween = [\"block\", \"floor\"]\n\
     restitution = 0\nfriction = 0.4\n",
    "[body.tetra]\nmass = 1\nshape = { convex = [[0, 0, 0], [0.2, 0, 0], [0, 0.2, 0], [0, 0, 0.2]], rounding = 0.01 }\n\
     position = [0, 0, 0.3]\n[body.cap]\nmass = 1\nshape = { capsule = { radius = 0.05, length = 0.2 } }\nposition = [0, 0, 0.06]\n\
     [body.floor]\nshape = \"plane\"\n[[contact]]\nbetween = [\"*\", \"floor\"]\nrestitution = 0.3\nfriction = 0.3\n[[contact]]\n\
     self = \"*\"\nrestitution = 0.3\nfriction = 0.3\n",
    // A loop, a gear, a spring, a load, dry friction, a force by expression.
    "space = \"planar\"\n[body.a]\nmass = 1\nshape = { rod = 1, position = [0.5, 0] }\n\
     joint = { name = \"ja\", type = \"revolute\", initial = \"30deg\", friction = 0.1 }\n[body.b]\nmass = 1\n\
     shape = { rod = 1, position = [0.5, 0] }\njoint = { name = \"jb\", type = \"revolute\", parent = \"a\", position = [1, 0], \
     limits = [-3, 3], damping = 0.1 }\n[body.c]\nmass = 0.5\nshape = \"point\"\njoint = { name = \"jc\", type = \"prismatic\" }\n\
     [[loop]]\ntype = \"point\"\na = { body = \"b\", position = [1, 0] }\nb = { body = \"c\" }\n[[spring]]\na = { body = \"c\" }\n\
     stiffness = 20\nrest = 0.3\ndamping = 0.2\n[[load]]\nbody = \"b\"\nforce = [0, -1]\n[force.drive]\njoint = \"ja\"\n\
     force = \"3 * sin(2 * t) - 0.5 * v.ja\"\n",
    // A condition, rolling and spinning friction.
    "[body.ball]\nmass = 1\nshape = { sphere = 0.1 }\nposition = [0, 0, 0.15]\nvelocity = [1, 0, 0]\nangular_velocity = [0, 0, 5]\n\
     [body.floor]\nshape = { plane = { slope = \"5deg\" } }\n[[contact]]\nbetween = [\"ball\", \"floor\"]\nrestitution = 0.3\n\
     friction = 0.5\nrolling_friction = 0.001\nspinning_friction = 0.002\nwhile = \"t < 0.2 or q.ball.x > 0.1\"\n",
];

/// Scenes that load, and all.
pub fn seeds() -> [Vec<Seed>; 2] {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let place = |name: &str| here.join(name);
    let mut good = files(&[
        place("../../scenes"),
        place("../../experiments/flickinger"),
        place("tests/good"),
        place("tests/mjcf"),
    ]);
    let beside = place("../../scenes").display().to_string();
    for (number, text) in MORE.iter().enumerate() {
        good.push((format!("{beside}/more{number}.toml"), text.as_bytes().to_vec()));
    }
    let page = std::fs::read_to_string(place("../../docs/scenes.md")).unwrap_or_default();
    for (number, block) in page.split("\n```toml\n").skip(1).enumerate() {
        let text = block.split("\n```").next().unwrap_or_default();
        good.push((format!("{beside}/page{number}.toml"), text.as_bytes().to_vec()));
    }
    good.retain(|(name, text)| {
        let loads = Scene::parse(&String::from_utf8_lossy(text), name).is_ok();
        // What the page shows in part, and studies that include other files, do not load by themselves.
        assert!(loads || !name.contains("/more"), "{name} does not load");
        loads
    });
    let mut all = files(&[place("tests/bad")]);
    all.extend_from_slice(&good);
    [good, all]
}

fn files(folders: &[PathBuf]) -> Vec<Seed> {
    let mut files = Vec::new();
    for folder in folders {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let wanted =
                path.extension().is_some_and(|e| ["toml", "urdf", "xml"].iter().any(|w| e == *w));
            if let (true, Ok(bytes)) = (wanted, std::fs::read(&path)) {
                files.push((path.display().to_string(), bytes));
            }
        }
    }
    files.sort();
    files
}
