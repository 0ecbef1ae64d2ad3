// call: fall(['o', '.'])
// call: fall(['oo', '#.', '..'])
// call: fall(['o.o', '.o#', '#..', '...'])
function fall(rows) {
  const grid = rows.map((row) => [...row]);
  for (let c = 0; c < grid[0].length; c++) {
    let floor = grid.length - 1;
    for (let r = grid.length - 1; r >= 0; r--) {
      if (grid[r][c] === '#') {
        floor = r - 1;
      } else if (grid[r][c] === 'o') {
        grid[r][c] = '.';
        grid[floor][c] = 'o';
        floor -= 1;
      }
    }
  }
  return grid.map((row) => row.join(''));
}
