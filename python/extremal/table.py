"""Table: a function by its points, for the functions of terms and laws."""
from __future__ import annotations

import json
from typing import Any, List

import numpy as np

from . import _extremal
from ._extremal import InputError
from .arrays import Symbolic, elementwise
from .numbers import texts
from .trace import Expression, TraceError


class Table:
    """A function by its points, linear between them or cubic; beyond the first and the last it stays what it is there.

    >>> import extremal as ex
    >>> pull = ex.table([0, 1, 2, 4], [0, 5, 5, 0])
    >>> pull(0.5), pull(9)
    (2.5, 0.0)
    >>> s = ex.System("cart")
    >>> x = s.coordinates("x")
    >>> s.kinetic(x, lambda q, v: v @ v / 2)
    >>> s.force("pull", x, lambda q, v, t: [pull(t)])
    >>> round(s.run("spark(2)", q=[0], step="0.1", until=4)["v:x"][-1], 9)  # its area
    12.5

    np.interp(x, xp, fp) in such functions is the linear one.
    """

    def __init__(self, x: Any, y: Any, between: str = "linear") -> None:
        if not isinstance(between, str) or between not in ("linear", "cubic"):
            raise InputError(f'between: found "{between}"; expected linear or cubic')
        self.x: List[str] = texts(x, "x")
        self.y: List[str] = texts(y, "y")
        self.between = between
        if len(self.x) != len(self.y):
            raise InputError(f"table: found {len(self.x)} x and {len(self.y)} y; expected as many")
        self._handle = _extremal.table(self.x, self.y, between)

    def __call__(self, x: Any) -> Any:
        """Its value at a number, an array of numbers, or what a function of terms is given."""
        if isinstance(x, Expression):
            x.symbols.tables[self._handle] = self
            return x.symbols.wrap(x.symbols.graph.table(x.node, self._handle))
        if isinstance(x, Symbolic):
            return elementwise(self, x)
        if np.ndim(x) > 0:
            return np.vectorize(self, otypes=[float])(x)
        try:
            return _extremal.table_value(float(x), self._handle)
        except TypeError:
            raise TraceError(f"table: found {type(x).__name__}; expected a number") from None

    def __reduce__(self) -> Any:
        return Table, (self.x, self.y, self.between)

    def toml(self) -> str:
        """As [tables] of model files has it."""
        points = ", ".join(f"[{json.dumps(a)}, {json.dumps(b)}]" for a, b in zip(self.x, self.y))
        more = "" if self.between == "linear" else f", between = {json.dumps(self.between)}"
        return f"{{ points = [{points}]{more} }}"

    def __repr__(self) -> str:
        return f"a table of {len(self.x)} points, {self.between} between them"


def table(x: Any, y: Any, between: str = "linear") -> Table:
    """A function by its points, for terms and laws: ex.table(angle, torque, between="cubic")."""
    return Table(x, y, between)
