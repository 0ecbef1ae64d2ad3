function f() { for (const x of [1, 2, 3]) { try { if (x === 2) throw new Error('lost'); } finally { if (x === 2) return 'kept'; } } }
