"""Studies: one scene many times with values that vary, on whatever computes."""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import os
import pickle
import sys
import time
import warnings
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Union

import numpy as np

from . import _carom, _toml
from ._crew import Crew, Lost, crew
from ._dataset import Study
from ._errors import StudyError
from ._run import Run
from ._scene import Scene, load, overrides

Result = Union[str, Callable[[Run], "float | None"]]
"""What is kept of a run: an expression, or a function of the run that returns a number or None."""

# A batch should take this long, s: long enough to be worth sending, short enough to be lost.
_BATCH = (0.1, 0.4)
_MOST_ROWS = 256
# A row whose worker was lost so often is not tried again.
_LOSSES = 4


@dataclass(frozen=True)
class Progress:
    """How far a study is.

    Attributes
    ----------
    done, total : int
        Rows.
    before : int
        Rows that were there before this call.
    failed : int
        Rows of this call that did not end as they should.
    lost : int
        Batches of rows that were lost with their workers and given to others.
    seconds : float
        Time since the call, s.
    """

    done: int
    total: int
    before: int
    failed: int
    lost: int
    seconds: float


def study(
    scene: Scene | str | os.PathLike[str],
    vary: Mapping[str, Any] | None = None,
    results: Mapping[str, Result] | None = None,
    *,
    out: str | os.PathLike[str] | None = None,
    executor: Any = None,
    workers: int | None = None,
    rows: str | os.PathLike[str] | None = None,
    samples: int | None = None,
    seed: int | None = None,
    keep: str | None = None,
    time_limit: float | None = None,
    step_limit: int | None = None,
    part_rows: int | None = None,
    set: Mapping[str, Any] | None = None,
    progress: Callable[[Progress], Any] | bool = False,
) -> Study:
    """Run a scene with many values and keep what is asked for of each run, in one dataset.

    The dataset is the one that ``carom study`` writes, byte for byte, whoever computes it. A call that ended early is
    given again and goes on with the rows that are missing; a worker that is lost costs the rows it had in hand.

    Parameters
    ----------
    scene : Scene or path
        The scene.
    vary : mapping, optional
        Values by their path: texts of ``--vary`` (``"0:1:101"``, ``"sobol(0, 1)"``), or sequences and arrays. The
        ``[study]`` of the scene if not given.
    results : mapping, optional
        By name: expressions of ``--result`` (``"time(rest, 1)"``), or functions of a :class:`Run` that return a number
        or None. A run that is given up is not shown to functions; an exception in one is told in its row.
    out : path, optional
        The folder; ``NAME.study`` for a scene ``NAME.toml`` if not given.
    executor : optional
        Who computes: ``"threads"`` (as if not given), ``"processes"``, ``"joblib"``, ``"ray"``, ``"dask"``, an executor
        of ``concurrent.futures``, a ``joblib.Parallel``, a ``dask.distributed.Client``, or the module ``ray``.
    workers : int, optional
        How many, where they are started here; all cores if not given.
    rows : path, optional
        A CSV or Parquet file of values, one row per run; workers on other machines must see it at the same path.
    samples, seed, keep, time_limit, step_limit, part_rows
        As the options of ``carom study``.
    set : mapping, optional
        Other values that all rows share.
    progress : callable or bool
        Told of a :class:`Progress` after each batch; True prints a line to stderr.

    Returns
    -------
    Study
        The dataset.

    Raises
    ------
    StudyError
        What cannot be done, or a folder of another study; nothing is overwritten.
    """
    if not isinstance(scene, Scene):
        scene = load(scene)
    expressions, functions = _parted(results)
    asked = {
        "vary": [(str(path), _values(values)) for path, values in _mapping(vary, "vary").items()],
        "rows": None if rows is None else os.fspath(rows),
        "results": expressions,
        "functions": [(name, _told(function)) for name, function in functions],
        "keep": keep,
        "samples": samples,
        "seed": seed,
        "time_limit": time_limit,
        "step_limit": step_limit,
        "part_rows": part_rows,
    }
    variant = Scene._from_core(scene._variant(overrides(set)))
    core = _carom.Study(variant._core, asked)
    folder = Path(f"{Path(variant._core.name).stem or 'scene'}.study") if out is None else Path(out)
    tell = _line if progress is True else progress or None
    task = Task(variant, asked, functions)
    workforce = crew(executor, workers)
    try:
        _Work(core, _carom.Shelf(os.fspath(folder), core), workforce, tell).run(task)
    finally:
        workforce.close()
    return Study(folder)


