function f() { const key = {}, w = new WeakMap([[key, 1]]), r = new WeakRef(key); w.set(key, 2); return [w.get(key), r.deref() === key]; }
