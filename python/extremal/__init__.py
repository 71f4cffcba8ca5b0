"""extremal: variational integrators for mechanical systems with holonomic constraints.

>>> import extremal as ex
>>> run = ex.model("pendulum").run("rattle", step="0.05", until=10)
>>> run.status, run.q.shape
('complete', (201, 2))

ex.model      a model of ex.models(), or of a model file
ex.System     from functions: kinetic, potential, constraint, force, symmetry
ex.Mechanism  bodies, joints, loads and rods
ex.import_robot  URDF and MJCF as a Mechanism
ex.table      a function by its points, for the functions of both
ex.open       the archive of a run; ex.resume goes on with it
ex.schemes    the names of schemes; ex.cite says what to cite for them
ex.baselines  integrators of others, which are not variational, that studies may have beside them

Each of the first four has run (one motion), stepper (step by step), sweep (many at once), check (laws, measured), orders,
work_precision, long_time, area, compare (studies), boundary (between two positions), settle and modes (where it rests, how it
vibrates there) and save (a model file). Numbers may be int, float, str and Fraction: a text is exact at every precision.
"""
from __future__ import annotations

import os
from typing import Any, List, NamedTuple, Sequence

from . import _extremal, numbers
from ._extremal import InputError, StudyError
from .document import Coordinates
from .mechanism import Body, Mechanism, Point, Rod
from .model import Model, model
from .numbers import Place
from .rest import Mode, Modes, Rest
from .run import Column, Run, open, resume  # noqa: A004
from .stepper import Stepper
from .study import AreaStudy, BaselinePoint, Certificate, Comparison, Law, LongTime, OrderStudy, Path, WorkStudy
from .system import System
from .table import Table, table
from .trace import TraceError

__version__: str = _extremal.version
__all__ = ["AreaStudy", "Baseline", "BaselinePoint", "Body", "Certificate", "Column", "Comparison", "Coordinates", "InputError", "Law", "LongTime",
           "Mechanism", "Mode", "Model", "Modes", "OrderStudy", "Path", "Point", "Reference", "Rest", "Rod", "Run", "Stepper",
           "StudyError", "System", "Table", "TraceError", "WorkStudy", "baselines", "cite", "import_robot", "model", "models", "open", "resume",
           "schemes", "table"]


class Reference(NamedTuple):
    """A publication."""

    key: str
    text: str
    bibtex: str


def import_robot(path: Place, *, floating: bool = False, strict: bool = False, close: Sequence[str] = (),
                 at: Any = None, limits: Any = None) -> Mechanism:
    """A robot of URDF or MJCF as a Mechanism; its `notes` say by name what the model does not have of it.

    A `floating` root moves freely, `strict` refuses instead of noting, and `close` has frames that coincide: "a=b", "a=b:spherical".
    `at` says where joints start, as at={"elbow": 0.6}; loops are closed by the others.
    `limits` is a stiffness: limits of joints are one-sided springs; they are noted otherwise.
    """
    pairs = [close] if isinstance(close, str) else list(close)
    stiffness = "" if limits is None else numbers.text(limits, "limits")
    starts = [f"{joint}={value}" for joint, value in numbers.named(numbers.entries(at, "at"), "at")]
    text, notes = _extremal.import_robot(os.fspath(path), bool(floating), bool(strict), pairs, starts, stiffness)
    return Mechanism.of(text, os.path.splitext(os.path.basename(os.fspath(path)))[0], notes)


def models() -> List[str]:
    """The names of the models that come with the library."""
    return _extremal.models()


def schemes() -> List[str]:
    """A representative of every scheme; most names have other numbers too, as spark(4)."""
    return _extremal.schemes()


class Baseline(NamedTuple):
    """An integrator of others that is not variational, for compare and work_precision; `built`: this build has it."""

    name: str
    method: str
    library: str
    package: str
    built: bool


def baselines() -> List[Baseline]:
    """Those that there are, also where this build was without the package."""
    return [Baseline(*one) for one in _extremal.baselines()]


def cite(name: str) -> List[Reference]:
    """What to cite for a scheme or a model."""
    if not isinstance(name, str):
        raise InputError(f'cite: found {name!r}; expected the name of a scheme or a model, as ex.cite("rattle")')
    return [Reference(*one) for one in _extremal.cite(name)]