class Task:
    """What a worker must know to compute rows."""

    def __init__(self, scene: Scene, asked: dict[str, Any], functions: list[tuple[str, Any]]) -> None:
        self.scene, self.asked, self.functions = scene, asked, functions

    def packed(self) -> bytes:
        """As bytes; functions go by value where cloudpickle is there."""
        name = self.scene._core.name
        content = (_carom.version(), self.scene, name, self.asked, self.functions)
        try:
            return _pickler().dumps(content)  # type: ignore[no-any-return]
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise TypeError(
                f"a result cannot be sent to workers: {error}; define functions in a module, or install cloudpickle"
            ) from error


@dataclass(frozen=True)
class _Known:
    """A study that this process has ready."""

    core: _carom.Study
    functions: list[tuple[str, Any]]
    scene: Scene
    told: tuple[str, str]


_known: dict[str, _Known] = {}


def compute(key: str, packed: bytes, numbers: list[int]) -> tuple[float, list[bytes]]:
    """Compute rows in a worker: time that it took, s, and the rows."""
    begun = time.perf_counter()
    known = _known.get(key)
    if known is None:
        # One study at a time: workers outlive many.
        _known.clear()
        known = _known[key] = _unpacked(packed)
    rows = known.core.rows(numbers, known.functions, known.told)
    return time.perf_counter() - begun, rows


def _unpacked(packed: bytes) -> _Known:
    version, scene, name, asked, functions = pickle.loads(packed)
    if version != _carom.version():
        raise StudyError(
            f"a worker has carom {_carom.version()}, the study is of carom {version}",
            hint="install the same version everywhere",
        )
    own = scene._core.name
    # Files of a scene are elsewhere here; messages say where they were.
    told = (own.removesuffix(Path(own).name), name.removesuffix(Path(name).name))
    return _Known(_carom.Study(scene._core, asked), functions, scene, told)


