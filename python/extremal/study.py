"""What check, orders, work_precision, long_time, area, compare and boundary find: data that draw themselves."""
from __future__ import annotations

from html import escape
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from ._extremal import InputError


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    from matplotlib import pyplot

    return pyplot.subplots()[1]


def _table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Columns that are as wide as they need to be."""
    cells = [[str(x) if not isinstance(x, float) else f"{x:.3g}" for x in row] for row in [head, *rows]]
    widths = [max(len(row[k]) for row in cells) for k in range(len(head))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in cells)


def _with_baselines(text: str, head: Sequence[str], rows: Sequence[Sequence[Any]], left_out: Mapping[str, str]) -> str:
    """A table of schemes, and one of baselines below it if there are any."""
    parts = [text, *([_table(head, rows)] if rows else []), *([f"without {name}: {reason}" for name, reason in left_out.items()])]
    return "\n\n".join(parts[:2]) + "".join(f"\n{part}" for part in parts[2:])


class Found:
    """What has a text, and shows it in notebooks."""

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.text)}</pre>"

    @property
    def text(self) -> str:
        """A few lines for people."""
        raise NotImplementedError


def _found(series: Sequence[Any], scheme: str) -> Any:
    for one in series:
        if one.scheme == scheme:
            return one
    raise KeyError(f'{scheme}; there are {", ".join(one.scheme for one in series)}')


class Law(NamedTuple):
    """A property of a system and a scheme, measured."""

    name: str
    declared: str
    measured: str
    defect: float
    floor: float
    holds: bool
    measurable: bool


class Certificate(Found):
    """All laws: `c.holds`, `c.laws["symplecticity"].measured`; `c.plot()` shows defects beside their floors.

    >>> import extremal as ex
    >>> c = ex.model("pendulum").check("rattle")
    >>> c.holds, c.laws["order of q"].declared, c.laws["symplecticity"].measured
    (True, '2', 'yes')
    """

    def __init__(self, found: Mapping[str, Any]) -> None:
        self.holds: bool = found["holds"]
        self.scheme: str = found["scheme"]
        self._text: str = found["text"]
        self.laws: Dict[str, Law] = {law[0]: Law(*law) for law in found["laws"]}

    @property
    def text(self) -> str:
        return self._text

    def plot(self, ax: Any = None) -> Any:
        """Defects of the laws that have one, and the round-off below which they say nothing. Returns the axes."""
        ax = _axes(ax)
        laws = [law for law in self.laws.values() if law.defect > 0 and law.floor > 0]
        places = np.arange(len(laws))
        ax.barh(places, [law.defect for law in laws], color=["tab:green" if law.holds else "tab:red" for law in laws], label="defect")
        ax.plot([law.floor for law in laws], places, "k|", markersize=14, label="floor of round-off")
        ax.set_xscale("log")
        ax.set_yticks(places)
        ax.set_yticklabels([law.name for law in laws])
        ax.set_title(f"{self.scheme}: {'holds' if self.holds else 'fails'}")
        ax.legend()
        return ax


class OrderSeries(NamedTuple):
    """One scheme: errors (steps, 3) of q, p and lambda, the slopes that were measured and those that were declared."""

    scheme: str
    errors: np.ndarray
    slopes: Tuple[float, ...]
    declared: Tuple[int, ...]
    measurable: Tuple[bool, ...]
    holds: bool


class OrderStudy(Found):
    """Errors at several steps: `o["spark(3)"].slopes`, `o.holds`, `o.plot()`."""

    def __init__(self, found: Mapping[str, Any]) -> None:
        self.model: str = found["model"]
        self.reference: str = found["reference"]
        self.until: float = found["until"]
        self.steps = np.array(found["steps"])
        self.series: List[OrderSeries] = [
            OrderSeries(one["scheme"], np.array(one["errors"]), tuple(one["slopes"]), tuple(one["declared"]),
                        tuple(one["measurable"]), one["holds"]) for one in found["series"]]

    @property
    def holds(self) -> bool:
        """No order falls short of the declared one."""
        return all(one.holds for one in self.series)

    def __getitem__(self, scheme: str) -> OrderSeries:
        return _found(self.series, scheme)

    @property
    def text(self) -> str:
        rows = [[one.scheme, *[f"{slope:.2f} ({order})" if seen else f"- ({order})" for slope, order, seen in
                               zip(one.slopes, one.declared, one.measurable)]] for one in self.series]
        return f"{self.model}: slopes (declared orders)\n" + _table(["scheme", "q", "p", "lambda"], rows)

    def plot(self, ax: Any = None, **style: Any) -> Any:
        """Errors of q over the step, doubly logarithmic. Returns the axes."""
        ax = _axes(ax)
        for one in self.series:
            ax.loglog(self.until / self.steps, one.errors[:, 0], **{"marker": "o", "label": f"{one.scheme}: {one.slopes[0]:.1f}", **style})
        ax.set_xlabel("step")
        ax.set_ylabel("error of q")
        ax.set_title(self.model)
        ax.legend()
        return ax


class WorkPoint(NamedTuple):
    """One number of steps: the error it leaves, and what it costs."""

    steps: int
    error: float
    energy_error: float
    seconds: float
    iterations: int
    evaluations: int


class BaselinePoint(NamedTuple):
    """One tolerance of a baseline: the error it leaves, and what it costs. `failure` says why there is nothing else."""

    tolerance: float
    steps: int
    error: float
    energy_error: float
    seconds: float
    evaluations: int
    failure: str


class WorkStudy(Found):
    """Error against time: `w["rattle"][2].seconds`, `w.plot()`; `w.baselines["ida(ggl)"][0].seconds` of what is not variational."""

    def __init__(self, found: Mapping[str, Any]) -> None:
        self.model: str = found["model"]
        self.series: Dict[str, List[WorkPoint]] = {name: [WorkPoint(*p) for p in points] for name, points in found["series"]}
        self.baselines: Dict[str, List[BaselinePoint]] = {name: [BaselinePoint(*p) for p in points]
                                                          for name, points in found["baselines"]}
        self.left_out: Dict[str, str] = dict(found["left_out"])

    def __getitem__(self, scheme: str) -> List[WorkPoint]:
        return self.series[scheme]

    @property
    def text(self) -> str:
        rows = [[name, p.steps, p.error, p.energy_error, p.seconds] for name, points in self.series.items() for p in points]
        text = f"{self.model}\n" + _table(["scheme", "steps", "error", "energy", "seconds"], rows)
        ladders = [[name, "not variational", p.tolerance, p.error, p.energy_error, p.seconds] for name, points in self.baselines.items()
                   for p in points]
        return _with_baselines(text, ["baseline", "", "tolerance", "error", "energy", "seconds"], ladders, self.left_out)

    def plot(self, ax: Any = None, **style: Any) -> Any:
        """The error of q over CPU time. Returns the axes."""
        ax = _axes(ax)
        for name, points in self.series.items():
            ax.loglog([p.seconds for p in points], [p.error for p in points], **{"marker": "o", "label": name, **style})
        for name, ladder in self.baselines.items():
            ax.loglog([p.seconds for p in ladder], [p.error for p in ladder], **{"marker": "s", "linestyle": "--", "label": f"{name}, not variational", **style})
        ax.set_xlabel("seconds")
        ax.set_ylabel("error of q")
        ax.set_title(self.model)
        ax.legend()
        return ax


class LongTime(Found):
    """What should not change over a long run, window by window: `l.watched["energy"]`, `l.plot()`."""

    def __init__(self, found: Mapping[str, Any]) -> None:
        self.model: str = found["model"]
        self.scheme: str = found["scheme"]
        self.steps: int = found["steps"]
        self.seconds: float = found["seconds"]
        self.constraint_max: float = found["constraint_max"]
        self.hidden_max: float = found["hidden_max"]
        self.watched: Dict[str, Dict[str, Any]] = {one["name"]: one for one in found["watched"]}

    @property
    def text(self) -> str:
        rows = [[name, one["initial"], one["largest"], one["drift"]] for name, one in self.watched.items()]
        return f"{self.model}, {self.scheme}, {self.steps} steps\n" + _table(["watched", "initial", "largest change", "drift"], rows)

    def plot(self, ax: Any = None, **style: Any) -> Any:
        """The largest change in every window. Returns the axes."""
        ax = _axes(ax)
        for name, one in self.watched.items():
            windows = np.array(one["windows"])
            ax.semilogy((windows[:, 0] + windows[:, 1]) / 2, np.maximum(windows[:, 2], 1e-300), **{"marker": ".", "label": name, **style})
        ax.set_xlabel("t")
        ax.set_ylabel("largest change")
        ax.set_title(f"{self.model}, {self.scheme}")
        ax.legend()
        return ax


class AreaLook(NamedTuple):
    """The boundary of the set at a time, by both numbers of its box, and the integral of p dq around it."""

    t: float
    area: float
    floor: float
    x: np.ndarray
    y: np.ndarray


class AreaSeries(NamedTuple):
    """One scheme: the relative change of the area, the floor below which it is none, and what may be said of it in words."""

    scheme: str
    names: Tuple[str, str]
    declared: bool
    change: float
    floor: float
    keeps: bool
    verdict: str
    looks: List[AreaLook]


class AreaStudy(Found):
    """What steps make of a set of starts and of its area: `a["rattle"].keeps`, `a.holds`, `a.plot()`."""

    def __init__(self, found: Mapping[str, Any]) -> None:
        self.model: str = found["model"]
        self.holds: bool = found["holds"]
        self.series = [AreaSeries(one["scheme"], (one["names"][0], one["names"][1]), one["declared"], one["change"], one["floor"], one["keeps"],
                                  one["verdict"], [AreaLook(*look) for look in one["looks"]]) for one in found["series"]]

    def __getitem__(self, scheme: str) -> AreaSeries:
        return _found(self.series, scheme)

    @property
    def text(self) -> str:
        looks = self.series[0].looks
        return f"{self.model}: areas of a set of starts\n" + _table(
            ["scheme", *[f"t = {look.t:.4g}" for look in looks], "change", ""],
            [[one.scheme, *[f"{look.area:.9g}" for look in one.looks], "none" if one.keeps else f"{one.change:.3g}",
              one.verdict] for one in self.series])

    def plot(self, scheme: Optional[str] = None, ax: Any = None, **style: Any) -> Any:
        """The sets of one scheme, without a name of the first, at all times. Returns the axes."""
        ax = _axes(ax)
        one = self.series[0] if scheme is None else self[scheme]
        for look in one.looks:
            ax.fill(look.x, look.y, **{"alpha": 0.5, "label": f"t = {look.t:.4g}, area {look.area:.5g}", **style})
        ax.set_xlabel(one.names[0])
        ax.set_ylabel(one.names[1])
        ax.set_title(f"{self.model}, {one.scheme}")
        ax.legend()
        return ax


class Comparison(Found):
    """Schemes side by side: `c["rattle"]["energy_error"]`, `c.plot()`; `c.baselines` are of what is not variational."""

    def __init__(self, found: Mapping[str, Any]) -> None:
        self.model: str = found["model"]
        self.reference: str = found["reference"]
        self.rows: Dict[str, Dict[str, Any]] = {row["scheme"]: row for row in found["rows"]}
        self.baselines: List[Dict[str, Any]] = list(found["baselines"])
        self.left_out: Dict[str, str] = dict(found["left_out"])

    def __getitem__(self, scheme: str) -> Dict[str, Any]:
        return self.rows[scheme]

    @property
    def text(self) -> str:
        keys = ["energy_error", "constraint_max", "hidden_max", "difference", "seconds"]
        text = f"{self.model}, against {self.reference}\n" + _table(
            ["scheme", "status", *keys], [[name, row["status"], *[row[key] for key in keys]] for name, row in self.rows.items()])
        ladders = [[row["baseline"], "not variational", row["tolerance"], row["status"], *[row[key] for key in keys]]
                   for row in self.baselines]
        return _with_baselines(text, ["baseline", "", "tolerance", "status", *keys], ladders, self.left_out)

    def plot(self, ax: Any = None, **style: Any) -> Any:
        """Difference from the reference over CPU time, one point for each scheme. Returns the axes."""
        ax = _axes(ax)
        for name, row in self.rows.items():
            ax.loglog(row["seconds"], max(row["difference"], 1e-300), "o", **{"label": name, **style})
        for row in self.baselines:
            label = f"{row['baseline']}, not variational, {row['tolerance']:.0e}"
            ax.loglog(row["seconds"], max(row["difference"], 1e-300), "s", **{"label": label, **style})
        ax.set_xlabel("seconds")
        ax.set_ylabel("difference from the reference")
        ax.set_title(self.model)
        ax.legend()
        return ax


class Path(Found):
    """The motion between two positions: `p.t`, `p.q` (time, coordinate), `p.p`; `p.converged`, otherwise `p.reason`."""

    def __init__(self, found: Mapping[str, Any], coordinates: Sequence[str]) -> None:
        self.converged: bool = found["converged"]
        self.reason: str = found["reason"]
        self.iterations: int = found["iterations"]
        self.residual: float = found["residual"]
        self.t: np.ndarray = found["t"]
        self.q: np.ndarray = found["q"]
        self.p: np.ndarray = found["p"]
        self.coordinates = list(coordinates)

    @property
    def text(self) -> str:
        if not self.converged:
            return f"no path: {self.reason}"
        return f"a path of {len(self.t)} positions, found in {self.iterations} iterations; starts with p = {self.p[0]}"

    def plot(self, *names: str, ax: Any = None, **style: Any) -> Any:
        """A coordinate over time, or over another one: path.plot("x"), path.plot("x", "y"). Returns the axes."""
        values = {"t": self.t, **{name: self.q[:, k] for k, name in enumerate(self.coordinates)}}
        x, *ys = names if len(names) > 1 else ("t", *(names or self.coordinates[:1]))
        for name in (x, *ys):
            if name not in values:
                raise InputError(f'unknown coordinate "{name}"; expected one of {", ".join(values)}')
        ax = _axes(ax)
        for y in ys:
            ax.plot(values[x], values[y], **{"marker": ".", "label": y, **style})
        ax.set_xlabel(x)
        ax.set_ylabel(", ".join(ys))
        return ax
