"""Mechanism: rigid bodies, joints, loads and rods, by the words of model files (docs/models.md)."""
from __future__ import annotations

import json
import re
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _extremal
from ._extremal import InputError
from .document import Coordinates, Document, joints_of
from .numbers import text
from .sections import Sections, inline, key_text, strings
from .trace import TraceError
from .traced import expect_order, place_of

_nothing: Dict[str, str] = {}

__all__ = ["Body", "Mechanism", "Point", "Rod"]


class Point:
    """A point of a body, or of the ground; made by Body.at and Mechanism.ground."""

    def __init__(self, body: Optional[str], at: Tuple[str, ...]) -> None:
        self.body = body
        self.coordinates = at

    def toml(self) -> str:
        """As model files have it."""
        at = f"at = {json.dumps(list(self.coordinates))}"
        if self.body is None:
            return f"{{ {at} }}" if self.coordinates else '"ground"'
        return f"{{ body = {json.dumps(self.body)}, {at} }}" if self.coordinates else json.dumps(self.body)

    def __repr__(self) -> str:
        return f"Point({self.body or 'ground'}: {', '.join(self.coordinates)})"


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

    def __repr__(self) -> str:
        return f"Rod({self.name!r}, {self.nodes} nodes)"

    def node(self, index: int) -> Body:
        """The node `index`, from 0."""
        if not 0 <= index < self.nodes:
            raise InputError(f"{self.name}: found node {index}; expected 0 to {self.nodes - 1}")
        return Body(f"{self.name}.{index}")

    @property
    def first(self) -> Body:
        """The node where it begins."""
        return self.node(0)

    @property
    def last(self) -> Body:
        """The node where it ends."""
        return self.node(self.nodes - 1)


