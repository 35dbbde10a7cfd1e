"""Scenes built in Python: every table of scene files, there and back."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys

import numpy as np
import pytest

import carom
from conftest import ROOT


def back(scene: carom.Scene) -> carom.Scene:
    """The same scene, written as TOML and read again: the same tables and the same mechanism."""
    again = carom.load(scene.to_toml(), format="toml")
    assert again.to_dict() == scene.to_dict()
    assert again.coordinate_names == scene.coordinate_names and again.contact_names == scene.contact_names
    assert np.array_equal(again.initial.q, scene.initial.q)
    return again


def slider_crank() -> carom.Scene:
    return (
        carom.Scene(space="planar", gravity=[0, 0])
        .body("crank", mass=1, shape={"rod": 0.1, "position": [0.05, 0]},
              joint={"name": "main", "type": "revolute", "initial": "40deg", "initial_rate": 10})
        .body("conrod", mass=0.5, shape={"rod": 0.3, "position": [0.15, 0]},
              joint={"name": "crankpin", "type": "revolute", "parent": "crank", "position": [0.1, 0]})
        .body("slider", mass=0.5, shape="point", joint={"name": "guide", "type": "prismatic"})
        .loop("point", ("conrod", [0.3, 0]), "slider", name="wristpin")
    )


def test_loops_stay_closed():
    scene = slider_crank()
    run = scene.run(until=0.5)
    for q in run.q[:: max(1, len(run) // 20)]:
        R, r = scene.pose(q, "conrod")
        # s = r cos φ + √(l² − r² sin² φ), the slider of a crank.
        exact = 0.1 * np.cos(q[0]) + np.sqrt(0.09 - (0.1 * np.sin(q[0])) ** 2)
        assert scene.pose(q, "slider")[1][0] == pytest.approx(exact, abs=1e-8)
        assert (r + R @ [0.3, 0, 0])[:2] == pytest.approx([exact, 0], abs=1e-8)
    again = back(scene).run(until=0.5)
    assert again.summary["result_hash"] == run.summary["result_hash"]


def test_gears():
    wheel = {"mass": 1, "inertia": 0.01}
    scene = (
        carom.Scene(space="planar", gravity=[0, 0])
        .body("a", **wheel, joint={"name": "A", "type": "revolute", "initial_rate": 3})
        .body("b", **wheel, joint={"name": "B", "type": "revolute", "position": [1, 0]})
        .loop("gear", joints=["B", "A"], ratio=-2)
    )
    run = back(scene).run(until=1.0)
    assert run.state.q[1] == pytest.approx(-2 * run.state.q[0], abs=1e-9)


def test_springs_swing_with_their_period():
    # A mass on a spring without rest length to the world, released at x = 1: x = cos(√(k/m) t).
    scene = (
        carom.Scene(gravity=[0, 0, 0])
        .body("m", mass=2, shape="point", joint={"type": "prismatic", "axis": [1, 0, 0], "initial": 1})
        .spring("m", None, stiffness=50)
    )
    run = back(scene).run(until=1.0, rtol=1e-10)
    assert run.state.q[0] == pytest.approx(np.cos(5 * 1.0), abs=1e-8)


def test_loads_forces_and_expressions():
    base = carom.Scene(gravity=[0, 0, 0]).body("m", mass=2, shape="point", joint={"type": "prismatic", "axis": [1, 0, 0], "name": "x"})
    loaded = carom.Scene(base.to_dict()).load("m", force=[3, 0, 0])
    assert back(loaded).run(until=2.0).state.q[0] == pytest.approx(0.5 * 1.5 * 4)
    driven = carom.Scene(base.to_dict()).force("drive", joint="x", force="4 * cos(t)")
    assert back(driven).run(until=2.0).state.q[0] == pytest.approx(2 * (1 - np.cos(2)), abs=1e-8)


def test_piles_groups_and_rules():
    scene = carom.Scene(gravity=[0, 0, -9.81]).body("floor", shape="plane", friction=0.5, restitution=0.0)
    for k in range(3):
        scene.body(f"grain{k}", mass=0.1, shape={"sphere": 0.05}, position=[0.001 * k, 0, 0.06 + 0.11 * k])
    piled = carom.Scene(scene.to_dict()).pile("grain*", "floor", restitution=0.1, friction=0.5)
    run = back(piled).run(until=0.3)
    assert len(run.impacts) >= 3 and run.summary["worst"]["gap"] > -1e-8
    stepped = carom.Scene(piled.to_dict()).solver(scheme="moreau", step=0.002).run(until=0.3)
    assert stepped.summary["options"]["method"] == "moreau"
    grouped = carom.Scene(scene.to_dict()).combine(friction="mean", restitution="max").group("grains", "grain*")
    for k in range(3):
        grouped.body(f"grain{k}", friction=0.1, restitution=0.5)
    grouped.contact("grains", "floor")
    assert len(back(grouped).contact_names) == 3


def test_motors_controllers_start_law_output():
    scene = (
        carom.Scene(gravity=[0, 0, -9.81])
        .body("bob", mass=1.0, inertia=[0.001] * 3, com=[0, 0, -1.0], joint={"type": "revolute", "axis": [0, 1, 0], "name": "pivot"})
        .actuator("motor", joint="pivot", limit=50)
        .controller("hold", type="pd", angle={"motor": 0.2}, stiffness=400, damping=40)
        .start(angle={"pivot": 0.5}, rate={"pivot": 0.1})
        .law("newton", rule="sequential")
        .solver(until=2.0, rtol=1e-8)
        .output(interval=0.1)
        .set("title", "held")
    )
    assert scene.initial.q == [0.5] and scene.initial.v == [0.1] and scene.title == "held"
    run = back(scene).run()
    assert run.t[-1] == 2.0 and run.summary["law"]["scene"]["formulation"] == "newton"
    assert run.state.q[0] == pytest.approx(0.2, abs=0.05)


def test_joint_friction_restitution_shapes_and_conditions():
    scene = (
        carom.Scene(space="planar")
        .body("die", mass=1, shape={"polygon": [[-0.1, -0.1], [0.1, -0.1], [0.0, 0.15]]}, position=[0, 0.3], rotation="20deg")
        .body("floor", shape="plane")
        .contact("die", "floor", restitution=0.3, friction=0.4, touch="t >= 0")
        .body("arm", mass=1, inertia=0.1, com=[0.5, 0], joint={"name": "J", "type": "revolute", "position": [5, 5], "friction": 2})
    )
    assert len(back(scene).run(until=0.5).impacts) > 0


def test_every_table_of_scene_files_has_its_method():
    schema = json.loads(subprocess.run([sys.executable, "-m", "carom", "schema"], capture_output=True, check=True).stdout)
    # Values are settings of Scene(…); `carom.study` is what the table of studies is for.
    values = {"title", "description", "space", "gravity", "study"}
    others = {"initial": "start"}
    for key in set(schema["properties"]) - values - {"$schema"}:
        assert callable(getattr(carom.Scene, others.get(key, key))), key
    assert carom.Scene(title="t", description="d", space="planar", gravity=[0, -1]).to_dict()["gravity"] == [0, -1]


MJCF = """<mujoco model="hopper">
  <option gravity="0 0 -9.81"/>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body name="ball" pos="0 0 1.1"><freejoint/><geom name="skin" size="0.1" mass="2"/></body>
    <body name="arm" pos="3 0 2"><joint name="hinge" axis="0 1 0"/><geom type="capsule" size="0.02" fromto="0 0 0 0 0 -0.5" mass="1"/></body>
  </worldbody>
  <actuator><motor name="drive" joint="hinge" ctrlrange="-5 5" ctrllimited="true"/></actuator>
