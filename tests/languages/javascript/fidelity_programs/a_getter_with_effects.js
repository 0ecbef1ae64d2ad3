function f() { let n = 0; const o = {get x() { return ++n; }}; const before = n; o.x; const after = o.x; return [before, after, n]; }
