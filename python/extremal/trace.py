"""Functions of users become formulas: they are called once with symbols, which write down what is done with them."""
from __future__ import annotations

import os
import sys
from numbers import Number
from typing import Any, Callable, Dict, Optional, Sequence

import numpy as np

from . import _extremal
from ._extremal import InputError
from .numbers import text

_here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "")
_python = os.path.join(os.path.dirname(os.path.abspath(os.__file__)), "")  # of contextlib, functools, statistics, ...


class TraceError(InputError):
    """What a function did with its arguments and a formula cannot do, at the user's line, and what to do instead."""


def is_users(file: str) -> bool:
    """Whether a file is neither ours nor of Python and its packages."""
    return not file.startswith((_here, _python, "<__array_function__")) and "site-packages" not in file and "dist-packages" not in file


def place() -> str:
    """file:line of the innermost frame that is the user's."""
    frame: Any = sys._getframe(1)
    while frame is not None:
        if is_users(frame.f_code.co_filename):
            return f"{frame.f_code.co_filename}:{frame.f_lineno}: "
        frame = frame.f_back
    return ""


equal = "found == or !=, which numbers that vary hardly ever are; expected < or >; try np.where(np.abs(x - a) < tolerance, ..)"
branch = "; try np.where(x > 0, a, b), np.maximum, np.clip, or a smooth function"
is_number = ("found a symbol where Python wants a number (float(), math.sin, an array of floats); expected numpy's functions; "
          "try np.sin, or np.array([...]) of the entries")


class Symbols:
    """One graph and what was refused while it was made: numpy swallows some exceptions, this does not."""

    def __init__(self, size: int = 0, parameters: Sequence[str] = ()) -> None:
        self.graph = _extremal.Graph()
        self.size = size  # how many coordinates there are
        self.parameters = list(parameters)
        self.tables: Dict[int, Any] = {}  # those that were called, by their handles
        self.refusal: Optional[TraceError] = None
        self.place = ""  # of the function, once it has returned

    def refuse(self, why: str) -> TraceError:
        error = TraceError((self.place or place()) + why)
        if self.refusal is None:
            self.refusal = error
        return error

    def node(self, value: Any) -> int:
        if isinstance(value, Condition):
            raise self.refuse("found a condition where a number is needed; expected np.where(condition, a, b)")
        if isinstance(value, Expression):
            if value.symbols is not self:
                raise self.refuse("found a symbol of another function; expected those of this call only")
            return value.node
        if isinstance(value, np.ndarray) and value.ndim == 0:
            return self.node(value.item())
        if isinstance(value, (complex, np.complexfloating)):
            raise self.refuse("found a complex number; expected real ones")
        try:
            return self.graph.constant(text(value))
        except InputError as error:
            raise self.refuse(f"{error}; a formula has numbers and symbols only") from None

    def wrap(self, node: int) -> "Expression":
        return Expression(self, node)

    def formula(self, node: int) -> str:
        """For people who print what they compute."""
        names = [f"{mark}[{i}]" for mark in "qv" for i in range(self.size)]
        tables = {handle: "table" for handle in self.tables}
        (row,), shared = self.graph.formulas([node], names[:self.size], names[self.size:], self.parameters, "part", tables)
        return row + "".join(f", {name} = {formula}" for name, formula in shared)


def _binary(operation: str, swap: bool = False) -> Callable[[Any, Any], Any]:
    def apply(self: "Expression", other: Any) -> Any:
        if isinstance(other, (np.ndarray, list, tuple)) and np.ndim(other) > 0:
            return NotImplemented
        s = self.symbols
        a, b = self.node, s.node(other)
        if swap:
            a, b = b, a
        return s.wrap(getattr(s.graph, operation)(a, b))

    return apply


def _refused(why: str) -> Callable[..., Any]:
    def refuse(self: "Expression", *_: Any) -> Any:
        raise self.symbols.refuse(why)

    return refuse


