"""Functions of Python cost what functions of C++ cost, and have the same bits: python_lambdas has the same systems."""
import os
import re
import shutil
import subprocess

import extremal as ex
import numpy as np
import pytest
from conftest import root

program = os.path.join(root, "build", "release", "python", "python_lambdas")
pytestmark = pytest.mark.skipif(not os.path.exists(program), reason="python_lambdas is not built")


def pendulum():
    s = ex.System("pendulum", m=2, g="9.81")
    ball = s.coordinates("x", "y")
    s.kinetic(ball, lambda q, v, m: m / 2 * (v @ v))
    s.potential(ball, lambda q, m, g: m * g * q[1])
    s.constraint("rod", ball, lambda q: q @ q - 1)
    return s, dict(q=[1, 0])


def double_pendulum():
    s = ex.System("double_pendulum", g="9.81")
    both = s.coordinates("a", "b")
    s.kinetic(both, lambda q, v: v[0] ** 2 + v[1] ** 2 / 2 + v[0] * v[1] * np.cos(q[0] - q[1]))
    s.potential(both, lambda q, g: -g * (2 * np.cos(q[0]) + np.cos(q[1])))
    return s, dict(q=[1, "1/2"])


def kepler():
    s = ex.System("kepler", mu=1)
    planet = s.coordinates("x", "y")
    s.kinetic(planet, lambda q, v: v @ v / 2)
    s.potential(planet, lambda q, mu: -mu / np.linalg.norm(q))
    s.force("drag", planet, lambda q, v: -v / 100)
    return s, dict(q=[1, 0], v=[0, "1.2"])


def chain(count=10):
    s = ex.System("chain", g="9.81")
    balls = [s.coordinates(f"x{k}", f"y{k}") for k in range(count)]
    s.kinetic(balls, lambda q, v: v @ v / 2)
    s.potential(balls, lambda q, g: g * q[1])
    s.constraint("first", balls[0], lambda q: q @ q - 1)
    s.constraint("link", [a + b for a, b in zip(balls, balls[1:])], lambda q: (q[2:] - q[:2]) @ (q[2:] - q[:2]) - 1)
    return s, dict(q=[x for k in range(count) for x in (k + 1, 0)])


def stepped(what, scheme, step, steps):
    out = subprocess.run([program, what, scheme, step, str(steps)], capture_output=True, text=True, check=True)
    return np.array([float.fromhex(line) for line in out.stdout.split()])


@pytest.mark.parametrize("scheme", ["rattle", "spark(3)", "lobatto(3)"])
@pytest.mark.parametrize("make", [pendulum, kepler, chain, double_pendulum], ids=lambda make: make.__name__)
def test_traced_functions_have_the_bits_of_lambdas(make, scheme):
    s, start = make()
    st = s.stepper(scheme, **start)
    assert st.step(0.01, 200), st.reason
    assert np.array_equal(st.q, stepped(make.__name__, scheme, "0.01", 200))


def instructions(what, scheme, steps):
    out = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, what, scheme, "0.01", str(steps)],
                         capture_output=True, text=True)
    return int(re.search(r"Collected : (\d+)", out.stderr).group(1))


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
@pytest.mark.parametrize("make, scheme, few, many, most", [(pendulum, "spark(3)", 100, 600, 1.3), (pendulum, "rattle", 100, 600, 1.3),
                                                           (chain, "spark(2)", 10, 40, 1.05), (chain, "rattle", 10, 60, 1.05)])
def test_traced_functions_cost_what_lambdas_cost(make, scheme, few, many, most, tmp_path):
    """Of two runs the difference counts, which is that of steps alone."""
    place = str(tmp_path / f"{make.__name__}.toml")
    s, start = make()
    s.save(place, **start)
    per_step = [(instructions(what, scheme, many) - instructions(what, scheme, few)) / (many - few) for what in (place, make.__name__)]
    print(f"{make.__name__}, {scheme}: {per_step[0]:.0f} instructions a step, of lambdas {per_step[1]:.0f}: {per_step[0] / per_step[1]:.3f}")
    assert per_step[0] <= most * per_step[1]
