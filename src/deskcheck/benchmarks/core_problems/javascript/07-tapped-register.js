// call: cycle(3, 6)
// call: cycle(9, 12)
// call: cycle(22, 11)
function cycle(start, mask) {
  const seen = [];
  let state = start;
  while (!seen.includes(state)) {
    seen.push(state);
    const out = state & 1;
    state >>= 1;
    if (out) {
      state ^= mask;
    }
  }
  return [seen.length, seen.indexOf(state), Math.max(...seen)];
}
