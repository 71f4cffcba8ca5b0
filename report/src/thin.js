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

// The other way round: through few points (x, its slope v) at times t, cubics with these slopes, and their own slopes.
export function cubics(t, x, v) {
  const parts = 16, xs = [], ys = [];
  for (let k = 0; k + 1 < t.length; ++k) {
    const gap = t[k + 1] - t[k];
    for (let i = 0; i < parts; ++i) {
      const s = i / parts, s2 = s * s, s3 = s2 * s;
      xs.push((2 * s3 - 3 * s2 + 1) * x[k] + (3 * s2 - 2 * s3) * x[k + 1] + gap * ((s3 - 2 * s2 + s) * v[k] + (s3 - s2) * v[k + 1]));
      ys.push(gap > 0 ? ((6 * s2 - 6 * s) * (x[k] - x[k + 1])) / gap + (3 * s2 - 4 * s + 1) * v[k] + (3 * s2 - 2 * s) * v[k + 1] : v[k]);
    }
  }
  return [[...xs, x[t.length - 1]], [...ys, v[t.length - 1]]];
}
