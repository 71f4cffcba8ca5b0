"""Document: what System and Mechanism have in common – a model file that grows by calls, terms by functions among them."""
from __future__ import annotations

import json
from copy import deepcopy
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union
from uuid import uuid4

from . import _extremal
from ._extremal import InputError
from .model import Runnable, run_entries, run_keys
from .numbers import Place, named, text, texts
from .sections import key_text
from .trace import TraceError
from .traced import Captured, Traced, warn_of_changes

_with_velocity = ("kinetic", "lagrangian", "hamiltonian", "force")
_energies = ("kinetic", "potential", "lagrangian", "hamiltonian")
_nothing: Dict[str, str] = {}


class Coordinates:
    """A handle to some coordinates: a + b has those of both, x, y = a and a[0] single ones."""

    def __init__(self, owner: "Document", names: Tuple[str, ...]) -> None:
        self.owner = owner
        self.names = list(names)

    def __add__(self, other: "Coordinates") -> "Coordinates":
        if not isinstance(other, Coordinates):
            return NotImplemented
        if other.owner._token != self.owner._token:
            raise InputError(f"{self!r} + {other!r}: found coordinates of two systems; expected those of one")
        twice = [name for name in self.names if name in other.names]
        if twice:
            raise InputError(f'{self!r} + {other!r}: found "{twice[0]}" twice; expected coordinates that differ')
        return Coordinates(self.owner, (*self.names, *other.names))

    def __getitem__(self, k: Union[int, slice]) -> "Coordinates":
        return Coordinates(self.owner, tuple(self.names[k] if isinstance(k, slice) else [self.names[k]]))

    def __iter__(self) -> Iterator["Coordinates"]:
        return (self[k] for k in range(len(self)))

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"Coordinates({', '.join(self.names)})"


Sites = Union[Coordinates, Sequence[Coordinates]]


