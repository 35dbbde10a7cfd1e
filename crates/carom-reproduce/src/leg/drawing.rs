//! Panels of a jump.

use carom::contact::sites;
use carom::dynamics::{Kinematics, integrate, kinematics};
use carom_figure::{Arrow, Axis, Colour, Figure, Ground, Guide, Line, Marker, Panel};
use nalgebra::Vector3;

use super::subject::{DIRECTION, Jump};
use crate::error::Trouble;

/// Place of the body's centre in every sample.
pub fn centres(jump: &Jump) -> Vec<Vector3<f64>> {
    let Some(choice) = &jump.scene.study else { return Vec::new() };
    let model = &jump.scene.model;
    let mut kin = Kinematics::new(model);
    let rows = jump.course.q.iter().zip(&jump.course.v);
    rows.map(|(q, v)| {
        kinematics(model, q, v, &mut kin);
        kin.pose(model, choice.point.body).point(&choice.point.point)
    })
    .collect()
}

/// Height of the foot in every sample.
fn feet(jump: &Jump) -> Vec<f64> {
    let Some(choice) = &jump.scene.study else { return Vec::new() };
    let model = &jump.scene.model;
    let site = &sites(model)[choice.foot];
    let mut kin = Kinematics::new(model);
    let rows = jump.course.q.iter().zip(&jump.course.v);
    rows.map(|(q, v)| {
        kinematics(model, q, v, &mut kin);
        carom::contact::site_state::site_approach(model, site, &kin, (q, v)).gap
    })
    .collect()
}

/// Body centre, hip, the ends of coxa and femur, and the foot at the start, m.
pub fn skeleton(jump: &Jump) -> [Vector3<f64>; 5] {
    let model = &jump.scene.model;
    let mut kin = Kinematics::new(model);
    kinematics(model, jump.start.q.as_slice(), jump.start.v.as_slice(), &mut kin);
    let at = |body: &str, point: Vector3<f64>| {
        let id = model.body_named(body);
        id.map_or(Vector3::repeat(f64::NAN), |id| kin.pose(model, id).point(&point))
    };
    let origin = Vector3::zeros();
    [
        at("body", origin),
        at("coxa", origin),
        at("femur", origin),
        at("tibia", origin),
        at("tibia", Vector3::new(0.0, -0.09, 0.0)),
    ]
}

/// By how much the foot may move up or down when every angle turns by so much, m.
pub fn foot_by_angles(jump: &Jump, turn: f64) -> Result<f64, Trouble> {
    let model = &jump.scene.model;
    let choice = super::subject::study(&jump.scene)?;
    let site = &sites(model)[choice.foot];
    let (q, v) = (jump.start.q.as_slice(), jump.start.v.as_slice());
    let mut kin = Kinematics::new(model);
    let mut gap = |dof: usize, by: f64| {
        let mut step = vec![0.0; model.nv()];
        step[dof] = by;
        let mut turned = q.to_vec();
        integrate::step(model, q, &step, &mut turned);
        kinematics(model, &turned, v, &mut kin);
        carom::contact::site_state::site_approach(model, site, &kin, (&turned, v)).gap
    };
    // The first three freedoms are the place of the body.
    Ok((3..model.nv()).map(|dof| 0.5 * (gap(dof, turn) - gap(dof, -turn)).abs()).sum())
}

/// Distance to the goal in every sample.
pub fn errors(jump: &Jump) -> Vec<f64> {
    let goal = jump.scene.study.as_ref().and_then(|s| s.point.goal).unwrap_or_default();
    centres(jump).iter().map(|x| (goal - x).norm()).collect()
}

/// Contact forces and torques, motor angles and heights, path: figures 6.8 to 6.10 or 6.11 to 6.13.
pub fn jump_figure(jump: &Jump) -> Figure {
    titled_jump(jump, format!("Jump from {}", jump.name))
}

