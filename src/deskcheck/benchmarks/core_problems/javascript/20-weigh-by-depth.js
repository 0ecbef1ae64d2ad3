// call: weigh([3, [5]])
// call: weigh([[4, [7, [1, 3], 2]], 6, 5])
// call: weigh([[[2, [9]], 3], [1, [8, 5, [], 6]], 4, 7])
function weigh(parts, depth = 1) {
  let total = 0;
  for (const part of parts) {
    if (Array.isArray(part)) {
      total -= weigh(part, depth + 1);
    } else {
      total += part * depth;
    }
  }
  return total;
}
