"""Whatever is given to the package, the answer is a result or a clear exception: never a crash or a hang.

The cases are those of wild.py, whose campaign has them by the ten thousand.
"""

from __future__ import annotations

import contextlib
import gc
import subprocess
import sys

import numpy as np
import pytest

import carom
import wild
from wild import CLEAR, JUNK, ONE, Odd, calls


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """Texts of junk may be names of files."""
    monkeypatch.chdir(tmp_path)


def test_junk_is_answered_clearly(ball):
    run, sim = ball.run(until=0.6), ball.simulator()
    for name, call in calls(ball, run, sim):
        for junk in JUNK:
            try:
                call(junk)
            except CLEAR as error:
                assert str(error), (name, junk)
            except BaseException as error:  # noqa: BLE001
                pytest.fail(f"{name}({junk!r}) raised {type(error).__name__}: {error}")


def test_random_bytes_in_scenes():
    rng = np.random.default_rng(5)
    text = carom.Scene().body("a", mass=1, shape={"sphere": 0.1}).to_toml()
    for _ in range(300):
        letters = list(text)
        for _ in range(rng.integers(1, 4)):
            letters[rng.integers(len(letters))] = chr(rng.integers(32, 127))
        try:
            carom.load("".join(letters), format="toml")
        except carom.SceneError as error:
            assert error.hint


@pytest.mark.parametrize("kind", [wild.arguments, wild.failures, wild.lifetimes], ids=lambda kind: kind.__name__)
def test_cases(kind):
    for number in range(500):
        if wild.kind_of(number) is kind:
            try:
                wild.case(number)
            except BaseException as error:  # noqa: BLE001
                pytest.fail(f"case {number}: {type(error).__name__}: {error}")


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_interrupts():
    numbers = [number for number in range(400) if wild.kind_of(number) is wild.interrupts][:8]
    code = f"""
import signal, wild
signal.signal(signal.SIGINT, signal.default_int_handler)
for number in {numbers}:
    wild.case(number)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=wild.ROOT / "python" / "tests", timeout=120, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_campaign_tells_what_it_finds(tmp_path):
    """One case that ends its process, one that fails."""
    code = """
import os, sys, wild
def crash(rng): os._exit(11)
def fail(rng): raise ValueError("on purpose")
wild.KINDS[:] = [crash, fail, lambda rng: None]
wild.__file__ = __file__
if sys.argv[1:2] == ["--worker"]:
    wild.worker(int(sys.argv[2]), int(sys.argv[3]))
else:
    print(wild.campaign(0, 3))
"""
    (tmp_path / "try.py").write_text(code)
    path = str(wild.ROOT / "python" / "tests")
    done = subprocess.run([sys.executable, "try.py"], env={"PYTHONPATH": path}, timeout=120, capture_output=True, text=True)
    assert "found 0 crash: its process ended with 11" in done.stdout, done.stderr
    assert "found 1 fail: ValueError: on purpose" in done.stdout and done.stdout.endswith("2\n")


@pytest.mark.parametrize("kind", [ValueError, Odd, KeyboardInterrupt, SystemExit, MemoryError, RecursionError])
def test_exceptions_in_callbacks_come_out(ball, kind, tmp_path):
    def fail(*arguments):
        raise kind("from inside")

    ways = [{"force": fail}, {"on_event": fail}, {"law": fail}]
    for way in ways:
        with pytest.raises(kind) as error:
            ball.run(until=0.6, **way)
        assert isinstance(error.value.run, carom.Run)
    sim = ball.simulator(force=fail)
    with pytest.raises(kind):
        sim.step_until(0.6)
    if issubclass(kind, Exception):
        # In a study an exception is told in its row, anything else ends it.
        with pytest.warns(RuntimeWarning, match="from inside"):
            carom.study(ball, ONE, {"a": fail}, out=tmp_path / "s")
    else:
        with pytest.raises(kind):
            carom.study(ball, ONE, {"a": fail}, out=tmp_path / "s")
        assert carom.study(ball, ONE, {"a": fail_not}, out=tmp_path / "t")["a"][0] == 1


def fail_not(run):
    return 1


def test_what_is_dead_stays_readable(ball):
    run = ball.run(until=1.0)
    t, z, event, events = run.t, run["ball.z"], run.events[0], run.events
    want = (t.copy(), z.copy(), event.t, len(events))
    scene, state = run.scene, run.state
    del run
    gc.collect()
    assert np.array_equal(t, want[0]) and np.array_equal(z, want[1]) and (event.t, len(events)) == want[2:]
    assert scene.run(until=1.1, start=state).t[0] == 1.0
    kept = []
    # Arrays and collisions of callbacks may be kept beyond the run.
    ball.run(until=0.6, force=lambda *a: kept.append(a), law=lambda c: (kept.append(c), np.zeros(len(c.u)))[1])
    gc.collect()
    assert all(np.isfinite(a[1]).all() for a in kept if isinstance(a, tuple))
    assert any(c.G.shape == (len(c.u),) * 2 for c in kept if isinstance(c, carom.Collision))
    sim = ball.simulator()
    sim.step_until(0.1)
    sim.finish()
    for late in (lambda: sim.step_until(0.2), lambda: sim.force([0] * 6), sim.next_event, sim.finish):
        with contextlib.suppress(*CLEAR, RuntimeError):
            late()


def test_callbacks_may_use_the_package_itself(ball):
    inner = []

    def force(t, q, v):
        if len(inner) < 3:
            inner.append(ball.run(until=0.1).state.q[2])
        return None

    run = ball.run(until=0.3, force=force)
    assert len(inner) == 3 and run.state.q[2] == pytest.approx(1.05 - 0.5 * 9.81 * 0.09)
