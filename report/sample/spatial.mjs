// Two motions in space: a double spherical pendulum of points on links, and a body that tumbles about its middle axis.
import { f32, f64, meta, summary } from "./pack.mjs";
import { solve } from "./planar.mjs";

export function pendulum() {
  const h = 0.005, steps = 4000, every = 5, g = 9.81;
  let q = [0.8, 0, -0.6, 1.5, 0.4, -0.1830], v = [0, 1.6, 0, 0, -0.5, 1.2];
  const scale = Math.hypot(q[3] - q[0], q[4], q[5] - q[2]);
  for (let c = 0; c < 3; ++c) q[3 + c] = q[c] + (q[3 + c] - q[c]) / scale;
  const g_of = (q) => [(q[0] ** 2 + q[1] ** 2 + q[2] ** 2 - 1) / 2, ((q[3] - q[0]) ** 2 + (q[4] - q[1]) ** 2 + (q[5] - q[2]) ** 2 - 1) / 2];
  const G_of = (q) => {
    const d = [0, 1, 2].map((c) => q[3 + c] - q[c]);
    return [[q[0], q[1], q[2], 0, 0, 0], [-d[0], -d[1], -d[2], ...d]];
  };
  const product = (A, B) => A.map((a) => B.map((b) => a.reduce((s, x, i) => s + x * b[i], 0)));
  const project = () => {
    const G = G_of(q), mu = solve(product(G, G), G.map((row) => row.reduce((s, x, i) => s + x * v[i], 0)));
    v = v.map((x, i) => x - G[0][i] * mu[0] - G[1][i] * mu[1]);
  };
  const run = { t: [], q: [], v: [], energy: [], kinetic: [], potential: [], residual: [], hidden: [], iterations: [], lambda: [[], []], L: [] };
  const record = (t, lambda, iterations) => {
    const kinetic = 0.5 * v.reduce((s, x) => s + x * x, 0), potential = g * (q[2] + q[5]);
    run.t.push(t), run.q.push(q), run.v.push(v), run.kinetic.push(kinetic), run.potential.push(potential), run.energy.push(kinetic + potential);
    run.residual.push(Math.max(...g_of(q).map(Math.abs)));
    run.hidden.push(Math.max(...G_of(q).map((row) => Math.abs(row.reduce((s, x, i) => s + x * v[i], 0)))));
    run.iterations.push(iterations);
    lambda.forEach((l, k) => run.lambda[k].push(l));
    run.L.push(q[0] * v[1] - q[1] * v[0] + q[3] * v[4] - q[4] * v[3]);
  };
  project();
  record(0, [NaN, NaN], 0);
  for (let step = 1; step <= steps; ++step) {
    const G = G_of(q);
    let lambda = [0, 0], half, next, iterations = 0;
    for (; iterations < 15; ++iterations) {
      half = v.map((x, i) => x + 0.5 * h * ((i % 3 === 2 ? -g : 0) - G[0][i] * lambda[0] - G[1][i] * lambda[1]));
      next = q.map((x, i) => x + h * half[i]);
      const r = g_of(next);
      if (Math.max(...r.map(Math.abs)) < 1e-14) break;
      const d = solve(product(G_of(next), G), r);
      lambda = lambda.map((x, k) => x + (2 * d[k]) / (h * h));
    }
    q = next;
    v = half.map((x, i) => x + 0.5 * h * (i % 3 === 2 ? -g : 0));
    project();
    if (step % every === 0) record(step * h, lambda, iterations);
  }
  const at = (i, from) => from.map((row) => row[i]);
  return {
    id: "pendulum",
    meta: meta("Double spherical pendulum", "double-spherical-pendulum", {
      description: "Two points on links without mass: chaotic, yet the vertical angular momentum stays to round-off.", step: "0.005", until: "20", steps,
    }),
    summary: { ...summary(run), momenta: [{ name: "angular momentum z", max_error: Math.max(...run.L.map((l) => Math.abs(l - run.L[0]))) }] },
    scene: {
      dimension: 3, unit: "m", gravity: [0, 0, -1],
      bodies: [{ name: "upper", shapes: [{ kind: "point", radius: 0.085 }] }, { name: "lower", shapes: [{ kind: "point", radius: 0.085 }] }],
      links: [{ name: "upper link", from: { body: -1, point: [0, 0, 0] }, to: { body: 0, point: [0, 0, 0] } }, { name: "lower link", from: { body: 0, point: [0, 0, 0] }, to: { body: 1, point: [0, 0, 0] } }],
      joints: [{ name: "hook", kind: "spherical", picture: "ball", body: -1, point: [0, 0, 0] }],
      trails: [{ name: "lower", body: 1, point: [0, 0, 0], colour: 1 }],
      frames: { t: f64(run.t), poses: f32(run.q.flatMap((p) => [...p.slice(0, 3), 1, 0, 0, 0, ...p.slice(3), 1, 0, 0, 0])) },
    },
    axes: { t: { name: "t", unit: "s", values: f64(run.t) } },
    plots: [
      { id: "energy", title: "Energy", axis: "t", unit: "J", series: ["energy", "kinetic", "potential"].map((name) => ({ name: name === "energy" ? "total" : name, values: f64(run[name]) })) },
      { id: "energy_error", title: "Energy error", axis: "t", scale: "log", unit: "J", series: [{ name: "|H − H₀|", values: f64(run.energy.map((e) => e - run.energy[0])) }] },
      { id: "momentum", title: "Vertical angular momentum, change", axis: "t", scale: "log", unit: "kg m²/s", series: [{ name: "|L − L₀|", values: f64(run.L.map((l) => l - run.L[0])) }] },
      { id: "multiplier", title: "Multipliers", axis: "t", series: ["lambda:upper", "lambda:lower"].map((name, k) => ({ name, values: f64(run.lambda[k]) })) },
      { id: "constraint", title: "Constraint residuals", axis: "t", scale: "log", series: [{ name: "|g|", values: f64(run.residual) }, { name: "|G v|", values: f64(run.hidden) }] },
      { id: "newton", title: "Newton iterations", axis: "t", series: [{ name: "iterations", values: f64(run.iterations) }] },
      { id: "phase", title: "Phase portraits", axis: "t", x: { name: "height z", unit: "m" }, y: { name: "v:z", unit: "m/s" },
        curves: [["upper", 2], ["lower", 5]].map(([name, i]) => ({ name, x: f64(at(i, run.q)), y: f64(at(i, run.v)) })) },
    ],
  };
}

