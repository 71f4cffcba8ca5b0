"""Mechanisms by the words of model files."""
import inspect
import json
import os
import subprocess

import extremal as ex
import numpy as np
import pytest
from conftest import root

program = os.path.join(root, "build", "release", "extremal")


def double_four_bar():
    M = ex.Mechanism("double-four-bar", space="planar")
    M.gravity(0, "-9.81")
    bar = dict(mass=1, inertia="1/12")
    leg = [M.body(f"leg {i}", **bar, position=(i, "1/2"), angle="pi/2", velocity=("1/2", 0), angular_velocity=-1) for i in range(3)]
    top = [M.body(f"top {i}", **bar, position=(i + 0.5, 1), velocity=(1, 0)) for i in range(2)]
    for i, b in enumerate(leg):
        M.revolute(f"A{i}", M.ground(i, 0), b.at("-1/2", 0))
    for i, b in enumerate(top):
        M.revolute(f"B{i}", leg[i].at("1/2", 0), b.at("-1/2", 0))
        M.revolute(f"C{i}", leg[i + 1].at("1/2", 0), b.at("1/2", 0))
    return M


def test_the_double_four_bar_is_that_of_the_model():
    assert len(inspect.getsource(double_four_bar).splitlines()) <= 12  # the last of which would run it
    run = double_four_bar().run("spark(3)", step="0.01", until=1)
    model = ex.model("double-four-bar").run("spark(3)", step="0.01", until=1)
    assert run.status == "complete"
    assert np.allclose(run["leg 0.x"], model["bar 1.x"], rtol=0, atol=1e-10)
    assert np.allclose(run.energy, model.energy, rtol=0, atol=1e-9)


def test_loads_of_time_and_parameters(tmp_path):
    M = ex.Mechanism("crank", space="planar", w=2)
    bar = M.body("bar", mass=1, inertia="1/12", position=("1/2", 0))
    M.revolute("pivot", M.ground(0, 0), bar.at("-1/2", 0))
    M.motor("motor", M.ground(), bar, lambda t, w: np.sin(w * t))
    M.force("push", bar.at("1/2", 0), [0, lambda t: -np.exp(-t)])
    M.rotational_damper("bearing", M.ground(), bar, 0.1)
    M.spring("spring", M.ground(1, 1), bar.at("1/2", 0), stiffness=4, length="0.8")
    run = M.run("spark(2)", step="0.01", until=1)
    assert run.status == "complete" and abs(run.figures["supplied"]) > 0
    place = str(tmp_path / "crank.toml")
    M.save(place)
    assert np.array_equal(ex.model(place).run("spark(2)", step="0.01", until=1).q, run.q)
    other = M.run("spark(2)", step="0.01", until=1, set={"w": 3})
    assert not np.array_equal(other.q, run.q)


def test_joints_in_space_and_lie():
    M = ex.Mechanism("arm")
    M.gravity(0, 0, "-9.81")
    a = M.body("a", mass=1, inertia=("1/100", "1/12", "1/12"), position=("1/2", 0, 0))
    b = M.body("b", mass=1, inertia=("1/100", "1/12", "1/12"), position=("3/2", 0, 0))
    M.revolute("shoulder", M.ground(0, 0, 0), a.at("-1/2", 0, 0), axis=(0, 1, 0))
    M.spherical("elbow", a.at("1/2", 0, 0), b.at("-1/2", 0, 0))
    slow, quick = M.run("rattle", step="0.001", until="0.5"), M.run("lie(trapezoidal)", step="0.001", until="0.5")
    assert slow.status == quick.status == "complete"
    assert np.allclose(slow["b.z"], quick["b.z"], atol=1e-4)


def test_rods():
    M = ex.Mechanism("cantilever")
    beam = M.rod("beam", section=dict(shape="circle", E=1e7, G=4e6, density=1000, radius="0.01"), start=(0, 0, 0), end=(1, 0, 0),
                 elements=6, first="clamped")
    M.force("tip", beam.last, [0, 0, lambda t: -np.sin(t)])
    run = M.run("lie(trapezoidal)", step="auto", until="0.05", outputs=10)
    assert run.status == "complete" and run["beam.6.z"][-1] < 0
    with pytest.raises(ex.InputError, match="expected 0 to 6"):
        beam.node(7)


