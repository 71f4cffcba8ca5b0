"""Mechanism: rigid bodies, joints, loads and rods, by the words of model files (docs/models.md)."""
from __future__ import annotations

import json
import re
from typing import Any, Dict, List, Mapping, Optional, Tuple, Union

from . import _extremal
from ._extremal import InputError
from .model import Runnable
from .numbers import named, text
from .trace import Symbols, called, formula, rest_of, rows_of


class Point:
    """A point of a body, or of the ground; made by Body.at and Mechanism.ground."""

    def __init__(self, body: Optional[str], at: Tuple[str, ...]) -> None:
        self.body = body
        self.coordinates = at

    def toml(self) -> str:
        at = f"at = {json.dumps(list(self.coordinates))}"
        if self.body is None:
            return f"{{ {at} }}" if self.coordinates else '"ground"'
        return f"{{ body = {json.dumps(self.body)}, {at} }}" if self.coordinates else json.dumps(self.body)


class Body(Point):
    """A body; stands for its centre of mass where a point is expected."""

    def __init__(self, name: str) -> None:
        super().__init__(name, ())
        self.name = name

    def at(self, *coordinates: Any) -> Point:
        """A point in the frame of the body."""
        return Point(self.name, tuple(text(x, "at") for x in coordinates))

    def __repr__(self) -> str:
        return f"Body({self.name!r})"


class Rod:
    """The nodes of a rod as bodies: beam.first, beam.last, beam.node(3)."""

    def __init__(self, name: str, nodes: int) -> None:
        self.name = name
        self.nodes = nodes

    def node(self, index: int) -> Body:
        if not 0 <= index < self.nodes:
            raise InputError(f"{self.name}: found node {index}; expected 0 to {self.nodes - 1}")
        return Body(f"{self.name}.{index}")

    @property
    def first(self) -> Body:
        return self.node(0)

    @property
    def last(self) -> Body:
        return self.node(self.nodes - 1)


