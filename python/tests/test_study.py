"""Studies: the bytes of the command, functions, faults, and going on after any end."""

from __future__ import annotations

import functools
import gc
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest

import carom
from conftest import ROOT
from folders import OPTIONS, RESULTS, SCENE, VARY, by_command, contents

E = "contact.0.restitution"


@pytest.fixture(scope="module")
def alone(tmp_path_factory) -> dict[str, bytes]:
    return by_command(tmp_path_factory.mktemp("alone") / "study")


def height(run: carom.Run) -> float:
    """A function that other processes can import by name."""
    return run["ball.z"].max()


def deadly(run: carom.Run) -> float:
    """Ends the process of one row, as lack of memory would."""
    if run.scene.to_dict()["contact"][0]["restitution"] == 0.5:
        os.kill(os.getpid(), signal.SIGKILL)
    return run.state.t


@pytest.mark.parametrize("executor", [None, "threads", "processes"])
def test_the_bytes_are_those_of_the_command(executor, alone, tmp_path):
    study = carom.study(SCENE, VARY, RESULTS, out=tmp_path / "s", executor=executor, workers=3, **OPTIONS)
    assert contents(tmp_path / "s") == alone
    assert len(study) == 600 and study.columns[:3] == ["row", E, "contact.0.friction"]
    pytest.importorskip("pandas")
    frame = study.to_pandas()
    assert list(frame.index[:3]) == [0, 1, 2] and np.array_equal(frame["lost"], study["lost"])


def test_an_executor_of_ones_own(alone, tmp_path):
    with ThreadPoolExecutor(2) as pool:
        carom.study(SCENE, VARY, RESULTS, out=tmp_path / "s", executor=pool, **OPTIONS)
        assert pool.submit(int, 3).result() == 3
    assert contents(tmp_path / "s") == alone


def test_functions_see_the_run_and_expressions_do_not_change(ball, tmp_path):
    values = {E: np.linspace(0.1, 0.9, 9)}
    results = {"third": "time(impact, 3)", "top": height, "none": lambda run: None, "events": lambda run: len(run.events)}
    study = carom.study(ball, values, results, out=tmp_path / "a", set={"solver.until": 2.0})
    plain = carom.study(ball, values, {"third": "time(impact, 3)"}, out=tmp_path / "b", set={"solver.until": 2.0})
    for name in ("third", "hash", "stop", "stop_time", E):
        assert np.array_equal(study[name], plain[name], equal_nan=name == "third"), name
    for row, e in enumerate(values[E]):
        run = ball.run(until=2.0, set={E: e})
        assert study["top"][row] == height(run) and study["events"][row] == len(run.events)
        assert study.run(row).summary["result_hash"] == run.summary["result_hash"]
    assert np.isnan(study["none"]).all()
    # The same in other processes, where the functions go with their rows: even those without a name.
    pytest.importorskip("cloudpickle")
    carom.study(ball, values, results, out=tmp_path / "c", executor="processes", workers=2, set={"solver.until": 2.0})
    assert contents(tmp_path / "a") == contents(tmp_path / "c")


def test_what_fails_is_told_in_its_row(ball, tmp_path):
    def picky(run):
        if run.scene.to_dict()["contact"][0]["restitution"] == 0.5:
            raise ArithmeticError("not this one")
        return 1.0

    with pytest.warns(RuntimeWarning, match="1 rows without an end; the first, row 1: result `a`: ArithmeticError"):
        study = carom.study(ball, {E: [0.4, 0.5, 0.6]}, {"a": picky, "b": "count(impact)"}, out=tmp_path / "a")
    assert list(study["stop"]) == ["reached-end", "function", "reached-end"]
    assert np.array_equal(study["a"], [1, np.nan, 1], equal_nan=True) and (study["b"] > 2).all()
    with pytest.warns(RuntimeWarning, match="result `a`: TypeError"):
        study = carom.study(ball, {E: [0.5]}, {"a": lambda run: "much"}, out=tmp_path / "b")
    assert study.failures.keys() == {0}
    # A run that is given up is not shown.
    with pytest.warns(RuntimeWarning, match="after 3 steps"):
        study = carom.study(ball, {E: [0.5]}, {"a": lambda run: 1}, out=tmp_path / "c", step_limit=3)
    assert np.isnan(study["a"]).all() and list(study["stop"]) == ["step-limit"]


def test_a_row_that_kills_its_worker_costs_only_itself(ball, tmp_path):
    values = {E: [0.3, 0.4, 0.5, 0.6, 0.7, 0.8]}
    with pytest.warns(RuntimeWarning, match="row 2: its worker was lost 4 times"):
        study = carom.study(ball, values, {"t": deadly}, out=tmp_path / "s", executor="processes", workers=2)
    assert list(study["stop"]) == ["reached-end"] * 2 + ["worker"] + ["reached-end"] * 3
    assert np.array_equal(study["t"], [10, 10, np.nan, 10, 10, 10], equal_nan=True)


