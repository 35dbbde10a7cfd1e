"""A run whose process is killed is read by pyarrow as it lies there, before any command of carom has seen it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow.dataset
import pyarrow.parquet
import pytest

import carom


def kill(process: subprocess.Popen[bytes], run: Path, samples: int) -> int:
    """Kills a run that has at least so many samples at a checkpoint; how many it has there."""
    checkpoint = run / "checkpoint.json"
    begun = time.monotonic()
    try:
        while time.monotonic() < begun + 120.0:
            assert process.poll() is None, "the run has ended"
            if checkpoint.is_file() and json.loads(checkpoint.read_text())["counts"]["samples"] >= samples:
                break
            time.sleep(0.02)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    return int(json.loads(checkpoint.read_text())["counts"]["samples"])


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are not killed so here")
@pytest.mark.parametrize("interval, samples", [(1e-2, 10), (1e-5, 60_000)], ids=["rows that wait", "row groups as well"])
def test_a_killed_run_is_read_by_pyarrow(tmp_path: Path, scenes: Path, interval: float, samples: int) -> None:
    run = tmp_path / "ball.run"
    values = ["solver.step=1e-5", "contact.0.restitution=1", f"output.interval={interval}"]
    words = [sys.executable, "-m", "carom", "run", str(scenes / "ball.toml"), "--until", "1e9", "--method", "rk4"]
    process = subprocess.Popen(
        [*words, *(word for value in values for word in ("--set", value)), "--out", str(run)],
        stderr=subprocess.DEVNULL,
    )
    kept = kill(process, run, samples)
    assert not (run / "summary.json").exists()
    with pytest.raises(pyarrow.ArrowInvalid):
        pyarrow.parquet.read_table(run / "trajectory.parquet")

    table = pyarrow.dataset.parquet_dataset(run / "trajectory.so_far").to_table()
    # Rows are kept before the checkpoint that counts them is: a kill between the two leaves more than it says.
    assert table.num_rows >= kept >= samples
    # Not a byte differs from what a command of carom recovers of the same folder, which removes what is not needed any more.
    recovered = carom.open_run(run)
    assert recovered.stop == "interrupted"
    assert set(table.column_names) >= {"t", "q.ball.z", "mode.ball-ground"}
    for name in ("t", "q.ball.z", "v.ball.vz", "energy.stored"):
        np.testing.assert_array_equal(table[name].to_numpy()[:kept], np.asarray(recovered[name])[:kept])
    assert not (run / "trajectory.so_far").exists()
    assert pyarrow.parquet.read_table(run / "trajectory.parquet").num_rows == len(recovered.t)
