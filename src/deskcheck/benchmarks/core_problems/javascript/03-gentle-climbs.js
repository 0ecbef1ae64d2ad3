// call: climbs('2514')
// call: climbs('3146258')
// call: climbs('170438269')
function climbs(digits) {
  const best = [];
  for (let i = 0; i < digits.length; i++) {
    let longest = 1;
    for (let j = 0; j < i; j++) {
      const gap = Number(digits[i]) - Number(digits[j]);
      if (gap > 0 && gap <= 3) {
        longest = Math.max(longest, best[j] + 1);
      }
    }
    best.push(longest);
  }
  return best;
}
