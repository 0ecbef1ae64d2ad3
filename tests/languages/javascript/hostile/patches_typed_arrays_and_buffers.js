// outcome: returned
const T = Object.getPrototypeOf(Uint8Array); for (const P of [T.prototype, ArrayBuffer.prototype]) for (const k of Object.getOwnPropertyNames(P)) if (k !== 'constructor') Object.defineProperty(P, k, {get() { throw 'mine'; }});
function work(n) {
  const a = [];
  for (let i = 0; i < n; i++) a.push({i});
  return a;
}
work(3);
