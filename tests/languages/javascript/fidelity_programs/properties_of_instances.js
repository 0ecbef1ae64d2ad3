class P { static made = 0; tag = 'p'; constructor(x) { this.x = x; P.made++; } set twice(v) { this.x = v / 2; } get twice() { return this.x * 2; } }
class Q extends P { constructor(x) { super(x); this.y = this.twice; } }
function f() { const q = new Q(3); q.twice = 10; q.extra = q; return [q.x, q.y, q.tag, P.made]; }
