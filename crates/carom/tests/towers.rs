//! Boxes that fall on each other come to rest, with a closed ledger and without the safety net.

#[path = "../examples/tower/boxes.rs"]
mod boxes;

use carom::hybrid::{Options, Run, Simulation, Stop};
use carom::impact::Newton;

/// A tower of boxes, a gap below each in m, restitution.
fn fall(planar: bool, count: usize, gap: f64, restitution: f64) -> Run {
    let (model, state) = boxes::tower(planar, count, gap, restitution).unwrap();
    let run = Simulation::new(&model, state, Newton).options(Options::default()).run_until(3.0);
    run.unwrap_or_else(|e| panic!("{count} boxes, planar {planar}: {}", e.0))
}

fn rests(run: &Run, count: usize, planar: bool) {
    let name = format!("{count} boxes, planar {planar}");
    assert_eq!(run.stop, Stop::ReachedEnd, "{name}");
    assert_eq!(run.state.v.amax(), 0.0, "{name}");
    assert_eq!(run.statistics.rescues.iter().sum::<u64>(), 0, "{name}");
    let open = run.ledger.closure().abs() / run.ledger.initial;
    assert!(open < 1e-10, "{name}: {open}");
    assert!(run.statistics.worst_gap > -1e-9, "{name}: {}", run.statistics.worst_gap);
    // Every box lies on the one below it.
    let (per, up) = if planar { (3, 1) } else { (7, 2) };
    for k in 0..count {
        let height = run.state.q[per * k + up] - 0.05 * (2 * k + 1) as f64;
        assert!(height.abs() < 1e-8, "{name}, box {k}: {height}");
    }
}

#[test]
fn towers_of_boxes_that_bounce_come_to_rest() {
    for (planar, count) in [(true, 2), (true, 3), (true, 5), (false, 2), (false, 3)] {
        let run = fall(planar, count, 0.01, 0.2);
        rests(&run, count, planar);
        assert!(run.statistics.impacts > 10 * count as u64, "{}", run.statistics.impacts);
    }
}

#[test]
fn towers_of_boxes_that_do_not_bounce_land_box_by_box() {
    for planar in [true, false] {
        let run = fall(planar, 10, 0.01, 0.0);
        rests(&run, 10, planar);
        assert_eq!(run.statistics.impacts, 10, "planar {planar}");
        // The k-th gap closes when the box has fallen by all gaps below it: t = √(2 (k + 1) 0.01/g).
        let times = run.events().iter().filter(|e| e.kind.is_jump()).map(|e| e.t);
        for (k, t) in times.enumerate() {
            let exact = (0.02 * (k + 1) as f64 / 9.81).sqrt();
            assert!((t - exact).abs() < 1e-12, "planar {planar}, box {k}: {t} {exact}");
        }
    }
}

#[test]
fn a_tower_at_rest_stays_there() {
    for planar in [true, false] {
        let run = fall(planar, 10, 0.0, 0.2);
        rests(&run, 10, planar);
        assert_eq!(run.statistics.impacts, 0);
    }
}
