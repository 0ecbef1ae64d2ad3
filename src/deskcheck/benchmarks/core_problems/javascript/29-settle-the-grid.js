// call: settle([[3, 1], [0, 2]])
// call: settle([[5, 9], [0, 4], [2, 0]])
// call: settle([[1, 8, 9, 3], [9, 0, 5, 0], [0, 6, 0, 0]])
function settle(grid) {
  let moved = 0;
  for (let column = 0; column < grid[0].length; column++) {
    let free = grid.length - 1;
    for (let row = free; row >= 0; row--) {
      const block = grid[row][column];
      if (block === 9) {
        free = row - 1;
      } else if (block) {
        if (row < free) {
          grid[row][column] = 0;
          grid[free][column] = block;
          moved += 1;
        }
        free -= 1;
      }
    }
  }
  return [grid, moved];
}
