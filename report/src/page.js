// Page: everything about one run, in one column on a phone and in two on a screen.
import { Animation } from "./animation.js";
import { CurvePlot } from "./curves.js";
import { decode } from "./data.js";
import { h } from "./dom.js";
import { Motion } from "./motion.js";
import { Player } from "./player.js";
import { TimePlot, emptiness } from "./plot.js";
import { heading, key_figures, laws_table, model_text, repeat } from "./summary.js";
import { World } from "./world.js";

export class Page {
  constructor(data, stage) {
    this.data = data;
    this.stage = stage;
    const motion = data.scene ? new Motion(data.scene) : undefined;
    this.player = motion ? new Player(motion.begin, motion.end, motion.times.length) : plot_player(data);
    this.animation = motion ? new Animation(data, new World(data.scene, motion), this.player, stage) : undefined;
    const actions = { zoomed: (min, max) => this.zoom(min, max), seek: (t) => this.player.seek(t), name: data.meta.model.name };
    const groups = (data.plots ?? []).map((group) => ({ group, empty: emptiness(group) }));
    this.plots = groups.filter(({ empty }) => !empty).map(({ group }) => group.curves
      ? new CurvePlot(group, data.axes?.[group.axis], actions)
      : new TimePlot(group, data.axes[group.axis], actions));
    const without = groups.filter(({ empty }) => empty).map(({ group, empty }) => `${group.title}: ${empty}.`).join(" ");
    const plots = groups.length === 0 ? null : h("section", { class: "plots", "aria-label": "plots" },
      h("h2", {}, "Plots"), h("p", { class: "quiet hint" }, "Drag to zoom, double-click for the whole range, click to go to a time; names hide and show series."),
      h("div", { class: "plot-grid" }, this.plots.map((plot) => plot.card)),
      without ? h("p", { class: "note", id: "without-plot" }, "Without a plot: ", without) : null);
    this.element = h("article", { class: "run", id: "run" },
      heading(data),
      h("div", { class: this.animation ? "hero" : "hero bare" }, this.animation?.element, key_figures(data)),
      plots, laws_table(data.summary?.laws),
      h("div", { class: "pair" }, model_text(data), repeat(data)));
  }

  // Once the element is in the page.
  attach() {
    this.animation?.attach();
    for (const plot of this.plots) plot.attach();
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.element);
    this.player.on_change(() => {
      for (const plot of this.plots) plot.set_time(this.player.t);
    });
  }

  zoom(min, max) {
    for (const plot of this.plots) if (plot instanceof TimePlot) plot.show(min, max);
  }

  resize() {
    for (const plot of this.plots) plot.resize();
  }

  repaint() {
    this.animation?.world.repaint();
    this.stage?.request();
    for (const plot of this.plots) plot.repaint();
  }

  dispose() {
    this.observer.disconnect();
    this.animation?.dispose();
    for (const plot of this.plots) plot.dispose();
    this.element.remove();
  }
}

// Without a scene the plots still share a time.
function plot_player(data) {
  const group = (data.plots ?? []).find((plot) => plot.axis !== undefined);
  const times = group ? decode(data.axes[group.axis].values) : [0, 0];
  return new Player(times[0], times[times.length - 1], times.length);
}
