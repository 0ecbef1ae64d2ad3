// outcome: step limit or time limit
const p = Promise.resolve(); let f; p.then(f = Function.prototype.call.bind(async function g(x) { await 0; g(); }));
