//! Four-bar in space: Freudenstein's equation, K₁ cos ψ − K₂ cos θ + K₃ = cos(θ − ψ), at all times; the
//! energy stays although the last hinge is redundant.

use super::support::run_named;

#[test]
fn the_rocker_follows_freudenstein() {
    let run = run_named("four_bar.toml", &[]);
    let (a, b, c, d) = (0.2, 0.5, 0.4, 0.45);
    let k = [d / a, d / c, (a * a - b * b + c * c + d * d) / (2.0 * a * c)];
    for q in &run.recording.q {
        let (theta, psi) = (q[0], q[2]);
        let left = k[0] * psi.cos() - k[1] * theta.cos() + k[2] - (theta - psi).cos();
        assert!(left.abs() < 1e-12, "{left:e}");
    }
    assert!(run.state.q[0].abs() > 6.3, "goes round");
    assert!((run.ledger.stored() - run.ledger.initial).abs() < 1e-8);
}
