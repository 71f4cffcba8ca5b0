"""System: a sum of terms over named coordinates and parameters, from functions."""
from __future__ import annotations

import json
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _extremal
from ._extremal import InputError
from .model import Runnable, run_keys
from .numbers import named, text, texts
from .trace import Symbols, TraceError, array, called, formula, rest_of, rows_of

_with_velocity = ("kinetic", "lagrangian", "hamiltonian", "force")


class Coordinates:
    """A handle to some coordinates; a + b has those of both."""

    def __init__(self, owner: "System", indices: Tuple[int, ...]) -> None:
        self.owner = owner
        self.indices = indices

    def __add__(self, other: "Coordinates") -> "Coordinates":
        if not isinstance(other, Coordinates):
            return NotImplemented
        return Coordinates(self.owner, self.indices + other.indices)

    def __len__(self) -> int:
        return len(self.indices)

    @property
    def names(self) -> List[str]:
        return [self.owner.coordinate_names[i] for i in self.indices]

    def __repr__(self) -> str:
        return f"Coordinates({', '.join(self.names)})"


Sites = Union[Coordinates, Sequence[Coordinates]]


class System(Runnable):
    """The Lagrangian is the sum of kinetic - potential + lagrangian; constraints stay 0.

    >>> import extremal as ex
    >>> s = ex.System("pendulum", m=2, g="9.81")           # keywords: parameters, exact if they are text
    >>> ball = s.coordinates("x", "y")
    >>> s.kinetic(ball, lambda q, v, m: m/2*(v @ v))       # further arguments: parameters by name, t is time
    >>> s.potential(ball, lambda q, m, g: m*g*q[1])
    >>> s.constraint("rod", ball, lambda q: q @ q - 1)
    >>> run = s.run("spark(3)", q=[1, 0], step="0.05", until=100)
    >>> run.status
    'complete'

    A function is called once, when its term is added, with symbols; steps never call Python. What it finds outside of its
    arguments is taken as it is then: parameters are the way to vary. After that it is called with numbers and compared.
    """

    def __init__(self, name: str = "system", **parameters: Any) -> None:
        self.name = name
        self.coordinate_names: List[str] = []
        self.parameters: Dict[str, str] = {}
        self._builder = _extremal.Builder(name)
        self._energies: Dict[str, List[str]] = {}
        self._tables: List[str] = []
        self._groups: List[List[str]] = []
        self._unwritten = ""
        for parameter, value in parameters.items():
            self.parameter(parameter, value)

    def parameter(self, name: str, value: Any) -> None:
        """A number that can be changed later: run(set={"g": 1.62})."""
        said = text(value, name)
        self._builder.parameter(name, said)
        self.parameters[name] = said

    def coordinates(self, *names: str) -> Coordinates:
        """Coordinates that are named in one call belong together, as those of one body."""
        if not names or not all(isinstance(name, str) for name in names):
            raise InputError('coordinates: expected names, as s.coordinates("x", "y")')
        self._builder.coordinates(list(names))
        first = len(self.coordinate_names)
        self.coordinate_names += names
        self._groups.append(list(names))
        return Coordinates(self, tuple(range(first, first + len(names))))

    def kinetic(self, sites: Sites, f: Callable[..., Any]) -> None:
        """T(q, v, ...): one number."""
        self._term("kinetic", "kinetic", sites, f)

    def potential(self, sites: Sites, f: Callable[..., Any]) -> None:
        """V(q, ...): one number."""
        self._term("potential", "potential", sites, f)

    def lagrangian(self, sites: Sites, f: Callable[..., Any]) -> None:
        """L(q, v, ...): one number."""
        self._term("lagrangian", "lagrangian", sites, f)

    def hamiltonian(self, sites: Sites, f: Callable[..., Any]) -> None:
        """H(q, p, ...): one number."""
        self._term("hamiltonian", "hamiltonian", sites, f)

    def constraint(self, name: str, sites: Sites, f: Callable[..., Any]) -> None:
        """g(q, ...) = 0: one number or several."""
        self._term("constraint", name, sites, f)

    def force(self, name: str, sites: Sites, f: Callable[..., Any]) -> None:
        """f(q, v, ...): one entry per coordinate."""
        self._term("force", name, sites, f)

    def symmetry(self, name: str, sites: Sites, f: Callable[..., Any]) -> None:
        """a(q, ...): the direction in which each coordinate moves; its momentum is observed."""
        self._term("symmetry", name, sites, f)

    def _places(self, what: str, sites: Sites) -> List[Coordinates]:
        places = [sites] if isinstance(sites, Coordinates) else list(sites) if isinstance(sites, (list, tuple)) else []
        if not places or not all(isinstance(place, Coordinates) and place.owner is self for place in places):
            raise InputError(f"{what}: expected coordinates of this system, as s.coordinates gives them, or a list of them")
        if len({len(place) for place in places}) > 1:
            raise InputError(f"{what}: found sites of different sizes; expected as many coordinates in each")
        return places

    def _term(self, role: str, name: str, sites: Sites, f: Callable[..., Any]) -> None:
        what = f"{self.name}: {role}" + ("" if name == role else f' "{name}"')
        if not callable(f):
            raise TraceError(f"{what}: found {type(f).__name__}; expected a function, as lambda q: ...")
        places = self._places(what, sites)
        size, moving = len(places[0]), role in _with_velocity
        parameters = list(self.parameters)
        more = rest_of(f, 2 if moving else 1, parameters, what)
        symbols = Symbols()
        g = symbols.graph
        arguments = [array([symbols.wrap(g.coordinate(i)) for i in range(size)])]
        if moving:
            arguments.append(array([symbols.wrap(g.velocity(i)) for i in range(size)]))
        values = {n: symbols.wrap(g.time() if n == "t" else g.parameter(parameters.index(n))) for n in more}
        rows = rows_of(symbols, called(symbols, f, arguments, values, what), what)
        if role in ("force", "symmetry") and len(rows) != size:
            raise TraceError(f"{what}: found {len(rows)} numbers; expected one per coordinate, {size}")
        if role in ("kinetic", "potential", "lagrangian", "hamiltonian") and len(rows) != 1:
            raise TraceError(f"{what}: found {len(rows)} numbers; expected one; try v @ v, or np.sum")
        if role == "constraint" and (not rows or any(g.is_constant(row) for row in rows)):
            raise TraceError(f"{what}: found a row that depends on no coordinate; expected formulas that stay 0")
        labels = [f"{name} {i}" for i in range(len(places))] if len(places) > 1 and role == "constraint" else []
        flat = [i for place in places for i in place.indices]
        self._builder.term(role, name, g, rows, size, flat, labels)
        self._compare(f, size, moving, more, what)
        self._write(role, name, g, rows, places, labels)

    def _compare(self, f: Callable[..., Any], size: int, moving: bool, more: Sequence[str], what: str) -> None:
        """The function with random numbers, and the formula that was made of it."""
        random = np.random.default_rng(1)
        numbers = {n: _value(said) for n, said in self.parameters.items() if n in more}
        if None in numbers.values():
            return
        for _ in range(3):
            q, v, t = random.uniform(0.1, 1, size), random.uniform(0.1, 1, size), float(random.uniform(0, 1))
            if "t" in more:
                numbers["t"] = t
            with np.errstate(all="ignore"):
                found = f(q.copy(), v.copy(), **numbers) if moving else f(q.copy(), **numbers)
            expected = np.array(self._builder.evaluate(list(q), list(v), t))
            found = np.ravel(np.array(found, dtype=float))
            if np.all(np.isfinite(found)) and np.all(np.isfinite(expected)):
                if found.shape != expected.shape or not np.allclose(found, expected, 1e-9, 1e-12):
                    raise TraceError(f"{what}: called with numbers the function gives {found}, and {expected} as it was traced; "
                                     "expected a function of its arguments; does it change something, or draw random numbers?")
                return

    def _write(self, role: str, name: str, g: _extremal.Graph, rows: Sequence[int], places: Sequence[Coordinates],
               labels: Sequence[str]) -> None:
        """The term as text of a model file, as far as texts can have it."""
        try:
            for k, place in enumerate(places):
                names = place.names

                def leaf(kind: str, i: int) -> str:
                    if kind == "parameter":
                        return list(self.parameters)[i]
                    if kind == "coordinate":
                        return names[i]
                    if kind == "velocity":
                        return f"p.{names[i]}" if role == "hamiltonian" else f"{names[i]}'"
                    return "t"

                formulas = [formula(g, row, leaf) for row in rows]
                if role in ("kinetic", "potential", "lagrangian", "hamiltonian"):
                    self._energies.setdefault(role, []).append(formulas[0])
                    continue
                label = labels[k] if labels else name if len(places) == 1 else f"{name} {k}"
                said = (f"formula = {json.dumps(formulas)}" if role == "constraint" and len(formulas) > 1 else
                        f"formula = {json.dumps(formulas[0])}" if role == "constraint" else
                        "along = { " + ", ".join(f"{json.dumps(n)} = {json.dumps(x)}" for n, x in zip(names, formulas)) + " }")
                self._tables.append(f"[[{role}]]\nname = {json.dumps(label)}\n{said}\n")
        except InputError as error:
            self._unwritten = self._unwritten or f"{role} {name}: {error}"

    def text(self) -> str:
        """The model file of the system; InputError if a formula is too long for one."""
        if self._unwritten:
            raise InputError(f"{self.name}: no model file: {self._unwritten}")
        lines = [f"name = {json.dumps(self.name)}", f"coordinates = {json.dumps(self._groups)}"]
        lines += [f"{role} = {json.dumps(formulas)}" for role, formulas in self._energies.items()]
        lines += ["", *self._tables]
        if self.parameters:
            lines += ["[parameters]", *[f"{json.dumps(n)} = {json.dumps(x)}" for n, x in self.parameters.items()]]
        return "\n".join(lines) + "\n"

    def save(self, path: str, scheme: Optional[str] = None, *, q: Any = None, v: Any = None, p: Any = None, t: Any = None,
             **keys: Any) -> None:
        """Writes the model file, with a start and a run if they are given: s.save("own.toml", q=[1, 0], step="0.05", until=10)."""
        out = self.text()
        names, size = self.coordinate_names, len(self.coordinate_names)
        lines = [f"{json.dumps(n)} = {json.dumps(x)}" for n, x in zip(names, texts(q, "q", size if q is not None else -1))]
        if t is not None:
            lines.append(f"t = {json.dumps(text(t, 't'))}")
        for mark, given in (("velocity", v), ("momentum", p)):
            if given is not None:
                values = ", ".join(f"{json.dumps(n)} = {json.dumps(x)}" for n, x in zip(names, texts(given, mark, size)))
                lines.append(f"{mark} = {{ {values} }}")
        if lines:
            out += "\n[start]\n" + "\n".join(lines) + "\n"
        said = run_keys(scheme, keys)
        if said:
            whole = ("every", "outputs", "steps")
            out += "\n[run]\n" + "\n".join(f"{k} = {x if k in whole else json.dumps(x)}" for k, x in said.items()) + "\n"
        _extremal.load_text(out, self.name, [])  # what cannot be read is not written
        with open(path, "w", encoding="utf-8") as file:
            file.write(out)

    def _problem(self, set: Mapping[str, Any], start: Mapping[str, Any]) -> _extremal.Problem:  # noqa: A002
        for name in set:
            if name not in self.parameters:
                raise InputError(f'{self.name}: unknown parameter "{name}"; expected one of {", ".join(self.parameters)}')
        said = "" if self._unwritten else self.text()
        return self._builder.problem(said, named(set, "set"))

    def __repr__(self) -> str:
        values = ", ".join(f"{name} = {value}" for name, value in self.parameters.items())
        return f"System {self.name}: coordinates {', '.join(self.coordinate_names) or 'none'}; parameters {values or 'none'}"


def _value(said: str) -> Optional[float]:
    """A parameter as a number; None for an expression, which only the library reads."""
    try:
        return float(said)
    except ValueError:
        top, slash, bottom = said.partition("/")
        try:
            return float(top) / float(bottom) if slash else None
        except (ValueError, ZeroDivisionError):
            return None
