"""A control loop in Python: a motor's constant torque is chosen anew after every step, to hold a pendulum upright."""
import extremal as ex
import numpy as np

s = ex.System("inverted pendulum", g="9.81", u=0)
a = s.coordinates("a")  # the angle from the upright
s.kinetic(a, lambda q, v: v @ v / 2)
s.potential(a, lambda q, g: g * np.cos(q[0]))
s.force("motor", a, lambda q, v, u: [u])

motion = s.stepper("spark(2)", q=["0.2"])
for _ in range(400):
    motion.set(u=float(-40 * motion.q[0] - 8 * motion.p[0]))
    assert motion.step(0.01), motion.reason
print(f"after {motion.t:.2f} s the angle is {abs(motion.q[0]):.1e}")
assert abs(motion.q[0]) < 1e-3
