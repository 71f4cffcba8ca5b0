"""Model: a system with its start and a span that shows it."""
from __future__ import annotations

import json
import os
import re
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _extremal
from ._extremal import InputError
from .numbers import Place, count, counts, entries, named, text, texts
from .progress import Progress, Shown
from .rest import Modes, Rest
from .run import Run, finished
from .sections import Sections
from .start import started
from .stepper import Stepper
from .study import AreaStudy, Certificate, Comparison, LongTime, OrderStudy, Path, WorkStudy


_keys: Dict[str, Tuple[str, List[str]]] = {**_extremal.run_keys(), "outputs": ("count", []), "steps": ("count", [])}


def scheme_name(scheme: Optional[str]) -> str:
    """Empty for that of the model."""
    if scheme is not None and not isinstance(scheme, str):
        raise InputError(f'scheme: found {type(scheme).__name__}; expected a name, as "rattle"')
    return scheme or ""


def run_keys(scheme: Optional[str], keys: Mapping[str, Any]) -> Dict[str, str]:
    """Keys of [run] as the library reads them, which knows their kinds and says which there are."""
    out = {} if scheme is None else {"scheme": scheme_name(scheme)}
    for key, value in keys.items():
        if value is None:
            continue
        kind, words = _keys.get(key, ("number", []))
        if kind == "numbers":
            out[key] = json.dumps(texts(value, key))
        elif kind == "names":
            out[key] = json.dumps([value] if isinstance(value, str) else [str(word) for word in value])
        elif kind == "flag":
            if not isinstance(value, (bool, np.bool_)):
                raise InputError(f"{key}: found {value!r}; expected True or False")
            out[key] = "1" if value else "0"
        elif kind == "word":
            out[key] = str(value)
            if words and out[key] not in words:
                raise InputError(f'{key}: found "{out[key]}"; expected one of {", ".join(words)}')
        else:
            out[key] = text(value, key)
    return out


def run_entries(said: Mapping[str, str]) -> Dict[str, str]:
    """The same as entries of the table [run] of a model file."""
    out = {}
    for key, value in said.items():
        kind = _keys[key][0] if key in _keys else ""
        as_it_is = kind in ("count", "numbers", "names")
        out[key] = ("true" if value == "1" else "false") if kind == "flag" else value if as_it_is else json.dumps(value)
    return out


