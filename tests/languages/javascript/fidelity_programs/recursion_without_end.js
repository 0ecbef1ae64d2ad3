function down(n) { return down(n + 1) + 1; }
function f() { try { return down(0); } catch (e) { return e instanceof RangeError; } }
