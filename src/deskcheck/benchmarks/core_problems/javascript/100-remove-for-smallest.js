// call: strike('21', 1)
// call: strike('4317', 2)
// call: strike('7205619', 3)
function strike(digits, k) {
  let kept = '';
  for (const digit of digits) {
    while (k && kept && kept.at(-1) > digit) {
      kept = kept.slice(0, -1);
      k -= 1;
    }
    kept += digit;
  }
  if (k) {
    kept = kept.slice(0, -k);
  }
  return kept;
}