def test_a_pool_of_ones_own_that_breaks_says_so(ball, tmp_path):
    values = {E: [0.3, 0.5]}
    with ProcessPoolExecutor(1) as pool:
        with pytest.raises(carom.StudyError, match="lost a worker"):
            carom.study(ball, values, {"t": deadly}, out=tmp_path / "s", executor=pool)
    assert len(carom.open_study(tmp_path / "s")) == 1


def test_it_goes_on_after_an_exception(alone, tmp_path):
    told = []

    def enough(now):
        told.append(now)
        if now.done - now.before > 200:
            raise RuntimeError("enough")

    for _ in range(2):
        with pytest.raises(RuntimeError, match="enough"):
            carom.study(SCENE, VARY, RESULTS, out=tmp_path / "s", progress=enough, **OPTIONS)
        assert len(carom.open_study(tmp_path / "s")) >= 200
    carom.study(SCENE, VARY, RESULTS, out=tmp_path / "s", progress=told.append, executor="processes", **OPTIONS)
    assert contents(tmp_path / "s") == alone
    assert told[-1].before > 400 and told[-1].done == told[-1].total == 600


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("sign", ["SIGKILL", "SIGINT"])
def test_it_goes_on_after_a_signal(sign, alone, tmp_path):
    code = f"""
    import os, signal, sys
    sys.path.insert(0, {str(ROOT / "python" / "tests")!r})
    import carom
    from folders import OPTIONS, RESULTS, SCENE, VARY

    def told(now):
        if now.done >= 150:
            os.kill(os.getpid(), signal.{sign})

    try:
        carom.study(SCENE, VARY, RESULTS, out="s", progress=told, **OPTIONS)
    except KeyboardInterrupt:
        sys.exit(7)
    """
    code = textwrap.dedent(code)
    # A shell may have told its children to ignore Ctrl-C.
    code = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n" + code
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, timeout=60, capture_output=True)
    assert done.returncode == (7 if sign == "SIGINT" else -signal.SIGKILL), done.stderr
    before = []
    carom.study(SCENE, VARY, RESULTS, out=tmp_path / "s", progress=before.append, **OPTIONS)
    assert before[-1].before >= 150 and contents(tmp_path / "s") == alone


def test_runs_are_kept_and_opened(ball, tmp_path):
    study = carom.study(
        ball, {E: [0.2, 0.8]}, {"n": "count(impact)"}, out=tmp_path / "s", keep="n > 8", set={"solver.until": 2.0}
    )
    kept = sorted(p.name for p in (tmp_path / "s" / "runs").iterdir())
    assert kept == [f"row-{k:012}.run" for k in (0, 1) if study["n"][k] > 8] and len(kept) == 1
    row = int(kept[0][4:16])
    before = os.stat(tmp_path / "s" / "runs" / kept[0])
    assert study.run(row).summary["result_hash"] == ball.run(until=2.0, set={E: [0.2, 0.8][row]}).summary["result_hash"]
    assert os.stat(tmp_path / "s" / "runs" / kept[0]) == before
    assert study.values(row) == {"solver.until": "2.0", E: ["0.2", "0.8"][row]}


def test_a_file_of_rows_and_texts(ball, tmp_path):
    (tmp_path / "rows.csv").write_text(f"{E},law.formulation\n0.3,newton\n0.5,poisson\n0.7,newton\n")
    options = {"rows": tmp_path / "rows.csv", "set": {"solver.until": 1.0}}
    one = carom.study(ball, None, {"n": "count(impact)"}, out=tmp_path / "a", **options)
    carom.study(ball, None, {"n": "count(impact)"}, out=tmp_path / "b", executor="processes", workers=2, **options)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert list(one["law.formulation"]) == ["newton", "poisson", "newton"]


def test_scenes_of_several_files_travel(scenes, tmp_path):
    scene = carom.load(scenes / "leg.toml")
    away = pickle.loads(pickle.dumps(scene))
    # Variants read the files of the scene again.
    ends = [s.run(until=0.02, rtol=1e-7).summary["result_hash"] for s in (scene, away)]
    assert ends[0] == ends[1]
    folder = away._core.name
    assert folder != scene._core.name and os.path.exists(folder)
    # The second row cannot be read, and says so in the same words wherever it is computed.
    values = {"$k": [0, 1, 0], "solver.rtol": "expr(1e-7 - $k)"}
    options = {"set": {"solver.until": 0.02}}
    pytest.importorskip("joblib")
    for name, executor in (("a", "threads"), ("b", "joblib")):
        with pytest.warns(RuntimeWarning, match="row 1: .*leg.toml|row 1: .*solver.rtol"):
            carom.study(scene, values, {"t": "t"}, out=tmp_path / name, executor=executor, workers=1, **options)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    del away
    gc.collect()
    assert not os.path.exists(folder)


