function* inner() { yield 1; return 5; }
function* outer() { const got = yield* inner(); yield got; }
function f() { return [...outer()]; }
