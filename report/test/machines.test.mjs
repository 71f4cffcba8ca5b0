// Pages of machines that the program made, as a reader with a phone and one with a screen use them: a controlled arm, and
// a Delta robot whose parts are meshes. Both are seen whole, name what is pointed at, and give away series and pictures.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { faults } from "../check.mjs";
import { extract } from "../sample/pack.mjs";
import { scrub, seconds, with_page } from "./browser.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const program = process.env.EXTREMAL_PROGRAM ?? join(root, "build", "release", "extremal");
const skip = existsSync(program) ? false : `there is no program ${program}`;
const run = (...options) => execFileSync(program, options, { encoding: "utf8", cwd: folder });

// What is met under the pointer, and of two plots what is asked for with its unit.
const machines = {
  arm: { parts: ["upper", "lower", "elbow, revolute"], chosen: { coordinates: ["elbow angle rate", "rad/s"], force: ["fx elbow", "N"] } },
  delta: { parts: ["plate", "arm a", "rod b1", "knee a1, sway a1, universal"], chosen: { coordinates: ["plate.z", "m"], force: ["|t| motor b", "N m"] } },
};
const widths = { phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true }, desktop: { viewport: { width: 1280, height: 860 } } };
let folder;

const servo = (arm, target) => `
[[servo]]
name = "drive ${arm}"
joint = "motor ${arm}"
stiffness = 20
damping = 0.3
target = "${target}"
`;

before(async () => {
  if (skip) return;
  folder = await mkdtemp(join(tmpdir(), "report-machines-"));
  await copyFile(join(root, "examples", "arm.toml"), join(folder, "arm.toml"));
  await cp(join(root, "tests", "data", "robots", "meshes"), join(folder, "meshes"), { recursive: true });
  await copyFile(join(root, "tests", "data", "robots", "delta.urdf"), join(folder, "delta.urdf"));
  const robot = run("import", "delta.urdf");
  await writeFile(join(folder, "delta.toml"), robot + servo("a", "0.2*sin(3*t)") + servo("b", "0.15*(cos(3*t) - 1)") + servo("c", "0.1*sin(6*t)"));
  run("run", "arm.toml", "--archive", "arm.nc");
  run("run", "delta.toml", "--step", "0.004", "--until", "3", "--every", "5", "--archive", "delta.nc");
  for (const name of Object.keys(machines)) run("report", `${name}.nc`);
});
after(async () => folder && rm(folder, { recursive: true }));

// Every name that a pointer meets on a grid of points of the scene, and a place where each was.
const names = (page) => page.locator("#stage").evaluate((canvas) => {
  const box = canvas.getBoundingClientRect(), label = document.getElementById("under"), found = {};
  for (let i = 1; i < 60; ++i)
    for (let k = 1; k < 60; ++k) {
      const at = { clientX: box.left + (box.width * i) / 60, clientY: box.top + (box.height * k) / 60 };
      canvas.dispatchEvent(new PointerEvent("pointermove", { ...at, bubbles: true }));
      if (!label.hidden) found[label.textContent] = at;
    }
  return found;
});

async function saved(page, selector) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(selector).click()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

const png_size = (bytes) => [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];

for (const [name, machine] of Object.entries(machines))
  for (const [device, options] of Object.entries(widths))
    test(`${name} on a ${device}: named parts, series by choice, pictures and tables`, { skip }, async () => {
      const file = join(folder, `${name}.html`);
      assert.deepEqual(faults(extract(await readFile(file, "utf8"))), []);
      await with_page({ file, acceptDownloads: true, ...options }, async (page) => {
        const wide = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        assert.ok(wide[0] <= wide[1], `the page is ${wide[0]} pixels wide on a ${device} of ${wide[1]}`);
        await scrub(page, 0.3);
        const met = await names(page);
        for (const part of machine.parts) assert.ok(met[part], `${part} is not among ${Object.keys(met).join("; ")}`);
        await page.mouse.move(met[machine.parts[0]].clientX, met[machine.parts[0]].clientY);
        assert.equal(await page.locator("#under").textContent(), machine.parts[0]);

        for (const [plot, [wanted, unit]] of Object.entries(machine.chosen)) {
          const card = page.locator(`#plot-${plot}`), field = card.locator(".choose input"), names_of = () => card.locator(".series .name").allTextContents();
          const before = await names_of();
          assert.ok(!before.includes(wanted));
          await field.fill(wanted);
          const offered = await card.locator(".options button").first().evaluate((one) => [one.children[0].textContent, one.children[1].textContent]);
          assert.deepEqual(offered, [wanted, unit]);
          await field.press("Enter");
          assert.deepEqual((await names_of()).sort(), [...before, wanted].sort());
          const table = await saved(page, `#plot-${plot} [aria-label='save as CSV']`);
          const [head, ...lines] = table.bytes.toString().trim().split("\n");
          assert.ok(head.startsWith("t [s],") && head.includes(`${wanted} [${unit}]`), head);
          assert.ok(lines.length > 100, `${lines.length} lines`);
        }
        for (const selector of ["#plot-coordinates [aria-label='save as PNG']", "#scene-png"]) {
          const { bytes } = await saved(page, selector), [width, height] = png_size(bytes);
          assert.ok(bytes.length > 3000 && width > 300 && height > 200, `${selector}: ${width} x ${height}`);
        }
        // Real time, and it moves.
        assert.equal(await page.locator("#speed").inputValue(), "1");
        const t = await seconds(page);
        await page.locator("#play").click();
        await page.waitForFunction((from) => Number(document.getElementById("clock").dataset.t) > from + 0.1, t);
        await page.locator("#play").click();
      });
    });
