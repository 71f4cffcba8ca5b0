"""Whatever is called, in whatever order and with whatever values: a result or an exception of Python, never a crash."""
import copy
import os
import pickle
import random
import signal
import subprocess
import sys
import threading

import extremal as ex
import numpy as np
import pytest

values = [0, 1, -1, 2.5, "1/2", "x", "", None, [], [1, 0], [1, 0, 0], (0.6, -0.8), float("inf"), float("nan"), "0.01", {}, {"x": 1}, True,
          np.float32(0.1), np.array([1, 0]), np.array([[1.0, 0.0], [0.0, -1.0]]), np.zeros(0), np.array(["a", "b"]), 10**400, b"x", 1j, object(),
          lambda q: q @ q, lambda q, v: v @ v, lambda: 1, "rod", "y", ["x", "y"], "rattle", ("x", "y"), range(2)]
short = dict(step="0.05", until="0.1")
ramp = ex.table([0, 1], [0, 2])


def pendulum():
    s = ex.System("pendulum", m=2, g="9.81")
    ball = s.coordinates("x", "y")
    s.kinetic(ball, lambda q, v, m: m / 2 * (v @ v))
    s.potential(ball, lambda q, m, g: m * g * q[1])
    s.constraint("rod", ball, lambda q: q @ q - 1)
    return s, ball


def bar():
    M = ex.Mechanism("bar", space="planar", u=0)
    body = M.body("bar", mass=1, inertia="1/12", position=("1/2", 0))
    M.revolute("pivot", M.ground(0, 0), body.at("-1/2", 0))
    M.joint_motor("motor", "pivot", lambda angle, rate, u: u - rate)
    return M, body


