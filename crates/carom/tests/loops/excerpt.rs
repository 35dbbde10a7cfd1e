//! Parts of a model keep their loops, springs and loads.

use crate::mechanisms::{at, four_bar, rod, turn};
use carom::model::{
    Anchor, BodyId, BodyPoint, Joint, JointKind, Load, Loop, LoopKind, ModelBuilder, PointSpring,
};
use carom::spatial::{Inertia, Pose};
use nalgebra::Vector3;

#[test]
fn loops_springs_and_loads_go_with_their_bodies() {
    let mut builder = ModelBuilder::new();
    let ball = Inertia::point(1.0, Vector3::x()).unwrap();
    let pier = Pose::translation(Vector3::new(0.0, 0.5, 0.0));
    let still = Inertia::massless();
    let pier = builder.add_body("pier", None, Joint::new("pier", JointKind::Fixed, pier), still);
    let pier = pier.unwrap();
    let lone = builder.add_body("lone", None, turn("lone", 3.0), ball).unwrap();
    let crank = builder.add_body("crank", None, turn("crank", 0.0), rod(1.0, 0.3)).unwrap();
    let arm = builder.add_body("arm", Some(crank), turn("arm", 0.3), rod(1.0, 0.4)).unwrap();
    let kind = LoopKind::Distance { length: 0.6 };
    let b = Anchor { body: Some(pier), placement: Pose::translation(Vector3::x()) };
    let name = String::from("rope");
    builder.add_loop(Loop { name, kind, a: at(Some(arm), 0.4), b }).unwrap();
    let end = |body: BodyId| BodyPoint { body: Some(body), point: Vector3::y() };
    for (name, a, b) in [("in", pier, arm), ("out", lone, arm)] {
        let (a, b) = (end(a), end(b));
        let (name, stiffness, rest, damping) = (name.into(), 1.0, 0.0, 0.0);
        builder.add_spring(PointSpring { name, a, b, stiffness, rest, damping }).unwrap();
    }
    builder.add_load(Load::Joint { dof: 2, torque: 4.0 }).unwrap();
    builder.add_load(Load::Joint { dof: 0, torque: 5.0 }).unwrap();
    let whole = builder.build().unwrap();
    let part = whole.excerpt(&[crank, arm], &[]).model;
    let rope = &part.loops()[0];
    assert_eq!((rope.a.body, rope.b.body), (part.body_named("arm"), None));
    assert_eq!(rope.b.placement.r, Vector3::new(1.0, 0.5, 0.0));
    assert_eq!(part.springs().len(), 1);
    assert_eq!(part.springs()[0].a.point, Vector3::new(0.0, 1.5, 0.0));
    assert_eq!(part.loads(), [Load::Joint { dof: 1, torque: 4.0 }]);
}

#[test]
fn what_is_planar_is_decided_by_the_whole() {
    let model = four_bar(LoopKind::Hinge, Vector3::zeros());
    let all: Vec<BodyId> = model.body_ids().collect();
    assert_eq!(model.excerpt(&all, &[]).model, model);
}
