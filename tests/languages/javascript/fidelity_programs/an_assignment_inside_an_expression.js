function f(xs) { let best, i = 0; while ((best = xs[i++]) !== undefined && best < 10); return [best, i, (i += 2) * i++ + i]; }
