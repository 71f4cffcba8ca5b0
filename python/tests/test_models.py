"""Every model of the library: the columns of the program bit for bit, and the same motion from what is saved."""
import csv
import io
import os
import subprocess

import extremal as ex
import numpy as np
import pytest
from conftest import root
from extremal import _extremal

program = os.path.join(root, "build", "release", "extremal")


def span(m):
    """A few steps of the model's own, or so."""
    return {"step": m.setup["step"], "until": f"({m.setup['step']})*6"}


@pytest.mark.skipif(not os.path.exists(program), reason="the program is not built")
@pytest.mark.parametrize("name", ex.models())
def test_columns_are_those_of_the_program_bit_for_bit(name, tmp_path):
    m = ex.model(name)
    keys = span(m)
    out = subprocess.run([program, "run", name, "--step", keys["step"], "--until", keys["until"], "--csv", "-"],
                         capture_output=True, text=True)
    rows = list(csv.reader(line for line in io.StringIO(out.stdout) if not line.startswith("#")))
    run = m.run(**keys)
    assert rows and rows[0] == run.names, out.stderr
    table = np.array(rows[1:], dtype=float)
    ours = np.stack([run[column] for column in run.names], 1)
    assert np.array_equal(table, ours, equal_nan=True)
    place = str(tmp_path / "saved.toml")
    m.save(place)
    again = ex.model(place).run(**keys)
    assert np.array_equal(again.q, run.q) and np.array_equal(again.p, run.p)


def test_saved_models_have_the_parameters_that_were_set(tmp_path):
    place = str(tmp_path / "moon.toml")
    moon = ex.model("pendulum", g="1.62")
    moon.save(place)
    assert ex.model(place).parameters == moon.parameters and 'g = "1.62"' in ex.model(place).text


def test_what_functions_make_is_archived_resumed_and_reported(tmp_path):
    s = ex.System("own", k=3)
    xy = s.coordinates("x", "y")
    s.kinetic(xy, lambda q, v: v @ v / 2)
    s.potential(xy, lambda q, k: k * np.cos(q[0] * q[1]) + q @ q)
    archive, page = str(tmp_path / "own.nc"), str(tmp_path / "own.html")
    calls = []

    def stop(step, steps, t):
        calls.append(step)
        if step > 0:
            raise KeyboardInterrupt

    keys = dict(q=["0.3", "0.2"], step="0.0001", until=40, every=10000)
    with pytest.raises(KeyboardInterrupt):
        s.run("rattle", archive=archive, progress=stop, **keys)
    again = ex.resume(archive)
    assert again.status == "complete" and np.array_equal(again.q, s.run("rattle", **keys).q)
    if not _extremal.report_available():
        return  # the library was built without the page
    again.report(page)
    with open(page, encoding="utf-8") as file:
        text = file.read()
    assert "no animation" not in text.split("<script")[0] and "the model cannot be read" not in text and len(text) > 100000
