// outcome: returned
class A { static name = {}; static [Symbol.hasInstance]() { throw 1; } }
A.prototype.constructor = 5;
const a = new A();
