// call: mix(178)
// call: mix(77)
// call: mix(233)
function mix(byte) {
  const even = byte & 0b01010101;
  const odd = byte & 0b10101010;
  const swapped = even << 1 | odd >> 1;
  let inverse = ~swapped & 0xff;
  if (inverse < byte) {
    inverse ^= byte;
  }
  return [even, odd, inverse];
}
