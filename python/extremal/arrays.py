"""Arrays of symbols, and what the ufuncs of numpy do with them."""
from __future__ import annotations

import threading
from contextlib import contextmanager
from functools import wraps
from typing import Any, Callable, Dict, Iterator, List, Sequence

import numpy as np
from numpy import asarray  # that of numpy, also while a function is traced

from .elements import element, is_known, known
from .trace import Expression, Symbols, branch, equal, is_number


class Symbolic(np.ndarray):
    """An array of symbols."""

    def _symbols(self) -> Symbols:
        return owner((self,))

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return ufunc_of(owner((*inputs, *kwargs.get("out", ()))), ufunc, method, inputs, kwargs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        from .functions import function_of

        return function_of(self._symbols(), function, args, kwargs)

    def __getitem__(self, key: Any) -> Any:
        keys = key if isinstance(key, tuple) else (key,)
        if any(isinstance(one, Expression) or (isinstance(one, np.ndarray) and one.dtype == object) for one in keys):
            raise self._symbols().refuse("found a symbol or a condition as an index (q[q > 0]); expected whole numbers" + branch)
        return super().__getitem__(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        if not self.flags.writeable:
            raise self._symbols().refuse("found an assignment to q or v; expected new values; try q = np.array([...])")
        super().__setitem__(key, value)

    def __bool__(self) -> bool:
        raise self._symbols().refuse("found an array where True or False is needed; expected a formula" + branch)

    def argmax(self, *_: Any, **__: Any) -> Any:  # type: ignore[override]
        raise self._symbols().refuse("found a choice among entries; expected what a formula can say" + branch)

    argmin = argsort = sort = partition = round = argmax  # type: ignore[assignment]

    def max(self, axis: Any = None, **keys: Any) -> Any:  # type: ignore[override]
        return np.max(self, axis, **keys)

    def min(self, axis: Any = None, **keys: Any) -> Any:  # type: ignore[override]
        return np.min(self, axis, **keys)

    def ptp(self, axis: Any = None, **keys: Any) -> Any:  # type: ignore[override]
        return np.max(self, axis, **keys) - np.min(self, axis, **keys)

    def clip(self, min: Any = None, max: Any = None) -> Any:  # type: ignore[override] # noqa: A002
        return np.clip(self, min, max)

    def astype(self, dtype: Any, *args: Any, **kwargs: Any) -> Any:  # type: ignore[override]
        if np.dtype(dtype) != object:
            raise self._symbols().refuse(is_number)
        return super().astype(dtype, *args, **kwargs)


def owner(values: Sequence[Any]) -> Symbols:
    """The symbols of the first that has some."""
    for value in values:
        if isinstance(value, Expression):
            return value.symbols
        if isinstance(value, np.ndarray) and value.dtype == object:
            for entry in value.flat:
                if isinstance(entry, Expression):
                    return entry.symbols
    return Symbols()


def plain(value: Any) -> Any:
    """For numpy's own code, which must not ask us again: an array of objects, also of a single symbol."""
    if isinstance(value, Symbolic):
        return value.view(np.ndarray)
    if isinstance(value, Expression):
        box = np.empty((), dtype=object)
        box[()] = value
        return box
    if isinstance(value, (list, tuple)):
        return type(value)(plain(one) for one in value)
    return value


def objects(value: Any) -> np.ndarray:
    """The same as an array of objects."""
    return asarray(plain(value), dtype=object)


def result(value: Any) -> Any:
    """What users see of an array of objects: symbols, or one of them."""
    if isinstance(value, np.ndarray) and value.dtype == object:
        return value[()] if value.ndim == 0 else value.view(Symbolic)
    return value


def elementwise(f: Callable[..., Any], *values: Any) -> Any:
    """f of every entry, as numpy repeats them."""
    return result(np.frompyfunc(f, len(values), 1)(*[objects(value) for value in values]))


def ufunc_of(symbols: Symbols, ufunc: Any, method: str, inputs: Sequence[Any], kwargs: Dict[str, Any]) -> Any:
    """What a ufunc, or its reduce, accumulate and outer, makes of symbols."""
    name = ufunc.__name__
    out = kwargs.pop("out", ())
    if any(isinstance(value, np.ndarray) and not value.flags.writeable for value in out):
        raise symbols.refuse("found an assignment to q or v (q[0] = .., q += ..); expected new values; try q = q + ..")
    if out and any(value.dtype != object for value in out):
        raise symbols.refuse(is_number)
    if name in ("equal", "not_equal"):
        raise symbols.refuse(equal)
    if kwargs.pop("where", True) is not True:
        raise symbols.refuse("found where=; expected np.where(condition, a, b)")
    own = "(vectorized)" in name  # a function of Python, by np.frompyfunc or np.vectorize
    if not (own or is_known(name) or name == "matmul"):
        raise symbols.refuse(f"found {'np.' if getattr(np, name, None) is ufunc else ''}{name}; expected a function of formulas: "
                             f"{', '.join(known)}, where, clip")
    arrays = [plain(value) for value in inputs]
    if own:
        value = getattr(ufunc, method)(*arrays, **kwargs)
    elif name == "matmul":
        value = ufunc(*[objects(value) for value in inputs], **kwargs)
    elif method == "__call__":
        if np.dtype(kwargs.pop("dtype", None) or object) != object:
            raise symbols.refuse(is_number)
        value = elementwise(element(symbols, name), *inputs)
    elif name in ("add", "multiply"):  # which have a first value, for what is empty
        value = getattr(ufunc, method)(objects(inputs[0]), *arrays[1:], **kwargs)
    else:
        array, more = objects(inputs[0]), [objects(value) for value in inputs[1:]] if method == "outer" else arrays[1:]
        if method == "reduce" and kwargs.get("axis", 0) is None:
            array, kwargs = array.ravel(), {**kwargs, "axis": 0}
        value = getattr(np.frompyfunc(element(symbols, name), 2, 1), method)(array, *more, **kwargs)
    if out:
        out[0][...] = value
        return out[0]
    return result(value)


def array_of(nodes: Sequence[Expression]) -> Symbolic:
    """An array that its function cannot change."""
    out = np.empty(len(nodes), dtype=object)
    for i, node in enumerate(nodes):
        out[i] = node
    out.setflags(write=False)
    return out.view(Symbolic)


_makers = ("array", "asarray", "asanyarray")
_lock = threading.Lock()
_tracing: List[Dict[str, Any]] = []  # numpy's own makers, once for every function that is being traced


@contextmanager
def natural() -> Iterator[None]:
    """While a function is traced np.array([x, 1.0]) is an array of symbols, of which there is a sine: numpy, which would ask
    the number 1.0 for its method sin, leaves no other way to say so."""

    def symbolic(make: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(make)
        def made(*args: Any, **kwargs: Any) -> Any:
            out = make(*args, **kwargs)
            if type(out) is np.ndarray and out.dtype == object and any(isinstance(entry, Expression) for entry in out.flat):
                return out.view(Symbolic)
            return out

        return made

    with _lock:
        if not _tracing:
            own = {name: getattr(np, name) for name in _makers}
            for name, make in own.items():
                setattr(np, name, symbolic(make))
        _tracing.append(_tracing[0] if _tracing else own)
    try:
        yield
    finally:
        with _lock:
            own = _tracing.pop()
            if not _tracing:
                for name, make in own.items():
                    setattr(np, name, make)
