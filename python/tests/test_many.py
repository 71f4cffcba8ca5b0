"""Steps, sweeps, laws, references."""
import io
import sys
import threading
from fractions import Fraction

import extremal as ex
import numpy as np
import pytest


def test_steps_are_those_of_the_run(pendulum):
    st = pendulum.stepper("spark(2)", q=[1, 0])
    run = pendulum.run("spark(2)", q=[1, 0], step="0.01", until=1)
    assert st.step(0.01, 100) and np.array_equal(st.q, run.q[-1]) and np.array_equal(st.p, run.p[-1])
    assert st.t == run.t[-1] and st.observe()["energy"] == run.energy[-1]


def test_the_tangent_is_symplectic():
    s = ex.System("oscillator")
    x = s.coordinates("x", "y")
    s.kinetic(x, lambda q, v: v @ v / 2)
    s.potential(x, lambda q: np.cos(q[0]) + (q @ q) ** 2)
    st = s.stepper("spark(3)", q=[1, 0.5])
    assert st.step(0.1)
    t, j = st.tangent(), np.block([[np.zeros((2, 2)), np.eye(2)], [-np.eye(2), np.zeros((2, 2))]])
    assert np.allclose(t.T @ j @ t, j, atol=1e-12)


def test_parameters_of_a_motion_are_set(pendulum):
    st = pendulum.stepper("rattle", q=[1, 0])
    st.step(0.01, 10)
    q = st.q
    st.set(g=0)
    assert np.array_equal(st.q, q) and st.step(0.01)
    assert st["x"] == st.q[0] and st["v:y"] == st.v[1] and st["p:y"] == st.p[1] and st["t"] == st.t
    with pytest.raises(ex.InputError):
        st.set(gg=1)
    with pytest.raises(ex.InputError, match="expected 2"):
        st.place(0, [1], [0])


def test_check(pendulum):
    c = pendulum.check("rattle", q=["0.6", "-0.8"], v=["1.6", "1.2"])
    assert c.holds and c.laws["symplecticity"].measured == "yes" and "order of q" in repr(c)


def test_schemes_and_citations():
    assert "rattle" in ex.schemes() and "pendulum" in ex.models()
    assert any("Andersen" in r.bibtex for r in ex.cite("rattle"))


@pytest.mark.parametrize("threads", [1, 2])
def test_a_sweep_has_the_bits_of_single_runs(pendulum, threads):
    pytest.importorskip("xarray")
    g = np.linspace(9, 10, 40)
    angle = np.linspace(-1, 0, 40)
    q = np.stack([np.cos(angle), np.sin(angle)], 1)
    many = pendulum.sweep("rattle", q=q, set={"g": g}, step="0.01", until=1, every=10, variables=("q", "energy"), threads=threads)
    assert many.q.dims == ("run", "time", "coordinate") and many.q.shape == (40, 11, 2)
    for k in (0, 17, 39):
        one = pendulum.run("rattle", q=q[k], set={"g": g[k]}, step="0.01", until=1, every=10)
        assert np.array_equal(many.q[k], one.q) and np.array_equal(many.energy[k], one.energy)
    assert set(many.status.values) == {"complete"}


def test_a_sweep_over_a_model_reads_it_again(tmp_path):
    pytest.importorskip("xarray")
    m = ex.model("pendulum")
    g = [1.62, 9.81]
    many = m.sweep("rattle", set={"g": g}, step="0.05", until=1)
    for k in range(2):
        assert np.array_equal(many.q[k], m.run("rattle", set={"g": g[k]}, step="0.05", until=1).q)


def test_mistakes_of_sweeps(pendulum):
    pytest.importorskip("xarray")
    for keys, words in ((dict(q=[1, 0]), "no arrays"), (dict(q=np.zeros((3, 3))), "expected 2"),
                        (dict(q=[1, 0], set={"gg": [1.0, 2.0]}), "gg"), (dict(q=[1, 0], gg=[1.0, 2.0]), "gg"), (dict(q=[1, 0], set={"g": [1.0, float("nan")]}), "not finite"),
                        (dict(q=[1, 0], set={"g": [1.0], "m": [1.0, 2.0]}), "one number per run"),
                        (dict(q=[1, 0], set={"g": [1.0]}, variables=("qq",)), "qq"), (dict(q=np.zeros((0, 2))), "without numbers"),
                        (dict(q=[1, 0], g=np.ones((2, 2))), "2 dimensions"), (dict(q=[1, 0], g=["a", "b"]), "no array of numbers")):
        with pytest.raises(ex.InputError, match=words):
            pendulum.sweep("rattle", step="0.01", until=1, **keys)


