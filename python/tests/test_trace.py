"""Functions that become formulas, and what they must not do."""
import math
import os
import re
import types
import warnings

import extremal as ex
import numpy as np
import pytest
from extremal.traced import Traced

A = np.array([[2.0, 0.5], [0.5, 1.0]])
cam = ex.table([0, 1, 2, 3], [0, "1/3", 2, 1], between="cubic")


def system():
    s = ex.System("s", k=3)
    return s, s.coordinates("x", "y")


def value(f):
    """The potential at (0.3, 0.7), as it was traced, and as the library reads it."""
    s, xy = system()
    s.kinetic(xy, lambda q, v: v @ v / 2)
    s.potential(xy, f)
    traced = Traced(f, 2, False, {"k": "3"}, "s")
    found = traced.graph.evaluate(traced.rows, [0.3, 0.7], [0, 0], 0.4, [3.0])[0]
    read = s.stepper("rattle", q=[0.3, 0.7], t="0.4").observe()["potential"]
    assert read == pytest.approx(found, rel=1e-12)
    return found


@pytest.mark.parametrize("f", [
    lambda q: q[0] + 2 * q[1] - q[0] / q[1],
    lambda q: q @ q, lambda q: q @ A @ q, lambda q: A @ q @ q, lambda q: np.dot(q, q), lambda q: np.inner(q, q),
    lambda q: np.sum(q), lambda q: q.sum(), lambda q: np.prod(q), lambda q: np.mean(q), lambda q: (q**2).sum(),
    lambda q: np.linalg.norm(q), lambda q: np.linalg.norm(q - np.array([3.0, 4.0])),
    lambda q: np.sin(q[0]) * np.cos(q[1]), lambda q: np.sin(q).sum(), lambda q: np.exp(-q @ q), lambda q: np.sqrt(q[0]),
    lambda q: np.arctan2(1.0, q[0]), lambda q: np.arctan2(q[0], q[1]), lambda q: np.hypot(q[0], 1.0), lambda q: np.hypot(1.0, q).sum(),
    lambda q: np.float64(2) * q[0], lambda q: np.array([1.0, 2.0]) @ q, lambda q: (np.array([1.0, 2.0]) * q).sum(),
    lambda q: np.einsum("i,ij,j->", q, A, q), lambda q: np.einsum("i,i", q, q), lambda q: np.trace(np.outer(q, q)),
    lambda q: np.cross(q, np.array([1.0, 2.0])), lambda q: np.diff(q)[0], lambda q: q[::-1] @ q, lambda q: np.square(q).sum(),
    lambda q: abs(q[0]), lambda q: np.abs(q).sum(), lambda q: np.log(q[0]) + np.tanh(q[1]), lambda q: 2 ** q[0],
    lambda q: sum(np.sin(i * q[0]) for i in range(1, 20)), lambda q: np.stack([q, q]).sum(), lambda q: q.reshape(2, 1)[1, 0],
    lambda q: np.array([q[0], 1.0]) @ np.array([2.0, q[1]]), lambda q: np.log10(q[0]) + np.expm1(q[1]),
    lambda q, k: k * q[0], lambda q, t: t * q[0], lambda q, k, t: k * t * q @ q, lambda q, c=4.0: c * q[0],
    lambda q: np.concatenate([q, q]) @ np.ones(4), lambda q: np.arcsinh(q[0]) + np.cbrt(q[1]),
    lambda q: np.maximum(q[0], q[1]) - np.minimum(q, 0.5).sum(), lambda q: np.where(q > 0.5, q, -q).sum(),
    lambda q: np.where(q[0] > 0.5, 1.0, q[1]), lambda q: np.where((q[0] < 0.5) & (q[1] >= 0.7), q[0], 0), lambda q: np.clip(q, 0, 0.5).sum(),
    lambda q: q.clip(0.4, 0.5).sum(), lambda q: np.sign(q[0] - 0.5), lambda q: np.floor(10 * q[0]), lambda q: q[1] % 0.5,
    lambda q: np.interp(q[0], [0, 1, 2], [0, 3, 1]), lambda q: np.interp(2 * q, [0, 1, 2], [0, 3, 1]).sum(), lambda q: cam(q[0]) * q[1],
    lambda q: np.where(~(q[0] > 0.5) | (q[1] < 0), 2, 3) * q[0], lambda q: np.where(q[0] <= q[1], q[0], q[1]),
])
def test_numpy_as_it_is_written(f):
    q = np.array([0.3, 0.7])
    named = {n: {"k": 3.0, "t": 0.4}[n] for n in f.__code__.co_varnames[1:f.__code__.co_argcount] if n in ("k", "t")}
    assert value(f) == pytest.approx(float(f(q, **named)), rel=1e-13)


