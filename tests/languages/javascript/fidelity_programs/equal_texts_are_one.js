function f() { let s = 'ab', t = 'a'; t += 'b'; const o = {[s]: 1}; o[t] = 2; return [s === t, o]; }
