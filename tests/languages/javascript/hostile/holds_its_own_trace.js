// outcome: raised or step limit or time limit or memory limit or output limit or returned or crashed
const all = [];
for (let i = 0; ; i++) { all.push('y'.repeat(60000) + i); }
