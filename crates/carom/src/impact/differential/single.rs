//! One colliding contact: its normal impulse is the clock, equations (5) to (7) of the parent end the impact.

use super::path::{NAME, Path};
use crate::impact::error::ImpactError;
use crate::impact::planar::release;
use crate::impact::restitution::Restitution;
use crate::impact::trace::StageEvent;

/// Impulse and work of the colliding contact, summed over all intervals of compression and of restitution.
#[derive(Clone, Copy, Default)]
struct Ledger {
    p_c: f64,
    w_c: f64,
    p_r: f64,
    w_r: f64,
}

impl Ledger {
    fn add(&mut self, compressing: bool, p: f64, w: f64) {
        if compressing {
            self.p_c += p;
            self.w_c += w;
        } else {
            self.p_r += p;
            self.w_r += w;
        }
    }
}

/// The colliding contact: what it was, and how far restitution is.
struct Rebound {
    definition: Restitution,
    e: f64,
    u_pre: f64,
    compressing: bool,
    ledger: Ledger,
}

impl Rebound {
    /// Normal impulse until this phase ends, from velocity `u_n` that changes at `rate`; infinite if never.
    fn end(&self, u_n: f64, rate: f64) -> f64 {
        let Ledger { p_c, w_c, p_r, w_r } = self.ledger;
        let end = match self.definition {
            _ if self.compressing && rate > 0.0 => -u_n / rate,
            _ if self.compressing => f64::INFINITY,
            Restitution::Kinematic if rate > 0.0 => (-self.e * self.u_pre - u_n) / rate,
            Restitution::Kinematic => f64::INFINITY,
            Restitution::Kinetic => self.e * p_c - p_r,
            Restitution::Energetic => release(-self.e * self.e * w_c - w_r, u_n, rate),
        };
        end.max(0.0)
    }

    /// Normal impulse until friction elsewhere drives the contact together again.
    fn again(&self, u_n: f64, rate: f64) -> f64 {
        if !self.compressing && rate < 0.0 { -u_n / rate } else { f64::INFINITY }
    }
}

/// Follows the path; `i` is the place of the colliding contact in the list.
pub(crate) fn run(
    path: &mut Path<'_>,
    i: usize,
    definition: Restitution,
) -> Result<(), ImpactError> {
    let k = path.scratch.contacts[i];
    let (e, u_pre) = (path.space.contacts[k].restitution, path.u_n(i));
    path.scratch.duties[i].drive = 1.0;
    path.scratch.floors[i] = f64::NEG_INFINITY;
    let mut rebound =
        Rebound { definition, e, u_pre, compressing: true, ledger: Ledger::default() };
    while rebound.compressing || e > 0.0 {
        if stage(path, i, &mut rebound)? {
            break;
        }
    }
    path.finish(k);
    Ok(())
}

/// Rate of the normal velocity, in units of what the impulse alone would do, that is round-off.
const WEDGED: f64 = 1e-12;
/// Normal velocity, in units of that before, that rounding the others to zero may leave of none.
const STANDS: f64 = 1e-9;

/// One stage; true if the impact ends with it.
fn stage(path: &mut Path<'_>, i: usize, rebound: &mut Rebound) -> Result<bool, ImpactError> {
    path.rates()?;
    let k = path.scratch.contacts[i];
    let normal = path.scratch.duties[i].normal;
    let (u_n, mut rate) = (path.u_n(i), path.scratch.rates.u[normal]);
    if rate.abs() <= WEDGED * path.space.G[(normal, normal)] {
        rate = 0.0;
    }
    let (end, again) = (rebound.end(u_n, rate), rebound.again(u_n, rate));
    let event = path.next_event();
    let ds = end.min(event).min(again);
    if !ds.is_finite() && u_n.abs() <= STANDS * rebound.u_pre.abs() {
        // Friction holds it however hard it is pressed: what was compressed stays so.
        path.set_u_n(i, 0.0);
        return Ok(true);
    }
    if !ds.is_finite() {
        return Err(ImpactError::Jammed { law: NAME, contact: k, rate });
    }
    rebound.ledger.add(rebound.compressing, ds, ds * (u_n + 0.5 * ds * rate));
    path.advance(ds);
    if ds < end {
        if again <= event {
            path.set_u_n(i, 0.0);
            rebound.compressing = true;
        }
        return Ok(false);
    }
    if rebound.compressing {
        path.set_u_n(i, 0.0);
        rebound.compressing = false;
        path.record(StageEvent::EndOfCompression, k);
        return Ok(false);
    }
    if rebound.definition == Restitution::Kinematic {
        path.set_u_n(i, -rebound.e * rebound.u_pre);
    }
    Ok(true)
}
