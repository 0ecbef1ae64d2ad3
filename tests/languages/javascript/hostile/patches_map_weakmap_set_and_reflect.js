// outcome: returned
for (const C of [Map, WeakMap, Set, WeakRef]) for (const k of Object.getOwnPropertyNames(C.prototype)) if (k !== 'constructor') Object.defineProperty(C.prototype, k, {value() { throw 'mine'; }});for (const k of Object.getOwnPropertyNames(Reflect)) Reflect[k] = () => { throw 'mine'; };
function work(n) {
  const a = [];
  for (let i = 0; i < n; i++) a.push({i});
  return a;
}
work(3);
