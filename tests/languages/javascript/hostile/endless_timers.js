// outcome: step limit or time limit
setInterval(() => { 1; }, 1);
