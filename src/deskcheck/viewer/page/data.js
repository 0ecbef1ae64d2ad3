// The block of a page back into columns (see viewer/columns.py), and values as text.

const KIND = { CALL: 0, LINE: 1, EXPRESSION: 2, INSTRUCTION: 3, RETURN: 4, RAISE: 5, UNWIND: 6, YIELD: 7, RESUME: 8 };
const PLACE = { LOCAL: 0, CELL: 1, FREE: 2, GLOBAL: 3, ITERATOR: 4, STACK: 5, ELEMENT: 6, KEY: 7, MEMBER: 8, ATTRIBUTE: 9, CONTENT: 10 };
const OP = { SET: 0, DELETE: 1, INSERT: 2 };
const OBJECT = { LIST: 0, TUPLE: 1, DICT: 2, SET: 3, FROZENSET: 4, RECORD: 5, ITERATOR: 6, FUNCTION: 7, CLASS: 8, MODULE: 9, GENERATOR: 10, ARRAY: 11, CELL: 12, OPAQUE: 13 };
const ATOM = 0, TEXT = 1, CONCAT = 2, REF = 3;

/** One column: planes back to numbers, then the inverse of its mode. */
function column(bytes, [, mode, width, n, at]) {
  const cells = new Int32Array(n);
  if (width === 1) for (let i = 0; i < n; i++) cells[i] = (bytes[at + i] << 24) >> 24;
  else if (width === 2) for (let i = 0; i < n; i++) cells[i] = ((bytes[at + i] << 16) | (bytes[at + n + i] << 24)) >> 16;
  else for (let i = 0; i < n; i++) cells[i] = bytes[at + i] | (bytes[at + n + i] << 8) | (bytes[at + 2 * n + i] << 16) | (bytes[at + 3 * n + i] << 24);
  if (mode === 1) for (let i = 1; i < n; i++) cells[i] = (cells[i] + cells[i - 1]) | 0;
  if (mode === 2) for (let i = 0, top = -1; i < n; i++) { cells[i] = top + 1 - cells[i]; if (cells[i] > top) top = cells[i]; }
  return cells;
}

/** One recorded run: columns by name, and its values as text. */
class Trace {
  constructor(tables, bytes) {
    const c = {};
    for (const row of tables.columns) c[row[0]] = column(bytes, row);
    Object.assign(this, { tables, c, names: tables.names, codes: tables.codes, granularity: tables.granularity, result: tables.result });
    this.n = c["e.kind"].length;
    this.kind = c["e.kind"]; this.frame = c["e.frame"]; this.line = c["e.line"]; this.value = c["e.value"];
    this.changesEnd = ends(c["e.changes"]);
    this.nChanges = c["c.op"].length;
    this.place = c["c.place"]; this.owner = c["c.owner"]; this.key = c["c.key"]; this.index = c["c.index"]; this.op = c["c.op"]; this.newValue = c["c.value"];
    this.frameCode = c["f.code"]; this.frameParent = c["f.parent"];
    this.valueKind = c["v.kind"]; this.valueNumber = c["v.number"]; this.valueType = c["v.type"];
    this.textEnd = ends(c["v.length"]);
    this.textBytes = bytes.subarray(tables.text);
    this.bodies = new Map();
    this.decoder = new TextDecoder();
  }

  fileOf(frame) { return this.codes[this.frameCode[frame]][1]; }
  codeOf(frame) { return this.codes[this.frameCode[frame]]; }
  changesOf(i) { return [i ? this.changesEnd[i - 1] : 0, i < this.n ? this.changesEnd[i] : this.nChanges]; }

  /** The text of an atom or the body of a string, without quotes; of a chain of additions some links are kept. */
  body(handle) {
    const known = this.bodies.get(handle);
    if (known !== undefined) return known;
    const links = [];
    let at = handle;
    for (; this.valueKind[at] === CONCAT && !this.bodies.has(at); at = this.valueNumber[at]) links.push(at);
    let text = this.bodies.get(at) ?? this.raw(at);
    this.bodies.set(at, text);
    for (let from = links.length; from > 0; from -= 256) {
      const some = links.slice(Math.max(0, from - 256), from).reverse();
      text += some.map((link) => this.raw(link)).join("");
      this.bodies.set(some[some.length - 1], text);
    }
    return text;
  }

  raw(handle) { return this.decoder.decode(this.textBytes.subarray(handle ? this.textEnd[handle - 1] : 0, this.textEnd[handle])); }
  isRef(handle) { return handle >= 0 && this.valueKind[handle] === REF; }
  isString(handle) { return this.valueKind[handle] === TEXT || this.valueKind[handle] === CONCAT; }
  typeOf(handle) { return this.isRef(handle) ? this.objectType(this.valueNumber[handle]) : this.names[this.valueType[handle]]; }
  objectType(number) { return this.names[this.c["o.type"][number]]; }
  objectKind(number) { return this.c["o.kind"][number]; }
  objectText(number) { return this.names[this.c["o.text"][number]]; }

  /** A scalar as Python writes it. */
  scalar(handle) {
    const body = this.body(handle);
    if (!this.isString(handle)) return body;
    return body.includes("'") && !body.includes('"') ? `"${body}"` : `'${body.replaceAll("'", "\\'")}'`;
  }
}

function ends(lengths) {
  const sums = new Int32Array(lengths.length);
  for (let i = 0, sum = 0; i < lengths.length; i++) sums[i] = sum += lengths[i];
  return sums;
}
