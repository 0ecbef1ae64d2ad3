function f() { const a = [[1], [1]]; const b = [a[0], a[0]]; b[0].push(2); return [a, b]; }
