// Values as handles of the value table: scalars here, objects by their number.

const numbers = table(), strings = table(), bigs = table();
let hUndefined = -1, hNull = -1, hTrue = -1, hFalse = -1, hMinusZero = -1, hUnassigned = -1, hHole = -1, hNodes = -1, hAccessor = table(), wasCut = false;
function stringHandle(text) {
  let h = strings.get(text);
  if (h !== undefined) return h;
  if (text.length > valueBytes) { wasCut = true; h = texted(9, text.length, "str", tString); }
  else h = texted(5, 0, text, tString);
  strings.set(text, h);
  return h;
}
// A string that continues the one before it at the same place stores only its end.
function grown(text, before) {
  if (typeof before !== "string" || before.length < 24 || text.length <= before.length || text.length > valueBytes || !apply(startsWith_, text, [before])) return stringHandle(text);
  let h = strings.get(text);
  if (h !== undefined) return h;
  const base = strings.get(before), last = apply(charCode_, before, [before.length - 1]);
  if (base === undefined || (last >= 0xd800 && last < 0xdc00)) return stringHandle(text);
  h = texted(11, base, text, tString, before.length);
  strings.set(text, h);
  return h;
}
function numberHandle(v) {
  if (v === 0 && 1 / v < 0) { if (hMinusZero < 0) hMinusZero = row(3, 0, 0, -0, tNumber); return hMinusZero; }
  let h = numbers.get(v);
  if (h !== undefined) return h;
  if (isInteger(v)) { const high = v >= 0 ? (v / 4294967296) | 0 : -1 - ((-1 - v) / 4294967296 | 0); h = row(2, v | 0, high, 0, tNumber); }
  else h = row(3, 0, 0, v, tNumber);
  numbers.set(v, h);
  return h;
}
function encode(v, before) {
  switch (typeof v) {
    case "number": return numberHandle(v);
    case "string": return before === undefined ? stringHandle(v) : grown(v, before);
    case "boolean": if (v) return hTrue < 0 ? (hTrue = row(1, 1, 0, 0, tBool)) : hTrue; return hFalse < 0 ? (hFalse = row(1, 0, 0, 0, tBool)) : hFalse;
    case "undefined": return hUndefined < 0 ? (hUndefined = row(15, 0, 0, 0, tUndefined)) : hUndefined;
    case "bigint": {
      let h = bigs.get(v);
      if (h === undefined) {
        const hex = apply(toHex_, v < 0n ? -v : v, [16]);
        if (hex.length > valueBytes) { wasCut = true; h = texted(9, hex.length, "int", tBig); }
        else if (hex.length < 14) { const n = Number(v); h = row(2, n | 0, n >= 0 ? (n / 4294967296) | 0 : -1 - ((-1 - n) / 4294967296 | 0), 0, tBig); }
        else h = texted(2, 0, (v < 0n ? "-0x" : "0x") + hex, tBig);
        bigs.set(v, h);
      }
      return h;
    }
    case "symbol": return symbolHandle(v);
    case "object": if (v === null) return hNull < 0 ? (hNull = row(0, 0, 0, 0, tNull)) : hNull;
  }
  if (v === U) return hUnassigned < 0 ? (hUnassigned = row(12, 0, 0, 0, tUndefined)) : hUnassigned;
  const r = records.get(v);
  return r !== undefined ? r.h : discover(v);
}
const symbols = table();
function symbolHandle(v) {
  let h = symbols.get(v);
  if (h === undefined) { h = object(K.OPAQUE, "symbol", apply(describe_, v, [])); symbols.set(v, h); }
  return h;
}
function object(kind, type, text) {
  const id = obKind.n;
  obKind.push(kind); obType.push(nameOf(type)); obText.push(nameOf(text));
  bytes += 9;
  return row(8, id, 0, 0, tObject);
}
