function* g(log) { try { yield 1; yield 2; } finally { log.push('closed'); } }
function f() { const log = []; for (const x of g(log)) { log.push(x); break; } return log; }
