"""Models, runs, archives."""
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from fractions import Fraction

import extremal as ex
import numpy as np
import pytest
from conftest import root



def test_a_model_by_name_has_parameters_and_runs():
    m = ex.model("pendulum")
    assert m.coordinates == ["x", "y"] and m.parameters["g"] == "9.81"
    run = m.run("rattle", step="0.05", until=10)
    assert run.status == "complete" and run.reason == "" and len(run) == 201
    assert run.q.shape == (201, 2) and run.energy.shape == (201,)
    assert np.array_equal(run["y"], run.q[:, 1])
    assert repr(run).startswith("pendulum, rattle, step 0.05, 200 steps in double: complete")
    assert [c.unit for c in run.columns if c.name == "t"] == ["s"]


def test_views_are_of_one_table_and_read_only():
    run = ex.model("pendulum").run("rattle", step="0.05", until=1)
    assert np.shares_memory(run.q, run["x"]) and np.shares_memory(run.q, run.q)
    with pytest.raises(ValueError, match="read-only"):
        run.q[0, 0] = 1
    q = run.q
    del run  # the array keeps the table
    assert np.isfinite(q).all()


def test_numbers_may_be_text_fraction_int_float():
    m = ex.model("pendulum")
    runs = [m.run("rattle", step=step, until=1) for step in ("0.05", "1/20", 0.05, Fraction(1, 20), np.float64(0.05))]
    assert all(np.array_equal(runs[0].q, run.q) for run in runs)


def test_parameters_and_starts():
    m = ex.model("pendulum", g="1.62")
    assert m.parameters["g"] == "1.62"
    a = m.run("rattle", step="0.05", until=1)
    b = ex.model("pendulum").run("rattle", step="0.05", until=1, set={"g": "1.62"})
    assert np.array_equal(a.q, b.q)
    c = m.run("rattle", q=[0, -1], v=[1, 0], step="0.05", until=1)
    d = m.run("rattle", start={"x": 0, "y": -1, "v:x": 1, "v:y": 0}, step="0.05", until=1)
    assert np.array_equal(c.q, d.q) and c["x"][0] == 0


def test_quad_has_double_views_and_exact_texts():
    run = ex.model("pendulum").run("spark(3)", step="0.05", until="0.5", precision="quad")
    assert run.q.dtype == float and len(run.exact("x")[-1]) > 30
    assert float(run.exact("x")[-1]) == run["x"][-1]


def test_outputs_every_at():
    m = ex.model("pendulum")
    assert len(m.run("rattle", step="0.05", until=5, every=10)) == 11
    assert len(m.run("rattle", step="0.05", until=5, outputs=20)) == 21
    same = [m.run("rattle", **keys) for keys in (dict(step="0.05", until=5), dict(steps=100, until=5), dict(steps=100, step="0.05"))]
    assert all(np.array_equal(run.q, same[0].q) for run in same)
    with pytest.raises(ex.InputError, match="two of them"):
        m.run("rattle", step="0.05", until=5, steps=100)
    dense = m.run("spark(3)", step="0.05", until=1, at=["0.12", "0.33"]).dense
    assert np.allclose(dense["t"], [0.12, 0.33])


