// Shares and their intervals over any choice of tasks: the same formulas as statistics/interval.py, to the last digits.

const NORMAL = 1.959963984540054, LEAST_EFFECT = 0.6, HALF_SEEN = 1.4, FEWEST_CLUSTERS = 5, MOST_MISSING = 0.05;
let quantiles = [];

/** Two-sided 95 % quantile of Student's t: from the page's table, beyond it by expansion around the normal one. */
function tQuantile(freedom) {
  if (freedom <= quantiles.length) return quantiles[freedom - 1];
  const z = NORMAL, z2 = z * z, v = freedom;
  const g1 = (z * (z2 + 1)) / 4, g2 = (z * ((5 * z2 + 16) * z2 + 3)) / 96, g3 = (z * (((3 * z2 + 19) * z2 + 17) * z2 - 15)) / 384;
  const g4 = (z * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945)) / 92160;
  return z + g1 / v + g2 / v ** 2 + g3 / v ** 3 + g4 / v ** 4;
}

/** As Python rounds: halves to the even neighbor. */
function rounded(number) { const low = Math.floor(number), rest = number - low; return rest < 0.5 ? low : rest > 0.5 ? low + 1 : low % 2 ? low + 1 : low; }

function wilson(mean, n, z) {
  const shrink = 1 + (z * z) / n, center = (mean + (z * z) / (2 * n)) / shrink;
  const half = (z * Math.sqrt((mean * (1 - mean)) / n + (z * z) / (4 * n * n))) / shrink;
  return [center - half, center + half];
}

/** Share right of one run over some tasks: {n, right, missing, mean, low, high}; null where there is none. */
function shareOf(section, run, tasks) {
  const sums = new Map(), sizes = new Map(), { verdicts } = section.runs[run];
  let n = 0, right = 0, missing = 0, unread = 0;
  for (const task of tasks) {
    const cluster = section.cluster[task];
    for (const letter of verdicts[task]) {
      if (letter === "m") { missing++; continue; }
      n++;
      if (letter === "n") unread++;
      sizes.set(cluster, (sizes.get(cluster) || 0) + 1);
      if (letter === "r") { right++; sums.set(cluster, (sums.get(cluster) || 0) + 1); }
    }
  }
  const found = { n, right, missing, unread, mean: n ? right / n : null, low: null, high: null };
  if (!n || missing > MOST_MISSING * (n + missing)) return found;
  const bounds = sizes.size === n ? wilson(found.mean, n, NORMAL) : sizes.size < FEWEST_CLUSTERS ? null : clustered(found.mean, n, sums, sizes);
  if (bounds) { found.low = Math.max(0, bounds[0]); found.high = Math.min(1, bounds[1]); }
  return found;
}

function clustered(mean, n, sums, sizes) {
  const count = sizes.size;
  let squares = 0, largest = 0, some = 0, notAll = 0;
  for (const [cluster, size] of sizes) {
    const sum = sums.get(cluster) || 0;
    squares += (sum - mean * size) ** 2;
    largest += size * size;
    if (sum > 0) some++;
    if (sum < size) notAll++;
  }
  largest /= n;
  const variance = (squares * count) / (count - 1) / n ** 2, independent = (mean * (1 - mean)) / n;
  const seen = independent > 0 ? variance / independent : largest, holders = Math.min(some, notAll);
  const weight = holders ** 2 / (holders ** 2 + HALF_SEEN ** 2);
  const effect = weight * Math.min(Math.max(seen, LEAST_EFFECT), Math.max(largest, LEAST_EFFECT)) + (1 - weight) * largest;
  return wilson(mean, n / effect, tQuantile(rounded(1.5 * (count - 1))));
}

function percent(value) { return value === null ? "none" : `${(100 * value).toFixed(1)} %`; }
