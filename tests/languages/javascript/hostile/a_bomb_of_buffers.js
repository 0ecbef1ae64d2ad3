// outcome: raised or step limit or time limit or memory limit or output limit or returned or crashed
const keep = [];
for (;;) keep.push(new Uint8Array(1 << 26).fill(1));
