"""Model: a system with its start and a span that shows it."""
from __future__ import annotations

import os
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Tuple

import numpy as np

from . import _extremal
from ._extremal import InputError
from .numbers import named, text, texts
from .run import Run, finished

ProgressFunction = Callable[[int, int, float], object]


def run_keys(scheme: Optional[str], keys: Mapping[str, Any]) -> Dict[str, str]:
    """Keys of [run] as the library reads them."""
    out = {} if scheme is None else {"scheme": scheme}
    for key, value in keys.items():
        if value is None:
            continue
        if key == "at":
            import json

            out[key] = json.dumps(texts(value, key))
        elif key == "error_estimate":
            out[key] = "1" if value else "0"
        elif key in ("precision", "multipliers"):
            out[key] = str(value)
        else:
            out[key] = text(value, key)
    for key, words in (("precision", ("double", "long-double", "quad")), ("multipliers", ("motion", "scheme"))):
        if key in out and out[key] not in words:
            raise InputError(f'{key}: found "{out[key]}"; expected one of {", ".join(words)}')
    return out


class Law(NamedTuple):
    """A property of a system and a scheme, measured."""

    name: str
    declared: str
    measured: str
    defect: float
    floor: float
    holds: bool
    measurable: bool


class Certificate:
    """All laws: `c.holds`, `c.laws["symplecticity"].measured`."""

    def __init__(self, found: Mapping[str, Any]) -> None:
        self.holds: bool = found["holds"]
        self.scheme: str = found["scheme"]
        self.text: str = found["text"]
        self.laws: Dict[str, Law] = {law[0]: Law(*law) for law in found["laws"]}

    def __repr__(self) -> str:
        return self.text


class Stepper:
    """Steps one by one, for control loops: `st.step(0.01)`, `st.q`, `st.set(g=9.7)`, `st.tangent()`.

    `step` is False where a step failed; the state is then the one before it and `reason` says why. `set` makes the
    equations anew, which costs far more than a step of a small system.
    """

    def __init__(self, motion: _extremal.Motion) -> None:
        self._motion = motion

    def step(self, h: float, count: int = 1) -> bool:
        return self._motion.step(float(h), int(count))

    def set(self, **parameters: Any) -> None:
        self._motion.set(named(parameters, "set"))

    def place(self, t: float, q: Any, p: Any) -> None:
        """Puts a state in place as it is."""
        self._motion.place(float(t), list(q), list(p))

    def observe(self) -> Dict[str, Any]:
        """v, lambda, momenta, kinetic, potential, energy, constraint and hidden of the state."""
        return self._motion.observe()

    def tangent(self) -> np.ndarray:
        """d(q1, p1)/d(q0, p0) of the last step, by implicit differentiation."""
        return self._motion.tangent()

    @property
    def t(self) -> float:
        return self._motion.t

    @property
    def q(self) -> np.ndarray:
        return self._motion.q

    @property
    def p(self) -> np.ndarray:
        return self._motion.p

    @property
    def reason(self) -> str:
        return self._motion.reason