def in_place(q):
    q[0] = 1
    return q[0]


def augmented(q):
    q += 1
    return q[0]


def out(q):
    np.add(q, 1, out=q)
    return q[0]


def into_floats(q):
    a = np.zeros(2)
    a[0] = q[0]
    return a[0]


def branch(q):
    if q[0] > 0:
        return q[0]
    return -q[0]


def equality(q):
    return q[0] if (np.asarray(q) == 0).any() else q[1]


def forgot(q):
    q @ q


def swallowed(q):
    try:
        return q[0] if q[0] > 0 else q[1]
    except Exception:
        return q[1]


counter = [0.0]


def changes(q):
    counter[0] += 1
    return counter[0] * q[0]


@pytest.mark.parametrize("f", [
    in_place, augmented, out, into_floats, branch, equality, forgot, changes,
    lambda q: q[0] == 1, lambda q: q[0] if q[0] == 1 else q[1], lambda q: (q == 0) @ q, lambda q: q[0] != 1,
    lambda q: q[0] > 0, lambda q: max(q[0], q[1]), lambda q: min(q), lambda q: (q[0] > 0) * q[0], lambda q: 1 - (q[0] > 0),
    lambda q: np.where(q == 0, q, -q).sum(), lambda q: np.where(q[0], 1, 2), lambda q: max(q),
    lambda q: np.where(q > 0)[0], lambda q: np.sort(q)[0], lambda q: math.sin(q[0]), lambda q: float(q[0]), lambda q: int(q[0]),
    lambda q: bool(q[0]) * 1.0, lambda q: np.rint(q[0]), lambda q: q[0] // 1, lambda q: divmod(q[0], 1)[1],
    lambda q: (q[0] > 0) & q[1], lambda q: np.all(q > 0) * q[0], lambda q: np.linalg.eigvalsh(np.outer(q, q))[0], lambda q: np.sqrt(q, where=q > 0).sum(),
    lambda q: round(q[0]), lambda q: np.interp(q[0], [0, 1], [0, 1], left=2), lambda q: np.interp(0.5, q, [0, 1]),
    lambda q: np.interp(q[0], [1, 0], [0, 1]), lambda q: np.piecewise(q, [q > 0], [1]), lambda q: q[0] and q[1],
    lambda q: not q[0], lambda q: [1, 2][q[0]], lambda q: sum(range(q[0])), lambda q: q.astype(float).sum(), lambda q: 1j * q[0],
    lambda q: np.linalg.pinv(np.outer(q, q))[0, 0], lambda q: "q" * q[0], lambda q: q[0] < 0 < q[1], lambda q: sorted(q)[0],
    lambda q: np.isclose(q[0], 1) * 1.0, lambda q: np.random.default_rng().uniform() * q[0], lambda q: q, lambda q: [q[0], q[1]],
    lambda q: np.sinc(q[0]), lambda q: q[0] in (1, 2), lambda q: np.argmax(q) * 1.0,
    lambda q: q[q > 0].sum(), lambda q: np.count_nonzero(q) * q[0], lambda q: np.logical_and.reduce(q), lambda q: math.fsum(q), lambda q: math.hypot(*q),
    lambda q: np.linalg.norm(np.outer(q, q), 2), lambda q: np.asarray(q).argmax() * q[0], lambda q: np.array(q, dtype=float).sum(),
    lambda q: np.nanmax(q), lambda q: np.nan_to_num(q)[0], lambda q: np.median(q), lambda q: np.modf(q[0])[0], lambda q: swallowed(q), lambda q: np.digitize(q[0], [0, 1]),
    lambda q, mass: mass * q[0], lambda: 1, 3.0,
])
def test_misuse_is_an_error_with_a_line_and_advice(f):
    s, xy = system()
    with pytest.raises(ex.TraceError) as caught:
        s.potential(xy, f)
    said = str(caught.value)
    found = re.match(re.escape(os.path.abspath(__file__)) + r":(\d+): ", said)
    assert "expected" in said and found is not None and int(found.group(1)) in lines_of(f), said


