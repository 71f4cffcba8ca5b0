"""A function that is called once with symbols: what it becomes, and what it must not do."""
from __future__ import annotations

import inspect
import warnings
from functools import partial
from typing import Any, Callable, Dict, Iterable, List, Sequence, Tuple

import numpy as np

from . import _extremal
from ._extremal import InputError
from .arrays import array_of, natural, objects
from .numbers import text
from .trace import Symbols, TraceError, is_users, place


def rest_of(f: Callable[..., Any], taken: int, parameters: Dict[str, str], what: str) -> List[str]:
    """The names of the arguments after q (and v): parameters, or t for time."""
    where = place_of(f)
    try:
        arguments = list(inspect.signature(f).parameters.values())
    except (TypeError, ValueError):
        raise TraceError(f"{where}{what}: found {f!r}; expected a function with arguments that can be seen; try lambda q: f(q)") from None
    positional = [a for a in arguments if a.kind in (a.POSITIONAL_ONLY, a.POSITIONAL_OR_KEYWORD)]
    if len(positional) < taken:
        raise TraceError(f"{where}{what}: found {len(positional)} arguments; expected {'q and v' if taken == 2 else 'q'} first")
    expect_order(positional, ("q", "v")[:taken], parameters, f"{where}{what}")
    names = []
    for argument in positional[taken:] + [a for a in arguments if a.kind == a.KEYWORD_ONLY]:
        if argument.name in parameters:
            if argument.default is not argument.empty and _differ(argument.default, parameters[argument.name]):
                raise TraceError(f"{where}{what}: found {argument.name} = {argument.default!r} in the function, and a parameter "
                                 f"{argument.name} = {parameters[argument.name]}; expected one of them; try another name for the argument, "
                                 "or none behind it")
            names.append(argument.name)
        elif argument.name == "t":
            names.append(argument.name)
        elif argument.default is argument.empty:
            known = ", ".join([*parameters, "t"])
            raise TraceError(f'{where}{what}: found the argument "{argument.name}"; expected a parameter of the system or t: {known}')
    return names


def expect_order(positional: Sequence[inspect.Parameter], first: Sequence[str], parameters: Iterable[str], what: str) -> None:
    """Refuses what was meant by its name and would be taken by its place: lambda q, k: -k*q of a force, which forgot v."""
    for k, (argument, word) in enumerate(zip(positional, first)):
        name = argument.name
        if name in ((word,), (word, "v", "p"))[k]:
            continue
        if name == "t" or name in parameters or name == ("v", "q")[k] or (k == 1 and argument.default is not argument.empty):
            wanted = " and ".join(first)
            more = [word, name] if name != ("v", "q")[k] else [word]
            raise TraceError(f'{what}: found the argument "{name}" in the place of {word}; expected {wanted} first, then parameters by their '
                             f"names, and t; try lambda {', '.join([*first[:k], *more])}: ..")


def _differ(default: Any, parameter: str) -> bool:
    """Whether a default is another number than the parameter."""
    try:
        said = text(default)
        return said != parameter and _extremal.number(said) != _extremal.number(parameter)
    except InputError:
        return True


def called(symbols: Symbols, f: Callable[..., Any], arguments: Sequence[Any], named: Dict[str, Any],
           with_numbers: Callable[[], object]) -> Any:
    """The function's result, or the first thing it did that a formula cannot do."""
    try:
        with warnings.catch_warnings(), natural():
            warnings.filterwarnings("error", message="elementwise", category=DeprecationWarning)
            warnings.filterwarnings("error", message="elementwise", category=FutureWarning)
            value = f(*arguments, **named)
    except TraceError:
        raise
    except Exception as error:
        if symbols.refusal is not None:
            raise symbols.refusal from None
        try:
            with_numbers()
        except Exception as own:  # a mistake of the function itself
            raise own from None
        said = str(error) if isinstance(error, InputError) else f"found what symbols cannot do ({error}); expected numpy's functions of arrays"
        raise TraceError(f"{_line(error)}{said}") from error
    if symbols.refusal is not None:
        raise symbols.refusal
    symbols.place = place_of(f)
    return value


def _line(error: Exception) -> str:
    """file:line: where the function was when this came up."""
    line, inner = "", error.__traceback__
    while inner is not None:
        code = inner.tb_frame.f_code
        if is_users(code.co_filename):
            line = f"{code.co_filename}:{inner.tb_lineno}: "
        inner = inner.tb_next
    return line


def rows_of(symbols: Symbols, value: Any, what: str) -> List[int]:
    """One node per number that a function returned."""
    if value is None:
        raise TraceError(f"{what}: found no result; expected a number, or a list of them; try return")
    if isinstance(value, np.ndarray):
        return [symbols.node(entry) for entry in objects(value).ravel().tolist()]
    if isinstance(value, (list, tuple)):
        return [node for entry in value for node in rows_of(symbols, entry, what)]
    return [symbols.node(value)]


_Nothing = object()


class Captured:
    """What a function found outside of its arguments when it was traced, and a number that it gave then."""

    def __init__(self, f: Callable[..., Any], what: str) -> None:
        self.what = what
        self.values: Dict[str, Any] = {}
        self.again: Callable[[], bool] = lambda: True  # whether it gives the same now
        self._current: Dict[str, Callable[[], Any]] = {}
        f = inspect.unwrap(f)
        code = getattr(f, "__code__", None)
        if code is None:
            return
        outside = getattr(f, "__globals__", {})
        for name in code.co_names:
            if name in outside:
                self._keep(name, partial(outside.get, name, _Nothing))
        for name, cell in zip(code.co_freevars, f.__closure__ or ()):  # type: ignore[attr-defined]
            self._keep(name, partial(_content, cell))

    def _keep(self, name: str, current: Callable[[], Any]) -> None:
        value = current()
        if value is not _Nothing and not inspect.ismodule(value):
            self.values[name] = value.copy() if _numbers(value) and isinstance(value, np.ndarray) else value
            self._current[name] = current

    def changed(self) -> List[str]:
        """Those that have another value now."""
        return [name for name, value in self.values.items() if not _same(value, self._current[name]())]


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # a variable that has no value yet
        return _Nothing


