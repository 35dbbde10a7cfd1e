"""Who computes the rows of a study: threads, processes, joblib, Ray, Dask."""

from __future__ import annotations

import importlib
import os
import signal
import sys
from collections.abc import Callable, Collection, Hashable, Iterable
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from typing import Any, Protocol

from ._errors import StudyError


class Lost(Exception):
    """A worker was lost with what it did."""


class Crew(Protocol):
    """Workers that are given calls and hand back answers, in any order."""

    width: int
    """How many calls are worth having under way."""
    local: bool
    """Whether workers share the memory of this process."""

    def submit(self, call: Callable[..., Any], *arguments: Any) -> Hashable:
        """Hand out a call."""

    def finished(self, handles: Collection[Any]) -> Iterable[Any]:
        """Wait until some calls are over, and say which."""

    def answer(self, handle: Any) -> Any:
        """What a call returned; its exception, or :class:`Lost`, is raised."""

    def close(self) -> None:
        """Let the workers go that were called for this study."""


class Pool:
    """An executor of ``concurrent.futures``."""

    def __init__(self, given: Executor | None, sort: str, workers: int | None) -> None:
        self._given = given
        self._sort = sort
        self._count = workers or getattr(given, "_max_workers", None) or _cores()
        self._pool: Executor | None = given
        self.width = 2 * self._count
        self.local = sort == "threads" or isinstance(given, ThreadPoolExecutor)

    def submit(self, call: Callable[..., Any], *arguments: Any) -> Future[Any]:
        if self._pool is None:
            self._pool = self._new()
        try:
            return self._pool.submit(call, *arguments)
        except BrokenExecutor:
            self._replace()
            return self._new_pool().submit(call, *arguments)

    def finished(self, handles: Collection[Future[Any]]) -> Iterable[Future[Any]]:
        return wait(handles, return_when=FIRST_COMPLETED).done

    def answer(self, handle: Future[Any]) -> Any:
        try:
            return handle.result()
        except (BrokenExecutor, CancelledError) as error:
            self._replace()
            raise Lost from error

    def close(self) -> None:
        if self._given is None and self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)

    def _new(self) -> Executor:
        if self._sort == "threads":
            return ThreadPoolExecutor(self._count)
        # Ctrl-C ends workers at once: there is nothing in them that is to be kept.
        return ProcessPoolExecutor(self._count, initializer=_die_of_interrupts)

    def _new_pool(self) -> Executor:
        self._pool = self._new()
        return self._pool

    def _replace(self) -> None:
        """A pool that lost a process takes no more calls."""
        if self._given is not None:
            raise StudyError(
                "the executor lost a worker and takes no more rows",
                hint='rows that are done are kept: call again with a new one, or with executor="processes", which '
                "goes on by itself",
            )
        broken = isinstance(self._pool, ProcessPoolExecutor) and getattr(self._pool, "_broken", True)
        if broken and self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


class Joblib:
    """``joblib.Parallel``: calls are collected and done round by round."""

    local = False

    def __init__(self, given: Any, workers: int | None) -> None:
        self._joblib = _module("joblib", "joblib")
        self._given = given
        self._count = workers or self._joblib.effective_n_jobs(-1 if given is None else given.n_jobs)
        self.width = 4 * self._count
        self._calls: dict[int, Any] = {}
        self._answers: dict[int, Any] = {}
        self._next = 0

    def submit(self, call: Callable[..., Any], *arguments: Any) -> int:
        self._next += 1
        self._calls[self._next] = self._joblib.delayed(_numbered)(self._next, call, *arguments)
        return self._next

    def finished(self, handles: Collection[int]) -> Iterable[int]:
        parallel = self._given
        if parallel is None:
            parallel = self._joblib.Parallel(self._count, return_as="generator_unordered")
        calls, self._calls = self._calls, {}
        try:
            self._answers.update(parallel(calls.values()))
        except BrokenExecutor:
            # What came before is computed again: rows are the same whoever computes them.
            pass
        return list(handles)

    def answer(self, handle: int) -> Any:
        try:
            return self._answers.pop(handle)
        except KeyError:
            raise Lost from None

    def close(self) -> None:
        """Workers of joblib are shared; they leave when they are not needed."""


