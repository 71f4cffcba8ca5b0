"""What the pages and docstrings say, and the examples."""
import contextlib
import doctest
import glob
import io
import os
import re

import extremal
import extremal.mechanism
import extremal.system
import pytest
from conftest import root

block = re.compile(r"```python\n(.*?)```\n\n?(?:prints\n\n```text\n(.*?)```|prints `(.*?)`)?", re.S)


def blocks(page):
    with open(os.path.join(root, page), encoding="utf-8") as file:
        return block.findall(file.read())


@pytest.mark.parametrize("page, k", [(page, k) for page in ("docs/python.md", "README.md") for k in range(len(blocks(page)))])
def test_blocks_print_what_the_page_says(page, k, tmp_path, monkeypatch):
    pytest.importorskip("xarray")
    monkeypatch.chdir(tmp_path)
    code, text, word = blocks(page)[k]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, page, "exec"), {})
    assert out.getvalue().strip() == (text or word).strip() != ""


@pytest.mark.parametrize("module", [extremal, extremal.mechanism, extremal.system])
def test_docstrings(module):
    result = doctest.testmod(module)
    assert result.attempted > 2 and result.failed == 0


@pytest.mark.parametrize("path", sorted(glob.glob(os.path.join(root, "python", "examples", "*.py"))), ids=os.path.basename)
def test_examples(path, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    out = io.StringIO()
    with open(path, encoding="utf-8") as file, contextlib.redirect_stdout(out):
        exec(compile(file.read(), path, "exec"), {"__name__": "__main__"})
    assert out.getvalue().strip()
