"""How the energy error of a pendulum falls with the step, by three schemes: a figure and a table."""
import extremal as ex
import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

m = ex.model("pendulum")
steps = ["0.1", "0.05", "0.025", "0.0125"]
figure, axes = pyplot.subplots()
for scheme in ("rattle", "spark(2)", "spark(3)"):
    errors = [m.run(scheme, step=step, until=10).figures["energy_max_error"] for step in steps]
    order = np.log2(errors[1] / errors[2])
    print(f"{scheme:10} errors {errors[0]:.1e} to {errors[-1]:.1e}, order {order:.1f}")
    axes.loglog([float(step) for step in steps], errors, "o-", label=scheme)
axes.set_xlabel("step")
axes.set_ylabel("energy error")
axes.legend()
figure.savefig("choosing_a_scheme.png")
