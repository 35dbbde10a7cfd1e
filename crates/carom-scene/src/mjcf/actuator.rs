//! Motors.
//!
//! # Law
//! A motor with gear g on a joint of coordinate q has length l = g q and, under the control c, the force
//! ```text
//! f = (g₀ + g₁ l + g₂ l̇) c + b₀ + b₁ l + b₂ l̇,   τ = g f                             (1)
//! ```
//! with the controls cut off at `ctrlrange` and f at `forcerange`. `motor` is g₀ = 1; `position` g₀ = kp,
//! b₁ = −kp, b₂ = −kv, or a damping ratio in its place (equation (2) of `springs.rs`); `velocity` g₀ = kv, b₂ = −kv; `damper` g₂ = −kv. Controls are constant here (those of
//! the keyframe, of `ctrl` in the scene, else 0), so that (1) is
//! ```text
//! τ = τ₀ − k q − d q̇,   k = −g² (b₁ + g₁ c),  d = −g² (b₂ + g₂ c),  τ₀ = g (g₀ c + b₀)  (2)
//! ```
//! a controller of type `pd` with its own gains for each joint. Its armature and damping act at the joint,
//! times g².
//!
//! # Limits
//! Motors with k < 0 or d < 0 are refused; those that do not act on a hinge or slide are left out, which is told.
//!
//! # Tests
//! `tests/mjcf.rs`: `eq1_eq2_motors`.

use super::body::Seat;
use super::contact::unknown;
use super::defaults::{ACTUATORS, Defaults};
use super::item::Item;
use super::joint::limited;
use super::left_out::LeftOut;
use super::settings::{Settings, prefixed};
use super::tag::Tag;
use crate::error::Flaw;
use crate::parts::{Control, MotorPart};

/// Motors whose force has no place in (1).
const OTHERS: &[&str] = &["muscle", "adhesion", "dcmotor", "pid", "orientation", "plugin"];

/// The numbers of equation (1).
#[derive(Debug, Clone, Copy, Default)]
struct Gains {
    gain: [f64; 3],
    bias: [f64; 3],
    /// Damping ratio that stands for b₂.
    ratio: Option<f64>,
}

