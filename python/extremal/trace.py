"""Functions of users become formulas: they are called once with symbols, which write down what is done with them."""
from __future__ import annotations

import inspect
import os
import sys
import warnings
from typing import Any, Callable, Dict, List, Optional, Sequence

import numpy as np

from . import _extremal
from ._extremal import InputError
from .numbers import text

_here = os.path.dirname(os.path.abspath(__file__))
_numpy = os.path.dirname(os.path.abspath(np.__file__))


class TraceError(InputError):
    """What a function did with its arguments and a formula cannot do, at the user's line, and what to do instead."""


def _place() -> str:
    """file:line of the innermost frame that is the user's."""
    frame: Any = sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_filename
        if not name.startswith((_here, _numpy)) and not name.startswith("<__array_function__"):
            return f"{name}:{frame.f_lineno}: "
        frame = frame.f_back
    return ""


_compare = "found a comparison; expected a formula: a term's function is called once, with symbols, and has no branches"
_branch = "; try a smooth function, or two terms"
_float = ("found a symbol where Python wants a number (float(), math.sin, an array of floats); expected numpy's functions; "
          "try np.sin, or np.array([...]) of the entries")


class Symbols:
    """One graph and what was refused while it was made: numpy swallows some exceptions, this does not."""

    def __init__(self) -> None:
        self.graph = _extremal.Graph()
        self.refusal: Optional[TraceError] = None

    def refuse(self, why: str) -> TraceError:
        error = TraceError(_place() + why)
        if self.refusal is None:
            self.refusal = error
        return error

    def node(self, value: Any) -> int:
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
    __hash__ = None  # type: ignore[assignment]

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
    __eq__ = _refused(_compare + _branch)
    __ne__ = _refused(_compare + _branch)
    __lt__ = _refused(_compare + _branch)
    __le__ = _refused(_compare + _branch)
    __gt__ = _refused(_compare + _branch)
    __ge__ = _refused(_compare + _branch)
    __bool__ = _refused("found a symbol where True or False is needed (if, and, max, np.where); expected a formula, which has no "
                        "branches" + _branch)
    __float__ = _refused(_float)
    __int__ = _refused(_float)
    __complex__ = _refused(_float)
    __index__ = _refused("found a symbol as an index or a count; expected a whole number that is known")
    __round__ = _refused("found round(); expected a smooth function")
    __floor__ = _refused("found floor(); expected a smooth function")
    __ceil__ = _refused("found ceil(); expected a smooth function")
    __trunc__ = _refused("found int(); expected a smooth function")
    __floordiv__ = __rfloordiv__ = _refused("found //; expected a smooth function")
    __mod__ = __rmod__ = __divmod__ = __rdivmod__ = _refused("found %; expected a smooth function")

    def __neg__(self) -> "Expression":
        return self.symbols.wrap(self.symbols.graph.negate(self.node))

    def __pos__(self) -> "Expression":
        return self

    def __abs__(self) -> "Expression":
        return self.apply("abs")

    def conjugate(self) -> "Expression":
        return self

    def apply(self, name: str) -> "Expression":
        return self.symbols.wrap(self.symbols.graph.apply(name, self.node, -1))

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return _ufunc(self.symbols, ufunc, method, inputs, kwargs)

    def __repr__(self) -> str:
        return "<symbol>"


