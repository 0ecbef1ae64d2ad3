function f() { let n = 0; const o = {valueOf() { n++; return 7; }}; const a = o == 7, b = o == 7; return [a, b, n]; }