class Mechanism(Document):
    """Bodies, joints and loads, which become a model.

    >>> import extremal as ex
    >>> M = ex.Mechanism("bar", space="planar", u=0)
    >>> M.gravity(0, "-9.81")
    >>> bar = M.body("bar", mass=1, inertia="1/12", position=("1/2", 0))
    >>> M.revolute("pivot", M.ground(0, 0), bar.at("-1/2", 0))
    >>> M.joint_motor("motor", "pivot", lambda angle, rate, u: u - rate / 10)
    >>> M.run("rattle", step="0.01", until=1).status
    'complete'

    Numbers may be texts with the parameters of the mechanism in them; loads that depend on time are texts or functions of t.
    Parameters that functions alone depend on, as u here, can be set between two steps (Stepper.set).
    Formulas besides the parts are functions of `M.coordinates("bar.x", ...)`, and of `M.coordinate("pivot")`, a joint's.
    """

    def __init__(self, name: str = "mechanism", space: str = "spatial", **parameters: Any) -> None:
        if not isinstance(space, str) or space not in ("planar", "spatial"):
            raise InputError(f'space: found "{space}"; expected planar or spatial')
        self.space = space
        self._gravity = ""
        self._list: List[str] = []
        self._inputs: List[str] = []
        self._kinds: Dict[str, str] = {}  # of joints
        self._base = ""
        self._found: Optional[_extremal.Problem] = None  # the model that is added to
        self.notes: List[str] = []
        super().__init__(name, parameters)

    @classmethod
    def of(cls, model: str, name: str = "mechanism", notes: Sequence[str] = ()) -> "Mechanism":
        """The text of a model file, to which parts, parameters and terms are added."""
        root = {"name": json.dumps(name), "space": '"spatial"', **Sections(model).entries("")}
        name, space = [strings(root[key])[0].strip("\"'") for key in ("name", "space")]
        made = cls(name, space)
        made._base = model
        made._found = found = _extremal.load_text(model, name, [])
        made.notes = list(notes)
        made._kinds = dict(found.joints)
        made._terms = max((int(number) for number in re.findall(r"\bpart(\d+)\.", model)), default=0)
        return made

    def __getstate__(self) -> Dict[str, Any]:
        return {**super().__getstate__(), "_found": None}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        if self._base:
            self._found = _extremal.load_text(self._base, self.name, [])

    def _known(self) -> Dict[str, str]:
        return {**(self._found.parameters if self._found is not None else {}), **self.parameters}

    def gravity(self, *components: Any) -> None:
        """Two components, or three in space."""
        self._gravity = json.dumps([text(x, "gravity") for x in components])
        self._made = None

    def ground(self, *at: Any) -> Point:
        """A point of the ground; without numbers the origin, and the ground where a body is expected."""
        return Point(None, tuple(text(x, "ground") for x in at))

    def body(self, name: str, **keys: Any) -> Body:
        """mass, inertia or euler_tensor (or shape and density, centre); position, angle (or rotation, euler_angles, matrix,
        quaternion), velocity, angular_velocity; part=[dict(shape="box", ...), ...] of what it is made of."""
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
        elements = text(keys.get("elements", 0), f"{name}: elements")
        if not re.fullmatch(r"\d+", elements):
            raise InputError(f"{name}: elements: found {elements!r}; expected a whole number")
        self.part("rod", name, **keys)
        return Rod(name, len(keys["points"]) if "points" in keys else int(elements) + 1)

    def joint(self, type: str, name: str, a: Point, b: Point, **keys: Any) -> None:  # noqa: A002
        """A joint by its type: revolute, spherical, fixed, prismatic, cylindrical, universal, distance, planar, ...

        Keys are axis, axis_to, normal, length, angle, armature and coordinate=True, by type."""
        self.part("joint", name, type=_Word(type), **{"from": a, "to": b}, **keys)
        self._kinds[name] = type

    def revolute(self, name: str, a: Point, b: Point, axis: Any = None, **keys: Any) -> None:
        """Points together, free to turn: about `axis` of the first body in space. angle, armature, coordinate=True."""
        self.joint("revolute", name, a, b, axis=axis, **keys)

    def spherical(self, name: str, a: Point, b: Point) -> None:
        """Points together, free to turn in every way."""
        self.joint("spherical", name, a, b)

    def fixed(self, name: str, a: Point, b: Point) -> None:
        """Two bodies become one."""
        self.joint("fixed", name, a, b)

    def prismatic(self, name: str, a: Point, b: Point, axis: Any, **keys: Any) -> None:
        """Slides along `axis` of the first body and does not turn. armature, coordinate=True."""
        self.joint("prismatic", name, a, b, axis=axis, **keys)

    def cylindrical(self, name: str, a: Point, b: Point, axis: Any, **keys: Any) -> None:
        """Slides along `axis` and turns about it."""
        self.joint("cylindrical", name, a, b, axis=axis, **keys)

    def universal(self, name: str, a: Point, b: Point, axis: Any, axis_to: Any) -> None:
        """Points together; `axis` of the first body stays perpendicular to `axis_to` of the second."""
        self.joint("universal", name, a, b, axis=axis, axis_to=axis_to)

    def distance(self, name: str, a: Point, b: Point, length: Any = None) -> None:
        """Points keep their distance, `length` or that of the start."""
        self.joint("distance", name, a, b, length=length)

    def planar(self, name: str, a: Point, b: Point, normal: Any, **keys: Any) -> None:
        """Slides in the plane with this normal and turns about it."""
        self.joint("planar", name, a, b, normal=normal, **keys)

    def point_on_line(self, name: str, a: Point, b: Point, axis: Any) -> None:
        """The second point stays on the line through the first along `axis`."""
        self.joint("point_on_line", name, a, b, axis=axis)

    def point_on_plane(self, name: str, a: Point, b: Point, normal: Any) -> None:
        """The second point stays in the plane through the first with this normal."""
        self.joint("point_on_plane", name, a, b, normal=normal)

    def spring(self, name: str, a: Point, b: Point, **keys: Any) -> None:
        """stiffness, length at rest, damping."""
        self.part("spring", name, **{"from": a, "to": b}, **keys)

    def torsion_spring(self, name: str, a: Point, b: Point, **keys: Any) -> None:
        """stiffness, angle at rest, damping, in space axis."""
        self.part("torsion_spring", name, **{"from": a, "to": b}, **keys)

    def damper(self, name: str, a: Point, b: Point, damping: Any) -> None:
        """Against the relative velocity of two points, in all directions."""
        self.part("damper", name, **{"from": a, "to": b}, damping=damping)

    def line_damper(self, name: str, a: Point, b: Point, damping: Any) -> None:
        """Against the rate of the distance of two points."""
        self.part("line_damper", name, **{"from": a, "to": b}, damping=damping)

    def rotational_damper(self, name: str, a: Point, b: Point, damping: Any, axis: Any = None) -> None:
        """Against the relative angular velocity of two bodies, in space about `axis`, or all of it."""
        self.part("rotational_damper", name, **{"from": a, "to": b}, damping=damping, axis=axis)

    def force(self, name: str, on: Union[Point, Coordinates, Sequence[Coordinates]], components: Any,  # type: ignore[override]
              frame: Optional[str] = None) -> None:
        """On a point: components are numbers, formulas of t, or functions: [0, "sin(2*t)", lambda t: np.cos(t)].

        On coordinates: a function f(q, v, ...) with one entry for each."""
        if not isinstance(on, Point):
            self._term("force", name, on, components)
            return
        self.part("force", name, on=on, components=components, frame=None if frame is None else _Word(frame))

    def torque(self, name: str, on: Point, components: Any) -> None:
        """On a body: a number in the plane, three components in space; formulas of t, or functions."""
        self.part("torque", name, on=on, components=components)

    def motor(self, name: str, a: Point, b: Point, torque: Any, axis: Any = None) -> None:
        """The torque is a number, a formula of t or a function."""
        self.part("motor", name, **{"from": a, "to": b}, torque=torque, axis=axis)

    def drive(self, name: str, body: Body, **keys: Any) -> None:
        """position and rotation that the body follows."""
        self.part("drive", name, body=body, **keys)

    def joint_spring(self, name: str, joint: str, stiffness: Any, rest: Any = None, damping: Any = None) -> None:
        """Against the angle or stroke of a joint, over all turns."""
        self.part("joint_spring", name, joint=_Word(joint), stiffness=stiffness, rest=rest, damping=damping)

    def joint_damper(self, name: str, joint: str, damping: Any) -> None:
        """Against the rate of a joint's angle or stroke."""
        self.part("joint_damper", name, joint=_Word(joint), damping=damping)

    def joint_friction(self, name: str, joint: str, friction: Any, creep: Any = None, damping: Any = None) -> None:
        """Dry friction of a torque or force, regularised: what should stick creeps, at rates below `creep`."""
        self.part("joint_friction", name, joint=_Word(joint), friction=friction, creep=creep, damping=damping)

    def joint_limit(self, name: str, joint: str, stiffness: Any, lower: Any = None, upper: Any = None, damping: Any = None) -> None:
        """One-sided springs beyond `lower` and `upper`, which push back and never pull."""
        self.part("joint_limit", name, joint=_Word(joint), stiffness=stiffness, lower=lower, upper=upper, damping=damping)

    def gear(self, name: str, joint: str, follows: str, ratio: Any = None, offset: Any = None) -> None:
        """The coordinate of `joint` is ratio times that of `follows`, and offset; over any number of turns."""
        self.part("gear", name, joint=_Word(joint), follows=_Word(follows), ratio=ratio, offset=offset)

    def joint_drive(self, name: str, joint: str, position: Any) -> None:
        """The joint's coordinate is a number, a formula of t or a function, whatever torque or force it takes: run["motor:NAME"]."""
        self.part("joint_drive", name, joint=_Word(joint), position=position)

    def servo(self, name: str, joint: str, stiffness: Any, damping: Any = None, target: Any = 0, integral: Any = None) -> None:
        """stiffness (target - angle) - damping angle' + integral of (target - angle) times `integral`, the target being a
        number, a formula of t and of inputs, or a function of them."""
        self.part("servo", name, joint=_Word(joint), stiffness=stiffness, damping=damping, target=target, integral=integral)

    def input(self, name: str, value: Any = 0) -> None:
        """A parameter that a program sets between two steps (Stepper.set); targets of servos may depend on it, too."""
        self.parameter(name, value)
        self._inputs.append(name)

    def joint_motor(self, name: str, joint: str, torque: Any) -> None:
        """A torque, or the force of a prismatic joint: a formula of angle, angle', t and parameters, or a function
        (angle, rate, ...) whose further arguments are parameters by name, and t."""
        if callable(torque):
            torque = _Word(self._law(f'{self.name}: joint_motor "{name}"', joint, torque))
        self.part("joint_motor", name, joint=_Word(joint), torque=torque)

    def start_joint(self, joint: str, *, position: Any = None, rate: Any = None) -> None:
        """Where the angle or stroke of a joint starts, and its rate: it is kept, and the bodies follow."""
        said = {key: text(value, key) for key, value in (("position", position), ("rate", rate)) if value is not None}
        self._joints[joint] = {**self._joints.get(joint, {}), **said}
        self._made = None

    # Thermoelastic networks, which do not mix with other parts.

    def thermoelastic_mass(self, name: str, **keys: Any) -> Body:
        """mass, position, velocity."""
        self.part("thermoelastic_mass", name, **keys)
        return Body(name)

    def support(self, name: str, position: Any) -> Body:
        """A place given in time: numbers, formulas of t, or functions."""
        self.part("support", name, position=position)
        return Body(name)

    def thermoelastic_spring(self, name: str, a: Body, b: Body, **keys: Any) -> None:
        """stiffness, length, coupling, capacity, reference, temperature."""
        self.part("thermoelastic_spring", name, **{"from": a, "to": b}, **keys)

    def thermostat(self, spring: str, temperature: Any) -> None:
        """The temperature is a number, a formula of t or a function."""
        self._add("thermostat", [f"spring = {json.dumps(spring)}", f"temperature = {self._toml(temperature, f'{spring}: temperature')}"])

    # ----------------------------------------------------------------------------------------------------------------

    def coordinates(self, *names: str) -> Coordinates:
        """Coordinates of bodies by their names, as "bar.x", for terms by functions."""
        known = self.coordinate_names
        for name in names:
            if name not in known:
                raise InputError(f'{self.name}: unknown coordinate "{name}"; expected one of {", ".join(known[:40])}')
        return Coordinates(self, names)

    def coordinate(self, joint: str) -> Coordinates:
        """The angle or stroke of a joint that has coordinate=True, or a law."""
        return self.coordinates(f"{joint}.{self._measure(joint)}")

    def _measure(self, joint: str) -> str:
        if joint not in self._kinds:
            raise InputError(f'{self.name}: unknown joint "{joint}"; expected one of {", ".join(self._kinds) or "none"}')
        return "stroke" if self._kinds[joint] == "prismatic" else "angle"

    def _law(self, what: str, joint: str, f: Callable[..., Any]) -> str:
        def of_vectors(q: Any, v: Any, **more: Any) -> Any:
            return f(q[0], v[0], **more)

        import inspect

        arguments = list(inspect.signature(f).parameters.values())
        if len(arguments) < 2:
            raise TraceError(f"{place_of(f)}{what}: found {len(arguments)} arguments; expected the angle (or stroke) and its rate first")
        expect_order(arguments, ("the angle (or stroke)", "its rate"), self._known(), f"{place_of(f)}{what}")
        pair = [inspect.Parameter(n, inspect.Parameter.POSITIONAL_ONLY) for n in ("q", "v")]
        rest = [a.replace(kind=inspect.Parameter.KEYWORD_ONLY) for a in arguments[2:]]
        of_vectors.__signature__ = inspect.Signature([*pair, *rest])  # type: ignore[attr-defined]
        of_vectors.__wrapped__ = f  # type: ignore[attr-defined]  # whose lines messages name
        traced = self._trace(of_vectors, 1, True, what)
        if len(traced.rows) != 1:
            raise TraceError(f"{traced.what}: found {len(traced.rows)} numbers; expected one")
        return self._printed(traced, [self._measure(joint)], False)[0]

    def part(self, kind: str, name: str, **keys: Any) -> None:
        """Any part of model files: [[kind]] with its keys. The reader of model files says what is wrong with it."""
        self._add(kind, [f"name = {json.dumps(name)}",
                         *[f"{key} = {self._toml(value, f'{name}: {key}')}" for key, value in keys.items() if value is not None]])

    def _add(self, kind: str, lines: Sequence[str]) -> None:
        self._list.append("\n".join([f"[[{kind}]]", *lines]) + "\n")
        self._made = None

    def _toml(self, value: Any, what: str) -> str:
        if isinstance(value, Point):
            return value.toml()
        if isinstance(value, (bool, np.bool_)):
            return "true" if value else "false"
        if callable(value):
            return json.dumps(self._of_time(value, what))
        if isinstance(value, Mapping):
            return "{ " + ", ".join(f"{key_text(key)} = {self._toml(one, what)}" for key, one in value.items()) + " }"
        if isinstance(value, (list, tuple)) or getattr(value, "ndim", 0) > 0:
            return "[" + ", ".join(self._toml(one, what) for one in value) + "]"
        said = text(value, what)
        if isinstance(value, _Word):
            return json.dumps(said)
        # Counts of elements are no formulas.
        return said if re.fullmatch(r"-?\d+", said) else json.dumps(said)

    def _of_time(self, f: Any, what: str) -> str:
        """A function of t, and of parameters by their names, as a formula."""
        traced = self._trace(f, 0, False, what)
        if len(traced.rows) != 1:
            raise TraceError(f"{traced.what}: found {len(traced.rows)} numbers; expected one")
        rows, shared = traced.formulas([], "part.", self._named_tables(traced))
        if shared:  # functions of time know no definitions: what is named is put in its place
            for name, formula in reversed(shared):
                rows = [row.replace(name, f"({formula})") for row in rows]
        return rows[0]

    def _observers(self) -> List[str]:
        return [*(self._found.observers if self._found is not None else []), *super()._observers()]

    def _taken(self, name: str) -> bool:
        return super()._taken(name) or re.search(rf"\b{name}\b", self._base) is not None

    def _head(self) -> List[str]:
        inputs = [f"inputs = {json.dumps(self._inputs)}"] if self._inputs else []
        gravity = [f"gravity = {self._gravity}"] if self._gravity else []
        return [*super()._head(), f"space = {json.dumps(self.space)}", *gravity, *inputs]

    def _parts(self) -> List[str]:
        return list(self._list)

    def text(self) -> str:
        """The model file."""
        return self._added().text() if self._base else super().text()

    def _whole(self, start: Mapping[str, str] = _nothing, run: Mapping[str, str] = _nothing) -> str:
        if not self._base:
            return super()._whole(start, run)
        file = self._added()
        if start and any(name in start for name in self.coordinate_names):  # all of it
            file.drop("start")
        joints = {**inline(file.entries("start").get("joints", "")), **self._joint_entries()} if self._joints else {}
        said = {**start, **joints_of(joints)}
        for key in said:
            file.drop(f"start.{key}")
        file.put("start", said)
        for keys in (("steps", "step", "until"), ("outputs", "every")):  # of which one says what the others do
            if run and set(keys) <= {*file.entries("run"), *run}:
                file.take("run", next((key for key in keys if key not in run), ""))
        file.put("run", run)
        return file.text()

    def _added(self) -> Sections:
        """The text that is added to, with what is new."""
        file = Sections(self._base)
        if self._gravity:
            file.put("", {"gravity": self._gravity})
        if self._inputs:
            known = file.entries("").get("inputs", "[]")
            file.put("", {"inputs": "[" + ", ".join([*strings(known), *map(json.dumps, self._inputs)]) + "]"})
        for role in self._formulas:
            file.free(role)
        for table in (*self._parts(), *(one for role in self._formulas for one in self._energies(role)), *self._tables):
            file.add(table)
        for header, entries in self._entries().items():
            file.put(header, entries)
        if self._picture:
            file.drop("picture")
            file.add("[picture]\n" + "\n".join(self._picture) + "\n")
        return file

    def __repr__(self) -> str:
        return f"Mechanism {self.name}, {self.space}: {len(self._list) + self._base.count('[[')} parts"


class _Word(str):
    """A word of model files, which is no number."""
