// call: turn('plume')
// call: turn('quartz')
// call: turn('harvested')
function turn(word) {
  if (word.length < 3) {
    return [...word].reverse().join('');
  }
  const cut = Math.floor(word.length / 3);
  const left = word.slice(0, cut), middle = word.slice(cut, -cut), right = word.slice(-cut);
  return turn(right) + '.' + middle + '-' + turn(left);
}
