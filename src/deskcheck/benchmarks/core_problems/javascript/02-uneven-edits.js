// call: edits('moles', 'mail')
// call: edits('tin', 'onto')
// call: edits('sea', 'also')
function edits(source, target) {
  let row = Array.from({ length: target.length + 1 }, (_, j) => j);
  for (let i = 0; i < source.length; i++) {
    const x = source[i];
    const next = [2 * (i + 1)];
    for (let j = 0; j < target.length; j++) {
      const y = target[j];
      if (x === y) {
        next.push(row[j]);
        continue;
      }
      const swap = 'aeiou'.includes(x) && 'aeiou'.includes(y) ? 1 : 3;
      next.push(Math.min(row[j] + swap, row[j + 1] + 2, next[j] + 1));
    }
    row = next;
  }
  return row;
}
