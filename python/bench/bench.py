"""What the package costs beside the program and numpy, as JSON: python3 python/bench/bench.py [--quick] > python.json

Seconds are CPU time of the process, the least of some repetitions; the program's is that of its own process. PYTHONPATH is
build/release/python, and the program is beside it.
"""
from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import time

import numpy as np

import extremal as ex

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
program = os.path.join(root, "build", "release", "extremal")


def least(f, repetitions):
    """CPU seconds of the quickest call."""
    best = float("inf")
    for _ in range(repetitions):
        begin = time.process_time()
        f()
        best = min(best, time.process_time() - begin)
    return best


def of_child(args, **options):
    """CPU seconds of another process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(args, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def steps(count, repetitions):
    """A pendulum in Python and by the program, each with its process's start taken off."""
    m, until = ex.model("pendulum"), f"{count}/1000"

    def run(end):
        assert m.run("rattle", step="0.001", until=end, every=1000).status == "complete"

    def by_program(end):
        return of_child([program, "run", "pendulum", "--scheme", "rattle", "--step", "0.001", "--until", end, "--every", "1000"])

    ours = least(lambda: run(until), repetitions) - least(lambda: run("1"), repetitions)
    theirs = min(by_program(until) for _ in range(repetitions)) - min(by_program("1") for _ in range(repetitions))
    return {"steps": count, "python": ours, "program": theirs, "ratio": ours / theirs}


def stepper(count, repetitions):
    """What st.step(h) adds to a step, which many steps of one call do not pay."""
    st = ex.model("pendulum").stepper("rattle")

    def single():
        for _ in range(count):
            st.step(0.001)

    one, many = least(single, repetitions), least(lambda: st.step(0.001, count), repetitions)
    u = np.float64(9.81)

    def settings():
        for _ in range(count):
            st.set(g=u)

    return {"overhead_us": 1e6 * (one - many) / count, "step_us": 1e6 * many / count, "set_us": 1e6 * least(settings, repetitions) / count}


def imports(repetitions):
    def of(code):
        return min(of_child([sys.executable, "-c", code]) for _ in range(repetitions))

    numpy, both = of("import numpy"), of("import numpy, extremal")
    return {"numpy": numpy, "extremal_beside": both - numpy}


def sweep(count):
    """Pendulums from as many angles, 100 outputs each; in a process of its own, whose memory is counted."""
    code = f"""
import json, resource, time
import numpy as np, xarray
import extremal as ex
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
angle = np.linspace(-1, 1, {count})
q = np.stack([np.sin(angle), -np.cos(angle)], 1)
begin, wall = time.process_time(), time.perf_counter()
many = ex.model("pendulum").sweep("rattle", q=q, step="0.01", until=10, every=10)
print(json.dumps(dict(runs={count}, shape=many.q.shape, complete=int((many.status == "complete").sum()), cpu=time.process_time() - begin,
                      wall=time.perf_counter() - wall, mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, mb_before=before / 1024)))
"""
    out = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return json.loads(out.stdout)


def tracing(count, repetitions):
    """A chain from functions, up to its model."""

    def make():
        s = ex.System("chain", g="9.81")
        balls = [s.coordinates(f"x{k}", f"y{k}") for k in range(count)]
        s.kinetic(balls, lambda q, v: v @ v / 2)
        s.potential(balls, lambda q, g: g * q[1])
        s.constraint("first", balls[0], lambda q: q @ q - 1)
        s.constraint("link", [a + b for a, b in zip(balls, balls[1:])], lambda q: (q[2:] - q[:2]) @ (q[2:] - q[:2]) - 1)
        return s

    traced = least(make, repetitions)
    return {"chain": count, "ms": 1e3 * traced, "with_model_ms": 1e3 * least(lambda: make().coordinate_names, repetitions)}


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--quick", action="store_true", help="a hundredth of the work, to see that it runs")
    part = 100 if arguments.parse_args().quick else 1
    often = 5 if part == 1 else 2
    found = {
        "machine": platform.processor() or platform.machine(), "cores": os.cpu_count(), "python": platform.python_version(), "numpy": np.__version__,
        "extremal": ex.__version__, "steps": steps(1000000 // part, often), "stepper": stepper(100000 // part, often), "imports": imports(2 * often),
        "sweep": sweep(100000 // part), "tracing": tracing(100, 2 * often)}
    print(json.dumps(found, indent=2))