class Expression:
    """A symbol or what was made of symbols."""

    __slots__ = ("symbols", "node")
    __array_priority__ = 1000.0
    shape, ndim, size = (), 0, 1  # as numpy's numbers have them
    imag = 0.0

    def __init__(self, symbols: Symbols, node: int) -> None:
        self.symbols = symbols
        self.node = node

    __add__ = _binary("add")
    __radd__ = _binary("add", True)
    __sub__ = _binary("subtract")
    __rsub__ = _binary("subtract", True)
    __mul__ = _binary("multiply")
    __rmul__ = _binary("multiply", True)
    __truediv__ = _binary("divide")
    __rtruediv__ = _binary("divide", True)
    __pow__ = _binary("power")
    __rpow__ = _binary("power", True)
    __eq__ = _refused(equal)
    __ne__ = _refused(equal)
    __hash__ = _refused("found a symbol as a key (of a dict, a set, a cache as functools.lru_cache); expected formulas only")
    __bool__ = _refused("found a symbol where True or False is needed (if, and, max); expected a formula: a term's function is called "
                        "once, with symbols, and cannot choose" + branch)
    __float__ = _refused(is_number)
    __int__ = _refused(is_number)
    __complex__ = _refused(is_number)
    __index__ = _refused("found a symbol as an index or a count; expected a whole number that is known")
    __round__ = _refused("found round(); expected a smooth function")
    __floor__ = _refused("found floor(); expected a smooth function")
    __ceil__ = _refused("found ceil(); expected a smooth function")
    __trunc__ = _refused("found int(); expected a smooth function")
    __floordiv__ = __rfloordiv__ = _refused("found //; expected np.floor(x / y)")
    __divmod__ = __rdivmod__ = _refused("found divmod(); expected np.floor or %")

    def __lt__(self, other: Any) -> Any:
        return compared(self, other, "less")

    def __le__(self, other: Any) -> Any:
        return compared(self, other, "less_equal")

    def __gt__(self, other: Any) -> Any:
        return compared(self, other, "greater")

    def __ge__(self, other: Any) -> Any:
        return compared(self, other, "greater_equal")

    def __mod__(self, other: Any) -> Any:
        return NotImplemented if isinstance(other, np.ndarray) else self.apply("mod", other)

    def __rmod__(self, other: Any) -> Any:
        return self.symbols.wrap(self.symbols.node(other)).apply("mod", self)

    def __neg__(self) -> "Expression":
        return self.symbols.wrap(self.symbols.graph.negate(self.node))

    def __pos__(self) -> "Expression":
        return self

    def __abs__(self) -> "Expression":
        return self.apply("abs")

    @property
    def real(self) -> "Expression":
        return self

    def item(self) -> "Expression":
        return self

    conjugate = conj = copy = __copy__ = item

    def __deepcopy__(self, _: Any) -> "Expression":
        return self

    def apply(self, name: str, other: Any = None) -> "Expression":
        """A function of formulas, of this and perhaps of another number."""
        second = -1 if other is None else self.symbols.node(other)
        return self.symbols.wrap(self.symbols.graph.apply(name, self.node, second))

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        from .arrays import ufunc_of

        return ufunc_of(self.symbols, ufunc, method, inputs, kwargs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        from .functions import function_of

        return function_of(self.symbols, function, args, kwargs)

    def __format__(self, form: str) -> str:
        if form:
            raise self.symbols.refuse(f'found a symbol where "{form}" writes a number; expected no texts; print(q[0]) shows a formula')
        return repr(self)

    def __repr__(self) -> str:
        return f"<{self.symbols.formula(self.node)}>"


Number.register(Expression)  # np.isscalar asks this


class Condition(Expression):
    """What a comparison gives: good for np.where, &, | and ~ only."""

    __slots__ = ()

    def __and__(self, other: Any) -> Any:
        return logical(self.symbols, "logical_and", self, other)

    def __or__(self, other: Any) -> Any:
        return logical(self.symbols, "logical_or", self, other)

    def __invert__(self) -> Any:
        return logical(self.symbols, "logical_not", self)

    __rand__, __ror__ = __and__, __or__


for _operator in ("add", "sub", "mul", "truediv", "pow"):
    for _side in ("", "r"):
        setattr(Condition, f"__{_side}{_operator}__",
                _refused("found a condition where a number is needed; expected np.where(condition, a, b)"))


def compared(a: Any, b: Any, name: str) -> Any:
    if isinstance(b, np.ndarray) and b.ndim > 0:
        return NotImplemented
    s = (a if isinstance(a, Expression) else b).symbols
    x, y = s.node(a), s.node(b)
    if name in ("greater", "less_equal"):
        x, y = y, x
    less = s.graph.apply("less", x, y)
    return Condition(s, less if name in ("less", "greater") else s.graph.subtract(s.graph.constant("1"), less))


def logical(s: Symbols, name: str, *conditions: Any) -> Any:
    g, nodes = s.graph, []
    for condition in conditions:
        if isinstance(condition, (bool, np.bool_)):
            nodes.append(g.constant("1" if condition else "0"))
        elif isinstance(condition, Condition):
            nodes.append(condition.node)
        else:
            raise s.refuse(f"found {name} of what is no condition; expected comparisons, as (x > 0) & (y < 1)")
    if name in ("logical_not", "invert"):
        return Condition(s, g.subtract(g.constant("1"), nodes[0]))
    product = g.multiply(*nodes)
    return Condition(s, product if name in ("logical_and", "bitwise_and") else g.subtract(g.add(*nodes), product))


def chosen(s: Symbols, condition: Any, a: Any, b: Any) -> Any:
    if isinstance(condition, (bool, np.bool_)):
        return a if condition else b
    if not isinstance(condition, Condition):
        raise s.refuse("found np.where of what is no condition; expected a comparison, as np.where(x > 0, a, b)")
    g = s.graph
    return s.wrap(g.add(g.apply("when", condition.node, s.node(a)), g.apply("unless", condition.node, s.node(b))))
