// The report in headless Chromium: it moves, shows the numbers of its data, zooms, hides, prints.
import assert from "node:assert/strict";
import test from "node:test";
import { coloured, data, eventually, page_data, picture, same, scrub, seconds, variable, with_page, write } from "./browser.mjs";

// The numbers of the summary are those of the data.
async function check_summary(page, { id, summary }) {
  const expected = {
    energy_initial: [summary.energy.initial], energy_max_error: [summary.energy.max_error],
    drift: [summary.drift.slope, summary.drift.slope_error],
    ...(summary.constraints && { constraint_max: [summary.constraints.max], hidden_max: [summary.constraints.hidden_max] }),
    ...(summary.newton && { newton: [summary.newton.mean, summary.newton.max] }),
    fallbacks: [summary.fallbacks], retries: [summary.retries], singular: [summary.singular],
    steps_per_second: [summary.timing.steps_per_second], seconds: [summary.timing.seconds],
    ...Object.fromEntries((summary.momenta ?? []).map((m) => [`momentum:${m.name}`, [m.max_error]])),
    ...Object.fromEntries((summary.more ?? []).map((m) => [`more:${m.name}`, [m.value]])),
  };
  for (const [name, values] of Object.entries(expected)) {
    const found = await page.locator(`[data-figure="${name}"] > dd data, span[data-figure="${name}"] data`).evaluateAll((all) => all.map((one) => [one.value, one.textContent]));
    assert.deepEqual(found.map(([value]) => value), values.map(String), `${id} ${name}`);
    for (const [value, text] of found)  // what is read is the same number, to its digits
      assert.ok(Math.abs(Number(text.replaceAll("−", "-")) - Number(value)) <= 5.1e-3 * Math.abs(Number(value)), `${value} reads ${text}`);
  }
  const laws = await page.locator(".laws tbody tr").evaluateAll((rows) => rows.map((row) => [row.cells[0].textContent, row.cells[1].textContent, row.cells[2].textContent, row.cells[5].textContent.slice(2)]));
  assert.deepEqual(laws, (summary.laws ?? []).map((law) => [law.name, law.declared, law.measured, law.declared === "-" ? "asured only" : law.holds ? "holds" : "fails"]));
}

for (const one of data.pages)
  test(`${one.id}: opens without complaint, with its plots, its text and the numbers of its data`, () => with_page({ id: one.id }, async (page) => {
    const { meta, plots } = one;
    assert.equal(await page.locator("h1").textContent(), meta.title);
    assert.equal(await page.title(), data.title);
    const seen = plots.filter((plot) => plot.id !== "zero");  // of which nothing can be seen
    assert.equal(await page.locator(".plot-card").count(), seen.length);
    for (const plot of seen) {
      const card = page.locator(`#plot-${plot.id}`);
      assert.equal(await card.locator(".series").count(), (plot.series ?? plot.curves).length);
      assert.equal(await card.locator("canvas").count(), 1);
    }
    assert.equal(await page.locator(".model code").textContent(), meta.model.text);
    assert.equal(await page.locator(".command code").textContent(), meta.command);
    assert.equal(await page.locator(".badge").textContent(), `${meta.status === "complete" ? "✓" : "✕"} ${meta.status}`);
    await check_summary(page, one);
  }));

test("the legend shows the values of the data at the time", () => with_page({ id: "spring" }, async (page) => {
  const { axes, plots } = page_data("spring");
  await scrub(page, 0.5);
  const t = await seconds(page);
  const index = axes.t.values.reduce((best, time, i) => (Math.abs(time - t) < Math.abs(axes.t.values[best] - t) ? i : best), 0);
  const text = await page.locator("#plot-energy_error .value").textContent();
  const value = Math.abs(plots[0].series[0].values[index]);
  assert.ok(Math.abs(Number(text.replaceAll("−", "-")) - value) <= 5.1e-3 * value, `${text} for ${value}`);
}));

for (const id of ["four-bar", "ring", "pendulum", "tumbling", "spring"])
  test(`${id}: play moves the picture, pause stops it`, () => with_page({ id }, async (page) => {
    const still = await picture(page);
    assert.equal(await seconds(page), 0);
    await page.locator("#play").click();
    await page.waitForFunction(() => Number(document.getElementById("clock").dataset.t) > 0.25);
    assert.equal(await page.locator("#play").getAttribute("aria-label"), "pause");
    await page.locator("#play").click();
    const t = await seconds(page), moved = await picture(page);
    assert.ok(!(await same(page, moved, still)));
    assert.equal(await seconds(page), t);
  }));

test("scrubbing sets time, picture and the marks in the plots", () => with_page({ id: "four-bar" }, async (page) => {
  const first = await picture(page);
  const mark = () => page.locator("#plot-energy .marker").evaluate((m) => m.getBoundingClientRect().left);
  const dot = () => page.locator("#plot-phase .dot").evaluate((m) => m.getBoundingClientRect().left);
  const [m0, d0] = [await mark(), await dot()];
  await scrub(page, 0.15);
  assert.ok(Math.abs((await seconds(page)) - 1.5) < 1e-9);
  assert.equal(await page.locator("#clock").textContent(), "t = 1.50");
  assert.ok(!(await same(page, await picture(page), first)));
  assert.ok((await mark()) > m0 + 50 && Math.abs((await dot()) - d0) > 5);
  await scrub(page, 0);
  assert.ok(await same(page, await picture(page), first));
}));

