//! No collision of fast bodies is passed over: dense sampling finds no overlap before the event.

#[path = "../examples/fast_pairs/flights.rs"]
mod flights;

use flights::{Random, fly};

#[test]
fn none_is_missed() {
    let mut random = Random(1);
    let mut met = 0;
    for k in 0..150 {
        let flight = fly(&mut random, 400).unwrap_or_else(|e| panic!("flight {k}: {e}"));
        assert!(flight.least > -1e-9, "flight {k}: {:e}", flight.least);
        met += usize::from(flight.met);
    }
    assert!(met > 30, "{met}");
}