@pytest.mark.parametrize("keys, words", [
    (dict(precision="quad"), "precision quad.*only single runs"), (dict(accuracy=1e-6), "accuracy"), (dict(pace="reversible", step="0.01"), "reversible pace and rows of every.*try outputs=100"),
    (dict(at=["0.5"], step="0.01"), "found at"), (dict(threads="x", step="0.01"), "threads: found 'x'; expected a whole number"), (dict(threads=0, step="0.01"), "threads: found 0"),
    (dict(variables=("q", "qq"), step="0.01"), "unknown variable \"qq\""), (dict(variables=3, step="0.01"), "variables|not iterable"),
    (dict(columns=["x"], step="0.01"), "found columns.*expected variables"), (dict(error_estimate=True, step="0.01"), "has none"),
    (dict(g=[[1.0, 2.0], [3.0]], step="0.01"), "different lengths"), (dict(q=[[1.0, 0.0], [0.6]], step="0.01"), "different lengths"), (dict(every=2.5, step="0.01"), "whole number"),
    (dict(v=[0, 0], p=np.zeros((2, 2)), step="0.01"), "v and p"), (dict(v=np.zeros((2, 2)), p=[0, 0], step="0.01"), "v and p"),
    (dict(start={"x": [1.0, 0.6]}, q=np.array([[1, 0], [0.6, -0.8]]), step="0.01"), 'found "x", and an array q'),
    (dict(start={"v:x": [0.0, 0.0]}, p=[0, 0], step="0.01"), "one kind"),
])
def test_what_a_sweep_cannot_keep_is_refused_before_it_runs(pendulum, keys, words):
    pytest.importorskip("xarray")
    calls = []
    with pytest.raises((ex.InputError, TypeError), match=words):
        pendulum.sweep("rattle", **{"q": [1, 0], "g": [1.0, 2.0], "until": 1, "progress": lambda *at: calls.append(at), **keys})
    assert calls == []


def test_threads_are_no_more_than_there_is_work_for(pendulum):
    pytest.importorskip("xarray")
    keys = dict(q=[1, 0], g=np.linspace(9, 10, 40), step="0.01", until="0.1")
    assert np.array_equal(pendulum.sweep("rattle", threads=100000, **keys).q, pendulum.sweep("rattle", threads=1, **keys).q)


def test_a_model_that_is_read_again_keeps_what_was_said(tmp_path):
    """Masses of bodies are numbers of the file: every run reads it with its own, with the start and the parameters of all."""
    pytest.importorskip("xarray")
    M = ex.Mechanism("bar", space="planar", m=1, w=2)
    bar = M.body("bar", mass="m", inertia="1/12", position=("1/2", 0), angular_velocity="w", velocity=(0, "w/2"))
    M.revolute("pivot", M.ground(0, 0), bar.at("-1/2", 0))
    M.spring("spring", M.ground(1, 1), bar.at("1/2", 0), stiffness=4)
    q, v = [0, "1/2", 0, 1, -1, 0], [0] * 6
    names = M.coordinate_names
    assert len(names) == 6, names
    for said in (dict(q=q, v=v), dict(start={f"v:{names[0]}": 0, f"v:{names[1]}": 0}), dict(w=3), {}):
        many = M.sweep("rattle", set={"m": [1.0, 2.0, 3.0]}, step="0.01", until="0.2", **said)
        assert set(many.status.values) == {"complete"}
        for k, m in enumerate((1, 2, 3)):
            assert np.array_equal(many.q[k], M.run("rattle", m=m, step="0.01", until="0.2", **said).q), said
    place = str(tmp_path / "timed.toml")
    M.save(place, "rattle", step="m/100", until="m/5")
    timed = ex.model(place).sweep(set={"m": [1.0, 2.0]})
    assert timed.t.shape == (2, 21) and timed.t[0, -1] == pytest.approx(0.2) and timed.t[1, -1] == pytest.approx(0.4)
    assert np.array_equal(timed.q[1], ex.model(place, m=2).run().q)
    M.save(place, "rattle", step="0.01", until="m/5")  # the same times, and then some
    timed = ex.model(place).sweep(set={"m": [1.0, 2.0]})
    assert timed.time.shape == (41,) and np.isnan(timed.q[0, 21:]).all() and np.isfinite(timed.q[1]).all()