class Document(Runnable):
    """A model file in the making. Terms are functions of q (and v), then parameters by their names, and t for time."""

    def __init__(self, name: str, parameters: Mapping[str, Any]) -> None:
        self.name = _name(name, "name")
        self.parameters: Dict[str, str] = {}
        self._formulas: Dict[str, List[Tuple[str, str]]] = {}  # of energies: of one site, or a whole table
        self._tables: List[str] = []
        self._points: Dict[str, str] = {}  # tables by points: what the file says of them, and their names
        self._definitions: List[Tuple[str, str]] = []
        self._observed: List[Tuple[str, str]] = []
        self._rate: List[Tuple[str, str]] = []
        self._picture: List[str] = []
        self._joints: Dict[str, Dict[str, str]] = {}
        self._captured: List[Captured] = []
        self._terms = 0
        self._token = uuid4().hex  # that of copies, whose coordinates are the same
        self._made: Optional[_extremal.Problem] = None
        for parameter, value in parameters.items():
            self.parameter(parameter, value)

    def __getstate__(self) -> Dict[str, Any]:
        """For copies and pickle: terms are formulas by now, and what their functions found outside of them stays here."""
        return {**self.__dict__, "_made": None, "_captured": []}

    def __copy__(self) -> Any:
        return deepcopy(self)

    def parameter(self, name: str, value: Any) -> None:
        """A number that can be changed later: run(set={"g": 1.62}), stepper.set(g=1.62). A text may be a formula of others."""
        if not _extremal.is_formula_name(_name(name, "parameter")):
            raise InputError(f'{self.name}: found the parameter "{name}"; expected letters, digits, _ and ., and neither t, pi nor '
                             "the name of a function")
        if name in self._known():
            raise InputError(f'{self.name}: parameter "{name}" exists already; expected distinct names')
        self.parameters[name] = text(value, name)
        self._made = None

    def kinetic(self, sites: Sites, f: Callable[..., Any]) -> None:
        """T(q, v, ...): one number."""
        self._term("kinetic", "kinetic", sites, f)

    def potential(self, sites: Sites, f: Callable[..., Any], slow: bool = False) -> None:
        """V(q, ...): one number. `slow` where it changes little while others swing: multirate(m, S) evaluates it once a step."""
        self._term("potential", "potential", sites, f, "slow = true\n" if slow else "")

    def lagrangian(self, sites: Sites, f: Callable[..., Any]) -> None:
        """L(q, v, ...): one number."""
        self._term("lagrangian", "lagrangian", sites, f)

    def constraint(self, name: str, sites: Sites, f: Callable[..., Any]) -> None:
        """g(q, ...) = 0: one number or several."""
        self._term("constraint", name, sites, f)

    def symmetry(self, name: str, sites: Sites, f: Callable[..., Any]) -> None:
        """a(q, ...): the direction in which each coordinate moves; its momentum is observed."""
        self._term("symmetry", name, sites, f)

    def observe(self, name: str, site: Coordinates, f: Callable[..., Any]) -> None:
        """A column of the run: f(q, v, ...), one number, or f(q, ...)."""
        what = f'{self.name}: observer "{_name(name, "observe")}"'
        if name in self._observers():
            raise InputError(f"{what} exists already; expected distinct names")
        (place,) = self._places(what, site)
        traced = self._trace(f, len(place), _arguments(f) > 1, what)
        if len(traced.rows) != 1:
            raise TraceError(f"{traced.what}: found {len(traced.rows)} numbers; expected one")
        rows = self._printed(traced, [_extremal.formula_name(n) for n in place.names], False)
        self._observed.append((name, rows[0]))
        self._made = None

    def rate(self, site: Coordinates, f: Callable[..., Any]) -> None:
        """dt/dtau of runs that are paced, run(pace="symplectic") or "reversible": f(q, ...), one positive number."""
        what = f"{self.name}: rate"
        (place,) = self._places(what, site)
        traced = self._trace(f, len(place), False, what)
        if len(traced.rows) != 1:
            raise TraceError(f"{what}: found {len(traced.rows)} numbers; expected one")
        self._rate = [("rate", self._printed(traced, [_extremal.formula_name(n) for n in place.names], False)[0])]
        self._made = None

    def picture(self, *, points: Mapping[str, Any], links: Sequence[Tuple[str, str]] = (), springs: Sequence[Tuple[str, str]] = (),
                trails: Sequence[str] = ()) -> None:
        """How the page draws it: points = {"bob": ["l*sin(phi)", "-l*cos(phi)"]}, formulas; links and springs between them."""
        if not isinstance(points, Mapping) or not all(_is_list(pairs) for pairs in (*points.values(), links, springs, trails)):
            raise InputError('picture: expected points={"bob": ["x", "y"]}, links=[("pivot", "bob")], trails=["bob"]')
        inner = ", ".join(f"{json.dumps(name)} = {json.dumps([text(x, name) for x in place])}" for name, place in points.items())
        self._picture = [f"points = {{ {inner} }}"]
        for key, pairs in (("links", links), ("springs", springs)):
            if pairs:
                if not all(_is_list(pair) and len(pair) == 2 for pair in pairs):
                    raise InputError(f'picture: {key}: expected pairs of points, as [("pivot", "bob")]')
                self._picture.append(f"{key} = {json.dumps([list(pair) for pair in pairs])}")
        if trails:
            self._picture.append(f"trails = {json.dumps(list(trails))}")
        self._made = None

    # ----------------------------------------------------------------------------------------------------------------

    def _trace(self, f: Callable[..., Any], size: int, moving: bool, what: str) -> Traced:
        traced = Traced(f, size, moving, self._known(), what)
        self._captured.append(traced.captured)
        return traced

    def _known(self) -> Dict[str, str]:
        """The parameters that functions may have as arguments."""
        return self.parameters

    def _named_tables(self, traced: Traced) -> Dict[int, str]:
        """Names of the tables that a function called, which the file has from now on."""
        for table in traced.tables.values():
            if table.toml() not in self._points:
                number = next(k for k in range(1, 1000000) if not self._taken(f"table{k}"))
                self._points[table.toml()] = f"table{number}"
        return {handle: self._points[table.toml()] for handle, table in traced.tables.items()}

    def _observers(self) -> List[str]:
        return [name for name, _ in self._observed]

    def _taken(self, name: str) -> bool:
        """Whether something has this name already."""
        return name in self._known() or name in self._points.values()

    def _printed(self, traced: Traced, names: Sequence[str], momenta: bool) -> List[str]:
        self._terms += 1
        rows, definitions = traced.formulas(names, f"part{self._terms}.", self._named_tables(traced), momenta)
        self._definitions += definitions
        return rows

    def _places(self, what: str, sites: Sites) -> List[Coordinates]:
        places = [sites] if isinstance(sites, Coordinates) else list(sites) if isinstance(sites, (list, tuple)) else []
        if not places or not all(isinstance(place, Coordinates) and place.owner._token == self._token for place in places):
            raise InputError(f"{what}: expected coordinates of this system, as s.coordinates gives them, or a list of them")
        if len({len(place) for place in places}) > 1:
            raise InputError(f"{what}: found sites of different sizes; expected as many coordinates in each")
        return places

    def _term(self, role: str, name: str, sites: Sites, f: Callable[..., Any], more: str = "") -> None:
        what = f"{self.name}: {role}" + ("" if _name(name, role) == role else f' "{name}"')
        places = self._places(what, sites)
        size = len(places[0])
        traced = self._trace(f, size, role in _with_velocity, what)
        rows = traced.rows
        if role in ("force", "symmetry") and len(rows) != size:
            raise TraceError(f"{traced.what}: found {len(rows)} numbers; expected one per coordinate, {size}")
        if role in _energies and len(rows) != 1:
            raise TraceError(f"{traced.what}: found {len(rows)} numbers; expected one; try v @ v, or np.sum")
        if role == "constraint" and (not rows or not all(traced.graph.has_coordinate(row) for row in rows)):
            raise TraceError(f"{traced.what}: found a row that depends on no coordinate; expected formulas that stay 0")
        local = [_extremal.formula_name(n) for n in places[0].names]
        if len(places) > 1 and not all(_extremal.is_formula_name(n) for n in places[0].names):
            local = [f"q{i}" for i in range(size)]
        formulas = self._printed(traced, local, role == "hamiltonian")
        at = ""
        if len(places) > 1:
            at = f"names = {json.dumps(local)}\nsites = {json.dumps([place.names for place in places])}\n"
        self._made = None
        if role in _energies:
            if formulas[0] == "0":  # as in a loop over i, where it is i times something
                return
            self._formulas.setdefault(role, []).append((formulas[0], at + more))
            return
        if role == "constraint":
            said = f"formula = {json.dumps(formulas if len(formulas) > 1 else formulas[0])}\n"
        else:
            keys = local if at else places[0].names
            said = "along = { " + ", ".join(f"{json.dumps(n)} = {json.dumps(x)}" for n, x in zip(keys, formulas)) + " }\n"
        self._tables.append(f"[[{role}]]\nname = {json.dumps(name)}\n{said}{at}")

    def _head(self) -> List[str]:
        """Lines before all tables."""
        return [f"name = {json.dumps(self.name)}"]

    def _parts(self) -> List[str]:
        """Tables besides the terms."""
        return []

    def text(self) -> str:
        """The model file."""
        lines, tables = self._head(), self._parts()
        for role, formulas in self._formulas.items():
            if any(at for _, at in formulas):
                tables += self._energies(role)
            else:
                said = [formula for formula, _ in formulas]
                lines.append(f"{role} = {json.dumps(said if len(said) > 1 else said[0])}")
        tables += self._tables
        for header, entries in self._entries().items():
            if entries:
                tables.append(f"[{header}]\n" + "".join(f"{json.dumps(n)} = {x}\n" for n, x in entries.items()))
        if self._picture:
            tables.append("[picture]\n" + "\n".join(self._picture) + "\n")
        return "\n".join(lines) + "\n\n" + "\n".join(tables)

    def _energies(self, role: str) -> List[str]:
        """Those of a role as tables."""
        return [f"[[{role}]]\nformula = {json.dumps(formula)}\n{at}" for formula, at in self._formulas[role]]

    def _entries(self) -> Dict[str, Dict[str, str]]:
        """Names and values of the tables that have nothing else."""
        texts = {"parameters": self.parameters, "definitions": dict(self._definitions), "time": dict(self._rate), "observe": dict(self._observed)}
        out = {header: {name: json.dumps(value) for name, value in entries.items()} for header, entries in texts.items()}
        return {**out, "tables": {name: points for points, name in self._points.items()}}

    def _start_entries(self, q: Any, v: Any, p: Any, t: Any) -> Dict[str, str]:
        """Of [start]."""
        names = self._problem({}, {}).coordinates
        size = len(names)
        out = {n: json.dumps(x) for n, x in zip(names, texts(q, "q", size if q is not None else -1))}
        if t is not None:
            out["t"] = json.dumps(text(t, "t"))
        for mark, given in (("velocity", v), ("momentum", p)):
            if given is not None:
                values = ", ".join(f"{json.dumps(n)} = {json.dumps(x)}" for n, x in zip(names, texts(given, mark, size)))
                out[mark] = f"{{ {values} }}"
        return out

    def _joint_entries(self) -> Dict[str, str]:
        """Of joints in [start]."""
        return {joint: "{ " + ", ".join(f"{k} = {json.dumps(x)}" for k, x in said.items()) + " }" for joint, said in self._joints.items()}

    def save(self, path: Place, scheme: Optional[str] = None, *, q: Any = None, v: Any = None, p: Any = None, t: Any = None,
             **keys: Any) -> None:
        """Writes the model file, with a start and a run if they are given: s.save("own.toml", q=[1, 0], step="0.05", until=10)."""
        if v is not None and p is not None:
            raise InputError("start: found v and p; expected one of them")
        out = self._whole(self._start_entries(q, v, p, t), run_entries(run_keys(scheme, keys)))
        _extremal.load_text(out, self.name, [])  # what cannot be read is not written
        with open(path, "w", encoding="utf-8") as file:
            file.write(out)

    @property
    def coordinate_names(self) -> List[str]:
        """The names of all coordinates of the system."""
        return self._problem({}, {}).coordinates

    def _problem(self, set: Mapping[str, Any], start: Mapping[str, Any]) -> _extremal.Problem:  # noqa: A002
        warn_of_changes(self._captured)
        if set:
            return _extremal.load_text(self._whole(), self.name, named(set, "set"))
        if self._made is None:
            self._made = _extremal.load_text(self._whole(), self.name, [])
        return self._made

    def _whole(self, start: Mapping[str, str] = _nothing, run: Mapping[str, str] = _nothing) -> str:
        """The text with a start, also of joints, and a run."""
        out = self.text()
        for table, entries in (("start", {**start, **joints_of(self._joint_entries())}), ("run", run)):
            if entries:
                out += f"\n[{table}]\n" + "".join(f"{key_text(key)} = {value}\n" for key, value in entries.items())
        return out


def _name(name: Any, what: str) -> str:
    if not isinstance(name, str):
        raise InputError(f"{what}: found {name!r}; expected a name")
    return name


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple))


def joints_of(said: Mapping[str, str]) -> Dict[str, str]:
    """The entry of [start] that they are."""
    inner = ", ".join(f"{json.dumps(joint)} = {start}" for joint, start in said.items())
    return {"joints": f"{{ {inner} }}"} if said else {}


def _arguments(f: Callable[..., Any]) -> int:
    """How many of the first arguments of an observer are q and v: the second is v if it is called so."""
    import inspect

    try:
        names = list(inspect.signature(f).parameters)
    except (TypeError, ValueError):
        return 1
    return 2 if len(names) > 1 and names[1] == "v" else 1
