"""Many runs at once."""
from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Tuple

import numpy as np

from . import _extremal
from ._extremal import InputError
from .model import Runnable, run_keys
from .numbers import text
from .run import Column, axes as axes_of


def _floats(values: Any, what: str) -> np.ndarray:
    try:
        return np.asarray(values, dtype=float)
    except (TypeError, ValueError, OverflowError):
        pass
    try:  # texts, as "1/3"
        return np.vectorize(lambda one: _extremal.number(text(one, what)), otypes=[float])(np.asarray(values, dtype=object))
    except (TypeError, ValueError):
        raise InputError(f"{what}: found what is no array of numbers; expected one number per run") from None


def _dimensions(values: Any, what: str) -> int:
    try:
        return 0 if isinstance(values, str) else np.ndim(values)
    except ValueError:
        raise InputError(f"{what}: found lists of different lengths; expected as many numbers in each") from None


def _columns(values: Mapping[str, Any], what: str) -> Dict[str, np.ndarray]:
    """Those of the values that are arrays."""
    out = {}
    for name, value in values.items():
        if _dimensions(value, f"{what} {name}") > 0:
            array = _floats(value, f"{what} {name}")
            if array.ndim != 1:
                raise InputError(f"{what} {name}: found an array of {array.ndim} dimensions; expected one number per run; try {name}.ravel()")
            out[name] = array
    return out


def _table(columns: Mapping[str, np.ndarray], count: int) -> np.ndarray:
    return np.stack([columns[name] for name in columns], 1) if columns else np.zeros((count, 0))


def sweep(subject: Runnable, scheme: Optional[str], q: Any, v: Any, p: Any, set: Dict[str, Any],  # noqa: A002
          start: Dict[str, Any], variables: Tuple[str, ...], threads: Optional[int], progress: Any, keys: Dict[str, Any]) -> Any:
    import xarray

    if v is not None and p is not None:
        raise InputError("start: found v and p; expected one of them")
    said = run_keys(scheme, keys)
    sets = _columns(set, "set")
    fixed = {name: value for name, value in set.items() if name not in sets}
    vectors = {}
    single = len(subject._problem({}, {}).coordinates) == 1  # whose starts may stand side by side
    for mark, given in (("", q), ("v:", v), ("p:", p)):
        if given is not None and _dimensions(given, mark or "q") == 2:
            vectors[mark] = _floats(given, mark or "q")
        elif given is not None and np.ndim(given) == 1 and len(given) > 1 and single:
            vectors[mark] = _floats(given, mark or "q")[:, None]
    whole = {mark: None if mark in vectors else given for mark, given in (("", q), ("v:", v), ("p:", p))}
    starts = _columns(start, "start")
    if any(len(array) == 0 for array in (*sets.values(), *vectors.values(), *starts.values())):
        raise InputError("sweep: found arrays without numbers; expected one number per run, of one run at least")
    same = {name: value for name, value in start.items() if name not in starts}
    first = vectors[""][0] if "" in vectors and len(vectors[""]) else whole[""]  # all others replace it
    if starts and first is None and whole["v:"] is None and whole["p:"] is None:
        same.update({name: column[0] for name, column in starts.items() if len(column)})
    problem = subject._started(fixed, same or None, first, whole["v:"], whole["p:"], None, None)
    names = problem.coordinates
    for name in sets:
        if name not in problem.parameters:
            raise InputError(f'sweep: unknown parameter "{name}"; expected one of {", ".join(problem.parameters)}')
    for mark, array in vectors.items():
        if array.shape[1] != len(names):
            raise InputError(f"{mark or 'q'}: found {array.shape[1]} numbers a run; expected {len(names)}: {', '.join(names)}")
        twice = [name for name in names if f"{mark}{name}" in starts]
        if twice:
            raise InputError(f'start: found "{mark}{twice[0]}", and an array {mark.rstrip(":") or "q"}; expected one of them')
        starts.update({f"{mark}{name}": array[:, i] for i, name in enumerate(names)})
    kinds = {name[:2] for name in (*starts, *same) if name[:2] in ("v:", "p:")} | {mark for mark in ("v:", "p:") if whole[mark] is not None}
    if len(kinds) > 1:
        raise InputError("start: found velocities (v:) and momenta (p:); expected one kind")
    lengths = {len(column) for column in (*sets.values(), *starts.values())}
    if len(lengths) != 1:
        raise InputError(f"sweep: found {'no arrays' if not lengths else f'arrays for {sorted(lengths)} runs'}; expected one number per run")
    count = lengths.pop()
    for name, column in (*sets.items(), *starts.items()):
        if not np.all(np.isfinite(column)):
            raise InputError(f"sweep: {name} is not finite in run {int(np.argmin(np.isfinite(column)))}; expected numbers")
    values, status, reason, columns, keyboard = _extremal.sweep(
        problem, said, list(sets), _table(sets, count), list(starts), _table(starts, count), count,
        list(variables), threads or _extremal.cores(), progress)
    arrays: Dict[str, Any] = {"status": ("run", status), "reason": ("run", reason)}
    axes: Dict[str, List[str]] = {}
    for name in variables:
        places = [i for i, column in enumerate(columns) if column[1] == name]
        those = [Column(*columns[i]) for i in places]
        about = {"long_name": those[0].description, "units": those[0].unit}
        if those[0].axis:
            names_of = axes_of(those)
            table = values[:, :, places[0]:places[-1] + 1]
            arrays[name] = (("run", "time", *names_of), table.reshape(*table.shape[:2], *map(len, names_of.values())), about)
            axes.update(names_of)
        else:
            arrays[name] = (("run", "time"), values[:, :, places[0]], about)
    t = next(i for i, column in enumerate(columns) if column[0] == "t")
    times = values[:, :, t]
    longest = int(np.argmax(np.isfinite(times).sum(1)))  # the times of the run that went farthest
    coordinates: Dict[str, Any] = dict(axes)
    if np.all((times == times[longest]) | np.isnan(times)):
        coordinates["time"] = ("time", times[longest].copy())
    else:
        coordinates["t"] = (("run", "time"), times.copy())
    for name, column in sets.items():
        taken = name in arrays or name in coordinates or name in ("run", "time", "t")
        arrays[f"parameter {name}" if taken else name] = ("run", column)
    found = xarray.Dataset(arrays, coordinates, {"model": problem.name, "scheme": scheme or problem.setup["scheme"]})
    if keyboard:
        interrupt = KeyboardInterrupt(f"{status.count('complete')} of {count} runs are complete")
        interrupt.sweep = found  # type: ignore[attr-defined]
        raise interrupt
    return found
