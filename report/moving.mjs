// node moving.mjs FILE.html OUT.svg [--page ID] [--frames N] [--seconds S]: the planar motion of a report as a picture
// that moves by itself, for pages that take no scripts. Bars, links and points; about 5 kB a body.
import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { extract } from "./sample/pack.mjs";
import { Motion } from "./src/motion.js";

const colours = ["#1f77b4", "#d95f02", "#1b9e77", "#b65fa8", "#c99a10", "#5a7bd0", "#7a7f87"];
const width = 760, margin = 40;

export function moving(page, { frames = 150, seconds } = {}) {
  const { scene } = page, motion = new Motion(scene);
  if (scene.dimension !== 2) throw new Error("the motion is not planar");
  const span = motion.end - motion.begin, times = Array.from({ length: frames + 1 }, (_, k) => motion.begin + (span * k) / frames);
  const at = { set(x, y) { Object.assign(this, { x, y }); return this; } };
  const ways = (body, point) => times.map((t) => {
    motion.at(t);
    motion.point(body, point, at);
    return [at.x, at.y];
  });
  const bars = [], dots = [];
  scene.bodies.forEach((body, i) => {
    for (const shape of body.shapes ?? []) {
      const colour = colours[(body.colour ?? i) % colours.length];
      if (shape.kind === "bar") bars.push({ ends: [ways(i, shape.from), ways(i, shape.to)], colour });
      if (shape.kind === "point") dots.push({ way: ways(i, [0, 0]), colour });
    }
  });
  for (const link of scene.links ?? []) bars.push({ ends: [link.from, link.to].map((end) => ways(end.body, end.point)), colour: "#9096a0" });
  const supports = (scene.ground ?? []).map(({ point }) => point);
  const all = [...bars.flatMap(({ ends }) => ends.flat()), ...dots.flatMap(({ way }) => way), ...supports];
  const low = [0, 1].map((k) => Math.min(...all.map((p) => p[k]))), high = [0, 1].map((k) => Math.max(...all.map((p) => p[k])));
  const scale = (width - 2 * margin) / Math.max(high[0] - low[0], 1e-9), height = Math.round(2 * margin + scale * (high[1] - low[1]));
  const place = ([x, y]) => [margin + scale * (x - low[0]), height - margin - scale * (y - low[1])].map((v) => Number(v.toFixed(1)));
  const time = `dur="${seconds ?? Number(span.toPrecision(3))}s" repeatCount="indefinite"`;
  const animate = (name, way, k) => `<animate attributeName="${name}" ${time} values="${way.map((p) => place(p)[k]).join(";")}"/>`;
  const first = (names, way) => names.map((name, k) => `${name}="${place(way[0])[k]}"`).join(" ");
  const triangle = (point) => {
    const [x, y] = place(point);
    return `<path d="M${x} ${y}l-13 22h26z" fill="#9096a0"/>`;
  };
  const bar = ({ ends: [a, b], colour }) => `<line ${first(["x1", "y1"], a)} ${first(["x2", "y2"], b)} stroke="${colour}" stroke-width="11" stroke-linecap="round">` +
    animate("x1", a, 0) + animate("y1", a, 1) + animate("x2", b, 0) + animate("y2", b, 1) + "</line>";
  const dot = ({ way, colour }) => `<circle ${first(["cx", "cy"], way)} r="10" fill="${colour}">` + animate("cx", way, 0) + animate("cy", way, 1) + "</circle>";
  const title = page.meta.title ?? page.meta.model.name;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title.replace(/[<&"]/g, " ")}">\n` +
    [...supports.map(triangle), ...bars.map(bar), ...dots.map(dot)].join("\n") + "\n</svg>\n";
}

if (process.argv[1]?.endsWith("moving.mjs")) {
  const { values, positionals: [file, out] } = parseArgs({ allowPositionals: true, options: { page: { type: "string" }, frames: { type: "string" }, seconds: { type: "string" } } });
  const { pages } = extract(await readFile(file, "utf8"));
  const page = values.page ? pages.find(({ id }) => id === values.page) : pages[0];
  await writeFile(out, moving(page, { frames: values.frames && Number(values.frames), seconds: values.seconds && Number(values.seconds) }));
}
