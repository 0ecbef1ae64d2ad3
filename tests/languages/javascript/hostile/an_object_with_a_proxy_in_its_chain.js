// outcome: returned
let n = 0; const o = Object.create(new Proxy({}, {get() { n++; }, getPrototypeOf() { n++; return null; }}));
const q = [o];
if (n !== 0) throw new Error('seen ' + n);