</mujoco>"""


def test_models_of_mujoco(tmp_path):
    file = tmp_path / "hopper.xml"
    file.write_text(MJCF)
    for scene in (carom.load(file), carom.load(MJCF, format="mjcf")):
        assert (scene.nq, scene.nv) == (8, 7) and [a[0] for a in scene.actuators] == ["drive"]
        # A solid ball of MuJoCo: 2/5 m r².
        assert np.allclose(np.diag(scene.mass_matrix(scene.initial.q))[:6], [2, 2, 2] + 3 * [0.4 * 2 * 0.01])
        run = scene.run(until=1.0)
        assert run.events[0].t == pytest.approx(np.sqrt(2 / 9.81), abs=1e-9)
        assert run.stop == "reached-end"
    bouncy = carom.load(file, set={"mjcf.0.restitution": 0.5}).run(until=1.0).events[0]
    assert bouncy.v_after[2] == pytest.approx(-0.5 * bouncy.v_before[2])
    with pytest.raises(carom.SceneError, match="hopper.xml:4"):
        file.write_text(MJCF.replace('type="plane"', 'type="plan"'))
        carom.load(file)


def test_a_robot_file_is_a_scene_to_add_to(tmp_path, monkeypatch):
    file = tmp_path / "robots" / "hopper.xml"
    file.parent.mkdir()
    file.write_text(MJCF)
    scene = carom.load(file, set={"mjcf.0.restitution": 0.5})
    assert scene.to_dict() == {"mjcf": [{"file": "hopper.xml", "restitution": 0.5}]}
    scene.body("ball", velocity=[1, 0, 0]).set("solver.until", 0.7)
    assert scene.initial.v[0] == 1 and scene.run().t[-1] == 0.7
    # Elsewhere its files are still found, and they travel with it.
    scene.save(tmp_path / "own.toml")
    assert "robots/hopper.xml" in (tmp_path / "own.toml").read_text()
    saved = carom.load(tmp_path / "own.toml")
    assert saved.run().summary["result_hash"] == scene.run().summary["result_hash"]
    data, carried = pickle.dumps(scene), pickle.dumps(scene.run())
    file.unlink()
    monkeypatch.chdir(tmp_path / "robots")
    again = pickle.loads(data)
    assert np.array_equal(again.run().q, scene.run().q)
    other = pickle.loads(carried).scene
    assert other.run(until=0.2).t[-1] == 0.2
    with pytest.raises(ValueError, match="write it to a file"):
        carom.load(MJCF, format="mjcf").to_dict()


def test_urdf_is_included_and_added_to(tmp_path):
    scene = (
        carom.Scene(name=str(ROOT / "scenes" / "own.toml"))
        .urdf("leg.urdf", floating_base=True, position=[0, 0, 1])
        .body("ground", shape="plane")
        .contact("tibia.foot", "ground", restitution=0, friction=0.5)
    )
    plain = carom.load(ROOT / "scenes" / "leg.urdf")
    assert scene.nv == plain.nv + 6
    assert carom.load(ROOT / "scenes" / "leg.urdf", set={"urdf.0.floating_base": True}).to_dict() == {
        "urdf": [{"file": "leg.urdf", "floating_base": True}]
    }
    changed = plain.body("ground", shape="plane", position=[0, 0, -1]).contact("tibia.foot", "ground", restitution=0, friction=0.5)
    assert len(changed.contact_names) > 0
    scene.save(tmp_path / "own.toml")
    assert carom.load(tmp_path / "own.toml").coordinate_names == scene.coordinate_names


def test_paths_of_meshes_are_rewritten(tmp_path):
    scene = carom.Scene(name=str(tmp_path / "scene.toml")).body(
        "mug", mass=1, shape={"mesh": "parts/mug.obj"}, feature={"ear": {"mesh": "parts/ear.obj"}, "tip": {"point": [0, 0, 0]}}
    )
    (tmp_path / "other").mkdir()
    scene.save(tmp_path / "other" / "scene.toml")
    text = (tmp_path / "other" / "scene.toml").read_text()
    assert text.count('"../parts/mug.obj"') == text.count('"../parts/ear.obj"') == 1
    assert scene.to_dict()["body"]["mug"]["shape"]["mesh"] == "parts/mug.obj"


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda s: s.loop("point", 3), TypeError, "a place is a body"),
        (lambda s: s.loop("bend", "a", "b").nq, carom.SceneError, "bend"),
        (lambda s: s.set("contact.x.friction", 1), KeyError, "no place in a list of 1"),
        (lambda s: s.set("contact.5.friction", 1), KeyError, "no place in a list of 1"),
        (lambda s: s.set("body.ball.mass.x", 1), KeyError, r"body.ball.mass is 0.1"),
        (lambda s: s.set(3, 1), TypeError, "a path is a text"),
        (lambda s: s.body(3, mass=1), TypeError, "keys of a scene are texts"),
        (lambda s: s.group(None, "a"), TypeError, "keys of a scene are texts"),
        (lambda s: s.spring("moon", stiffness=1).nq, carom.SceneError, "moon"),
        (lambda s: s.pile(restitution=0, friction=0).nq, carom.SceneError, "pile|of"),
    ],
)
def test_wrong_parts_are_clear_exceptions(ball, call, error, words):
    with pytest.raises(error, match=words):
        call(ball)
