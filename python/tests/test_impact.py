"""Single impacts, and many at once."""

from __future__ import annotations

import json

import numpy as np
import pytest

import carom


def rod_problem(scenes):
    return json.loads((scenes / "rod_impact.json").read_text())


def test_one_impact_as_the_command_has_it(scenes, tmp_path):
    import subprocess
    import sys

    problem = rod_problem(scenes)
    found = carom.impact(
        problem["mass_matrix"], problem["velocity"], problem["contacts"], law=problem.get("law")
    )
    command = [sys.executable, "-m", "carom", "impact", str(scenes / "rod_impact.json")]
    told = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert found.velocity.tolist() == told["velocity"]
    assert found.outcomes.tolist() == [c["outcome"] for c in told["contacts"]]
    assert found.energy_after == told["energy"]["after"]


CONTACT = {"normal": [0, 1, 0], "tangents": [[1, 0, 0.0]], "friction": 0.3, "restitution": 0.5}


def test_a_point_mass():
    found = carom.impact(np.eye(3), [0.0, -2.0, 0.0], [CONTACT], law="newton")
    assert found.velocity == pytest.approx([0, 1, 0])
    assert found.impulses == pytest.approx([0, 3]) and found.outcomes.tolist() == ["rebound"]
    assert found.energy_lost == pytest.approx(0.5 * (4 - 1)) and not found.rescued
    assert found.normal_work == pytest.approx(-1.5)


def random(n: int):
    rng = np.random.default_rng(3)
    normal = np.concatenate([np.zeros((n, 1)), np.ones((n, 1)), rng.normal(size=(n, 1))], axis=1)
    tangents = np.concatenate([np.ones((n, 1)), np.zeros((n, 1)), rng.normal(size=(n, 1))], axis=1)
    velocity = rng.normal(size=(n, 3))
    # All approach.
    approach = np.einsum("ij,ij->i", normal, velocity)
    velocity[:, 1] -= approach + np.abs(approach) + 0.1
    return velocity, {
        "normal": normal,
        "tangents": tangents[:, None, :],
        "friction": rng.uniform(0, 1, n),
        "restitution": rng.uniform(0, 1, n),
    }


@pytest.mark.parametrize("law", [None, "newton", "poisson", {"formulation": "differential", "restitution": "kinetic"}])
def test_many_are_the_same_as_one_by_one(law):
    velocity, contact = random(1200)
    many = carom.impact(np.diag([1.0, 1.0, 0.1]), velocity, [contact], law=law)
    assert many.velocity.shape == (1200, 3) and many.outcomes.shape == (1200, 1)
    for k in (0, 1, 511, 512, 1199):
        own = {name: x[k] for name, x in contact.items()}
        one = carom.impact(np.diag([1.0, 1.0, 0.1]), velocity[k], [own], law=law)
        assert np.array_equal(one.velocity, many.velocity[k])
        assert one.energy_after == many.energy_after[k] and one.outcomes[0] == many.outcomes[k, 0]
    again = carom.impact(np.diag([1.0, 1.0, 0.1]), velocity, [contact], law=law, threads=1)
    assert np.array_equal(again.impulses, many.impulses)
    # u⁺ = u⁻ + G p, and energy only goes where the works say.
    assert np.allclose(many.energy_after - many.energy_before, many.normal_work + many.friction_work)


def test_any_field_may_have_the_leading_axis():
    e = np.linspace(0, 1, 7)
    found = carom.impact(np.eye(3), [0.0, -1.0, 0.0], [{**CONTACT, "restitution": e}], law="newton")
    assert found.velocity[:, 1] == pytest.approx(e)


def test_a_law_in_python():
    def newton(c):
        p = np.zeros(len(c.u))
        p[c.normals[0]] = -(1 + c.restitution[0]) * c.u[c.normals[0]] / c.G[c.normals[0]][c.normals[0]]
        return p

    smooth = {**CONTACT, "friction": 0.0}
    velocity = np.array([[0.5, -1.0, 0.0], [0.0, -2.0, 1.0]])
    ours = carom.impact(np.eye(3), velocity, [smooth], law=newton)
    theirs = carom.impact(np.eye(3), velocity, [smooth], law="newton")
    assert np.allclose(ours.velocity, theirs.velocity)
    with pytest.raises(ZeroDivisionError):
        carom.impact(np.eye(3), velocity, [smooth], law=lambda c: 1 / 0)


def test_failures_are_raised_or_kept():
    velocity = np.array([[0, -1.0, 0], [0, 1.0, 0], [0, -3.0, 0]])
    with pytest.raises(carom.ImpactError, match="approach") as caught:
        carom.impact(np.eye(3), velocity, [CONTACT])
    assert caught.value.place == "problem 1" and caught.value.hint
    found = carom.impact(np.eye(3), velocity, [CONTACT], errors="keep")
    assert list(found.failures) == [1] and np.isnan(found.velocity[1]).all()
    assert found.outcomes[1, 0] == "" and np.isfinite(found.velocity[[0, 2]]).all()


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"mass_matrix": np.eye(2)}, ValueError, "mass_matrix"),
        ({"mass_matrix": [[1, 2, 0], [0, 1, 0], [0, 0, 1]]}, carom.ImpactError, "symmetric"),
        ({"mass_matrix": -np.eye(3)}, carom.ImpactError, "mass matrix"),
        ({"mass_matrix": "no"}, TypeError, "mass_matrix must be"),
        ({"velocity": [0, np.nan, 0]}, carom.ImpactError, "velocity"),
        ({"contacts": []}, carom.ImpactError, "contact"),
        ({"contacts": CONTACT}, TypeError, "sequence of mappings"),
        ({"contacts": [3]}, TypeError, r"contacts\[0\] must be a mapping"),
        ({"contacts": [{**CONTACT, "mu": 1}]}, ValueError, "unknown field 'mu'"),
        ({"contacts": [{"normal": [0, 1, 0]}]}, ValueError, "restitution is missing"),
        ({"contacts": [{**CONTACT, "restitution": 2}]}, carom.ImpactError, "restitution"),
        ({"contacts": [{**CONTACT, "normal": [0, 1]}]}, ValueError, "normal"),
        ({"contacts": [{**CONTACT, "friction": np.zeros(3)}], "velocity": np.zeros((2, 3))}, ValueError, "3 problems, others 2"),
        ({"law": "nutone"}, carom.ImpactError, "nutone"),
        ({"law": 3}, TypeError, "law must be"),
        ({"velocity": np.zeros((2, 2, 3))}, ValueError, "velocity has the shape"),
    ],
)
def test_wrong_arguments_are_clear_exceptions(change, error, words):
    given = {"mass_matrix": np.eye(3), "velocity": [0, -1.0, 0], "contacts": [CONTACT], **change}
    with pytest.raises(error, match=words):
        carom.impact(**given)


@pytest.mark.parametrize("option, kind", [(object(), TypeError), (float("nan"), ValueError), ({1, 2}, TypeError)])
def test_options_of_laws_that_are_nothing(option, kind):
    law = {"formulation": "newton", "rule": option}
    with pytest.raises(kind, match="an option of the law is no text, flag or finite number"):
        carom.impact(np.eye(1), [-1.0], [{"normal": [1.0], "restitution": 0.5}], law=law)