@pytest.mark.parametrize("bad, words", [
    (lambda M, b: M.joint("hinge", "h", M.ground(), b), "hinge"),
    (lambda M, b: M.part("bodyy", "x"), "bodyy"),
    (lambda M, b: M.body("bar", mass=-1), "bar|mass"),
    (lambda M, b: M.body("two", mas=1), "mas"),
    (lambda M, b: M.revolute("r", M.ground(0), b), "ground|two|components|2"),
])
def test_mistakes_have_the_texts_of_model_files(bad, words):
    M = ex.Mechanism("m", space="planar")
    b = M.body("bar", inertia=1)
    bad(M, b)
    with pytest.raises(ex.InputError, match=words):
        M.run("rattle", step="0.01", until=1)


def test_space_is_one_of_two():
    with pytest.raises(ex.InputError, match="planar or spatial"):
        ex.Mechanism("m", space="flat")


@pytest.mark.skipif(not os.path.exists(program), reason="the program is not built")
def test_every_part_of_model_files_is_a_word_here():
    said = json.loads(subprocess.run([program, "list", "parts", "--json"], capture_output=True, text=True, check=True).stdout)
    said = said.get("parts", said)
    words = [one["name"] for kind in ("joints", "loads") for one in said[kind]]
    assert len(words) > 20 and [word for word in words if not callable(getattr(ex.Mechanism, word, None))] == []
    for one in said["loads"]:
        keys = inspect.signature(getattr(ex.Mechanism, one["name"])).parameters
        if not any(p.kind == p.VAR_KEYWORD for p in keys.values()):
            assert set(one["optional"]) <= set(keys), one["name"]


def test_gears_limits_friction_and_given_motions_of_joints(tmp_path):
    M = ex.Mechanism("gearbox", space="planar")
    M.input("where", "1/2")
    wheel = M.body("wheel", inertia=2)
    pinion = M.body("pinion", inertia="1/2", position=(3, 0))
    hand = M.body("hand", inertia=1, position=(6, 0))
    M.revolute("A", M.ground(0, 0), wheel)
    M.revolute("B", M.ground(3, 0), pinion)
    M.revolute("C", M.ground(6, 0), hand)
    M.gear("teeth", "B", "A", ratio=-2)
    M.joint_limit("stop", "A", stiffness=1000, upper="1/4", damping="1/10")
    M.joint_friction("bearing", "B", friction="1/100")
    M.servo("servo", "A", stiffness=30, damping=5, integral=1, target=lambda where, t: where * (1 - np.exp(-t)))
    M.joint_drive("given", "C", lambda t: 1 - np.cos(t))
    run = M.run("spark(2)", step="0.01", until=3)
    assert run.status == "complete" and np.allclose(run["joint:B:angle"], -2 * run["joint:A:angle"], atol=1e-12)
    assert np.allclose(run["joint:C:angle"], 1 - np.cos(run.t), atol=1e-12) and 0.25 < run["joint:A:angle"].max() < 0.3
    st = M.stepper("spark(2)")
    st.set(where=0)
    assert st.step(0.01, 100) and abs(st["A.angle"]) < 1e-12
    place = str(tmp_path / "gearbox.toml")
    M.save(place)
    assert np.array_equal(ex.model(place).run("spark(2)", step="0.01", until=3).q, run.q)
    more = ex.model(place).mechanism()  # inputs of the file and of the program
    more.input("u")
    more.joint_motor("motor", "A", lambda angle, rate, u: u)
    assert np.array_equal(more.run("spark(2)", step="0.01", until=3)["joint:A:angle"], run["joint:A:angle"])


def test_bodies_of_parts():
    M = ex.Mechanism("hammer")
    M.gravity(0, 0, "-9.81")
    hammer = M.body("hammer", part=[dict(shape="cylinder", radius="0.015", length="0.3", density=700, at=(0, 0, "0.15"), colour="#a0703c"),
                                    dict(shape="box", size=("0.1", "0.03", "0.03"), density=7800, at=(0, 0, "0.3"))])
    M.revolute("hand", M.ground(), hammer.at(0, 0, 0), axis=(0, 1, 0))
    assert abs(M.settle()["hand.angle"]) == pytest.approx(np.pi)  # which way round it falls from the top is nobody's business
