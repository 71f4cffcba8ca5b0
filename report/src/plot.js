// Plots against time: they zoom together, hide series, and follow the time of the animation.
import uPlot from "uplot";
import { chooser } from "./choose.js";
import { decode } from "./data.js";
import { h, icon_button } from "./dom.js";
import { plot_picture, save_csv, save_picture } from "./save.js";
import { short_number, tick_labels, with_unit } from "./format.js";
import { theme } from "./theme.js";
import { lower_bound, thin, visible } from "./thin.js";

export const font = '12px "Inter Variable", system-ui, sans-serif';
const height = 218;
export const few = 80;  // outputs that stand far enough apart to be seen as dots

export const axis_style = (extra) => ({
  stroke: () => theme.colour("quiet"),
  grid: { stroke: () => theme.colour("grid"), width: 1 },
  ticks: { show: false },
  border: { show: false },
  font,
  ...extra,
});

// Wide enough for the longest label.
export const label_width = (u, values) => 12 + 7 * Math.max(3, ...(values ?? []).map((text) => (text ?? "").length));

const decades = (u, index, min, max) => {
  const low = Math.round(Math.log10(min)), high = Math.round(Math.log10(max));
  const stride = Math.max(1, Math.ceil((high - low) / 6));
  return Array.from({ length: Math.floor((high - low) / stride) + 1 }, (_, k) => 10 ** (low + k * stride));
};
const decade_labels = (u, ticks) => ticks.map((tick) => (tick === null ? "" : tick.toExponential(0).replace("e+", "e").replace("-", "−").replace(/^1e0$/, "1")));

export const decade_axis = { splits: decades, values: decade_labels, filter: (u, ticks) => ticks };

export const whole_decades = (low, high) => {
  const bottom = Math.floor(Math.log10(low) + 1e-9), top = Math.ceil(Math.log10(high) - 1e-9);
  return [10 ** bottom, 10 ** Math.max(top, bottom + 1)];
};

// A card with heading, buttons, legend and a place for the plot.
export function plot_card(group, buttons) {
  const legend = h("div", { class: "legend", role: "group", "aria-label": `series of ${group.title}` });
  const place = h("div", { class: "plot", role: "img", "aria-label": `plot: ${group.title}` });
  const note = h("p", { class: "note" }, group.note ?? "");
  note.hidden = !group.note;
  const card = h("section", { class: "card plot-card", id: `plot-${group.id}`, "data-series": (group.series ?? group.curves).length },
    h("header", {}, h("h3", {}, group.title), h("div", { class: "tools" }, buttons)), place, legend, note);
  return { card, legend, place, note };
}

export function legend_button(name, index, shown, onclick) {
  const dash = theme.dash(index).join(" ");
  const swatch = document.createElement("template");
  swatch.innerHTML = `<svg class="swatch" width="22" height="10" aria-hidden="true"><line x1="1" x2="21" y1="5" y2="5" stroke-width="2.5" stroke-dasharray="${dash}" style="stroke:var(--line-${index % 7})"/></svg>`;
  const value = h("span", { class: "value" });
  const button = h("button", { type: "button", class: "series", "aria-pressed": String(shown), title: `hide or show ${name}`, onclick },
    swatch.content.firstChild, h("span", { class: "name" }, name), value);
  return { button, value };
}

// PNG of the plot, CSV of what it shows.
export const save_buttons = (plot, name) => [
  icon_button("picture", "save as PNG", () => save_picture(plot.picture(), `${name} ${plot.group.title}`)),
  icon_button("save", "save as CSV", () => save_csv(plot.columns(), `${name} ${plot.group.title}`)),
];

