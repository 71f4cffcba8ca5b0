"""An environment with reset and step, as learning expects it: a pole on a cart, and a policy that is searched at random."""
import extremal as ex
import numpy as np


class CartPole:
    """Four numbers are seen, position and angle and their rates; one number acts, the force on the cart."""

    def __init__(self, step: float = 0.02, seed: int = 0) -> None:
        s = ex.System("cart and pole", m="0.1", M=1, l="0.5", g="9.81", u=0)
        both = s.coordinates("x", "a")  # of the cart, and of the pole from the upright
        s.kinetic(both, lambda q, v, m, M, l: (M + m) / 2 * v[0] ** 2 + m * l * v[0] * v[1] * np.cos(q[1]) + m * l**2 / 2 * v[1] ** 2)
        s.potential(both, lambda q, m, g, l: m * g * l * np.cos(q[1]))
        s.force("motor", both, lambda q, v, u: [u, 0])
        self._motion = s.stepper("spark(2)", q=[0, 0])
        self._step = step
        self._random = np.random.default_rng(seed)

    def reset(self) -> np.ndarray:
        self._motion.reset(q=self._random.uniform(-0.05, 0.05, 2), v=self._random.uniform(-0.05, 0.05, 2))
        return self._seen()

    def step(self, action: float):
        """What is seen, the reward, and whether the pole has fallen or the cart left its track."""
        self._motion.set(u=float(np.clip(action, -10, 10)))
        fine = self._motion.step(self._step)
        seen = self._seen()
        return seen, 1.0, not fine or abs(seen[0]) > 2.4 or abs(seen[1]) > 0.2

    def _seen(self) -> np.ndarray:
        return np.concatenate([self._motion.q, self._motion.v])


def score(environment: CartPole, policy: np.ndarray, most: int = 300) -> float:
    seen, total = environment.reset(), 0.0
    for _ in range(most):
        seen, reward, done = environment.step(float(policy @ seen))
        total += reward
        if done:
            break
    return total


environment = CartPole()
random = np.random.default_rng(1)
best, policy = 0.0, np.zeros(4)
for trial in range(300):
    guess = policy + random.normal(0, 10 if best < 100 else 3, 4)
    reached = score(environment, guess)
    if reached > best:
        best, policy = reached, guess
    if best >= 300:
        break
print(f"after {trial + 1} trials the pole stands for {best * 0.02:.1f} s")
assert best >= 200