def test_what_cannot_be_done(ball, tmp_path):
    out = tmp_path / "s"

    def fault(error, match, *arguments, **options):
        with pytest.raises(error, match=match):
            carom.study(ball, *arguments, **{"out": out, **options})
        assert not out.exists()

    fault(carom.StudyError, "nothing is varied")
    fault(carom.StudyError, "restitutio", {"contact.0.restitutio": [1]})
    fault(carom.StudyError, "cannot be read", {E: []})
    fault(carom.StudyError, "a value is NaN", {E: [float("nan")]})
    fault(carom.StudyError, "1.000e12 rows", {E: "0:1:1e6", "body.ball.mass": "1:2:1e6"})
    fault(carom.StudyError, "did you mean", {E: [0.5]}, {"a": "q.ball.zz"})
    fault(carom.StudyError, "the dataset has a column of that name", {E: [0.5]}, {"hash": height})
    fault(carom.StudyError, "given twice", {E: [0.5]}, {"a.1": height, "a": "last(impact, 2, t)"})
    fault(TypeError, "vary must be a mapping", [1])
    fault(TypeError, "no text", {1: [1]})
    fault(TypeError, "result 'a' must be", {E: [0.5]}, {"a": 3})
    fault(TypeError, "executor must be", {E: [0.5]}, {"a": "t"}, executor="moon")
    fault(ValueError, "workers is 0", {E: [0.5]}, {"a": "t"}, workers=0)
    fault((TypeError, OverflowError), "samples|negative|convert", {E: "random(0, 1)"}, {"a": "t"}, samples=-1)
    carom.study(ball, {E: [0.5]}, {"a": height}, out=out)
    before = contents(out)
    with pytest.raises(carom.StudyError, match="holds another study: its list of results") as error:
        carom.study(ball, {E: [0.5]}, {"a": lambda run: 1.0}, out=out)
    assert "nothing was changed" in error.value.hint
    with pytest.raises(carom.StudyError, match="is not a study"):
        carom.open_study(tmp_path)
    with pytest.raises(carom.StudyError, match="has no column `b`"):
        carom.open_study(out)["b"]
    with pytest.raises(carom.StudyError, match="rows 0 to 0, not 7"):
        carom.open_study(out).run(7)
    assert contents(out) == before


def test_functions_are_told_apart(ball, tmp_path):
    def of(power):
        return lambda run: run.state.q[2] ** power

    carom.study(ball, {E: [0.5]}, {"a": of(2)}, out=tmp_path / "s")
    assert carom.study(ball, {E: [0.5]}, {"a": of(2)}, out=tmp_path / "s")["row"] == [0]
    for other in (of(3), functools.partial(height), lambda run, power=2: run.state.q[2] ** power):
        with pytest.raises(carom.StudyError, match="another study"):
            carom.study(ball, {E: [0.5]}, {"a": other}, out=tmp_path / "s")


def test_lists_that_grow_extend_a_study(ball, tmp_path):
    carom.study(ball, {E: [0.2, 0.4]}, {"n": "count(impact)"}, out=tmp_path / "s")
    told = []
    carom.study(ball, {E: [0.2, 0.4, 0.6]}, {"n": "count(impact)"}, out=tmp_path / "s", progress=told.append)
    assert told[0].before == 2
    carom.study(ball, {E: [0.2, 0.4, 0.6]}, {"n": "count(impact)"}, out=tmp_path / "t")
    assert contents(tmp_path / "s") == contents(tmp_path / "t")


def test_pictures(ball, tmp_path):
    study = carom.study(ball, {E: "0.1:0.9:9"}, {"t": "last(impact, 4, t)", "n": "count(impact)"}, out=tmp_path / "s")
    picture = study.plot("bifurcation", E, "t", label={"t": "time/s"}, mark={0.5: "half"}, title="A ball")
    assert "<svg" in picture._repr_svg_() and "A ball" in picture._repr_svg_()
    for name, head in (("a.svg", b"<svg"), ("a.png", b"\x89PNG"), ("a.pdf", b"%PDF")):
        picture.save(tmp_path / name)
        assert head in (tmp_path / name).read_bytes()[:200]
    with pytest.raises(ValueError, match="must be svg, png or pdf"):
        picture.save(tmp_path / "a.bmp")
    with pytest.raises(ValueError, match="must be one of scatter"):
        study.plot("pie", E)
    with pytest.raises(carom.StudyError, match="needs a column for --y"):
        study.plot("scatter", E)


def test_a_robot_that_changed_is_another_study(tmp_path):
    file = tmp_path / "leg.urdf"
    text = (ROOT / "scenes" / "leg.urdf").read_text()
    file.write_text(text)
    vary, out = {"solver.until": [0.01, 0.02]}, tmp_path / "s"
    carom.study(carom.load(file, set={"urdf.0.floating_base": True}), vary, {"e": "energy.lost"}, out=out)
    # Done already: nothing is computed again.
    assert len(carom.study(carom.load(file, set={"urdf.0.floating_base": True}), vary, {"e": "energy.lost"}, out=out)) == 2
    file.write_text(text.replace('<mass value="0.1"/>', '<mass value="0.2"/>'))
    with pytest.raises(carom.StudyError, match="holds another study"):
        carom.study(carom.load(file, set={"urdf.0.floating_base": True}), vary, {"e": "energy.lost"}, out=out)
