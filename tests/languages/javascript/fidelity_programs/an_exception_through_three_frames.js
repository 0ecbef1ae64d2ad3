function a() { b(); }
function b() { c(); }
function c() { throw new RangeError('deep'); }
function f() { try { a(); } catch (e) { return e.message; } }