/// The same under another title.
pub fn titled_jump(jump: &Jump, title: String) -> Figure {
    let c = &jump.course;
    let (t, x) = (&c.t, centres(jump));
    let foot = jump.scene.study.as_ref().map_or(0, |s| s.foot);
    let force = |k: usize| c.forces.iter().map(|f| f[foot][k]).collect::<Vec<f64>>();
    let tangential: Vec<f64> = c.forces.iter().map(|f| f[foot][0].hypot(f[foot][1])).collect();
    let forces = Panel::new()
        .title("Contact force of the foot")
        .x(("t", "s"))
        .y(("force", "N"))
        .line("normal", t, &force(2))
        .line("tangential", t, &tangential);
    let mut torques = Panel::new().title("Motor torques").x(("t", "s")).y(("torque", "N·m"));
    let mut angles = Panel::new().title("Motor angles").x(("t", "s")).y(("angle", "rad"));
    let places = jump.scene.model.q_of_v();
    for (i, a) in jump.scene.actuators.iter().enumerate() {
        let u: Vec<f64> = c.torques.iter().map(|row| row.get(i).copied().unwrap_or(0.0)).collect();
        torques = torques.line(a.name.as_str(), t, &u);
        if let Some(place) = places[a.dof] {
            let q: Vec<f64> = c.q.iter().map(|q| q[place]).collect();
            angles = angles.line(a.name.as_str(), t, &q);
        }
    }
    let height: Vec<f64> = x.iter().map(|x| x.y).collect();
    let heights = Panel::new()
        .title("Heights")
        .x(("t", "s"))
        .y(("height", "m"))
        .line("body centre", t, &height)
        .line("foot", t, &feet(jump));
    let along: Vec<f64> = x.iter().map(|x| x.x).collect();
    let path = Panel::new()
        .title("Path of the body centre")
        .x(("x", "m"))
        .y(("height", "m"))
        .equal()
        .line("body centre", &along, &height);
    let path = match x.first() {
        Some(x) => {
            let to = [x.x + 0.3 * DIRECTION[0], x.y + 0.3 * DIRECTION[1]];
            path.add(Arrow::new([x.x, x.y], to).colour(Colour::Ink).name("desired direction"))
        }
        None => path,
    };
    Figure::new(title)
        .columns(2)
        .width(960.0)
        .panel(forces)
        .panel(torques)
        .panel(angles)
        .panel(heights)
        .panel(path)
}

/// The posture at the start, seen along N3 and along N1: figures 6.6 and 6.7.
pub fn posture_figure(jump: &Jump) -> Figure {
    let points = skeleton(jump);
    let parts = ["body", "coxa", "femur", "tibia"];
    let view = |title: &str, axis: &str, of: &dyn Fn(&Vector3<f64>) -> f64| {
        let x: Vec<f64> = points.iter().map(of).collect();
        let y: Vec<f64> = points.iter().map(|p| p.y).collect();
        let mut panel = Panel::new()
            .title(title)
            .equal()
            .height(300.0)
            .x(Axis::new(axis, "m").range(-0.16, 0.16))
            .y(Axis::new("N2", "m").range(-0.02, 0.26))
            .add(Ground::new([0.0, 0.0], [0.0, 1.0]));
        for (k, part) in parts.iter().enumerate() {
            let line = Line::new(*part, &x[k..k + 2], &y[k..k + 2]);
            panel = panel.add(line.colour(Colour::Series(k as u8)).width(2.5).marker(Marker::Dot));
        }
        (panel, [x[0], y[0]])
    };
    let (side, [x, y]) = view("From the side", "N1", &|p| p.x);
    let reach = 0.06;
    let to = [x + reach * DIRECTION[0], y + reach * DIRECTION[1]];
    let side = side.add(Arrow::new([x, y], to).colour(Colour::Ink).name("desired direction"));
    let (front, _) = view("From the front", "N3", &|p| p.z);
    Figure::new(format!("Posture of {}", jump.name))
        .columns(2)
        .width(960.0)
        .panel(side)
        .panel(front)
}

/// Distance to the goal of all jumps: figure 6.5.
pub fn error_figure(jumps: &[Jump]) -> Figure {
    let mut panel = Panel::new().x(("t", "s")).y(("distance to the goal", "m"));
    for jump in jumps {
        panel = panel.line(jump.name, &jump.course.t, &errors(jump));
    }
    Figure::new("Position error of the jumps")
        .panel(panel.add(Guide::horizontal(5.0, "at the start")))
}
