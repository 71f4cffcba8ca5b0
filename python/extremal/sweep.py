"""Many runs at once."""
from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Tuple

import numpy as np

from . import _extremal
from ._extremal import InputError
from .model import Runnable, run_keys


def _columns(values: Mapping[str, Any], what: str) -> Dict[str, np.ndarray]:
    """Those of the values that are arrays."""
    out = {}
    for name, value in values.items():
        if isinstance(value, (list, tuple, np.ndarray)) and np.ndim(value) > 0:
            array = np.asarray(value, dtype=float)
            if array.ndim != 1:
                raise InputError(f"{what} {name}: found an array of {array.ndim} dimensions; expected one number per run")
            out[name] = array
    return out


def _table(columns: Mapping[str, np.ndarray], count: int) -> np.ndarray:
    return np.stack([columns[name] for name in columns], 1) if columns else np.zeros((count, 0))


def sweep(subject: Runnable, scheme: Optional[str], q: Any, v: Any, p: Any, set: Dict[str, Any],  # noqa: A002
          start: Dict[str, Any], variables: Tuple[str, ...], threads: Optional[int], progress: Any, keys: Dict[str, Any]) -> Any:
    import xarray

    sets = _columns(set, "set")
    fixed = {name: value for name, value in set.items() if name not in sets}
    vectors = {}
    for mark, given in (("", q), ("v:", v), ("p:", p)):
        if given is not None and np.ndim(given) == 2:
            vectors[mark] = np.asarray(given, dtype=float)
    whole = {mark: None if mark in vectors else given for mark, given in (("", q), ("v:", v), ("p:", p))}
    starts = _columns(start, "start")
    same = {name: value for name, value in start.items() if name not in starts}
    problem = subject._started(fixed, same or None, whole[""], whole["v:"], whole["p:"], None, None)
    names = problem.coordinates
    for mark, array in vectors.items():
        if array.shape[1] != len(names):
            raise InputError(f"{mark or 'q'}: found {array.shape[1]} numbers a run; expected {len(names)}: {', '.join(names)}")
        starts.update({f"{mark}{name}": array[:, i] for i, name in enumerate(names)})
    lengths = {len(column) for column in (*sets.values(), *starts.values())}
    if len(lengths) != 1:
        raise InputError(f"sweep: found {'no arrays' if not lengths else f'arrays for {sorted(lengths)} runs'}; expected one number per run")
    count = lengths.pop()
    for name, column in (*sets.items(), *starts.items()):
        if not np.all(np.isfinite(column)):
            raise InputError(f"sweep: {name} is not finite in run {int(np.argmin(np.isfinite(column)))}; expected numbers")
    values, status, reason, columns = _extremal.sweep(
        problem, run_keys(scheme, keys), list(sets), _table(sets, count), list(starts), _table(starts, count), count,
        list(variables), int(threads or _extremal.cores()), progress)
    known = {column[1] for column in columns}
    for name in variables:
        if name not in known:
            raise InputError(f'unknown variable "{name}"; expected q, v, p, energy, kinetic, potential, ...')
    arrays: Dict[str, Any] = {"status": ("run", status), "reason": ("run", reason)}
    axes: Dict[str, List[str]] = {}
    for name in variables:
        places = [i for i, column in enumerate(columns) if column[1] == name]
        _, _, axis, _, unit, description = columns[places[0]]
        about = {"long_name": description, "units": unit}
        if axis:
            arrays[name] = (("run", "time", axis), values[:, :, places[0]:places[-1] + 1], about)
            axes[axis] = [columns[i][3] for i in places]
        else:
            arrays[name] = (("run", "time"), values[:, :, places[0]], about)
    t = next(i for i, column in enumerate(columns) if column[0] == "t")
    longest = int(np.argmax(np.isfinite(values[:, :, t]).sum(1)))
    arrays.update({f"{name}": ("run", column) for name, column in sets.items()})
    coordinates: Dict[str, Any] = {"time": ("time", values[longest, :, t].copy()), **axes}
    return xarray.Dataset(arrays, coordinates, {"model": problem.name, "scheme": scheme or problem.setup["scheme"]})