@pytest.mark.parametrize("bad, words", [
    (lambda: ex.model("pendulumm"), "pendulum"),
    (lambda: ex.model("pendulum", gg=1), "gg"),
    (lambda: ex.model("pendulum").run("rattel"), "rattel"),
    (lambda: ex.model("pendulum").run("rattle", step="0.3", until=1), "expected a whole number"),
    (lambda: ex.model("pendulum").run("rattle", stepp=1), "stepp"),
    (lambda: ex.model("pendulum").run("rattle", precision="half"), "half"),
    (lambda: ex.model("pendulum").run("rattle", q=[1, 0, 0]), "expected 2"),
    (lambda: ex.model("pendulum").run("rattle", q=[2, 0]), "rod"),
    (lambda: ex.model("pendulum").run("rattle", q=[1, 0], v=[0, 0], p=[0, 0]), "expected one of them"),
    (lambda: ex.model("pendulum").run("rattle", q=1), "list of numbers"),
    (lambda: ex.model("pendulum").run("rattle", step=float("nan")), "finite"),
    (lambda: ex.model("pendulum").run("rattle", step=True), "number"),
    (lambda: ex.model("pendulum").run("rattle", every=2, outputs=3), "one of them"),
    (lambda: ex.model("pendulum").run("rattle", until=1)["z"], "unknown column"),
    (lambda: ex.open("no-such-file.nc"), "no-such-file"),
    (lambda: ex.cite("nobody"), "nobody"),
    (lambda: ex.model("pendulum").run(["rattle"]), "scheme: found list"),
    (lambda: ex.model("pendulum").run("rattle", dt=1), 'unknown key "dt".* parameter, m, l, g'),
    (lambda: ex.model("pendulum").run("rattle", untill=1), 'did you mean "until"'),
    (lambda: ex.model("pendulum").run("rattle", q=[[1, 0]]), "list|shape"),
    (lambda: ex.model("pendulum").run("rattle", q=np.array([[1, 0]])), r"shape \(1, 2\); expected 2 numbers"),
    (lambda: ex.model("pendulum").run("rattle", q={"x": 1}), "try start"),
    (lambda: ex.model("pendulum").run("rattle", q=[float("nan"), 0]), "finite"),
    (lambda: ex.model("pendulum").run("rattle", progress=3), "progress: found int"),
    (lambda: ex.model("pendulum").run("rattle", until=1)[0], "expected a name"),
    (lambda: ex.model("pendulum").stepper("rattle").step("far"), "step: found 'far'"),
    (lambda: ex.model("pendulum").stepper("rattle").step(0.1, 1.5), "whole number"),
    (lambda: ex.model("pendulum").stepper("rattle", step=0.1), "expected parameters"),
    (lambda: ex.model("pendulum").stepper("rattle")[0], "value: found 0"),
    (lambda: ex.model("pendulum").orders("rattle", steps=10), "steps: found 10; expected a list"),
    (lambda: ex.model("pendulum").orders("rattle", steps=[0.5]), "steps: found 0.5; expected a whole number"),
    (lambda: ex.model("pendulum").work_precision("rattle", repetitions=0), "repetitions: found 0"),
    (lambda: ex.model("pendulum").area("rattle", box=[1, 2]), "box: expected two"),
    (lambda: ex.model("pendulum").check("rattle", until=3), "check: found until; expected parameters"),
    (lambda: ex.model("pendulum").check("rattle", gg=3), 'unknown key "gg"'),
    (lambda: ex.model("pendulum").run("rattle", error_estimate="false"), "error_estimate: found 'false'; expected True or False"),
    (lambda: ex.model("pendulum").boundary("rattle", begin=[1, 0], end=[0, -1], guess=[1, 2]), "guess: found list"),
    (lambda: ex.cite(3), "cite: found 3"),
    (lambda: ex.model("pendulum").run("rattle", every=2.5), "every|2.5; expected a whole number"),
    (lambda: ex.model("pendulum").run("rattle", outputs=2.5), "outputs: found 2.5; expected a whole number"),
    (lambda: ex.model("pendulum").run("rattle", step="0.1", steps=2.5), "steps: found 2.5; expected a whole number"),
])
def test_bad_input_is_one_clear_exception(bad, words):
    with pytest.raises(ex.InputError, match=words) as caught:
        bad()
    assert isinstance(caught.value, ValueError)


def test_numerical_failure_is_a_status_with_the_rows_so_far():
    s = ex.System("runaway")
    x = s.coordinates("x")
    s.kinetic(x, lambda q, v: v @ v / 2)
    s.potential(x, lambda q: -q[0] ** 4)
    run = s.run("spark(2)", q=[1], v=[1], step="0.01", until=10)
    assert run.status == "failed" and run.reason and 1 < len(run) < 1001


def test_archive_open_report_and_xarray(tmp_path):
    xarray = pytest.importorskip("xarray")
    place = str(tmp_path / "run.nc")
    run = ex.model("pendulum").run("rattle", step="0.05", until=5, archive=place)
    again = ex.open(place)
    assert again.status == "complete" and again.names == run.names and np.array_equal(again.q, run.q)
    assert again.exact("x") == run.exact("x")
    ours = run.to_xarray()
    try:
        theirs = xarray.open_dataset(place)
    except ValueError:
        pytest.skip("xarray has nothing to read netCDF-4 with")
    assert set(ours.data_vars) == set(theirs.data_vars) and dict(ours.sizes) == dict(theirs.sizes)
    for name in ours.data_vars:
        assert ours[name].dims == theirs[name].dims and np.array_equal(ours[name], theirs[name]), name
        assert ours[name].attrs["units"] == theirs[name].attrs["units"]


