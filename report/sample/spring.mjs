// A mass between springs in the plane that fails on the way, and a pendulum of a million steps, thinned.
import { f32, f64, meta, summary } from "./pack.mjs";
import { thin } from "../src/thin.js";

export function spring() {
  const h = 0.01, steps = 1187;
  const anchors = [[-1, 0], [1, 0.2], [0.1, 1.2]], k = [12, 9, 15], rest = 0.6;
  let q = [0.25, -0.5], v = [1.1, 0.3];
  const force = ([x, y]) => anchors.reduce(([a, b], p, i) => {
    const d = [p[0] - x, p[1] - y], l = Math.hypot(...d);
    return [a + (k[i] * (l - rest) * d[0]) / l, b + (k[i] * (l - rest) * d[1]) / l];
  }, [0, -4]);
  const potential = ([x, y]) => 4 * y + anchors.reduce((s, p, i) => s + 0.5 * k[i] * (Math.hypot(p[0] - x, p[1] - y) - rest) ** 2, 0);
  const run = { t: [], q: [], v: [], energy: [] };
  for (let step = 0; step <= steps; ++step) {
    run.t.push(step * h), run.q.push(q), run.v.push(v), run.energy.push(0.5 * (v[0] ** 2 + v[1] ** 2) + potential(q));
    const f = force(q), half = v.map((x, c) => x + 0.5 * h * f[c]);
    q = q.map((x, c) => x + h * half[c]);
    const last = force(q);
    v = half.map((x, c) => x + 0.5 * h * last[c]);
  }
  return {
    id: "spring",
    meta: meta("Mass between springs", "mass-between-springs", {
      status: "failed", reason: 'step 1187, t = 11.87: Newton stalled at 4e-6; worst row: momentum of "x"; try step <= 0.005',
      step: "0.01", until: "20", steps, model: { name: "mass-between-springs", text: 'kinetic = "m/2*(x\'^2 + y\'^2)"\npotential = "k/2*r^2 </script><b>not a tag</b>"\n' },
      scheme: { name: "lobatto(2)", order: 2, properties: ["symplectic"] },
    }),
    summary: { ...summary(run), laws: [{ name: "symplecticity", declared: "yes", measured: "no: 1.3e-04 ~ h^3.0", defect: 1.3e-4, floor: 8e-32, holds: false }],
      more: [{ name: "quad constant", value: "1.6449340668482264364724151666460251" }] },
    scene: {
      dimension: 2, unit: "m", gravity: [0, -1], bodies: [{ name: "mass", shapes: [{ kind: "box", size: [0.16, 0.16] }] }],
      springs: anchors.map((point, i) => ({ name: `spring ${i + 1}`, kind: i === 1 ? "damper" : "spring", from: { body: -1, point }, to: { body: 0, point: [0, 0] } })),
      ground: anchors.map((point) => ({ point })), trails: [{ name: "mass", body: 0, point: [0, 0] }],
      frames: { t: run.t, poses: f32(run.q.flatMap(([x, y]) => [x, y, 0.4 * x])) },
    },
    axes: { t: { name: "t", unit: "s", values: run.t } },
    plots: [
      { id: "energy_error", title: "Energy error", axis: "t", scale: "log", unit: "J", series: [{ name: "|H − H₀|", values: run.energy.map((e) => e - run.energy[0]) }] },
      { id: "phase", title: "Phase portraits", axis: "t", x: { name: "q", unit: "m" }, y: { name: "v", unit: "m/s" }, curves: [0, 1].map((c) => ({ name: "xy"[c], x: run.q.map((p) => p[c]), y: run.v.map((p) => p[c]) })) },
    ],
  };
}

// One sample of the energy error is a lone peak, which must be seen: steps, index and size are known to the tests.
export const peak = { index: 654321, value: 0.0375 };

export function long(samples = 1000000) {
  const h = 0.05, t = new Float64Array(samples), angle = new Float64Array(samples), error = new Float64Array(samples);
  let a = 1.2, w = 0;
  const start = -9.81 * Math.cos(a);
  for (let i = 0; i < samples; ++i) {
    t[i] = i * h;
    angle[i] = a;
    error[i] = 0.5 * w * w - 9.81 * Math.cos(a) - start;
    w -= 0.5 * h * 9.81 * Math.sin(a);
    a += h * w;
    w -= 0.5 * h * 9.81 * Math.sin(a);
  }
  error[peak.index] = peak.value;
  const { x, columns, bucket } = thin(t, [angle, error], 2000);
  const frames = 600;
  const schemes = [["rattle", 2, 1], ["spark(2)", 4, 2.3], ["spark(3)", 6, 4.1]];
  const work = Array.from({ length: 7 }, (_, k) => 2 ** -k * 0.2);
  return {
    id: "long",
    meta: meta("Pendulum, a million steps", "pendulum", { step: "0.05", until: "50000", steps: samples, description: "Long runs are thinned without hiding a peak; the first thirty seconds are animated." }),
    summary: { energy: { initial: start, max_error: peak.value, unit: "J" }, drift: { slope: -4.3e-10, slope_error: 4.3e-9 }, newton: { mean: 3.75, max: 4 }, fallbacks: 3, retries: 0, singular: 0, timing: { seconds: 1.27, steps_per_second: 787402 } },
    scene: {
      dimension: 2, unit: "m", gravity: [0, -1], bodies: [{ name: "bob", shapes: [{ kind: "bar", from: [0, 0], to: [1, 0], width: 0.05 }, { kind: "ellipsoid", radii: [0.11, 0.11], centre: [1, 0] }] }],
      joints: [{ name: "pivot", kind: "revolute", picture: "pin", body: -1, point: [0, 0] }], ground: [{ point: [0, 0] }],
      frames: { t: f64(t.subarray(0, frames)), poses: f32(Array.from(angle.subarray(0, frames)).flatMap((b) => [0, 0, b - Math.PI / 2])) },
    },
    axes: { t: { name: "t", unit: "s", values: f64(x), thinned: { samples, bucket } } },
    plots: [
      { id: "coordinates", title: "Coordinates", axis: "t", unit: "rad", series: [{ name: "angle", values: f64(columns[0]) }] },
      { id: "energy_error", title: "Energy error", axis: "t", scale: "log", unit: "J", series: [{ name: "|H − H₀|", values: f64(columns[1]) }] },
      { id: "zero", title: "Constraint residuals", axis: "t", scale: "log", series: [{ name: "|g|", values: f32(columns[0].map(() => 0)) }] },
      { id: "work", title: "Error against time", marks: true, x: { name: "time", unit: "s", scale: "log" }, y: { name: "error", scale: "log" },
        curves: schemes.map(([name, order, cost]) => ({ name, x: work.map((s) => (cost * 1e-3) / s), y: work.map((s) => Math.max(0.3 * s ** order, 3e-15)) })) },
    ],
  };
}
