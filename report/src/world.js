// World: the objects of a scene – bodies, links, joints, springs, rods, trails, the ground – and their poses at a time.
import {
  BoxGeometry, CapsuleGeometry, Color, ConeGeometry, CylinderGeometry, DirectionalLight, ExtrudeGeometry, Group,
  HemisphereLight, LineBasicMaterial, LineSegments, BufferGeometry, Float32BufferAttribute, Mesh, MeshStandardMaterial,
  PlaneGeometry, Quaternion, Scene, ShadowMaterial, Shape, SphereGeometry, Vector3,
} from "three";
import { RoundedBoxGeometry } from "three/examples/jsm/geometries/RoundedBoxGeometry.js";
import { decode } from "./data.js";
import { theme } from "./theme.js";
import { Trail } from "./trail.js";
import { Coil, RodTube } from "./tube.js";

const z_axis = new Vector3(0, 0, 1), y_axis = new Vector3(0, 1, 0);

export class World {
  constructor(data, motion) {
    Object.assign(this, { data, motion, planar: data.dimension === 2, scene: new Scene(), painted: [], geometries: new Map() });
    this.fine = data.bodies.length <= 150 ? 1 : 0.34;  // the detail of round shapes
    motion.planar = this.planar;
    this.up = new Vector3(...(data.up ?? (this.planar ? [0, 1, 0] : opposite(data.gravity) ?? [0, 0, 1]))).normalize();
    this.measure();
    this.size = 0.013 * this.extent;  // of a joint
    this.thinnest = 0.002 * this.extent;  // radius that can still be seen
    this.lights();
    this.floor();
    this.bodies = data.bodies.map((body, i) => this.body(body, i));
    this.scenery();
    this.links = (data.links ?? []).map((link) => this.link(link));
    this.joints = (data.joints ?? []).flatMap((joint) => joint.to ? [this.guide(joint), this.joint({ picture: "ball", name: joint.name, kind: joint.kind, ...joint.to, size: joint.size })] : [this.joint(joint)]);
    (data.ground ?? []).forEach((point) => this.support(point.point));
    this.springs = (data.springs ?? []).map((spring, i) => this.moving(new Coil(spring, motion, this.size, "black"), i, "spring"));
    this.rods = (data.rods ?? []).map((rod, i) => this.moving(new RodTube(rod, motion, "black"), i));
    this.trails = (data.trails ?? []).map((trail, i) => this.trail(trail, i));
    this.repaint();
  }

  // The sphere that the motion stays in, from some of the frames.
  measure() {
    const { data, motion } = this;
    const low = new Vector3(1, 1, 1).multiplyScalar(Infinity), high = low.clone().negate(), at = new Vector3();
    const include = (point, reach) => {
      low.min(at.copy(point).addScalar(-reach));
      high.max(at.copy(point).addScalar(reach));
    };
    const where = new Vector3();
    this.reached = [];  // points that the camera has to see, each with a radius
    const note = (reach) => {
      if (!Number.isFinite(where.x + where.y + where.z)) return;
      include(where, reach);
      this.reached.push([where.clone(), reach]);
    };
    const stride = Math.max(1, Math.ceil((motion.times.length * motion.count) / 20000), Math.floor(motion.times.length / 100));
    const outlines = data.bodies.map((body) => outline(body, data.meshes));
    for (let f = 0; f < motion.times.length; f += stride)
      for (let b = 0; b < motion.count; ++b) {
        motion.frame_point(f, b, [0, 0, 0], where);
        note(0);
        for (const [point, reach] of outlines[b]) {
          motion.frame_point(f, b, point, where);
          note(reach);
        }
      }
    const fixed = (point) => {
      where.set(point[0], point[1], point[2] ?? 0);
      note(0);
    };
    for (const { point } of data.ground ?? []) fixed(point);
    for (const [point, reach] of outline({ shapes: data.scenery }, data.meshes)) {
      where.set(point[0], point[1], point[2] ?? 0);
      note(reach);
    }
    for (const part of [...(data.links ?? []), ...(data.springs ?? [])])
      for (const end of [part.from, part.to])
        if (end.body < 0) fixed(end.point);
    if (!Number.isFinite(low.x)) low.set(-1, -1, -1), high.set(1, 1, 1);
    if (this.planar) low.z = high.z = 0;
    this.low = low;
    this.high = high;
    this.centre = low.clone().add(high).multiplyScalar(0.5);
    this.extent = Math.max(high.distanceTo(low), 1e-9);
  }

