// Thinning that hides no peak.
//
// n samples are cut into buckets of k = ceil(n / buckets) consecutive ones. Of every bucket two points stay: its times
// are those of its first and last sample, its values the smallest and the largest of the bucket, in the order in which
// they occurred. So every bucket has the same two times for all series, every extreme value is in the result with all
// its bits, and thinning what is already thinned gives the extremes of the original. What is lost is where inside the
// bucket an extreme was: less than the width of a bucket.
//
//   thin([0, 1, 2, 3], [[5, 9, 1, 1]], 2)  ->  {x: [0, 1, 2, 3], columns: [[5, 9, 1, 1]], bucket: 2}
//
// null and NaN are no values: they are left out of the extremes, and a bucket of nothing else gives two nulls.

const missing = (value) => value === null || value === undefined || Number.isNaN(value);

// x: times, columns: arrays of the same length, from index `begin` up to but without `end`.
export function thin(x, columns, buckets, begin = 0, end = x.length) {
  const samples = end - begin;
  const bucket = Math.max(1, Math.ceil(samples / Math.max(1, buckets)));
  const count = Math.ceil(samples / bucket);
  const thinned = { x: new Float64Array(2 * count), columns: columns.map(() => new Array(2 * count)), bucket };
  for (let b = 0; b < count; ++b) {
    const from = begin + b * bucket, to = Math.min(end, from + bucket);
    thinned.x[2 * b] = x[from];
    thinned.x[2 * b + 1] = x[to - 1];
    columns.forEach((column, c) => {
      let low = -1, high = -1;
      for (let i = from; i < to; ++i) {
        if (missing(column[i])) continue;
        if (low < 0 || column[i] < column[low]) low = i;
        if (high < 0 || column[i] > column[high]) high = i;
      }
      const [first, last] = low <= high ? [low, high] : [high, low];
      thinned.columns[c][2 * b] = first < 0 ? null : column[first];
      thinned.columns[c][2 * b + 1] = last < 0 ? null : column[last];
    });
  }
  return thinned;
}

// A curve (x, y), such as a phase portrait: of every bucket the first point and those where x and y are smallest and
// largest stay, in their order, so that the outline keeps its extent in both directions. Returns indices.
export function thin_curve(x, y, buckets) {
  const size = Math.max(1, Math.ceil(x.length / Math.max(1, buckets)));
  const kept = [];
  for (let from = 0; from < x.length; from += size) {
    const to = Math.min(x.length, from + size);
    let left = from, right = from, low = from, high = from;
    for (let i = from; i < to; ++i) {
      if (x[i] < x[left]) left = i;
      if (x[i] > x[right]) right = i;
      if (y[i] < y[low]) low = i;
      if (y[i] > y[high]) high = i;
    }
    kept.push(...[...new Set([from, left, right, low, high])].sort((a, b) => a - b));
  }
  if (x.length > 0 && kept[kept.length - 1] !== x.length - 1) kept.push(x.length - 1);
  return kept;
}

// The part of sorted x that shows between min and max, with a neighbour on either side so that lines reach the edge.
export function visible(x, min, max) {
  let begin = lower_bound(x, min), end = lower_bound(x, max);
  while (end < x.length && x[end] <= max) ++end;
  return [Math.max(0, begin - 1), Math.min(x.length, end + 1)];
}

// The first index with x[index] >= value.
export function lower_bound(x, value) {
  let low = 0, high = x.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (x[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The other way round: through few points (x, its rate v) at times t, a curve for each: cubics in time, those of x with
// the rates as slopes, those of v with the slopes of the parabolas through neighbours.
export function cubics(t, x, v) {
  const parts = 16, last = t.length - 1, xs = [], vs = [];
  const chord = (k) => (v[k + 1] - v[k]) / (t[k + 1] - t[k]);
  const slope = (k) => {
    if (last < 2) return last === 1 ? chord(0) : 0;
    const i = Math.min(Math.max(k, 1), last - 1), before = t[i] - t[i - 1], after = t[i + 1] - t[i];
    const middle = (chord(i - 1) * after + chord(i) * before) / (before + after);
    return k === i ? middle : 2 * chord(k < i ? 0 : last - 1) - middle;
  };
  const cubic = (a, b, slope_a, slope_b, gap, s) => {
    const s2 = s * s, s3 = s2 * s;
    return (2 * s3 - 3 * s2 + 1) * a + (3 * s2 - 2 * s3) * b + gap * ((s3 - 2 * s2 + s) * slope_a + (s3 - s2) * slope_b);
  };
  for (let k = 0; k < last; ++k)
    for (let i = 0; i < parts; ++i) {
      xs.push(cubic(x[k], x[k + 1], v[k], v[k + 1], t[k + 1] - t[k], i / parts));
      vs.push(cubic(v[k], v[k + 1], slope(k), slope(k + 1), t[k + 1] - t[k], i / parts));
    }
  return [[...xs, x[last]], [...vs, v[last]]];
}
