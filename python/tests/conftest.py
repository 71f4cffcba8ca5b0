"""The package that was built beside the program, unless another one is on the path: ./test sets PYTHONPATH."""
import os
import sys

import pytest

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
built = os.path.join(root, "build", "release", "python")
if "PYTHONPATH" not in os.environ and os.path.isdir(built):
    sys.path.insert(0, built)
os.environ.setdefault("MPLBACKEND", "Agg")


@pytest.fixture
def pendulum():
    import extremal as ex

    s = ex.System("pendulum", m=2, g="9.81")
    ball = s.coordinates("x", "y")
    s.kinetic(ball, lambda q, v, m: m / 2 * (v @ v))
    s.potential(ball, lambda q, m, g: m * g * q[1])
    s.constraint("rod", ball, lambda q: q @ q - 1)
    return s
