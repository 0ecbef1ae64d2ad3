// call: weave('ab', 'xyzw')
// call: weave('stone', 'lamp')
// call: weave('cordialness', 'shamelessly')
function weave(left, right) {
  const out = [];
  let i = 0;
  whole: {
    while (i < left.length && i < right.length) {
      const a = left[i], b = right.at(-1 - i);
      if (a === b) {
        out.push(a.toUpperCase());
        break whole;
      }
      out.push(...[a, b].sort());
      i += 1;
    }
    out.push(left.slice(i) + '/' + right.slice(0, right.length - i));
  }
  return out.join('');
}
