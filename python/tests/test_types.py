"""The package as a type checker sees it."""
import os
import shutil
import subprocess

import pytest
from conftest import root


@pytest.mark.skipif(shutil.which("mypy") is None, reason="mypy is not installed")
def test_mypy_has_nothing_to_say(tmp_path):
    out = subprocess.run(["mypy", "--ignore-missing-imports", "--cache-dir", str(tmp_path), "extremal"],
                         capture_output=True, text=True, cwd=os.path.join(root, "python"))
    assert out.returncode == 0, out.stdout


def test_the_stub_names_all_of_the_module():
    from extremal import _extremal

    with open(os.path.join(root, "python", "extremal", "_extremal.pyi"), encoding="utf-8") as file:
        stub = file.read()
    for name in dir(_extremal):
        if not name.startswith("__"):
            assert any(f"{word}{name}{end}" in stub for word in ("class ", "def ", "") for end in ("(", ":")), name
    for kind in (_extremal.Problem, _extremal.Data, _extremal.Graph, _extremal.Builder, _extremal.Motion):
        for name in vars(kind):
            assert name.startswith("__") or f"def {name}(" in stub, name
