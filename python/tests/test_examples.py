"""The examples work."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

import carom
from conftest import ROOT


def example(name: str):
    spec = importlib.util.spec_from_file_location(name, ROOT / "python" / "examples" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.filterwarnings("ignore")
def test_gymnasium():
    pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    env_class = example("gymnasium_env").CaromEnv
    scene = carom.load(ROOT / "scenes" / "leg.toml")
    reward = lambda state, forces, events: state.q[2]  # noqa: E731
    env = env_class(scene, period=0.005, steps=12, reward=reward)
    check_env(env, skip_render_check=True)
    first, _ = env.reset(seed=3)
    landed = None
    for k in range(12):
        seen, gain, terminated, truncated, info = env.step(np.zeros(3))
        assert gain == seen[2] and not terminated and truncated == (k == 11)
        for event in info["events"]:
            landed = landed or (event.t, k)
    # The foot lands within a step, at its own instant.
    t, k = landed
    assert 0.005 * k < t < 0.005 * (k + 1)
    with pytest.raises(ValueError, match="no motor"):
        env_class(carom.load(ROOT / "scenes" / "ball.toml"))


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_the_command_is_interrupted_gently(tmp_path):
    command = [sys.executable, "-m", "carom", "run", str(ROOT / "scenes" / "pendulum.toml")]
    command += ["--until", "1e9", "--out", str(tmp_path / "p.run")]
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    folder = tmp_path / "p.run" / "events.jsonl"
    for _ in range(200):
        if folder.exists():
            break
        time.sleep(0.05)
    time.sleep(0.3)
    os.kill(process.pid, signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 1
    assert carom.open_run(tmp_path / "p.run").stop == "interrupted"


def test_leaving_with_simulators_under_way():
    code = f"""
    import carom
    scene = carom.load({str(ROOT / "scenes" / "ball.toml")!r})
    kept = [scene.simulator(force=lambda t, q, v: None) for _ in range(3)]
    for sim in kept:
        sim.step_until(0.2)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], timeout=30, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
