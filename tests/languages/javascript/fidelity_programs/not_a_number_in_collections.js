function f() { const xs = [NaN, -0]; return [xs.includes(NaN), xs.indexOf(NaN), new Set([NaN, NaN]).size, new Map([[-0, 1]]).get(0)]; }
