// RATTLE for planar bodies (x, y, angle) with revolute joints: enough to make data that look like the program's.

const g = 9.81;

// bodies: {mass, inertia, q: [x, y, angle]}; joints: {a, b, pa, pb}, a or b -1 for the ground.
export function simulate({ bodies, joints, push = [], h, steps, every }) {
  const n = 3 * bodies.length, m = 2 * joints.length;
  const mass = bodies.flatMap((body) => [body.mass, body.mass, body.inertia]);
  let q = bodies.flatMap((body) => body.q), v = new Array(n).fill(0);
  push.forEach(([i, value]) => (v[i] = value));
  const point = (q, body, p) => {
    if (body < 0) return p;
    const [x, y, a] = q.slice(3 * body, 3 * body + 3), c = Math.cos(a), s = Math.sin(a);
    return [x + c * p[0] - s * p[1], y + s * p[0] + c * p[1]];
  };
  const residual = (q) => joints.flatMap((j) => {
    const a = point(q, j.a, j.pa), b = point(q, j.b, j.pb);
    return [a[0] - b[0], a[1] - b[1]];
  });
  const jacobian = (q) => {
    const G = Array.from({ length: m }, () => new Array(n).fill(0));
    joints.forEach((j, k) => {
      for (const [body, p, sign] of [[j.a, j.pa, 1], [j.b, j.pb, -1]]) {
        if (body < 0) continue;
        const a = q[3 * body + 2], c = Math.cos(a), s = Math.sin(a);
        G[2 * k][3 * body] += sign;
        G[2 * k + 1][3 * body + 1] += sign;
        G[2 * k][3 * body + 2] += sign * (-s * p[0] - c * p[1]);
        G[2 * k + 1][3 * body + 2] += sign * (c * p[0] - s * p[1]);
      }
    });
    return G;
  };
  const schur = (A, B) => A.map((row) => B.map((other) => row.reduce((sum, x, i) => sum + (x * other[i]) / mass[i], 0)));
  const force = (i) => (i % 3 === 1 ? -mass[i] * g : 0);
  const project = (q, v) => {
    const G = jacobian(q), mu = solve(schur(G, G), G.map((row) => dot(row, v)));
    return v.map((x, i) => x - G.reduce((sum, row, k) => sum + row[i] * mu[k], 0) / mass[i]);
  };
  v = project(q, v);
  const out = { t: [], q: [], v: [], energy: [], kinetic: [], potential: [], residual: [], hidden: [], lambda: [], iterations: [] };
  const record = (t, lambda, iterations) => {
    const kinetic = v.reduce((sum, x, i) => sum + 0.5 * mass[i] * x * x, 0);
    const potential = bodies.reduce((sum, body, b) => sum + body.mass * g * q[3 * b + 1], 0);
    out.t.push(t), out.q.push([...q]), out.v.push([...v]), out.kinetic.push(kinetic), out.potential.push(potential);
    out.energy.push(kinetic + potential), out.iterations.push(iterations), out.lambda.push([...lambda]);
    out.residual.push(Math.max(...residual(q).map(Math.abs)));
    out.hidden.push(Math.max(...jacobian(q).map((row) => Math.abs(dot(row, v)))));
  };
  let lambda = new Array(m).fill(0);
  record(0, lambda, 0);
  for (let step = 1; step <= steps; ++step) {
    const G = jacobian(q);
    lambda = new Array(m).fill(0);
    let half, next, iterations = 0;
    for (;;) {
      half = v.map((x, i) => x + (0.5 * h * (force(i) - G.reduce((sum, row, k) => sum + row[i] * lambda[k], 0))) / mass[i]);
      next = q.map((x, i) => x + h * half[i]);
      const r = residual(next);
      if (Math.max(...r.map(Math.abs)) < 1e-14 || iterations === 12) break;
      const correction = solve(schur(jacobian(next), G), r);
      lambda = lambda.map((x, k) => x + (2 * correction[k]) / (h * h));
      ++iterations;
    }
    q = next;
    v = project(q, half.map((x, i) => x + (0.5 * h * force(i)) / mass[i]));
    if (step % every === 0) record(step * h, lambda, iterations);
  }
  return out;
}

const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

export function solve(matrix, right) {
  const A = matrix.map((row, i) => [...row, right[i]]), n = A.length;
  for (let c = 0; c < n; ++c) {
    let best = c;
    for (let r = c + 1; r < n; ++r) if (Math.abs(A[r][c]) > Math.abs(A[best][c])) best = r;
    [A[c], A[best]] = [A[best], A[c]];
    for (let r = c + 1; r < n; ++r) {
      const f = A[r][c] / A[c][c];
      for (let k = c; k <= n; ++k) A[r][k] -= f * A[c][k];
    }
  }
  const x = new Array(n).fill(0);
  for (let r = n - 1; r >= 0; --r) x[r] = (A[r][n] - A[r].reduce((sum, a, k) => (k > r && k < n ? sum + a * x[k] : sum), 0)) / A[r][r];
  return x;
}