def lines_of(f):
    """Those of a function and of those that it calls; of what is none, that where it was given to the system."""
    code = getattr(f, "__code__", test_misuse_is_an_error_with_a_line_and_advice.__code__)
    called = [globals()[name].__code__ for name in code.co_names if hasattr(globals().get(name), "__code__")]
    return {line for one in (code, *called) for _, _, line in one.co_lines()} | {code.co_firstlineno}


@pytest.mark.parametrize("add, word", [
    (lambda s, x: s.force("f", x, lambda q, k: -k * q), "k"), (lambda s, x: s.kinetic(x, lambda q, k: k * q @ q), "k"),
    (lambda s, x: s.force("f", x, lambda q, t: [np.sin(t), 0]), "t"), (lambda s, x: s.potential(x, lambda k: k), "k"),
    (lambda s, x: s.potential(x, lambda t: t), "t"), (lambda s, x: s.force("f", x, lambda q, c=4.0: -c * q), "c"),
    (lambda s, x: s.lagrangian(x, lambda v, q: v @ v / 2 - q @ q), "v"), (lambda s, x: s.hamiltonian(x, lambda p, q: p @ p / 2 + q[0]), "q"),
    (lambda s, x: s.observe("speed", x, lambda v: v @ v), "v"), (lambda s, x: s.constraint("c", x, lambda k, q: q @ q - k), "k"),
])
def test_an_argument_in_the_place_of_another_is_refused(add, word):
    """q and v are taken by their places: what was meant by its name would silently be one of them."""
    s, xy = system()
    with pytest.raises(ex.TraceError, match=f'found the argument "{word}" in the place of .; expected q') as caught:
        add(s, xy)
    assert str(caught.value).startswith(f"{os.path.abspath(__file__)}:{add.__code__.co_firstlineno}: ")


def test_a_parameter_may_be_named_like_a_velocity():
    s = ex.System("s", v=3, p=2)
    x = s.coordinates("x")
    s.kinetic(x, lambda q, v: v @ v / 2)  # by its place
    s.potential(x, lambda q, p: p * q @ q / 2)
    assert s.run("rattle", q=[1], v=[0], step="0.001", until=1)["x"][-1] == pytest.approx(math.cos(math.sqrt(2)), abs=1e-6)
    s.force("drag", x, lambda x, xdot: -xdot / 10)  # and by any names


@pytest.mark.parametrize("f, places", [(np.log1p, (1e-12, -1e-9, 1e-3, 0.2, -0.9, 1e9)), (np.arctanh, (1e-12, -1e-9, 0.06, 0.063, -0.99)),
                                       (np.arcsinh, (1e-12, -1e-9, 0.1, -1e7)), (np.arccosh, (1 + 1e-12, 1 + 2.0**-30, 1.5, 1e9))])
