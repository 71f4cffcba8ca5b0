"""Where a motion starts: q, v or p and t, or single values by their names."""
from __future__ import annotations

from typing import Any, Mapping, Optional

from . import _extremal
from ._extremal import InputError
from .numbers import entries, named, text, texts


def started(problem: _extremal.Problem, start: Optional[Mapping[str, Any]], q: Any, v: Any, p: Any, t: Any,
            slack: Any) -> _extremal.Problem:
    """The same with another start."""
    limit = "" if slack is None else text(slack, "slack")
    if q is None and v is None and p is None and t is None:
        return problem.placed(named(entries(start, "start"), "start"), limit)
    if entries(start, "start"):
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