class _Work:
    """Hands out rows and takes them back until all are done."""

    def __init__(
        self, core: _carom.Study, shelf: _carom.Shelf, workers: Crew, tell: Callable[[Progress], Any] | None
    ) -> None:
        self._core, self._shelf, self._crew, self._tell = core, shelf, workers, tell
        self._begun = time.perf_counter()
        self._before = shelf.progress[0]
        self._failed: list[tuple[int, str]] = []
        self._failures = 0
        self._lost = 0
        self._unlucky = 0
        self._size = 1
        self._again: deque[list[int]] = deque()
        self._alone: deque[int] = deque()
        self._losses: Counter[int] = Counter()

    def run(self, task: Task) -> None:
        """Do all rows, or keep those that are done."""
        key = ""
        try:
            packed = b"" if self._crew.local else task.packed()
            key = hashlib.sha256(packed).hexdigest() if packed else f"local {id(self)}"
            # Threads find the study here, and so do processes that are forked from this one.
            _known[key] = _Known(self._core, task.functions, task.scene, ("", ""))
            self._hand_out(key, packed)
        finally:
            self._core.halt()
            _known.pop(key, None)
            self._shelf.finish()
        if self._failures:
            row, message = self._failed[0]
            warnings.warn(
                f"{self._failures} rows without an end; the first, row {row}: {message}", RuntimeWarning, stacklevel=4
            )

    def _hand_out(self, key: str, packed: bytes) -> None:
        pending: dict[Any, list[int]] = {}
        while True:
            solo = False
            while len(pending) < self._crew.width and not solo:
                # Rows that twice lost a worker run alone, so that the one which kills is known.
                solo = bool(self._alone)
                if solo and pending:
                    break
                batch = [self._alone.popleft()] if solo else self._next()
                if not batch:
                    break
                pending[self._crew.submit(compute, key, packed, batch)] = batch
            if not pending:
                return
            for handle in self._crew.finished(pending.keys()):
                self._take(handle, pending.pop(handle))
            self._report()

    def _next(self) -> list[int]:
        if self._again:
            return self._again.popleft()
        done, total = self._shelf.progress
        fair = (total - done) // (2 * self._crew.width)
        return self._shelf.claim(max(1, min(self._size, fair)))

    def _take(self, handle: Any, batch: list[int]) -> None:
        try:
            seconds, rows = self._crew.answer(handle)
        except Lost:
            self._mourn(batch)
            return
        self._unlucky = 0
        self._push(rows)
        if seconds < _BATCH[0] and len(batch) == self._size:
            self._size = min(2 * self._size, _MOST_ROWS)
        elif seconds > _BATCH[1]:
            self._size = max(1, self._size // 2)

    def _push(self, rows: list[bytes]) -> None:
        failed = self._shelf.push(rows)
        self._failures += len(failed)
        self._failed += failed[: 1 - len(self._failed)]

    def _mourn(self, batch: list[int]) -> None:
        """A batch is lost: it is done again, by the row if that happens again."""
        self._lost += 1
        self._unlucky += 1
        if self._unlucky > 3 * self._crew.width + 20:
            raise StudyError(
                "workers are lost before they hand back any rows",
                hint="see what ends them: memory, a limit of the cluster, a package that is missing there",
            )
        self._losses.update(batch)
        times = self._losses[batch[0]]
        if times == 1:
            self._again.append(batch)
        elif times < _LOSSES or len(batch) > 1:
            self._alone.extend(batch)
        else:
            self._push([self._core.lost(batch[0], times)])

    def _report(self) -> None:
        if self._tell is not None:
            done, total = self._shelf.progress
            seconds = time.perf_counter() - self._begun
            self._tell(Progress(done, total, self._before, self._failures, self._lost, seconds))


def _line(now: Progress) -> None:
    rate = (now.done - now.before) / max(now.seconds, 1e-9)
    failed = f", {now.failed} failed" if now.failed else ""
    end = "\n" if now.done == now.total else ""
    print(f"\r{now.done} of {now.total} rows, {rate:.4g}/s{failed}   ", end=end, file=sys.stderr, flush=True)


def _mapping(given: Any, what: str) -> Mapping[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise TypeError(f"{what} must be a mapping, not {type(given).__name__}")
    if wrong := [name for name in given if not isinstance(name, str)]:
        raise TypeError(f"{what} has the key {wrong[0]!r}, which is no text")
    return given


def _values(values: Any) -> str:
    """Values as ``--vary`` has them."""
    if isinstance(values, str):
        return values
    if isinstance(values, np.ndarray):
        values = values.tolist()
    if isinstance(values, Iterable) and not isinstance(values, (Mapping, bytes)):
        return "[" + ", ".join(_value(x) for x in values) + "]"
    raise TypeError(f"values must be a text or a sequence, not {type(values).__name__}")


def _value(x: Any) -> str:
    # A word needs no quotation marks, and a number is written as it is read.
    return x if isinstance(x, str) else _toml.value(x)


def _parted(results: Any) -> tuple[list[tuple[str, str]], list[tuple[str, Any]]]:
    """Expressions and functions."""
    expressions, functions = [], []
    for name, result in _mapping(results, "results").items():
        if isinstance(result, str):
            expressions.append((name, result))
        elif callable(result):
            functions.append((name, result))
        else:
            raise TypeError(f"result {name!r} must be an expression or a function, not {type(result).__name__}")
    return expressions, functions


def _told(function: Any) -> str:
    """What tells a function from others: its name, and a hash of its source and of plain values that it holds."""
    name = getattr(function, "__qualname__", type(function).__qualname__)
    code = getattr(function, "__code__", None)
    if code is None:
        # An object that can be called, such as a partial: all that it is.
        parts = [_pickler().dumps(function)]
    else:
        try:
            parts = [inspect.getsource(function).strip().encode()]
        except (OSError, TypeError):
            parts = [code.co_code, repr(code.co_names).encode()]
        held = list(getattr(function, "__defaults__", None) or ())
        for cell in getattr(function, "__closure__", None) or ():
            with contextlib.suppress(ValueError):
                held.append(cell.cell_contents)
        parts += [repr(x).encode() for x in held if isinstance(x, (bool, int, float, str, type(None)))]
    return f"python {name} {hashlib.sha256(b' '.join(parts)).hexdigest()[:16]}"


def _pickler() -> Any:
    try:
        import cloudpickle  # type: ignore[import-not-found,import-untyped,unused-ignore]
    except ImportError:
        return pickle
    return cloudpickle
