// call: up(7, 1)
// call: up(4, 3)
// call: up(6, 16)
function up(n, fuel) {
  if (fuel === 0) {
    return [n];
  }
  if (n % 2) {
    return [n, ...down(n * 3, fuel - 1)];
  }
  return up(n + 5, fuel - 1);
}

function down(n, fuel) {
  if (n < 10 || !fuel) {
    return [-n];
  }
  return [n, ...up(Math.floor(n / 2) - 1, fuel - 1)];
}
