// What plots leave out, join and say: hidden curves, plots without anything to see, few outputs, the pace of play, and
// the lines and planes that points stay on.
import assert from "node:assert/strict";
import test from "node:test";
import { cubics } from "../src/thin.js";
import { coloured, data, eventually, page_data, picture, same, scrub, variable, with_page, write } from "./browser.mjs";

const times = (n, span = 2 * Math.PI) => Array.from({ length: n }, (_, i) => (i * span) / (n - 1));
const made = (part) => ({ ...data, pages: [{ id: "made", meta: page_data("spring").meta, ...part }] });

// Two circles in the phase plane, of which the larger one is hidden at first.
const circles = (n) => {
  const t = times(n), of = (r) => ({ x: t.map((s) => r * Math.cos(s)), y: t.map((s) => -r * Math.sin(s)) });
  return made({
    axes: { t: { name: "t", values: t } },
    plots: [{ id: "phase", title: "phase", axis: "t", rate: true, x: { name: "x" }, y: { name: "v" }, curves: [{ name: "small", ...of(1) }, { name: "large", hidden: true, ...of(5) }] }],
  });
};

test("a hidden curve has no dot and no say in the scale, until it is shown", async () => {
  await with_page({ file: await write(circles(200), "circles.html") }, async (page) => {
    const dot = (i) => page.locator("#plot-phase .dot").nth(i);
    assert.deepEqual([await dot(0).isVisible(), await dot(1).isVisible()], [true, false]);
    // The right end of the small circle is at the right end of the plot.
    const right = async (i) => {
      const [one, all] = [await dot(i).boundingBox(), await page.locator("#plot-phase .u-over").boundingBox()];
      return (one.x + one.width / 2 - all.x) / all.width;
    };
    assert.ok((await right(0)) > 0.9, `${await right(0)}`);
    await page.locator("#plot-phase .series").nth(1).click();
    await eventually(() => dot(1).isVisible(), "the dot of the large circle");
    await eventually(async () => (await right(1)) > 0.9 && (await right(0)) < 0.7, "a scale for both");
    await page.locator("#plot-phase .series").nth(1).click();
    await eventually(async () => !(await dot(1).isVisible()) && (await right(0)) > 0.9, "as before");
  });
});

test("cubics through few points with their slopes: a circle stays one, and nine chords do not", () => {
  const t = times(10), x = t.map(Math.cos), v = t.map((s) => -Math.sin(s)), [xs, vs] = cubics(t, x, v);
  const off = (a, b) => Math.max(...a.map((value, i) => Math.abs(Math.hypot(value, b[i]) - 1)));
  assert.ok(off(xs, vs) < 0.03, `${off(xs, vs)}`);
  assert.ok(off([(x[0] + x[1]) / 2], [(v[0] + v[1]) / 2]) > 0.05);
  t.forEach((_, k) => assert.ok(Math.abs(xs[16 * k] - x[k]) + Math.abs(vs[16 * k] - v[k]) < 1e-12));
  assert.deepEqual(cubics([0], [1], [2]), [[1], [2]]);
  const [two] = cubics([0, 1], [0, 1], [1, 1]);
  assert.ok(Math.abs(two[8] - 0.5) < 1e-12);
});

const wave = (n, more = {}) => {
  const t = times(n);
  return made({ axes: { t: { name: "t", values: t } }, plots: [{ id: "wave", title: "wave", axis: "t", smooth: true, ...more, series: [{ name: "x", values: t.map(Math.sin) }] }] });
};

test("few outputs are dots joined by a curve, and the plot says so; many are a line", async () => {
  const note = (page) => page.locator("#plot-wave .note");
  const pixels = {};
  for (const [name, report] of [["few", wave(9)], ["straight", wave(9, { smooth: undefined })], ["many", wave(300)]])
    await with_page({ file: await write(report, `${name}.html`) }, async (page) => {
      assert.equal(await note(page).isVisible(), name === "few");
      if (name === "few") assert.match(await note(page).textContent(), /Dots are the outputs/);
      const colour = await variable(page, "line-0");
      await eventually(async () => (await coloured(page, "#plot-wave .plot", colour)) > 200, "a line");
      pixels[name] = await coloured(page, "#plot-wave .plot", colour, 0, 0.14);  // the top of the wave, which chords meet at a corner
    });
  assert.ok(pixels.few > 1.3 * pixels.straight, JSON.stringify(pixels));
});