export class TimePlot {
  // zoomed(min, max): the reader chose a range; seek(t): a time. Of many series those that are not hidden are drawn, and
  // the reader may choose others by name.
  constructor(group, axis, { zoomed, seek, name }) {
    Object.assign(this, { group, axis, seek, log: group.scale === "log", t: 0, drawn: [] });
    this.x = decode(axis.values);
    this.full = [this.x[0], this.x[this.x.length - 1]];
    this.range = this.full;
    this.sparse = !axis.thinned && this.x.length <= few;
    const around = (factor) => () => {
      const [a, b] = this.range, middle = Math.min(b, Math.max(a, this.t));
      const width = Math.min((b - a) * factor, this.full[1] - this.full[0]);
      const from = Math.max(this.full[0], Math.min(this.full[1] - width, middle - width / 2));
      zoomed(from, from + width);
    };
    const parts = plot_card(group, [
      icon_button("plus", "zoom in at the time shown", around(0.4)),
      icon_button("minus", "zoom out", around(2.5)),
      icon_button("view", "whole range", () => zoomed(...this.full)),
      ...save_buttons(this, name),
    ]);
    Object.assign(this, parts);
    this.zoomed = zoomed;
    group.series.forEach((series, i) => (group.choose && series.hidden) || this.add(i));
    if (group.choose) this.legend.after(chooser(group, (i) => this.choose(i)));
    const notes = [group.note];
    if (axis.thinned)
      notes.push(`Thinned: of every ${axis.thinned.bucket} of the ${axis.thinned.samples} samples the smallest and the largest are drawn.`);
    if (group.smooth && this.sparse) notes.push("Dots are the outputs; the curves between them are a guide.");
    this.note.textContent = notes.filter(Boolean).join(" ");
    this.note.hidden = this.note.textContent === "";
  }

  get items() {
    return this.drawn.map(({ item }) => item);
  }

  add(index) {
    const series = this.group.series[index], values = decode(series.values), at = this.drawn.length;
    const item = legend_button(series.name, at, !series.hidden || Boolean(this.group.choose), () => this.toggle(at));
    this.legend.append(item.button);
    this.drawn.push({ index, series, values, shown: Array.from(values, this.log ? size_of : gap), item });
  }

  // From all there are: it is drawn from now on, or shown again.
  choose(index) {
    const at = this.drawn.findIndex((one) => one.index === index);
    if (at >= 0) {
      if (!this.visible(at)) this.toggle(at);
      return;
    }
    this.add(index);
    this.plot.destroy();
    this.attach();
  }

  visible = (at) => this.drawn[at].item.button.getAttribute("aria-pressed") === "true";

  // Those of what is drawn; lengths and angles may share a plot.
  units() {
    const units = new Set(this.drawn.filter((_, i) => this.visible(i)).map(({ series }) => series.unit).filter(Boolean));
    return this.group.unit ?? [...units].join(", ");
  }

  // Once the card is in the page.
  attach() {
    const { group, log } = this;
    const unit = this.units();
    this.plot = new uPlot({
      width: this.place.clientWidth, height,
      legend: { show: false },
      scales: { x: { time: false, range: () => this.range }, y: log ? { distr: 3, range: (u) => this.log_range(u) } : { range: padded } },
      axes: [
        axis_style({ values: (u, ticks) => tick_labels(ticks), size: 26, label: with_unit(this.axis.name, this.axis.unit), labelSize: 17, labelFont: font, labelGap: 0, space: 70 }),
        axis_style({ size: label_width, label: unit ? `[${unit}]` : undefined, labelSize: unit ? 16 : 0, labelFont: font, space: 34,
          ...(log ? decade_axis : { values: (u, ticks) => tick_labels(ticks) }) }),
      ],
      series: [{}, ...this.drawn.map(({ series }, i) => ({
        label: series.name, show: this.visible(i), stroke: () => theme.line(i), dash: theme.dash(i), width: 1.6,
        points: { show: series.points ?? this.sparse, size: 4, fill: () => theme.line(i) }, spanGaps: log,
        paths: group.smooth && this.sparse ? uPlot.paths.spline() : undefined,
      }))],
      cursor: {
        drag: { x: true, y: false, setScale: false }, sync: { key: "time" },
        points: { size: 6 }, bind: { dblclick: () => () => this.zoomed(...this.full) },
      },
      hooks: {
        draw: [() => this.marker && this.set_time(this.t)],  // the scale is only now the new one
        setSelect: [(u) => {
          if (u.select.width < 4) return;
          const from = u.posToVal(u.select.left, "x"), to = u.posToVal(u.select.left + u.select.width, "x");
          u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
          this.zoomed(from, to);
        }],
      },
    }, this.view(), this.place);
    const { over } = this.plot;
    this.marker = h("div", { class: "marker" });
    over.append(this.marker);
    let pressed;  // uPlot swallows clicks after a drag
    over.addEventListener("mousedown", (event) => (pressed = event.clientX));
    over.addEventListener("mouseup", (event) => {
      if (event.button === 0 && Math.abs(event.clientX - pressed) < 4) this.seek(this.plot.posToVal(event.clientX - over.getBoundingClientRect().left, "x"));
    });
    this.set_time(this.t);
  }

