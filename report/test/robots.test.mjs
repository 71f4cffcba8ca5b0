// What a reader of a robot's page does: points at things, chooses series, takes pictures and numbers along.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { csv } from "../src/save.js";
import { data, page_data, scrub, variable, with_page, write, coloured } from "./browser.mjs";

// The sample with a mesh on a body, shapes around, and a plot of many series.
function robot() {
  const page = structuredClone(page_data("tumbling")), n = 40;
  const t = Array.from({ length: n }, (_, i) => i / 10);
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((c) => [1, 2, 4].map((bit) => (c & bit ? 0.5 : -0.5)));
  const faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
  page.scene.meshes = [{ points: corners, triangles: faces.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]) }];
  page.scene.bodies[0].shapes = [{ kind: "mesh", mesh: 0, scale: [2, 2, 2], paint: "#ff00ff" }];
  page.scene.bodies[0].name = "the cube";
  page.scene.scenery = [{ kind: "cylinder", radius: 0.2, length: 0.4, centre: [3, 0, 0], turn: [1, 0, 0, 0] }];
  page.axes.many = { name: "t", unit: "s", values: t };
  page.plots.unshift({
    id: "coordinates", title: "Coordinates", axis: "many", smooth: true, choose: true,
    series: Array.from({ length: 30 }, (_, k) => ({ name: k < 2 ? `hinge ${k} angle` : `body ${k}.x`, unit: k < 2 ? "rad" : "m", values: t.map((s) => Math.sin(s + k)), ...(k < 2 ? {} : { hidden: true }) })),
  });
  return { ...data, pages: [page] };
}

test("bodies are named under the pointer", async () => with_page({ file: await write(robot(), "robot.html") }, async (page) => {
  const box = await page.locator("#stage").boundingBox(), label = page.locator("#under");
  assert.ok(await label.isHidden());
  const names = new Set();
  for (let i = 1; i < 24; ++i)
    for (let k = 1; k < 24; ++k) {
      await page.mouse.move(box.x + (box.width * i) / 24, box.y + (box.height * k) / 24);
      if (await label.isVisible()) names.add(await label.textContent());
    }
  assert.ok(names.has("the cube"), [...names].join());
  await page.mouse.move(box.x + 2, box.y - 20);
  assert.ok(await label.isHidden());
}));

test("a mesh is drawn in its own colour", async () => with_page({ file: await write(robot(), "mesh.html") }, async (page) => {
  const magenta = await page.locator("#stage").screenshot();
  const count = await page.evaluate(async (text) => {
    const image = new Image();
    image.src = `data:image/png;base64,${text}`;
    await image.decode();
    const context = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height }).getContext("2d");
    context.drawImage(image, 0, 0);
    const { data: pixels } = context.getImageData(0, 0, image.width, image.height);
    let found = 0;
    for (let i = 0; i < pixels.length; i += 4) if (pixels[i] > 90 && pixels[i + 2] > 90 && pixels[i + 1] < 0.5 * pixels[i]) ++found;
    return found;
  }, magenta.toString("base64"));
  assert.ok(count > 500, `${count} pixels`);
}));

test("series are chosen by name from all there are, with units", async () => with_page({ file: await write(robot(), "choose.html") }, async (page) => {
  const card = page.locator("#plot-coordinates"), field = card.locator(".choose input");
  assert.deepEqual(await card.locator(".series .name").allTextContents(), ["hinge 0 angle", "hinge 1 angle"]);
  await field.fill("body 17");
  assert.deepEqual(await card.locator(".options button span:first-child").allTextContents(), ["body 17.x"]);
  await field.press("Enter");
  assert.deepEqual(await card.locator(".series .name").allTextContents(), ["hinge 0 angle", "hinge 1 angle", "body 17.x"]);
  assert.ok((await coloured(page, "#plot-coordinates .plot", await variable(page, "line-2"))) > 50);
  await scrub(page, 0);
  await field.fill("no such thing");
  assert.equal(await card.locator(".options .more").textContent(), "no name has this");
}));

test("plots and scene are saved as PNG, series as CSV", async () => with_page({ file: await write(robot(), "save.html"), acceptDownloads: true }, async (page) => {
  const saved = async (selector) => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator(selector).click()]);
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  };
  const table = await saved("#plot-coordinates [aria-label='save as CSV']");
  assert.match(table.name, /-Coordinates\.csv$/);
  const lines = table.bytes.toString().trim().split("\n");
  assert.equal(lines[0], "t [s],hinge 0 angle [rad],hinge 1 angle [rad]");
  assert.equal(lines.length, 41);
  assert.equal(lines[11], `1,${Math.sin(1)},${Math.sin(2)}`);
  for (const selector of ["#plot-coordinates [aria-label='save as PNG']", "#plot-phase [aria-label='save as PNG']", "#scene-png"]) {
    const picture = await saved(selector);
    assert.match(picture.name, /\.png$/);
    assert.deepEqual([...picture.bytes.subarray(1, 4)], [...Buffer.from("PNG")]);
    assert.ok(picture.bytes.length > 3000, `${picture.bytes.length} bytes`);
  }
}));

test("real time is usual", async () => with_page({ file: await write(robot(), "speed.html") }, async (page) => {
  assert.equal(await page.locator("#speed").inputValue(), "1");
  assert.ok(await page.locator("#pace").isHidden());
}));

test("names with commas and quotes are quoted in CSV", () => {
  assert.equal(csv([{ name: 'a, "b"', unit: "m", values: [1, null] }]), '"a, ""b"" [m]"\n1\n\n');
});