export function tumbling() {
  const I = [1, 2, 3], h = 0.001, steps = 30000, every = 30;
  let w = [0.02, 2, 0.01], q = [1, 0, 0, 0];
  const rate = (w) => [((I[1] - I[2]) * w[1] * w[2]) / I[0], ((I[2] - I[0]) * w[2] * w[0]) / I[1], ((I[0] - I[1]) * w[0] * w[1]) / I[2]];
  const run = { t: [], energy: [], poses: [], w: [[], [], []] };
  for (let step = 0; step <= steps; ++step) {
    if (step % every === 0) {
      run.t.push(step * h), run.energy.push(0.5 * w.reduce((s, x, c) => s + I[c] * x * x, 0)), run.poses.push(0, 0, 0, ...q);
      w.forEach((x, c) => run.w[c].push(x));
    }
    const middle = w.map((x, c) => x + 0.5 * h * rate(w)[c]), [x, y, z] = middle.map((m) => 0.5 * h * m), [a, b, c, d] = q;
    w = w.map((old, k) => old + h * rate(middle)[k]);
    q = [a - b * x - c * y - d * z, b + a * x + c * z - d * y, c + a * y + d * x - b * z, d + a * z + b * y - c * x];
    const norm = Math.hypot(...q);
    q = q.map((e) => e / norm);
  }
  return {
    id: "tumbling",
    meta: meta("Tumbling handle", "free-rigid-body", {
      description: "A free body that spins about its middle axis turns over again and again.", step: "0.001", until: "30", steps,
      scheme: { name: "lie(1)", order: 2, properties: ["symplectic", "symmetric"], citation: "Moser and Veselov 1991" },
    }),
    summary: summary(run),
    scene: {
      dimension: 3, unit: "m",
      bodies: [{ name: "handle", shapes: [{ kind: "box", size: [0.36, 1.7, 0.3], centre: [0.1, 0, 0] }, { kind: "bar", from: [0.1, 0, 0], to: [-0.95, 0, 0], width: 0.24 }, { kind: "ellipsoid", radii: [0.2, 0.2, 0.2], centre: [-0.95, 0, 0] }] }],
      trails: [{ name: "end", body: 0, point: [-0.95, 0, 0], colour: 1 }],
      frames: { t: f64(run.t), poses: f32(run.poses) },
    },
    axes: { t: { name: "t", unit: "s", values: f64(run.t) } },
    plots: [
      { id: "velocity", title: "Angular velocity in body axes", axis: "t", unit: "rad/s", series: ["1", "2", "3"].map((name, c) => ({ name: `ω${name}`, values: f64(run.w[c]) })) },
      { id: "energy_error", title: "Energy error", axis: "t", scale: "log", unit: "J", series: [{ name: "|H − H₀|", values: f64(run.energy.map((e) => e - run.energy[0])) }] },
      { id: "phase", title: "Polhode", axis: "t", x: { name: "ω1", unit: "rad/s" }, y: { name: "ω3", unit: "rad/s" }, curves: [{ name: "handle", x: f64(run.w[0]), y: f64(run.w[2]) }] },
    ],
  };
}
