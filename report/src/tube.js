// Tube: a surface around a line whose points move. Rods and coil springs are drawn with it.
import { BufferAttribute, BufferGeometry, Color, Mesh, MeshStandardMaterial, Vector3 } from "three";

export class Tube {
  // stripe: the side that the normals point to is lighter, which makes twist visible.
  constructor(points, { sides = 10, closed = false, radius, colour, stripe = false }) {
    Object.assign(this, { points, sides, closed, radius, stripe });
    this.rings = closed ? points + 1 : points;
    const geometry = new BufferGeometry();
    for (const name of ["position", "normal", "color"])
      geometry.setAttribute(name, new BufferAttribute(new Float32Array(this.rings * sides * 3), 3));
    const index = [];
    for (let r = 0; r + 1 < this.rings; ++r)
      for (let s = 0; s < sides; ++s) {
        const a = r * sides + s, b = r * sides + ((s + 1) % sides);
        index.push(a, b, a + sides, b, b + sides, a + sides);
      }
    geometry.setIndex(index);
    this.mesh = new Mesh(geometry, new MeshStandardMaterial({ vertexColors: true, roughness: 0.5 }));
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = true;
    this.paint(colour);
  }

  paint(colour) {
    const base = new Color(colour), light = base.clone().lerp(new Color("white"), 0.8);
    const colours = this.mesh.geometry.attributes.color;
    for (let i = 0; i < this.rings * this.sides; ++i) {
      const s = i % this.sides;
      const { r, g, b } = this.stripe && s === 0 ? light : base;
      colours.setXYZ(i, r, g, b);
    }
    colours.needsUpdate = true;
  }

  // centres: Vector3 per point; normals: a direction across the line per point, or none: then one is carried along.
  update(centres, normals) {
    const { position, normal } = this.mesh.geometry.attributes;
    const tangent = new Vector3(), across = new Vector3(), other = new Vector3(), arm = new Vector3();
    const carried = new Vector3();
    for (let r = 0; r < this.rings; ++r) {
      const i = r % this.points;
      const before = this.closed ? (i + this.points - 1) % this.points : Math.max(0, i - 1);
      const after = this.closed ? (i + 1) % this.points : Math.min(this.points - 1, i + 1);
      tangent.subVectors(centres[after], centres[before]).normalize();
      if (normals) carried.copy(normals[i]);
      else if (r === 0) carried.set(0, 0, 1).addScaledVector(tangent, -tangent.z);
      if (carried.lengthSq() < 1e-6) carried.set(1, 0, 0);
      across.copy(carried).addScaledVector(tangent, -carried.dot(tangent)).normalize();
      carried.copy(across);
      other.crossVectors(tangent, across);
      for (let s = 0; s < this.sides; ++s) {
        const angle = (2 * Math.PI * s) / this.sides;
        arm.copy(across).multiplyScalar(Math.cos(angle)).addScaledVector(other, Math.sin(angle));
        const k = r * this.sides + s;
        normal.setXYZ(k, arm.x, arm.y, arm.z);
        position.setXYZ(k, centres[i].x + this.radius * arm.x, centres[i].y + this.radius * arm.y, centres[i].z + this.radius * arm.z);
      }
    }
    position.needsUpdate = normal.needsUpdate = true;
  }
}

// A rod: a tube through the nodes by Catmull and Rom's cubics. Axis 1 of a node is the tangent, axis 2 carries the stripe.
export class RodTube {
  constructor(rod, motion, colour) {
    Object.assign(this, { rod, motion });
    this.parts = rod.nodes.length > 300 ? 2 : 4;
    const spans = rod.closed ? rod.nodes.length : rod.nodes.length - 1;
    const points = spans * this.parts + (rod.closed ? 0 : 1);
    const stripe = motion.planar !== true;
    this.tube = new Tube(points, { sides: 14, closed: rod.closed, radius: rod.radius, colour, stripe });
    this.centres = Array.from({ length: points }, () => new Vector3());
    this.normals = Array.from({ length: points }, () => new Vector3());
    this.nodes = rod.nodes.map(() => new Vector3());
    this.axes = rod.nodes.map(() => new Vector3());
  }

  update() {
    const { rod, motion, nodes, axes, parts } = this;
    const n = nodes.length;
    rod.nodes.forEach((body, i) => {
      motion.point(body, [0, 0, 0], nodes[i]);
      motion.direction(body, [0, 1, 0], axes[i]);
    });
    const node = (i) => nodes[rod.closed ? (i + n) % n : Math.min(n - 1, Math.max(0, i))];
    const axis = (i) => axes[rod.closed ? (i + n) % n : Math.min(n - 1, Math.max(0, i))];
    this.centres.forEach((centre, k) => {
      const i = Math.floor(k / parts), s = (k % parts) / parts;
      const a = node(i - 1), b = node(i), c = node(i + 1), d = node(i + 2);
      const s2 = s * s, s3 = s2 * s;
      centre.set(0, 0, 0)
        .addScaledVector(a, 0.5 * (-s + 2 * s2 - s3))
        .addScaledVector(b, 0.5 * (2 - 5 * s2 + 3 * s3))
        .addScaledVector(c, 0.5 * (s + 4 * s2 - 3 * s3))
        .addScaledVector(d, 0.5 * (-s2 + s3));
      this.normals[k].copy(axis(i)).multiplyScalar(1 - s).addScaledVector(axis(i + 1), s);
    });
    this.tube.update(this.centres, this.normals);
  }
}

// A spring: a coil between two points, whose ends are straight; a damper has no coil.
export class Coil {
  constructor(spring, motion, size, colour) {
    Object.assign(this, { spring, motion });
    this.turns = spring.kind === "damper" ? 0 : spring.coils ?? 8;
    this.width = spring.radius ?? 2.2 * size;
    const points = this.turns === 0 ? 2 : 16 * this.turns + 4;
    this.tube = new Tube(points, { sides: 7, radius: 0.28 * size, colour });
    this.centres = Array.from({ length: points }, () => new Vector3());
    this.from = new Vector3();
    this.to = new Vector3();
  }

  update() {
    const { motion, spring, from, to, centres } = this;
    motion.point(spring.from.body, spring.from.point, from);
    motion.point(spring.to.body, spring.to.point, to);
    const along = new Vector3().subVectors(to, from), unit = along.clone().normalize();
    const across = new Vector3(0, 0, 1).addScaledVector(unit, -unit.z);
    if (across.lengthSq() < 1e-3) across.set(1, 0, 0).addScaledVector(unit, -unit.x);
    across.normalize();
    const other = new Vector3().crossVectors(unit, across);
    const last = centres.length - 1;
    centres.forEach((centre, k) => {
      const part = last < 3 ? k / last : Math.min(0.88, Math.max(0.12, 0.12 + (0.76 * (k - 1)) / (last - 2)));
      const end = k === 0 || k === last;
      const angle = 2 * Math.PI * this.turns * ((part - 0.12) / 0.76);
      const width = end || this.turns === 0 ? 0 : this.width * Math.min(1, (k - 1) / 8, (last - 1 - k) / 8);
      centre.copy(from).addScaledVector(along, end ? Number(k === last) : part)
        .addScaledVector(across, width * Math.sin(angle)).addScaledVector(other, width * Math.cos(angle));
    });
    this.tube.update(centres);
  }
}
