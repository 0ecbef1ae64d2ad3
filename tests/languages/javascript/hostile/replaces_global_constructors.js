// outcome: returned
for (const k of ['Object', 'Array', 'Map', 'Set', 'WeakMap', 'WeakRef', 'Promise', 'Proxy', 'JSON', 'Uint8Array', 'Int32Array', 'Function', 'String']) globalThis[k] = undefined;
function work(n) {
  const a = [];
  for (let i = 0; i < n; i++) a.push({i});
  return a;
}
work(3);
