function f() { const xs = [3, 1, 2], ys = xs; xs.sort(); ys.reverse(); xs.splice(1, 1, 'a', 'b'); xs.fill(0, 0, 1); xs.copyWithin(0, 2); xs.length = 2; return ys; }
