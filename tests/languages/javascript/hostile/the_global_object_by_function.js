// outcome: returned
const g = Function('return this')(); g.Object.keys = () => { throw 1; }; g.Error = null; g.deskcheckRun;
function work(n) {
  const a = [];
  for (let i = 0; i < n; i++) a.push({i});
  return a;
}
work(3);
