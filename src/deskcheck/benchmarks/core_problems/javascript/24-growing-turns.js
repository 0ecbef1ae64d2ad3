// call: serve({ann: 3, bo: 1}, 2)
// call: serve({ann: 7, bo: 4, cy: 2}, 1)
// call: serve({kim: 5, lee: 22, mo: 9, ned: 1, ola: 15}, 2)
function serve(needs, turn) {
  let clock = 0;
  const done = {};
  const queue = Object.entries(needs);
  while (queue.length) {
    const [name, need] = queue.shift();
    const used = Math.min(need, turn);
    clock += used;
    if (need > used) {
      queue.push([name, need - used]);
      turn += 1;
    } else {
      done[name] = clock;
    }
  }
  return done;
}
