"""Numbers as texts, exact at every scalar: int, float, str, Fraction, Decimal and what numpy has of them."""
from __future__ import annotations

import os
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Real
from typing import Any, Iterable, List, Mapping, Tuple, Union

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
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return text(value.item(), what)
    if isinstance(value, Real):
        if not np.isfinite(float(value)):
            raise InputError(f"{what}: found {value!r}; expected a finite number")
        return repr(float(value))
    raise InputError(f"{what}: found {type(value).__name__}; expected int, float, str or Fraction")


def texts(values: Any, what: str, size: int = -1) -> List[str]:
    """One text per number of a sequence or an array."""
    if values is None:
        return []
    if isinstance(values, Mapping):
        raise InputError(f"{what}: found names; expected a list of numbers; try start={{...}} for some by their names")
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