def test_columns_of_the_model_are_not_those_of_a_sweep(tmp_path):
    """Its rows were once taken for others than they were."""
    pytest.importorskip("xarray")
    place = tmp_path / "few.toml"
    place.write_text(ex.model("pendulum").text.replace("[run]", '[run]\ncolumns = ["energy"]'), encoding="utf-8")
    keys = dict(g=[1.0, 2.0], step="0.05", until=1, variables=("q", "energy"))
    few, all_of_them = ex.model(place).sweep("rattle", **keys), ex.model("pendulum").sweep("rattle", **keys)
    assert np.array_equal(few.q, all_of_them.q) and np.array_equal(few.energy, all_of_them.energy)


def test_times_that_differ_are_those_of_runs():
    pytest.importorskip("xarray")
    many = ex.model("pendulum").sweep("rattle", start={"t": [0.0, 0.5]}, step="0.1", until=1)
    assert "time" not in many.coords and many.t.shape == (2, 11) and many.t[1, 0] == 0.5 and np.isnan(many.t[1, 6:]).all()


def test_a_parameter_that_is_named_like_a_variable():
    pytest.importorskip("xarray")
    s = ex.System("s", energy=2, time=1)
    x = s.coordinates("x")
    s.kinetic(x, lambda q, v: v @ v / 2)
    s.potential(x, lambda q, energy, time: energy * time * q @ q)
    many = s.sweep("rattle", q=[1], set={"energy": [1.0, 2.0], "time": [1.0, 2.0]}, variables="energy", step="0.1", until=1)
    assert many.energy.shape == (2, 11) and many["parameter energy"].values.tolist() == [1, 2] and many.time.shape == (11,)


def test_a_start_that_is_refused_is_a_status(pendulum):
    pytest.importorskip("xarray")
    many = pendulum.sweep("rattle", q=np.array([[1.0, 0.0], [5.0, 5.0]]), step="0.01", until=1)
    assert list(many.status.values) == ["complete", "refused"] and "rod" in str(many.reason.values[1])
    assert np.isnan(many.q[1]).all()


def test_parameters_of_sweeps_are_keywords(pendulum):
    pytest.importorskip("xarray")
    g = np.linspace(9, 10, 4)
    many = pendulum.sweep("rattle", q=[1, 0], g=g, m=1, step="0.01", until="0.1")
    one = pendulum.run("rattle", q=[1, 0], set={"g": g[2], "m": 1}, step="0.01", until="0.1")
    assert np.array_equal(many.q[2], one.q) and np.array_equal(many.g, g)


def test_studies_return_data_and_draw(pendulum):
    pytest.importorskip("matplotlib")
    start = dict(q=["0.6", "-0.8"], v=["1.6", "1.2"])
    orders = pendulum.orders("rattle", "spark(2)", until="0.5", **start)
    assert orders.holds and abs(orders["rattle"].slopes[0] - 2) < 0.25 and orders["spark(2)"].errors.shape == (4, 3)
    assert "slopes" in repr(orders) and len(orders.plot().lines) == 2
    work = pendulum.work_precision("rattle", until="0.5", repetitions=1, **start)
    assert work["rattle"][0].error > work["rattle"][-1].error and work.plot().get_xlabel() == "seconds"
    long = pendulum.long_time("rattle", step="0.01", until=10, **start)
    assert long.steps == 1000 and long.watched["energy"]["largest"] < 1e-2 and len(long.plot().lines) == 1
    compared = pendulum.compare("rattle", "spark(3)", step="0.01", until=1, **start)
    assert compared["spark(3)"]["difference"] < compared["rattle"]["difference"] and "rattle" in repr(compared) and compared.plot()
    assert pendulum.check("rattle", **start).plot().get_xscale() == "log"
    assert compared.baselines == [] and compared.left_out == {} and work.baselines == {}
    with pytest.raises(ex.InputError, match="expected names"):
        pendulum.orders()


