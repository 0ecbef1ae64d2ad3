function f() { const o = {a: [{b: {c: 1}}]}; const inner = o.a[0].b; inner.c++; o.a[0].b.d = inner.c; return o; }
