"""Numbers as texts, exact at every scalar: int, float, str, Fraction, Decimal and what numpy has of them."""
from __future__ import annotations

import os
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational, Real
from operator import index
from typing import AbstractSet, Any, Dict, Iterable, List, Mapping, Tuple, Union

import numpy as np

from ._extremal import InputError

Place = Union[str, "os.PathLike[str]"]  # of a file
Numeric = Union[int, float, str, Fraction, Decimal, np.integer, np.floating]


def text(value: Any, what: str = "a number") -> str:
    """The decimal text or constant expression of a number. A float means its shortest text: 0.05, not 0.05000000000000000277."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        raise InputError(f"{what}: found {value!r}; expected a number")
    if isinstance(value, Integral):
        return str(int(value))
    if isinstance(value, Rational):  # of fractions and of sympy
        return f"{int(value.numerator)}/{int(value.denominator)}"
    if isinstance(value, Decimal):
        return str(value)
    if hasattr(value, "_mpf_"):  # of mpmath and sympy: (-1)^sign mantissa 2^exponent
        return _binary(value, what)
    if isinstance(value, (Real, np.floating)):
        if not np.isfinite(value if isinstance(value, np.floating) else float(value)):
            raise InputError(f"{what}: found {value!r}; expected a finite number")
        return np.format_float_scientific(value, trim="-") if isinstance(value, np.longdouble) else repr(float(value))
    if hasattr(value, "__array__") and getattr(value, "ndim", None) == 0:  # an array of one number, also of xarray
        return text(np.asarray(value)[()], what)
    raise InputError(f"{what}: found {type(value).__name__}; expected int, float, str or Fraction")


def _binary(value: Any, what: str) -> str:
    sign, mantissa, exponent, _ = value._mpf_
    if not mantissa and exponent:
        raise InputError(f"{what}: found {value!r}; expected a finite number")
    whole = (-1) ** sign * int(mantissa)
    return f"{whole}/{1 << -exponent}" if exponent < 0 else str(whole << exponent)


def texts(values: Any, what: str, size: int = -1) -> List[str]:
    """One text per number of a sequence or an array."""
    if values is None:
        return []
    if isinstance(values, Mapping):
        raise InputError(f"{what}: found names; expected a list of numbers; try start={{...}} for some by their names")
    if isinstance(values, AbstractSet):
        raise InputError(f"{what}: found a set, which has no order; expected a list of numbers")
    if isinstance(values, (str, bytes)) or not isinstance(values, (Iterable, np.ndarray)):
        raise InputError(f"{what}: found {values!r}; expected a list of numbers")
    if getattr(values, "ndim", 1) != 1:
        shape = getattr(values, "shape", ())
        raise InputError(f"{what}: found an array of shape {shape}; expected {size if size >= 0 else 'one row of'} numbers; try {what}.ravel()")
    out = [text(value, what) for value in values]
    if size >= 0 and len(out) != size:
        raise InputError(f"{what}: found {len(out)} numbers; expected {size}")
    return out


def named(values: Mapping[str, Any], what: str) -> List[Tuple[str, str]]:
    """Names and texts."""
    return [(name, text(value, f"{what} {name}")) for name, value in values.items()]


def entries(values: Any, what: str) -> Dict[str, Any]:
    """Names and values; none of None."""
    if values is not None and not (isinstance(values, Mapping) or hasattr(values, "keys")):
        raise InputError(f'{what}: found {values!r}; expected names and values, as {what}={{"x": 1}}')
    return {} if values is None else dict(values)


def counts(values: Any, what: str) -> List[int]:
    """Whole numbers from 1 on, also where they are written 10.0."""
    if isinstance(values, (str, bytes, Mapping)) or not hasattr(values, "__iter__"):
        raise InputError(f"{what}: found {values!r}; expected a list of whole numbers, as {what}=[10, 20, 40]")
    return [count(value, what) for value in values]


def count(value: Any, what: str) -> int:
    """A whole number from 1 on."""
    try:
        whole = int(value) if isinstance(value, (float, np.floating)) and value == int(value) else index(value)
    except (TypeError, ValueError, OverflowError):
        whole = 0
    if isinstance(value, (bool, np.bool_)) or not 1 <= whole < 2**31:
        raise InputError(f"{what}: found {value!r}; expected a whole number, 1 or more")
    return whole
