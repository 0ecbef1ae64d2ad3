// outcome: returned
const names = Object.getOwnPropertyNames(globalThis).filter((n) => /deskcheck|^\$k/.test(n));
if (names.length) throw new Error(names.join());
try { (function () { return arguments.callee.caller.arguments; })()[0].x; } catch {}