test("speed: four times as fast is four times as far", () => with_page({ id: "pendulum" }, async (page) => {
  // Frames are called by hand: what a second is does not depend on the machine.
  await page.evaluate(() => {
    window.frames_due = [];
    window.requestAnimationFrame = (frame) => frames_due.push(frame);
  });
  const far = async (speed) => {
    await scrub(page, 0);
    await page.locator("#speed").selectOption(speed);
    return page.evaluate(() => {
      document.getElementById("play").click();
      for (let now = 1000; now <= 2000; now += 20) for (const frame of frames_due.splice(0)) frame(now);
      document.getElementById("play").click();
      return Number(document.getElementById("clock").dataset.t);
    });
  };
  const [half, double] = [await far("0.5"), await far("2")];
  assert.ok(Math.abs(half - 0.5) < 1e-9 && Math.abs(double - 2) < 1e-9, `${half} and ${double}`);
}));

test("hiding a series takes its line away, showing brings it back", () => with_page({ id: "four-bar" }, async (page) => {
  const colour = await variable(page, "line-1"), lines = () => coloured(page, "#plot-energy .plot", colour);
  const button = page.locator("#plot-energy .series").nth(1);
  const shown = await lines();
  assert.ok(shown > 200);
  await button.click();
  assert.equal(await button.getAttribute("aria-pressed"), "false");
  await eventually(async () => (await lines()) === 0, "no line");
  await button.click();
  await eventually(async () => (await lines()) === shown, "the line of before");
  assert.equal(await page.locator("#plot-force .series[aria-pressed=false]").count(), 3, "series that start hidden");
}));

test("zoom: dragging in one plot zooms all, a double click resets, a click goes to a time", () => with_page({ id: "four-bar" }, async (page) => {
  const over = page.locator("#plot-energy .u-over"), zoomed = page.locator(".plot-card.zoomed");
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  await page.mouse.click(box.x + 0.5 * box.width, box.y + 30);
  assert.ok(Math.abs((await seconds(page)) - 5) < 0.1);
  await page.mouse.move(box.x + 0.25 * box.width, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.6 * box.width, box.y + 60, { steps: 4 });
  await page.mouse.up();
  assert.equal(await zoomed.count(), 5);
  const narrow = await over.boundingBox();  // other labels have another width
  await page.mouse.click(narrow.x + 1, narrow.y + 30);
  assert.ok(Math.abs((await seconds(page)) - 2.5) < 0.1, "the left edge is now 2.5");
  await page.mouse.dblclick(box.x + 0.5 * box.width, box.y + 30);
  assert.equal(await zoomed.count(), 0);
  await page.locator("#plot-energy [aria-label^='zoom in']").click();
  assert.equal(await zoomed.count(), 5);
  await page.locator("#plot-energy [aria-label='whole range']").click();
  assert.equal(await zoomed.count(), 0);
  await page.locator("#plot-phase [aria-label='zoom in']").click();
  assert.equal(await zoomed.count(), 1);
}));

test("one sample in 200000 is seen, and nothing is where there is none", async () => {
  const n = 200000, t = Array.from({ length: n }, (_, i) => i), values = new Array(n).fill(0).map((_, i) => 0.1 * Math.sin(i));
  const of = (peak) => ({ ...data, pages: [{ ...page_data("long"), scene: undefined, axes: { t: { name: "t", values: t } },
    plots: [{ id: "lone", title: "lone", axis: "t", series: [{ name: "x", values: values.map((v, i) => (i === 123457 ? peak : v)) }, { name: "frame", values: values.map((_, i) => (i === 0 ? 1 : 0)) }] }] }] });
  for (const [name, peak, seen] of [["peak", 1, true], ["none", 0, false]])
    await with_page({ file: await write(of(peak), `${name}.html`) }, async (page) => {
      const count = await coloured(page, "#plot-lone .plot", await variable(page, "line-0"), 0.1, 0.35);
      assert.equal(count > 10, seen, `${count} pixels`);
    });
});

test("a thinned series says so", () => with_page({ id: "long" }, async (page) => {
  assert.match(await page.locator("#plot-energy_error .note").textContent(), /every 500 of the 1000000 samples/);
  assert.match(await page.locator("#without-plot").textContent(), /: zero at every output\.$/);
}));

test("a failed run says why, and hostile text stays text", () => with_page({ id: "spring" }, async (page) => {
  assert.equal(await page.locator(".reason").textContent(), page_data("spring").meta.reason);
  assert.equal(await page.locator(".verdict").textContent(), "✕ 0 of 1 declared laws hold");
  assert.equal(await page.locator(".model b").count(), 0);
}));

test("the gallery leads to every page, and has pictures", () => with_page({}, async (page) => {
  for (const { id, meta } of data.pages) {
    const link = page.locator(`.gallery a[data-page="${id}"]`);
    const shades = () => link.locator("canvas").evaluate((canvas) => new Set(new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size);
    await eventually(async () => (await shades()) > 50, `more than 50 colours in the picture of ${id}`);
    await link.click();
    await page.locator("h1", { hasText: meta.title }).waitFor();
    assert.equal(await page.locator(".gallery [aria-current]").getAttribute("data-page"), id);
  }
  await page.goBack();
  await page.locator("h1", { hasText: data.pages.at(-2).meta.title }).waitFor();
}));

test("the command is copied", () => with_page({ id: "four-bar", permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
  await page.locator("#copy").click();
  await page.locator(".said", { hasText: "copied" }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), page_data("four-bar").meta.command);
}));

test("one run alone has no gallery; a run without a scene has no stage; the template says that it is empty", async () => {
  const alone = { ...data, pages: [{ ...page_data("spring"), scene: undefined }] };
  await with_page({ file: await write(alone, "alone.html") }, async (page) => {
    assert.equal(await page.locator(".gallery").count() + await page.locator("#stage").count(), 0);
    assert.equal(await page.locator(".plot-card").count(), 2);
  });
  const { template } = await import("../sample/make.mjs");
  await with_page({ file: template }, async (page) => assert.match(await page.locator("[role=alert]").textContent(), /empty template/));
});
