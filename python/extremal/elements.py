"""What the elementwise functions of numpy do with symbols."""
from __future__ import annotations

from fractions import Fraction
from typing import Any, Callable, Dict

import numpy as np

from .trace import Expression, Symbols, chosen, compared, logical

# Those of formulas, by numpy's names.
_one = {"sqrt": "sqrt", "sin": "sin", "cos": "cos", "tan": "tan", "arcsin": "asin", "arccos": "acos", "arctan": "atan",
        "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "exp": "exp", "log": "log", "fabs": "abs", "absolute": "abs",
        "sign": "sign", "floor": "floor"}
_two = {"arctan2": "atan2", "maximum": "max", "minimum": "min", "fmax": "max", "fmin": "min", "remainder": "mod", "mod": "mod"}
_compares = ("less", "less_equal", "greater", "greater_equal")
_logicals = ("logical_and", "logical_or", "logical_not", "bitwise_and", "bitwise_or", "invert")


def _where(condition: Any, a: Any, b: Any) -> Any:
    return chosen(condition.symbols, condition, a, b)


def _ceil(a: Any) -> Any:
    return -(-a).apply("floor")


def _arctanh(a: Any, far: Any = None) -> Any:
    """Near 0, where the logarithm of nearly 1 has lost the digits of a, the series a + a^3/3 + .. to those of quad."""
    square = a * a
    series: Any = Fraction(1, 29)
    for k in range(27, 0, -2):
        series = series * square + Fraction(1, k)
    return _where(a.apply("abs") < Fraction(1, 16), a * series, ((1 + a) / (1 - a)).apply("log") / 2 if far is None else far)


def _log1p(a: Any) -> Any:
    return 2 * _arctanh(a / (2 + a), (1 + a).apply("log") / 2)


def _arcsinh(a: Any) -> Any:
    """One branch for each sign: nothing is lost where a is large, nor where it is small."""
    size = a.apply("abs")
    return _where(a < 0, -1, 1) * _log1p(size + a * a / (1 + (a * a + 1).apply("sqrt")))


def _arccosh(a: Any) -> Any:
    return _log1p(a - 1 + ((a - 1) * (a + 1)).apply("sqrt"))


# What formulas have no word for, in their words.
_others: Dict[str, Callable[..., Any]] = {
    "add": lambda a, b: a + b, "subtract": lambda a, b: a - b, "multiply": lambda a, b: a * b, "divide": lambda a, b: a / b,
    "true_divide": lambda a, b: a / b, "power": lambda a, b: a**b, "float_power": lambda a, b: a**b, "negative": lambda a: -a,
    "positive": lambda a: a, "conjugate": lambda a: a, "square": lambda a: a * a, "reciprocal": lambda a: 1 / a,
    "exp2": lambda a: 2**a, "log2": lambda a: a.apply("log") / np.log(2.0), "log10": lambda a: a.apply("log") / np.log(10.0),
    "log1p": _log1p, "expm1": lambda a: 2 * (a / 2).apply("sinh") * (a / 2).apply("exp"),
    "cbrt": lambda a: a.apply("sign") * a.apply("abs") ** "1/3",
    "deg2rad": lambda a: a * (np.pi / 180), "radians": lambda a: a * (np.pi / 180),
    "rad2deg": lambda a: a * (180 / np.pi), "degrees": lambda a: a * (180 / np.pi),
    "arcsinh": _arcsinh, "arccosh": _arccosh,
    "arctanh": _arctanh, "hypot": lambda a, b: (a * a + b * b).apply("sqrt"),
    "ceil": _ceil, "trunc": lambda a: _where(a < 0, _ceil(a), a.apply("floor")),
    "fmod": lambda a, b: a.apply("sign") * a.apply("abs").apply("mod", b.apply("abs")),
    "copysign": lambda a, b: _where(b < 0, -a.apply("abs"), a.apply("abs")),
    "heaviside": lambda a, b: _where(a < 0, 0, _where(a > 0, 1, b)),
    "logaddexp": lambda a, b: a.apply("max", b) + _log1p((-(a - b).apply("abs")).apply("exp")),
}
known = sorted({*_one, *_two, *_others} - {"fabs", "fmax", "fmin", "mod", "true_divide", "float_power", "radians", "degrees"})


def is_known(name: str) -> bool:
    """Whether formulas can say it."""
    return name in _one or name in _two or name in _others or name in _compares or name in _logicals


def element(symbols: Symbols, name: str) -> Callable[..., Any]:
    """What a function of numpy does with single entries, of which some are symbols."""

    def apply(*values: Any) -> Any:
        if not any(isinstance(value, Expression) for value in values):
            return getattr(np, name)(*values)
        if name in _compares:
            return compared(values[0], values[1], name)
        if name in _logicals:
            return logical(symbols, name, *values)
        entries = [symbols.wrap(symbols.node(value)) for value in values]
        if name in _one:
            return entries[0].apply(_one[name])
        if name in _two:
            return entries[0].apply(_two[name], entries[1])
        return _others[name](*entries)

    return apply


# numpy calls sin() of the elements of an array of objects.
for _name in (*_one, *_two, *_others):
    if not hasattr(Expression, _name):
        setattr(Expression, _name, lambda self, *more, name=_name: element(self.symbols, name)(self, *more))
