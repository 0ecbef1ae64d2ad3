function f() { const o = {a: 1, b: 2, c: 3}; delete o.b; o.b = 4; const keys = Object.keys(o); const xs = [1, 2, 3]; delete xs[1]; return [keys, xs.length, 1 in xs]; }
