// What a reader takes along: pictures as PNG, series as CSV.
import { h } from "./dom.js";

const file_name = (name) => name.replaceAll(/[^A-Za-z0-9._=-]+/g, "-").replaceAll(/^-+|-+$/g, "") || "report";

// url: of the data, "data:..." or a blob.
export function save(url, name) {
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
}

export const save_picture = (url, name) => save(url, `${file_name(name)}.png`);

// A header of names, with units in brackets, and a line for every row. Every digit of a number is there.
export function csv(columns) {
  const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = [columns.map(({ name, unit }) => quoted(unit ? `${name} [${unit}]` : name)).join(",")];
  for (let i = 0; i < columns[0].values.length; ++i)
    lines.push(columns.map(({ values }) => (values[i] === null || Number.isNaN(values[i]) ? "" : String(values[i]))).join(","));
  return `${lines.join("\n")}\n`;
}

export function save_csv(columns, name) {
  const url = URL.createObjectURL(new Blob([csv(columns)], { type: "text/csv" }));
  save(url, `${file_name(name)}.csv`);
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

// The canvas of a plot with its title and its legend, on the colour of the card.
export function plot_picture(canvas, title, series, { back, ink }) {
  const ratio = devicePixelRatio, top = 30 * ratio, line = 18 * ratio;
  const picture = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height + top + line * Math.ceil(series.length / 3) + 8 * ratio });
  const context = picture.getContext("2d");
  context.fillStyle = back;
  context.fillRect(0, 0, picture.width, picture.height);
  context.drawImage(canvas, 0, top);
  context.fillStyle = ink;
  context.font = `600 ${14 * ratio}px system-ui, sans-serif`;
  context.fillText(title, 12 * ratio, 20 * ratio);
  context.font = `${12 * ratio}px system-ui, sans-serif`;
  series.forEach(({ name, colour, dash }, i) => {
    const x = 12 * ratio + ((i % 3) * picture.width) / 3, y = top + canvas.height + line * (Math.floor(i / 3) + 0.6);
    Object.assign(context, { strokeStyle: colour, lineWidth: 2 * ratio });
    context.setLineDash(dash.map((d) => d * ratio));
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + 20 * ratio, y);
    context.stroke();
    context.fillText(name, x + 26 * ratio, y + 4 * ratio);
  });
  return picture.toDataURL("image/png");
}
