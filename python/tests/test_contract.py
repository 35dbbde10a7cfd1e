"""The names that other programs rely on: the agreed block, line by line, each with what it must answer."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import carom
from conftest import ROOT


@pytest.fixture(scope="module")
def scene() -> carom.Scene:
    return carom.load(ROOT / "scenes" / "ball.toml", set={"contact.0.restitution": 0.9})


@pytest.fixture(scope="module")
def run(scene: carom.Scene) -> carom.Run:
    return scene.run(until=3.0, law="newton", rtol=1e-9, force=None, controller=None, on_event=None, strict=False)


def test_load_takes_files_and_texts_of_three_formats(tmp_path):
    toml = (ROOT / "scenes" / "ball.toml").read_text()
    urdf = (ROOT / "scenes" / "leg.urdf").read_text()
    mjcf = '<mujoco><worldbody><body><freejoint/><geom size="0.1" mass="1"/></body></worldbody></mujoco>'
    for text, name, nv in ((toml, "toml", 6), (urdf, "urdf", None), (mjcf, "mjcf", 6)):
        file = tmp_path / ("scene.xml" if name == "mjcf" else f"scene.{name}")
        file.write_text(text)
        read, parsed = carom.load(file), carom.load(text, format=name)
        assert read.nv == parsed.nv == (nv or read.nv)
        assert read.coordinate_names == parsed.coordinate_names


def test_sizes_and_names(scene):
    assert (scene.nq, scene.nv) == (7, 6)
    assert len(scene.coordinate_names) == scene.nq and len(scene.velocity_names) == scene.nv


def test_dynamics(scene):
    q, v, tau = scene.initial.q, np.arange(6.0), np.ones(6)
    M = scene.mass_matrix(q)
    h = scene.bias(q, v)
    a = scene.forward_dynamics(q, v, tau)
    J = scene.point_jacobian(q, "ball", [0, 0, 0.05])
    assert np.allclose(M @ a + h, tau, atol=1e-12)
    assert M.shape == (6, 6) and J.shape == (3, 6)


def test_the_signature_of_run():
    names = list(inspect.signature(carom.Scene.run).parameters)[1:8]
    assert names == ["until", "law", "rtol", "force", "controller", "on_event", "strict"]


def test_arrays(run):
    assert run.t.shape == (len(run),) and run.q.shape == (len(run), 7) and run.v.shape == (len(run), 6)
    for array in (run.t, run.q, run.v, run["ball.z"], run["energy.kinetic"]):
        assert isinstance(array, np.ndarray) and not array.flags.owndata, "the memory of the recording"
    assert np.shares_memory(run["ball.z"], run.q)


def test_events(run):
    event = run.events[0]
    assert event.t == pytest.approx(np.sqrt(2 / 9.81)) and event.kind == "impact"
    assert [c.name for c in event.contacts] == ["ball-ground"] == list(event.impulses)
    assert event.energy_before - event.energy_after == pytest.approx(event.energy_lost)
    pytest.importorskip("pandas")
    assert len(run.events.to_pandas()) >= len(run.events)
    assert type(run.events.__arrow_c_stream__()).__name__ == "PyCapsule"


def test_endings_and_files(run, tmp_path):
    assert run.stop == "reached-end" == run.summary["stop"]["reason"]
    assert run.energy_lost == pytest.approx(run.summary["energy"]["lost"])
    run.save(tmp_path / "ball.run")
    assert np.array_equal(carom.open_run(tmp_path / "ball.run").q, run.q)


def test_dense_output_and_restart(scene, run):
    state = run.state_at(1.2)
    again = scene.run(until=2.0, start=state, law="newton", rtol=1e-9)
    assert again.t[0] == 1.2
    # Flights under gravity are integrated exactly, so a restart loses nothing.
    assert again.state.q[2] == pytest.approx(run.state_at(2.0).q[2], abs=1e-9)


def test_step_by_step(scene):
    sim = scene.simulator()
    state = sim.step_until(0.2)
    assert state.t == 0.2 and state.q[2] == pytest.approx(1.05 - 0.5 * 9.81 * 0.04, abs=1e-12)
    event = sim.next_event()
    assert event is not None and event.kind == "impact" and sim.t == event.t


def test_impacts():
    contact = {"normal": [0, 1, 0.3], "tangents": [[1, 0, 0.5]], "friction": 0.4, "restitution": 0.5}
    mass, velocity = np.diag([1, 1, 0.1]), np.array([0.3, -1.0, 0.0])
    one = carom.impact(mass, velocity, [contact], law="newton")
    many = carom.impact(mass, np.tile(velocity, (5, 1)), [contact], law="newton")
    assert one.velocity.shape == (3,) and many.velocity.shape == (5, 3)
    assert np.array_equal(many.velocity[4], one.velocity)


def test_many_and_questions(scene):
    runs = carom.run_many(scene, [{"contact.0.restitution": e} for e in (0.2, 0.4)], until=1.0)
    assert [r.events[0].v_after[2] / -r.events[0].v_before[2] for r in runs] == pytest.approx([0.2, 0.4])
    assert carom.laws()[0]["formulation"]
    leg = carom.load(ROOT / "scenes" / "jumper.toml")
    assert carom.capability(leg, [-1, 1, 0])["acceleration"] > 0
    assert carom.optimize_posture(leg, [-1, 1, 0], starts=1, hops=0)["optima"]
    assert carom.reproduce("morgan-paths", fast=True)["result"]["claims"]


def test_building():
    scene = carom.Scene().body("a", mass=1, shape="point").joint("x", type="prismatic", axis=[1, 0, 0], child="a")
    assert scene.nv == 1
    scene = carom.Scene({"body": {"a": {"mass": 1, "shape": {"sphere": 0.1}}, "b": {"shape": "plane", "position": [0, 0, -1]}}})
    scene.contact("a", "b", restitution=0, friction=0)
    assert carom.load(scene.to_toml(), format="toml").to_dict() == scene.to_dict()


def public(owner: object):
    """Everything that a user finds by completion, with the name of its owner."""
    for name in dir(owner):
        if not name.startswith("_"):
            yield name, inspect.getattr_static(owner, name)


def test_everything_is_documented():
    classes = [x for x in vars(carom).values() if inspect.isclass(x) and x.__module__.startswith("carom")]
    assert len(classes) > 10
    bare = [n for n in carom.__all__ if n != "STOP" and not inspect.getdoc(getattr(carom, n))]
    for owner in classes:
        # What exceptions inherit is Python's own.
        own = (entry for entry in public(owner) if not hasattr(BaseException, entry[0]))
        for name, x in own:
            if (callable(x) or isinstance(x, (property, classmethod, staticmethod)) or hasattr(x, "func")) and not inspect.getdoc(x):
                bare.append(f"{owner.__name__}.{name}")
    assert not bare, "without a docstring"


BUILDERS = {name for name in dir(carom.Scene) if name in vars(carom.Scene.__mro__[1])}
"""Methods that add tables: what they take are the keys of scene files."""


def functions():
    yield from ((name, x) for name, x in public(carom) if inspect.isfunction(x))
    for owner in (carom.Scene, carom.Run, carom.Events, carom.Simulator, carom.Study):
        for name, x in public(owner):
            if inspect.isfunction(x) and x.__module__.startswith("carom") and not (owner is carom.Scene and name in BUILDERS):
                yield f"{owner.__name__}.{name}", x


def test_docstrings_name_every_parameter_in_numpy_style():
    faults = []
    for name, function in functions():
        doc, parameters = inspect.getdoc(function), list(inspect.signature(function).parameters.values())
        own = [p.name for p in parameters if p.name != "self"]
        if not own:
            continue
        told = doc.partition("Parameters\n----------\n")[2].partition("\n\n")[0]
        lines = [line.split(" : ")[0].replace("*", "") for line in told.splitlines() if not line.startswith(" ")]
        names = {word.strip() for line in lines for word in line.split(",")}
        faults += [f"{name}: {p}" for p in own if p not in names]
        returns = inspect.signature(function).return_annotation
        if returns not in (None, "None", "Any") and "Returns\n-------" not in doc:
            faults.append(f"{name}: what it returns")
    assert not faults, "\n".join(faults)
