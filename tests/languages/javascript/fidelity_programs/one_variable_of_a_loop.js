function f() { var fs = []; for (var i = 0; i < 3; i++) { fs.push(() => i); } return fs.map((g) => g()); }
