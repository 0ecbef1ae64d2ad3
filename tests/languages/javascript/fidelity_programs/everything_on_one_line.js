function f(n) { let a = 0, b = 1; while (n-- > 0) { const t = a + b; a = b; b = t; } if (a > 5) a = -a; else b = 0; return a; }
