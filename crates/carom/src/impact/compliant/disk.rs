//! One disk alone.

/// min ½ qᵀh q + gᵀq over ‖q‖ ≤ ρ in the plane, by the eigenvalues of h and one root.
pub(super) fn in_disk(h: [[f64; 2]; 2], g: [f64; 2], rho: f64) -> [f64; 2] {
    let (mean, half) = (0.5 * (h[0][0] + h[1][1]), 0.5 * (h[0][0] - h[1][1]));
    let spread = half.hypot(h[0][1]);
    let angle = 0.5 * h[0][1].atan2(half);
    let (s, c) = angle.sin_cos();
    let l = [mean + spread, (mean - spread).max(0.0)];
    let y = [c * g[0] + s * g[1], c * g[1] - s * g[0]];
    let at = |lambda: f64| [-y[0] / (l[0] + lambda), -y[1] / (l[1] + lambda)];
    let back = |q: [f64; 2]| [c * q[0] - s * q[1], s * q[0] + c * q[1]];
    let size = |q: [f64; 2]| q[0].hypot(q[1]);
    let free = at(0.0);
    if size(free) <= rho {
        return back(free);
    }
    if rho <= 0.0 {
        return [0.0; 2];
    }
    // 1/‖q(λ)‖ is concave in λ, so Newton's method from the left never overshoots.
    let mut lambda = (y[0].hypot(y[1]) / rho - l[0]).max(0.0);
    for _ in 0..60 {
        let q = at(lambda);
        let r = size(q);
        let slope = q[0] * q[0] / (l[0] + lambda) + q[1] * q[1] / (l[1] + lambda);
        let step = (r - rho) / rho * r * r / slope;
        lambda += step;
        if step.abs() <= f64::EPSILON * lambda {
            break;
        }
    }
    let q = at(lambda);
    let scale = rho / size(q);
    back([q[0] * scale, q[1] * scale])
}
