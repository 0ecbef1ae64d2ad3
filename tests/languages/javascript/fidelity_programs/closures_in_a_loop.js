function f() { const fs = []; for (let i = 0; i < 3; i++) { fs.push(() => i++); } fs[0](); fs[0](); return fs.map((g) => g()); }
