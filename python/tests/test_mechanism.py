"""Mechanisms by the words of model files."""
import copy
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


def swinging(M, **keys):
    return M.run("rattle", step="0.01", until="0.5", every=1, **keys)


def test_laws_of_joints_have_angle_and_rate_first():
    M = ex.Mechanism("bar", space="planar", u=0)
    bar = M.body("bar", mass=1, inertia="1/12", position=("1/2", 0))
    M.revolute("pivot", M.ground(0, 0), bar.at("-1/2", 0))
    for law, word in ((lambda angle, u: u, "u"), (lambda t, angle: t, "t"), (lambda angle, t: np.sin(t), "t")):
        with pytest.raises(ex.TraceError, match=f'"{word}" in the place of .*; expected the angle'):
            M.joint_motor("motor", "pivot", law)
    M.joint_motor("motor", "pivot", lambda q, v, u: u - v)


def test_gravity_and_starts_of_what_is_added_to(tmp_path):
    """A model file stays one: nothing is there twice, and what is said anew holds."""
    M = ex.Mechanism("bar", space="planar")
    M.gravity(0, "-9.81")
    bar = M.body("bar", mass=1, inertia="1/12", position=("1/2", 0))
    M.revolute("pivot", M.ground(0, 0), bar.at("-1/2", 0))
    M.joint_damper("bearing", "pivot", "1/10")
    M.start_joint("pivot", rate=1)
    place = str(tmp_path / "bar.toml")
    M.save(place, "rattle", step="0.02", until=1)
    earth, moon = ex.model(place).mechanism(), ex.model(place).mechanism()
    assert np.array_equal(swinging(earth).q, swinging(M).q) and earth.space == "planar"
    moon.gravity(0, "-1.62")
    slow = copy.deepcopy(M)
    slow.gravity(0, "-1.62")
    assert np.array_equal(swinging(moon).q, swinging(slow).q) and not np.array_equal(swinging(moon).q, swinging(M).q)
    moon.start_joint("pivot", rate=2)
    assert swinging(moon)["v:joint:pivot:angle"][0] == pytest.approx(2)
    moon.save(place, step="0.05")
    again = ex.model(place)
    assert again.setup["step"] == "0.05" and again.setup["until"] == "1" and again.setup["scheme"] == "rattle"
    for table in ("[start]", "[run]", "gravity"):
        assert again.text.count(table) == 1


def test_terms_and_parameters_of_what_is_added_to(tmp_path):
    s = ex.System("own", k=3)
    xy = s.coordinates("x", "y")
    s.kinetic(xy, lambda q, v: v @ v / 2)
    s.potential(xy, lambda q, k: k * np.cos(q[0] * q[1]) ** 2 + np.cos(q[0] * q[1]) * q[0])
    s.observe("height", xy, lambda q: q[1])
    place = str(tmp_path / "own.toml")
    keys = dict(q=["0.3", "0.2"], step="0.01", until="0.5")
    s.save(place, "rattle", **keys)
    M = ex.model(place).mechanism()
    both = M.coordinates("x", "y")
    for term in (lambda q, k: k * q @ q, lambda q: np.sin(q[0] - q[1]) ** 2 + np.sin(q[0] - q[1])):  # of its own parameters, and what is shared
        s.potential(xy, term)
        M.potential(both, term)
    M.kinetic(M.coordinates("x"), lambda q, v: v[0] ** 2)
    s.kinetic(xy[0], lambda q, v: v[0] ** 2)
    assert np.allclose(M.run("rattle", step="0.01", until="0.5").q, s.run("rattle", **keys).q, rtol=0, atol=1e-14)
    assert not np.allclose(M.run("rattle", step="0.01", until="0.5").q, ex.model(place).run().q, rtol=0, atol=1e-3)
    assert np.allclose(M.run("rattle", step="0.01", until="0.5", k=5).q, s.run("rattle", k=5, **keys).q, rtol=0, atol=1e-14)
    with pytest.raises(ex.InputError, match='"k" exists already'):
        M.parameter("k", 1)
    with pytest.raises(ex.InputError, match='"height" exists already'):
        M.observe("height", both, lambda q: q[0])
    with pytest.raises(ex.TraceError, match='"k" in the place of v'):
        M.force("f", both, lambda q, k: -k * q)
    assert np.array_equal(copy.deepcopy(M).run("rattle", step="0.01", until="0.5").q, M.run("rattle", step="0.01", until="0.5").q)