class Runnable:
    """What System, Mechanism and Model have in common: `_problem` makes the problem of a run."""

    def _problem(self, set: Mapping[str, Any], start: Mapping[str, Any]) -> _extremal.Problem:  # noqa: A002
        raise NotImplementedError

    def run(self, scheme: Optional[str] = None, *, q: Any = None, v: Any = None, p: Any = None, t: Any = None,
            slack: Any = None, set: Optional[Mapping[str, Any]] = None,  # noqa: A002
            start: Optional[Mapping[str, Any]] = None, archive: Optional[Place] = None, progress: Progress = None, **keys: Any) -> Run:
        """Runs by a scheme. Keys are those of [run]: two of step, until and steps; every or outputs, at, precision, ...

        >>> import extremal as ex
        >>> run = ex.model("pendulum").run("rattle", g="1.62", q=["0.6", "-0.8"], step="0.05", until=2, every=4)
        >>> run.status, run["x"][0], len(run)
        ('complete', 0.6, 11)

        Other keywords are parameters, g=1.62, as is what `set` has, {"bar.mass": 2}; `start` has values by name (x, v:x, p:x, t);
        q, v, p are whole vectors; q without v or p starts at rest, whatever the model's own start is. `progress` is True, for a bar in the terminal or the notebook, or a function that is called
        with (step, steps, t) some ten times a second; what it raises ends the run. Numerical trouble is a status of the Run;
        bad input raises InputError. Ctrl-C raises KeyboardInterrupt, whose `run` has the rows so far.
        """
        keys, set = self._sorted(keys, set)
        problem = self._started(set, start, q, v, p, t, slack)
        place = "" if archive is None else os.fspath(archive)
        with Shown(progress) as shown:
            data = _extremal.run(problem, run_keys(scheme, keys), place, shown)
        return finished(data)

    def check(self, scheme: Optional[str] = None, *, step: Any = None, q: Any = None, v: Any = None, p: Any = None,
              set: Optional[Mapping[str, Any]] = None,  # noqa: A002
              start: Optional[Mapping[str, Any]] = None, progress: Progress = None, **parameters: Any) -> Certificate:
        """Measures the laws that the scheme declares: order, symplecticity, momenta, energy, ..."""
        set = self._parameters("check", parameters, set)
        problem = self._started(set, start, q, v, p, None, None)
        with Shown(progress) as shown:
            return Certificate(_extremal.check(problem, scheme_name(scheme), "" if step is None else text(step, "step"), shown))

    def orders(self, *schemes: str, steps: Sequence[int] = (), until: Any = 0, precision: str = "", q: Any = None, v: Any = None,
               p: Any = None, set: Optional[Mapping[str, Any]] = None,  # noqa: A002
               start: Optional[Mapping[str, Any]] = None, progress: Progress = None, **parameters: Any) -> OrderStudy:
        """Errors at several numbers of steps, against a reference in quad, and the orders that they show."""
        names = _names(schemes)
        set = self._parameters("orders", parameters, set)
        problem = self._started(set, start, q, v, p, None, None)
        with Shown(progress) as shown:
            return OrderStudy(_extremal.orders(problem, names, counts(steps, "steps"), text(until, "until"), precision, shown))

    def work_precision(self, *schemes: str, steps: Sequence[int] = (), until: Any = 0, precision: str = "", repetitions: int = 5,
                       baselines: Union[str, Sequence[str]] = (), tolerances: Sequence[float] = (), q: Any = None, v: Any = None, p: Any = None, set: Optional[Mapping[str, Any]] = None,  # noqa: A002
                       start: Optional[Mapping[str, Any]] = None, progress: Progress = None, **parameters: Any) -> WorkStudy:
        """The error of schemes against the CPU time that it takes.

        `baselines` are integrators of others that are not variational, of ex.baselines(), or "all"; `tolerances` are theirs."""
        set = self._parameters("work_precision", parameters, set)
        problem = self._started(set, start, q, v, p, None, None)
        with Shown(progress) as shown:
            return WorkStudy(_extremal.work_precision(problem, _names(schemes), counts(steps, "steps"), text(until, "until"), precision,
                                                      count(repetitions, "repetitions"), _baselines(baselines), [float(x) for x in tolerances], shown))

    def long_time(self, scheme: Optional[str] = None, *, step: Any = "", until: Any = "", windows: int = 20, q: Any = None,
                  v: Any = None, p: Any = None, set: Optional[Mapping[str, Any]] = None,  # noqa: A002
                  start: Optional[Mapping[str, Any]] = None, progress: Progress = None, **parameters: Any) -> LongTime:
        """How energy and momenta fare in a long run, window by window."""
        set = self._parameters("long_time", parameters, set)
        problem = self._started(set, start, q, v, p, None, None)
        with Shown(progress) as shown:
            return LongTime(_extremal.long_time(problem, scheme_name(scheme), text(step, "step"), text(until, "until"), count(windows, "windows"), shown))

    def area(self, *schemes: str, box: Mapping[str, Sequence[Any]], looks: int = 4, q: Any = None, v: Any = None, p: Any = None,
             set: Optional[Mapping[str, Any]] = None,  # noqa: A002
             start: Optional[Mapping[str, Any]] = None, progress: Progress = None, **keys: Any) -> AreaStudy:
        """What steps make of a set of starts and of its area, the integral of p dq, which symplectic schemes keep.

        The set is a rectangle of two numbers of the start: box={"theta": (0, 4), "p:theta": (-2, 2)}. `looks` are so many
        times after the start at which it is measured."""
        if not isinstance(box, Mapping) or len(box) != 2 or not all(isinstance(side, (list, tuple)) and len(side) == 2 for side in box.values()):
            raise InputError('box: expected two numbers of the start and their ranges, as {"x": (0, 1), "p:x": (-1, 1)}')
        (first, second) = [(name, text(side[0], name), text(side[1], name)) for name, side in box.items()]
        keys, set = self._sorted(keys, set)
        problem = self._started(set, start, q, v, p, None, None)
        with Shown(progress) as shown:
            return AreaStudy(_extremal.area(problem, _names(schemes), [(first, second)], count(looks, "looks"), run_keys(None, keys), shown))

    def settle(self, *, saddle: bool = False, q: Any = None, set: Optional[Mapping[str, Any]] = None,  # noqa: A002
               start: Optional[Mapping[str, Any]] = None, **parameters: Any) -> Rest:
        """Where it comes to rest: all forces in balance, from the positions of the start. With `saddle` the next such place,
        even one that is left at the least push."""
        set = self._parameters("settle", parameters, set)
        return Rest(_extremal.settle(self._started(set, start, q, None, None, None, None), bool(saddle)))

    def modes(self, *, saddle: bool = False, q: Any = None, set: Optional[Mapping[str, Any]] = None,  # noqa: A002
              start: Optional[Mapping[str, Any]] = None, **parameters: Any) -> Modes:
        """Frequencies, damping and shapes of small vibrations about where it comes to rest, as `settle` finds it."""
        set = self._parameters("modes", parameters, set)
        return Modes(_extremal.modes(self._started(set, start, q, None, None, None, None), bool(saddle)))

    def compare(self, *schemes: str, baselines: Union[str, Sequence[str]] = (), tolerances: Sequence[float] = (), q: Any = None,
                v: Any = None, p: Any = None, set: Optional[Mapping[str, Any]] = None,  # noqa: A002
                start: Optional[Mapping[str, Any]] = None, progress: Progress = None, **keys: Any) -> Comparison:
        """Runs of several schemes side by side, and their difference from the best of them with a quarter of the step.

        >>> import extremal as ex
        >>> c = ex.model("pendulum").compare("rattle", "spark(3)", step="0.05", until=1)
        >>> c["spark(3)"]["difference"] < 1e-6 < c["rattle"]["difference"]
        True

        `baselines` are integrators of others that are not variational, of ex.baselines(), or "all"; `tolerances` are theirs."""
        keys, set = self._sorted(keys, set)
        problem = self._started(set, start, q, v, p, None, None)
        precision = str(keys.pop("precision", ""))
        with Shown(progress) as shown:
            return Comparison(_extremal.compare(problem, _names(schemes), run_keys(None, keys), precision, _baselines(baselines),
                                                [float(x) for x in tolerances], shown))

    def boundary(self, scheme: Optional[str] = None, *, begin: Any, end: Any, guess: Any = None,
                 set: Optional[Mapping[str, Any]] = None, **keys: Any) -> Path:  # noqa: A002
        """The motion from one position to another, on the discrete equations of the scheme: all steps at once.

        >>> import extremal as ex
        >>> path = ex.model("pendulum").boundary("spark(2)", begin=[1, 0], end=[0, -1], step="0.05", until="0.5")
        >>> path.converged, path.q.shape, path.q[-1].tolist()
        (True, (11, 2), [0.0, -1.0])

        `guess` is one position for every node, without which it is the straight line."""
        keys, set = self._sorted(keys, set)
        problem = self._problem(set, {})
        names = problem.coordinates
        rows = _positions(guess, len(names))
        return Path(_extremal.boundary(problem, scheme_name(scheme), texts(begin, "begin", len(names)), texts(end, "end", len(names)),
                                       run_keys(None, keys), rows), names)

    def stepper(self, scheme: Optional[str] = None, *, q: Any = None, v: Any = None, p: Any = None, t: Any = None,
                set: Optional[Mapping[str, Any]] = None,  # noqa: A002
                start: Optional[Mapping[str, Any]] = None, **parameters: Any) -> Stepper:
        """A motion that is stepped from Python."""
        set = self._parameters("stepper", parameters, set, "; the length of a step is said to step(h)")
        problem = self._started(set, start, q, v, p, t, None)
        return Stepper(problem, scheme_name(scheme))

    def sweep(self, scheme: Optional[str] = None, *, q: Any = None, v: Any = None, p: Any = None,
              set: Optional[Mapping[str, Any]] = None,  # noqa: A002
              start: Optional[Mapping[str, Any]] = None, variables: Tuple[str, ...] = ("q",),
              threads: Optional[int] = None, progress: Progress = None, **keys: Any) -> Any:
        """Many runs at once, as an xarray.Dataset (run, time, coordinate).

        >>> import extremal as ex
        >>> many = ex.model("pendulum").sweep("rattle", g=[1.62, 9.81], step="0.05", until=1, variables=("q", "energy"))
        >>> many.q.shape, many.energy.dims, many.status.values.tolist()
        ((2, 21, 2), ('run', 'time'), ['complete', 'complete'])

        Values of `set` and `start` may be arrays of n numbers, q, v and p arrays (n, coordinates); what has one value is
        the same in all. Parameters may also be keywords: g=np.linspace(9, 10, n). `variables` are those to keep: q, v, p,
        energy, ... Runs that fail have nan after their last row. Times are `time`, or `t` (run, time) if runs have times of their own. Ctrl-C raises KeyboardInterrupt, whose `sweep` has the runs so far.
        """
        from .sweep import sweep

        keys, set = self._sorted(keys, set)
        names = (variables,) if isinstance(variables, str) else tuple(variables)
        if not all(isinstance(name, str) for name in names):
            raise InputError(f"variables: found {variables!r}; expected names, as ('q', 'energy')")
        if threads is not None:
            threads = count(threads, "threads")
        with Shown(progress) as shown:
            return sweep(self, scheme, q, v, p, set, entries(start, "start"), names, threads, shown, keys)

    def _sorted(self, keys: Mapping[str, Any], set: Optional[Mapping[str, Any]]) -> Tuple[Dict[str, Any], Dict[str, Any]]:  # noqa: A002
        """Keys of [run], and parameters."""
        said = {key: value for key, value in keys.items() if key in _keys}
        values = entries(set, "set")
        if len(said) < len(keys):
            known = self._problem({}, {}).parameters
            for key in keys:
                if key not in said and key not in known:
                    from difflib import get_close_matches

                    near = get_close_matches(key, [*_keys, *known], 1)
                    advice = f'; did you mean "{near[0]}"?' if near else ""
                    raise InputError(f'unknown key "{key}"; expected one of [run], {", ".join(_keys)}, or a parameter, '
                                     f'{", ".join(known) or "of which there are none"}{advice}')
        return said, {**values, **{key: value for key, value in keys.items() if key not in said}}

    def _parameters(self, what: str, keys: Mapping[str, Any], set: Optional[Mapping[str, Any]], advice: str = "") -> Dict[str, Any]:  # noqa: A002
        """Keywords that are parameters, and nothing else."""
        said, values = self._sorted(keys, set)
        if said:
            raise InputError(f"{what}: found {', '.join(said)}; expected parameters{advice}")
        return values

    def export(self, path: Place, format: Optional[str] = None) -> List[str]:  # noqa: A002
        """Writes it as a robot, "urdf" or "mjcf", by the name of the file if it is not said; returns what the file says otherwise.

        InputError names what the format cannot say."""
        place = os.fspath(path)
        known = format if format is not None else ("urdf" if place.endswith(".urdf") else "mjcf" if place.endswith((".xml", ".mjcf")) else "")
        if not isinstance(known, str) or known not in ("urdf", "mjcf"):
            raise InputError(f'export: found "{place if format is None else format}"; expected urdf or mjcf, or a file .urdf, .xml or .mjcf')
        out, notes = _extremal.export_robot(self._problem({}, {}), known)
        with open(place, "w", encoding="utf-8") as file:
            file.write(out)
        return notes

    def _started(self, set: Optional[Mapping[str, Any]], start: Optional[Mapping[str, Any]], q: Any, v: Any,  # noqa: A002
                 p: Any, t: Any, slack: Any) -> _extremal.Problem:
        problem = self._problem(entries(set, "set"), entries(start, "start"))
        return started(problem, start, q, v, p, t, slack)


