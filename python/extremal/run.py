"""Run: what a computation leaves behind, as arrays."""
from __future__ import annotations

import io
import json
import os
import tempfile
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _extremal
from ._extremal import InputError
from .numbers import Place
from .progress import Progress, Shown


class Column(NamedTuple):
    """What a column is. Columns of one variable belong together, one for each member of its axis.

    Those of a second axis, as xyz, follow each other: "crank:x", "crank:y" are members of both.
    """

    name: str
    variable: str
    axis: str
    member: str
    unit: str
    description: str
    second: str = ""


def axes(columns: Sequence[Column]) -> Dict[str, List[str]]:
    """The axes of one variable and the names of their members."""
    first = columns[0]
    if not first.axis:
        return {}
    members = [column.member for column in columns]
    if not first.second:
        return {first.axis: members}
    pairs = [member.rsplit(":", 1) for member in members]
    return {first.axis: list(dict.fromkeys(pair[0] for pair in pairs)), first.second: list(dict.fromkeys(pair[1] for pair in pairs))}


class Run:
    """A run, or the archive of one: `run["y"]`, `run.q`, `run.energy`, `run.status`.

    >>> import extremal as ex
    >>> run = ex.model("pendulum").run("rattle", step="0.05", until=1)
    >>> run.q.shape, run["y"].shape, run.variables[:4]
    ((21, 2), (21,), ['time', 'q', 'v', 'p'])
    >>> run.figures["constraint_max"] < 1e-14
    True
    >>> run.save("run.nc")
    >>> ex.open("run.nc")["y"][-1] == run["y"][-1]
    True

    Arrays are views of the one table of the run: nothing is copied, and they cannot be written to. A run that ended early has
    the rows until then; `status` and `reason` say so.
    """

    def __init__(self, data: _extremal.Data) -> None:
        self._data = data
        self._folder: Any = None  # where the archive of a run is that was pickled
        self.columns: List[Column] = [Column(*column) for column in data.columns]
        self._index = {column.name: i for i, column in enumerate(self.columns)}
        self._variables: Dict[str, range] = {}
        for i, column in enumerate(self.columns):
            first = self._variables[column.variable].start if column.variable in self._variables else i
            self._variables[column.variable] = range(first, i + 1)

    @property
    def status(self) -> str:
        """complete, suspect, failed or interrupted; of an archive also running or killed."""
        return self._data.status

    @property
    def reason(self) -> str:
        """Why it is not complete; empty if it is."""
        return self._data.reason

    @property
    def names(self) -> List[str]:
        """The names of all columns."""
        return [column.name for column in self.columns]

    @property
    def variables(self) -> List[str]:
        """The names of all variables: q, v, p, energy, ..."""
        return list(self._variables)

    @property
    def summary(self) -> str:
        """A few lines for people."""
        return self._data.summary

    @property
    def figures(self) -> Dict[str, float]:
        """Numbers of the whole run: steps, energy_max_error, drift, newton_mean, ...; empty for an archive."""
        return dict(self._data.figures)

    @property
    def notes(self) -> List[str]:
        """What there is to know besides, as how a start was moved onto the constraints."""
        return list(self._data.notes)

    @property
    def provenance(self) -> Dict[str, Any]:
        """Model, scheme, step, until, precision and parameters, as texts with every digit."""
        return {key: value for key, value in self._data.provenance.items() if key != "trials"}

    @property
    def accuracy(self) -> Optional[Dict[str, Any]]:
        """How the step was found for a wanted accuracy: wanted, predicted, rounding, steps, trials, ...; None if it was said."""
        found = self._data.provenance["trials"]
        return json.loads(found) if found else None

    @property
    def archive(self) -> Optional[str]:
        """Where its archive is."""
        return None if self._folder is not None else self._data.archive or None

    @property
    def dense(self) -> Dict[str, np.ndarray]:
        """The motion at the times of `at=`, evaluated inside the steps."""
        return {name: np.array(values) for name, values in self._data.dense}

    def column(self, name: str) -> np.ndarray:
        """One value per output time."""
        if not isinstance(name, str):
            raise InputError(f'column: found {name!r}; expected a name, as run["{self.names[-1]}"]; rows are those of run.q[k]')
        if name not in self._index:
            from difflib import get_close_matches

            near = get_close_matches(name, self._index, 1)
            advice = f'; did you mean "{near[0]}"?' if near else ""
            raise InputError(f'unknown column "{name}"; expected one of {", ".join(self._index)}{advice}')
        return self._data.view(self._index[name], 1, True)

    def variable(self, name: str) -> np.ndarray:
        """(time, member) of a variable with an axis, (time) of others; of a second axis (time, member, component)."""
        if name not in self._variables:
            raise InputError(f'unknown variable "{name}"; expected one of {", ".join(self._variables)}')
        place = self._variables[name]
        table = self._data.view(place.start, len(place), self.columns[place.start].axis == "")
        shape = [len(names) for names in axes([self.columns[i] for i in place]).values()]
        return table.reshape(len(table), *shape) if len(shape) > 1 else table

    def exact(self, name: str, kind: str = "text") -> List[Any]:
        """A column with every digit of its precision: as texts, or with kind="mpmath" as numbers of mpmath.

        numpy has no such numbers: views of runs in quad precision are rounded to double.
        """
        self.column(name)
        if kind not in ("text", "mpmath"):
            raise InputError(f'exact: found "{kind}"; expected text or mpmath')
        digits = self._data.exact(self._index[name])
        if kind == "text":
            return list(digits)
        import mpmath  # type: ignore[import]

        with mpmath.workprec(113):
            return [mpmath.mpf(x) for x in digits]

    def __getitem__(self, name: Union[str, Sequence[str]]) -> np.ndarray:
        """A column, or those of a list of names side by side."""
        if isinstance(name, (list, tuple)):
            return np.stack([self.column(one) for one in name], 1) if name else np.zeros((len(self), 0))
        return self.column(name)  # type: ignore[arg-type]

    def __contains__(self, name: object) -> bool:
        return name in self._index

    def __len__(self) -> int:
        return self._data.rows

    def __getattr__(self, name: str) -> np.ndarray:
        if name.startswith("_") or name not in self._variables:
            raise AttributeError(f"a run has no {name}; its variables are {', '.join(self.__dict__.get('_variables', {}))}")
        return self.variable(name)

    def __copy__(self) -> "Run":
        return self  # nothing of it can be changed

    def __deepcopy__(self, _: Any) -> "Run":
        return self

    def __reduce__(self) -> Tuple[Any, ...]:
        """As its archive: the run that is read again has the same rows, and every digit of them."""
        with tempfile.TemporaryDirectory() as folder:
            place = self._archived(folder)
            with io.open(place, "rb") as file:
                return _restored, (file.read(),)

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self._variables]

    @property
    def t(self) -> np.ndarray:
        """The output times."""
        return self.column("t")

    def __repr__(self) -> str:
        return self._data.summary

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(self._data.summary)}</pre>"

    def to_xarray(self) -> Any:
        """An xarray.Dataset in the layout of archives: the same variables, dimensions and units."""
        import xarray

        arrays: Dict[str, Any] = {}
        coordinates: Dict[str, Any] = {}
        for name, place in self._variables.items():
            first = self.columns[place.start]
            about = {"long_name": first.description, "units": first.unit}
            if first.name == "t":
                coordinates["time"] = ("time", self.t, about)
            elif first.axis:
                found = axes([self.columns[i] for i in place])
                arrays[name] = (("time", *found), self.variable(name), about)
                coordinates.update(found)
            else:
                arrays[name] = ("time", self.variable(name), about)
        p = self.provenance
        about = {key: p[key] for key in ("model", "scheme", "step", "until", "precision")}
        return xarray.Dataset(arrays, coordinates, {**about, "status": self.status, "reason": self.reason})

    def save(self, path: Place) -> None:
        """As an archive (netCDF-4)."""
        self._data.save(os.fspath(path))

    def report(self, path: Optional[Place] = None, title: Optional[str] = None) -> str:
        """One HTML page with the motion and plots, which needs no network; returns its path."""
        place = os.fspath(path) if path is not None else f"{os.path.splitext(self.archive or self.provenance['model'])[0]}.html"
        title = title or self.provenance["model"]
        with tempfile.TemporaryDirectory() as folder:
            _extremal.write_report(self._archived(folder), place, title)
        return place

    def _archived(self, folder: str) -> str:
        """Its archive, or one in this folder."""
        if self._data.archive:
            return self._data.archive
        place = os.path.join(folder, "run.nc")
        self._data.save(place)
        return place

    def gltf(self, path: Place) -> str:
        """The bodies of the run and their motion as glTF, for programs that show or edit scenes; returns its path."""
        with tempfile.TemporaryDirectory() as folder:
            _extremal.write_gltf(self._archived(folder), os.fspath(path))
        return os.fspath(path)

    def poses(self) -> Dict[str, np.ndarray]:
        """Of every body (time, 7): the place x y z of its centre of mass, and the quaternion w x y z of its axes."""
        with tempfile.TemporaryDirectory() as folder:
            names, table = _extremal.poses(self._archived(folder))
        return {name: table[:, 7 * k:7 * k + 7] for k, name in enumerate(names)}

    def show(self, path: Optional[Place] = None, height: int = 700, embed: bool = False) -> Any:
        """The report in a notebook: a page beside it, or with `embed`, or if it is elsewhere, inside of it (1.2 MB)."""
        place = self.report(path)
        from html import escape
        from urllib.parse import quote

        beside = os.path.relpath(place)  # notebooks are shown what is in their folder
        if not embed and not beside.startswith(os.pardir):
            return _Page(f'<iframe src="{escape(quote(beside), quote=True)}" width="100%" height="{height}" style="border: 0"></iframe>')
        with io.open(place, encoding="utf-8") as file:
            page = escape(file.read(), quote=True)
        return _Page(f'<iframe srcdoc="{page}" width="100%" height="{height}" style="border: 0"></iframe>')

    def plot(self, *names: str, ax: Any = None, **style: Any) -> Any:
        """Columns by matplotlib: run.plot("energy") over time, run.plot("x", "y") over the first. Returns the axes.

        `style` is that of lines: run.plot("x", "y", color="k", linewidth=1)."""
        x, *ys = names if len(names) > 1 else ("t", *(names or self.names[1:2]))
        values = [self.column(name) for name in (x, *ys)]
        if ax is None:
            from matplotlib import pyplot

            ax = pyplot.subplots()[1]
        for name, column in zip(ys, values[1:]):
            ax.plot(values[0], column, **{"label": name, **style})
        label = {column.name: f"{column.name} [{column.unit}]" if column.unit else column.name for column in self.columns}
        ax.set_xlabel(label[x])
        if len(ys) == 1:
            ax.set_ylabel(label[ys[0]])
        else:
            ax.legend()
        ax.set_title(f"{self.provenance['model']}, {self.provenance['scheme']}")
        return ax


class _Page:
    """What a notebook shows."""

    def __init__(self, html: str) -> None:
        self._html = html

    def _repr_html_(self) -> str:
        return self._html

    def __repr__(self) -> str:
        return "a page, which notebooks show"


def finished(data: _extremal.Data) -> Run:
    """The run; Ctrl-C is raised with the run so far as its `run`."""
    run = Run(data)
    if data.keyboard:
        interrupt = KeyboardInterrupt(run.reason)
        interrupt.run = run  # type: ignore[attr-defined]
        raise interrupt
    return run


def _restored(archive: bytes) -> Run:
    folder = tempfile.TemporaryDirectory()
    place = os.path.join(folder.name, "run.nc")
    with io.open(place, "wb") as file:
        file.write(archive)
    run = open(place)
    run._folder = folder  # which goes with the run
    return run


def open(path: Place) -> Run:  # noqa: A001 - the word of the library
    """The archive of a run, which may go on."""
    return Run(_extremal.open(os.fspath(path)))


def resume(path: Place, progress: Progress = None) -> Run:
    """Goes on with an archive whose run was interrupted or killed, as if it had never stopped."""
    with Shown(progress) as shown:
        data = _extremal.resume(os.fspath(path), shown)
    return finished(data)
