// Thinning keeps every peak.
import assert from "node:assert/strict";
import test from "node:test";
import { lower_bound, thin, thin_curve, visible } from "../src/thin.js";

// A small generator of pseudo-random numbers: the same in every run.
function random(seed) {
  let state = seed;
  return () => (state = (state * 1664525 + 1013904223) % 4294967296) / 4294967296;
}

const noise = (n, seed) => {
  const next = random(seed);
  return Float64Array.from({ length: n }, () => next() - 0.5);
};
const times = (n) => Float64Array.from({ length: n }, (_, i) => 0.25 * i);

test("a lone peak anywhere survives with all its bits", () => {
  const n = 1000000, t = times(n);
  for (const at of [0, 1, 499, 500, 123457, 999999]) {
    const values = noise(n, 7);
    values[at] = 0.987654321987;
    const thinned = thin(t, [values], 2000);
    assert.equal(thinned.x.length, 4000);
    const found = thinned.columns[0].indexOf(0.987654321987);
    assert.ok(found >= 0, `the peak at ${at} is lost`);
    const bucket = Math.floor(found / 2);
    assert.ok(t[at] >= thinned.x[2 * bucket] && t[at] <= thinned.x[2 * bucket + 1]);
  }
});

test("negative control: taking every k-th sample loses the peak", () => {
  const values = noise(1000000, 7);
  values[123457] = 5;
  assert.ok(!values.filter((_, i) => i % 500 === 0).includes(5));
});

test("every bucket has its smallest and largest value, in their order, for all series at the same times", () => {
  const n = 10007, columns = [noise(n, 1), noise(n, 2), noise(n, 3)], t = times(n);
  const { x, columns: thinned, bucket } = thin(t, columns, 300);
  assert.equal(bucket, 34);
  columns.forEach((values, c) => {
    for (let b = 0; b * bucket < n; ++b) {
      const part = Array.from(values.subarray(b * bucket, (b + 1) * bucket)), low = Math.min(...part), high = Math.max(...part);
      const expected = part.indexOf(low) <= part.indexOf(high) ? [low, high] : [high, low];
      assert.deepEqual(thinned[c].slice(2 * b, 2 * b + 2), expected);
      assert.equal(x[2 * b], t[b * bucket]);
      assert.equal(x[2 * b + 1], t[Math.min(n, (b + 1) * bucket) - 1]);
    }
  });
});

test("thinning twice keeps the extremes", () => {
  const n = 100000, values = noise(n, 11);
  const once = thin(times(n), [values], 5000), twice = thin(once.x, once.columns, 100);
  assert.equal(Math.max(...twice.columns[0]), values.reduce((a, b) => Math.max(a, b)));
  assert.equal(Math.min(...twice.columns[0]), values.reduce((a, b) => Math.min(a, b)));
});

test("gaps are no values, and empty data stay empty", () => {
  const { columns } = thin([0, 1, 2, 3, 4, 5], [[null, 3, NaN, null, NaN, null]], 2);
  assert.deepEqual(columns[0], [3, 3, null, null]);
  assert.deepEqual(thin([], [[]], 10).columns, [[]]);
});

test("fewer samples than buckets: each stays", () => {
  const { x, columns } = thin([1, 2, 3], [[4, 5, 6]], 10);
  assert.deepEqual(Array.from(x), [1, 1, 2, 2, 3, 3]);
  assert.deepEqual(columns[0], [4, 4, 5, 5, 6, 6]);
});

test("a curve keeps its extent and its ends", () => {
  const n = 50000;
  const x = Float64Array.from({ length: n }, (_, i) => Math.cos(0.37 * i)), y = Float64Array.from({ length: n }, (_, i) => Math.sin(0.61 * i));
  x[31415] = 3;
  y[27182] = -4;
  const kept = thin_curve(x, y, 500);
  assert.ok(kept.length <= 2501 && kept.includes(31415) && kept.includes(27182) && kept[0] === 0 && kept.at(-1) === n - 1);
  assert.ok(kept.every((value, i) => i === 0 || value > kept[i - 1]));
});

test("what shows has a neighbour on either side", () => {
  const t = [0, 1, 2, 3, 4, 5];
  assert.deepEqual(visible(t, 2, 3), [1, 5]);
  assert.deepEqual(visible(t, -1, 9), [0, 6]);
  assert.equal(lower_bound(t, 2.5), 3);
});
