// Trail: the way of a point through all frames as a ribbon of constant width on the screen. The buffers never change;
// the shader shows what lies between `now - length` and `now`, and fades what is older.
import { BufferAttribute, BufferGeometry, Color, Mesh, ShaderMaterial, Vector2, Vector3 } from "three";

const vertex = `
  attribute vec3 before; attribute vec3 after; attribute float side; attribute float time;
  uniform vec2 resolution; uniform float width;
  varying float moment; varying float across;
  vec2 screen(vec4 p) { return p.xy / max(p.w, 1e-6) * resolution; }
  void main() {
    mat4 all = projectionMatrix * modelViewMatrix;
    vec4 here = all * vec4(position, 1.0);
    vec2 way = screen(all * vec4(after, 1.0)) - screen(all * vec4(before, 1.0));
    float size = length(way);
    vec2 unit = size > 1e-4 ? way / size : vec2(1.0, 0.0);
    here.xy += vec2(-unit.y, unit.x) * side * width / resolution * here.w;
    moment = time; across = side;
    gl_Position = here;
  }`;
const fragment = `
  uniform vec3 colour; uniform float now; uniform float span;
  varying float moment; varying float across;
  void main() {
    float age = (now - moment) / span;
    if (age < 0.0 || age > 1.0) discard;
    float edge = 1.0 - smoothstep(0.6, 1.0, abs(across));
    gl_FragColor = vec4(colour, edge * 0.85 * pow(1.0 - age, 1.4));
    #include <colorspace_fragment>
  }`;

export class Trail {
  constructor(trail, motion, colour) {
    const parts = Math.max(1, Math.min(4, Math.floor(4000 / motion.times.length)));  // of the way between two frames
    const frames = motion.times.length, count = parts * (frames - 1) + 1;
    const at = new Vector3();
    const ways = new Float32Array(3 * count), times = new Float64Array(count);
    for (let f = 0; f < count; ++f) {
      const from = Math.floor(f / parts), to = Math.min(from + 1, frames - 1), s = (f % parts) / parts;
      times[f] = motion.times[from] + s * (motion.times[to] - motion.times[from]);
      if (parts > 1) motion.at(times[f]);
      (parts > 1 ? motion.point(trail.body, trail.point, at) : motion.frame_point(f, trail.body, trail.point, at)).toArray(ways, 3 * f);
    }
    const position = new Float32Array(6 * count), before = position.slice(), after = position.slice();
    const side = new Float32Array(2 * count), time = new Float32Array(2 * count), index = [];
    for (let f = 0; f < count; ++f)
      for (let s = 0; s < 2; ++s) {
        const v = 2 * f + s;
        position.set(ways.subarray(3 * f, 3 * f + 3), 3 * v);
        before.set(ways.subarray(3 * Math.max(0, f - 1), 3 * Math.max(0, f - 1) + 3), 3 * v);
        after.set(ways.subarray(3 * Math.min(count - 1, f + 1), 3 * Math.min(count - 1, f + 1) + 3), 3 * v);
        side[v] = 2 * s - 1;
        time[v] = times[f] - motion.begin;  // small numbers keep their digits in 32 bits
        if (f + 1 < count && s === 0) index.push(v, v + 1, v + 2, v + 1, v + 3, v + 2);
      }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(position, 3));
    geometry.setAttribute("before", new BufferAttribute(before, 3));
    geometry.setAttribute("after", new BufferAttribute(after, 3));
    geometry.setAttribute("side", new BufferAttribute(side, 1));
    geometry.setAttribute("time", new BufferAttribute(time, 1));
    geometry.setIndex(index);
    this.begin = motion.begin;
    this.mesh = new Mesh(geometry, new ShaderMaterial({
      vertexShader: vertex, fragmentShader: fragment, transparent: true, depthWrite: false, side: 2,
      uniforms: {
        colour: { value: new Color(colour) }, now: { value: 0 }, span: { value: 1 }, width: { value: 3 },
        resolution: { value: new Vector2(1, 1) },
      },
    }));
    this.mesh.frustumCulled = false;
  }

  paint(colour) {
    this.mesh.material.uniforms.colour.value.set(colour);
  }

  update(now, span, width, height, ratio) {
    const { uniforms } = this.mesh.material;
    this.mesh.visible = span > 0;
    uniforms.now.value = now - this.begin;
    uniforms.span.value = Math.max(span, 1e-30);
    uniforms.width.value = 3.4 * ratio;
    uniforms.resolution.value.set(width, height);
  }
}
