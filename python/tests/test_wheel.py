"""The wheel, as people make and install it: built offline, and used in an environment that has nothing else of ours."""
import glob
import os
import re
import shutil
import subprocess
import sys
import zipfile
from importlib.util import find_spec

import pytest
from conftest import built, root

modules = glob.glob(os.path.join(built, "extremal", "_extremal*.so"))


def command(*args, **options):
    out = subprocess.run(args, capture_output=True, text=True, **options)
    assert out.returncode == 0, out.stderr or out.stdout
    return out.stdout


@pytest.mark.skipif(not modules, reason="the module is not built")
def test_the_wheel_is_built_installed_and_runs(tmp_path):
    """With the module that the build made; what pip does otherwise is to build it first."""
    if any(find_spec(package) is None for package in ("pip", "setuptools", "wheel", "venv")):
        pytest.skip("there is nothing to make wheels with")
    shutil.copytree(os.path.join(root, "python"), tmp_path / "python", ignore=shutil.ignore_patterns("tests", "examples", "__pycache__", "build"))
    shutil.copy(os.path.join(root, "CMakeLists.txt"), tmp_path)
    clean = {**{name: value for name, value in os.environ.items() if name != "PYTHONPATH"}, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    pip = [sys.executable, "-m", "pip"]
    command(*pip, "wheel", "--quiet", "--no-index", "--no-build-isolation", "--no-deps", "--wheel-dir", tmp_path, tmp_path / "python",
            env={**clean, "EXTREMAL_MODULE": modules[0]})
    (wheel,) = tmp_path.glob("extremal-*.whl")
    with zipfile.ZipFile(wheel) as file:
        names = file.namelist()
        (about,) = [file.read(name).decode() for name in names if name.endswith("METADATA")]
    assert {"extremal/py.typed", "extremal/_extremal.pyi", f"extremal/{os.path.basename(modules[0])}"} <= set(names)
    assert re.search(r"Requires-Dist: numpy ?\(?<2\)?\n", about) and "none-any" not in wheel.name
    command(sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", tmp_path / "own")
    python = tmp_path / "own" / "bin" / "python"
    command(*pip, "--python", python, "install", "--quiet", "--no-index", "--no-deps", wheel, env=clean)
    code = ("import extremal as ex; assert ex.__file__.startswith(%r), ex.__file__; "
            "run = ex.model('pendulum').run('rattle', step='0.05', until=10); print(run.status, run.q.shape)" % str(tmp_path / "own"))
    assert command(python, "-c", code, env=clean, cwd=tmp_path).strip() == "complete (201, 2)"