class Runnable:
    """What System, Mechanism and Model have in common: `_problem` makes the problem of a run."""

    def _problem(self, set: Mapping[str, Any], start: Mapping[str, Any]) -> _extremal.Problem:  # noqa: A002
        raise NotImplementedError

    def run(self, scheme: Optional[str] = None, *, q: Any = None, v: Any = None, p: Any = None, t: Any = None,
            tolerance: Any = None, set: Optional[Mapping[str, Any]] = None,  # noqa: A002
            start: Optional[Mapping[str, Any]] = None, archive: Optional[str] = None,
            progress: Optional[ProgressFunction] = None, **keys: Any) -> Run:
        """Runs by a scheme. Keys are those of [run]: step, until, every, outputs, at, precision, multipliers, ...

        `set` has parameters, `start` values by name (x, v:x, p:x, t); q, v, p are whole vectors. `progress` is called
        with (step, steps, t) some ten times a second; what it raises ends the run. Numerical trouble is a status of the
        Run; bad input raises InputError. Ctrl-C raises KeyboardInterrupt, whose `run` has the rows so far.
        """
        problem = self._started(set, start, q, v, p, t, tolerance)
        place = "" if archive is None else os.fspath(archive)
        return finished(_extremal.run(problem, run_keys(scheme, keys), place, progress))

    def check(self, scheme: Optional[str] = None, *, step: Any = None, q: Any = None, v: Any = None, p: Any = None,
              set: Optional[Mapping[str, Any]] = None,  # noqa: A002
              start: Optional[Mapping[str, Any]] = None) -> Certificate:
        """Measures the laws that the scheme declares: order, symplecticity, momenta, energy, ..."""
        problem = self._started(set, start, q, v, p, None, None)
        return Certificate(_extremal.check(problem, scheme or "", "" if step is None else text(step, "step")))

    def stepper(self, scheme: Optional[str] = None, *, q: Any = None, v: Any = None, p: Any = None, t: Any = None,
                set: Optional[Mapping[str, Any]] = None,  # noqa: A002
                start: Optional[Mapping[str, Any]] = None) -> Stepper:
        """A motion that is stepped from Python."""
        problem = self._started(set, start, q, v, p, t, None)
        return Stepper(_extremal.Motion(problem, scheme or "", 0.0))

    def sweep(self, scheme: Optional[str] = None, *, q: Any = None, v: Any = None, p: Any = None,
              set: Optional[Mapping[str, Any]] = None,  # noqa: A002
              start: Optional[Mapping[str, Any]] = None, variables: Tuple[str, ...] = ("q",),
              threads: Optional[int] = None, progress: Optional[ProgressFunction] = None, **keys: Any) -> Any:
        """Many runs at once, as an xarray.Dataset (run, time, coordinate).

        Values of `set` and `start` may be arrays of n numbers, q, v and p arrays (n, coordinates); what has one value is
        the same in all. `variables` are those to keep: q, v, p, energy, ... Runs that fail have nan after their last row.
        """
        from .sweep import sweep

        return sweep(self, scheme, q, v, p, dict(set or {}), dict(start or {}), tuple(variables), threads, progress, keys)

    def _started(self, set: Optional[Mapping[str, Any]], start: Optional[Mapping[str, Any]], q: Any, v: Any,  # noqa: A002
                 p: Any, t: Any, tolerance: Any) -> _extremal.Problem:
        problem = self._problem(set or {}, start or {})
        limit = "" if tolerance is None else text(tolerance, "tolerance")
        if q is None and v is None and p is None and t is None:
            return problem.placed(named(start or {}, "start"), limit)
        if start:
            raise InputError("start: found q, v, p or t too; expected one way to say where the motion starts")
        names = problem.coordinates
        if v is not None and p is not None:
            raise InputError("start: found v and p; expected one of them")
        said = "" if t is None else text(t, "t")
        if q is not None:  # without v and p at rest
            return problem.started(texts(q, "q", len(names)), texts(v, "v", len(names) if v is not None else -1),
                                   texts(p, "p", len(names) if p is not None else -1), said, limit)
        values = [("t", said)] if said else []
        for mark, given in (("v", v), ("p", p)):
            if given is not None:
                values += zip([f"{mark}:{name}" for name in names], texts(given, mark, len(names)))
        return problem.placed(values, limit)


class Model(Runnable):
    """A model of `ex.models()` or of a file: `ex.model("pendulum").run("rattle", until=20)`."""

    def __init__(self, name: str, set: Optional[Mapping[str, Any]] = None) -> None:  # noqa: A002
        self._name = os.fspath(name)
        self._set = dict(set or {})
        self._found = _extremal.load(self._name, named(self._set, "set"))

    def _problem(self, set: Mapping[str, Any], start: Mapping[str, Any]) -> _extremal.Problem:  # noqa: A002
        return _extremal.load(self._name, named({**self._set, **set}, "set")) if set else self._found

    @property
    def name(self) -> str:
        return self._found.name

    @property
    def title(self) -> str:
        return self._found.title

    @property
    def text(self) -> str:
        """The model file."""
        return self._found.text

    @property
    def coordinates(self) -> List[str]:
        return self._found.coordinates

    @property
    def constraints(self) -> List[str]:
        return self._found.constraints

    @property
    def parameters(self) -> Dict[str, str]:
        """Names and values, as texts with every digit."""
        return self._found.parameters

    @property
    def setup(self) -> Dict[str, Any]:
        """What run() does without arguments: scheme, step, until, every, precision."""
        return self._found.setup

    def save(self, path: str) -> None:
        """The model file, to be changed by hand or sent to others."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.text)

    def __repr__(self) -> str:
        values = ", ".join(f"{name} = {value}" for name, value in self.parameters.items())
        return (f"{self.name}: {self.title}\n  coordinates  {', '.join(self.coordinates[:12])}"
                f"{', ...' if len(self.coordinates) > 12 else ''}\n  parameters   {values or 'none'}\n"
                f"  run          {self.setup['scheme']}, step {self.setup['step']}, until {self.setup['until']}")


def model(name: str, **parameters: Any) -> Model:
    """A model by its name (`ex.models()`) or the path of a model file, with other parameters: ex.model("pendulum", g="1.62")."""
    return Model(name, parameters)
