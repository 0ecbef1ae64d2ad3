function f() { let log = ''; for (let i = 0; i < 3; i++) { try { if (i === 1) throw i; log += i; } finally { log += 'f'; continue; } } return log; }
