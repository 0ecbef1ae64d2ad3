function f() { let x = []; for (let i = 0; i < 40; i++) x = [x]; let n = 0; while (x.length) { x = x[0]; n++; } return n; }
