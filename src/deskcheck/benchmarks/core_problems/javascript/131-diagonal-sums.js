// call: diagonals([[4]])
// call: diagonals([[1, 2], [3, 4]])
// call: diagonals([[2, 7, 1], [9, 4, 3]])
function diagonals(rows) {
  const sums = {};
  for (const [r, row] of rows.entries()) {
    for (const [c, value] of row.entries()) {
      sums[c - r] = (sums[c - r] ?? 0) + value;
    }
  }
  return Object.keys(sums).sort().map((key) => sums[key]);
}
