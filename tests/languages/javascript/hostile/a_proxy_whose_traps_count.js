// outcome: returned
let n = 0; const p = new Proxy({}, {get() { n++; }, ownKeys() { n++; return []; }, getOwnPropertyDescriptor() { n++; }, getPrototypeOf() { n++; return null; }});
const q = [p];
if (n !== 0) throw new Error('seen ' + n);