# numpy calls sin() of the elements of an array of objects.
_methods = {"sqrt": "sqrt", "sin": "sin", "cos": "cos", "tan": "tan", "arcsin": "asin", "arccos": "acos", "arctan": "atan",
            "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "exp": "exp", "log": "log", "fabs": "abs", "absolute": "abs"}
for _name, _formula in _methods.items():
    if _name != "absolute":
        setattr(Expression, _name, lambda self, formula=_formula: self.apply(formula))
Expression.arctan2 = lambda self, other: _element(self.symbols, "arctan2")(self, other)  # type: ignore[attr-defined]
Expression.hypot = lambda self, other: _element(self.symbols, "hypot")(self, other)  # type: ignore[attr-defined]

_plain: Dict[str, Callable[..., Any]] = {"add": lambda a, b: a + b, "subtract": lambda a, b: a - b, "multiply": lambda a, b: a * b,
          "divide": lambda a, b: a / b, "true_divide": lambda a, b: a / b, "power": lambda a, b: a**b,
          "float_power": lambda a, b: a**b, "negative": lambda a: -a, "positive": lambda a: a, "conjugate": lambda a: a,
          "square": lambda a: a * a, "reciprocal": lambda a: 1 / a, "exp2": lambda a: 2**a,
          "log2": lambda a: a.log() / np.log(2.0), "log10": lambda a: a.log() / np.log(10.0),
          "log1p": lambda a: (1 + a).log(), "expm1": lambda a: a.exp() - 1, "cbrt": lambda a: a ** text_third,
          "deg2rad": lambda a: a * (np.pi / 180), "radians": lambda a: a * (np.pi / 180),
          "rad2deg": lambda a: a * (180 / np.pi), "degrees": lambda a: a * (180 / np.pi),
          "arcsinh": lambda a: (a + (a * a + 1).sqrt()).log(), "hypot": lambda a, b: (a * a + b * b).sqrt()}
_comparisons = {"equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "maximum", "minimum", "fmax", "fmin",
                "sign", "heaviside", "logical_and", "logical_or", "logical_not", "isnan", "isfinite", "isinf", "signbit"}
text_third = "1/3"


def _element(symbols: Symbols, name: str) -> Callable[..., Any]:
    """What a function of numpy does with single entries, of which some are symbols."""

    def apply(*values: Any) -> Any:
        if not any(isinstance(value, Expression) for value in values):
            return getattr(np, name)(*values)
        entries = [symbols.wrap(symbols.node(value)) for value in values]
        if name in _methods:
            return entries[0].apply(_methods[name])
        if name == "arctan2":
            return symbols.wrap(symbols.graph.apply("atan2", entries[0].node, entries[1].node))
        return _plain[name](*entries)

    return apply


def _stripped(values: Sequence[Any]) -> List[Any]:
    return [value.view(np.ndarray) if isinstance(value, Symbolic) else value for value in values]


def _boxed(values: Sequence[Any]) -> List[Any]:
    out = []
    for value in values:
        if isinstance(value, Expression):
            box = np.empty((), dtype=object)
            box[()] = value
            value = box
        elif not isinstance(value, np.ndarray):
            value = np.asarray(value, dtype=object)
        out.append(value)
    return out


def _result(value: Any) -> Any:
    if isinstance(value, np.ndarray) and value.dtype == object:
        return value[()] if value.ndim == 0 else value.view(Symbolic)
    return value


def _ufunc(symbols: Symbols, ufunc: Any, method: str, inputs: Sequence[Any], kwargs: Dict[str, Any]) -> Any:
    name = ufunc.__name__
    out = kwargs.pop("out", ())
    if any(isinstance(value, np.ndarray) and not value.flags.writeable for value in out):
        raise symbols.refuse("found an assignment to q or v (q[0] = .., q += ..); expected new values; try q = q + ..")
    if out and any(value.dtype != object for value in out):
        raise symbols.refuse(_float)
    if name in _comparisons:
        raise symbols.refuse(f"found np.{name}; expected a formula, which has no comparisons and no branches" + _branch)
    if kwargs.pop("where", True) is not True:
        raise symbols.refuse("found where=; expected a formula, which has no branches" + _branch)
    if name not in _plain and name not in _methods and name not in ("matmul", "arctan2"):
        known = ", ".join(sorted(_methods))
        raise symbols.refuse(f"found np.{name}; expected a function of formulas: {known}, arctan2, hypot, square")
    arrays = _stripped(inputs)
    if method == "__call__" and name != "matmul":
        value = np.frompyfunc(_element(symbols, name), len(inputs), 1)(*_boxed(arrays))
    else:
        value = getattr(ufunc, method)(*[np.asarray(array, dtype=object) for array in arrays[:1]],
                                       *([np.asarray(arrays[1], dtype=object)] if method == "__call__" else arrays[1:]), **kwargs)
    if out:
        out[0][...] = value
        return out[0]
    return _result(value)


def _einsum(subscripts: Any, *operands: Any) -> Any:
    """np.einsum of symbols, which numpy itself has from 1.25 on."""
    left, _, right = subscripts.replace(" ", "").partition("->")
    parts = left.split(",")
    if "->" not in subscripts:
        right = "".join(sorted(letter for letter in set(left) - {","} if left.count(letter) == 1))
    arrays = [np.asarray(operand, dtype=object) for operand in operands]
    sizes = {letter: array.shape[k] for part, array in zip(parts, arrays) for k, letter in enumerate(part)}
    summed = [letter for letter in sizes if letter not in right]
    out = np.zeros([sizes[letter] for letter in right], dtype=object)
    for at in np.ndindex(*out.shape):
        for inner in np.ndindex(*[sizes[letter] for letter in summed]):
            index = {**dict(zip(right, at)), **dict(zip(summed, inner))}
            product: Any = 1
            for part, array in zip(parts, arrays):
                product = product * array[tuple(index[letter] for letter in part)]
            out[at] = out[at] + product
    return _result(out)


_refused_functions = {"where", "piecewise", "select", "interp", "clip", "sort", "argmax", "argmin", "argsort", "amax", "amin", "max", "min",
                      "round", "around", "floor", "ceil", "unique", "searchsorted", "allclose", "isclose", "array_equal", "any",
                      "all", "nonzero", "fix", "median", "heaviside"}


def _function(symbols: Symbols, function: Any, args: Any, kwargs: Any) -> Any:
    name = function.__name__
    if name in _refused_functions:
        raise symbols.refuse(f"found np.{name}; expected a formula, which has no comparisons and no branches" + _branch)
    if name in ("inv", "det", "solve", "eig", "eigh", "svd", "qr", "lstsq"):
        raise symbols.refuse(f"found np.linalg.{name}; expected a formula; try the entries of its result, written down")
    if name == "einsum":
        return _einsum(args[0], *_stripped(args[1:]))

    def strip(value: Any) -> Any:
        if isinstance(value, Symbolic):
            return value.view(np.ndarray)
        if isinstance(value, (list, tuple)):
            return type(value)(strip(one) for one in value)
        return value

    return _result(function(*[strip(value) for value in args], **{key: strip(value) for key, value in kwargs.items()}))


class Symbolic(np.ndarray):
    """An array of symbols."""

    def _symbols(self) -> Symbols:
        return _owner((self,))

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return _ufunc(_owner((*inputs, *kwargs.get("out", ()))), ufunc, method, inputs, kwargs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return _function(_owner((self,)), function, args, kwargs)

    def __setitem__(self, key: Any, value: Any) -> None:
        if not self.flags.writeable:
            raise self._symbols().refuse("found an assignment to q or v; expected new values; try q = np.array([...])")
        super().__setitem__(key, value)

    def __bool__(self) -> bool:
        raise self._symbols().refuse("found an array where True or False is needed; expected a formula" + _branch)

    def max(self, *_: Any, **__: Any) -> Any:  # type: ignore[override]
        raise self._symbols().refuse("found max(); expected a formula, which has no comparisons" + _branch)

    min = argmax = argmin = sort = clip = round = max  # type: ignore[assignment]

    def astype(self, dtype: Any, *args: Any, **kwargs: Any) -> Any:  # type: ignore[override]
        if np.dtype(dtype) != object:
            raise self._symbols().refuse(_float)
        return super().astype(dtype, *args, **kwargs)


def _owner(values: Sequence[Any]) -> Symbols:
    for value in values:
        if isinstance(value, Expression):
            return value.symbols
        if isinstance(value, np.ndarray) and value.dtype == object:
            for entry in value.flat:
                if isinstance(entry, Expression):
                    return entry.symbols
    return Symbols()


def array(nodes: Sequence[Expression]) -> Symbolic:
    """An array that its function cannot change."""
    out = np.empty(len(nodes), dtype=object)
    for i, node in enumerate(nodes):
        out[i] = node
    out.setflags(write=False)
    return out.view(Symbolic)


def rest_of(f: Callable[..., Any], taken: int, parameters: Sequence[str], what: str) -> List[str]:
    """The names of the arguments after q (and v): parameters, or t for time."""
    try:
        arguments = list(inspect.signature(f).parameters.values())
    except (TypeError, ValueError):
        raise TraceError(f"{what}: found {f!r}; expected a function, as lambda q: ...") from None
    positional = [a for a in arguments if a.kind in (a.POSITIONAL_ONLY, a.POSITIONAL_OR_KEYWORD)]
    line = getattr(getattr(f, "__code__", None), "co_firstlineno", 0)
    place = f"{f.__code__.co_filename}:{line}: " if line else ""
    if len(positional) < taken:
        raise TraceError(f"{place}{what}: found {len(positional)} arguments; expected {'q and v' if taken == 2 else 'q'} first")
    names = []
    for argument in positional[taken:] + [a for a in arguments if a.kind == a.KEYWORD_ONLY]:
        if argument.name in parameters or argument.name == "t":
            names.append(argument.name)
        elif argument.default is argument.empty:
            known = ", ".join([*parameters, "t"])
            raise TraceError(f'{place}{what}: found the argument "{argument.name}"; expected a parameter of the system or t: {known}')
    return names


def called(symbols: Symbols, f: Callable[..., Any], arguments: Sequence[Any], named: Dict[str, Any], what: str) -> Any:
    """The function's result, or the first thing it did that a formula cannot do."""
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("error", message="elementwise", category=DeprecationWarning)
            warnings.filterwarnings("error", message="elementwise", category=FutureWarning)
            value = f(*arguments, **named)
    except TraceError:
        raise
    except Exception as error:
        if symbols.refusal is not None:
            raise symbols.refusal from None
        line, inner = "", error.__traceback__
        while inner is not None and not inner.tb_frame.f_code.co_filename.startswith((_numpy, "<__array_function__")):
            if not inner.tb_frame.f_code.co_filename.startswith(_here):
                line = f"{inner.tb_frame.f_code.co_filename}:{inner.tb_lineno}: "
            inner = inner.tb_next
        if inner is None:
            raise
        raise TraceError(f"{line}found what numpy cannot do with symbols ({error}); expected a function of formulas") from error
    if symbols.refusal is not None:
        raise symbols.refusal
    return value


def rows_of(symbols: Symbols, value: Any, what: str) -> List[int]:
    """One node per number that a function returned."""
    if value is None:
        raise TraceError(f"{what}: found no result; expected a number, or a list of them; try return")
    if isinstance(value, (list, tuple, np.ndarray)):
        entries: Any = [value[()]] if isinstance(value, np.ndarray) and value.ndim == 0 else value
        return [node for entry in entries for node in rows_of(symbols, entry, what)]
    return [symbols.node(value)]


def formula(graph: _extremal.Graph, root: int, leaf: Callable[[str, int], str], limit: int = 20000) -> str:
    """A node as text; InputError if it is longer than the limit, as text has no common subexpressions."""
    done: Dict[int, str] = {}
    stack = [root]
    while stack:
        n = stack[-1]
        kind, a, b = graph.node(n)
        if n in done:
            stack.pop()
        elif kind in ("constant", "parameter", "coordinate", "velocity", "t"):
            done[n] = (f"({a})" if a[0] == "-" or "e" in a else a) if kind == "constant" else leaf(kind, a)
        else:
            need = [x for x in (a, b) if x >= 0 and x not in done]
            if need:
                stack.extend(need)
                continue
            x, y = done[a], done[b] if b >= 0 else ""
            if kind in "+-*/^":
                done[n] = f"({x}{kind}{y})" if kind in "*/^" else f"({x} {kind} {y})"
            elif kind == "negate":
                done[n] = f"(-{x})"
            elif kind == "inverse":
                done[n] = f"(1/{x})"
            else:
                done[n] = f"{kind}({x}, {y})" if y else f"{kind}({x})"
            if len(done[n]) > limit:
                raise InputError(f"a formula of more than {limit} characters; expected less; try several terms")
    return done[root]
