function f() { let n = 2n ** 70n, m = 2 ** 53; n = n + 1n; m = m + 1; return [n, m, -0, 0 / 0, 1 / 0]; }
