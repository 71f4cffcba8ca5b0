// The schema, what a page says to data that it cannot show, numbers as text, and the motion between frames.
import assert from "node:assert/strict";
import test from "node:test";
import { readFile } from "node:fs/promises";
import { faults } from "../check.mjs";
import { escaped, extract, f32, f64, fill } from "../sample/pack.mjs";
import { sample, template } from "../sample/make.mjs";
import { DataError, decode, read_data } from "../src/data.js";
import { short_number, tick_labels } from "../src/format.js";
import { Motion } from "../src/motion.js";

const data = sample();
const changed = (change) => {
  const copy = structuredClone(data);
  change(copy);
  return faults(copy);
};

test("the sample is as the schema says", () => assert.deepEqual(faults(data), []));

test("negative controls: what is wrong is found", () => {
  assert.match(changed((d) => (d.version = 2)).join(), /version/);
  assert.match(changed((d) => (d.pages[0].meta.colour = "red")).join(), /additional/);
  assert.match(changed((d) => delete d.pages[0].meta.scheme).join(), /scheme/);
  assert.match(changed((d) => (d.pages[1].id = d.pages[0].id)).join(), /two pages/);
  assert.match(changed((d) => (d.pages[0].plots[0].axis = "tau")).join(), /no axis tau/);
  assert.match(changed((d) => (d.pages[0].plots[0].series[0].values = [1, 2])).join(), /has 2 values/);
  assert.match(changed((d) => (d.pages[0].scene.frames.poses = f32([1, 2, 3]))).join(), /frames.poses has 3/);
  assert.match(changed((d) => (d.pages[0].scene.joints[0].body = 99)).join(), /no body 99/);
  assert.match(changed((d) => (d.pages[4].axes.t.values[3] = -1)).join(), /does not grow/);
});

test("data that end a script element come back unchanged", async () => {
  const hostile = { ...data, title: '</script><script>alert(1)</script><!-- & " \\ é \u2028' };
  assert.ok(!escaped(hostile).includes("<"));
  assert.deepEqual(extract(await fill(template, hostile)), hostile);
});

test("the template: one mark, no address to load from, not too large", async () => {
  const page = await readFile(template, "utf8");
  assert.equal(page.split("@EXTREMAL_DATA@").length, 2);
  assert.ok(page.length < 1.2e6, `${page.length} bytes`);
  assert.doesNotMatch(page, /(src|href)="https?:/);
  assert.match(page, /default-src 'none'/);
});

test("data of another kind or version are refused in words", () => {
  for (const [text, words] of [["@EXTREMAL_DATA@", /empty template/], ["", /empty template/], ["{", /cannot be read/], ['{"format": "x"}', /are not/], ['{"format": "extremal-report", "version": 9}', /version 9/]])
    assert.throws(() => read_data(text), (error) => error instanceof DataError && words.test(error.message));
});

test("packed arrays", () => {
  assert.deepEqual(Array.from(decode(f64([1.1, -0, 1e300]))), [1.1, -0, 1e300]);
  assert.deepEqual(Array.from(decode(f32([0.5, -2]))), [0.5, -2]);
  assert.ok(Number.isNaN(decode(f64([null]))[0]));
});

test("numbers as text", () => {
  const cases = [[0, "0"], [2000, "2000"], [3.58e-5, "3.58e−5"], [-4.3e-10, "−4.3e−10"], [32.2649, "32.26"], [1e10, "1e10"], [0.5, "0.5"], [100.04, "100"], [787402, "787402"], ["1.64493406684822643", "1.645"], ["yes", "yes"], [null, "–"]];
  for (const [value, text] of cases) assert.equal(short_number(value), text);
  assert.deepEqual(tick_labels([-1, 0, 1]), ["−1", "0", "1"]);
  assert.deepEqual(tick_labels([0.25, 0.5]), ["0.25", "0.50"]);
  assert.deepEqual(tick_labels([0, 1e-5, 2e-5]), ["0", "1.0e−5", "2.0e−5"]);
});

const spatial = (poses, t = [0, 1, 2, 3]) => new Motion({ dimension: 3, frames: { t, poses: poses.flat() } });

test("between frames: rotations take the shorter arc at constant rate", () => {
  const turn = (angle, sign = 1) => [0, 0, 0, sign * Math.cos(angle / 2), 0, 0, sign * Math.sin(angle / 2)];
  const now = spatial([turn(0), turn(1, -1), turn(2), turn(3)]).at(0.25);
  assert.ok(Math.abs(2 * Math.atan2(now[6], now[3]) - 0.25) < 1e-12);
});

test("between frames: positions are exact for uniform motion, also with unequal gaps, and meet the frames", () => {
  const t = [0, 0.5, 2, 2.25], at = (s) => [s, 3 - s, 1 + 2 * s, 1, 0, 0, 0];
  const motion = spatial(t.map(at), t);
  for (const s of [0, 0.2, 0.5, 1.3, 2, 2.2, 2.25]) motion.at(s).slice(0, 3).forEach((x, k) => assert.ok(Math.abs(x - at(s)[k]) < 1e-12));
});

test("planar poses turn about z; angles may jump by a whole turn", () => {
  const motion = new Motion({ dimension: 2, frames: { t: [0, 1], poses: [0, 0, Math.PI - 0.1, 0, 0, -Math.PI + 0.1] } });
  motion.at(0.5);
  const out = { set(x, y, z) { Object.assign(this, { x, y, z }); return this; } };
  motion.point(0, [1, 0], out);
  assert.ok(Math.abs(out.x + 1) < 1e-12 && Math.abs(out.y) < 1e-12);
});

test("a single frame and times outside the motion are no trouble", () => {
  const motion = new Motion({ dimension: 2, frames: { t: [0], poses: [1, 2, 0] } });
  assert.deepEqual(Array.from(motion.at(5)).slice(0, 2), [1, 2]);
});
