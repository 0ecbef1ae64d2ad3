// outcome: step limit
function f() { try { for (;;) {} } finally { return 1; } }
while (true) f();