def test_joints_of_a_model_are_known_however_it_is_written(tmp_path):
    place = str(tmp_path / "bar.toml")
    with open(place, "w", encoding="utf-8") as file:
        file.write('space = "planar" # as "flat"\nname = "bar"\n[[joint]]\ntype = "prismatic"\naxis = [1, 0]\nname = "rail"\n'
                   'from = "ground"\nto = "bar"\n[[body]]\nname = "bar"\ninertia = 1\n')
    M = ex.model(place).mechanism()
    M.joint_motor("motor", "rail", lambda stroke, rate: 1 - stroke)
    assert M.run("rattle", step="0.01", until=1)["joint:rail:stroke"][-1] == pytest.approx(1 - np.cos(1), abs=1e-4)
    chain = ex.model("four-bar-chain(2)").mechanism()
    chain.joint_damper("bearing", "P1", 1)
    assert chain.run(until="0.1").status == "complete" and len(chain.coordinate_names) == len(ex.model("four-bar-chain(2)").mechanism().coordinate_names) + 1
    moon = ex.model("pendulum", g="1.62")
    assert np.array_equal(moon.mechanism().run(until=1).q, moon.run(until=1).q)


def test_robots_are_exported_and_imported_again(tmp_path):
    M = ex.Mechanism("arm")
    M.gravity(0, 0, "-9.81")
    a = M.body("a", mass=1, inertia=("1/100", "1/12", "1/12"), position=("1/2", 0, 0))
    M.revolute("shoulder", M.ground(0, 0, 0), a.at("-1/2", 0, 0), axis=(0, 1, 0))
    for name in ("arm.urdf", "arm.xml"):
        notes = M.export(tmp_path / name)
        again = ex.import_robot(tmp_path / name)
        assert isinstance(notes, list) and np.allclose(swinging(again)["joint:shoulder:angle"], swinging(M)["joint:shoulder:angle"], atol=1e-9)
    with pytest.raises(ex.InputError, match="expected urdf or mjcf"):
        M.export(tmp_path / "arm.txt")
    run = swinging(M)
    poses = run.poses()["a"]
    assert poses.shape == (51, 7) and np.allclose(poses[:, 0], run["a.x"]) and np.allclose(np.linalg.norm(poses[:, 3:], axis=1), 1)
    with open(run.gltf(tmp_path / "arm.gltf"), encoding="utf-8") as file:
        assert json.load(file)["asset"]["version"] == "2.0"
    limited = ex.import_robot(os.path.join(root, "tests", "data", "robots", "four_bar.urdf"), limits=1000)
    assert limited.run(until="0.01").status == "complete"
    turned = ex.import_robot(os.path.join(root, "tests", "data", "robots", "four_bar.urdf"), at={"A": 0.25})
    assert turned.run(until=0)["joint:A:angle"][0] == pytest.approx(0.25, abs=1e-12)
    with pytest.raises(ex.InputError, match='unknown joint "Q"'):
        ex.import_robot(os.path.join(root, "tests", "data", "robots", "four_bar.urdf"), at={"Q": 1})
    with pytest.raises(ex.InputError, match="at: found 'A=1'; expected names and values"):
        ex.import_robot(os.path.join(root, "tests", "data", "robots", "four_bar.urdf"), at="A=1")


def test_bodies_of_parts():
    M = ex.Mechanism("hammer")
    M.gravity(0, 0, "-9.81")
    hammer = M.body("hammer", part=[dict(shape="cylinder", radius="0.015", length="0.3", density=700, at=(0, 0, "0.15"), colour="#a0703c"),
                                    dict(shape="box", size=("0.1", "0.03", "0.03"), density=7800, at=(0, 0, "0.3"))])
    M.revolute("hand", M.ground(), hammer.at(0, 0, 0), axis=(0, 1, 0))
    assert abs(M.settle()["hand.angle"]) == pytest.approx(np.pi)  # which way round it falls from the top is nobody's business
