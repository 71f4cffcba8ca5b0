"""Steppers in loops: torques that Python finds, and the same laws in the model."""
import copy
import os
import pickle
from fractions import Fraction

import extremal as ex
import numpy as np
import pytest
from conftest import root

robots = os.path.join(root, "tests", "data", "robots")


def arm(law):
    M = ex.Mechanism("arm", space="planar", u=0, k=40, d=6)
    M.gravity(0, "-9.81")
    bar = M.body("bar", mass=1, inertia="1/12", position=("1/2", 0))
    M.revolute("pivot", M.ground(0, 0), bar.at("-1/2", 0))
    M.joint_motor("motor", "pivot", law)
    return M


def held(robot, joint, gains, step, count, every, scheme):
    """The angle under a torque that is found anew before every step and held over it."""
    st = robot.stepper(scheme)
    angles = [st[f"{joint}.angle"]]
    for k in range(count):
        st.set(u=gains[0] * (0.3 - st[f"{joint}.angle"]) - gains[1] * st[f"v:{joint}.angle"])
        assert st.step(step), st.reason
        if (k + 1) % every == 0:
            angles.append(st[f"{joint}.angle"])
    return np.array(angles)


def extrapolated(motions):
    """What motions with steps h, h/2, h/4, ... tend to, if their errors are a series in h."""
    for k in range(1, len(motions)):
        motions = [fine + (fine - coarse) / (2**k - 1) for coarse, fine in zip(motions, motions[1:])]
    return motions[0]


