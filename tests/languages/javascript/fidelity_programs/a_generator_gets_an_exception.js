function* g() { while (true) { try { yield 1; } catch (e) { yield e + '!'; } } }
function f() { const it = g(); it.next(); return it.throw('x').value; }