class Mechanism(Runnable):
    """Bodies, joints and loads, which become a model.

    >>> import extremal as ex
    >>> M = ex.Mechanism("bar", space="planar")
    >>> M.gravity(0, "-9.81")
    >>> bar = M.body("bar", mass=1, inertia="1/12", position=("1/2", 0))
    >>> M.revolute("pivot", M.ground(0, 0), bar.at("-1/2", 0))
    >>> M.run("rattle", step="0.01", until=1).status
    'complete'

    Numbers may be texts with the parameters of the mechanism in them; loads that depend on time are texts or functions of t.
    """

    def __init__(self, name: str = "mechanism", space: str = "spatial", **parameters: Any) -> None:
        if space not in ("planar", "spatial"):
            raise InputError(f'space: found "{space}"; expected planar or spatial')
        self.name = name
        self.space = space
        self.parameters = {key: text(value, key) for key, value in parameters.items()}
        self._gravity = ""
        self._parts: List[str] = []
        self._made: Optional[_extremal.Problem] = None

    def gravity(self, *components: Any) -> None:
        self._gravity = f"gravity = {json.dumps([text(x, 'gravity') for x in components])}\n"
        self._made = None

    def ground(self, *at: Any) -> Point:
        """A point of the ground; without numbers the origin, and the ground where a body is expected."""
        return Point(None, tuple(text(x, "ground") for x in at))

    def body(self, name: str, **keys: Any) -> Body:
        """mass, inertia or euler_tensor; position, angle (or rotation, euler_angles, matrix, quaternion), velocity, angular_velocity."""
        self.part("body", name, **keys)
        return Body(name)

    def point_mass(self, name: str, **keys: Any) -> Body:
        """mass, position, velocity."""
        self.part("point_mass", name, **keys)
        return Body(name)

    def rod(self, name: str, **keys: Any) -> Rod:
        """section (a dict), start and end (from and to of model files) and elements, or points; first, last, damping, ..."""
        for word, key in (("start", "from"), ("end", "to")):
            if word in keys:
                keys[key] = keys.pop(word)
        self.part("rod", name, **keys)
        count = len(keys["points"]) if "points" in keys else int(keys.get("elements", 0)) + 1
        return Rod(name, count)

    def joint(self, type: str, name: str, a: Point, b: Point, **keys: Any) -> None:  # noqa: A002
        """A joint by its type: revolute, spherical, fixed, prismatic, cylindrical, universal, distance, planar, ..."""
        self.part("joint", name, type=_Word(type), **{"from": a, "to": b}, **keys)

    def revolute(self, name: str, a: Point, b: Point, axis: Any = None) -> None:
        self.joint("revolute", name, a, b, axis=axis)

    def spherical(self, name: str, a: Point, b: Point) -> None:
        self.joint("spherical", name, a, b)

    def fixed(self, name: str, a: Point, b: Point) -> None:
        self.joint("fixed", name, a, b)

    def prismatic(self, name: str, a: Point, b: Point, axis: Any) -> None:
        self.joint("prismatic", name, a, b, axis=axis)

    def cylindrical(self, name: str, a: Point, b: Point, axis: Any) -> None:
        self.joint("cylindrical", name, a, b, axis=axis)

    def universal(self, name: str, a: Point, b: Point, axis: Any, axis_to: Any) -> None:
        self.joint("universal", name, a, b, axis=axis, axis_to=axis_to)

    def distance(self, name: str, a: Point, b: Point, length: Any = None) -> None:
        self.joint("distance", name, a, b, length=length)

    def planar(self, name: str, a: Point, b: Point, normal: Any) -> None:
        self.joint("planar", name, a, b, normal=normal)

    def point_on_line(self, name: str, a: Point, b: Point, axis: Any) -> None:
        self.joint("point_on_line", name, a, b, axis=axis)

    def point_on_plane(self, name: str, a: Point, b: Point, normal: Any) -> None:
        self.joint("point_on_plane", name, a, b, normal=normal)

    def spring(self, name: str, a: Point, b: Point, **keys: Any) -> None:
        """stiffness, length at rest, damping."""
        self.part("spring", name, **{"from": a, "to": b}, **keys)

    def torsion_spring(self, name: str, a: Point, b: Point, **keys: Any) -> None:
        """stiffness, angle at rest, damping, in space axis."""
        self.part("torsion_spring", name, **{"from": a, "to": b}, **keys)

    def damper(self, name: str, a: Point, b: Point, damping: Any) -> None:
        self.part("damper", name, **{"from": a, "to": b}, damping=damping)

    def line_damper(self, name: str, a: Point, b: Point, damping: Any) -> None:
        self.part("line_damper", name, **{"from": a, "to": b}, damping=damping)

    def rotational_damper(self, name: str, a: Point, b: Point, damping: Any, axis: Any = None) -> None:
        self.part("rotational_damper", name, **{"from": a, "to": b}, damping=damping, axis=axis)

    def force(self, name: str, on: Point, components: Any, frame: Optional[str] = None) -> None:
        """Components are numbers, formulas of t, or functions: [0, "sin(2*t)", lambda t: np.cos(t)]."""
        self.part("force", name, on=on, components=components, frame=None if frame is None else _Word(frame))

    def torque(self, name: str, on: Point, components: Any) -> None:
        self.part("torque", name, on=on, components=components)

    def motor(self, name: str, a: Point, b: Point, torque: Any, axis: Any = None) -> None:
        """The torque is a number, a formula of t or a function."""
        self.part("motor", name, **{"from": a, "to": b}, torque=torque, axis=axis)

    def drive(self, name: str, body: Body, **keys: Any) -> None:
        """position and rotation that the body follows."""
        self.part("drive", name, body=body, **keys)

    def part(self, kind: str, name: str, **keys: Any) -> None:
        """Any part of model files: [[kind]] with its keys. The reader of model files says what is wrong with it."""
        lines = [f"[[{kind}]]", f"name = {json.dumps(name)}"]
        lines += [f"{key} = {self._toml(value, f'{name}: {key}')}" for key, value in keys.items() if value is not None]
        self._parts.append("\n".join(lines) + "\n")
        self._made = None

    def _toml(self, value: Any, what: str) -> str:
        if isinstance(value, Point):
            return value.toml()
        if isinstance(value, bool):
            return "true" if value else "false"
        if callable(value):
            return json.dumps(self._of_time(value, what))
        if isinstance(value, Mapping):
            return "{ " + ", ".join(f"{key} = {self._toml(one, what)}" for key, one in value.items()) + " }"
        if isinstance(value, (list, tuple)) or getattr(value, "ndim", 0) > 0:
            return "[" + ", ".join(self._toml(one, what) for one in value) + "]"
        said = text(value, what)
        # Counts of elements are no formulas.
        return said if re.fullmatch(r"-?\d+", said) else json.dumps(said)

    def _of_time(self, f: Any, what: str) -> str:
        """A function of t, and of parameters by their names, as a formula."""
        names = list(self.parameters)
        more = rest_of(f, 0, names, what)
        symbols = Symbols()
        g = symbols.graph
        values = {n: symbols.wrap(g.time() if n == "t" else g.parameter(names.index(n))) for n in more}
        rows = rows_of(symbols, called(symbols, f, [], values, what), what)
        if len(rows) != 1:
            raise InputError(f"{what}: found {len(rows)} numbers; expected one")
        return formula(g, rows[0], lambda kind, i: names[i] if kind == "parameter" else "t")

    def text(self) -> str:
        """The model file."""
        out = f"name = {json.dumps(self.name)}\nspace = {json.dumps(self.space)}\n{self._gravity}\n" + "\n".join(self._parts)
        if self.parameters:
            out += "\n[parameters]\n" + "\n".join(f"{key} = {json.dumps(value)}" for key, value in self.parameters.items()) + "\n"
        return out

    def save(self, path: str) -> None:
        """Writes the model file, which `extremal run` and ex.model() read."""
        self._problem({}, {})
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.text())

    @property
    def coordinates(self) -> List[str]:
        return self._problem({}, {}).coordinates

    def _problem(self, set: Mapping[str, Any], start: Mapping[str, Any]) -> _extremal.Problem:  # noqa: A002
        if set:
            return _extremal.load_text(self.text(), self.name, named(set, "set"))
        if self._made is None:
            self._made = _extremal.load_text(self.text(), self.name, [])
        return self._made

    def __repr__(self) -> str:
        return f"Mechanism {self.name}, {self.space}: {len(self._parts)} parts"


class _Word(str):
    """A word of model files, which is no number."""


Number = Union[int, float, str]
Section = Dict[str, Any]
