"""What settle and modes find: where a model comes to rest, and how it vibrates about there."""
from __future__ import annotations

from typing import Any, Dict, Iterator, List, Mapping, NamedTuple

import numpy as np

from ._extremal import InputError
from .study import Found, _axes, _table


class Rest(Found):
    """Where all forces are in balance: `r.q`, `r["x"]`, `r.joints["pivot.angle"]`; `r.found`, otherwise `r.reason`.

    >>> import extremal as ex
    >>> rest = ex.model("pendulum").settle()
    >>> rest.found, round(rest["y"], 12)
    (True, -1.0)

    `m.run(q=r.q)` starts there. `r.multipliers` has the loads of the constraints by their names.
    """

    def __init__(self, found: Mapping[str, Any]) -> None:
        self.model: str = found["model"]
        self.found: bool = found["found"]
        self.reason: str = found["reason"]
        self.t: float = found["t"]
        self._q = np.array(found["q"])
        self.coordinates: List[str] = list(found["coordinates"])
        self.multipliers: Dict[str, float] = dict(zip(found["constraints"], found["multipliers"]))
        self.joints: Dict[str, float] = dict(found["joints"])
        self.residual: float = found["residual"]
        self.iterations: int = found["iterations"]

    @property
    def q(self) -> np.ndarray:
        """The positions; InputError if there is no rest."""
        if not self.found:
            raise InputError(self.text)
        return self._q

    def __getitem__(self, name: str) -> float:
        """A coordinate, or that of a joint."""
        q = self.q
        if name in self.joints:
            return self.joints[name]
        if name not in self.coordinates:
            raise InputError(f'unknown coordinate "{name}"; expected one of {", ".join([*self.joints, *self.coordinates])}')
        return float(q[self.coordinates.index(name)])

    @property
    def text(self) -> str:
        if not self.found:
            return f"{self.model}: no rest was found: {self.reason}"
        shown = self.joints or dict(zip(self.coordinates, self.q.tolist()))
        rows = [[name, f"{0 if abs(value) < 1e-14 else value:.10g}"] for name, value in list(shown.items())[:24]]
        more = f"\nand {len(shown) - 24} more" if len(shown) > 24 else ""
        return (f"{self.model} comes to rest, after {self.iterations} iterations; forces are left of {self.residual:.1e}\n"
                + _table(["coordinate", "at rest"], rows) + more)


class Mode(NamedTuple):
    """A motion Re(exp(s t) (shape + i late)) with s = growth + i omega; `joints` has the shape by angles and strokes."""

    frequency: float
    damping: float
    omega: float
    growth: float
    shape: np.ndarray
    late: np.ndarray
    joints: Dict[str, float]


class Modes(Found):
    """Small vibrations about a rest, by |s|: `m[0].frequency` in Hz, `m.frequency` of all, `m.shape` (mode, coordinate); `m.plot()`.

    >>> import extremal as ex
    >>> about = ex.model("pendulum").modes()
    >>> about.stable, round(about[0].frequency, 6)
    (True, 0.498488)

    They solve mass x'' + damping x' + stiffness x = 0, with q = rest.q + tangent x: matrices of m.freedom rows.
    """

    def __init__(self, found: Mapping[str, Any]) -> None:
        self.rest = Rest(found["rest"])
        self.freedom: int = found["freedom"]
        self.stable: bool = found["stable"]
        self.modes = [Mode(frequency, damping, omega, growth, np.array(shape), np.array(late), dict(joints))
                      for frequency, damping, omega, growth, shape, late, joints in found["modes"]]
        self.mass: np.ndarray = found["mass"]
        self.damping_matrix: np.ndarray = found["damping"]
        self.stiffness: np.ndarray = found["stiffness"]
        self.tangent: np.ndarray = found["tangent"]

    def __len__(self) -> int:
        return len(self.modes)

    def __getitem__(self, index: int) -> Mode:
        return self.modes[index]

    def __iter__(self) -> Iterator[Mode]:
        return iter(self.modes)

    @property
    def frequency(self) -> np.ndarray:
        """Hz."""
        return np.array([mode.frequency for mode in self.modes])

    @property
    def damping(self) -> np.ndarray:
        """Damping ratios; negative where a mode grows."""
        return np.array([mode.damping for mode in self.modes])

    @property
    def shape(self) -> np.ndarray:
        """(mode, coordinate)."""
        return np.array([mode.shape for mode in self.modes]).reshape(len(self.modes), len(self.rest.coordinates))

    def _parts(self, mode: Mode) -> Dict[str, float]:
        moved = mode.joints or dict(zip(self.rest.coordinates, mode.shape.tolist()))
        largest = max(moved.values(), key=abs, default=0.0)
        return {name: value / largest for name, value in moved.items()} if largest else moved

    @property
    def text(self) -> str:
        if not self.rest.found:
            return self.rest.text
        rows = []
        for k, mode in enumerate(self.modes[:24]):
            parts = sorted(self._parts(mode).items(), key=lambda part: -abs(part[1]))[:3]
            moves = ", ".join(f"{name} {part:.3g}" for name, part in parts if abs(part) > 0.01)
            rows.append([k, f"{mode.frequency:.6g}", f"{mode.damping:.4g}", moves])
        more = f"\nand {len(self) - 24} more" if len(self) > 24 else ""
        grows = "" if self.stable else "\nnot stable: a mode with negative damping grows"
        return f"{self.rest.model}, {self.freedom} degrees of freedom\n" + _table(["mode", "Hz", "damping", "moves"], rows) + more + grows

    def plot(self, count: int = 6, ax: Any = None, **style: Any) -> Any:
        """The shapes of the first modes, by coordinates of joints if there are. Returns the axes."""
        ax = _axes(ax)
        names: List[str] = []
        for k, mode in enumerate(self.modes[:count]):
            parts = self._parts(mode)
            names = list(parts)
            ax.plot(range(len(parts)), list(parts.values()), **{"marker": ".", "label": f"{k}: {mode.frequency:.4g} Hz", **style})
        if len(names) <= 24:
            ax.set_xticks(range(len(names)))
            ax.set_xticklabels(names, rotation=90 if len(names) > 6 else 0)
        ax.set_ylabel("part of the largest")
        ax.set_title(self.rest.model)
        if names:
            ax.legend()
        return ax
