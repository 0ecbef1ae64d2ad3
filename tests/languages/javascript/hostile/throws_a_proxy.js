// outcome: raised
throw new Proxy({}, {get() { throw 1; }, getPrototypeOf() { throw 2; }});
