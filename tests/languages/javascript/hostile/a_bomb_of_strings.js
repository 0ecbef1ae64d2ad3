// outcome: raised or step limit or time limit or memory limit or output limit or returned or crashed
let s = 'ab';
const keep = [];
for (;;) { s += s; keep.push(s.split('')); }