  lights() {
    const sky = new HemisphereLight(0xffffff, 0xb9bec9, 2.1);
    sky.position.copy(this.planar ? z_axis : this.up);
    const sun = new DirectionalLight(0xffffff, 2.1);
    const side = this.planar ? new Vector3(-0.5, 0.8, 1.6) : this.sideways().multiplyScalar(0.7).addScaledVector(this.up, 1.5);
    sun.position.copy(this.centre).addScaledVector(side, this.extent);
    sun.target.position.copy(this.centre);
    if (!this.planar) {
      sun.castShadow = true;
      sun.shadow.mapSize.set(1024, 1024);
      const reach = 0.75 * this.extent;
      Object.assign(sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * this.extent, far: 4 * this.extent });
      sun.shadow.radius = 5;
      sun.shadow.intensity = 0.55;
      sun.shadow.normalBias = 0.01 * this.extent;
    }
    this.scene.add(sky, sun, sun.target);
  }

  // Two directions across `up`.
  sideways() {
    return new Vector3(1, 0, 0).applyQuaternion(new Quaternion().setFromUnitVectors(z_axis, this.up));
  }

  // A grid of round spacing: behind a planar motion, under a spatial one.
  floor() {
    const spacing = round_down(this.extent / 6);
    this.spacing = spacing;
    const turn = new Quaternion().setFromUnitVectors(z_axis, this.planar ? z_axis : this.up);
    const local = (v) => v.clone().applyQuaternion(turn.clone().invert());
    const a = local(this.low), b = local(this.high), middle = a.clone().add(b).multiplyScalar(0.5);
    const height = this.planar ? -0.06 * this.extent : Math.min(a.z, b.z) - 0.04 * this.extent;
    const reach = spacing * Math.ceil((this.planar ? 4 : 1.0) * this.extent / spacing);
    const x0 = spacing * Math.round(middle.x / spacing), y0 = spacing * Math.round(middle.y / spacing);
    const corners = [], shades = [];
    const shade = (x, y) => this.planar ? 1 : Math.max(0, 1 - Math.hypot(x - x0, y - y0) / reach) ** 1.5;
    const segment = (...ends) => ends.forEach(([x, y]) => {
      corners.push(...new Vector3(x, y, height).applyQuaternion(turn).toArray());
      shades.push(shade(x, y));
    });
    for (let k = -reach; k <= reach + spacing / 2; k += spacing)
      for (let m = -reach; m < reach - spacing / 2; m += spacing) {
        segment([x0 + k, y0 + m], [x0 + k, y0 + m + spacing]);
        segment([x0 + m, y0 + k], [x0 + m + spacing, y0 + k]);
      }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute(corners, 3));
    geometry.setAttribute("color", new Float32BufferAttribute(new Float32Array(corners.length), 3));
    this.grid = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true }));
    this.grid_shades = shades;
    this.foot = (point) => point.clone().addScaledVector(this.up, height - point.dot(this.up));  // straight below on the floor
    this.scene.add(this.grid);
    if (this.planar) return;
    const shadow = new Mesh(new PlaneGeometry(4 * this.extent, 4 * this.extent), new ShadowMaterial({ opacity: 0.35 }));
    shadow.position.copy(new Vector3(middle.x, middle.y, height).applyQuaternion(turn));
    shadow.quaternion.copy(turn);
    shadow.receiveShadow = true;
    this.scene.add(shadow);
  }

  // The parts of a chain are alike: one geometry serves them all.
  geometry(kind, ...sizes) {
    const key = [kind, ...sizes].join(" ");
    if (!this.geometries.has(key)) this.geometries.set(key, solids[kind](this.fine, ...sizes));
    return this.geometries.get(key);
  }

  // colour: a function, asked again when the theme changes.
  mesh(geometry, colour, parent = this.scene) {
    const mesh = new Mesh(geometry, new MeshStandardMaterial({ roughness: 0.55, metalness: 0.02 }));
    mesh.castShadow = mesh.receiveShadow = !this.planar;
    this.painted.push([(c) => mesh.material.color.set(c), colour]);
    parent.add(mesh);
    return mesh;
  }

  body(body, index) {
    const group = new Group();
    const colour = () => theme.line(body.colour ?? index);
    group.userData.name = body.name;
    for (const shape of body.shapes ?? []) this.shape(shape, shape.paint ? () => shape.paint : colour, group, index);
    this.scene.add(group);
    return group;
  }

  // What stands around.
  scenery() {
    const group = new Group();
    group.userData.name = "ground";
    for (const shape of this.data.scenery ?? []) this.shape(shape, () => shape.paint ?? theme.colour("support"), group, 0);
    this.scene.add(group);
  }

  // A part of a body as its model has it, with its own place and turn.
  solid(shape, colour, group) {
    const geometry = shape.kind === "mesh" ? this.surface(shape.mesh) : this.geometry(shape.kind === "capsule" ? "capsule" : "cylinder", ...(shape.kind === "capsule" ? [shape.length, shape.radius] : [shape.radius, shape.length]));
    const mesh = this.mesh(geometry, colour, group);
    if (shape.kind === "mesh") mesh.scale.set(...(shape.scale ?? [1, 1, 1]));
    else mesh.quaternion.setFromUnitVectors(y_axis, z_axis);
    return mesh;
  }

  surface(index) {
    const key = `mesh ${index}`;
    if (!this.geometries.has(key)) {
      const { points, triangles } = this.data.meshes[index];
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new Float32BufferAttribute(decode(points), 3));
      geometry.setIndex(Array.from(decode(triangles)));
      const flat = geometry.toNonIndexed();  // edges of machine parts are sharp
      flat.computeVertexNormals();
      flat.computeBoundingSphere();
      this.geometries.set(key, flat);
    }
    return this.geometries.get(key);
  }

  shape(shape, colour, group, index) {
    if (shape.kind === "mesh" || shape.kind === "cylinder" || shape.kind === "capsule") {
      const mesh = this.solid(shape, colour, group), [w, i, j, k] = shape.turn ?? [1, 0, 0, 0];
      mesh.quaternion.premultiply(new Quaternion(i, j, k, w));
      mesh.position.set(...spatial(shape.centre), ...(shape.centre?.length === 3 ? [] : [0]));
    } else if (shape.kind === "box") {
      const [a, b, c] = [shape.size[0], shape.size[1], shape.size[2] ?? this.thickness(shape.size)];
      const mesh = this.mesh(this.geometry("box", a, b, c), colour, group);
      mesh.position.set(...spatial(shape.centre), ...(shape.centre?.length === 3 ? [] : [this.layer(index)]));
      if (shape.turn) mesh.quaternion.set(shape.turn[1], shape.turn[2], shape.turn[3], shape.turn[0]);
    } else if (shape.kind === "ellipsoid") {
      const mesh = this.mesh(this.geometry("ball", 1), colour, group);
      const [a, b, c] = shape.radii;
      mesh.scale.set(a, b, c ?? Math.min(a, b));
      if (shape.turn) mesh.quaternion.set(shape.turn[1], shape.turn[2], shape.turn[3], shape.turn[0]);
      mesh.position.set(...spatial(shape.centre), ...(shape.centre?.length === 3 ? [] : [0]));
    } else if (shape.kind === "bar") {
      this.bar(shape, colour, group, index);
    } else if (shape.kind === "point") {
      const radius = Math.max(shape.radius ?? 1.7 * this.size, this.thinnest);
      const mesh = this.mesh(this.geometry("ball", radius), colour, group);
      if (this.planar) mesh.position.z = this.size * 4;
    }
  }

  // Planar bars are flat links with round ends, one above the other; spatial ones are capsules.
  bar(shape, colour, group, index) {
    const from = new Vector3(...spatial(shape.from), ...(shape.from.length === 3 ? [] : [0]));
    const to = new Vector3(...spatial(shape.to), ...(shape.to.length === 3 ? [] : [0]));
    const length = from.distanceTo(to), radius = Math.max((shape.width ?? 3 * this.size) / 2, this.thinnest);
    if (this.planar) {
      const angle = Math.atan2(to.y - from.y, to.x - from.x);
      const mesh = this.mesh(this.geometry("flat_bar", length, radius, 0.6 * this.size), colour, group);
      mesh.position.set(from.x, from.y, this.layer(index));
      mesh.rotation.z = angle;
    } else {
      const mesh = this.mesh(this.geometry("capsule", length, radius), colour, group);
      mesh.position.copy(from).add(to).multiplyScalar(0.5);
      mesh.quaternion.setFromUnitVectors(y_axis, to.sub(from).normalize());
    }
  }

  layer = (index) => !this.planar ? 0 : (index % 2) * 1.2 * this.size;
  thickness = (size) => Math.min(0.6 * Math.min(...size), 2 * this.size);

  // A link without mass between two points.
  link(link) {
    const mesh = this.mesh(this.geometry("cylinder", 0.42 * this.size, 1), () => theme.colour("link"));
    mesh.userData.name = link.name;
    return { mesh, link };
  }

  joint(joint) {
    const group = new Group(), dark = () => theme.colour("pin"), light = () => theme.colour("pin-inside");
    group.userData.name = joint.name && `${joint.name}, ${joint.kind.replaceAll("_", " ")}`;
    const s = joint.size ?? this.size;
    if (this.planar && joint.picture !== "box") {
      const disc = (radius, height, colour) => {
        const mesh = this.mesh(this.geometry("cylinder", radius, height), colour, group);
        mesh.rotation.x = Math.PI / 2;
        mesh.position.z = 4 * this.size;
      };
      disc(0.95 * s, 0.4 * s, dark);
      disc(0.55 * s, 0.6 * s, light);
    } else if (joint.picture === "pin") {
      const mesh = this.mesh(this.geometry("cylinder", 0.9 * s, 4.4 * s), dark, group);
      mesh.quaternion.setFromUnitVectors(y_axis, new Vector3(...(joint.axis ?? [0, 0, 1])).normalize());
    } else if (joint.picture === "box") {
      const mesh = this.mesh(new BoxGeometry(2.6 * s, 2 * s, 2 * s), dark, group);
      mesh.quaternion.setFromUnitVectors(new Vector3(1, 0, 0), new Vector3(...spatial(joint.axis ?? [1, 0]), joint.axis?.[2] ?? 0).normalize());
      if (this.planar) mesh.position.z = 4 * this.size;
    } else {
      this.mesh(this.geometry("ball", 1.25 * s), dark, group);
    }
    this.scene.add(group);
    return { group, joint };
  }

  // The line or plane that a point stays on, where the point comes.
  guide(joint) {
    const { motion } = this, s = joint.size ?? this.size, plane = joint.picture === "plane";
    const low = new Vector3(Infinity, Infinity, Infinity), high = low.clone().negate(), at = new Vector3(), from = new Vector3(), turn = new Quaternion();
    for (let f = 0; f < motion.times.length; ++f) {
      const o = 7 * (f * motion.count + joint.body);
      if (joint.body >= 0) turn.set(motion.poses[o + 4], motion.poses[o + 5], motion.poses[o + 6], motion.poses[o + 3]).invert();
      motion.frame_point(f, joint.to.body, joint.to.point, at).sub(motion.frame_point(f, joint.body, joint.point, from)).applyQuaternion(turn);
      low.min(at);
      high.max(at);
    }
    const reach = Math.min(low.distanceTo(high) / 2 || 0, this.extent) + 4 * s, group = new Group();
    const mesh = this.mesh(plane ? this.geometry("cylinder", reach, 0.15 * s) : this.geometry("cylinder", 0.3 * s, 2 * reach), () => theme.colour("link"), group);
    mesh.position.copy(low).add(high).multiplyScalar(0.5);
    mesh.quaternion.setFromUnitVectors(y_axis, new Vector3(joint.axis[0], joint.axis[1], joint.axis[2] ?? 0).normalize());
    if (plane) Object.assign(mesh.material, { transparent: true, opacity: 0.35, depthWrite: false });
    this.scene.add(group);
    return { group, joint };
  }

  // The usual sign for a fixed point: a triangle that stands below it.
  support(point) {
    const height = 3 * this.size;
    const mesh = this.mesh(new ConeGeometry(2 * this.size, height, this.planar ? 3 : 24), () => theme.colour("support"));
    if (this.planar) {
      mesh.geometry.dispose();
      const triangle = new Shape();
      triangle.moveTo(0, 0.4 * this.size);
      triangle.lineTo(-2 * this.size, -height);
      triangle.lineTo(2 * this.size, -height);
      mesh.geometry = new ExtrudeGeometry(triangle, { depth: 0.3 * this.size, bevelEnabled: false });
      mesh.position.set(point[0], point[1], -1.5 * this.size);
    } else {
      mesh.position.set(point[0], point[1], point[2] ?? 0).addScaledVector(this.up, -height / 2);
      mesh.quaternion.setFromUnitVectors(y_axis, this.up);
    }
  }

  moving(part, index, role) {
    this.scene.add(part.tube.mesh);
    part.tube.mesh.userData.name = (role === "spring" ? this.data.springs : this.data.rods)[index].name;
    this.painted.push([(c) => part.tube.paint(c), () => (role === "spring" ? theme.colour("link") : theme.line(index))]);
    return part;
  }

  trail(trail, index) {
    const made = new Trail(trail, this.motion, "black");
    this.scene.add(made.mesh);
    this.painted.push([(c) => made.paint(c), () => theme.line(trail.colour ?? index)]);
    return made;
  }

  repaint() {
    for (const [paint, colour] of this.painted) paint(colour());
    const back = new Color(theme.colour("stage")), line = new Color(theme.colour("stage-grid"));
    const colours = this.grid.geometry.attributes.color, mixed = new Color();
    this.grid_shades.forEach((shade, i) => colours.setXYZ(i, ...mixed.copy(back).lerp(line, shade).toArray()));
    colours.needsUpdate = true;
    this.scene.background = back;
  }

  pose(t) {
    const { motion } = this;
    const now = motion.at(t);
    const a = new Vector3(), b = new Vector3();
    this.bodies.forEach((group, i) => {
      group.position.set(now[7 * i], now[7 * i + 1], now[7 * i + 2]);
      group.quaternion.set(now[7 * i + 4], now[7 * i + 5], now[7 * i + 6], now[7 * i + 3]);
    });
    for (const { group, joint } of this.joints) {
      motion.point(joint.body, joint.point, group.position);
      const o = 7 * joint.body;
      if (joint.body >= 0) group.quaternion.set(now[o + 4], now[o + 5], now[o + 6], now[o + 3]);
    }
    for (const { mesh, link } of this.links) {
      motion.point(link.from.body, link.from.point, a);
      motion.point(link.to.body, link.to.point, b);
      mesh.position.copy(a).add(b).multiplyScalar(0.5);
      mesh.scale.y = a.distanceTo(b);
      mesh.quaternion.setFromUnitVectors(y_axis, b.sub(a).normalize());
    }
    for (const part of [...this.springs, ...this.rods]) part.update();
  }

  dispose() {
    this.scene.traverse((object) => {
      object.geometry?.dispose();
      object.material?.dispose();
    });
  }
}

