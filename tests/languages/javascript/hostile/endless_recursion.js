// outcome: raised or step limit
function f(n) { return f(n + 1) + 1; }
f(0);