  // What a reader takes along: the series that show.
  columns() {
    const shown = this.drawn.filter((_, i) => this.visible(i));
    return [{ name: this.axis.name, unit: this.axis.unit, values: this.x },
      ...shown.map(({ series, values }) => ({ name: series.name, unit: series.unit ?? this.group.unit, values }))];
  }

  picture() {
    const shown = this.drawn.map(({ series }, i) => ({ name: series.name, colour: theme.line(i), dash: theme.dash(i) })).filter((_, i) => this.visible(i));
    return plot_picture(this.plot.ctx.canvas, this.group.title, shown, { back: theme.colour("card"), ink: theme.colour("text") });
  }

  // What shows, thinned to the pixels there are.
  view() {
    const [begin, end] = visible(this.x, ...this.range);
    const pixels = Math.max(100, this.plot?.width ?? this.place.clientWidth);
    if (end - begin <= 4 * pixels) return [this.x.slice(begin, end), ...this.drawn.map(({ shown }) => shown.slice(begin, end))];
    const { x, columns } = thin(this.x, this.drawn.map(({ shown }) => shown), pixels, begin, end);
    return [x, ...columns];
  }

  show(min, max) {
    this.range = [Math.max(min, this.full[0]), Math.min(max, this.full[1])];
    if (!(this.range[1] > this.range[0])) this.range = this.full;
    this.card.classList.toggle("zoomed", this.range[0] > this.full[0] || this.range[1] < this.full[1]);
    this.plot.setData(this.view());
  }

  // Zero crossings of an error are arbitrarily deep on a log scale: the lowest fiftieth may leave the picture.
  log_range(u) {
    const all = [];
    for (let i = 1; i < u.data.length; ++i)
      if (u.series[i].show) for (const value of u.data[i]) if (value !== null && value > 0) all.push(value);
    if (all.length === 0) return [1e-17, 1e-15];
    all.sort((a, b) => a - b);
    return whole_decades(all[Math.floor(all.length / 50)], all[all.length - 1]);
  }

  toggle(index) {
    const show = !this.visible(index);
    this.items[index].button.setAttribute("aria-pressed", String(show));
    this.plot.setSeries(index + 1, { show });
  }

  set_time(t) {
    this.t = t;
    if (!this.plot) return;
    const left = this.plot.valToPos(t, "x");
    this.marker.style.transform = `translateX(${left}px)`;
    this.marker.hidden = left < 0 || left > this.plot.over.clientWidth;
    const at = lower_bound(this.x, t);
    const index = Math.min(this.x.length - 1, at > 0 && this.x[at] - t > t - this.x[at - 1] ? at - 1 : at);
    const pair = index - (index % 2);
    this.drawn.forEach(({ item: { value }, values, shown }) => {
      const at_time = (k) => (this.log && values[k] === 0 ? 0 : shown[k]);  // which no log scale shows
      value.textContent = this.axis.thinned ? range_text(at_time(pair), at_time(pair + 1)) : short_number(at_time(index));
    });
  }

  resize() {
    const width = this.place.clientWidth;
    if (width < 50 || !this.plot || width === this.plot.width) return;
    this.plot.setSize({ width, height });
    this.show(...this.range);
  }

  repaint() {
    this.plot?.redraw(false);
  }

  dispose() {
    this.plot?.destroy();
  }
}

// A plot of which nothing can be seen, and why; undefined otherwise.
export function emptiness(group) {
  const all = (test) => (group.series ?? group.curves).every((one) => decode(one.values ?? one.y).every(test));
  if (all((value) => gap(value) === null)) return "no values";
  if (group.scale === "log" && all((value) => size_of(value) === null)) return "zero at every output";
  return undefined;
}

const gap = (value) => (value === null || Number.isNaN(value) ? null : value);
const size_of = (value) => (Math.abs(value) > 0 ? Math.abs(value) : null);  // null, too, has no size
const range_text = (a, b) => (a === b ? short_number(a) : `${short_number(Math.min(a, b), 3)} … ${short_number(Math.max(a, b), 3)}`);

const padded = (u, low, high) => {
  if (low === null || high === null) return [-1, 1];
  if (low === high) {
    const room = Number.isInteger(low) ? 1 : 0.1 * Math.abs(low);
    return [low - room, high + room];
  }
  const pad = 0.06 * (high - low);
  return [low >= 0 && low < 0.2 * high ? 0 : low - pad, high + pad];
};
