// outcome: raised or step limit or time limit or memory limit or output limit or returned or crashed
const a = new Array(4e9 >>> 0);
a[5] = 1;
const b = [];
b.length = 4294967295;
