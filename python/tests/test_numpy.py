"""numpy as people write it, in functions that are traced: the value that it has with numbers, or an error at the line."""
import copy
import fractions
import functools
import math
import os
import re
import threading

import extremal as ex
import numpy as np
import pytest
from extremal.traced import Traced

A = np.array([[2.0, 0.5], [0.5, 1.0]])
T = np.arange(8.0).reshape(2, 2, 2)
X = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
config = {"g": 3.0}


def with_default(x, scale=[2.0]):
    return x * scale[0]


def filled(q):
    a = np.empty_like(q)
    a[0], a[1] = q[1], 2.0
    return a.sum()


def copied(q):
    a = q.copy()
    a[0] = 2 * a[1]
    return np.sin(a).sum()


def rotated(q):
    c, s = np.cos(q[0]), np.sin(q[0])
    R = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    return (R @ R)[1, 0] + np.trace(R.T @ R) + np.linalg.norm(R, axis=0).sum()


def accumulated(q):
    total = 0
    for x in q:
        total += x**2
    return total


works = [
    # entries of arrays, of which some are numbers
    lambda q: np.sqrt(np.array([q[0], 4.0])).sum(), lambda q: np.sin(np.asarray([q[0], 1])).sum(), lambda q: np.array([q[0], 1.0]).clip(0, 0.5).sum(),
    lambda q: np.arctan2(np.array([q[0], 1.0]), np.array([1.0, q[1]])).sum(), lambda q: np.maximum(np.array([q[0], q[1]]), 0.5).sum(),
    lambda q: np.where(np.array([q[0], q[1]]) > 0.5, 1.0, 2.0).sum() * q[0], lambda q: np.array([0.0 * q[0], q[0], 0.0])[1], filled, copied, rotated,
    lambda q: np.stack([q[0], 1.0]).sum(), lambda q: np.vstack([q, [1, 2]])[1, 0] * q[0], lambda q: np.hstack([q, 1.0]).sum(), lambda q: np.append(q, 1).sum(),
    lambda q: np.block([[A * q[0]], [A]]).sum(), lambda q: np.r_[q, 1.0].sum(), lambda q: np.column_stack([q, q])[0, 1], lambda q: np.full(2, q[0]).sum(),
    lambda q: np.zeros_like(q).sum() + q[0], lambda q: np.full_like(q, 2.5) @ q, lambda q: np.eye(2) * q[0] @ q @ q, lambda q: np.diag(q).sum(),
    # what shapes are
    lambda q: [q[0]], lambda q: q[:1], lambda q: np.array([q[0]]), lambda q: q[[1, 0]] @ A[0], lambda q: q[np.array([1, 0])] @ A[0], lambda q: q[..., 0],
    lambda q: q[np.array([True, False])].sum(), lambda q: q[:, np.newaxis].T.sum(), lambda q: np.atleast_1d(q[0])[0], lambda q: np.asarray(q[0]) * 2,
    lambda q: np.moveaxis(np.outer(q, q), 0, 1)[0, 1], lambda q: np.broadcast_to(q, (3, 2)).sum(), lambda q: np.roll(q, 1)[0], lambda q: np.delete(q, 0)[0],
    # sums and norms
    lambda q: sum(x**2 for x in q), lambda q: sum(q), lambda q: math.prod(q), lambda q: np.sum([x**2 for x in q]), accumulated, lambda q: np.cumsum(q)[1],
    lambda q: np.linalg.norm(X - q, axis=1).sum(), lambda q: np.linalg.norm(np.outer(q, q)), lambda q: np.linalg.norm(X * q, axis=-1).sum(),
    lambda q: np.linalg.norm(q, 1), lambda q: np.linalg.norm(q, 3), lambda q: np.linalg.norm(q, np.inf), lambda q: np.linalg.norm(q, -np.inf),
    lambda q: np.linalg.norm(q, keepdims=True)[0], lambda q: np.linalg.norm([q[0], q[1]]), lambda q: np.linalg.norm(np.array([[q[0], 1.0], [3.0, 4.0]]), axis=1).sum(),
    lambda q: np.std(q), lambda q: q.var(), lambda q: np.average(q, weights=[1, 2]), lambda q: (1 / np.linalg.norm(q - X, axis=1)).sum(),
    lambda q: np.exp(-((q - X) ** 2).sum(axis=1)).sum(), lambda q: np.sum((q - X) ** 2, axis=(0, 1)), lambda q: np.trapz(q, dx=0.5),
    # products
    lambda q: np.dot(A, q).sum(), lambda q: np.vdot(q, q), lambda q: np.tensordot(A, np.outer(q, q)), lambda q: np.kron(q, q).sum(),
    lambda q: np.cross(q, q[::-1]), lambda q: np.cross(np.array([q[0], q[1], 0]), np.array([0, 1, 2.0])) @ [1, 2, 3], lambda q: np.multiply.outer(q, q)[0, 1],
    lambda q: np.cross(np.append(q, 0), [[1, 2, 3], [0, 0, 1]])[1, 0], lambda q: np.cross(q, [0.0, 1.0, 2.0])[0], lambda q: np.cross(np.outer([1, 0, 2], q), np.ones((3, 2)), axis=0)[1, 0],
    lambda q: np.einsum("ii", np.outer(q, q)), lambda q: np.einsum("ii->i", np.outer(q, q))[1], lambda q: np.einsum("ijk,j,k->i", T, q, q).sum(),
    lambda q: np.einsum("i...,i...->...", q, q), lambda q: np.einsum("...i,...i", X * q, X).sum(), lambda q: np.einsum("...ij,j", T, q)[1, 0],
    lambda q: np.einsum("ij,jk", A, np.outer(q, q)).sum(), lambda q: np.einsum("i,j", q, q)[0, 1], lambda q: np.einsum("i,i", np.array([q[0], 1.0]), A[0], optimize=True),
    lambda q: np.linalg.det(np.outer(q, q) + A), lambda q: np.linalg.inv(np.outer(q, q) + A)[0, 1], lambda q: np.linalg.solve(A, q).sum(),
    lambda q: np.linalg.solve(np.array([[q[0], 0], [0, 1.0]]), [1.0, 2.0])[0], lambda q: np.linalg.det(np.diag(np.array([q[0], q[1], 2.0, q[0]])) + 1),
    lambda q: np.linalg.matrix_power(np.outer(q, q), 2).sum(), lambda q: np.polyval([1.0, 2.0, 3.0], q[0]), lambda q: np.poly1d([1.0, 2.0, 3.0])(q[0]),
    lambda q: np.polynomial.polynomial.polyval(q[0], [1.0, 2.0, 3.0]), lambda q: np.polynomial.Polynomial([1.0, 2.0])(q[1]), lambda q: np.convolve(q, [1.0, 2.0]).sum(),
    # powers, choices, functions that formulas say in their words
    lambda q: q[0] ** 0.5, lambda q: q[0] ** -1, lambda q: q[0] ** q[1], lambda q: pow(q[0], 2), lambda q: (q - 0.5) ** 3 @ [1, 1], lambda q: np.power(2, q).sum(),
    lambda q: np.float64(2) ** q[0], lambda q: np.float32(2) * q[0], lambda q: np.int64(2) * q[0], lambda q: np.array(2.0) * q[0], lambda q: np.cbrt(q - 0.5).sum(),
    lambda q: np.clip(q, None, 0.5).sum(), lambda q: np.clip(q, a_min=0.5, a_max=None).sum(), lambda q: q.clip(max=0.5).sum(), lambda q: np.clip(q[0], 0.0, 0.5),
    lambda q: np.max(q), lambda q: q.max(), lambda q: q.min(), lambda q: q.ptp(), lambda q: np.max(np.outer(q, [1, 2]), axis=0)[1], lambda q: np.maximum.reduce(q),
    lambda q: np.select([q[0] > 0.5, q[1] > 0.5], [1.0, q[1]], 3.0) * q[0], lambda q: np.ceil(3 * q).sum(), lambda q: np.trunc(3 * q - 2).sum(), lambda q: np.fmod(-q, 0.2).sum(),
    lambda q: np.heaviside(q - 0.5, 0.5).sum(), lambda q: np.copysign(q, q - 0.5).sum(), lambda q: np.logaddexp(q[0], q[1]), lambda q: np.arccosh(q + 1).sum(),
    lambda q: np.arctanh(q - 0.5).sum(), lambda q: np.arcsinh(1e9 * (q - 0.5)).sum(), lambda q: np.arcsinh(q - 0.5).sum(), lambda q: np.expm1(1e-9 * q).sum() * 1e9,
    lambda q: np.vectorize(lambda x: x**2)(q).sum(), lambda q: np.apply_along_axis(np.sum, 0, np.outer(q, q)).sum(), lambda q: np.abs(q - 0.5).sum(),
    # numbers
    lambda q: np.real(q).sum(), lambda q: q[0].real + q[0].imag, lambda q: q.imag.sum() + q[0], lambda q: np.conj(q) @ q, lambda q: q[0].item(), lambda q: q.tolist()[0],
    lambda q: q[0] if np.isscalar(q[0]) else q[1], lambda q: fractions.Fraction(1, 3) * q[0], lambda q: copy.deepcopy(q)[0], lambda q: with_default(q[0]), lambda q: config["g"] * q[0],
    lambda q, t: np.where(t > 0.5, q[0], q[1]), lambda q, t: q[0] * np.heaviside(t - 0.2, 1), lambda q, k=3: k * q[0], lambda q, t=0.0: t * q[0],
]


