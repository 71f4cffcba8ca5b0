"""What the pages and docstrings say, and the examples."""
import contextlib
import doctest
import glob
import importlib
import inspect
import io
import json
import os
import re
import subprocess
import sys

import extremal
import pytest
from conftest import root
from extremal import _extremal

block = re.compile(r"```python\n(.*?)```\n\n?(?:prints\n\n```text\n(.*?)```|prints `(.*?)`)?", re.S)


def blocks(page):
    with open(os.path.join(root, page), encoding="utf-8") as file:
        return block.findall(file.read())


def test_the_first_program_has_six_lines():
    lines = [line for line in blocks("README.md")[0][0].splitlines() if line.strip()]
    assert lines[0] == "import extremal as ex" and lines[-1].startswith("print(") and len(lines) - 2 == 6


@pytest.mark.parametrize("page, k", [(page, k) for page in ("docs/python.md", "docs/tutorial.md", "README.md") for k in range(len(blocks(page)))])
def test_blocks_print_what_the_page_says(page, k, tmp_path, monkeypatch):
    pytest.importorskip("xarray")
    monkeypatch.chdir(tmp_path)
    code, text, word = blocks(page)[k]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, page, "exec"), {})
    assert out.getvalue().strip() == (text or word).strip() != ""


@pytest.mark.parametrize("name", ["extremal", "extremal.mechanism", "extremal.model", "extremal.rest", "extremal.run", "extremal.stepper", "extremal.study",
                                  "extremal.system", "extremal.table"])
def test_docstrings(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 2 and result.failed == 0


def test_help_has_a_word_on_everything():
    silent = []
    for word in extremal.__all__:
        thing = getattr(extremal, word)
        parts = [(name, part) for name, part in inspect.getmembers(thing) if not name.startswith("_")] if inspect.isclass(thing) else []
        if not (inspect.isclass(thing) and issubclass(thing, tuple)):  # fields of tuples speak for themselves
            silent += [f"{word}.{name}" for name, part in parts if (callable(part) or isinstance(part, property)) and not inspect.getdoc(part)]
        if not inspect.getdoc(thing):
            silent.append(word)
    assert silent == []


@pytest.mark.parametrize("path", sorted(glob.glob(os.path.join(root, "python", "examples", "*.py"))), ids=os.path.basename)
def test_examples(path, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    out = io.StringIO()
    with open(path, encoding="utf-8") as file, contextlib.redirect_stdout(out):
        exec(compile(file.read(), path, "exec"), {"__name__": "__main__"})
    assert out.getvalue().strip()


notebooks = sorted(glob.glob(os.path.join(root, "python", "examples", "*.ipynb")))


def test_there_are_eight_notebooks_without_outputs():
    nbformat = pytest.importorskip("nbformat")
    assert len(notebooks) == 8
    for path in notebooks:
        page = nbformat.read(path, as_version=4)
        nbformat.validate(page)
        assert os.path.getsize(path) < 20000 and not any(cell.get("outputs") for cell in page.cells)


@pytest.mark.parametrize("path", notebooks, ids=os.path.basename)
def test_notebooks_run_and_draw(path, tmp_path, monkeypatch):
    """Every cell, in a kernel of its own; their last cells assert what they claim."""
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    with open(path, encoding="utf-8") as file:
        if "run.show(" in file.read() and not _extremal.report_available():
            pytest.skip("the library was built without the page")
    pytest.importorskip("matplotlib")
    page = nbformat.read(path, as_version=4)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([os.path.dirname(os.path.dirname(extremal.__file__)), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.delenv("MPLBACKEND", raising=False)
    monkeypatch.setenv("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    nbclient.NotebookClient(page, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in page.cells if cell.cell_type == "code" for output in cell.outputs]
    assert any("image/png" in output.get("data", {}) for output in outputs)
    assert not any(output.output_type == "error" for output in outputs)


@pytest.mark.skipif(not os.path.exists(os.path.join(root, "build", "release", "extremal")), reason="the program is not built")
def test_the_benchmark_measures_what_the_page_has():
    pytest.importorskip("xarray")
    out = subprocess.run([sys.executable, os.path.join(root, "python", "bench", "bench.py"), "--quick"], capture_output=True, text=True, check=True,
                         env={**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(extremal.__file__))})
    found = json.loads(out.stdout)
    assert found["sweep"]["complete"] == found["sweep"]["runs"] == 1000 and found["sweep"]["shape"] == [1000, 101, 2]
    assert set(found) >= {"steps", "stepper", "imports", "tracing"} and found["steps"]["steps"] == 10000
