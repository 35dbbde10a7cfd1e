//! Kernels allocate nothing: a counting allocator watches one call of each.
#![allow(non_snake_case)]

mod support;

use carom::dynamics::jacobian::{
    VelocityProducts, add_point_row, frame_jacobian, velocity_products,
};
use carom::dynamics::response::{self, ResponseScratch};
use carom::dynamics::{
    Articulated, CompositeScratch, Factor, ForwardScratch, Kinematics, RecursionScratch,
    articulate, bias, eliminate, energy, factorise, forces, forward_dynamics, integrate,
    inverse_dynamics, kinematics, mass_matrix, posture,
};
use carom::spatial::Force;
use carom_testing::{CountingAllocator, allocations};
use nalgebra::{DMatrix, Vector3};
use support::{Random, random_state, random_tree};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

#[test]
fn dynamics_kernels() {
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let model = random_tree(&mut random, 40);
        let state = random_state(&mut random, &model);
        let n = model.nv();
        let mut kin = Kinematics::new(&model);
        let mut art = Articulated::new(&model);
        let mut forward = ForwardScratch::new(&model);
        let mut recursion = RecursionScratch::new(&model);
        let mut composite = CompositeScratch::new(&model);
        let mut scratch = ResponseScratch::new(&model);
        let mut factor = Factor::new(&model);
        let mut products = VelocityProducts::new(&model);
        let (mut M, mut J) = (DMatrix::zeros(n, n), DMatrix::zeros(6, n));
        let (mut Y, mut G) = (DMatrix::zeros(n, 3), DMatrix::zeros(3, 3));
        let (mut a, mut b) = (vec![0.0; n], vec![0.0; n]);
        let mut qdot = vec![0.0; model.nq()];
        let body = model.body_ids().last().unwrap();
        let (q, v) = (state.q.as_slice(), state.v.as_slice());
        let count = allocations(|| {
            kinematics(&model, q, v, &mut kin);
            forces::add_joint_forces(&model, q, v, &mut a);
            forward_dynamics(&model, &kin, &a, (&mut art, &mut forward), &mut b).unwrap();
            inverse_dynamics(&model, &kin, &b, &mut recursion, &mut a);
            bias(&model, &kin, &mut recursion, &mut a);
            mass_matrix(&model, &kin, &mut composite, &mut M);
            articulate(&model, &kin, &mut art).unwrap();
            factorise(&model, &kin, &art, &mut factor);
            posture(&model, q, &mut kin);
            eliminate(&M, &mut factor).unwrap();
            factor.solve(&mut a);
            let x = kin.pose(&model, body).r;
            frame_jacobian(&model, &kin, body, &x, &mut J);
            velocity_products(&model, &kin, &mut products);
            std::hint::black_box(products.at(&model, &kin, body, &x));
            std::hint::black_box(response::point_operator(&model, &kin, &art, body, &x));
            for k in 0..3 {
                let d = Vector3::ith(k, 1.0);
                add_point_row(&model, &kin, (body, &x), &d, 1.0, &mut a);
                let wrench = Force::new(Vector3::zeros(), d);
                let mut column = Y.column_mut(k);
                response::sweep_wrench(
                    &model,
                    &kin,
                    &art,
                    (body, &x, &wrench),
                    column.as_mut_slice(),
                );
            }
            response::delassus(&art, &Y, &mut G);
            response::solve(&model, &kin, &art, &mut scratch, &mut a);
            integrate::coordinate_rate(&model, q, v, &mut qdot);
            std::hint::black_box(energy::kinetic_energy(&model, &kin, v));
            std::hint::black_box(energy::gravity_energy(&model, &kin));
            std::hint::black_box(energy::centroidal_momentum(&kin));
        });
        assert_eq!(count, 0, "seed {seed}");
    }
}