makers = [
    lambda a, b: pendulum()[0], lambda a, b: bar()[0], lambda a, b: ex.model("pendulum"), lambda a, b: ex.System(a, k=b),
    lambda a, b: ex.Mechanism("m", space=a), lambda a, b: ex.model(a, g=b), lambda a, b: ex.import_robot(a), lambda a, b: ex.open(a),
    lambda a, b: pendulum()[0].run("rattle", q=[1, 0], **short), lambda a, b: pendulum()[0].stepper("rattle", q=[1, 0]),
    lambda a, b: bar()[0].stepper("spark(2)"), lambda a, b: bar()[0].run("rattle", archive="run.nc", **short),
    lambda a, b: ex.open("run.nc"), lambda a, b: ex.cite(a), lambda a, b: pendulum()[0].settle(q=[1, 0]), lambda a, b: bar()[0].modes(),
    lambda a, b: pendulum()[0].sweep("rattle", q=[1, 0], g=[1.0, 2.0], **short),
    lambda a, b: pendulum()[0].boundary("rattle", begin=[1, 0], end=[0, -1], **short), lambda a, b: ex.table(a, b), lambda a, b: ex.table([0, 1], a, between=b),
    lambda a, b: ex.model("pendulum").mechanism(), lambda a, b: ex.import_robot(a, limits=b),
]
runnable = [
    lambda o, a, b: o.run(a, q=b, **short), lambda o, a, b: o.run("rattle", q=[1, 0], step=a, until=b), lambda o, a, b: o.run(**short),
    lambda o, a, b: o.run("rattle", start=a, set=b, **short), lambda o, a, b: o.run("rattle", columns=a, at=b, **short),
    lambda o, a, b: o.run("rattle", precision=a, every=b, **short), lambda o, a, b: o.run("rattle", progress=a, slack=b, **short),
    lambda o, a, b: o.stepper(a, q=b), lambda o, a, b: o.sweep("rattle", q=a, g=b, **short), lambda o, a, b: o.sweep("rattle", set={"g": a}, v=b, **short),
    lambda o, a, b: o.boundary("rattle", begin=a, end=b, **short), lambda o, a, b: o.compare(a, q=b, **short),
    lambda o, a, b: o.settle(q=a, set=b), lambda o, a, b: o.modes(q=a, start=b), lambda o, a, b: o.save("own.toml", q=a, step=b),
    lambda o, a, b: o.area("rattle", box={"x": a, "y": b}, looks=1, **short), lambda o, a, b: repr(o), lambda o, a, b: o.text,
    lambda o, a, b: o.sweep("rattle", q=[1, 0], g=[1.0, 2.0], threads=a, variables=b, **short), lambda o, a, b: o.sweep("rattle", start=a, g=b, threads=3, **short),
    lambda o, a, b: o.sweep("rattle", q=[1, 0], g=[1.0, 2.0], pace=a, precision=b, **short), lambda o, a, b: o.run("rattle", q=[1, 0], pace=a, until="0.1", step="0.05"),
    lambda o, a, b: o.run("rattle", pace="reversible", q=b, **short), lambda o, a, b: o.check(a, step=b), lambda o, a, b: o.check("rattle", g=a),
    lambda o, a, b: o.orders("rattle", steps=a, until="0.1", q=[1, 0]), lambda o, a, b: o.export(a, b), lambda o, a, b: o.boundary("rattle", begin=[1, 0], end=[0, -1], guess=a, **short),
    lambda o, a, b: copy.deepcopy(o).run("rattle", q=a, **short), lambda o, a, b: pickle.loads(pickle.dumps(o)).run(q=a, **short),
]
methods = {
    ex.Model: [*runnable, lambda o, a, b: o.mechanism(), lambda o, a, b: o.setup],
    ex.System: [*runnable, lambda o, a, b: o.coordinates(a), lambda o, a, b: o.coordinates("u", "w"), lambda o, a, b: o.kinetic(a, b),
                lambda o, a, b: o.potential(pendulum()[1], a), lambda o, a, b: o.potential(o.coordinates("r"), lambda q: ramp(q[0])),
                lambda o, a, b: o.rate(o.coordinates("s"), a), lambda o, a, b: o.constraint(a, o.coordinates("z"), b), lambda o, a, b: o.parameter(a, b),
                lambda o, a, b: o.force(a, o.coordinates("f"), b), lambda o, a, b: o.observe(a, o.coordinates("h"), b),
                lambda o, a, b: o.picture(points={"p": a}, links=b), lambda o, a, b: o.symmetry(a, b, a), lambda o, a, b: o.hamiltonian(a, b)],
    ex.Mechanism: [*runnable, lambda o, a, b: o.body(a, mass=b), lambda o, a, b: o.revolute(a, o.ground(), b), lambda o, a, b: o.gravity(a, b),
                   lambda o, a, b: o.joint_motor("n", a, b), lambda o, a, b: o.part(a, b), lambda o, a, b: o.spring("s", o.ground(), o.ground(), length=a),
                   lambda o, a, b: o.start_joint(a, position=b), lambda o, a, b: o.coordinate(a), lambda o, a, b: o.force("f", a, b),
                   lambda o, a, b: o.rod("r", elements=a, section=b), lambda o, a, b: o.servo("v", a, 1, target=b), lambda o, a, b: o.input(a, b),
                   lambda o, a, b: o.gear("gear", a, b), lambda o, a, b: o.support(a, b), lambda o, a, b: o.thermostat(a, b)],
    ex.Table: [lambda o, a, b: o(a), lambda o, a, b: pickle.loads(pickle.dumps(o))(0.5), lambda o, a, b: repr(o), lambda o, a, b: o(np.array([0.5, 2]))],
    ex.Coordinates: [lambda o, a, b: o + a, lambda o, a, b: list(o), lambda o, a, b: o[0], lambda o, a, b: len(o), lambda o, a, b: repr(o)],
    ex.Run: [lambda o, a, b: o[a], lambda o, a, b: o.poses(), lambda o, a, b: o.gltf("bar.gltf"), lambda o, a, b: o.plot(a, b), lambda o, a, b: o.variable(a), lambda o, a, b: o.exact("x", a), lambda o, a, b: o.exact(a, b), lambda o, a, b: o.q[a],
             lambda o, a, b: o.save(a), lambda o, a, b: o.save("later.nc"), lambda o, a, b: pickle.loads(pickle.dumps(o)).q, lambda o, a, b: copy.copy(o),
             lambda o, a, b: o.to_xarray(), lambda o, a, b: o.figures, lambda o, a, b: o.provenance, lambda o, a, b: repr(o), lambda o, a, b: a in o,
             lambda o, a, b: ex.resume("run.nc"), lambda o, a, b: o.nothing, lambda o, a, b: len(o)],
    ex.Stepper: [lambda o, a, b: o.step(a), lambda o, a, b: o.step(0.01, a), lambda o, a, b: o.step(a, 200), lambda o, a, b: o.set(g=a),
                 lambda o, a, b: o.set(u=a, m=b), lambda o, a, b: o.place(a, b, b), lambda o, a, b: o.place(0, a, b), lambda o, a, b: o.tangent(),
                 lambda o, a, b: o.observe(), lambda o, a, b: o[a], lambda o, a, b: o.parameter(a), lambda o, a, b: o.reset(), lambda o, a, b: (o.t, o.q, o.v, o.p),
                 lambda o, a, b: o.step(0.01), lambda o, a, b: o.step(1e-300), lambda o, a, b: o.step(1e300), lambda o, a, b: pickle.dumps(o)],
}
own = (ex.InputError, ex.StudyError)


