"""The page inside of a notebook, as a browser shows it."""
import os
import shutil
import subprocess

import extremal as ex
import numpy as np
import pytest
from extremal import _extremal

chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")


def shown(html, folder, name):
    """The picture that headless Chromium has of it."""
    from matplotlib import image

    page, picture = folder / f"{name}.html", folder / f"{name}.png"
    page.write_text(f"<!DOCTYPE html><meta charset=utf-8><body style='margin: 0'>{html}</body>", encoding="utf-8")
    subprocess.run([chromium, "--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
                    "--disable-background-networking", "--hide-scrollbars", f"--user-data-dir={folder / 'profile'}", "--force-device-scale-factor=1",
                    "--window-size=1100,720", "--virtual-time-budget=8000", f"--screenshot={picture}", page.as_uri()], check=True, capture_output=True)
    return image.imread(picture)


def colours(picture):
    return len(np.unique((picture[..., :3] * 255).astype(int).reshape(-1, 3), axis=0))


@pytest.mark.skipif(chromium is None, reason="there is no Chromium")
@pytest.mark.skipif(not _extremal.report_available(), reason="the library was built without the page")
def test_the_page_is_drawn_inside_of_a_notebook(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    html = ex.model("double-four-bar").run(until=2).show(embed=True)._repr_html_()
    picture = shown(html, tmp_path, "page")
    assert picture.shape[:2] == (720, 1100) and colours(picture) > 200
    assert colours(picture[150:600, 200:900]) > 50  # the middle, where the bodies are
    assert colours(shown(html[:html.index("srcdoc=")] + "></iframe>", tmp_path, "empty")) < 20  # without the page
