"""How far a run is: a line in a terminal, a bar in a notebook."""
from __future__ import annotations

import sys
import time
from typing import Any, Callable, Optional, Union

from ._extremal import InputError

ProgressFunction = Callable[[int, int, float], object]
Progress = Union[bool, ProgressFunction, None]


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    if shell is None:
        return False
    kernel = shell.get_ipython()
    return kernel is not None and hasattr(kernel, "kernel")


class Bar:
    """Called with (step, steps, t); `close` leaves the last state, or takes the line away."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._handle: Any = None
        self._width = 0
        self._notebook = _in_notebook()

    def __call__(self, step: int, steps: int, t: float) -> None:
        part = min(1.0, step / steps) if steps > 0 else 0.0
        spent = time.monotonic() - self._began
        left = f", {spent / part - spent:.0f} s left" if part > 0.01 else ""
        said = f"{100 * part:3.0f} %{left}"
        if self._notebook:
            self._show(part, said)
        elif sys.stderr.isatty():
            filled = int(30 * part)
            line = f"\r[{'=' * filled}{' ' * (30 - filled)}] {said}"
            sys.stderr.write(line.ljust(self._width))
            sys.stderr.flush()
            self._width = len(line)

    def _show(self, part: float, said: str) -> None:
        from IPython.display import HTML, display  # type: ignore[import]

        page = HTML(f'<progress value="{part:.4f}" max="1" style="width: 20em"></progress> {said}')
        if self._handle is None:
            self._handle = display(page, display_id=True)
        else:
            self._handle.update(page)

    def close(self) -> None:
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()
        if self._handle is not None:
            from IPython.display import HTML  # type: ignore[import]

            self._handle.update(HTML(f"done in {time.monotonic() - self._began:.1f} s"))


class Shown:
    """with Shown(progress) as f: what the library calls; True is a Bar."""

    def __init__(self, progress: Progress) -> None:
        if not (progress is None or isinstance(progress, bool) or callable(progress)):
            raise InputError(f"progress: found {type(progress).__name__}; expected True, or a function of (step, steps, t)")
        self._bar = Bar() if progress is True else None
        self._function: Optional[ProgressFunction] = self._bar if self._bar is not None else progress or None  # type: ignore[assignment]

    def __enter__(self) -> Optional[ProgressFunction]:
        return self._function

    def __exit__(self, *_: Any) -> None:
        if self._bar is not None:
            self._bar.close()