def test_a_run_is_saved_afterwards_with_the_same_rows(tmp_path, pendulum):
    run = pendulum.run("rattle", q=[1, 0], step="0.05", until=2)
    place = str(tmp_path / "later.nc")
    run.save(place)
    assert np.array_equal(ex.open(place).q, run.q)


def test_report(tmp_path, pendulum):
    from extremal import _extremal

    if not _extremal.report_available():
        pytest.skip("built without the page")
    page = str(tmp_path / "page.html")
    assert pendulum.run("rattle", q=[1, 0], step="0.05", until=2).report(page) == page
    with open(page, encoding="utf-8") as file:
        html = file.read()
    assert "<title>" in html and "the model cannot be read" not in html


def test_plot():
    pytest.importorskip("matplotlib")
    ax = ex.model("pendulum").run("rattle", step="0.05", until=5).plot("x", "y")
    assert ax.get_xlabel().startswith("x") and len(ax.lines) == 1


def test_one_column_is_drawn_over_time():
    pytest.importorskip("matplotlib")
    run = ex.model("pendulum").run("rattle", step="0.05", until=5)
    ax = run.plot("y", color="red", label="height")
    (line,) = ax.lines
    assert np.array_equal(line.get_xdata(), run.t) and np.array_equal(line.get_ydata(), run["y"])
    assert ax.get_xlabel().startswith("t") and ax.get_ylabel().startswith("y") and line.get_color() == "red" and line.get_label() == "height"
    assert np.array_equal(run.plot().lines[0].get_ydata(), run["x"]) and len(run.plot("t", "x", "y").lines) == 2
    path = ex.model("pendulum").boundary("rattle", begin=[1, 0], end=[0, -1], step="0.1", until="0.5")
    (line,) = path.plot("y", linewidth=3).lines
    assert np.array_equal(line.get_ydata(), path.q[:, 1]) and line.get_linewidth() == 3
    with pytest.raises(ex.InputError, match="unknown coordinate"):
        path.plot("z")


def test_ctrl_c_keeps_the_data_and_resume_goes_on(tmp_path):
    place = str(tmp_path / "long.nc")
    m = ex.model("pendulum")
    threading.Timer(0.4, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt) as caught:
        m.run("rattle", step="0.0001", until=10000, every=1000, archive=place)
    run = caught.value.run
    assert run.status == "interrupted" and len(run) > 1 and np.isfinite(run.q).all()
    assert ex.open(place).status == "interrupted"


def test_resume_gives_the_bits_of_a_run_that_never_stopped(tmp_path, pendulum):
    place = str(tmp_path / "two.nc")
    calls = []

    def stop(step, steps, t):
        calls.append(step)
        raise KeyboardInterrupt

    keys = dict(q=[1, 0], step="0.0001", until=60, every=10000)
    with pytest.raises(KeyboardInterrupt):
        pendulum.run("rattle", archive=place, progress=stop, **keys)
    assert calls and ex.open(place).status == "interrupted"
    again = ex.resume(place)
    whole = pendulum.run("rattle", **keys)
    assert again.status == "complete" and np.array_equal(again.q, whole.q) and np.array_equal(again.p, whole.p)


def test_an_exception_of_progress_ends_the_run_and_is_raised():
    def progress(step, steps, t):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        ex.model("pendulum").run("rattle", step="0.0001", until=10000, every=100000, progress=progress)


def test_other_threads_go_on_while_a_run_does():
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(1)
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    ex.model("pendulum").run("rattle", step="0.0001", until=30, every=100000)
    done.set()
    thread.join()
    assert len(ticks) > 3


def test_import_needs_neither_xarray_nor_matplotlib():
    code = "import sys, extremal; print([m for m in ('xarray', 'matplotlib', 'pandas') if m in sys.modules])"
    path = os.pathsep.join(p for p in sys.path if p)
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path})
    assert out.stdout.strip() == "[]"


