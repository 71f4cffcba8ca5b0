// Animation: the stage with its controls and keys.
import { h, icon, icon_button } from "./dom.js";
import { duration, short_number } from "./format.js";
import { save_picture } from "./save.js";
import { speeds } from "./player.js";

const trails = { off: 0, short: 0.1, medium: 0.3, whole: 10 };

export class Animation {
  // stage: undefined in a browser without WebGL.
  constructor(page, world, player, stage) {
    Object.assign(this, { world, player, stage });
    const { scene, meta } = page;
    const parts = [[scene.bodies.length - rod_nodes(scene), "bodies"], [scene.joints?.length, "joints"], [scene.rods?.length, "rods"], [scene.springs?.length, "springs"]]
      .filter(([count]) => count > 0).map(([count, name]) => `${count} ${count === 1 ? singular(name) : name}`);
    const label = `animation of ${meta.title ?? meta.model.name}: ${parts.join(", ")}`;
    this.screen = h("div", { class: "screen" });
    if (stage) {
      Object.assign(stage.canvas, { tabIndex: 0, id: "stage" });
      stage.canvas.setAttribute("role", "img");
      stage.canvas.setAttribute("aria-label", `${label}. Keys: space plays, arrows scrub, W A S D turn, plus and minus zoom, 0 resets the view`);
      this.screen.append(stage.canvas);
    } else {
      this.screen.append(h("p", { class: "no-stage" }, "This browser does not offer WebGL: there is no animation, the plots follow the time all the same."));
    }
    this.play = icon_button("play", "play", () => player.toggle(), { class: "icon play", id: "play" });
    this.slider = h("input", {
      type: "range", id: "time", min: 0, max: 10000, step: 1, "aria-label": "time", oninput: () => {
        const part = this.slider.value / 10000;  // before a change of the player moves the slider
        player.pause();
        player.seek(player.begin + (player.end - player.begin) * part);
      },
    });
    this.clock = h("output", { class: "clock", id: "clock", for: "time" });
    this.speed = h("select", { id: "speed", "aria-label": "speed", title: "speed", onchange: () => this.set_speed(Number(this.speed.value)) },
      speeds.map((speed) => h("option", { value: speed, selected: speed === player.speed }, `${speed}×`)));
    this.trail = h("select", { id: "trail", "aria-label": "trails", title: "trails", onchange: () => this.set_trail(this.trail.value) },
      Object.keys(trails).map((name) => h("option", { value: name, selected: name === "medium" }, `${name === "off" ? "no" : name} trail`)));
    this.trail.hidden = !scene.trails?.length;
    const view = stage ? h("div", { class: "view-tools" },
      icon_button("plus", "zoom in", () => stage.zoom(1.25)),
      icon_button("minus", "zoom out", () => stage.zoom(0.8)),
      icon_button("view", "whole motion", () => stage.home(), { id: "home" }),
      icon_button("picture", "save the picture", () => save_picture(stage.picture(1600, 1000), `${meta.model.name} t=${short_number(player.t)}`), { id: "scene-png" })) : null;
    this.label = h("p", { class: "under", id: "under", role: "status" });
    this.label.hidden = true;
    this.pace = h("p", { class: "pace", id: "pace" });
    this.set_speed(player.speed);
    this.screen.append(...[view, this.label, this.pace, h("p", { class: "grid-note" }, `grid ${short_number(world.spacing)}${scene.unit ? ` ${scene.unit}` : ""}`)].filter(Boolean));
    this.element = h("figure", { class: "card stage-card" }, this.screen,
      h("div", { class: "controls" },
        icon_button("start", "to the start", () => player.seek(player.begin)), this.play, this.slider, this.clock, this.speed, this.trail),
      h("figcaption", { class: "keys" }, "Space plays · ← → step · ", scene.dimension === 2 ? "drag pans" : "drag turns", " · ", "wheel zooms once clicked"));
    player.on_change(() => this.update());
  }

  attach() {
    const { stage, world } = this;
    if (!stage) return;
    stage.show(world);
    this.set_trail(this.trail.value);
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.screen);
    this.resize();
    stage.canvas.onfocus = () => (stage.controls.enableZoom = true);
    stage.canvas.onblur = () => (stage.controls.enableZoom = false);
    stage.canvas.onpointerdown = (event) => {
      stage.canvas.focus({ preventScroll: true });
      this.name_under(event);
    };
    stage.canvas.onpointermove = (event) => this.name_under(event);
    stage.canvas.onpointerleave = () => (this.label.hidden = true);
  }

  // Bodies and joints are named under the pointer.
  name_under(event) {
    const box = this.stage.canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    const name = this.stage.under(x / box.width, y / box.height);
    this.label.textContent = name ?? "";
    this.label.hidden = !name;
    this.label.style.transform = `translate(${Math.min(x + 14, box.width - this.label.offsetWidth - 6)}px, ${Math.max(4, y - 30)}px)`;
  }

  resize() {
    this.stage?.resize(this.screen.clientWidth, this.screen.clientHeight);
  }

  // Whoever sees a motion takes it for real time.
  set_speed(speed) {
    this.player.speed = speed;
    this.pace.textContent = speed < 1 ? `slow motion, ${short_number(1 / speed)} times slower than real` : `time lapse, ${speed} times faster than real`;
    this.pace.hidden = speed === 1;
  }

  set_trail(name) {
    if (!this.stage) return;
    this.stage.trail_span = trails[name];
    this.stage.request();
  }

  update() {
    const { player, stage } = this;
    const text = `t = ${duration(player.t, player.end - player.begin)}`;
    this.clock.textContent = text;
    this.clock.dataset.t = player.t;
    this.slider.value = Math.round((10000 * (player.t - player.begin)) / (player.end - player.begin || 1));
    this.slider.setAttribute("aria-valuetext", text);
    const name = player.playing ? "pause" : "play";
    if (this.play.title !== name) {
      this.play.title = name;
      this.play.setAttribute("aria-label", name);
      this.play.replaceChildren(icon(name));
    }
    if (stage) {
      stage.time = player.t;
      stage.request();
    }
  }

  // true if the key was ours.
  key(event) {
    const { player, stage } = this;
    const on_stage = stage && document.activeElement === stage.canvas;
    const scrub = (steps) => {
      player.pause();
      player.seek(player.t + steps * player.step);
    };
    const actions = {
      " ": () => player.toggle(),
      ArrowLeft: () => scrub(event.shiftKey ? -10 : -1),
      ArrowRight: () => scrub(event.shiftKey ? 10 : 1),
      Home: () => player.seek(player.begin),
      End: () => player.seek(player.end),
      ...(on_stage && {
        a: () => stage.turn(-1, 0), d: () => stage.turn(1, 0), w: () => stage.turn(0, 1), s: () => stage.turn(0, -1),
        "+": () => stage.zoom(1.25), "=": () => stage.zoom(1.25), "-": () => stage.zoom(0.8), 0: () => stage.home(),
      }),
    };
    if (!actions[event.key]) return false;
    actions[event.key]();
    return true;
  }

  dispose() {
    this.observer?.disconnect();
    this.player.pause();
    this.world.dispose();
  }
}

const rod_nodes = (scene) => new Set((scene.rods ?? []).flatMap((rod) => rod.nodes)).size;
const singular = (name) => (name === "bodies" ? "body" : name.slice(0, -1));