def test_studies_have_baselines_beside_schemes(pendulum):
    pytest.importorskip("matplotlib")
    start = dict(q=["0.6", "-0.8"], v=["1.6", "1.2"])
    known = {one.name: one for one in ex.baselines()}
    with pytest.raises(ex.InputError, match="did you mean"):
        pendulum.compare("rattle", "spark(3)", baselines=["odeint(rkf87)"], **start)
    with pytest.raises(ex.InputError, match="tolerances"):
        pendulum.compare("rattle", "spark(3)", baselines="all", tolerances=[1e-9, 1e-6], **start)
    for one in known.values():
        if not one.built:
            with pytest.raises(ex.InputError, match=one.package):
                pendulum.compare("rattle", "spark(3)", baselines=[one.name], **start)
    built = [one.name for one in known.values() if one.built]
    compared = pendulum.compare("rattle", "spark(3)", baselines="all", tolerances=[1e-6, 1e-9], step="0.01", until=1, **start)
    assert [row["baseline"] for row in compared.baselines[::2]] == built and set(compared.left_out) == set(known) - set(built)
    for coarse, fine in zip(compared.baselines[::2], compared.baselines[1::2]):
        assert coarse["status"] == "complete" and not coarse["variational"] and fine["energy_error"] < coarse["energy_error"]
    assert "rattle" in repr(compared) and repr(compared).count("not variational") == 2 * len(built) and compared.plot()
    work = pendulum.work_precision("rattle", until=2, steps=[5, 10], repetitions=1, baselines=built, tolerances=[1e-5, 1e-10], **start)
    assert list(work.baselines) == built and len(work.plot().lines) == 1 + len(built)
    for points in work.baselines.values():
        assert points[0].error > points[1].error > 0 and points[1].seconds > 0 and points[0].failure == ""


def test_boundary_values(pendulum):
    path = pendulum.boundary("spark(2)", begin=[1, 0], end=[0, -1], step="0.01", until="0.5")
    assert path.converged and np.allclose(path.q[0], [1, 0]) and np.allclose(path.q[-1], [0, -1]) and path.plot("x", "y")
    run = pendulum.run("spark(2)", q=path.q[0], p=path.p[0], step="0.01", until="0.5")
    assert np.allclose(run.q, path.q, atol=1e-9)


def test_a_stepper_in_another_thread_is_a_stepper():
    """Each thread with one of its own; the library keeps the lock of Python for short calls and gives it away for long ones."""
    m, found = ex.model("pendulum"), {}

    def go(k):
        st = m.stepper("rattle")
        found[k] = (st.step(0.01, 500), tuple(st.q))

    crew = [threading.Thread(target=go, args=(k,)) for k in range(4)]
    for one in crew:
        one.start()
    for one in crew:
        one.join()
    assert len(set(found.values())) == 1 and len(found) == 4


def test_progress_is_shown_in_a_terminal(pendulum, monkeypatch):
    shown = io.StringIO()
    monkeypatch.setattr(shown, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys, "stderr", shown)
    pendulum.run("rattle", q=[1, 0], step="0.0001", until=40, every=100000, progress=True)
    assert "%" in shown.getvalue() and shown.getvalue().endswith("\r")


def test_sweeps_take_what_people_have():
    pytest.importorskip("xarray")
    m = ex.model("pendulum")
    first = m.sweep("rattle", g=[1.0, 2.0], step="0.05", until=1).q
    kinds = [range(1, 3), np.array([1, 2], dtype=np.float32), ("1", "4/2"), [Fraction(1), 2]]
    try:
        import pandas

        kinds.append(pandas.Series([1, 2]))
        assert np.array_equal(m.sweep("rattle", set=pandas.DataFrame({"g": [1, 2]}), step="0.05", until=1).q, first)
    except ImportError:
        pass
    assert all(np.array_equal(m.sweep("rattle", g=g, step="0.05", until=1).q, first) for g in kinds)
    assert m.sweep("rattle", g=[1, 2], step="0.05", until=1, variables="energy").energy.shape == (2, 21)
    s = ex.System("oscillator")
    x = s.coordinates("x")
    s.kinetic(x, lambda q, v: v @ v / 2)
    s.potential(x, lambda q: q @ q / 2)
    assert s.sweep("rattle", q=[0.1, 0.2, 0.3], step="0.05", until=1).q.shape == (3, 21, 1)  # of one coordinate


def test_ctrl_c_keeps_the_runs_of_a_sweep_so_far(pendulum):
    pytest.importorskip("xarray")

    def stop(done, count, _):
        if done > 0:
            raise KeyboardInterrupt

    q = np.tile([1.0, 0.0], (20000, 1))
    with pytest.raises(KeyboardInterrupt) as caught:
        pendulum.sweep("rattle", q=q, step="0.001", until=1, every=100, progress=stop)
    many = caught.value.sweep
    done = many.status.values == "complete"
    assert 0 < done.sum() < 20000 and set(many.status.values) == {"complete", "interrupted"}
    assert np.isfinite(many.q.values[done]).all() and np.isnan(many.q.values[~done][:, -1]).all()
