// outcome: returned
for (const k of ['value', 'get', 'set', 'writable', 'next', 'done', 'id', 'weak']) Object.defineProperty(Object.prototype, k, {__proto__: null, get() { throw 'seen'; }, set() { throw 'set'; }, configurable: true});
function work(n) {
  const a = [];
  for (let i = 0; i < n; i++) a.push({i});
  return a;
}
work(3);
