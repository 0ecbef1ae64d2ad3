function g({a, b: {c = a + 1, ...rest} = {}}, [d, , e = d] = [7], ...more) { return [a, c, rest, d, e, more]; }
function f() { return g({a: 1, b: {x: 9, y: 8}}, undefined, ...[2, 3]); }
