// Reports that the program made, in headless Chromium: they open without complaint, move, and show the numbers of the
// run. The program is EXTREMAL_PROGRAM, or that of the release build; without one there is nothing to test.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { faults } from "../check.mjs";
import { extract } from "../sample/pack.mjs";
import { settled } from "../look.mjs";
import { picture, same, scrub, seconds, with_page } from "./browser.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const program = process.env.EXTREMAL_PROGRAM ?? join(root, "build", "release", "extremal");
const skip = existsSync(program) ? false : `there is no program ${program}`;
const runs = {
  "double-four-bar": ["--until", "4"],
  "elastic-ring-folding": ["--until", "1.5", "--every", "10"],
  "top": ["--until", "0.5"],
  "thermoelastic-triangle": ["--until", "2"],
  "triple-pendulum": ["--until", "4"],
};
const file = (name) => join(folder, `${name}.html`);
const summaries = {};
let folder;

before(async () => {
  if (skip) return;
  folder = await mkdtemp(join(tmpdir(), "report-real-"));
  for (const [model, options] of Object.entries(runs)) {
    const archive = join(folder, `${model}.nc`);
    summaries[model] = JSON.parse(execFileSync(program, ["run", join(root, "models", `${model}.toml`), ...options, "--json", "--archive", archive], { encoding: "utf8" }));
    assert.equal(execFileSync(program, ["report", archive], { encoding: "utf8" }), `${file(model)}\n`);
  }
});
after(async () => folder && rm(folder, { recursive: true }));

for (const model of Object.keys(runs)) {
  test(`${model}: its report is valid, has the numbers of the run, and moves`, { skip }, async () => {
    assert.deepEqual(faults(extract(await readFile(file(model), "utf8"))), []);
    const run = summaries[model];
    await with_page({ file: file(model) }, async (page) => {
      const figures = async (name) => (await page.locator(`[data-figure="${name}"] > dd data`).evaluateAll((all) => all.map((one) => Number(one.value))));
      assert.deepEqual(await figures("energy_initial"), [run.energy.initial]);
      if ((await figures("energy_max_error")).length) {  // no forces
        assert.deepEqual(await figures("energy_max_error"), [run.energy.max_error]);
        assert.deepEqual(await figures("drift"), [run.energy.drift_slope, run.energy.drift_slope_error]);
      }
      if (Object.keys(run.final.lambda).length) assert.deepEqual(await figures("constraint_max"), [run.constraint_max]);
      assert.equal(await page.locator(".badge").textContent(), "✓ complete");
      // The animation moves.
      const still = await picture(page);
      await page.locator("#play").click();
      await page.waitForFunction(() => Number(document.getElementById("clock").dataset.t) > 0.15);
      await page.locator("#play").click();
      const t = await seconds(page);  // it may have begun anew
      await settled(page);
      assert.equal(await seconds(page), t);
      await scrub(page, 0.6);
      assert.ok(!(await same(page, await picture(page), still)));
    });
  });
}