def _numbers(value: Any) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating)) or (isinstance(value, np.ndarray) and value.dtype.kind in "if")


def _same(a: Any, b: Any) -> bool:
    return a is b or (_numbers(a) and _numbers(b) and np.array_equal(a, b))


def warn_of_changes(all_captured: Sequence[Captured]) -> None:
    """What has changed outside of a function since it was traced is told, unless several functions saw several values: a loop."""
    seen: Dict[str, List[Any]] = {}
    for one in all_captured:
        for name, value in one.values.items():
            seen.setdefault(name, []).append(value)
    for one in all_captured:
        changed = one.changed()
        for name in changed:
            if all(_same(value, seen[name][0]) for value in seen[name]) and name in one.values:
                was = f"{name} was {one.values[name]}" if _numbers(one.values[name]) else f"{name} was something else"
                warnings.warn(f"{one.what}: {was} when the function was traced, and what it is now changes nothing; try a parameter",
                              stacklevel=4)
                del one.values[name]
        if not changed and not one.again():
            warnings.warn(f"{one.what}: the function gives other numbers now than when it was traced, which changes nothing; try a parameter",
                          stacklevel=4)
            one.again = lambda: True  # told once


def place_of(f: Any) -> str:
    """file:line: of a function."""
    f = f.func if isinstance(f, partial) else f
    code = getattr(inspect.unwrap(f), "__code__", None) if callable(f) else None
    return f"{code.co_filename}:{code.co_firstlineno}: " if code is not None and is_users(code.co_filename) else place()


class Traced:
    """A function that was called with symbols, and compared with itself called with numbers."""

    def __init__(self, f: Callable[..., Any], size: int, moving: bool, parameters: Dict[str, str], what: str) -> None:
        if not callable(f):
            raise TraceError(f"{place()}{what}: found {type(f).__name__}; expected a function, as lambda q: ...")
        self.f, self.size, self.moving, self.what = f, size, moving, f"{place_of(f)}{what}"
        self.parameters = list(parameters)
        taken = (1 if size else 0) + (1 if moving else 0)
        self.more = rest_of(f, taken, parameters, what)
        self._random = np.random.default_rng(1)
        self._values = {n: _value(said, self._random) for n, said in parameters.items()}
        symbols = Symbols(size, self.parameters)
        g = self.graph = symbols.graph
        self.tables = symbols.tables
        arguments = [array_of([symbols.wrap(g.coordinate(i)) for i in range(size)])] if size else []
        if moving:
            arguments.append(array_of([symbols.wrap(g.velocity(i)) for i in range(size)]))
        values = {n: symbols.wrap(g.time() if n == "t" else g.parameter(self.parameters.index(n))) for n in self.more}
        value = called(symbols, f, arguments, values, lambda: self._numbers(*self._drawn(0.1)[:2]))
        self.rows = rows_of(symbols, value, self.what)
        self.captured = Captured(f, self.what)
        self._compare()

    def _drawn(self, low: float) -> Tuple[List[np.ndarray], Dict[str, float], float]:
        """Numbers for q (and v), for the other arguments, and the time."""
        t = float(self._random.uniform(0, 1))
        given = [self._random.uniform(low, 1, self.size) for _ in range((1 if self.size else 0) + (1 if self.moving else 0))]
        return given, {n: t if n == "t" else self._values[n] for n in self.more}, t

    def _compare(self) -> None:
        for low in (0.1, -1.0, -1.0):
            given, named, t = self._drawn(low)
            found = self._numbers(given, named)
            q, v = ([list(x) for x in given] + [[], []])[:2] if self.size else ([], [])
            expected = np.array(self.graph.evaluate(self.rows, q, v, t, list(self._values.values())))
            self.captured.again = partial(self._again, given, named, found)
            fine = [np.isfinite(found), np.isfinite(expected)]
            if (found.shape != expected.shape or not np.array_equal(*fine)
                    or not np.allclose(found[fine[0]], expected[fine[0]], 1e-9, 1e-12)):
                raise TraceError(f"{self.what}: called with numbers the function gives {found}, and {expected} as it was traced; "
                                 "expected a function of its arguments; does it change something, draw random numbers, or ask for types?")

    def _numbers(self, given: Sequence[np.ndarray], named: Dict[str, float]) -> np.ndarray:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return np.ravel(np.array(self.f(*[x.copy() for x in given], **named), dtype=float))

    def _again(self, given: Sequence[np.ndarray], named: Dict[str, float], before: np.ndarray) -> bool:
        try:
            return np.array_equal(self._numbers(given, named), before, equal_nan=True)
        except Exception:
            return False

    def formulas(self, names: Sequence[str], prefix: str, tables: Dict[int, str], momenta: bool = False) -> Any:
        """Texts of the rows, and (name, formula) of what they share; names as formulas have them, also of tables."""
        rates = [f"p.{name}" if momenta else f"{name}'" for name in names]
        return self.graph.formulas(self.rows, list(names), rates, self.parameters, prefix, tables)


def _value(said: str, random: Any) -> float:
    """A parameter as a number; any number for a formula of others, which the library reads."""
    try:
        return _extremal.number(said)
    except InputError:
        return float(random.uniform(0.5, 1))
