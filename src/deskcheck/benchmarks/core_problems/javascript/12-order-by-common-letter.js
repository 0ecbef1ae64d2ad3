// call: order(['otto', 'abba'])
// call: order(['pan', 'deer', 'ox'])
// call: order(['lull', 'tea', 'noon', 'apple', 'pop'])
function order(words) {
  function most(word) {
    let found = 0;
    for (const letter of word) {
      found = Math.max(found, word.split(letter).length - 1);
    }
    return found;
  }
  const turned = (word) => [...word].reverse().join('');

  return words
    .sort((a, b) => most(b) - most(a) || (turned(a) < turned(b) ? -1 : 1))
    .slice(0, 3);
}
