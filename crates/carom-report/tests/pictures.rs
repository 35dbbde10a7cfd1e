//! Pictures of runs: everything is where the run says, and is seen when it happens.

mod support;

use carom_figure::{Picture, Theme};
use carom_report::pictures::{Look, Studio, View};
use support::scenes::account;

const BODY: [u8; 3] = [185, 199, 214];
const IMPULSE: [u8; 3] = [213, 94, 0];

fn look() -> Look {
    Look { width: 400, height: 300, ..Look::default() }
}

/// Pixels that fulfil a condition, as the middle of them all and their number.
fn found(picture: &Picture, wanted: impl Fn([u8; 3]) -> bool) -> ([f64; 2], usize) {
    let width = picture.width() as usize;
    let (mut sum, mut count) = ([0.0; 2], 0);
    for (k, p) in picture.rgb().chunks_exact(3).enumerate() {
        if wanted([p[0], p[1], p[2]]) {
            sum[0] += (k % width) as f64 + 0.5;
            sum[1] += (k / width) as f64 + 0.5;
            count += 1;
        }
    }
    (sum.map(|x| x / count.max(1) as f64), count)
}

/// A disk that rolls down an incline goes through the picture as through the world: in the same
/// direction, and by as many pixels per metre at all times.
#[test]
fn a_body_is_where_it_is() {
    let account = account("rolling_disk", &[]);
    let studio = Studio::new(&account).unwrap();
    assert!(studio.is_planar());
    let look = Look { width: 1600, height: 1000, follow: Some(false), clock: false, ..look() };
    let table = &account.table;
    let column = |name: &str| {
        let place = table.place(name).unwrap_or_else(|| panic!("{name}"));
        table.numbers[place].values.clone()
    };
    let (t, x, y) = (table.t(), column("q.disk.x"), column("q.disk.y"));
    let at = |k: usize| {
        let picture = studio.picture(t[k], &look).unwrap();
        let (middle, count) = found(&picture, |p| p == BODY);
        assert!(count > 20, "{count} at {}", t[k]);
        ([x[k], y[k]], middle)
    };
    let (first, last) = (at(0), at(t.len() - 1));
    let scale = (last.1[0] - first.1[0]) / (last.0[0] - first.0[0]);
    assert!(scale > 1.0);
    for k in [t.len() / 3, t.len() / 2, t.len() - 1] {
        let (place, middle) = at(k);
        for axis in 0..2 {
            let sign = [1.0, -1.0][axis];
            let wanted = first.1[axis] + sign * scale * (place[axis] - first.0[axis]);
            assert!((middle[axis] - wanted).abs() < 1.5, "{k} {axis}: {middle:?} {wanted}");
        }
    }
}

/// An impulse is there at its impact and shortly after, not before; slower films show it as long.
#[test]
fn impulses_are_seen_when_they_happen() {
    for name in ["ball", "double_pendulum"] {
        let account = account(name, &[]);
        let studio = Studio::new(&account).unwrap();
        let impact = account.events.iter().find(|event| event.kind == "impact").unwrap().t;
        let seen = |t: f64, speed: f64| {
            let picture = studio.picture(t, &Look { speed, ..look() }).unwrap();
            found(&picture, |p| p.iter().zip(IMPULSE).all(|(a, b)| a.abs_diff(b) < 30)).1
        };
        assert_eq!(seen(impact - 1e-6, 1.0), 0, "{name}");
        assert!(seen(impact, 1.0) > 10, "{name}");
        assert!(seen(impact + 0.01, 1.0) > 0 && seen(impact + 0.01, 0.01) == 0, "{name}");
    }
}

/// All scenes can be drawn at any time, light and dark, and the same picture comes twice.
#[test]
fn every_scene_has_pictures() {
    for name in support::scenes::names() {
        let account = account(&name, &[]);
        let studio = Studio::new(&account).unwrap();
        let (start, end) = studio.span();
        assert!(studio.home() <= end && studio.home() > start);
        for part in [0.0, 0.37, 1.0] {
            let t = start + part * (studio.home() - start);
            let [light, dark] = [Theme::Light, Theme::Dark]
                .map(|theme| studio.picture(t, &Look { theme, ..look() }).unwrap());
            let paper = found(&light, |p| p == [255; 3]).1;
            assert!(paper < 119_700, "{name} at {t}: {paper}");
            assert_ne!(light.rgb(), dark.rgb(), "{name}");
            let again = studio.picture(t, &look()).unwrap();
            assert_eq!(light.rgb(), again.rgb(), "{name}");
        }
    }
}

/// From above the box is wider than high as seen from the front; zoom makes it larger.
#[test]
fn cameras() {
    let account = account("box_drop", &[]);
    let studio = Studio::new(&account).unwrap();
    let picture = |view: &str, zoom: f64| {
        let view: View = view.parse().unwrap();
        let look = Look { view, zoom, clock: false, ..look() };
        studio.picture(studio.home(), &look).unwrap().rgb()
    };
    let [usual, top, left] = ["usual", "top", "left"].map(|view| picture(view, 1.0));
    assert!(usual != top && top != left && usual != left);
    assert_ne!(usual, picture("usual", 1.5));
    assert_eq!(usual, picture("32,20", 1.0));
}

#[test]
fn pictures_that_cannot_be() {
    let account = account("ball", &[]);
    let studio = Studio::new(&account).unwrap();
    for (width, height) in [(0, 10), (30_000, 10)] {
        assert!(studio.picture(0.0, &Look { width, height, ..look() }).is_err());
    }
}
