// What the browser tests share: one browser, the sample report, and looking at pixels.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { launch, open as open_file, settled } from "../look.mjs";
import { fill } from "../sample/pack.mjs";
import { sample, template } from "../sample/make.mjs";

export const data = sample();
export const page_data = (id) => data.pages.find((page) => page.id === id);

let browser, folder;

before(async () => {
  browser = await launch();
  folder = await mkdtemp(join(tmpdir(), "report-"));
  await write(data, "sample.html");
  for (const page of data.pages) await write({ ...data, pages: [page] }, `${page.id}.html`);  // opens faster
});
after(async () => {
  await browser?.close();
  if (folder) await rm(folder, { recursive: true });
});

export async function write(report, name) {
  const path = join(folder, name);
  await writeFile(path, await fill(template, report));
  return path;
}

// Runs the test with an open page (of the run `id`, of a `file`, or of all runs) and demands that the page had nothing
// to complain about.
export async function with_page({ id, file, ...options }, body) {
  const path = file ?? join(folder, id ? `${id}.html` : "sample.html");
  const { page, errors, context } = await open_file(browser, path, options);
  try {
    await body(page, context);
    if (errors.length) throw new Error(`the page reports: ${errors.join("; ")}`);
  } finally {
    await context.close();
  }
}

// Looks until `look` gives something true: a busy machine may take long, and no test depends on how long.
export async function eventually(look, what = String(look)) {
  const begin = Date.now();
  while (!(await look())) {
    if (Date.now() - begin > 300000) throw new Error(`after five minutes still not: ${what}`);
    await new Promise((next) => setTimeout(next, 50));
  }
}

export const seconds = (page) => page.locator("#clock").evaluate((clock) => Number(clock.dataset.t));

export async function scrub(page, part) {
  await page.locator("#time").evaluate((slider, value) => {
    slider.value = value;
    slider.dispatchEvent(new Event("input"));
  }, Math.round(part * 10000));
}

// The picture of the scene, without what lies over it, once it stands still: a software renderer is some frames late.
export async function picture(page) {
  let last;
  for (let i = 0; i < 8; ++i) {
    await settled(page);
    const next = (await page.locator("#stage").screenshot({ style: ".view-tools, .grid-note, .pace { visibility: hidden }" })).toString("base64");
    if (last && (await difference(page, last, next)) === 0) return next;
    last = next;
  }
  throw new Error("the picture does not stand still");
}

// Pixels that differ by more than what smoothing of edges leaves to chance.
const difference = (page, a, b) => page.evaluate(async (pictures) => {
  const [p, q] = await Promise.all(pictures.map(async (text) => {
    const image = new Image();
    image.src = `data:image/png;base64,${text}`;
    await image.decode();
    const context = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height }).getContext("2d", { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height).data;
  }));
  if (p.length !== q.length) return Infinity;
  let count = 0;
  for (let i = 0; i < p.length; i += 4) if (Math.abs(p[i] - q[i]) + Math.abs(p[i + 1] - q[i + 1]) + Math.abs(p[i + 2] - q[i + 2]) > 60) ++count;
  return count;
}, [a, b]);

// Negligible, or clear: nothing in between passes.
export const same = async (page, a, b) => {
  const count = await difference(page, a, b);
  if (count > 30 && count < 150) throw new Error(`${count} pixels differ: neither the same nor another picture`);
  return count <= 30;
};

// How many pixels of the first canvas inside `selector` have nearly this colour, between two heights (0 top, 1 bottom).
export const coloured = (page, selector, colour, from = 0, to = 1) => page.locator(selector).first().evaluate((element, [rgb, a, b]) => {
  const canvas = element.tagName === "CANVAS" ? element : element.querySelector("canvas");
  const top = Math.floor(a * canvas.height), tall = Math.max(1, Math.floor((b - a) * canvas.height));
  const copy = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height }).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, top, canvas.width, tall);
  let count = 0;
  for (let i = 0; i < data.length; i += 4)
    if (data[i + 3] > 200 && rgb.every((c, k) => Math.abs(c - data[i + k]) < 24)) ++count;
  return count;
}, [hex(colour), from, to]);

export const hex = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
export const variable = (page, name) => page.evaluate((v) => getComputedStyle(document.documentElement).getPropertyValue(v).trim(), `--${name}`);
