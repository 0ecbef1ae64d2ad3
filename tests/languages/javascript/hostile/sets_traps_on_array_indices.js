// outcome: returned
for (let i = 0; i < 50; i++) Object.defineProperty(Array.prototype, i, {get() { return 'trap'; }, set() { throw 'trap'; }, configurable: true});
const m = new Map(); m.set(1, 2);
