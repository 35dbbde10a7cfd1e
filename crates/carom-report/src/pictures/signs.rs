//! Arrows, marks of contacts and the clock, in pixels.

use super::ink::Ink;
use super::look::Look;
use super::moment::{ARROW, Moment, Sizes};
use carom_figure::{Lettering, Picture, Rgb, Stroked};
use nalgebra::Vector3;

/// Draws forces, impulses and contacts over the bodies; `seen` tells where a point of the world is.
pub(super) fn contacts(
    picture: &mut Picture,
    moment: &Moment,
    sizes: &Sizes,
    ink: &Ink,
    unit: f64,
    seen: &dyn Fn(&Vector3<f64>) -> Option<[f64; 2]>,
) {
    let reach = ARROW * sizes.size;
    for touch in &moment.touches {
        let tip = touch.point + touch.force * (reach / sizes.force);
        if let (Some(from), Some(to)) = (seen(&touch.point), seen(&tip)) {
            arrow(picture, from, to, ink.force, 2.4 * unit, 1.0);
        }
    }
    for touch in &moment.touches {
        let Some(at) = seen(&touch.point) else { continue };
        let r = 3.6 * unit;
        if touch.slips {
            let [x, y] = at;
            let square = [[x - r, y - r], [x + r, y - r], [x + r, y + r], [x - r, y + r]];
            picture.area(&square, ink.slip, 1.0);
            picture.line(&square, true, Stroked::new(ink.paper, unit));
        } else {
            picture.disk(at, r + unit, ink.paper, 1.0);
            picture.disk(at, r, ink.stick, 1.0);
        }
    }
    // The newest lies on top.
    for blow in moment.blows.iter().rev() {
        let fade = 1.0 - 0.85 * blow.age.clamp(0.0, 1.0);
        let tip = blow.point + blow.impulse * (reach / sizes.impulse);
        if let (Some(from), Some(to)) = (seen(&blow.point), seen(&tip)) {
            let ring = (5.0 + 9.0 * blow.age) * unit;
            let circle: Vec<[f64; 2]> = (0..40)
                .map(|k| f64::from(k) * std::f64::consts::TAU / 40.0)
                .map(|a| [from[0] + ring * a.cos(), from[1] + ring * a.sin()])
                .collect();
            picture.line(&circle, true, Stroked::new(ink.impulse, 1.6 * unit).opacity(fade));
            arrow(picture, from, to, ink.impulse, 3.4 * unit, fade);
        }
    }
}

/// An arrow; one that is shorter than its head is a head alone.
fn arrow(
    picture: &mut Picture,
    from: [f64; 2],
    to: [f64; 2],
    colour: Rgb,
    width: f64,
    opacity: f64,
) {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let length = dx.hypot(dy);
    if length < 0.75 * width {
        return;
    }
    let (ux, uy) = (dx / length, dy / length);
    let head = (4.2 * width).min(length);
    let neck = [to[0] - head * ux, to[1] - head * uy];
    picture.line(&[from, neck], false, Stroked::new(colour, width).opacity(opacity));
    let wing = 0.42 * head;
    let tip = [
        to,
        [neck[0] - wing * uy, neck[1] + wing * ux],
        [neck[0] + wing * uy, neck[1] - wing * ux],
    ];
    picture.area(&tip, colour, opacity);
}

/// Tells the time in a corner, and how fast the film goes if that is not as in life.
pub(super) fn clock(picture: &mut Picture, moment: &Moment, span: f64, look: &Look, ink: &Ink) {
    let unit = look.unit();
    let digits = if span > 100.0 {
        2
    } else if span > 1.0 {
        3
    } else {
        4
    };
    let letters = |size: f64, colour: Rgb, strong: bool| Lettering {
        size: size * unit,
        colour,
        anchor: 0.0,
        strong,
    };
    let at = [16.0 * unit, 30.0 * unit];
    let text = format!("t = {:.digits$} s", moment.t).replace('-', "−");
    let width = picture.text(&text, at, letters(18.0, ink.text, true));
    if look.speed != 1.0 {
        let text = format!("{}×", look.speed);
        let at = [at[0] + width + 14.0 * unit, at[1]];
        picture.text(&text, at, letters(15.0, ink.faint, false));
    }
}

/// What a distance of the grid is, in the lower left corner.
pub(super) fn scale(picture: &mut Picture, step: f64, look: &Look, ink: &Ink) {
    let unit = look.unit();
    let at = [16.0 * unit, f64::from(look.height) - 14.0 * unit];
    let text = format!("grid {} m", crate::run::significant(step));
    let look = Lettering { size: 13.0 * unit, colour: ink.faint, anchor: 0.0, strong: false };
    picture.text(&text, at, look);
}
