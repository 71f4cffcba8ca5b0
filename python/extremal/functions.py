"""The functions of numpy that know arrays – np.where, einsum, norm, cross, ... – of symbols."""
from __future__ import annotations

from fractions import Fraction
from string import ascii_letters
from typing import Any, Callable, Dict, Sequence

import numpy as np
from numpy import asarray  # that of numpy, also while a function is traced

from ._extremal import InputError
from .arrays import elementwise, objects, plain, result
from .trace import Symbols, TraceError, branch, chosen

_refused = {"piecewise", "sort", "argmax", "argmin", "argsort", "round", "round_", "around", "rint", "unique", "searchsorted", "allclose",
            "isclose", "array_equal", "any", "all", "nonzero", "fix", "median", "partition", "digitize", "histogram"}


def _where(s: Symbols, condition: Any, *values: Any) -> Any:
    if len(values) != 2:
        raise s.refuse("found np.where without values; expected np.where(condition, a, b)")
    return elementwise(lambda c, a, b: chosen(s, c, a, b), condition, *values)


def _select(s: Symbols, conditions: Sequence[Any], values: Sequence[Any], default: Any = 0) -> Any:
    for condition, value in reversed(list(zip(conditions, values))):
        default = _where(s, condition, value, default)
    return default


def _clip(_: Symbols, a: Any, a_min: Any = None, a_max: Any = None) -> Any:
    a = a if a_min is None else np.maximum(a, a_min)
    return a if a_max is None else np.minimum(a, a_max)


def _extreme(which: Any) -> Callable[..., Any]:
    def extreme(_: Symbols, a: Any, axis: Any = None, keepdims: bool = False) -> Any:
        return which.reduce(result(objects(a)), axis=axis, keepdims=keepdims)

    return extreme


