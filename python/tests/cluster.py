"""One study on real workers, one of which is killed in the middle: python cluster.py EXECUTOR FOLDER.

Prints how many batches were lost, and which process was killed.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
import threading
import warnings
from pathlib import Path

import carom
from folders import OPTIONS, RESULTS, SCENE, VARY


def processes(words: str) -> list[int]:
    """Processes that were started under the same mark and whose command line has these words."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            mark = f"CAROM_CLUSTER={os.environ['CAROM_CLUSTER']}".encode()
            if entry.name.isdigit() and mark in (entry / "environ").read_bytes():
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                if words in line and int(entry.name) != os.getpid():
                    found.append(int(entry.name))
        except OSError:
            pass
    return found


def workers(kind: str, client: object) -> list[int]:
    if kind == "processes":
        import multiprocessing

        return [child.pid for child in multiprocessing.active_children()]
    if kind == "dask":
        busy = [address for address, tasks in client.processing().items() if tasks]
        return list(client.run(os.getpid, workers=busy).values())
    return processes("ray::compute" if kind == "ray" else "LokyProcess")


def main(kind: str, out: str) -> None:
    killed: list[int] = []
    now = None
    client = cluster = None
    executor: object = kind
    if kind == "dask":
        import distributed

        cluster = distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
        )
        executor = client = distributed.Client(cluster)
    if kind == "ray":
        import ray

        # Names of sockets are short: not in the folder of the test.
        scratch = tempfile.mkdtemp(prefix="ray-")
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, _temp_dir=scratch)
        assert {node["NodeManagerAddress"] for node in ray.nodes()} == {"127.0.0.1"}

    def told(progress: carom.Progress) -> None:
        nonlocal now
        now = progress
        if not killed and 100 <= progress.done < 500 and (found := workers(kind, client)):
            killed.append(found[0])
            # joblib tells between its rounds: the worker is to die in the next.
            threading.Timer(0.01 if kind == "joblib" else 0, os.kill, (found[0], signal.SIGKILL)).start()

    try:
        carom.study(SCENE, VARY, RESULTS, out=out, executor=executor, workers=2, progress=told, **OPTIONS)
    finally:
        if client is not None:
            client.close()
            cluster.close()
        if kind == "ray":
            ray.shutdown()
            shutil.rmtree(scratch, ignore_errors=True)
    print(len(killed), now.lost, now.done)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(*sys.argv[1:])
