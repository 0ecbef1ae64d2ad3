function f() { const xs = new Array(500).fill(0); for (let i = 0; i < 500; i += 99) xs[i] = i; return xs.reduce((a, b) => a + b); }
