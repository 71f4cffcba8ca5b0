// node check.mjs FILE.html...: is the data block of a report as schema.json and README.md say? Ends with 1 if not.
import Ajv from "ajv";
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { decode } from "./src/data.js";
import { extract } from "./sample/pack.mjs";

const schema = JSON.parse(await readFile(new URL("schema.json", import.meta.url), "utf8"));
const valid = new Ajv({ allErrors: true, allowUnionTypes: true, strict: true, strictRequired: false }).compile(schema);

// What is wrong, in words; nothing if all is right.
export function faults(data) {
  if (!valid(data)) return valid.errors.map((error) => `${error.instancePath || "/"} ${error.message}`);
  const ids = data.pages.map((page) => page.id);
  return [...repeated(ids).map((id) => `two pages have the id ${id}`), ...data.pages.flatMap((page) => page_faults(page).map((text) => `${page.id}: ${text}`))];
}

const repeated = (names) => names.filter((name, i) => names.indexOf(name) !== i);

function page_faults(page) {
  const found = repeated((page.plots ?? []).map((plot) => plot.id)).map((id) => `two plots have the id ${id}`);
  const lengths = {};
  for (const [name, axis] of Object.entries(page.axes ?? {})) {
    const values = decode(axis.values);
    lengths[name] = values.length;
    if (!grows(values)) found.push(`axis ${name} does not grow`);
    if (axis.thinned && values.length % 2) found.push(`axis ${name} is thinned and has an odd length`);
  }
  for (const plot of page.plots ?? []) {
    if (plot.axis !== undefined && lengths[plot.axis] === undefined) found.push(`plot ${plot.id}: there is no axis ${plot.axis}`);
    for (const part of [...(plot.series ?? []).map(({ name, values }) => [name, values]), ...(plot.curves ?? []).flatMap(({ name, x, y }) => [[name, x], [name, y]])]) {
      const length = decode(part[1]).length;
      if (plot.axis !== undefined && length !== lengths[plot.axis]) found.push(`plot ${plot.id}: ${part[0]} has ${length} values, its axis ${lengths[plot.axis]}`);
    }
  }
  if (page.scene) found.push(...scene_faults(page.scene));
  return found;
}

function scene_faults(scene) {
  const found = [], times = decode(scene.frames.t), poses = decode(scene.frames.poses), count = scene.bodies.length;
  if (!grows(times)) found.push("frames.t does not grow");
  const expected = times.length * count * (scene.dimension === 2 ? 3 : 7);
  if (poses.length !== expected) found.push(`frames.poses has ${poses.length} values; expected ${expected}`);
  const used = [
    ...(scene.joints ?? []).flatMap((joint) => [joint.body, joint.to?.body ?? -1]), ...(scene.trails ?? []).map((trail) => trail.body), ...(scene.rods ?? []).flatMap((rod) => rod.nodes),
    ...[...(scene.links ?? []), ...(scene.springs ?? [])].flatMap((part) => [part.from.body, part.to.body]),
  ];
  for (const body of used) if (body >= count) found.push(`there is no body ${body}`);
  return found;
}

const grows = (values) => values.every((value, i) => Number.isFinite(value) && (i === 0 || value >= values[i - 1]));

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const file of process.argv.slice(2)) {
    const wrong = faults(extract(await readFile(file, "utf8")));
    for (const text of wrong) console.error(`${file}: ${text}`);
    if (wrong.length) process.exitCode = 1;
  }
}
