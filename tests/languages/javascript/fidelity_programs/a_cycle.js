function f() { const a = {name: 'a'}, b = {name: 'b', to: a}; a.to = b; a.to.to.name = 'c'; return a.name; }
