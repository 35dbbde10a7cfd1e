//! Several colliding contacts together, equations (8) to (11) of the parent.

use super::path::{NAME, Path};
use crate::impact::error::ImpactError;
use crate::impact::planar::release;
use crate::impact::restitution::Restitution;
use crate::impact::solution::Rule;
use crate::impact::trace::StageEvent;

/// Follows the path of all colliding contacts.
pub(crate) fn run(path: &mut Path<'_>, definition: Restitution) -> Result<(), ImpactError> {
    path.out.rule = Rule::Together;
    let first = path.space.colliding().next().unwrap_or(0);
    for place in 0..path.scratch.colliding.len() {
        let i = path.scratch.colliding[place];
        let u = path.u_n(i);
        path.scratch.floors[i] = u;
        path.scratch.duties[i].floor_rate = -u;
    }
    clock(path, 1.0)?;
    end_compression(path);
    match definition {
        Restitution::Kinematic => kinematic(path)?,
        Restitution::Kinetic => kinetic(path)?,
        Restitution::Energetic => energetic(path)?,
    }
    path.finish(first);
    Ok(())
}

/// Goes on for `span` of the clock.
fn clock(path: &mut Path<'_>, span: f64) -> Result<(), ImpactError> {
    let mut left = span;
    while left > 0.0 {
        path.rates()?;
        let ds = path.next_event().min(left);
        path.advance(ds);
        left -= ds;
        if left <= 1e-15 * span {
            break;
        }
    }
    Ok(())
}

fn end_compression(path: &mut Path<'_>) {
    for place in 0..path.scratch.colliding.len() {
        let i = path.scratch.colliding[place];
        if path.u_n(i) <= path.scratch.floors[i] {
            path.set_u_n(i, 0.0);
        }
        path.scratch.floors[i] = 0.0;
        path.scratch.duties[i].floor_rate = 0.0;
        let k = path.scratch.contacts[i];
        let p_n = path.out.impulses[path.scratch.duties[i].normal];
        path.scratch.compressed[i] = (p_n, path.out.normal_works[k]);
    }
    for place in 0..path.scratch.colliding.len() {
        let k = path.scratch.contacts[path.scratch.colliding[place]];
        path.record(StageEvent::EndOfCompression, k);
    }
}

fn restitution(path: &Path<'_>, i: usize) -> f64 {
    path.space.contacts[path.scratch.contacts[i]].restitution
}

fn u_pre(path: &Path<'_>, i: usize) -> f64 {
    path.space.u_pre[path.scratch.duties[i].normal]
}

fn kinematic(path: &mut Path<'_>) -> Result<(), ImpactError> {
    let mut any = false;
    for place in 0..path.scratch.colliding.len() {
        let i = path.scratch.colliding[place];
        let rate = -restitution(path, i) * u_pre(path, i);
        path.scratch.duties[i].floor_rate = rate;
        any |= rate > 0.0;
    }
    if !any {
        return Ok(());
    }
    clock(path, 1.0)?;
    for place in 0..path.scratch.colliding.len() {
        let i = path.scratch.colliding[place];
        if path.u_n(i) <= path.scratch.floors[i] {
            path.set_u_n(i, -restitution(path, i) * u_pre(path, i));
        }
    }
    Ok(())
}

fn kinetic(path: &mut Path<'_>) -> Result<(), ImpactError> {
    let mut any = false;
    for place in 0..path.scratch.colliding.len() {
        let i = path.scratch.colliding[place];
        let drive = restitution(path, i) * path.scratch.compressed[i].0;
        path.scratch.duties[i].drive = drive;
        any |= drive > 0.0;
    }
    if any { clock(path, 1.0) } else { Ok(()) }
}

fn energetic(path: &mut Path<'_>) -> Result<(), ImpactError> {
    for place in 0..path.scratch.colliding.len() {
        let i = path.scratch.colliding[place];
        let rate = if work_left(path, i) > 0.0 { -u_pre(path, i) } else { 0.0 };
        path.scratch.duties[i].floor_rate = rate;
    }
    while path.scratch.colliding.iter().any(|&i| path.scratch.duties[i].floor_rate > 0.0) {
        path.rates()?;
        let mut ds = path.next_event();
        let mut done = None;
        for &i in
            path.scratch.colliding.iter().filter(|&&i| path.scratch.duties[i].floor_rate > 0.0)
        {
            let end = impulse_left(path, i);
            if end < ds {
                (ds, done) = (end, Some(i));
            }
        }
        if !ds.is_finite() {
            let contact = path.space.colliding().next().unwrap_or(0);
            return Err(ImpactError::Jammed { law: NAME, contact, rate: 0.0 });
        }
        path.advance(ds);
        for place in 0..path.scratch.colliding.len() {
            let i = path.scratch.colliding[place];
            // Ties end together, so that a symmetric problem stays symmetric.
            if done == Some(i) || work_left(path, i) <= 1e-14 * path.scratch.compressed[i].1.abs() {
                path.scratch.floors[i] = 0.0;
                path.scratch.duties[i].floor_rate = 0.0;
            }
        }
    }
    Ok(())
}

/// Work that contact `i` has still to release, equation (11).
fn work_left(path: &Path<'_>, i: usize) -> f64 {
    let (_, w_c) = path.scratch.compressed[i];
    let e = restitution(path, i);
    -e * e * w_c - (path.out.normal_works[path.scratch.contacts[i]] - w_c)
}

/// Clock until contact `i` has released its work; infinite while it takes no impulse.
fn impulse_left(path: &Path<'_>, i: usize) -> f64 {
    let normal = path.scratch.duties[i].normal;
    let (p, u) = (path.scratch.rates.p[normal], path.scratch.rates.u[normal]);
    if p > 0.0 { release(work_left(path, i) / p, path.u_n(i), u) } else { f64::INFINITY }
}
