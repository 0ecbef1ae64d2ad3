// outcome: step limit
const go = () => Promise.resolve().then(go);
go();
