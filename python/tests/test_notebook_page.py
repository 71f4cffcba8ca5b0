"""The page inside of a notebook, as a browser shows it. As a program: python3 test_notebook_page.py OUT.png makes that of docs/gallery."""
import html
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import extremal as ex
import numpy as np
import pytest
from extremal import _extremal

chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
cell = """import extremal as ex

M = ex.model("double-four-bar").mechanism()
M.joint_damper("bearing", "P1", "1/2")
run = M.run(until=8)"""


def shown(body, folder, name, scale=1):
    """The picture that headless Chromium has of it."""
    page, picture = folder / f"{name}.html", folder / f"{name}.png"
    page.write_text(f"<!DOCTYPE html><meta charset=utf-8><body style='margin: 0'>{body}</body>", encoding="utf-8")
    subprocess.run([chromium, "--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
                    "--disable-background-networking", "--hide-scrollbars", f"--user-data-dir={folder / 'profile'}", f"--force-device-scale-factor={scale}",
                    "--window-size=1100,720", "--virtual-time-budget=8000", f"--screenshot={picture}", page.as_uri()], check=True, capture_output=True)
    return picture


def cells():
    """What a notebook shows of the cell and of run.show(embed=True) after it."""
    names = {}
    exec(compile(cell, "cell", "exec"), names)
    box = "font: 14px monospace; background: #f7f7f7; border: 1px solid #e0e0e0; border-radius: 2px; padding: 8px 10px; margin: 10px 14px; white-space: pre-wrap"
    last = "run.show(embed=True)"
    output = names["run"].show(embed=True, height=570)._repr_html_()
    return f'<div style="{box}">{html.escape(cell)}\n{last}</div><div style="margin: 0 14px">{output}</div>'


def colours(picture):
    """How many there are, in all and in the middle, where the bodies are."""
    from matplotlib import image

    pixels = (image.imread(picture)[..., :3] * 255).astype(int)
    return [len(np.unique(part.reshape(-1, 3), axis=0)) for part in (pixels, pixels[300:600, 100:600])]


@pytest.mark.skipif(chromium is None, reason="there is no Chromium")
@pytest.mark.skipif(not _extremal.report_available(), reason="the library was built without the page")
def test_the_page_is_drawn_inside_of_a_notebook(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    page = cells()
    whole, middle = colours(shown(page, tmp_path, "page"))
    assert whole > 200 and middle > 50
    whole, middle = colours(shown(page[:page.index("srcdoc=")] + "></iframe></div>", tmp_path, "empty"))  # the cell alone
    assert middle < 20


if __name__ == "__main__":
    out = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        shutil.copy(shown(cells(), pathlib.Path(work), "notebook", 1.5), out)
