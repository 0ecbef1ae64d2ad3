function f() { const o = {toString() { throw new Error('no'); }, [Symbol.toPrimitive]() { throw new Error('no'); }, n: 1}; o.n += 1; return o.n; }
