"""Stepper: steps one by one, for control loops and learning."""
from __future__ import annotations

from typing import Any, Dict, Mapping, Optional

import numpy as np

from . import _extremal
from ._extremal import InputError
from .numbers import entries, text
from .start import started


class Stepper:
    """Steps one by one, for control loops.

    >>> import extremal as ex, numpy as np
    >>> s = ex.System("inverted pendulum", g="9.81", u=0)
    >>> a = s.coordinates("a")
    >>> s.kinetic(a, lambda q, v: v @ v / 2)
    >>> s.potential(a, lambda q, g: g * np.cos(q[0]))
    >>> s.force("motor", a, lambda q, v, u: [u])
    >>> st = s.stepper("spark(2)", q=["0.2"])
    >>> for _ in range(400):
    ...     st.set(u=-40 * st["a"] - 8 * st["v:a"])
    ...     assert st.step(0.01), st.reason
    >>> abs(st["a"]) < 1e-3
    True

    `step` is False where a step failed; the state is then the one before it and `reason` says why. `set` changes parameters of
    forces and potentials at little cost; those of masses and constraints make the equations anew. `reset` goes back to the
    start, or to another one; `save` and `restore` look ahead and return, and copy.copy(st) is a second one. One thread at a time: each has a stepper of its own.
    """

    def __init__(self, problem: _extremal.Problem, scheme: str) -> None:
        motion = self._motion = _extremal.Motion(problem, scheme, 0.0)
        self._problem, self._scheme = problem, scheme
        self._step = motion.step
        self._set = motion.set
        self._value = motion.value

    def step(self, h: float, count: int = 1) -> bool:
        """One step of length h, or several, which Ctrl-C ends after one of them."""
        try:
            return self._step(h, count)
        except TypeError:
            raise InputError(f"step: found {h!r} and {count!r}; expected the length of a step and a whole number of them") from None

    def set(self, **parameters: Any) -> None:
        """Parameters have other values from now on."""
        for name, value in parameters.items():
            self._set(name, value if isinstance(value, float) else _extremal.number(text(value, f"set {name}")))

    def __getitem__(self, name: str) -> float:
        """The value of a coordinate x, its velocity v:x or momentum p:x, an observer, or t."""
        try:
            return self._value(name)
        except TypeError:
            raise InputError(f"value: found {name!r}; expected a name, as st[\"v:x\"]") from None

    def parameter(self, name: str) -> float:
        """The value that a parameter has now."""
        try:
            return self._motion.parameter(name)
        except TypeError:
            raise InputError(f"parameter: found {name!r}; expected a name") from None

    def place(self, t: float, q: Any, p: Any) -> None:
        """Puts a state in place as it is."""
        try:
            self._motion.place(float(t), list(q), list(p))
        except (TypeError, ValueError, OverflowError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError("place: expected a time, and one number for each coordinate and each momentum") from None

    def reset(self, *, q: Any = None, v: Any = None, p: Any = None, t: Any = None, start: Optional[Mapping[str, Any]] = None) -> None:
        """To where the motion started, with the parameters of then, or to another start, which is made consistent."""
        if q is None and v is None and p is None and t is None and not entries(start, "start"):
            self._motion.reset()
        else:
            self._motion.restart(started(self._problem, start, q, v, p, t, None))

    def save(self) -> _extremal.Saved:
        """Where it is, with every digit, and its parameters, for restore: st.restore(saved), in this stepper or another one of the system."""
        return self._motion.save()

    def restore(self, saved: _extremal.Saved) -> None:
        """To where `save` was called: steps from there are the same to the bit."""
        try:
            self._motion.restore(saved)
        except TypeError:
            raise InputError(f"restore: found {type(saved).__name__}; expected what save() gave") from None

    def __copy__(self) -> "Stepper":
        other = Stepper(self._problem, self._scheme)
        other.restore(self.save())
        return other

    def __deepcopy__(self, _: Any) -> "Stepper":
        return self.__copy__()

    def __reduce__(self) -> Any:
        raise TypeError("a stepper cannot be pickled; expected its system; try stepper() there, and place(t, q, p)")

    def __repr__(self) -> str:
        names, q = self._problem.coordinates, self.q
        shown = ", ".join(f"{name} = {value:.6g}" for name, value in list(zip(names, q))[:6])
        return f"Stepper of {self._problem.name} at t = {self.t:.6g}: {shown}{', ...' if len(names) > 6 else ''}"

    def observe(self) -> Dict[str, Any]:
        """v, lambda, momenta, kinetic, potential, energy, constraint and hidden of the state."""
        return self._motion.observe()

    def tangent(self) -> np.ndarray:
        """d(q1, p1)/d(q0, p0) of the last step, by implicit differentiation."""
        return self._motion.tangent()

    @property
    def t(self) -> float:
        """The time that the motion has reached."""
        return self._motion.t

    @property
    def q(self) -> np.ndarray:
        """Positions, a copy."""
        return self._motion.q

    @property
    def v(self) -> np.ndarray:
        """Velocities, a copy."""
        return self._motion.v

    @property
    def p(self) -> np.ndarray:
        """Momenta, a copy."""
        return self._motion.p

    @property
    def reason(self) -> str:
        """Why the last step failed; empty if it did not."""
        return self._motion.reason
