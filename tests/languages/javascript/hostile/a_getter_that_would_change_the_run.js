// outcome: returned
let n = 0; const o = {get x() { n++; return 1; }};
const a = [o];
Object.defineProperty(a, 3, {get() { n++; }});
if (n !== 0) throw new Error('seen ' + n);
