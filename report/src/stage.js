// Stage: the one canvas with its renderer, the camera and how it is turned, panned and zoomed.
import { MOUSE, OrthographicCamera, PCFShadowMap, PerspectiveCamera, Quaternion, Raycaster, TOUCH, Vector2, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

// A browser without WebGL still shows the rest of the report.
export function webgl_works() {
  try {
    return Boolean(document.createElement("canvas").getContext("webgl2"));
  } catch {
    return false;
  }
}

export class Stage {
  constructor(canvas) {
    this.canvas = canvas;
    this.renderer = new WebGLRenderer({ canvas, antialias: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.trail_span = 0;
    this.time = 0;
    this.draw = this.draw.bind(this);
  }

  show(world) {
    this.controls?.dispose();
    this.world = world;
    this.camera = world.planar ? new OrthographicCamera() : new PerspectiveCamera(32, 1, 0.001 * world.extent, 20 * world.extent);
    this.camera.up.copy(world.up);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.canvas.style.touchAction = "pan-y";  // a finger still scrolls the page
    if (world.planar) {
      this.controls.enableRotate = false;
      this.controls.mouseButtons.LEFT = MOUSE.PAN;
      this.controls.touches.ONE = TOUCH.PAN;
      this.controls.screenSpacePanning = true;
    }
    Object.assign(this.controls, { minDistance: 0.05 * world.extent, maxDistance: 8 * world.extent, minZoom: 0.1, maxZoom: 50 });
    // The wheel scrolls the page until the scene has the focus.
    this.controls.enableZoom = document.activeElement === this.canvas;
    this.controls.addEventListener("change", () => this.request());
    this.home();
  }

  // The whole motion fills the picture.
  home() {
    const { world, camera, controls } = this;
    if (!world) return;
    controls.target.copy(world.centre);
    if (world.planar) {
      camera.position.copy(world.centre).addScaledVector(new Vector3(0, 0, 1), 3 * world.extent);
      Object.assign(camera, { near: 0.1 * world.extent, far: 10 * world.extent, zoom: 1 });
    } else {
      const given = world.data.camera?.direction ?? [0.55, -1, 0.42];
      const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), world.up);
      const from = new Vector3(...given);
      if (!world.data.camera?.direction) from.applyQuaternion(turn);
      from.normalize();
      const right = new Vector3().crossVectors(world.up, from).normalize(), above = new Vector3().crossVectors(from, right);
      const slope = Math.tan((0.5 * camera.fov * Math.PI) / 180) / 1.1;  // of the view, with a margin
      const seen = world.reached.flatMap(([point, reach]) => [[point, reach], [world.foot(point), 0]]);  // with the shadow
      let bottom = Infinity, top = -Infinity;
      for (const [point, reach] of seen) {
        bottom = Math.min(bottom, point.dot(above) - reach);
        top = Math.max(top, point.dot(above) + reach);
      }
      const middle = Number.isFinite(top) ? (bottom + top) / 2 : world.centre.dot(above);
      controls.target.addScaledVector(above, middle - world.centre.dot(above));
      const arm = new Vector3();
      let distance = 0.1 * world.extent;
      for (const [point, reach] of seen) {
        arm.subVectors(point, controls.target);
        const wide = (Math.abs(arm.dot(right)) + reach) / (slope * (this.aspect || 1)), tall = (Math.abs(arm.dot(above)) + reach) / slope;
        distance = Math.max(distance, arm.dot(from) + Math.max(wide, tall));
      }
      camera.position.copy(controls.target).addScaledVector(from, distance);
    }
    this.frame();
    controls.update();
    this.request();
  }

  frame() {
    const { world, camera, aspect } = this;
    if (!camera) return;
    if (world.planar) {
      const width = world.high.x - world.low.x, height = world.high.y - world.low.y;
      const half = 0.5 * 1.16 * Math.max(height, width / aspect, 1e-9);
      Object.assign(camera, { left: -half * aspect, right: half * aspect, top: half, bottom: -half });
    } else {
      camera.aspect = aspect;
    }
    camera.updateProjectionMatrix();
  }

  resize(width, height, ratio = Math.min(2, devicePixelRatio)) {
    if (width < 1 || height < 1) return;
    const first = this.aspect === undefined;
    this.aspect = width / height;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    Object.assign(this, { width, height, ratio });
    this.frame();
    if (first) this.home();
    this.draw();
  }

  turn(right, up) {
    if (this.world.planar) {
      const step = (0.1 * (this.camera.right - this.camera.left)) / this.camera.zoom;
      const move = new Vector3(right * step, up * step, 0);
      this.camera.position.add(move);
      this.controls.target.add(move);
    } else {
      const arm = this.camera.position.clone().sub(this.controls.target);
      const side = new Vector3().crossVectors(this.world.up, arm).normalize();
      arm.applyQuaternion(new Quaternion().setFromAxisAngle(this.world.up, 0.15 * right));
      const steep = arm.angleTo(this.world.up) - 0.15 * up;
      if (steep > 0.05 && steep < Math.PI - 0.05) arm.applyQuaternion(new Quaternion().setFromAxisAngle(side, -0.15 * up));
      this.camera.position.copy(this.controls.target).add(arm);
    }
    this.controls.update();
    this.request();
  }

  zoom(factor) {
    if (this.world.planar) {
      this.camera.zoom *= factor;
      this.camera.updateProjectionMatrix();
    } else {
      this.camera.position.sub(this.controls.target).divideScalar(factor).add(this.controls.target);
    }
    this.controls.update();
    this.request();
  }

  // The name of what is at a place of the canvas, from 0 to 1 across and down; undefined if nothing with a name is.
  under(x, y) {
    if (!this.world || !this.camera) return undefined;
    this.world.pose(this.time);
    this.world.scene.updateMatrixWorld();
    this.camera.updateMatrixWorld();
    this.ray ??= new Raycaster();
    this.ray.setFromCamera(new Vector2(2 * x - 1, 1 - 2 * y), this.camera);
    for (const { object } of this.ray.intersectObjects(this.world.scene.children, true))
      for (let part = object; part; part = part.parent) if (part.userData.name) return part.userData.name;
    return undefined;
  }

  request() {
    this.pending ??= requestAnimationFrame(this.draw);
  }

  draw() {
    cancelAnimationFrame(this.pending);
    this.pending = undefined;
    if (!this.world || !this.width) return;
    this.world.pose(this.time);
    const span = this.trail_span * (this.world.motion.end - this.world.motion.begin);
    for (const trail of this.world.trails)
      trail.update(this.time, span, this.width * this.ratio, this.height * this.ratio, this.ratio);
    this.renderer.render(this.world.scene, this.camera);
  }

  picture(width, height) {
    const { width: w, height: h, ratio } = this;
    this.resize(width, height, 2);
    const url = this.canvas.toDataURL("image/png");
    if (w) this.resize(w, h, ratio);
    return url;
  }
}