def is_clear(error):
    """One of the package's own; a wrong number of arguments, or an operator without meaning; or what arrays, files and attributes of Python say."""
    if isinstance(error, own):
        return bool(str(error))
    if isinstance(error, TypeError):
        return "incompatible function arguments" not in str(error)  # that is the module's, which the package has to come before
    return isinstance(error, (OSError, AttributeError, IndexError)) or type(error) is KeyError


def sequence(seed):
    """How many of some calls on one object and on what they return came to a result, and what came up that is not clear."""
    draw, fine = random.Random(seed), 0
    try:
        subject = draw.choice(makers)(draw.choice(values), draw.choice(values))
    except Exception as error:
        return 0, [] if is_clear(error) else [(seed, repr(error))]
    for _ in range(draw.randint(2, 6)):
        calls = next((calls for kind, calls in methods.items() if isinstance(subject, kind)), None)
        if calls is None:
            repr(subject)
            return fine, []
        try:
            found = draw.choice(calls)(subject, draw.choice(values), draw.choice(values))
        except Exception as error:
            if not is_clear(error):
                return fine, [(seed, repr(error))]
            continue
        fine += 1
        if isinstance(found, (ex.Run, ex.Stepper, ex.Coordinates)) and draw.random() < 0.5:
            subject = found
    return fine, []


@pytest.mark.filterwarnings("ignore")
def test_a_thousand_random_sequences_of_calls(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = [sequence(seed) for seed in range(1000)]
    assert [one for _, unclear in found for one in unclear] == []
    assert sum(fine for fine, _ in found) > 500  # otherwise nothing but refusals was tested


def test_two_threads_at_one_stepper_are_told(pendulum):
    st = pendulum.stepper("rattle", q=[1, 0])
    thread = threading.Thread(target=st.step, args=(1e-4, 3000000))
    thread.start()
    said = ""
    while thread.is_alive() and not said:
        try:
            st.set(g=1)
        except RuntimeError as error:
            said = str(error)
    thread.join()
    assert "another thread steps it" in said and st.step(1e-4)


def test_ctrl_c_ends_many_steps_after_one_of_them(pendulum):
    st = pendulum.stepper("rattle", q=[1, 0])
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        st.step(1e-4, 2**31 - 1)
    assert st.t > 0 and abs(st.q @ st.q - 1) < 1e-12 and st.step(1e-4)


def test_copies_and_pickles(tmp_path):
    s, ball = pendulum()
    run = s.run("rattle", q=[1, 0], **short)
    other = copy.deepcopy(s)
    other.potential(ball, lambda q: q[0])  # coordinates are those of the copy, too
    assert not np.array_equal(other.run("rattle", q=[1, 0], **short).q, run.q)
    assert np.array_equal(s.run("rattle", q=[1, 0], **short).q, run.q)
    assert np.array_equal(pickle.loads(pickle.dumps(s)).run("rattle", q=[1, 0], **short).q, run.q)
    with pytest.raises(ex.InputError, match="coordinates of this system"):
        pendulum()[0].potential(ball, lambda q: q[0])
    fine = s.run("rattle", q=[1, 0], precision="quad", **short)
    again = pickle.loads(pickle.dumps(fine))
    assert again.exact("x") == fine.exact("x") and again.names == fine.names and np.array_equal(again.energy, fine.energy)
    assert pickle.loads(pickle.dumps(again)).exact("x") == fine.exact("x") and copy.deepcopy(fine) is fine
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer)(0.25))"  # the tables of another process are its own
    path = os.pathsep.join(p for p in sys.path if p)
    out = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(ramp), capture_output=True, check=True, env={**os.environ, "PYTHONPATH": path})
    assert float(out.stdout) == ramp(0.25) == 0.5
    moon = pickle.loads(pickle.dumps(ex.model("pendulum", g="1.62")))
    assert moon.parameters["g"] == "1.62"