def test_nothing_is_lost_near_the_zeros_of_logarithms(f, places):
    traced = Traced(lambda q: f(q[0]), 1, False, {}, "s")
    for x in places:
        assert traced.graph.evaluate(traced.rows, [x], [0], 0, [])[0] == pytest.approx(f(x), rel=3e-15, abs=0)
    assert Traced(lambda q: np.log(1 + q[0]), 1, False, {}, "s").graph.evaluate([3], [1e-12], [0], 0, [])[0] != pytest.approx(1e-12, rel=1e-6, abs=0)


def test_coordinates_are_taken_apart_and_joined():
    s, (x, y) = system()[0], system()[1]
    assert x.names == ["x"] and y.names == ["y"] and (x + y)[::-1].names == ["y", "x"] and len(x + y) == 2
    with pytest.raises(ex.InputError, match="twice"):
        x + (x + y)
    t, (z,) = ex.System("t"), s.coordinates("z")
    with pytest.raises(ex.InputError, match="two systems"):
        t.coordinates("x") + z
    s.observe("here", z, lambda q: q[0])
    with pytest.raises(ex.InputError, match="exists already"):
        s.observe("here", x, lambda q: q[0])


def test_exceptions_of_the_function_itself_point_at_its_line():
    s, xy = system()
    with pytest.raises(IndexError):
        s.potential(xy, lambda q: q[2])
    with pytest.raises(NameError):
        s.potential(xy, lambda q: undefined * q[0])  # noqa: F821


def test_rows_must_fit():
    s, xy = system()
    for add, words in ((lambda: s.force("f", xy, lambda q, v: v[0]), "one per coordinate"),
                       (lambda: s.constraint("c", xy, lambda q: 1), "depends on no coordinate"),
                       (lambda: s.kinetic(xy, lambda q: q @ q), "q and v"),
                       (lambda: s.kinetic([0, 1], lambda q, v: v @ v), "coordinates of this system")):
        with pytest.raises(ex.InputError, match=words):
            add()


def test_the_same_bits_as_the_model_file(pendulum):
    a = ex.model("pendulum").run("spark(3)", q=[1, 0], step="0.05", until=10, set={"m": 2, "g": "9.81"})
    b = pendulum.run("spark(3)", q=[1, 0], step="0.05", until=10)
    assert np.array_equal(a.q, b.q)


def test_parameters_change_after_tracing(pendulum):
    slow = pendulum.run("rattle", q=[1, 0], step="0.05", until=1, set={"g": "1.62"})
    assert slow["y"][4] > pendulum.run("rattle", q=[1, 0], step="0.05", until=1)["y"][4]
    with pytest.raises(ex.InputError, match="unknown parameter"):
        pendulum.run("rattle", q=[1, 0], set={"gg": 1})


def chain(n):
    s = ex.System("chain", g="9.81")
    balls = [s.coordinates(f"x{i}", f"y{i}") for i in range(n)]
    s.kinetic(balls, lambda q, v: v @ v / 2)
    s.potential(balls, lambda q, g: g * q[1])
    s.constraint("first", balls[0], lambda q: q @ q - 1)
    s.constraint("link", [a + b for a, b in zip(balls, balls[1:])], lambda q: (q[2:] - q[:2]) @ (q[2:] - q[:2]) - 1)
    return s


def test_many_sites_and_model_file(tmp_path):
    s = chain(4)
    q = [x for i in range(4) for x in (i + 1, 0)]
    run = s.run("rattle", q=q, step="0.01", until=1)
    assert run.status == "complete" and run.q.shape == (101, 8)
    place = str(tmp_path / "chain.toml")
    s.save(place, "rattle", q=q, step="0.01", until=1, outputs=50, columns=["q", "energy"], at=["0.5"], error_estimate=False)
    assert len(ex.model(place).run()) == 51
    s.save(place, "rattle", q=q, steps=100, until=1)
    again = ex.model(place).run()
    assert again.names == run.names and np.array_equal(again.q, run.q)
    assert "link[0]" in s.run("rattle", q=q, step="0.01", until="0.01").to_xarray().constraint


