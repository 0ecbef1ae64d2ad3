// Python literals in the page, for guesses: two texts are the same answer exactly when their keys are equal
// (languages/__init__.py, policy "strict"). What is not read has no key.

const DEEPEST = 64, LONGEST = 100000, MOST_DIGITS = 4300;
const NAMED = { True: ["bool", true], False: ["bool", false], None: ["None"], Ellipsis: ["ellipsis"], NotImplemented: ["NotImplementedType"], nan: ["float", NaN], inf: ["float", Infinity], nanj: ["complex", 0, NaN], infj: ["complex", 0, Infinity] };
const DECIMAL = /^(?:0(?:_?0)*|[1-9](?:_?\d)*)$/, FLOAT = /^(?:\d(?:_?\d)*)?\.?(?:\d(?:_?\d)*)?(?:[eE][-+]?\d(?:_?\d)*)?$/, BASED = /^0(?:[xX](?:_?[\da-fA-F])+|[oO](?:_?[0-7])+|[bB](?:_?[01])+)$/;

/** A text by which two values are the same exactly when the grader calls them equal; null = not readable. */
function literalKey(text) {
  if ([...text].length > LONGEST) return null;
  try {
    const reader = new LiteralReader(text.trim());
    const value = reader.whole();
    return exactKey(value);
  } catch (error) { if (error instanceof NotReadable || error instanceof RangeError) return null; throw error; }
}

class NotReadable extends Error {}

class LiteralReader {
  constructor(text) { this.text = text; this.at = 0; this.open = 0; this.fresh = 0; }

  fail() { throw new NotReadable(); }
  peek(n = 1) { return this.text.slice(this.at, this.at + n); }

  space() {
    for (;;) {
      const letter = this.text[this.at];
      if (letter === " " || letter === "\t" || letter === "\f" || (this.open && (letter === "\n" || letter === "\r"))) this.at++;
      else if (letter === "#") while (this.at < this.text.length && this.text[this.at] !== "\n") this.at++;
      else return;
    }
  }

  take(letter) { this.space(); if (this.peek() !== letter) return false; this.at++; return true; }

  whole() {
    if (!this.text) this.fail();
    const first = this.sum(0);
    this.space();
    if (this.peek() !== ",") { if (this.at < this.text.length) this.fail(); return first.value; }
    // A tuple without brackets: its items are one level deeper.
    this.at = 0;
    const items = this.items(1, "");
    if (this.at < this.text.length) this.fail();
    return ["tuple", items];
  }

  /** Items up to a closing bracket, or the end where it is "". */
  items(depth, close) {
    const items = [];
    for (;;) {
      this.space();
      if (close ? this.take(close) : this.at >= this.text.length) return items;
      items.push(this.sum(depth).value);
      this.space();
      if (close ? this.take(close) : this.at >= this.text.length) return items;
      if (!this.take(",")) this.fail();
    }
  }

  /** A signed value, or a real and an imaginary number. */
  sum(depth) {
    const left = this.signed(depth);
    this.space();
    const sign = this.peek();
    if (sign !== "+" && sign !== "-") return left;
    if (left.sum || !["int", "float"].includes(left.value[0])) this.fail();
    this.at++;
    const right = this.signed(depth);
    if (right.sign || right.sum || right.value[0] !== "complex") this.fail();
    const real = Number(left.value[1]);
    if (left.value[0] === "int" && !Number.isFinite(real)) this.fail();
    this.space();
    if ("+-".includes(this.peek()) && this.peek()) this.fail();
    return { value: ["complex", real === 0 && left.sign ? -0 : real, (sign === "-" ? -1 : 1) * right.value[2]], sum: true };
  }

  signed(depth) {
    let sign = 1, has = false;
    for (this.space(); this.peek() === "-" || this.peek() === "+"; this.space()) { if (this.peek() === "-") sign = -sign; has = true; this.at++; }
    const found = this.atom(depth);
    if (!has) return found;
    if (found.sum) this.fail();
    const [kind, a, b] = found.value;
    if (kind === "int") return { value: ["int", sign < 0 ? -a : a], sign: true };
    if (kind === "float") return { value: ["float", sign * a, ...(Number.isNaN(a) && sign < 0 ? [++this.fresh] : found.value.slice(2))], sign: true };
    if (kind === "complex") return { value: ["complex", 0, sign * b], sign: true };
    return this.fail();
  }

