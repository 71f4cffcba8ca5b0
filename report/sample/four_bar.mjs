// Two parallelograms on one coupler line, as in the papers on redundant joints, with one joint less.
import { f32, f64, meta, summary } from "./pack.mjs";
import { simulate } from "./planar.mjs";

const text = `# Two four-bars in a row
space = "planar"
gravity = [0, -9.81]

[bar]
mass = 1
inertia = "1/12"

[[body]]
name = "crank"
like = "bar"
position = [0, "1/2"]
angle = "pi/2"

[[body]]
name = "coupler"
like = "bar"
position = ["1/2", 1]

[run]
scheme = "spark(2)"
step = 0.01
until = 10
`;

export function four_bar() {
  const lean = 0.35, s = Math.sin(lean), c = Math.cos(lean), up = Math.PI / 2 - lean;
  const bar = { mass: 1, inertia: 1 / 12 };
  const bodies = [
    { ...bar, q: [s / 2, c / 2, up] }, { ...bar, q: [0.5 + s, c, 0] }, { ...bar, q: [1 + s / 2, c / 2, up] },
    { ...bar, q: [1.5 + s, c, 0] }, { ...bar, q: [2 + s / 2, c / 2, up] },
  ];
  const names = ["crank", "coupler", "middle", "coupler 2", "rocker"];
  const left = [-0.5, 0], right = [0.5, 0];
  const joints = [
    { a: -1, pa: [0, 0], b: 0, pb: left }, { a: 0, pa: right, b: 1, pb: left }, { a: 1, pa: right, b: 2, pb: right },
    { a: 2, pa: left, b: -1, pb: [1, 0] }, { a: 2, pa: right, b: 3, pb: left }, { a: 3, pa: right, b: 4, pb: right }, { a: 4, pa: left, b: -1, pb: [2, 0] },
  ];
  const run = simulate({ bodies, joints, push: [[2, -2]], h: 0.005, steps: 2000, every: 4 });
  const letters = ["A", "B", "C", "D", "E", "F", "G"];
  const column = (i, from = run.q) => from.map((row) => row[i]);
  const laws = [
    { name: "order of q", declared: "4", measured: "4.00", defect: 2.9e-3, floor: 0.25, holds: true },
    { name: "order of p", declared: "4", measured: "4.00", defect: 2.8e-3, floor: 0.25, holds: true },
    { name: "order of lambda", declared: "2", measured: "1.99", defect: 9.7e-3, floor: 0.25, holds: true },
    { name: "symplecticity", declared: "yes", measured: "yes", defect: 1.9e-34, floor: 8.4e-32, holds: true },
    { name: "reversibility", declared: "yes", measured: "yes", defect: 1.2e-34, floor: 4.4e-33, holds: true },
    { name: "constraints", declared: "yes", measured: "yes", defect: 2.2e-16, floor: 1.1e-15, holds: true },
    { name: "hidden constraints", declared: "yes", measured: "yes", defect: 2.2e-16, floor: 2.8e-15, holds: true },
    { name: "energy drift", declared: "none", measured: "none: |H-H0| <= 1.8e-04, slope -1.5e-10 +- 3.4e-09", defect: 1.5e-10, floor: 1e-8, holds: true },
    { name: "modified energy", declared: "-", measured: "fluctuation 1.6e-05 (energy 8.9e-05)", defect: 1.6e-5, floor: 8.9e-5, holds: true },
  ];
  const plots = [
    { id: "energy", title: "Energy", axis: "t", unit: "J", series: [{ name: "total", values: f64(run.energy) }, { name: "kinetic", values: f64(run.kinetic) }, { name: "potential", values: f64(run.potential) }] },
    { id: "energy_error", title: "Energy error", axis: "t", scale: "log", unit: "J", series: [{ name: "|H − H₀|", values: f64(run.energy.map((e) => e - run.energy[0])) }] },
    { id: "constraint", title: "Constraint residuals", axis: "t", scale: "log", series: [{ name: "|g|", values: f64(run.residual) }, { name: "|G v|", values: f64(run.hidden) }] },
    { id: "force", title: "Joint forces", axis: "t", unit: "N", series: letters.map((name, k) => ({ name, values: f32(run.lambda.map((l, i) => (i === 0 ? NaN : Math.hypot(l[2 * k], l[2 * k + 1])))), hidden: k > 3 })) },
    { id: "newton", title: "Newton iterations", axis: "t", series: [{ name: "iterations", values: f32(run.iterations.map((k, i) => (i === 0 ? NaN : k))) }] },
    { id: "phase", title: "Phase portrait", axis: "t", x: { name: "angle", unit: "rad" }, y: { name: "angular velocity", unit: "rad/s" },
      curves: [{ name: "crank", x: f64(column(2)), y: f64(column(2, run.v)) }] },
  ];
  return {
    id: "four-bar",
    meta: meta("Double four-bar", "double-four-bar", {
      description: "Five bars, seven joints, one degree of freedom; it passes the position where all bars lie in one line.",
      model: { name: "double-four-bar", file: "models/double-four-bar.toml", text },
      scheme: { name: "spark(2)", order: 4, properties: ["symplectic", "symmetric", "on the manifold"], citation: "Jay 2007, Wenger et al. 2017" },
      step: "0.005", until: "10", steps: 2000, command: "extremal run models/double-four-bar.toml --scheme 'spark(2)' --step 0.005 --until 10",
    }),
    summary: { ...summary(run), laws, momenta: [] },
    scene: {
      dimension: 2, unit: "m", gravity: [0, -1],
      bodies: bodies.map((_, i) => ({ name: names[i], colour: [0, 1, 0, 1, 0][i], shapes: [{ kind: "bar", from: left, to: right, width: 0.085 }] })),
      joints: joints.map((j, k) => ({ name: letters[k], kind: "revolute", picture: "pin", ...(j.a >= 0 ? { body: j.a, point: j.pa } : { body: j.b, point: j.pb }) })),
      ground: [{ point: [0, 0] }, { point: [1, 0] }, { point: [2, 0] }],
      trails: [{ name: "tip", body: 3, point: right, colour: 2 }],
      frames: { t: f64(run.t), poses: f32(run.q.flat()) },
    },
    axes: { t: { name: "t", unit: "s", values: f64(run.t) } },
    plots,
  };
}
