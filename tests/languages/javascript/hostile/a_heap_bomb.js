// outcome: raised or step limit or time limit or memory limit or output limit or returned or crashed
let a = [1];
for (;;) a = [...a, ...a];
