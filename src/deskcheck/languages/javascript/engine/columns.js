// The columns of a trace, and its tables of names and values, as typed arrays that grow.

class Column {
  constructor(C) { this.C = C; this.a = new C(1024); this.room = 1024; this.n = 0; }
  push(v) {
    if (this.n === this.room) { this.room *= 2; const more = new this.C(this.room); apply(setTyped, more, [this.a]); this.a = more; }
    this.a[this.n++] = v;
  }
}
setProto(Column.prototype, null);  // else an assignment to a field could meet a setter of the program
const evKind = new Column(Bytes), evFrame = new Column(Ints), evLine = new Column(Ints), evValue = new Column(Ints), evEnd = new Column(Ints), evStep = new Column(Ints);
const evEndLine = new Column(Ints), evColumn = new Column(Ints), evEndColumn = new Column(Ints);  // of expressions alone
const chPlace = new Column(Bytes), chOwner = new Column(Ints), chKey = new Column(Ints), chIndex = new Column(Ints), chOp = new Column(Bytes), chValue = new Column(Ints);
const vaKind = new Column(Bytes), vaLow = new Column(Ints), vaHigh = new Column(Ints), vaReal = new Column(Reals), vaType = new Column(Ints), vaAt = new Column(Ints), data = new Column(Bytes);
const obKind = new Column(Bytes), obType = new Column(Ints), obText = new Column(Ints), frCode = new Column(Ints), frParent = new Column(Ints);
const names = list(), nameNumbers = table();
function nameOf(text) { let n = nameNumbers.get(text); if (n === undefined) { n = names.length; names[n] = text; nameNumbers.set(text, n); } return n; }
nameOf("");
vaAt.push(0);
const CALL = 0, LINE = 1, EXPRESSION = 2, RETURN = 4, RAISE = 5, UNWIND = 6, YIELD = 7, RESUME = 8, CATCH = 9;
const LOCAL = 0, GLOBAL = 3, ITER = 4, ELEMENT = 6, KEY = 7, MEMBER = 8, ATTRIBUTE = 9, CONTENT = 10, SET = 0, DELETE = 1, INSERT = 2;
function event(kind, f, line, value) {
  evKind.push(kind); evFrame.push(f.id); evLine.push(line); evValue.push(value); evEnd.push(chPlace.n); evStep.push(steps);
  if (isFine) { evEndLine.push(-1); evColumn.push(-1); evEndColumn.push(-1); bytes += 12; }
  bytes += 25;
}
function change(place, owner, key, index, op, value) {
  chPlace.push(place); chOwner.push(owner); chKey.push(key); chIndex.push(index); chOp.push(op); chValue.push(value);
  bytes += 18;
}
const tUndefined = nameOf("undefined"), tNull = nameOf("null"), tBool = nameOf("boolean"), tNumber = nameOf("number"), tString = nameOf("string"), tBig = nameOf("bigint"), tObject = nameOf("object");
function row(kind, low, high, real, type) {
  vaKind.push(kind); vaLow.push(low); vaHigh.push(high); vaReal.push(real); vaType.push(type); vaAt.push(data.n);
  bytes += 29;
  return vaKind.n - 1;
}
function utf8(text, from = 0) {
  const n = text.length;
  for (let i = from; i < n; i++) {
    let c = apply(charCode_, text, [i]);
    if (c < 0x80) { data.push(c); continue; }
    if (c < 0x800) { data.push(0xc0 | (c >> 6)); data.push(0x80 | (c & 63)); continue; }
    if (c >= 0xd800 && c < 0xdc00 && i + 1 < n) {
      const d = apply(charCode_, text, [i + 1]);
      if (d >= 0xdc00 && d < 0xe000) {
        c = 0x10000 + ((c - 0xd800) << 10) + (d - 0xdc00); i++;
        data.push(0xf0 | (c >> 18)); data.push(0x80 | ((c >> 12) & 63)); data.push(0x80 | ((c >> 6) & 63)); data.push(0x80 | (c & 63));
        continue;
      }
    }
    data.push(0xe0 | (c >> 12)); data.push(0x80 | ((c >> 6) & 63)); data.push(0x80 | (c & 63));
  }
  bytes += n;
}
function texted(kind, number, text, type, from = 0) { utf8(text, from); return row(kind, number, 0, 0, type); }