const round = (fine, most) => Math.max(6, Math.round(fine * most));
const solids = {
  box: (fine, a, b, c) => new RoundedBoxGeometry(a, b, c, round(fine, 6) / 3, 0.12 * Math.min(a, b, c)),
  ball: (fine, radius) => new SphereGeometry(radius, round(fine, 36), round(fine, 24)),
  capsule: (fine, length, radius) => new CapsuleGeometry(radius, length, round(fine, 8), round(fine, 24)),
  cylinder: (fine, radius, height) => new CylinderGeometry(radius, radius, height, round(fine, 32)),
  flat_bar: (fine, length, radius, depth) => {
    const outline = new Shape(), bevel = 0.22 * radius;
    outline.absarc(0, 0, radius, Math.PI / 2, (3 * Math.PI) / 2);
    outline.absarc(length, 0, radius, -Math.PI / 2, Math.PI / 2);
    const segments = { bevelSegments: fine < 1 ? 1 : 4, curveSegments: round(fine, 24) };
    return new ExtrudeGeometry(outline, { depth, bevelSize: bevel, bevelThickness: bevel, bevelOffset: -bevel, ...segments });
  },
};

const opposite = (gravity) => (gravity && gravity.some((g) => g !== 0) ? gravity.map((g) => -g) : undefined);
const spatial = (point) => (point ? [...point] : [0, 0]);

