"""The package as a type checker sees it."""
import os
import shutil
import subprocess

import pytest
from conftest import root


@pytest.mark.skipif(shutil.which("mypy") is None, reason="mypy is not installed")
def test_mypy_has_nothing_to_say():
    cache = os.path.join(root, "build", "release", "mypy")  # most of the time goes into numpy, once
    out = subprocess.run(["mypy", "--ignore-missing-imports", "--cache-dir", cache, "extremal"],
                         capture_output=True, text=True, cwd=os.path.join(root, "python"))
    assert out.returncode == 0, out.stdout


@pytest.mark.skipif(shutil.which("mypy") is None, reason="mypy is not installed")
def test_programs_of_users_have_types(tmp_path):
    """What is right passes in strict mode, and a mistake of types is found."""
    cache = os.path.join(root, "build", "release", "mypy-strict")
    fine = """import extremal as ex
import numpy as np

s = ex.System("pendulum", m=2, g="9.81")
ball: ex.Coordinates = s.coordinates("x", "y")
s.kinetic(ball, lambda q, v, m: m / 2 * (v @ v))
run: ex.Run = s.run("spark(3)", q=[1, 0], step="0.05", until=100)
y: np.ndarray[object, np.dtype[np.float64]] = run["y"]
status: str = run.status
rest: float = s.settle(q=[1, 0]).residual
st: ex.Stepper = s.stepper("rattle", q=[1, 0])
moved: bool = st.step(0.01)
"""
    said = []
    for name, text in (("fine", fine), ("wrong", fine + "run.status + 1\ns.coordinates(3)\nst.step('far')\n")):
        (tmp_path / f"{name}.py").write_text(text)
        out = subprocess.run(["mypy", "--strict", "--ignore-missing-imports", "--cache-dir", cache, str(tmp_path / f"{name}.py")],
                             capture_output=True, text=True, env={**os.environ, "MYPYPATH": os.path.join(root, "python")})
        said.append([line for line in out.stdout.splitlines() if f"{name}.py" in line])
    assert said[0] == [] and len(said[1]) == 3, said


def test_the_stub_names_all_of_the_module():
    from extremal import _extremal

    with open(os.path.join(root, "python", "extremal", "_extremal.pyi"), encoding="utf-8") as file:
        stub = file.read()
    for name in dir(_extremal):
        if not name.startswith("__"):
            assert any(f"{word}{name}{end}" in stub for word in ("class ", "def ", "") for end in ("(", ":")), name
    for kind in (_extremal.Problem, _extremal.Data, _extremal.Graph, _extremal.Motion):
        for name in vars(kind):
            assert name.startswith("__") or f"def {name}(" in stub, name
