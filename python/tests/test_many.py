"""Steps, sweeps, laws, references."""
import random

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
                        (dict(q=[1, 0], set={"gg": [1.0, 2.0]}), "gg"), (dict(q=[1, 0], set={"g": [1.0, float("nan")]}), "not finite"),
                        (dict(q=[1, 0], set={"g": [1.0], "m": [1.0, 2.0]}), "one number per run"),
                        (dict(q=[1, 0], set={"g": [1.0]}, variables=("qq",)), "qq")):
        with pytest.raises(ex.InputError, match=words):
            pendulum.sweep("rattle", step="0.01", until=1, **keys)


def test_a_start_that_is_refused_is_a_status(pendulum):
    pytest.importorskip("xarray")
    many = pendulum.sweep("rattle", q=np.array([[1.0, 0.0], [5.0, 5.0]]), step="0.01", until=1)
    assert list(many.status.values) == ["complete", "refused"] and "rod" in str(many.reason.values[1])
    assert np.isnan(many.q[1]).all()


def test_random_calls_end_with_a_result_or_a_python_exception(pendulum):
    draw = random.Random(4)
    numbers = [0, 1, -1, "1/2", "x", None, [], [1, 0], [1, 0, 0], float("inf"), "0.01", {}, (0.6, -0.8), True]
    st = pendulum.stepper("rattle", q=[1, 0])
    calls = [
        lambda a, b: pendulum.run(draw.choice(["rattle", "spark(2)", "nothing", ""]), q=a, v=b, step="0.05", until="0.1"),
        lambda a, b: pendulum.run("rattle", q=[1, 0], step=a, until=b, every=100),
        lambda a, b: st.step(a), lambda a, b: st.set(g=a), lambda a, b: st.place(0, a, b), lambda a, b: st.tangent(),
        lambda a, b: pendulum.stepper("rattle", q=a, p=b), lambda a, b: ex.model(a), lambda a, b: ex.open(a),
        lambda a, b: pendulum.run("rattle", q=[1, 0], step="0.05", until="0.1")[a], lambda a, b: ex.System("s", a=a).coordinates(b),
    ]
    ended = 0
    for _ in range(1000):
        try:
            draw.choice(calls)(draw.choice(numbers), draw.choice(numbers))
        except (ValueError, TypeError, OSError, OverflowError):
            pass
        ended += 1
    assert ended == 1000
