"""Runs: recordings, events, saving, states between samples."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pytest

import carom


@pytest.fixture(scope="module")
def run():
    from conftest import ROOT

    return carom.load(ROOT / "scenes" / "ball.toml").run(until=3.0)


def test_the_first_golden(run):
    # Dropped 1 m with e = 0.5: t₁ = √(2/g), then a geometric series; all the energy m g h is lost.
    t1 = np.sqrt(2 / 9.81)
    hits = [e.t for e in run.events.of_kind("impact")][:3]
    assert hits == pytest.approx([t1, 2 * t1, 2.5 * t1], abs=1e-9)
    assert run.stop == "reached-end"
    assert run.energy_lost == pytest.approx(0.981, abs=1e-9)
    assert run.summary["stop"]["reason"] == "reached-end"


def test_arrays_share_memory(run):
    assert run.q.shape == (len(run), 7) and run.v.shape == (len(run), 6)
    address = lambda a: a.__array_interface__["data"][0]  # noqa: E731
    core = run._core
    assert address(core.q) == address(core.q) == address(run.q), "no copy per access"
    assert address(run["ball.z"]) == address(run.q[:, 2])
    assert np.shares_memory(run["ball.vz"], run.v)
    assert address(run.q) == address(run.t) + 8 * len(run), "columns lie one after the other"
    with pytest.raises(ValueError, match="read-only"):
        run.q[0, 0] = 1.0


def test_arrays_outlive_their_run(ball):
    q, z = ball.run(until=1.0).q, ball.run(until=1.0)["ball.z"]
    total = float(z.sum())
    import gc

    gc.collect()
    _ = [ball.run(until=1.0) for _ in range(5)]
    assert np.isfinite(q).all() and float(z.sum()) == total


def test_columns_by_name(run):
    assert np.array_equal(run["ball.z"], run.q[:, 2])
    assert np.array_equal(run["q.ball.z"], run["ball.z"])
    assert run.units["energy.kinetic"] == "J" and "energy.kinetic" in run
    height = 0.1 * 9.81 * run["ball.z"] + run["energy.kinetic"]
    assert np.allclose(np.diff(height)[:3], 0, atol=1e-9)
    assert set(run["mode.ball-ground"]) <= {"open", "stick", "slip"}
    with pytest.raises(KeyError, match="did you mean"):
        run["ball.zz"]


def test_events(run):
    first = run.events[0]
    assert first.kind == "impact" and first.is_jump
    c = first.contacts[0]
    assert c.name == "ball-ground"
    # p_n = m (1 + e) |u|.
    assert c.impulse_normal == pytest.approx(0.1 * 1.5 * np.sqrt(2 * 9.81))
    assert np.array_equal(first.impulses["ball-ground"], c.impulse)
    assert first.energy_lost == pytest.approx(0.1 * 9.81 * 0.75)
    assert first.v_after[2] == pytest.approx(-0.5 * first.v_before[2])
    assert run.events[-1].kind in run._core.event_kinds
    assert len(run.events[:3]) == 3 and len(list(run.events)) == len(run.events)
    with pytest.raises(IndexError):
        run.events[len(run.events)]


def test_events_as_columns_pandas_and_arrow(run):
    columns = run.events.columns()
    assert columns["p_n"][0] == run.events[0].contacts[0].impulse_normal
    pandas = pytest.importorskip("pandas")
    frame = run.events.to_pandas()
    assert list(frame.columns) == list(columns) and isinstance(frame, pandas.DataFrame)
    assert len(run.to_pandas()) == len(run)
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(run.events)
    assert table.num_rows == len(frame) and table.column_names == list(columns)
    table.validate(full=True)
    for name, values in columns.items():
        found = table[name].to_numpy(zero_copy_only=False)
        assert np.array_equal(found, values) or np.array_equal(found.astype(float), values.astype(float), equal_nan=True)
    # Streams that nobody takes, and arrays that outlive their run.
    for _ in range(20):
        run.events.__arrow_c_stream__()
    other = pyarrow.table(run.scene.run(until=1.0).events)["kind"].to_pylist()
    assert other[0] == "impact"
    empty = pyarrow.table(run.scene.run(until=0.1).events)
    assert empty.num_rows == 0 and empty.column_names == list(columns)


def test_saved_runs_come_back_and_the_command_reads_them(run, tmp_path):
    run.save(tmp_path / "ball.run", csv=True)
    again = carom.open_run(tmp_path / "ball.run")
    assert np.array_equal(again.q, run.q) and len(again.events) == len(run.events)
    assert again.summary["result_hash"] == run.summary["result_hash"]
    command = [sys.executable, "-m", "carom", "events", str(tmp_path / "ball.run"), "--first", "1"]
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "0.451524" in told.stdout
    with pytest.raises(carom.RunError):
        carom.open_run(tmp_path)


def test_the_command_runs_the_same_bytes(tmp_path, ball, scenes):
    ball.run(until=1.0, law="newton").save(tmp_path / "a.run")
    command = [sys.executable, "-m", "carom", "run", str(scenes / "ball.toml"), "--until", "1"]
    command += ["--law", "newton", "--quiet", "--out", str(tmp_path / "b.run")]
    subprocess.run(command, check=True)
    ours, theirs = ((tmp_path / d / "events.jsonl").read_bytes() for d in ("a.run", "b.run"))
    assert ours == theirs
    hashes = [carom.open_run(tmp_path / d).summary["result_hash"] for d in ("a.run", "b.run")]
    assert hashes[0] == hashes[1]


def test_the_command_says_no_with_its_code():
    done = subprocess.run([sys.executable, "-m", "carom", "check", "nowhere.toml"], capture_output=True)
    assert done.returncode == 2
    assert subprocess.run([sys.executable, "-m", "carom", "--version"]).returncode == 0


def test_state_at_is_the_motion(run, ball):
    t1 = np.sqrt(2 / 9.81)
    state = run.state_at(0.3)
    assert state.q[2] == pytest.approx(1.05 - 0.5 * 9.81 * 0.09, abs=1e-12)
    assert state.v[2] == pytest.approx(-9.81 * 0.3, abs=1e-12)
    hit = run.events[0].t
    before, after = run.state_at(hit, side="before"), run.state_at(hit)
    assert after.v[2] == pytest.approx(-0.5 * before.v[2]) and hit == pytest.approx(t1)
    assert run.state_at(3.0).q[2] == run.q[-1, 2]
    for t in (-0.1, 3.1, np.nan):
        with pytest.raises(ValueError, match="outside the run|not finite"):
            run.state_at(t)


def test_state_at_is_as_accurate_as_the_run(pendulum):
    run = pendulum.run(until=2.0, rtol=1e-9)
    for t in np.linspace(0.05, 1.95, 23):
        exact = pendulum.run(until=t, rtol=1e-9).state
        found = run.state_at(t)
        # Both are runs with rtol 1e-9 whose last steps differ; chaos makes 1e2 of it in two seconds.
        assert np.allclose(found.q, exact.q, rtol=0, atol=2e-9), t
        assert np.allclose(found.v, exact.v, rtol=0, atol=2e-8), t
        q, v = run.states_at([t])
        assert np.allclose(q[0], exact.q, atol=2e-7) and np.allclose(v[0], exact.v, atol=2e-5)


def test_state_at_an_event_restarts_to_the_bit(pendulum):
    run = pendulum.run(until=2.0)
    event = run.impacts[0]
    state = run.state_at(event.t)
    assert np.array_equal(state.q, event.q) and np.array_equal(state.v, event.v_after)
    again = pendulum.run(until=2.0, start=state)
    later = [e.t for e in run.events if e.t > event.t]
    assert [e.t for e in again.events if e.t > event.t] == pytest.approx(later, abs=1e-9)


def test_state_at_falls_back_where_a_force_is_python(pendulum):
    run = pendulum.run(until=1.0, force=lambda t, q, v: [3.0 * np.sin(9 * t), 0.0])
    t = 0.5 * (run.t[3] + run.t[4])
    q, v = run.states_at([t])
    state = run.state_at(t)
    assert np.array_equal(state.q, q[0]) and np.array_equal(state.v, v[0])


def test_restart(pendulum):
    whole = pendulum.run(until=1.5)
    half = pendulum.run(until=0.7)
    rest = pendulum.run(until=1.5, start=half.state)
    assert rest.t[0] == 0.7 and rest.t[-1] == 1.5
    assert np.allclose(rest.q[-1], whole.q[-1], atol=1e-6)
    assert np.array_equal(half.state.q, pendulum.run(until=0.7).state_at(0.7).q)


def test_runs_are_pickled(run):
    again = pickle.loads(pickle.dumps(run))
    assert np.array_equal(again.q, run.q) and again.energy_lost == run.energy_lost
    assert again.scene.nv == 6
    event = pickle.loads(pickle.dumps(run.events[0]))
    assert event.t == run.events[0].t and np.array_equal(event.v_after, run.events[0].v_after)


def test_notebooks_show_the_page(run):
    page = run._repr_html_()
    assert page.startswith("<iframe srcdoc=") and "http://" not in run.html()[:2000]
    assert len(page) > 100_000


def test_plot(run):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    axes = run.plot("ball.z", "energy")
    assert len(axes) == 2 and axes[0].get_ylabel() == "ball.z / m"
    t, z = axes[0].get_lines()[0].get_data()
    assert len(t) > 300 and set(run.t) <= set(t)
    falls = t < run.events[0].t
    assert np.allclose(z[falls], 1.05 - 0.5 * 9.81 * t[falls] ** 2), "a parabola, not chords between samples"
    stored = next(x for x in axes[1].get_lines() if x.get_label() == "energy.stored").get_ydata()
    assert np.isclose(stored[0], 0.1 * 9.81 * 1.05) and np.ptp(stored[t < 0.45]) < 1e-12
    assert np.array_equal(run.plot("gap.ball-ground").get_lines()[0].get_ydata(), run["gap.ball-ground"])
    own = plt.figure().subplots()
    assert run.plot("ball.z", ax=own, color="k") is own
    with pytest.raises(KeyError):
        run.plot("nothing")
    plt.close("all")


def test_strict_runs_stop_and_keep_their_recording(scenes):
    scene = carom.load(scenes / "painleve.toml")
    run = scene.run(strict=True)
    assert len(run) > 1 and run.stop in ("reached-end", "no-solution", "ambiguous")


def test_repr(run, ball):
    assert "reached end" in repr(run) and "ball.toml" in repr(ball)
    assert "impact" in repr(run.events) and "impact at t" in repr(run.events[0])


@pytest.mark.filterwarnings("ignore")
def test_the_widget_follows_its_sliders(ball):
    pytest.importorskip("anywidget")
    live = carom.widget(ball, {"contact.0.restitution": (0, 1), "body.ball.mass": (0.01, 1)}, until=2.0)
    assert live.values == {"contact.0.restitution": 0.5, "body.ball.mass": 0.1}
    page, lost = live.page, live.run.energy_lost
    live.values = {**live.values, "body.ball.mass": 0.2}
    assert live.run.energy_lost == pytest.approx(2 * lost) and live.page != page
    live.values = {**live.values, "contact.0.restitution": 7.0}
    assert "restitution" in live.fault and live.run.energy_lost == pytest.approx(2 * lost)
    with pytest.raises(ValueError, match="low must be below high"):
        carom.widget(ball, {"body.ball.mass": (1, 1)})


def test_runs_of_many_bodies_tell_their_events_and_what_is_between():
    """Twenty balls that bounce side by side: each flies as it would alone, also between samples."""
    scene = carom.Scene(gravity=[0, 0, -9.81]).body("floor", shape="plane")
    for k in range(20):
        scene.body(f"b{k}", mass=1, shape={"sphere": 0.1}, position=[k, 0, 1.1 + 0.01 * k])
        scene.contact(f"b{k}", "floor", restitution=0.5, friction=0)
    run = scene.run(until=1.0)
    event = run.events[0]
    assert event.bodies == ["b0"] and len(event.q) == 7 and len(event.v_after) == 6
    assert event.v_after[2] == pytest.approx(-0.5 * event.v_before[2])
    # Just after its impact, before the next sample.
    hit = event.t
    t = hit + 0.3 * (run.t[np.searchsorted(run.t, hit, side="right")] - hit)
    assert t not in run.t and run.t[np.searchsorted(run.t, t) - 1] < hit
    exact = 0.1 + event.v_after[2] * (t - hit) - 0.5 * 9.81 * (t - hit) ** 2
    assert run.state_at(t).q[2] == pytest.approx(exact, abs=1e-9)
    assert run.states_at([t])[0][0, 2] == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize(
    ("module", "extra", "call"),
    [
        ("matplotlib.pyplot", "plot", lambda run: run.plot()),
        ("pandas", "pandas", lambda run: run.events.to_pandas()),
        ("pandas", "pandas", lambda run: run.to_pandas()),
        ("anywidget", "widget", lambda run: carom.widget(run.scene, {})),
    ],
)
def test_what_is_not_installed_is_named(run, module, extra, call, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=rf"pip install '\.\[{extra}\]'"):
        call(run)
