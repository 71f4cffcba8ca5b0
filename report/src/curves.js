// Plots of one quantity against another: phase portraits, work and precision. A dot shows where the animation is.
import uPlot from "uplot";
import { decode } from "./data.js";
import { h, icon_button } from "./dom.js";
import { tick_labels, with_unit } from "./format.js";
import { axis_style, decade_axis, few, font, label_width, legend_button, plot_card, save_buttons, whole_decades } from "./plot.js";
import { plot_picture } from "./save.js";
import { theme } from "./theme.js";
import { cubics, lower_bound, thin_curve } from "./thin.js";

const height = 268;
const most_points = 4000;

export class CurvePlot {
  constructor(group, axis, { seek, name }) {
    Object.assign(this, { group, axis, seek, range: undefined, t: 0 });
    this.times = axis ? decode(axis.values) : undefined;
    this.curves = group.curves.map((curve) => ({ ...curve, x: decode(curve.x), y: decode(curve.y) }));
    const reset = () => this.show(undefined);
    Object.assign(this, plot_card(group, [
      icon_button("plus", "zoom in", () => this.scale(0.5)),
      icon_button("minus", "zoom out", () => this.scale(2)),
      icon_button("view", "whole range", reset),
      ...save_buttons(this, name),
    ]));
    this.card.classList.add("curves");
    this.items = this.curves.map((curve, i) => {
      const item = legend_button(curve.name, i, !curve.hidden, () => this.toggle(i));
      this.legend.append(item.button);
      return item;
    });
  }

  // Curves have different points: two columns for each.
  columns() {
    const { x, y } = this.group, shown = this.curves.filter((_, i) => this.visible(i));
    const columns = shown.flatMap((curve) => [{ name: `${curve.name} ${x.name}`, unit: x.unit, values: curve.x }, { name: `${curve.name} ${y.name}`, unit: y.unit, values: curve.y }]);
    const rows = Math.max(0, ...columns.map(({ values }) => values.length));
    return columns.length ? columns.map((column) => ({ ...column, values: Array.from({ length: rows }, (_, i) => column.values[i] ?? null) })) : [{ name: x.name, values: [] }];
  }

  picture() {
    const shown = this.curves.map((curve, i) => ({ name: curve.name, colour: theme.line(i), dash: theme.dash(i) })).filter((_, i) => this.visible(i));
    return plot_picture(this.plot.ctx.canvas, this.group.title, shown, { back: theme.colour("card"), ink: theme.colour("text") });
  }

  attach() {
    const { group, curves } = this;
    const data = curves.map(({ x, y }) => {
      if (group.rate && this.times && x.length <= few) return cubics(this.times, x, y);
      const kept = x.length > most_points ? thin_curve(x, y, most_points / 4) : Array.from(x.keys());
      return [kept.map((i) => x[i]), kept.map((i) => y[i])];
    });
    this.drawn = data;
    this.measure();
    const log_x = group.x.scale === "log", log_y = group.y.scale === "log";
    const axis = (side, log) => axis_style({
      label: with_unit(side.name, side.unit), labelSize: 17, labelGap: 0, labelFont: font, space: 50,
      ...(log ? decade_axis : { values: (u, ticks) => tick_labels(ticks) }),
    });
    const scale = (name, log) => ({ time: false, distr: log ? 3 : 1, range: () => (this.range ?? this.whole)[name] });
    this.plot = new uPlot({
      mode: 2, width: this.place.clientWidth, height, legend: { show: false },
      scales: { x: scale("x", log_x), y: scale("y", log_y) },
      axes: [{ ...axis(group.x, log_x), size: 26 }, { ...axis(group.y, log_y), size: label_width }],
      series: [null, ...curves.map((curve, i) => ({
        label: curve.name, show: this.visible(i), stroke: () => theme.line(i), dash: theme.dash(i), width: 1.4, paths: group.marks ? marked : line,
      }))],
      cursor: { drag: { x: true, y: true, uni: 20, setScale: false }, points: { show: false }, bind: { dblclick: () => () => this.show(undefined) } },
      hooks: {
        draw: [() => this.dots && this.set_time(this.t)],
        setSelect: [(u) => {
          const { left, top, width, height: tall } = u.select;
          if (width < 4 && tall < 4) return;
          const x = [u.posToVal(left, "x"), u.posToVal(left + width, "x")];
          const y = [u.posToVal(top + tall, "y"), u.posToVal(top, "y")];
          u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
          this.show({ x, y });
        }],
      },
    }, [null, ...data], this.place);
    this.dots = this.times ? curves.map((_, i) => h("div", { class: "dot", style: `background: var(--line-${i % 7})` })) : [];
    this.plot.over.append(...this.dots);
    this.set_time(this.t);
  }

