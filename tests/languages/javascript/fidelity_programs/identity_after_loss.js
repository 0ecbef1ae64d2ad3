function f() { let seen = []; for (let i = 0; i < 3; i++) { let box = {i}; seen.push(box.i); box = null; } const a = {}, b = {}; return [a === b, seen]; }