  atom(depth) {
    this.space();
    if (depth > DEEPEST) this.fail();
    const letter = this.peek();
    if (letter === "[") return { value: ["list", this.bracket("]", depth)] };
    if (letter === "(") return this.round(depth);
    if (letter === "{") return { value: this.curly(depth) };
    if (this.peek(3) === "...") { this.at += 3; return { value: ["ellipsis"] }; }
    const start = this.text.slice(this.at).match(/^(?:[bB][rR]?|[rR][bB]?|[uU])?(?:'|")/);
    if (start) return { value: this.strings() };
    if (/[\d.]/.test(letter)) return { value: this.number() };
    const name = this.text.slice(this.at).match(/^[A-Za-z_]\w*/)?.[0];
    if (!name) this.fail();
    this.at += name.length;
    if (name === "set" || name === "frozenset") return { value: this.call(name, depth) };
    if (!Object.hasOwn(NAMED, name)) this.fail();
    return { value: NAMED[name] };
  }

  bracket(close, depth) { this.at++; this.open++; const items = this.items(depth + 1, close); this.open--; return items; }

  round(depth) {
    const start = this.at;
    this.at++; this.open++;
    if (this.take(")")) { this.open--; return { value: ["tuple", []] }; }
    const first = this.sum(depth);
    if (this.take(")")) { this.open--; return first; }
    this.open--;
    this.at = start;
    return { value: ["tuple", this.bracket(")", depth)] };
  }

  curly(depth) {
    this.at++; this.open++;
    const pairs = new Map(), members = [];
    let isDict = false, isFirst = true;
    for (;;) {
      if (this.take("}")) { this.open--; return isFirst || isDict ? ["dict", [...pairs.values()]] : ["set", distinct(members)]; }
      const key = this.sum(depth + 1).value;
      const has = this.take(":");
      if (!isFirst && has !== isDict) this.fail();
      isDict = has; isFirst = false;
      if (has) {
        const value = this.sum(depth + 1).value, name = looseKey(key);
        pairs.set(name, [pairs.has(name) ? pairs.get(name)[0] : key, value]);
      } else members.push(key);
      this.space();
      if (this.peek() !== "}" && !this.take(",")) this.fail();
    }
  }

  call(name, depth) {
    if (!this.take("(")) this.fail();
    this.open++;
    let members = [];
    this.space();
    if (this.peek() !== ")") {
      const [kind, items] = this.atomOfCall(depth);
      members = items;
      if (!["list", "tuple", "set"].includes(kind)) this.fail();
      this.take(",");
    }
    if (!this.take(")")) this.fail();
    this.open--;
    return [name, distinct(members)];
  }

  atomOfCall(depth) { const found = this.atom(depth + 1); if (found.sum) this.fail(); return found.value; }

  number() {
    const text = this.text.slice(this.at).match(/^(?:0[xXoObB][\w]*|(?:[\d_]*\.?[\d_]*(?:[eE][-+]?[\d_]+)?)[jJ]?)/)[0];
    this.at += text.length;
    if (/[\w.]/.test(this.peek()) || !text) this.fail();
    if (/[jJ]$/.test(text)) { const body = text.slice(0, -1); if (!FLOAT.test(body) || !/\d/.test(body)) this.fail(); return ["complex", 0, Number(body.replaceAll("_", ""))]; }
    const plain = text.replaceAll("_", "");
    if (DECIMAL.test(text)) { if (plain.length > MOST_DIGITS) this.fail(); return ["int", BigInt(plain)]; }
    if (BASED.test(text)) return ["int", BigInt(plain.toLowerCase())];
    if (/[.eE]/.test(text) && FLOAT.test(text) && /^\.?\d/.test(text)) return ["float", Number(plain)];
    return this.fail();
  }

  /** One string or several that stand side by side. */
  strings() {
    const codes = [];
    let kind = "";
    for (;;) {
      const start = this.text.slice(this.at).match(/^([bB][rR]?|[rR][bB]?|[uU])?('''|"""|'|")/);
      if (!start) break;
      const prefix = (start[1] || "").toLowerCase(), own = prefix.includes("b") ? "bytes" : "str";
      if (kind && kind !== own) this.fail();
      kind = own;
      this.at += start[0].length;
      this.string(start[2], { raw: prefix.includes("r"), bytes: own === "bytes" }, codes);
      this.space();
    }
    return [kind, codes];
  }

  string(quote, { raw, bytes }, codes) {
    while (!this.text.startsWith(quote, this.at)) {
      const code = this.text.codePointAt(this.at);
      if (code === undefined || ((code === 10 || code === 13) && quote.length === 1) || (bytes && code > 127) || code === 0) this.fail();
      this.at += code > 0xffff ? 2 : 1;
      if (code !== 92) { codes.push(code); continue; }
      if (raw) {
        const next = this.text.codePointAt(this.at);
        if (next === undefined || (bytes && next > 127)) this.fail();
        codes.push(92, next);
        this.at += next > 0xffff ? 2 : 1;
      } else this.escape(bytes, codes);
    }
    this.at += quote.length;
  }

  escape(bytes, codes) {
    const rest = this.text.slice(this.at, this.at + 10), letter = rest[0], simple = { n: 10, t: 9, r: 13, "\\": 92, "'": 39, '"': 34, a: 7, b: 8, f: 12, v: 11 };
    const octal = rest.match(/^[0-7]{1,3}/)?.[0];
    if (letter === undefined) this.fail();
    if (letter === "\n") this.at += 1;
    else if (letter in simple) { codes.push(simple[letter]); this.at += 1; }
    else if (octal) { codes.push(bytes ? parseInt(octal, 8) & 255 : parseInt(octal, 8)); this.at += octal.length; }
    else if (letter === "x" || (!bytes && (letter === "u" || letter === "U"))) {
      const n = { x: 2, u: 4, U: 8 }[letter], digits = rest.slice(1, 1 + n);
      if (!new RegExp(`^[\\da-fA-F]{${n}}$`).test(digits) || parseInt(digits, 16) > 0x10ffff) this.fail();
      codes.push(parseInt(digits, 16));
      this.at += 1 + n;
    } else if (!bytes && letter === "N") this.fail();
    else codes.push(92);
  }
}

/** Members of a set without those that Python takes for one already there. */
function distinct(members) {
  const seen = new Map();
  for (const member of members) { const key = looseKey(member); if (!seen.has(key)) seen.set(key, member); }
  return [...seen.values()];
}

/** Python's own equality, for keys and members: 1, 1.0 and True are one. Lists, dicts and sets cannot be hashed. */
function looseKey([kind, a, b]) {
  if (kind === "bool") return `n${a ? 1 : 0}`;
  if (kind === "int") return `n${a}`;
  if (kind === "float") return numberKey(a, b);
  if (kind === "complex") return b === 0 ? numberKey(a) : `c${numberKey(a)},${numberKey(b)}`;
  if (kind === "tuple") return `t(${a.map(looseKey).join()})`;
  if (kind === "frozenset") return `z{${a.map(looseKey).sort().join()}}`;
  if (kind === "list" || kind === "dict" || kind === "set") throw new NotReadable();
  return exactKey([kind, a]);
}

function numberKey(value, fresh) {
  if (Number.isNaN(value)) return `nan${fresh || ""}`;
  return Number.isInteger(value) ? `n${BigInt(value)}` : `n${value}`;
}

function exactKey([kind, a, b]) {
  if (kind === "float") return `float ${floatText(a)}`;
  if (kind === "complex") return `complex ${floatText(a)} ${floatText(b)}`;
  if (kind === "str" || kind === "bytes") return `${kind} ${a.join(" ")}`;
  if (kind === "list" || kind === "tuple") return `${kind}[${a.map(exactKey).join(";")}]`;
  if (kind === "set" || kind === "frozenset") return `${kind}{${[...new Set(a.map(exactKey))].sort().join(";")}}`;
  if (kind === "dict") return `dict{${[...new Set(a.map(([key, value]) => `${exactKey(key)}:${exactKey(value)}`))].sort().join(";")}}`;
  return a === undefined ? kind : `${kind} ${a}`;
}

function floatText(value) { return Object.is(value, -0) ? "-0" : String(value); }

/** "right", "wrong" or "not readable": a typed comparison; "raises KeyError" is an answer too. */
function judge(answer, truth, key = literalKey) {
  const raised = (text) => text.trim().match(/^raises `?(?:[A-Za-z_<][\w<>]*\.)*([A-Za-z_]\w*)`?\.?$/)?.[1];
  if (raised(answer) || raised(truth)) {
    if (raised(answer) && raised(truth)) return raised(answer) === raised(truth) ? "right" : "wrong";
    return key(raised(answer) ? truth : answer) === null ? "not readable" : "wrong";
  }
  const said = key(answer), wanted = key(truth);
  return said === null || wanted === null ? "not readable" : said === wanted ? "right" : "wrong";
}