@pytest.mark.parametrize("f", works)
def test_it_means_what_it_means_to_numpy(f):
    """As the graph has it, and as the model file is read again."""
    s = ex.System("s", k=3)
    xy = s.coordinates("x", "y")
    s.kinetic(xy, lambda q, v: v @ v / 2)
    s.potential(xy, f)
    traced, q = Traced(f, 2, False, {"k": "3"}, "s"), np.array([0.3, 0.7])
    names = f.__code__.co_varnames[1:f.__code__.co_argcount]
    wanted = float(np.ravel(f(q, **{name: {"k": 3.0, "t": 0.4}[name] for name in names if name in ("k", "t")}))[0])
    assert traced.graph.evaluate(traced.rows, list(q), [0, 0], 0.4, [3.0])[0] == pytest.approx(wanted, rel=1e-12, abs=1e-14)
    assert s.stepper("rattle", q=q, t="0.4").observe()["potential"] == pytest.approx(wanted, rel=1e-12, abs=1e-14)


@functools.lru_cache()
def cached(x):
    return x * x


def by_time(q, t):
    if t > 0.5:
        return q[0]
    return q[1]


def into_zeros(q):
    a = np.zeros(2)
    a[:] = q
    return a.sum()


refused = [
    by_time, into_zeros, lambda q: cached(q[0]), lambda q: {q[0]: 1.0}[q[0]], lambda q: len(set(q)) * q[0], lambda q: float(f"{q[0]:.3f}"), lambda q: float("%g" % q[0]),
    lambda q: q[0] if isinstance(q[0], float) else q[1], lambda q: q[0] if q.dtype == float else q[1], lambda q: np.isnan(q).sum() + q[0], lambda q: np.isscalar(q[0]) * q[0],
    lambda q: np.exp(1j * q[0]).real, lambda q: np.abs(q[0] + 1j * q[1]), lambda q: complex(q[0], q[1]).real, lambda q: q.astype(np.float32).sum(), lambda q: np.float64(q[0]),
    lambda q: np.array([q[0], 1.0]).astype(float).sum(), lambda q: np.array([q[0], 1.0], dtype=float).sum(), lambda q: np.sum(q, dtype=float), lambda q: np.add(q, q, dtype=float).sum(),
    lambda q: np.fromiter((x for x in q), float).sum(), lambda q: np.piecewise(q[0], [q[0] > 0.5], [1.0, 2.0]), lambda q: np.extract(q > 0, q)[0], lambda q: (q > 0).sum() * q[0],
    lambda q: np.count_nonzero(q > 0) * q[0], lambda q: np.array([q[0], 0.0]).any() * q[0], lambda q: np.array([q[0], 1.0]).argmax() * q[0], lambda q, t: max(0, t) * q[0],
    lambda q: np.linalg.inv(np.outer(np.tile(q, 3), np.tile(q, 3)) + np.eye(6))[0, 0], lambda q: np.sin([q[0], 1.0]).sum(), lambda q: fractions.Fraction(q[0]) * q[0],
    lambda q: [q[0]] == [q[0]], lambda q: (q[0],) == (1,), lambda q: q[0] in q, lambda q: {"a": q[0]}, lambda q: True * q[0], lambda q: math.inf * q[0], lambda q: q[0] * None,
    lambda q, k=5.0: k * q[0], lambda *q: q[0][0], lambda q: np.sum(q, where=[True, False]), lambda q: np.where((q[0] > 0) and (q[1] > 0), 1.0, 2.0), lambda q: math.floor(q[0]) * 1.0,
    functools.partial(lambda k, q: k if q[0] > 0 else 2 * k, 3),
]