// 1, 2 or 5 times a power of ten, not above the value.
function round_down(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * [5, 2, 1].find((digit) => digit * power <= value * 1.0001);
}

// Points of a body that bound its shapes, each with a radius around it.
function outline(body, meshes) {
  const points = [];
  for (const shape of body?.shapes ?? []) {
    if (shape.kind === "bar") points.push([shape.from, (shape.width ?? 0) / 2], [shape.to, (shape.width ?? 0) / 2]);
    else if (shape.kind === "box") points.push([shape.centre ?? [0, 0], Math.hypot(...shape.size) / 2]);
    else if (shape.kind === "ellipsoid") points.push([shape.centre ?? [0, 0], Math.max(...shape.radii)]);
    else if (shape.kind === "cylinder" || shape.kind === "capsule")
      points.push([shape.centre ?? [0, 0, 0], Math.hypot(shape.radius, shape.length / 2 + (shape.kind === "capsule" ? shape.radius : 0))]);
    else if (shape.kind === "mesh") points.push(...mesh_bounds(shape, meshes));
    else points.push([[0, 0], shape.radius ?? 0]);
  }
  return points;
}

// The corners of the box around a mesh, turned and placed with it.
function mesh_bounds(shape, meshes) {
  const mesh = meshes[shape.mesh];
  mesh.box ??= bounds(decode(mesh.points));
  const [low, high] = mesh.box, scale = shape.scale ?? [1, 1, 1], [w, i, j, k] = shape.turn ?? [1, 0, 0, 0];
  const turn = new Quaternion(i, j, k, w), centre = shape.centre ?? [0, 0, 0];
  return Array.from({ length: 8 }, (_, c) => {
    const corner = new Vector3(...[0, 1, 2].map((d) => scale[d] * ((c >> d) & 1 ? high[d] : low[d]))).applyQuaternion(turn);
    return [[corner.x + centre[0], corner.y + centre[1], corner.z + (centre[2] ?? 0)], 0];
  });
}

function bounds(points) {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  points.forEach((x, at) => {
    low[at % 3] = Math.min(low[at % 3], x);
    high[at % 3] = Math.max(high[at % 3], x);
  });
  return [low, high];
}
