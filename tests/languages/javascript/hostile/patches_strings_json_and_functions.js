// outcome: returned
JSON.stringify = () => '{}'; String.prototype.charCodeAt = () => 0; Function.prototype.call = () => 1; Function.prototype.apply = () => 2; Symbol.prototype.toString = () => 'x'; BigInt.prototype.toString = () => '0';
function work(n) {
  const a = [];
  for (let i = 0; i < n; i++) a.push({i});
  return a;
}
work(3);
