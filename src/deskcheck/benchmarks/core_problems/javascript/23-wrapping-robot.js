// call: drive('2R', 5, 4)
// call: drive('3L2R4L1R', 6, 5)
// call: drive('1R3R5L2LL4R9LR2L8', 7, 4)
// differs: 0 -2 % 4 is -2
// differs: 1 % of a negative number
// differs: 2 % of a negative number
function drive(orders, width, height) {
  let x = 0, y = 0;
  let dx = 1, dy = 0;
  for (const order of orders) {
    if (order === 'L') {
      [dx, dy] = [dy, -dx];
    } else if (order === 'R') {
      [dx, dy] = [-dy, dx];
    } else {
      x = (x + dx * Number(order)) % width;
      y = (y + dy * Number(order)) % height;
    }
  }
  return [x, y, dx, dy];
}
