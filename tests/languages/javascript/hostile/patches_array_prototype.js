// outcome: returned
for (const k of Object.getOwnPropertyNames(Array.prototype)) if (k !== 'push' && k !== 'constructor') try { Array.prototype[k] = () => { throw 'mine'; }; } catch {}
function work(n) {
  const a = [];
  for (let i = 0; i < n; i++) a.push({i});
  return a;
}
work(3);
