"""Every model of the library: the columns of the program bit for bit, and the same motion from what is saved."""
import csv
import io
import os
import re
import subprocess

import extremal as ex
import numpy as np
import pytest
from conftest import root
from extremal import _extremal
from extremal.model import run_keys
from extremal.run import Run

tomllib = pytest.importorskip("tomllib")  # of Python 3.11
program = os.path.join(root, "build", "release", "extremal")
few = 400  # steps that all models may take in a test


def span(m):
    """The model's own where it is short, otherwise a few of its steps."""
    step, until = m.setup["step"], m.setup["until"]
    short = abs(_extremal.number(until)) <= few * abs(_extremal.number(step)) and len(m.coordinates) <= 12
    return {"step": step, "until": until if short else f"({step})*6"}


def is_system(name):
    """Whether it is made of terms, and not of bodies or thermoelastic springs."""
    return re.search(r"^(coordinates\s*=|\[\[coordinates\]\])", ex.model(name).text, re.M) is not None


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
    assert run.status == "complete", run.reason
    table = np.array(rows[1:], dtype=float)
    ours = np.stack([run[column] for column in run.names], 1)
    assert np.array_equal(table, ours, equal_nan=True)
    place = str(tmp_path / "saved.toml")
    m.save(place)
    again = ex.model(place).run(**keys)
    assert np.array_equal(again.q, run.q) and np.array_equal(again.p, run.p)


def expect_same_motion(again, name, most=0.0):
    m = ex.model(name)
    keys = {"step": m.setup["step"], "until": f"({m.setup['step']})*6", "every": 1}
    run, other = m.run(m.setup["scheme"], **keys), again(m.setup["scheme"], keys)
    assert run.status == other.status == "complete" and other.names == [name for name in run.names if name in other]  # but for columns on request
    assert abs(other.q - run.q).max() <= most * max(1, abs(run.q).max()) and abs(run.q[-1] - run.q[0]).max() > 0


@pytest.mark.parametrize("name", [name for name in ex.models() if is_system(name)])
def test_systems_are_written_anew_with_the_same_motion(name):
    """By the writer of the library, from their terms and without their text."""
    text = _extremal.model_text(ex.model(name)._found)
    expect_same_motion(lambda scheme, keys: Run(_extremal.run(_extremal.load_text(text, name, []), run_keys(scheme, keys), "", None)), name, 1e-14)


def by_parts(text):
    """The calls of Python that say what a model file does of bodies, joints, loads, rods and networks."""
    file = tomllib.loads(text)
    M = ex.Mechanism(file.pop("name"), space=file.pop("space", "spatial"), **file.pop("parameters", {}))
    if "gravity" in file:
        M.gravity(*file.pop("gravity"))
    for joint, said in file.get("start", {}).get("joints", {}).items():
        M.start_joint(joint, **said)
    for kind in re.findall(r"^\[\[(\w+)\]\]", text, re.M):
        part = file[kind].pop(0)
        if kind == "thermostat":
            M.thermostat(**part)
        elif "name" in part:
            M.part(kind, part.pop("name"), **part)
        else:
            M._add(kind, [f"{key} = {M._toml(value, key)}" for key, value in part.items()])
    return M


@pytest.mark.parametrize("name", [name for name in ex.models() if not is_system(name)])
def test_mechanisms_and_networks_made_of_parts_are_saved_with_the_same_motion(name, tmp_path):
    M = by_parts(ex.model(name).text)
    expect_same_motion(lambda scheme, keys: M.run(scheme, **keys), name)
    M.save(tmp_path / "saved.toml")
    expect_same_motion(lambda scheme, keys: ex.model(tmp_path / "saved.toml").run(scheme, **keys), name)


@pytest.mark.parametrize("name", ex.models())
def test_every_model_is_added_to(name, tmp_path):
    """A parameter, a column and a name for what it shares, and nothing else changes."""
    m = ex.model(name)
    M = m.mechanism()
    M.parameter("own", "3/2")
    M.observe("more", M.coordinates(m.coordinates[0]), lambda q, own: own * np.sin(q[0]) + np.sin(q[0]) ** 2)
    expect_same_motion(lambda scheme, keys: M.run(scheme, **keys, columns=m.run(scheme, **keys).names), name)
    M.save(tmp_path / "more.toml", step=m.setup["step"], until=f"({m.setup['step']})*6")
    run = ex.model(tmp_path / "more.toml").run(every=1)
    x = run[m.coordinates[0]]
    assert np.allclose(run["more"], 1.5 * np.sin(x) + np.sin(x) ** 2, rtol=0, atol=1e-15)
    assert set(run.names) == {*m.run(step=m.setup["step"], until=f"({m.setup['step']})*6").names, "more"}


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