/// Read all motors; what they add to their joints goes to the seats.
pub(crate) fn motors(
    model: &Tag,
    (defaults, settings, prefix): (&Defaults<'_>, &Settings, &str),
    seats: &mut [Seat],
    left_out: &mut LeftOut,
) -> Result<Vec<MotorPart>, Flaw> {
    let mut motors: Vec<MotorPart> = Vec::new();
    let tags = model.all("actuator").flat_map(|section| &section.children);
    for (number, tag) in tags.filter(|tag| ACTUATORS.contains(&tag.name.as_str())).enumerate() {
        let item = defaults.item(tag, 0)?;
        let seat = match joint_of(&item, prefix, seats)? {
            Some(seat) if !OTHERS.contains(&tag.name.as_str()) => seat,
            _ => {
                let why = "only linear motors on hinges and slides are";
                left_out.tell(
                    &format!("motor <{}> of its kind", tag.name),
                    tag.called(),
                    why,
                    tag.spot,
                );
                continue;
            }
        };
        let name = motor_name(tag, number, prefix);
        if let Some(motor) = motor(&item, &name, &mut seats[seat], settings, left_out)? {
            motors.push(motor);
        }
    }
    Ok(motors)
}

/// The name of the motor of this number.
pub(crate) fn motor_name(tag: &Tag, number: usize, prefix: &str) -> String {
    match tag.text("name") {
        Some(name) => prefixed(prefix, name),
        None => prefixed(prefix, &format!("actuator{}", number + 1)),
    }
}

/// The seat of the joint that a motor drives, if it drives a hinge or slide.
fn joint_of(item: &Item<'_>, prefix: &str, seats: &[Seat]) -> Result<Option<usize>, Flaw> {
    // In the frame of the parent only balls and free joints differ.
    let attribute = |key: &str| item.tag.attribute(key);
    let Some(wanted) = attribute("joint").or(attribute("jointinparent")) else { return Ok(None) };
    let name = prefixed(prefix, &wanted.value);
    let known = || seats.iter().map(|s| s.joint.part.name.as_str());
    let seat = known().position(|n| n == name);
    let seat = seat.ok_or_else(|| unknown(item.tag, "joint", wanted, known()))?;
    Ok(seats[seat].joint.part.is_single().then_some(seat))
}

fn motor(
    item: &Item<'_>,
    name: &str,
    seat: &mut Seat,
    settings: &Settings,
    left_out: &mut LeftOut,
) -> Result<Option<MotorPart>, Flaw> {
    let gear = item.numbers("gear", 1..=6)?.map_or(1.0, |g| g[0]);
    let Some(gains) = gains(item, left_out)? else { return Ok(None) };
    let c = &mut seat.joint.part.coordinate;
    c.rotor_inertia += gear * gear * item.not_negative("armature", 0.0)?;
    c.damping += gear * gear * item.numbers("damping", 1..=3)?.map_or(0.0, |d| d[0]);
    let auto = settings.auto_limits;
    let range = |key: &'static str| item.ends(key);
    let mut controls = limited(item, ("ctrllimited", "ctrlrange"), range("ctrlrange")?, auto)?;
    if item.number("inheritrange", 0.0)? > 0.0
        && let Some(l) = seat.joint.part.coordinate.limits
    {
        let (mid, half) = (0.5 * (l.lower + l.upper), 0.5 * (l.upper - l.lower));
        let half = half * item.number("inheritrange", 1.0)?;
        let at = |x: f64| gear * (x + seat.joint.reference);
        controls = Some(vec![at(mid - half), at(mid + half)]);
    }
    let forces = limited(item, ("forcelimited", "forcerange"), range("forcerange")?, auto)?;
    let mut limits = [f64::NEG_INFINITY, f64::INFINITY];
    if let Some(f) = &forces {
        cut(&mut limits, [gear * f[0], gear * f[1]]);
    }
    let is_plain = gains.bias == [0.0; 3] && gains.gain[1..] == [0.0; 2];
    if let Some(r) = controls.as_ref().filter(|_| is_plain) {
        cut(&mut limits, [gear * gains.gain[0] * r[0], gear * gains.gain[0] * r[1]]);
    }
    if let Some(f) = seat.joint.forces {
        cut(&mut limits, f);
    }
    let [lower, upper] = limits;
    if !(lower <= 0.0 && upper >= 0.0 && lower < upper) || gear == 0.0 {
        let why = "its forces do not enclose 0";
        left_out.tell(&format!("motor `{name}`"), item.tag.called(), why, item.tag.spot);
        return Ok(None);
    }
    let control = Control {
        gear,
        gain: gains.gain,
        bias: gains.bias,
        range: controls.map(|r| [r[0], r[1]]),
        ratio: gains.ratio,
        reference: seat.joint.reference,
    };
    let joint = seat.joint.part.name.clone();
    let spot = item.tag.spot;
    Ok(Some(MotorPart { name: name.into(), spot, joint, lower, upper, control, value: 0.0 }))
}

/// Keep the part of a range that another one leaves.
fn cut(limits: &mut [f64; 2], by: [f64; 2]) {
    let (least, most) = (by[0].min(by[1]), by[0].max(by[1]));
    *limits = [limits[0].max(least), limits[1].min(most)];
}

/// The gains of a motor; none if they are not those of (1).
fn gains(item: &Item<'_>, left_out: &mut LeftOut) -> Result<Option<Gains>, Flaw> {
    let kv = |default: f64| item.number("kv", default);
    let mut tell = |what: &str, why: &'static str| {
        left_out.tell(what, item.tag.called(), why, item.tag.spot);
    };
    Ok(match item.tag.name.as_str() {
        "motor" => Some(Gains { gain: [1.0, 0.0, 0.0], ..Gains::default() }),
        "position" => {
            let (kp, kv) = (item.number("kp", 1.0)?, kv(0.0)?);
            let ratio = item.number("dampratio", 0.0)?;
            if ratio != 0.0 && kv != 0.0 {
                let reason = "the damping is stated in one way";
                return Err(item.conflict("kv", "dampratio", reason));
            }
            if item.number("timeconst", 0.0)? > 0.0 {
                tell("activation of motors", "activations stay at 0");
            }
            Some(Gains { gain: [kp, 0.0, 0.0], bias: [0.0, -kp, -kv], ratio: positive(ratio) })
        }
        // A servo whose target is its activation, the integral of its control.
        "intvelocity" if item.number("dampratio", 0.0)? == 0.0 => {
            tell("activation of motors", "activations stay at 0");
            let (kp, kv) = (item.number("kp", 1.0)?, kv(0.0)?);
            Some(Gains { gain: [0.0; 3], bias: [0.0, -kp, -kv], ratio: None })
        }
        "intvelocity" => {
            tell("dampratio of <intvelocity>", "state kv instead");
            None
        }
        "velocity" => {
            let kv = kv(1.0)?;
            Some(Gains { gain: [kv, 0.0, 0.0], bias: [0.0, 0.0, -kv], ratio: None })
        }
        "damper" => Some(Gains { gain: [0.0, 0.0, -kv(1.0)?], ..Gains::default() }),
        "cylinder" => {
            tell("activation of motors", "activations stay at 0");
            let area = match item.numbers("diameter", 1..=1)? {
                Some(d) => std::f64::consts::PI / 4.0 * d[0] * d[0],
                None => item.number("area", 1.0)?,
            };
            let bias = three(item, "bias")?.unwrap_or_default();
            Some(Gains { gain: [area, 0.0, 0.0], bias, ratio: None })
        }
        _ => general(item, &mut tell)?,
    })
}

fn general(
    item: &Item<'_>,
    tell: &mut dyn FnMut(&str, &'static str),
) -> Result<Option<Gains>, Flaw> {
    let linear = |word: Option<&str>| matches!(word, None | Some("none" | "fixed" | "affine"));
    if !linear(item.text("gaintype")) || !linear(item.text("biastype")) {
        tell("motor <general> that is not linear", "only linear motors are");
        return Ok(None);
    }
    if !matches!(item.text("dyntype"), None | Some("none")) {
        tell("activation of motors", "activations stay at 0");
    }
    let gain = three(item, "gainprm")?.unwrap_or([1.0, 0.0, 0.0]);
    let bias = three(item, "biasprm")?.unwrap_or_default();
    let gain = if item.text("gaintype") == Some("affine") { gain } else { [gain[0], 0.0, 0.0] };
    let bias = if item.text("biastype") == Some("affine") { bias } else { [0.0; 3] };
    // A servo with b₂ > 0 has a damping ratio there.
    let servo = gain[0] == -bias[1] && bias[2] > 0.0;
    let ratio = if servo { positive(bias[2]) } else { None };
    let bias = if servo { [bias[0], bias[1], 0.0] } else { bias };
    Ok(Some(Gains { gain, bias, ratio }))
}

fn positive(x: f64) -> Option<f64> {
    (x > 0.0).then_some(x)
}

/// The first three numbers of a list; those that are missing are zero.
fn three(item: &Item<'_>, name: &'static str) -> Result<Option<[f64; 3]>, Flaw> {
    Ok(item.numbers(name, 1..=usize::MAX)?.map(|list| {
        let at = |i: usize| list.get(i).copied().unwrap_or(0.0);
        [at(0), at(1), at(2)]
    }))
}
