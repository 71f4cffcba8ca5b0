// Motion: the poses of all bodies at any time, between the frames by a cubic through the positions and the
// shorter great arc through the rotations: a straight line would tear joints apart that turn fast.
//
// A pose is x y z and a unit quaternion w i j k; planar data, x y angle, are taken to that when they are read.
import { decode } from "./data.js";
import { lower_bound } from "./thin.js";

const size = 7;

export class Motion {
  constructor(scene) {
    this.times = decode(scene.frames.t);
    const poses = decode(scene.frames.poses);
    const planar = scene.dimension === 2;
    const stride = planar ? 3 : size;
    this.count = this.times.length ? poses.length / this.times.length / stride : 0;
    if (!Number.isInteger(this.count)) throw new Error("scene.frames.poses has not the length that scene.frames.t asks for");
    this.poses = planar ? spatial(poses) : poses;
    this.now = new Float64Array(size * this.count);
    this.begin = this.times[0] ?? 0;
    this.end = this.times[this.times.length - 1] ?? 0;
    this.at(this.begin);
  }

  // Fills `now`.
  at(t) {
    const last = this.times.length - 1;
    const next = Math.min(Math.max(lower_bound(this.times, t), 1), Math.max(last, 0));
    const from = Math.max(next - 1, 0);
    const gap = this.times[next] - this.times[from];
    const part = gap > 0 ? Math.min(1, Math.max(0, (t - this.times[from]) / gap)) : 0;
    const before = Math.max(from - 1, 0), after = Math.min(next + 1, Math.max(last, 0));
    const weights = cubic([before, from, next, after].map((frame) => this.times[frame]), part);
    const stride = size * this.count;
    for (let body = 0; body < this.count; ++body) {
      const o = size * body;
      for (let k = o; k < o + 3; ++k)
        this.now[k] = weights[0] * this.poses[before * stride + k] + weights[1] * this.poses[from * stride + k] +
          weights[2] * this.poses[next * stride + k] + weights[3] * this.poses[after * stride + k];
      arc(this.poses, from * stride + o, next * stride + o, part, this.now, o);
    }
    return this.now;
  }

  // A point fixed to a body (-1: the ground) at a frame, or now.
  point(body, local, out, poses = this.now, offset = size * body) {
    const [x, y, z] = [local[0], local[1], local[2] ?? 0];
    if (body < 0) return out.set(x, y, z);
    rotate(poses, offset + 3, x, y, z, out);
    out.x += poses[offset];
    out.y += poses[offset + 1];
    out.z += poses[offset + 2];
    return out;
  }

  // In a frame, without changing what is now.
  frame_point(frame, body, local, out) {
    return this.point(body, local, out, this.poses, size * (frame * this.count + body));
  }

  direction(body, local, out) {
    if (body < 0) return out.set(local[0], local[1], local[2] ?? 0);
    rotate(this.now, size * body + 3, local[0], local[1], local[2] ?? 0, out);
    return out;
  }
}

function spatial(planar) {
  const poses = new Float64Array((planar.length / 3) * size);
  for (let i = 0; i < planar.length / 3; ++i) {
    const half = planar[3 * i + 2] / 2;
    poses.set([planar[3 * i], planar[3 * i + 1], 0, Math.cos(half), 0, 0, Math.sin(half)], size * i);
  }
  return poses;
}

// Weights of four points in the cubic between the middle two whose slopes are those of their neighbours' chords.
function cubic([t0, t1, t2, t3], s) {
  const gap = t2 - t1, s2 = s * s, s3 = s2 * s;
  if (!(gap > 0)) return [0, 1, 0, 0];
  const first = ((s3 - 2 * s2 + s) * gap) / (t2 - t0), second = ((s3 - s2) * gap) / (t3 - t1);
  return [-first, 2 * s3 - 3 * s2 + 1 - second, -2 * s3 + 3 * s2 + first, second];
}

function arc(poses, a, b, part, out, o) {
  let cosine = 0;
  for (let k = 3; k < size; ++k) cosine += poses[a + k] * poses[b + k];
  const sign = cosine < 0 ? -1 : 1;  // q and -q are the same rotation
  const angle = Math.acos(Math.min(1, Math.abs(cosine)));
  const sine = Math.sin(angle);
  const first = sine > 1e-6 ? Math.sin((1 - part) * angle) / sine : 1 - part;
  const second = sign * (sine > 1e-6 ? Math.sin(part * angle) / sine : part);
  let norm = 0;
  for (let k = 3; k < size; ++k) {
    out[o + k] = first * poses[a + k] + second * poses[b + k];
    norm += out[o + k] ** 2;
  }
  norm = Math.sqrt(norm) || 1;
  for (let k = 3; k < size; ++k) out[o + k] /= norm;
}

// v + 2 u x (u x v + w v), u the vector part.
function rotate(q, o, x, y, z, out) {
  const w = q[o], i = q[o + 1], j = q[o + 2], k = q[o + 3];
  const a = j * z - k * y + w * x, b = k * x - i * z + w * y, c = i * y - j * x + w * z;
  out.x = x + 2 * (j * c - k * b);
  out.y = y + 2 * (k * a - i * c);
  out.z = z + 2 * (i * b - j * a);
}
