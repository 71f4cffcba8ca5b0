"""Where models come to rest, how they vibrate there, and what becomes of areas."""
import json
import os
import subprocess

import extremal as ex
import numpy as np
import pytest
from conftest import root

program = os.path.join(root, "build", "release", "extremal")


def test_a_pendulum_rests_and_swings(pendulum):
    rest = pendulum.settle(q=["0.6", "-0.8"])
    assert rest.found and np.allclose(rest.q, [0, -1], atol=1e-12) and rest["y"] == rest.q[1]
    assert rest.multipliers["rod"] == pytest.approx(9.81)  # m g = 2 lambda |y|
    about = pendulum.modes(q=["0.6", "-0.8"])
    assert about.stable and about.freedom == len(about) == 1 and about[0].frequency == pytest.approx(np.sqrt(9.81) / (2 * np.pi))
    assert np.allclose(about.shape, [[1, 0]], atol=1e-12) and about.stiffness[0, 0] / about.mass[0, 0] == pytest.approx(9.81)
    assert "Hz" in repr(about) and "comes to rest" in repr(rest) and "<pre>" in rest._repr_html_()
    with pytest.raises(ex.InputError, match="unknown coordinate"):
        rest["z"]


def test_a_cantilever_sags_and_swings_as_beams_do():
    E, density, radius = 2.1e11, 7800, 0.005
    M = ex.Mechanism("cantilever")
    M.gravity(0, 0, -9.81)
    beam = M.rod("beam", section=dict(shape="circle", radius=radius, E=E, G=8e10, density=density), start=(0, 0, 0), end=(1, 0, 0),
                 elements=6, first="clamped")
    about = M.modes()
    bending, weight = E * np.pi * radius**4 / 4, density * np.pi * radius**2
    assert about.rest[f"{beam.last.name}.z"] == pytest.approx(-weight * 9.81 / (8 * bending), rel=1e-3)
    assert about.stable and about[0].frequency == pytest.approx(1.8751041**2 * np.sqrt(bending / weight) / (2 * np.pi), rel=1e-2)


@pytest.mark.parametrize("name", ["hoop", "thermoelastic-eight", "rigid-rod", "double-four-bar"])
def test_models_come_to_rest(name):
    """Also where nothing holds them, as a rod that floats, and where memories of heat do not change the place."""
    rest = ex.model(name).settle()
    assert rest.found and rest.residual < 1e-9 and np.isfinite(rest.q).all() and rest.iterations < 200


def test_the_top_is_a_rest_that_is_left(pendulum):
    assert pendulum.settle(q=[0, 1]).q[1] == pytest.approx(-1)
    top = pendulum.modes(q=[0, 1], saddle=True)
    assert top.rest.q[1] == pytest.approx(1) and not top.stable and top[0].growth > 0 and "not stable" in repr(top)


def test_what_falls_for_ever_has_no_rest():
    s = ex.System("stone")
    x = s.coordinates("x")
    s.kinetic(x, lambda q, v: v @ v / 2)
    s.potential(x, lambda q: q[0])
    rest, about = s.settle(q=[0]), s.modes(q=[0])
    assert not rest.found and rest.reason and "no rest was found" in repr(rest) and len(about) == 0 and repr(about) == repr(rest)


def test_joints_of_mechanisms_at_rest():
    M = ex.Mechanism("bar", space="planar")
    M.gravity(0, "-9.81")
    bar = M.body("bar", mass=1, inertia="1/12", position=("1/2", 0))
    M.revolute("pivot", M.ground(0, 0), bar.at("-1/2", 0))
    M.joint_damper("bearing", "pivot", "1/10")
    about = M.modes()
    assert about.rest["pivot.angle"] == pytest.approx(-np.pi / 2) and about[0].joints["pivot.angle"] != 0
    w, c = np.sqrt(9.81 / 2 / (1 / 3)), 0.1 / (1 / 3) / 2  # of x'' + 2 c x' + w^2 x = 0
    assert about[0].damping == pytest.approx(c / w) and about[0].frequency == pytest.approx(np.sqrt(w**2 - c**2) / (2 * np.pi))


@pytest.mark.skipif(not os.path.exists(program), reason="the program is not built")
@pytest.mark.parametrize("name", ["pendulum", "stiff-triple-pendulum", "spring-pendulum"])
def test_modes_are_those_of_the_program(name):
    out = subprocess.run([program, "settle", name, "--modes", "--json"], capture_output=True, text=True, check=True)
    said, about = json.loads(out.stdout), ex.model(name).modes()
    assert list(said["q"].values()) == about.rest.q.tolist() and said["stable"] == about.stable
    assert [one["frequency"] for one in said["modes"]] == about.frequency.tolist()
    assert [list(one["shape"].values()) for one in said["modes"]] == about.shape.tolist()


def test_shapes_draw_themselves():
    pytest.importorskip("matplotlib")
    ax = ex.model("stiff-triple-pendulum").modes().plot()
    assert len(ax.lines) > 0 and "Hz" in ax.get_legend().get_texts()[0].get_text()


def test_areas_of_starts():
    pytest.importorskip("matplotlib")
    m = ex.model("hoop", g=1)
    box = {"theta": (0, 2), "p:theta": (-1, 1)}
    found = m.area("trapezoidal", "energy_momentum", box=box, step="0.5", until=2, looks=2)
    assert found["trapezoidal"].keeps and found.holds and not found["energy_momentum"].keeps and found["energy_momentum"].change > 1e-3
    assert found["trapezoidal"].looks[0].area == pytest.approx(4) and len(found["trapezoidal"].looks) == 3
    assert "keeps its area" in repr(found) and len(found.plot("trapezoidal").patches) == 3
    with pytest.raises(ex.InputError, match="box: expected two"):
        m.area("trapezoidal", box={"theta": (0, 2)})
    with pytest.raises(KeyError, match="trapezoidal"):
        found["rattle"]
