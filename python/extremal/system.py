"""System: a sum of terms over named coordinates and parameters, from functions."""
from __future__ import annotations

import json
from typing import Any, Callable, List

from . import _extremal
from ._extremal import InputError
from .document import Coordinates, Document, Sites
from .numbers import entries

__all__ = ["Coordinates", "System"]


class System(Document):
    """The Lagrangian is the sum of kinetic - potential + lagrangian; constraints stay 0.

    >>> import extremal as ex
    >>> s = ex.System("pendulum", m=2, g="9.81")           # keywords: parameters, exact if they are text
    >>> ball = s.coordinates("x", "y")
    >>> s.kinetic(ball, lambda q, v, m: m/2*(v @ v))       # further arguments: parameters by name, t is time
    >>> s.potential(ball, lambda q, m, g: m*g*q[1])
    >>> s.constraint("rod", ball, lambda q: q @ q - 1)
    >>> s.observe("height", ball, lambda q: q[1] + 1)
    >>> run = s.run("spark(3)", q=[1, 0], step="0.05", until=100)
    >>> run.status, run["height"][0]
    ('complete', 1.0)
    >>> print(s.text().splitlines()[2])
    kinetic = "0.5*m*(x'^2 + y'^2)"

    A function is called once, when its term is added, with symbols; steps never call Python. What it finds outside of its
    arguments is taken as it is then: parameters are the way to vary. After that it is called with numbers and compared.
    """

    def __init__(self, name: str = "system", **parameters: Any) -> None:
        self._groups: List[List[str]] = []
        super().__init__(name, parameters)

    def coordinates(self, *names: str) -> Coordinates:
        """Coordinates that are named in one call belong together, as those of one body."""
        if not names or not all(isinstance(name, str) for name in names):
            raise InputError('coordinates: expected names, as s.coordinates("x", "y")')
        known = {name for group in self._groups for name in group}
        for k, name in enumerate(names):
            if not _extremal.is_formula_name(name):
                raise InputError(f'{self.name}: found the coordinate "{name}"; expected letters, digits, _ and ., and neither t, pi nor '
                                 "the name of a function")
            if name in known or name in names[:k]:
                raise InputError(f'{self.name}: coordinate "{name}" exists already; expected distinct names')
            if name in self.parameters:
                raise InputError(f'{self.name}: "{name}" is a parameter; expected distinct names')
        self._groups.append(list(names))
        self._made = None
        return Coordinates(self, names)

    def hamiltonian(self, sites: Sites, f: Callable[..., Any]) -> None:
        """H(q, p, ...): one number."""
        self._term("hamiltonian", "hamiltonian", sites, f)

    def force(self, name: str, sites: Sites, f: Callable[..., Any]) -> None:
        """f(q, v, ...): one entry per coordinate."""
        self._term("force", name, sites, f)

    def _started(self, set: Any, start: Any, q: Any, v: Any, p: Any, t: Any, slack: Any) -> _extremal.Problem:  # noqa: A002
        if q is None and not entries(start, "start"):
            names = ", ".join(name for group in self._groups for name in group)
            raise InputError(f"{self.name}: has no start yet; expected q=[...], one number for each of {names or 'its coordinates'}")
        return super()._started(set, start, q, v, p, t, slack)

    def _head(self) -> List[str]:
        groups = self._groups[0] if len(self._groups) == 1 else self._groups
        return [*super()._head(), f"coordinates = {json.dumps(groups)}"]

    def __repr__(self) -> str:
        values = ", ".join(f"{name} = {value}" for name, value in self.parameters.items())
        names = [name for group in self._groups for name in group]
        return f"System {self.name}: coordinates {', '.join(names) or 'none'}; parameters {values or 'none'}"