test("plots of which nothing can be seen are named instead", async () => {
  const t = times(50), zero = t.map(() => 0), none = t.map(() => null);
  const report = made({
    axes: { t: { name: "t", values: t } },
    plots: [
      { id: "errors", title: "Errors", axis: "t", scale: "log", series: [{ name: "a", values: zero }, { name: "b", values: none }] },
      { id: "nothing", title: "Nothing", axis: "t", series: [{ name: "a", values: none }] },
      { id: "flat", title: "Flat", axis: "t", series: [{ name: "a", values: zero }] },
      { id: "late", title: "Late", axis: "t", scale: "log", series: [{ name: "a", values: t.map((s, i) => (i < 49 ? 0 : 1e-9)) }] },
    ],
  });
  await with_page({ file: await write(report, "empty.html") }, async (page) => {
    assert.deepEqual(await page.locator(".plot-card").evaluateAll((cards) => cards.map((card) => card.id)), ["plot-flat", "plot-late"]);
    assert.equal(await page.locator("#without-plot").textContent(), "Without a plot: Errors: zero at every output. Nothing: no values.");
    assert.equal(await page.locator("#plot-late .value").textContent(), "0", "the legend tells the zero that a log scale cannot show");
  });
  await with_page({ id: "four-bar" }, async (page) => assert.equal(await page.locator("#without-plot").count(), 0));
});

const moving = (span, joints) => {
  const t = times(40, span);
  return made({
    scene: {
      dimension: 3, bodies: [{ name: "puck", shapes: [{ kind: "point", radius: 0.1 }] }], joints, ground: [{ point: [0, 0, 0] }],
      frames: { t, poses: t.flatMap((s) => [s / span, 0, 0, 1, 0, 0, 0]) },
    },
  });
};

test("motion that is not shown in real time says so", async () => {
  const pace = (page) => page.locator("#pace");
  const cases = [[0.2, "slow motion, 100 times slower than real"], [10, null], [1000, "time lapse, 100 times faster than real"]];
  for (const [span, words] of cases)
    await with_page({ file: await write(moving(span), `pace-${span}.html`) }, async (page) => {
      assert.equal(await pace(page).isVisible(), words !== null);
      if (words) assert.equal(await pace(page).textContent(), words);
      await page.locator("#speed").selectOption("0.5");
      assert.equal(await pace(page).textContent(), "slow motion, 2 times slower than real");
      await page.locator("#speed").selectOption("1");
      assert.ok(!(await pace(page).isVisible()));
    });
});

test("a point on a line or plane is drawn with its line or plane, which does not go along", async () => {
  const joint = (kind, picture, more) => [{ name: "guide", kind, picture, body: -1, point: [0, 0, 0], ...more }];
  const kinds = {
    spherical: joint("spherical", "ball", { body: 0 }),
    line: joint("point_on_line", "line", { axis: [1, 0, 0], to: { body: 0, point: [0, 0, 0] } }),
    plane: joint("point_on_plane", "plane", { axis: [0, 0, 1], to: { body: 0, point: [0, 0, 0] } }),
  };
  const seen = {};
  for (const [name, joints] of Object.entries(kinds))
    await with_page({ file: await write(moving(10, joints), `guide-${name}.html`) }, async (page) => {
      await scrub(page, 0.5);
      seen[name] = await picture(page);
      if (name === "plane") {
        for (const [a, b] of [["line", "spherical"], ["plane", "spherical"], ["plane", "line"]])
          assert.ok(!(await same(page, seen[a], seen[b])), `${a} looks like ${b}`);
      }
    });
});
