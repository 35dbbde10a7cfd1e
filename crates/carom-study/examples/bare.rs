//! The runs of `bench/study.sh` without a study: the scene is read anew for each, events are counted, nothing is kept.
//! Prints the seconds that they take on one thread.

use carom::hybrid::Output;
use carom_scene::Scene;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("bare SCENE SIDE")?;
    let side: u32 = arguments.next().ok_or("bare SCENE SIDE")?.parse()?;
    let (text, start) = (std::fs::read_to_string(&path)?, Instant::now());
    let part = |k: u32| f64::from(k) / f64::from(side - 1);
    let mut impacts = 0;
    for row in 0..side * side {
        let values = [0.95 * part(row / side), part(row % side)];
        let changes = [
            format!("contact.0.restitution={:?}", values[0]),
            format!("contact.0.friction={:?}", values[1]),
        ];
        let scene = Scene::parse_with(&text, &path, &changes)?;
        let mut options = scene.options.hybrid();
        options.output = Output::Events;
        let run = scene.simulation()?.options(options);
        impacts += run.run_with(scene.options.solver.until, &mut ())?.statistics.impacts;
    }
    assert!(impacts > 0);
    println!("{:.3}", start.elapsed().as_secs_f64());
    Ok(())
}
