"""Scenes: read, built, their dynamics."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest

import carom
from conftest import ROOT


def test_contract(ball):
    assert (ball.nq, ball.nv) == (7, 6)
    assert ball.coordinate_names[2] == "ball.z" and len(ball.velocity_names) == 6
    assert ball.initial.q[2] == 1.05


def test_overrides_are_those_of_the_command_line(scenes):
    scene = carom.load(scenes / "ball.toml", set={"contact.0.restitution": 0.9})
    # Impact speeds form a geometric series with the restitution as its ratio.
    hits = scene.run(until=3.0).events.of_kind("impact")
    ratio = hits[0].contacts[0].velocity_after[-1] / -hits[0].contacts[0].velocity_before[-1]
    assert ratio == pytest.approx(0.9, rel=1e-12)


def test_texts_and_robots(scenes):
    text = (scenes / "ball.toml").read_text()
    assert carom.load(text, format="toml").nv == 6
    robot = carom.load(scenes / "leg.urdf")
    again = carom.load((scenes / "leg.urdf").read_text(), format="urdf")
    assert robot.coordinate_names == again.coordinate_names
    with pytest.raises(ValueError, match="robot description"):
        again.to_dict()


def test_errors_have_words_place_and_hint(tmp_path):
    file = tmp_path / "bad.toml"
    file.write_text('[body.block]\nmass = 1\ninertia = [0.10, 0.02, 0.05]\n')
    with pytest.raises(carom.SceneError, match="impossible inertia") as caught:
        carom.load(file)
    error = caught.value
    assert error.place.endswith("bad.toml:3:11")
    assert "principal moments" in error.hint
    assert error.hint in str(error) and error.place in str(error)
    assert isinstance(error, ValueError)
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.place == error.place
    with pytest.raises(carom.SceneError, match="did you mean|unknown"):
        carom.load("[body.a]\nmas = 1\n", format="toml")
    with pytest.raises(carom.SceneError):
        carom.load(tmp_path / "nowhere.toml")


def test_mass_matrix_bias_and_forward_dynamics_agree(pendulum):
    rng = np.random.default_rng(1)
    for _ in range(20):
        q, v, tau = (rng.normal(size=n) for n in (pendulum.nq, pendulum.nv, pendulum.nv))
        M, h = pendulum.mass_matrix(q), pendulum.bias(q, v)
        a = pendulum.forward_dynamics(q, v, tau)
        assert np.allclose(M, M.T) and np.all(np.linalg.eigvalsh(M) > 0)
        assert np.allclose(M @ a + h, tau, atol=1e-9)
        assert np.allclose(pendulum.inverse_dynamics(q, v, a), tau, atol=1e-9)
        assert pendulum.energies(q, v)["kinetic"] == pytest.approx(0.5 * v @ M @ v)


def test_point_jacobian_is_the_derivative_of_the_point(scenes):
    scene = carom.load(scenes / "leg.urdf")
    rng = np.random.default_rng(2)
    q = scene.initial.q + 0.1 * rng.normal(size=scene.nq)
    body, point = scene.body_names[-1], np.array([0.1, -0.2, 0.3])

    def place(q):
        R, r = scene.pose(q, body)
        return r + R @ point

    J = scene.point_jacobian(q, body, point)
    assert J.shape == (3, scene.nv)
    assert scene.nq == scene.nv, "no quaternions: coordinates change as velocities do"
    for k in range(scene.nq):
        step = np.zeros(scene.nq)
        step[k] = 1e-6
        difference = (place(q + step) - place(q - step)) / 2e-6
        assert np.allclose(J[:, k], difference, atol=1e-8)


def test_gaps(ball):
    assert ball.gaps(ball.initial.q) == pytest.approx([1.0])
    assert ball.contact_names == ["ball-ground"]


def built() -> carom.Scene:
    return (
        carom.Scene(gravity=[0, 0, -9.81])
        .body("ball", mass=0.1, shape={"sphere": 0.05}, position=np.array([0, 0, 1.05]))
        .body("ground", shape="plane")
        .contact("ball", "ground", restitution=0.5, friction=0.3)
    )


def test_built_scenes_run_and_go_back_to_toml(ball):
    scene = built()
    run, read = scene.run(until=3.0), ball.run(until=3.0)
    assert np.array_equal(run.q, read.q) and run.energy_lost == read.energy_lost
    again = carom.load(scene.to_toml(), format="toml")
    assert again.to_dict() == scene.to_dict()
    assert again.run(until=3.0).summary["result_hash"] == run.summary["result_hash"]


@pytest.mark.parametrize("name", sorted(p.stem for p in (ROOT / "scenes").glob("*.toml")))
def test_every_scene_survives_tables_and_toml(scenes, name):
    scene = carom.load(scenes / f"{name}.toml")
    again = carom.Scene(scene.to_dict(), name=str(scenes / f"{name}.toml"))
    assert again.to_dict() == scene.to_dict()
    written = carom._carom.stated(again.to_toml(), "again.toml", [])
    assert json.loads(written) == scene.to_dict()
    assert again.coordinate_names == scene.coordinate_names
    assert np.array_equal(again.initial.q, scene.initial.q)


def test_changing_a_scene_changes_what_it_runs(ball):
    assert ball.run(until=1.0).events[0].t == pytest.approx(0.451524, abs=1e-6)
    ball.set("body.ball.position", [0, 0, 2.05])
    assert ball.initial.q[2] == 2.05
    other = ball.with_contact("ground", "ball", restitution=0.0)
    hit = other.run(until=2.0).events[0]
    assert hit.contacts[0].velocity_after[-1] == pytest.approx(0.0, abs=1e-12)
    with pytest.raises(KeyError, match="between"):
        ball.with_contact("ball", "moon", restitution=0.1)


@pytest.mark.parametrize("make", [built, lambda: carom.load("scenes/leg.toml")])
def test_scenes_are_pickled(make, monkeypatch, tmp_path):
    monkeypatch.chdir(ROOT)
    scene = make()
    data = pickle.dumps(scene)
    # Included files travel with it.
    monkeypatch.chdir(tmp_path)
    again = pickle.loads(data)
    assert again.coordinate_names == scene.coordinate_names
    assert np.array_equal(again.initial.q, scene.initial.q)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda s: s.mass_matrix([1, 2]), ValueError, "q has 2 entries, expected 7"),
        (lambda s: s.mass_matrix(np.zeros((7, 1))), ValueError, "one dimension"),
        (lambda s: s.mass_matrix("abc"), TypeError, "q must be an array of numbers, not str"),
        (lambda s: s.mass_matrix(None), TypeError, "not NoneType"),
        (lambda s: s.mass_matrix([np.nan] * 7), ValueError, r"q\[0\] is NaN"),
        (lambda s: s.point_jacobian(s.initial.q, "moon", [0, 0, 0]), KeyError, "no body `moon`"),
        (lambda s: s.point_jacobian(s.initial.q, "ball", [0, 0]), ValueError, "point has 2"),
        (lambda s: s.run(until="soon"), ValueError, "soon"),
        (lambda s: s.run(until=-1.0), carom.SceneError, "until"),
        (lambda s: s.run(law="nutone"), carom.SceneError, "nutone"),
        (lambda s: s.run(law=3), TypeError, "law must be"),
        (lambda s: s.run(set={"body.bal.mass": 1}), carom.SceneError, "ball"),
        (lambda s: s.run(set=["x"]), TypeError, "set must map"),
        (lambda s: s.run(start=(0, 1, 2)), TypeError, "start must be"),
        (lambda s: s.run(start=carom.State(0, [1.0], [1.0])), ValueError, "start.q has 1 entries"),
        (lambda s: s.run(force=3), TypeError, "force must be callable"),
        (lambda s: s.run(controller=lambda t, q, v: 0), ValueError, "no motor"),
        (lambda s: carom.load(b"x", format="toml"), TypeError, "text itself"),
        (lambda s: carom.load("x", format="mjb"), ValueError, "format is 'mjb'"),
        (lambda s: carom.Scene(body=object()).nq, TypeError, "cannot hold a object"),
    ],
)
def test_wrong_arguments_are_clear_exceptions(ball, call, error, words):
    with pytest.raises(error, match=words):
        call(ball)


def test_rates_and_steps_of_coordinates():
    scene = carom.load(ROOT / "scenes" / "ball.toml")
    random = np.random.default_rng(3)
    q = scene.integrate(scene.initial.q, random.normal(size=6))
    v = random.normal(size=6)
    h = 1e-6
    ahead, back = scene.integrate(q, h * v), scene.integrate(q, -h * v)
    assert np.allclose((ahead - back) / (2 * h), scene.coordinate_rate(q, v), atol=1e-9)
    w = 0.3 * random.normal(size=6)
    assert np.allclose(scene.difference(scene.integrate(q, w), q), w, atol=1e-12)
    assert np.linalg.norm(scene.integrate(q, w)[3:]) == pytest.approx(1.0, abs=1e-15)
    for bad in (q[:-1], np.full(7, np.nan), "q"):
        with pytest.raises((ValueError, TypeError)):
            scene.coordinate_rate(bad, v)


def test_other_integrators_need_no_more_than_this():
    """Free flight of a spinning body by Runge-Kutta's method from forward_dynamics and coordinate_rate alone."""
    scene = carom.Scene().body(
        "top", mass=1.0, inertia=[0.02, 0.03, 0.04], shape="point", position=[0, 0, 5],
        velocity=[1, 0, 2], angular_velocity=[3, 4, 5],
    )
    start = scene.initial

    def rate(t, y):
        q, v = y[: scene.nq], y[scene.nq :]
        return np.concatenate([scene.coordinate_rate(q, v), scene.forward_dynamics(q, v)])

    def error(steps):
        y, h = np.concatenate([start.q, start.v]), 0.5 / steps
        for _ in range(steps):
            k1 = rate(0, y)
            k2 = rate(0, y + 0.5 * h * k1)
            k3 = rate(0, y + 0.5 * h * k2)
            y = y + h / 6 * (k1 + 2 * (k2 + k3) + rate(0, y + h * k3))
        return max(abs(y[: scene.nq] - run.state.q).max(), abs(y[scene.nq :] - run.state.v).max())

    run = scene.run(until=0.5, rtol=1e-12)
    coarse, fine = error(50), error(100)
    assert fine < 1e-6 and 12 < coarse / fine < 20


def test_forces_of_impacts():
    scene = carom.load(ROOT / "scenes" / "ball.toml", set={"output.impact_duration": 1e-3})
    first = scene.run(until=1.0).impacts[0].contacts[0]
    assert first.mean_force[-1] == pytest.approx(first.impulse_normal / 1e-3)
    assert first.least_force[-1] == pytest.approx(first.mean_force[-1])
    plain = carom.load(ROOT / "scenes" / "ball.toml").run(until=1.0).impacts[0].contacts[0]
    assert plain.mean_force is None and plain.least_force is None
