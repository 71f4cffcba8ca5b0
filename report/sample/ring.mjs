// An elastic ring of 80 nodes, twisted out of its plane and let go: stretched and bent, Verlet.
import { f32, f64, meta, summary } from "./pack.mjs";

export function ring(n = 80) {
  const h = 2e-4, steps = 20000, every = 50, radius = 1, k1 = 2000, k2 = 150, mass = 1 / n;
  const q = [], v = [];
  for (let i = 0; i < n; ++i) {
    const a = (2 * Math.PI * i) / n;
    q.push([radius * Math.cos(a) * 1.0, radius * Math.sin(a) * 0.62, 0.42 * Math.cos(2 * a) + 0.12 * Math.sin(3 * a)]);
    v.push([-0.9 * Math.sin(a), 0.9 * Math.cos(a), 0.4 * Math.sin(2 * a)]);
  }
  const rest = q.map((p, i) => Math.hypot(...p.map((x, c) => q[(i + 1) % n][c] - x)));
  const forces = () => {
    const f = q.map(() => [0, 0, 0]);
    let energy = 0;
    const pull = (i, j, length, k) => {
      const d = [0, 1, 2].map((c) => q[j][c] - q[i][c]), l = Math.hypot(...d), s = k * (l - length);
      energy += 0.5 * k * (l - length) ** 2;
      for (let c = 0; c < 3; ++c) {
        f[i][c] += (s * d[c]) / l;
        f[j][c] -= (s * d[c]) / l;
      }
    };
    for (let i = 0; i < n; ++i) {
      pull(i, (i + 1) % n, rest[i], k1);
      const j = (i + 1) % n, k = (i + n - 1) % n;
      for (let c = 0; c < 3; ++c) {
        const bend = q[j][c] - 2 * q[i][c] + q[k][c];
        energy += 0.5 * k2 * bend * bend;
        f[i][c] += 2 * k2 * bend;
        f[j][c] -= k2 * bend;
        f[k][c] -= k2 * bend;
      }
    }
    return { f, energy };
  };
  const run = { t: [], energy: [], kinetic: [], potential: [], poses: [], L: [[], [], []], x: [], vx: [] };
  const record = (t, potential) => {
    const kinetic = 0.5 * mass * v.reduce((sum, w) => sum + w[0] ** 2 + w[1] ** 2 + w[2] ** 2, 0);
    run.t.push(t), run.kinetic.push(kinetic), run.potential.push(potential), run.energy.push(kinetic + potential);
    const L = [0, 0, 0];
    q.forEach((p, i) => cross(p, v[i]).forEach((x, c) => (L[c] += mass * x)));
    L.forEach((x, c) => run.L[c].push(x));
    run.x.push(q[0][0]), run.vx.push(v[0][0]);
    const centre = q.reduce((sum, p) => sum.map((x, c) => x + p[c] / n), [0, 0, 0]);
    q.forEach((p, i) => run.poses.push(...p, ...frame(q[(i + n - 1) % n], q[(i + 1) % n], p, centre, (2 * Math.PI * i) / n + 0.4 * t)));
  };
  let now = forces();
  record(0, now.energy);
  for (let step = 1; step <= steps; ++step) {
    for (let i = 0; i < n; ++i) for (let c = 0; c < 3; ++c) q[i][c] += h * (v[i][c] += (0.5 * h * now.f[i][c]) / mass);
    now = forces();
    for (let i = 0; i < n; ++i) for (let c = 0; c < 3; ++c) v[i][c] += (0.5 * h * now.f[i][c]) / mass;
    if (step % every === 0) record(step * h, now.energy);
  }
  const error = run.energy.map((e) => e - run.energy[0]);
  return {
    id: "ring",
    meta: meta("Elastic ring", "elastic-ring", {
      description: "A closed, geometrically exact rod of 80 nodes, bent out of its plane, free in space. The light stripe shows how it twists.",
      scheme: { name: "lie(2)", order: 2, properties: ["symplectic", "symmetric", "momentum exact"], citation: "Lew and Mata 2016" }, step: "0.0002", until: "4", steps,
      command: "extremal run models/elastic-ring.toml --step 0.0002 --until 4", notes: ["The rotations are those of the nodes; no angle is ever used."],
    }),
    summary: { ...summary(run), momenta: ["x", "y", "z"].map((name, c) => ({ name: `angular momentum ${name}`, max_error: Math.max(...run.L[c].map((l) => Math.abs(l - run.L[c][0]))) })) },
    scene: {
      dimension: 3, unit: "m", bodies: Array.from({ length: n }, (_, i) => ({ name: `node ${i + 1}` })),
      rods: [{ name: "ring", nodes: Array.from({ length: n }, (_, i) => i), radius: 0.045, closed: true }],
      trails: [{ name: "node 1", body: 0, point: [0, 0, 0], colour: 1 }],
      frames: { t: f64(run.t), poses: f32(run.poses) }, camera: { direction: [0.5, -1, 0.62] },
    },
    axes: { t: { name: "t", unit: "s", values: f64(run.t) } },
    plots: [
      { id: "energy", title: "Energy", axis: "t", unit: "J", series: [{ name: "total", values: f64(run.energy) }, { name: "kinetic", values: f64(run.kinetic) }, { name: "potential", values: f64(run.potential) }] },
      { id: "energy_error", title: "Energy error", axis: "t", scale: "log", unit: "J", series: [{ name: "|H − H₀|", values: f64(error) }] },
      { id: "momentum", title: "Angular momentum", axis: "t", unit: "kg m²/s", series: ["x", "y", "z"].map((name, c) => ({ name, values: f64(run.L[c]) })) },
      { id: "phase", title: "Phase portrait of node 1", axis: "t", x: { name: "x", unit: "m" }, y: { name: "v:x", unit: "m/s" }, curves: [{ name: "node 1", x: f64(run.x), y: f64(run.vx) }] },
    ],
  };
}

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => a.map((x) => x / Math.hypot(...a));

// Axis 1 along the rod, axis 2 outwards and turned about axis 1 by `twist`; as a quaternion.
function frame(before, after, here, centre, twist) {
  const d1 = unit(after.map((x, c) => x - before[c]));
  const out = here.map((x, c) => x - centre[c]), along = out.reduce((s, x, c) => s + x * d1[c], 0);
  const a = unit(out.map((x, c) => x - along * d1[c])), b = cross(d1, a);
  const d2 = a.map((x, c) => Math.cos(twist) * x + Math.sin(twist) * b[c]), d3 = cross(d1, d2);
  return quaternion(d1, d2, d3);
}

// Of the rotation with these columns; the largest component comes first, so that nothing is divided by a small number.
export function quaternion(a, b, c) {
  const w = 1 + a[0] + b[1] + c[2], x = 1 + a[0] - b[1] - c[2], y = 1 - a[0] + b[1] - c[2], z = 1 - a[0] - b[1] + c[2];
  const most = Math.max(w, x, y, z);
  const q = most === w ? [w, b[2] - c[1], c[0] - a[2], a[1] - b[0]] : most === x ? [b[2] - c[1], x, a[1] + b[0], c[0] + a[2]]
    : most === y ? [c[0] - a[2], a[1] + b[0], y, b[2] + c[1]] : [a[1] - b[0], c[0] + a[2], b[2] + c[1], z];
  return unit(q);
}