class Ray:
    """A cluster of Ray: the one that is connected, or one of this machine."""

    local = False

    def __init__(self, workers: int | None) -> None:
        alone = "RAY_ADDRESS" not in os.environ
        if alone and "ray" not in sys.modules:
            # Ray reads this as it is imported: a cluster of one machine need not be seen by others.
            os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
        self._ray = _module("ray", "ray")
        self._own = not self._ray.is_initialized()
        if self._own:
            local: dict[str, Any] = {"num_cpus": workers, "include_dashboard": False} if alone else {}
            self._ray.init(log_to_driver=False, logging_level="error", **local)
        self.width = 2 * max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        self._remote: dict[Any, Any] = {}

    def submit(self, call: Callable[..., Any], *arguments: Any) -> Hashable:
        if call not in self._remote:
            # Lost rows are handed out again by the study, which counts them.
            self._remote[call] = self._ray.remote(max_retries=0)(call)
        handle: Hashable = self._remote[call].remote(*arguments)
        return handle

    def finished(self, handles: Collection[Any]) -> Iterable[Any]:
        waiting = list(handles)
        self._ray.wait(waiting, num_returns=1)
        done: list[Any] = self._ray.wait(waiting, num_returns=len(waiting), timeout=0)[0]
        return done

    def answer(self, handle: Any) -> Any:
        faults = self._ray.exceptions
        try:
            return self._ray.get(handle)
        except (
            faults.WorkerCrashedError,
            faults.NodeDiedError,
            faults.ObjectLostError,
            faults.OutOfMemoryError,
        ) as error:
            raise Lost from error

    def close(self) -> None:
        if self._own:
            self._ray.shutdown()


class Dask:
    """A client of ``dask.distributed``, or a cluster of processes of this machine."""

    local = False

    def __init__(self, given: Any, workers: int | None) -> None:
        self._distributed = _module("distributed", "dask")
        self._cluster = None
        self._client = given
        if given is None:
            self._cluster = self._distributed.LocalCluster(
                n_workers=workers or _cores(),
                threads_per_worker=1,
                processes=True,
                dashboard_address=None,
                host="127.0.0.1",
            )
            self._client = self._distributed.Client(self._cluster)
        self._client.wait_for_workers(1)
        self.width = 2 * max(1, sum(self._client.nthreads().values()))

    def submit(self, call: Callable[..., Any], *arguments: Any) -> Hashable:
        handle: Hashable = self._client.submit(call, *arguments, pure=False)
        return handle

    def finished(self, handles: Collection[Any]) -> Iterable[Any]:
        try:
            self._distributed.wait(list(handles), return_when="FIRST_COMPLETED")
        except CancelledError:
            pass
        return [handle for handle in handles if handle.done()]

    def answer(self, handle: Any) -> Any:
        try:
            return handle.result()
        except (self._distributed.KilledWorker, CancelledError) as error:
            raise Lost from error

    def close(self) -> None:
        if self._cluster is not None:
            self._client.close()
            self._cluster.close()


def crew(executor: Any, workers: int | None) -> Crew:
    """The workers that an argument ``executor`` means."""
    if workers is not None and (isinstance(workers, bool) or not isinstance(workers, int) or workers < 1):
        raise ValueError(f"workers is {workers!r}, must be a number from 1 on")
    if isinstance(executor, Executor):
        return Pool(executor, "given", workers)
    # A word, the package itself, or something of it.
    word, given = (executor, None) if isinstance(executor, str) else (type(executor).__module__.partition(".")[0], executor)
    if executor is None or executor is sys.modules.get("ray"):
        word, given = ("threads" if executor is None else "ray"), None
    if word in ("threads", "processes") and given is None:
        return Pool(None, word, workers)
    if word == "joblib" and (given is None or callable(given)):
        return Joblib(given, workers)
    if word == "ray" and given is None:
        return Ray(workers)
    if word == ("dask" if given is None else "distributed") and (given is None or hasattr(given, "submit")):
        return Dask(given, workers)
    raise TypeError(
        "executor must be 'threads', 'processes', 'joblib', 'ray', 'dask', an executor of concurrent.futures, a "
        f"joblib.Parallel, a dask.distributed.Client or the module ray, not {executor!r}"
    )


def _module(name: str, extra: str) -> Any:
    """A package that only some studies need."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f"this executor needs {name}: pip install 'carom[{extra}]'") from error


def _numbered(number: int, call: Callable[..., Any], *arguments: Any) -> tuple[int, Any]:
    return number, call(*arguments)


def _die_of_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
