"""extremal: variational integrators for mechanical systems with holonomic constraints.

>>> import extremal as ex
>>> run = ex.model("pendulum").run("rattle", step="0.05", until=10)
>>> run.status, run.q.shape
('complete', (201, 2))

ex.model      a model of ex.models(), or of a model file
ex.System     from functions: kinetic, potential, constraint, force, symmetry
ex.Mechanism  bodies, joints, loads and rods
ex.open       the archive of a run; ex.resume goes on with it
ex.schemes    the names of schemes; ex.cite says what to cite for them

Each of the first three has run, check, stepper and sweep. Numbers may be int, float, str and Fraction: a text is exact at
every precision.
"""
from __future__ import annotations

from typing import List, NamedTuple

from . import _extremal
from ._extremal import InputError
from .mechanism import Body, Mechanism, Point, Rod
from .model import Certificate, Law, Model, Stepper, model
from .run import Column, Run, open, resume  # noqa: A004
from .system import Coordinates, System
from .trace import TraceError

__version__: str = _extremal.version
__all__ = ["Body", "Certificate", "Column", "Coordinates", "InputError", "Law", "Mechanism", "Model", "Point", "Reference", "Rod",
           "Run", "Stepper", "System", "TraceError", "cite", "model", "models", "open", "resume", "schemes"]


class Reference(NamedTuple):
    """A publication."""

    key: str
    text: str
    bibtex: str


def models() -> List[str]:
    """The names of the models that come with the library."""
    return _extremal.models()


def schemes() -> List[str]:
    """A representative of every scheme; most names have other numbers too, as spark(4)."""
    return _extremal.schemes()


def cite(name: str) -> List[Reference]:
    """What to cite for a scheme or a model."""
    return [Reference(*one) for one in _extremal.cite(name)]