@pytest.mark.parametrize("f", refused)
def test_what_it_cannot_mean_is_an_error_with_a_line_and_advice(f):
    s = ex.System("s", k=3)
    xy = s.coordinates("x", "y")
    with pytest.raises(ex.TraceError) as caught:
        s.potential(xy, f)
    said = str(caught.value)
    assert "expected" in said and re.match(re.escape(os.path.abspath(__file__)) + r":\d+: ", said), said


def test_mistakes_are_those_that_numbers_would_give():
    """In the words of numpy, since symbols are nobody's business there."""
    s = ex.System("s")
    xy = s.coordinates("x", "y")
    for f, kind, words in ((lambda q: q.x, AttributeError, "'numpy.ndarray' object"), (lambda q: q @ A[:1], ValueError, "mismatch"), (lambda q: q["x"], IndexError, "valid indices"),
                           (lambda q: q[0] & 1, TypeError, "bitwise_and"), (lambda q: q + [1, 2, 3], ValueError, "broadcast")):
        with pytest.raises(kind, match=words):
            s.potential(xy, f)


def test_laws_of_joints_name_the_line_of_their_functions():
    M = ex.Mechanism("arm", space="planar", k=2)
    bar = M.body("bar", mass=1, inertia=1)
    M.revolute("pivot", M.ground(), bar)
    for law in (lambda angle, rate: 1 if angle > 0 else 2, lambda angle, rate, gain: gain, lambda angle: angle, lambda angle, rate: None,
                lambda angle, rate, k=3: k * angle):
        with pytest.raises(ex.TraceError, match=re.escape(os.path.abspath(__file__)) + r":\d+: "):
            M.joint_motor("motor", "pivot", law)
    gain = 1.0
    M.joint_motor("motor", "pivot", lambda angle, rate: -gain * angle)
    gain = 2.0
    with pytest.warns(UserWarning, match=re.escape(os.path.abspath(__file__)) + r":\d+: .*gain was 1.0 .* try a parameter"):
        M.run("rattle", step="0.01", until="0.1")


def test_symbols_show_their_formulas():
    shown = []

    def energy(q, v, m):
        shown.append(f"{m * v[0] ** 2} {q} {np.sin(q[1])}")
        return v @ v

    s = ex.System("s", m=2)
    s.kinetic(s.coordinates("x", "y"), energy)
    assert shown[0] == "<m*v[0]^2> [<q[0]> <q[1]>] <sin(q[1])>"


def test_numpy_is_as_it_was_after_tracing():
    makers = np.array, np.asarray, np.asanyarray

    def trace():
        for _ in range(20):
            s = ex.System("s")
            s.potential(s.coordinates("x"), lambda q: np.sqrt(np.array([q[0] ** 2, 1.0])).sum())
            with pytest.raises(ex.TraceError):
                s.potential(s.coordinates("y"), lambda q: np.array([1.0])[q[0]])

    crew = [threading.Thread(target=trace) for _ in range(4)]
    for one in crew:
        one.start()
    for one in crew:
        one.join()
    assert (np.array, np.asarray, np.asanyarray) == makers