def test_every_kind_of_term_is_saved_and_read_again(tmp_path):
    s = ex.System("all", c="1/10", w=2)
    x = s.coordinates("x", "y")
    s.kinetic(x, lambda q, v: v @ v / 2)
    s.potential(x, lambda q: np.cos(q[0]) + q[1] ** 4 / 4 + np.exp(q @ q / 10))
    s.lagrangian(x, lambda q, v: (q[0] * v[1] - q[1] * v[0]) / 5)
    s.force("drag", x, lambda q, v, c, w, t: [-c * v[0] + np.sin(w * t), -c * v[1]])
    s.symmetry("turn", x, lambda q: [-q[1], q[0]])
    place = str(tmp_path / "all.toml")
    s.save(place, "spark(2)", q=["1/2", "1/4"], v=[0, 1], step="0.01", until=1)
    a, b = s.run("spark(2)", q=["1/2", "1/4"], v=[0, 1], step="0.01", until=1), ex.model(place).run()
    assert np.array_equal(a.q, b.q) and np.array_equal(a.p, b.p)


def test_hamiltonian():
    s = ex.System("h")
    x = s.coordinates("x")
    s.hamiltonian(x, lambda q, p: p @ p / 2 + q @ q / 2)
    run = s.run(q=[1], p=[0], step="0.01", until=1)
    assert run["x"][-1] == pytest.approx(math.cos(1), abs=1e-6)


def test_what_is_shared_has_a_name_in_the_file(tmp_path):
    s, xy = system()
    s.kinetic(xy, lambda q, v: v @ v / 2)

    def nested(q):
        y = q[0]
        for _ in range(14):
            y = np.sin(y) + y * y / 10
        return y

    s.potential(xy, nested)
    assert len(s.text()) < 2000 and "[definitions]" in s.text()
    place = str(tmp_path / "nested.toml")
    s.save(place, "rattle", q=[0.1, 0.2], step="0.01", until="0.1")
    assert np.array_equal(ex.model(place).run().q, s.run("rattle", q=[0.1, 0.2], step="0.01", until="0.1").q)


weight = 3.0


def test_numbers_outside_that_change_are_told():
    global weight
    s, xy = system()
    s.kinetic(xy, lambda q, v: v @ v / 2)
    s.potential(xy, lambda q: weight * q[1])
    s.run("rattle", q=[0, 0], step="0.1", until=1)
    weight = 4.0
    with pytest.warns(UserWarning, match="weight was 3.0 .* try a parameter"):
        s.run("rattle", q=[0, 0], step="0.1", until=1)
    other, ab = system()
    other.kinetic(ab, lambda q, v: v @ v / 2)
    for i in range(3):
        other.potential(ab, lambda q: i * q[0])
    i = 7
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        other.run("rattle", q=[0, 0], step="0.1", until=1)  # a loop


