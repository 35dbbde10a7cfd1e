"""Studies on real workers of several kinds, one of them killed in the middle: the bytes of one process.

Clusters of Ray and Dask are of this machine and listen on the loopback only; each has a process of its own with a limit
of time, and nothing of it is left behind.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest

from folders import by_command, contents

HERE = Path(__file__).resolve().parent


@pytest.fixture(scope="module")
def alone(tmp_path_factory) -> dict[str, bytes]:
    return by_command(tmp_path_factory.mktemp("alone") / "study")


def marked(mark: str) -> list[int]:
    """Processes that were started under a mark."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and f"CAROM_CLUSTER={mark}".encode() in (entry / "environ").read_bytes():
                found.append(int(entry.name))
        except OSError:
            pass
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc for processes")
@pytest.mark.parametrize("kind", ["processes", "joblib", "dask", "ray"])
def test_a_worker_is_killed_and_the_bytes_are_the_same(kind, alone, tmp_path):
    if kind != "processes":
        pytest.importorskip({"dask": "distributed"}.get(kind, kind))
    mark = uuid.uuid4().hex
    command = [sys.executable, str(HERE / "cluster.py"), kind, str(tmp_path / "study")]
    quiet = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0", "CAROM_CLUSTER": mark}
    try:
        done = subprocess.run(
            command, env={**os.environ, **quiet}, capture_output=True, text=True, timeout=120, cwd=tmp_path
        )
        deadline = time.monotonic() + 20
        while (left := marked(mark)) and time.monotonic() < deadline:
            time.sleep(0.1)
    finally:
        for process in marked(mark):
            os.kill(process, signal.SIGKILL)
    assert done.returncode == 0, done.stderr
    killed, lost, rows = map(int, done.stdout.split()[-3:])
    # Dask gives the work of a lost worker to another by itself.
    assert (killed, rows) == (1, 600) and (lost >= 1 or kind == "dask")
    assert contents(tmp_path / "study") == alone
    assert not left, "processes that outlive their study"
