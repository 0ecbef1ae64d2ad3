// call: rounds([34, 12, 50])
// call: rounds([27, 41, 13, 8, 90])
// call: rounds([15, 9, 78, 36, 22, 61, 40])
function rounds(values) {
  const counts = [];
  while (counts.slice(-2).join() !== '0,0') {
    let swaps = 0;
    for (let i = counts.length % 2; i < values.length - 1; i += 2) {
      if (values[i] % 10 > values[i + 1] % 10) {
        [values[i], values[i + 1]] = [values[i + 1], values[i]];
        swaps += 1;
      }
    }
    counts.push(swaps);
  }
  return [values, counts];
}