def test_pages_of_notebooks_are_beside_them_or_inside(tmp_path, monkeypatch):
    from extremal import _extremal

    if not _extremal.report_available():
        pytest.skip("the library was built without the page")
    monkeypatch.chdir(tmp_path)
    run = ex.model("pendulum").run("rattle", step="0.05", until=1)
    small, whole = run.show()._repr_html_(), run.show(embed=True)._repr_html_()
    assert 'src="pendulum.html"' in small and len(small) < 300 and os.path.exists("pendulum.html")
    assert "srcdoc=" in whole and len(whole) > 500000
    assert 'src="a%23b.html"' in run.show("a#b.html")._repr_html_() and os.path.exists("a#b.html")
    assert "srcdoc=" in run.show(tmp_path.parent / "elsewhere.html")._repr_html_()  # a notebook's server shows its own folder only
    assert 'src="inner.html"' in run.show(tmp_path / "inner.html")._repr_html_()
    again = pickle.loads(pickle.dumps(run))
    assert again.archive is None and again.report() == "pendulum.html"


def test_exact_numbers_of_mpmath():
    mpmath = pytest.importorskip("mpmath")
    run = ex.model("pendulum").run("rattle", step="0.05", until="0.1", precision="quad")
    with mpmath.workprec(113):
        x, y = (run.exact(name, "mpmath")[-1] for name in ("x", "y"))
        assert abs(x * x + y * y - 1) < mpmath.mpf("1e-30")
    with pytest.raises(ex.InputError, match="text or mpmath"):
        run.exact("x", "decimal")


def test_a_system_without_a_start_says_so(pendulum):
    for call in (pendulum.run, pendulum.stepper, pendulum.check):
        with pytest.raises(ex.InputError, match="has no start yet; expected q"):
            call("rattle")


def test_arrays_of_every_kind_are_starts():
    m = ex.model("pendulum")
    first = m.run("rattle", q=["0.6", "-0.8"], step="0.05", until=1).q
    kinds = [np.array([0.6, -0.8]), (0.6, -0.8), [np.float64(0.6), Fraction(-4, 5)]]
    try:
        import pandas

        kinds.append(pandas.Series({"x": 0.6, "y": -0.8}))
    except ImportError:
        pass
    assert all(np.array_equal(m.run("rattle", q=q, step="0.05", until=1).q, first) for q in kinds)
    whole = m.run("rattle", q=np.array([1, 0], dtype=np.int32), step="0.05", until=np.int64(1))
    assert np.array_equal(whole.q, m.run("rattle", q=[1, 0], step="0.05", until=1).q)
    single = m.run("rattle", q=np.float32([0.6, -0.8]), step="0.05", until=1)
    assert single["x"][0] == pytest.approx(np.float64(np.float32(0.6)), abs=1e-7)


def test_parameters_are_keywords_too():
    m = ex.model("pendulum")
    assert np.array_equal(m.run("rattle", g="1.62", step="0.05", until=1).q, m.run("rattle", set={"g": "1.62"}, step="0.05", until=1).q)
    assert m.stepper("rattle", g=3).parameter("g") == 3
    moon = ex.model("pendulum", g="1.62")
    assert m.modes(g="1.62").frequency == moon.modes().frequency and m.settle(g="1.62").multipliers == moon.settle().multipliers
    assert m.check("rattle", g="1.62").laws == moon.check("rattle").laws
    assert np.array_equal(m.orders("rattle", until=1, g="1.62")["rattle"].errors, moon.orders("rattle", until=1)["rattle"].errors)
    keys = dict(step="0.05", until=1)
    a, b = (one.compare("rattle", "spark(2)", **keys)["rattle"]["difference"] for one in (moon, m))
    assert m.compare("rattle", "spark(2)", g="1.62", **keys)["rattle"]["difference"] == a != b
    ends = dict(begin=[1, 0], end=[0, -1], step="0.05", until="0.5")
    assert np.array_equal(m.boundary("rattle", g="1.62", **ends).q, moon.boundary("rattle", **ends).q)
    assert m.long_time("rattle", g="1.62", **keys).watched == moon.long_time("rattle", **keys).watched


def test_positions_alone_start_at_rest():
    m = ex.model("double-four-bar")
    keys = dict(step="0.01", until="0.1")
    assert abs(m.run("rattle", **keys).v[0]).max() > 0.4  # of the model's own start
    assert abs(m.run("rattle", q=m.run("rattle", **keys).q[0], **keys).v[0]).max() == 0