def _baselines(names: Union[str, Sequence[str]]) -> List[str]:
    names = [names] if isinstance(names, str) else list(names)
    if not all(isinstance(name, str) for name in names):
        raise InputError('baselines: expected names, as baselines=["odeint(rkf78)"], or "all"')
    return names


def _positions(guess: Any, size: int) -> List[List[float]]:
    if guess is None:
        return []
    try:
        found = np.asarray(guess, dtype=float)
    except (TypeError, ValueError, OverflowError):
        found = np.zeros(0)
    if found.ndim != 2 or found.shape[1] != size or not np.isfinite(found).all():
        raise InputError(f"guess: found {type(guess).__name__}; expected one position of {size} numbers for every node")
    return found.tolist()


def _names(schemes: Sequence[str]) -> List[str]:
    if not schemes or not all(isinstance(name, str) for name in schemes):
        raise InputError('schemes: expected names, as m.orders("rattle", "spark(3)")')
    return list(schemes)


class Model(Runnable):
    """A model of `ex.models()` or of a file: `ex.model("pendulum").run("rattle", until=20)`."""

    def __init__(self, name: Place, set: Optional[Mapping[str, Any]] = None) -> None:  # noqa: A002
        self._name = os.fspath(name)
        self._set = dict(set or {})
        self._found = _extremal.load(self._name, named(self._set, "set"))

    def _problem(self, set: Mapping[str, Any], start: Mapping[str, Any]) -> _extremal.Problem:  # noqa: A002
        return _extremal.load(self._name, named({**self._set, **set}, "set")) if set else self._found

    def __reduce__(self) -> Tuple[Any, ...]:
        return Model, (self._name, self._set)

    @property
    def name(self) -> str:
        """As it was asked for."""
        return self._found.name

    @property
    def title(self) -> str:
        """One line of what it is."""
        return self._found.title

    @property
    def text(self) -> str:
        """The model file."""
        return self._found.text

    @property
    def coordinates(self) -> List[str]:
        """The names of all coordinates, in the order of q."""
        return self._found.coordinates

    @property
    def constraints(self) -> List[str]:
        """The names of all constraints."""
        return self._found.constraints

    @property
    def parameters(self) -> Dict[str, str]:
        """Names and values, as texts with every digit."""
        return self._found.parameters

    @property
    def setup(self) -> Dict[str, Any]:
        """What run() does without arguments: scheme, step, until, every, precision."""
        return self._found.setup

    @property
    def observers(self) -> List[str]:
        """Columns of its own, by [observe]."""
        return self._found.observers

    @property
    def notes(self) -> List[str]:
        """What of a robot's description the model does not have."""
        return self._found.notes

    def mechanism(self) -> Any:
        """The same as a Mechanism, to which parts, parameters and terms can be added."""
        from .mechanism import Mechanism

        return Mechanism.of(self._written(), self.name, self.notes)

    def save(self, path: Place) -> None:
        """The model file, with the parameters as they are, to be changed by hand or sent to others."""
        out = self._written()
        with open(path, "w", encoding="utf-8") as file:
            file.write(out)

    def _written(self) -> str:
        """The model file with the parameters as they are, those of the name, chain(3), among them."""
        values = {**{name: self.parameters[name] for name in self._found.arguments}, **self._set}
        file = Sections(self.text)
        if not set(values) <= set(file.entries("parameters")):
            raise InputError(f"{self.name}: its parameters are not in a table [parameters] of their own; expected the file as it is written")
        texts_of = {name: text(value, name) for name, value in values.items()}
        file.put("parameters", {name: said if re.fullmatch(r"-?\d+", said) else json.dumps(said) for name, said in texts_of.items()})
        out = file.text()
        if values and _extremal.load_text(out, self.name, []).parameters != self.parameters:
            raise InputError(f"{self.name}: its parameters cannot be written; expected those of the table [parameters]")
        return out

    def __repr__(self) -> str:
        values = ", ".join(f"{name} = {value}" for name, value in self.parameters.items())
        return (f"{self.name}: {self.title}\n  coordinates  {', '.join(self.coordinates[:12])}"
                f"{', ...' if len(self.coordinates) > 12 else ''}\n  parameters   {values or 'none'}\n"
                f"  run          {self.setup['scheme']}, step {self.setup['step']}, until {self.setup['until']}")


def model(name: Place, **parameters: Any) -> Model:
    """A model by its name (`ex.models()`) or the path of a model file, with other parameters: ex.model("pendulum", g="1.62")."""
    return Model(name, parameters)
