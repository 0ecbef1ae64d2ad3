// outcome: returned
const bad = {toString() { throw 1; }, valueOf() { throw 2; }, [Symbol.toPrimitive]() { throw 3; }, get [Symbol.toStringTag]() { throw 4; }, get constructor() { throw 5; }};
const a = {bad};