  visible = (index) => this.items[index].button.getAttribute("aria-pressed") === "true";

  // What shows fills the plot.
  measure() {
    this.whole = { x: this.bounds("x", 0), y: this.bounds("y", 1) };
  }

  bounds(side, part) {
    let low = Infinity, high = -Infinity;
    this.drawn.forEach((curve, i) => {
      if (this.visible(i))
        for (const value of curve[part]) {
          if (value === null || !Number.isFinite(value)) continue;
          if (value < low) low = value;
          if (value > high) high = value;
        }
    });
    if (low > high) return [-1, 1];
    if (this.group[side].scale === "log") return whole_decades(low, high);
    const pad = 0.06 * (high - low) || Math.abs(low) * 0.1 || 1;
    return [low - pad, high + pad];
  }

  show(range) {
    this.range = range;
    this.card.classList.toggle("zoomed", range !== undefined);
    this.plot.setData(this.plot.data);
  }

  scale(factor) {
    const now = this.range ?? this.whole;
    const stretched = (name) => {
      const log = this.group[name].scale === "log";
      const [a, b] = now[name].map((v) => (log ? Math.log(v) : v)), middle = (a + b) / 2, half = ((b - a) / 2) * factor;
      return [middle - half, middle + half].map((v) => (log ? Math.exp(v) : v));
    };
    this.show({ x: stretched("x"), y: stretched("y") });
  }

  toggle(index) {
    const show = !this.visible(index);
    this.items[index].button.setAttribute("aria-pressed", String(show));
    this.measure();
    this.plot.setSeries(index + 1, { show });
    this.plot.setData(this.plot.data);  // the scales follow
  }

  set_time(t) {
    this.t = t;
    if (!this.plot || !this.times) return;
    const last = this.times.length - 1;
    const next = Math.min(Math.max(1, lower_bound(this.times, t)), last), before = Math.max(0, next - 1);
    const part = this.times[next] > this.times[before] ? Math.min(1, Math.max(0, (t - this.times[before]) / (this.times[next] - this.times[before]))) : 0;
    this.dots.forEach((dot, i) => {
      const { x, y } = this.curves[i];
      const left = this.plot.valToPos(x[before] + part * (x[next] - x[before]), "x");
      const top = this.plot.valToPos(y[before] + part * (y[next] - y[before]), "y");
      dot.style.transform = `translate(${left - 4.5}px, ${top - 4.5}px)`;
      dot.hidden = !(this.visible(i) && left >= 0 && top >= 0 && left <= this.plot.over.clientWidth && top <= this.plot.over.clientHeight);
    });
  }

  resize() {
    const width = this.place.clientWidth;
    if (width < 50 || !this.plot || width === this.plot.width) return;
    this.plot.setSize({ width, height });
  }

  repaint() {
    this.plot?.redraw(false);
  }

  dispose() {
    this.plot?.destroy();
  }
}

// uPlot's own lines need x to grow.
function line(u, index) {
  return draw(u, index, (path, x, y, begin) => (begin ? path.moveTo(x, y) : path.lineTo(x, y)));
}

function marked(u, index) {
  const path = line(u, index).stroke;
  const size = 3 * devicePixelRatio;
  draw(u, index, (_, x, y) => {
    path.moveTo(x + size, y);
    path.arc(x, y, size, 0, 2 * Math.PI);
  });
  return { stroke: path, clip: line(u, index).clip };
}

function draw(u, index, point) {
  const [xs, ys] = u.data[index];
  const path = new Path2D();
  let begin = true;
  for (let i = 0; i < xs.length; ++i) {
    if (xs[i] === null || ys[i] === null || Number.isNaN(xs[i] + ys[i])) {
      begin = true;
      continue;
    }
    point(path, u.valToPos(xs[i], "x", true), u.valToPos(ys[i], "y", true), begin);
    begin = false;
  }
  const { left, top, width, height: tall } = u.bbox;
  const clip = new Path2D();
  clip.rect(left, top, width, tall);
  return { stroke: path, clip };
}