def test_whatever_a_function_finds_outside_is_told_if_it_changes():
    """Attributes and entries have no names of their own: the function is called again, and compared with what it gave."""
    config, table, matrix = types.SimpleNamespace(g=3.0), {"g": 3.0}, np.eye(2)
    for f, change in ((lambda q: config.g * q[1], lambda: setattr(config, "g", 4.0)), (lambda q: table["g"] * q[1], lambda: table.update(g=4.0)),
                      (lambda q: q @ matrix @ q, lambda: matrix.fill(2))):
        s, xy = system()
        s.kinetic(xy, lambda q, v: v @ v / 2)
        s.potential(xy, f)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            s.run("rattle", q=[0, 0], step="0.1", until=1)
        change()
        with pytest.warns(UserWarning, match="changes nothing; try a parameter"):
            s.run("rattle", q=[0, 0], step="0.1", until=1)
    other, ab = system()
    other.kinetic(ab, lambda q, v: v @ v / 2)
    for body in (types.SimpleNamespace(m=1.0), types.SimpleNamespace(m=2.0)):
        other.potential(ab, lambda q: body.m * q[0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        other.run("rattle", q=[0, 0], step="0.1", until=1)  # a loop


def test_observers_and_pictures():
    s = ex.System("pendulum", l=2)
    a = s.coordinates("a")
    s.kinetic(a, lambda q, v, l: l**2 * v[0] ** 2 / 2)
    s.potential(a, lambda q, l: -9.81 * l * np.cos(q[0]))
    s.observe("height", a, lambda q, l: -l * np.cos(q[0]))
    s.observe("speed", a, lambda q, v, l: l * v[0])
    s.picture(points={"pivot": [0, 0], "bob": ["l*sin(a)", "-l*cos(a)"]}, links=[("pivot", "bob")])
    run = s.run("rattle", q=[1], step="0.01", until=1)
    assert np.allclose(run["height"], -2 * np.cos(run["a"]), rtol=1e-15) and np.allclose(run["speed"], 2 * run.v[:, 0])
    assert s.stepper("rattle", q=[1])["height"] == run["height"][0]


def test_tables_are_those_of_model_files(tmp_path):
    pull = ex.table([0, 1, 1, 3], [0, 2, -1, -1])  # jumps
    s, xy = system()
    s.kinetic(xy, lambda q, v: v @ v / 2)
    s.potential(xy, lambda q: cam(1 + q[0]) + q[1] ** 2)
    s.force("pull", xy, lambda q, v, t: [pull(t), np.interp(t, [0, 2], [0, 1])])
    assert s.text().count("points = ") == 3 and "table1(" in s.text()
    run = s.run("spark(2)", q=[0, 0], step="0.1", until=3)
    place = str(tmp_path / "pulled.toml")
    s.save(place, "spark(2)", q=[0, 0], step="0.1", until=3)
    assert run.status == "complete" and np.array_equal(ex.model(place).run().q, run.q)
    M = ex.model(place).mechanism()  # to which another table is added
    M.observe("more", M.coordinates("x"), lambda q: ex.table([0, 9], [1, 2])(q[0]))
    assert M.run()["more"][0] == 1 and M.text().count("points = ") == 4
    assert np.array_equal(cam([0.0, 1.0, 9.0]), [0, 1 / 3, 1]) and pull(1) == -1
    for bad, words in ((lambda: ex.table([0, 1], [0]), "as many"), (lambda: ex.table([1, 0], [0, 1]), "rise|ascend|order"),
                       (lambda: ex.table([0, 1], [0, 1], between="smooth"), "linear or cubic")):
        with pytest.raises(ex.InputError, match=words):
            bad()


def test_functions_are_called_once_for_all_sites():
    """With symbols, and three times with numbers: what tracing costs does not depend on how long a chain is."""
    calls = {}
    for n in (3, 100):
        s, count = ex.System("chain"), []
        balls = [s.coordinates(f"x{i}", f"y{i}") for i in range(n)]
        s.kinetic(balls, lambda q, v: count.append(1) or v @ v / 2)
        calls[n] = [len(count)]
        for until in (1, 10):
            s.run("rattle", q=[0] * 2 * n, step="0.1", until=until)
            calls[n].append(len(count))
    assert calls[3] == calls[100] == [4, 5, 6]  # steps never call Python; a run looks once whether something has changed


def test_a_chain_of_a_hundred_is_four_small_graphs(monkeypatch):
    """What python/bench measures in milliseconds, in nodes."""
    made = []

    def traced(*args):
        made.append(Traced(*args))
        return made[-1]

    monkeypatch.setattr("extremal.document.Traced", traced)
    chain(100)
    assert len(made) == 4 and sum(len(one.graph) for one in made) < 60


def test_sympy_lambdify():
    sympy = pytest.importorskip("sympy")
    a, b = sympy.symbols("a b")
    f = sympy.lambdify([a, b], sympy.sin(a) * b**2 + sympy.sqrt(a), "numpy", cse=True)
    assert value(lambda q: f(*q)) == pytest.approx(math.sin(0.3) * 0.49 + math.sqrt(0.3))
