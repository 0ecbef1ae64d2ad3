// call: squeeze('abb')
// call: squeeze('kooooeel')
// call: squeeze('zzyyyyyyyxttz')
function squeeze(text) {
  let out = '';
  let start = 0;
  while (start < text.length) {
    let end = start;
    while (end < text.length && text[end] === text[start] && end - start < 3) {
      end += 1;
    }
    const run = end - start;
    out += run === 1 ? text[start] : `${text[start].toUpperCase()}${run}`;
    start = end;
  }
  return out;
}
