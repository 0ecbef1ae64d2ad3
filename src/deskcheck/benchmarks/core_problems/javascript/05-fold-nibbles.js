// call: fold(43)
// call: fold(1234)
// call: fold(90210)
function fold(number) {
  let code = 0, turn = 1;
  while (number) {
    const nibble = number & 15;
    code ^= nibble << turn;
    number >>= 4;
    turn = 3 - turn;
  }
  return code.toString(2).padStart(7, '0');
}