def test_a_law_in_a_loop_is_the_law_of_the_model():
    """The torque is held over a step: the difference is of the order of the step, and in the limit none of the digits differs."""
    law = arm(lambda angle, rate, k, d: k * (0.3 - angle) - d * rate).run("spark(3)", step="0.01", until=1)["joint:pivot:angle"]
    loops = [held(arm(lambda angle, rate, u: u), "pivot", (40, 6), 1 / n, n, n // 100, "spark(3)") for n in (500, 1000, 2000, 4000, 8000)]
    errors = [abs(loop - law).max() for loop in loops]
    assert errors[0] < 0.02 and all(1.8 < a / b < 2.2 for a, b in zip(errors, errors[1:]))
    assert abs(extrapolated(loops) - law).max() < 1e-8 < errors[-1] / 1000


def four_bar(law, **inputs):
    robot = ex.import_robot(os.path.join(robots, "four_bar.urdf"))
    for name, value in inputs.items():
        robot.input(name, value)
    robot.joint_motor("motor", "A", law)
    return robot


def test_a_robot_with_a_loop_is_controlled():
    """A four-bar from URDF, closed by frames that coincide."""
    law = four_bar(lambda angle, rate: 40 * (0.3 - angle) - 4 * rate).run("spark(2)", step="0.0025", until="0.5", every=4)["joint:A:angle"]
    loops = [held(four_bar(lambda angle, rate, u: u, u=0), "A", (40, 4), 0.5 / n, n, n // 50, "spark(2)") for n in (200, 400, 800, 1600)]
    errors = [abs(loop - law).max() for loop in loops]
    assert errors[0] < 0.02 and all(1.7 < a / b < 2.3 for a, b in zip(errors, errors[1:]))
    assert abs(extrapolated(loops) - law).max() < 1e-6


@pytest.mark.parametrize("make, joint", [(arm, "pivot"), (four_bar, "A")], ids=["arm", "four-bar"])
def test_targets_of_a_loop_have_the_digits_of_the_file(make, joint):
    """The law is the drive's; its target is found in Python before every step, or is the same steps in time in the file."""
    file = make("40*(sin(floor(400*t)/50) - angle) - 6*angle'").run("spark(2)", step="0.0025", until="0.25", every=1)
    assert file.status == "complete" and file.figures["retries"] == 0
    st = make(lambda angle, rate, u: 40 * (u - angle) - 6 * rate, **({"u": 0} if make is four_bar else {})).stepper("spark(2)")
    found = [st[f"{joint}.angle"]]
    for k in range(100):
        st.set(u=np.sin(k / 50))
        assert st.step(0.0025), st.reason
        found.append(st[f"{joint}.angle"])
    law = file[f"joint:{joint}:angle"]
    assert abs(np.array(found) - law).max() < 1e-14 and abs(law).max() > 0.1


def test_the_formula_of_the_file_and_the_function_have_the_same_bits():
    text = arm("k*(3/10 - angle) - d*angle'").run("spark(2)", step="0.01", until=1)
    traced = arm(lambda angle, rate, k, d: k * (Fraction(3, 10) - angle) - d * rate).run("spark(2)", step="0.01", until=1)
    assert np.array_equal(text.q, traced.q)


def test_set_and_reset():
    st = arm(lambda angle, rate, u: u).stepper("spark(2)")
    first = st.q
    st.set(u="1/2")
    assert st.parameter("u") == 0.5 and st.step(0.01, 20)
    moved = st.q
    st.reset()
    assert np.array_equal(st.q, first) and st.parameter("u") == 0 and st.t == 0
    st.set(u=0.5)
    assert st.step(0.01, 20) and np.array_equal(st.q, moved)
    with pytest.raises(ex.InputError, match="number of bodies"):
        arm_of_mass = ex.Mechanism("m", space="planar", mass=2, u=0)
        bar = arm_of_mass.body("bar", mass="mass", inertia=1)
        arm_of_mass.revolute("pivot", arm_of_mass.ground(), bar)
        arm_of_mass.joint_motor("motor", "pivot", lambda angle, rate, u: u)
        arm_of_mass.stepper("rattle").set(mass=3)
    with pytest.raises(ex.InputError, match="unknown value"):
        st["nothing"]


def test_servos_springs_and_terms_on_joints():
    M = ex.Mechanism("arm", space="planar")
    bar = M.body("bar", mass=1, inertia="1/12", position=("1/2", 0))
    M.revolute("pivot", M.ground(0, 0), bar.at("-1/2", 0), coordinate=True, armature="0.1")
    M.servo("servo", "pivot", stiffness=30, damping=5, target=lambda t: 1 - np.exp(-t))
    M.joint_spring("spring", "pivot", stiffness=1)
    M.potential(M.coordinate("pivot"), lambda q: q[0] ** 4 / 4)
    M.force("wind", M.coordinates("bar.x", "bar.y"), lambda q, v: [-v[0] / 10, -v[1] / 10])
    M.observe("square", M.coordinate("pivot"), lambda q: q[0] ** 2)
    M.start_joint("pivot", position="0.1", rate=1)
    run = M.run("spark(2)", step="0.01", until=3)
    assert run.status == "complete" and run["joint:pivot:angle"][0] == pytest.approx(0.1)
    assert np.array_equal(run["square"], run["pivot.angle"] ** 2) and 0.7 < run["pivot.angle"][-1] < 1


def test_thermoelastic_networks(tmp_path):
    M = ex.Mechanism("eight", space="planar")
    M.gravity(0, "-9.81")
    top = M.support("ceiling", [lambda t: np.sin(2 * t) / 8, 0])
    m = M.thermoelastic_mass("m", mass=2, position=(0, -1))
    M.thermoelastic_spring("s", top, m, stiffness=100, coupling="0.02", capacity="0.05", temperature=310)
    run = M.run(step="0.001", until="0.1")
    assert run.status == "complete" and np.isfinite(run.energy).all()
    M.save(str(tmp_path / "eight.toml"))
    assert np.array_equal(ex.model(str(tmp_path / "eight.toml")).run(step="0.001", until="0.1").q, run.q)


def test_robots_are_models_too():
    m = ex.model(os.path.join(robots, "arm.urdf"))
    assert any("limits" in note for note in m.notes) and m.run("rattle", step="0.001", until="0.01").status == "complete"


def test_a_stepper_looks_ahead_and_returns(pendulum):
    """To the bit, with its parameters; so do copies, which are motions of their own."""
    for make, scheme in ((lambda: pendulum.stepper("spark(2)", q=[1, 0]), ""), (lambda: arm(lambda angle, rate, u: u).stepper("spark(2)"), "")):
        st = make()
        assert st.step(0.01, 7), scheme
        name = "g" if "g" in dict(pendulum.parameters) and st._problem.name == "pendulum" else "u"
        saved, before = st.save(), st.parameter(name)
        other = copy.copy(st)
        st.set(**{name: 3.5})
        assert st.step(0.01, 20)
        ahead = st.q
        st.restore(saved)
        assert st.parameter(name) == before and st.t == other.t and np.array_equal(st.q, other.q)
        for one in (st, other, copy.deepcopy(other)):
            one.set(**{name: 3.5})
            assert one.step(0.01, 20) and np.array_equal(one.q, ahead)
        another = make()
        another.restore(saved)
        assert another.t == pytest.approx(0.07)
    with pytest.raises(ex.InputError, match="expected what save"):
        st.restore(3)
    with pytest.raises(ex.InputError, match="expected"):
        st.restore(pendulum.stepper("rattle", q=[1, 0]).save())
    with pytest.raises(TypeError, match="cannot be pickled; expected its system"):
        pickle.dumps(st)
    assert repr(st).startswith("Stepper of arm at t = ")


def test_reset_to_another_start(pendulum):
    st = pendulum.stepper("spark(2)", q=[1, 0])
    st.set(g=1)
    st.step(0.01, 3)
    st.reset(q=["0.6", "-0.8"], v=[1.6, 1.2], t=2)
    fresh = pendulum.stepper("spark(2)", q=["0.6", "-0.8"], v=[1.6, 1.2], t=2)
    assert st.t == 2 and st.parameter("g") == 9.81 and st.step(0.01, 5) and fresh.step(0.01, 5) and np.array_equal(st.q, fresh.q)
    with pytest.raises(ex.InputError, match="rod"):
        st.reset(q=[3, 3])
    assert np.array_equal(st.q, [1, 0]) and st.step(0.01)  # where it is afterwards
    st.reset(v=[0, 1])
    assert np.array_equal(st.q, [1, 0]) and st["v:y"] == 1
    M = arm(lambda angle, rate, u: u).stepper("spark(2)")
    M.reset(start={"v:bar.y": 1})
    assert M["v:pivot.angle"] != 0