def test_columns_side_by_side_and_some_of_them():
    m = ex.model("four-bar-spatial")
    run = m.run(step="0.01", until="0.1")
    assert np.array_equal(run[["t", "energy"]], np.stack([run.t, run.energy], 1))
    some = [name for name in run.names if name.startswith("reaction:P1:f")][:2]
    few = m.run(step="0.01", until="0.1", columns=[*some, "energy"])
    assert few.names == ["t", "energy", *some] and few.variable("reaction_force").shape == (11, 1, 2)
    assert np.array_equal(few.reaction_force[:, 0, :], run[some])


def test_an_accuracy_finds_the_step(tmp_path, pendulum):
    run = pendulum.run("spark(3)", q=[1, 0], until=2, accuracy=1e-9, outputs=20)
    found = run.accuracy
    steps = found["steps"]
    assert float(found["wanted"]) == 1e-9 and found["predicted"] <= 5.0001e-10 and found["rounding"] < 1e-12
    assert [trial["steps"] for trial in found["trials"]][:3] == [32, 64, 128]
    assert run.figures["steps"] == steps and steps % 20 == 0 and len(run) == 21
    same = pendulum.run("spark(3)", q=[1, 0], step=run.provenance["step"], until=2, every=steps // 20)
    assert same.accuracy is None and np.array_equal(same.q, run.q)
    fine = pendulum.run("spark(4)", q=[1, 0], steps=4000, until=2, every=200)
    assert abs(run.q - fine.q).max() / abs(fine.q).max() < 1e-9
    run.save(tmp_path / "accurate.nc")
    kept = ex.open(tmp_path / "accurate.nc")
    assert kept.accuracy == found and kept.provenance["step"] == found["step"]
    assert np.array_equal(kept._data.problem().q, ["1", "0"])
    for bad, words in (({"accuracy": "1e-17"}, "attainable in double about"), ({"accuracy": 1e-6, "step": 0.1}, "expected one of them"),
                       ({"accuracy": 1e-6, "steps": 5}, "expected one of them"), ({"accuracy": 3}, "between 0 and 1")):
        with pytest.raises(ex.InputError, match=words):
            pendulum.run("spark(3)", q=[1, 0], until=2, **bad)


def test_trials_are_watched_and_interrupted(pendulum):
    def stop(step, steps, t):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        pendulum.run("rattle", q=[1, 0], until=2000, accuracy=1e-9, progress=stop)
    assert caught.value.run.status == "interrupted" and len(caught.value.run) == 0


def test_a_pace_follows_the_rate():
    s = ex.System("comet")
    ball = s.coordinates("x", "y")
    s.kinetic(ball, lambda q, v: v @ v / 2)
    s.potential(ball, lambda q: -1 / np.sqrt(q @ q))
    s.rate(ball, lambda q: np.sqrt(q @ q))
    comet = dict(q=["1.9", 0], v=[0, "sqrt(0.1/1.9)"], step="2*pi/100", until="20*pi")
    run = s.run("spark(3)", pace="symplectic", **comet)
    assert run.status == "complete" and abs(run["x"][-1] - 1.9) < 1e-7
    assert run["t"][-1] == pytest.approx(20 * np.pi, rel=1e-15)
    assert run.figures["energy_max_error"] < 1e-6 and s.run("spark(3)", **comet).figures["energy_max_error"] > 0.1
    with pytest.raises(ex.InputError, match="symplectic"):
        s.run("spark(3)", pace="fast", **comet)
    rows = s.run("spark(3)", pace="symplectic", outputs=8, **comet)
    assert rows["t"] == pytest.approx(np.linspace(0, 20 * np.pi, 9), rel=1e-15) and rows["x"][-1] == run["x"][-1]
    many = s.sweep("spark(3)", pace="symplectic", outputs=8, variables=("q", "energy"), **{**comet, "v": [[0, 0.3], [0, "sqrt(0.1/1.9)"]]})
    assert many.q.shape == (2, 9, 2) and many.status.values.tolist() == ["complete", "complete"]
    assert many.time.values == pytest.approx(rows["t"], rel=1e-15) and abs(many.q[1, :, 0].values - rows["x"]).max() < 1e-9