def _norm(s: Symbols, x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:  # noqa: A002
    a = objects(x)
    if ord is not None and ord != "fro" and not (a.ndim == 1 or isinstance(axis, int)):
        raise s.refuse(f"found the norm {ord} of matrices; expected that of their entries; try np.linalg.norm(a)")
    axes = tuple(range(a.ndim)) if axis is None else axis
    if ord is None or ord in (2, "fro"):
        return np.sqrt(result(np.add.reduce(a * a, axes, keepdims=keepdims)))
    size = np.abs(result(a))
    if abs(ord) == np.inf:
        along = axis if isinstance(axis, int) else 0
        return np.max(size, along, keepdims=keepdims) if ord > 0 else np.min(size, along, keepdims=keepdims)
    total = np.sum(size if ord == 1 else size**ord, axis=axes, keepdims=keepdims)
    return total if ord == 1 else total ** (Fraction(1, ord) if isinstance(ord, int) else 1 / ord)


def _cross(_: Symbols, a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: Any = None) -> Any:
    """numpy's own puts products of the numbers among the entries into arrays that take numbers only."""
    if axis is not None:
        axisa = axisb = axisc = axis
    x, y = np.moveaxis(objects(a), axisa, -1), np.moveaxis(objects(b), axisb, -1)
    if x.shape[-1] not in (2, 3) or y.shape[-1] not in (2, 3):
        raise ValueError("incompatible dimensions for cross product (dimension must be 2 or 3)")
    if x.shape[-1] == y.shape[-1] == 2:
        return result(x[..., 0] * y[..., 1] - x[..., 1] * y[..., 0])
    x0, x1, x2, y0, y1, y2 = [z[..., k] if k < z.shape[-1] else objects(0) for z in (x, y) for k in range(3)]
    parts = [objects(part) for part in (x1 * y2 - x2 * y1, x2 * y0 - x0 * y2, x0 * y1 - x1 * y0)]
    return result(np.moveaxis(np.stack(np.broadcast_arrays(*parts), -1), -1, axisc))


def _einsum(s: Symbols, subscripts: Any, *operands: Any, **_: Any) -> Any:
    """np.einsum of symbols, which numpy itself has from 1.25 on."""
    if not isinstance(subscripts, str):
        raise s.refuse("found np.einsum without subscripts; expected a text; try np.einsum('ij,j', A, q)")
    arrays = [objects(operand) for operand in operands]
    left, arrow, right = subscripts.replace(" ", "").partition("->")
    parts = left.split(",")
    hidden = [array.ndim - len(part) + 3 if "..." in part else 0 for part, array in zip(parts, arrays)]  # how many axes ... are
    dots = "".join([letter for letter in ascii_letters if letter not in subscripts][:max(hidden)])
    parts = [part.replace("...", dots[len(dots) - size:]) for part, size in zip(parts, hidden)]
    if not arrow:
        every = "".join(parts)
        right = "..." + "".join(sorted(letter for letter in set(every) - set(dots) if every.count(letter) == 1))
    right = right.replace("...", dots)
    sizes = {letter: array.shape[k] for part, array in zip(parts, arrays) for k, letter in enumerate(part)}
    summed = [letter for letter in sizes if letter not in right]
    out = np.zeros([sizes[letter] for letter in right], dtype=object)
    for at in np.ndindex(*out.shape):
        for inner in np.ndindex(*[sizes[letter] for letter in summed]):
            index = {**dict(zip(right, at)), **dict(zip(summed, inner))}
            product: Any = 1
            for part, array in zip(parts, arrays):
                product = product * array[tuple(index[letter] for letter in part)]
            out[at] = out[at] + product
    return result(out)


def _interp(s: Symbols, x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> Any:
    from .table import Table

    if left is not None or right is not None or period is not None:
        raise s.refuse("found left, right or period of np.interp; expected points only; try np.where")
    points = [asarray(plain(values)) for values in (xp, fp)]
    if any(values.dtype == object for values in points):
        raise s.refuse("found symbols as points of np.interp; expected numbers")
    try:
        return Table(points[0], points[1])(x)
    except TraceError:
        raise
    except InputError as error:
        raise s.refuse(f"np.interp: {error}") from None


_largest = 4  # matrices whose determinants are written down


def _square(s: Symbols, a: Any, name: str) -> np.ndarray:
    matrix = objects(a)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise s.refuse(f"found np.linalg.{name} of an array of shape {matrix.shape}; expected one square matrix")
    if len(matrix) > _largest:
        raise s.refuse(f"found np.linalg.{name} of {len(matrix)} x {len(matrix)} symbols; expected {_largest} x {_largest} at the most; "
                       "try a Lagrangian, which needs no inverse of its masses, or a formula of the entries")
    return matrix


def _minor(matrix: np.ndarray) -> Any:
    """The determinant, by its first row."""
    if len(matrix) == 0:
        return 1
    return sum((-1) ** k * matrix[0, k] * _minor(np.delete(matrix[1:], k, 1)) for k in range(len(matrix)))


def _det(s: Symbols, a: Any) -> Any:
    return _minor(_square(s, a, "det"))


def _inv(s: Symbols, a: Any) -> Any:
    if objects(a).shape == (0, 0):
        return a
    matrix, out = _square(s, a, "inv"), np.empty(objects(a).shape, dtype=object)
    whole = _minor(matrix)
    for i, k in np.ndindex(*matrix.shape):
        out[k, i] = (-1) ** (i + k) * _minor(np.delete(np.delete(matrix, i, 0), k, 1)) / whole
    return result(out)


def _solve(s: Symbols, a: Any, b: Any) -> Any:
    known = asarray(plain(a))
    return (np.linalg.inv(known) if known.dtype != object else _inv(s, a)) @ result(objects(b))


_own: Dict[str, Callable[..., Any]] = {
    "where": _where, "select": _select, "clip": _clip, "max": _extreme(np.maximum), "amax": _extreme(np.maximum), "min": _extreme(np.minimum),
    "amin": _extreme(np.minimum), "norm": _norm, "cross": _cross, "einsum": _einsum, "interp": _interp, "det": _det, "inv": _inv,
    "solve": _solve}


def function_of(symbols: Symbols, function: Any, args: Any, kwargs: Any) -> Any:
    """What a function of numpy makes of symbols: its own code does, but for those above."""
    name = function.__name__
    if name in _refused:
        raise symbols.refuse(f"found np.{name}; expected what a formula can say" + branch)
    if name == "nan_to_num":
        raise symbols.refuse("found np.nan_to_num; expected a formula that is a number everywhere; try np.where(x > 0, np.sqrt(x), 0)")
    if name in ("eig", "eigh", "eigvals", "eigvalsh", "svd", "qr", "lstsq", "pinv", "cholesky"):
        raise symbols.refuse(f"found np.linalg.{name}; expected a formula; try the entries of its result, written down")
    if name in _own:
        return _own[name](symbols, *args, **kwargs)
    return result(function(*[plain(value) for value in args], **{key: plain(value) for key, value in kwargs.items()}))
