// A small language for watched expressions: names, paths, literals, len(), arithmetic and comparisons. Nothing is executed.

class Watch {
  constructor(text) { this.tokens = Watch.tokens(text); this.at = 0; this.tree = this.either(); if (this.at < this.tokens.length) this.wrong(); }

  static tokens(text) {
    const found = [...text.matchAll(/\s*(\d+\.\d*|\d+|[A-Za-z_]\w*|'[^']*'|"[^"]*"|==|!=|<=|>=|\/\/|\*\*|[-+*/%<>()[\].,])/gy)].map((m) => m[1]);
    if (found.join("").replace(/\s/g, "") !== text.replace(/\s/g, "")) throw new Error("not understood: names, xs[0], a.b, len(xs), + - * / // % and comparisons");
    return found;
  }

  wrong() { throw new Error(`not understood near ${JSON.stringify(this.tokens.slice(this.at, this.at + 2).join(" ") || "the end")}`); }
  take(...wanted) { if (wanted.includes(this.tokens[this.at])) return this.tokens[this.at++]; return null; }
  need(token) { if (!this.take(token)) this.wrong(); }
  chain(next, ...operators) { let left = next(); for (let o; (o = this.take(...operators));) left = ["op", o, left, next()]; return left; }
  either() { return this.chain(() => this.both(), "or"); }
  both() { return this.chain(() => this.not(), "and"); }
  not() { return this.take("not") ? ["not", this.not()] : this.chain(() => this.sum(), "==", "!=", "<", ">", "<=", ">=", "in"); }
  sum() { return this.chain(() => this.product(), "+", "-"); }
  product() { return this.chain(() => this.sign(), "*", "/", "//", "%"); }
  sign() { return this.take("-") ? ["negative", this.sign()] : this.path(); }

  path() {
    let tree = this.leaf();
    for (;;) {
      if (this.take("[")) { const index = this.either(); this.need("]"); tree = ["item", tree, index]; }
      else if (this.take(".")) { const name = this.tokens[this.at++]; if (!/^[A-Za-z_]/.test(name || "")) this.wrong(); tree = ["attribute", tree, name]; }
      else return tree;
    }
  }

  leaf() {
    const token = this.tokens[this.at++];
    if (token === "(") { const tree = this.either(); this.need(")"); return tree; }
    if (token === undefined) this.wrong();
    if (/^\d+$/.test(token)) return ["value", BigInt(token)];
    if (/^\d/.test(token)) return ["value", parseFloat(token)];
    if (/^['"]/.test(token)) return ["value", token.slice(1, -1)];
    if (token === "True" || token === "False") return ["value", token === "True"];
    if (token === "None") return ["value", null];
    if (token === "len" && this.take("(")) { const tree = this.either(); this.need(")"); return ["len", tree]; }
    if (!/^[A-Za-z_]/.test(token)) { this.at--; this.wrong(); }
    return ["name", token];
  }

  /** The value in a state: {value} a scalar, {handle} one of the program's; undefined = not there. */
  evaluate(app) { return this.result(this.tree, app); }

  /** Name of the cell that a path leads to in a state, as `App.cellOf` takes it apart; null = it is none. */
  cell(app) {
    const [kind, base, key] = this.tree, { replay, trace: t } = app, frame = replay.frames.get(replay.running);
    if (kind === "name") {
      if (frame?.names.has(base)) return `v|${frame.number}|${base}`;
      return frame && replay.modules.get(t.fileOf(frame.number))?.names.has(base) ? `g|${t.fileOf(frame.number)}|${base}` : null;
    }
    const object = kind === "item" || kind === "attribute" ? objectOf(this.result(base, app), app) : null;
    if (!object) return null;
    if (kind === "attribute") {
      for (const map of [object.attributes, object.entries]) for (const [name] of map) if (t.body(name) === key) return `a|${object.number}|${name}`;
      return null;
    }
    const found = this.result(key, app), index = found && scalarOf(found, t);
    if (object.kind === OBJECT.DICT) { for (const [name] of object.entries) if (same(scalarOf({ handle: name }, t), index)) return `k|${object.number}|${name}`; return null; }
    return typeof index === "bigint" ? `e|${object.number}|${index < 0n ? index + BigInt(object.items.length) : index}` : null;
  }

  result(tree, app) {
    const [kind, ...rest] = tree, t = app.trace, scalar = (inner) => { const found = this.result(inner, app); return found === undefined ? undefined : scalarOf(found, t); };
    if (kind === "value") return { value: rest[0] };
    if (kind === "name") {
      const handle = app.lookup(rest[0]);
      return handle === undefined ? undefined : { handle };
    }
    if (kind === "len") {
      const found = this.result(rest[0], app), object = objectOf(found, app);
      if (object) return { value: BigInt(object.items.length || object.entries.size) };
      const value = found && scalarOf(found, t);
      return typeof value === "string" ? { value: BigInt(Array.from(value).length) } : undefined;
    }
    if (kind === "attribute") {
      const object = objectOf(this.result(rest[0], app), app);
      for (const map of object ? [object.attributes, object.entries] : []) for (const [key, value] of map) if (t.body(key) === rest[1]) return { handle: value };
      return undefined;
    }
    if (kind === "item") {
      const base = this.result(rest[0], app), object = objectOf(base, app), index = scalar(rest[1]);
      if (index === undefined || base === undefined) return undefined;
      if (object && object.kind === OBJECT.DICT) { for (const [key, value] of object.entries) if (same(scalarOf({ handle: key }, t), index)) return { handle: value }; return undefined; }
      if (typeof index !== "bigint") return undefined;
      const sequence = object ? object.items : Array.from(scalarOf(base, t) ?? "");
      const item = sequence[Number(index < 0n ? index + BigInt(sequence.length) : index)];
      return item === undefined ? undefined : object ? { handle: item } : { value: item };
    }
    if (kind === "not") { const value = scalar(rest[0]); return value === undefined ? undefined : { value: !truth(value) }; }
    if (kind === "negative") { const value = scalar(rest[0]); return isNumber(value) ? { value: -value } : undefined; }
    const left = scalar(rest[1]), right = scalar(rest[2]);
    if (rest[0] === "in") return undefined;
    return left === undefined || right === undefined ? undefined : operate(rest[0], left, right);
  }
}

function objectOf(found, app) { return found && found.handle !== undefined && app.trace.isRef(found.handle) ? app.replay.object(app.trace.valueNumber[found.handle]) : null; }

/** A scalar of the program as a value of this script; undefined for what is none. */
function scalarOf(found, t) {
  if ("value" in found) return found.value;
  if (t.isRef(found.handle)) return undefined;
  const body = t.body(found.handle);
  if (t.isString(found.handle)) return body;
  if (/^-?\d+$/.test(body)) return BigInt(body);
  if (body === "True" || body === "False") return body === "True";
  if (body === "None") return null;
  const names = { nan: NaN, inf: Infinity, "-inf": -Infinity };
  const number = body in names ? names[body] : Number(body);
  return Number.isNaN(number) && body !== "nan" ? undefined : number;
}

function isNumber(value) { return typeof value === "bigint" || typeof value === "number"; }
function truth(value) { return typeof value === "bigint" ? value !== 0n : Boolean(value); }
function same(a, b) { return isNumber(a) && isNumber(b) ? a == b : a === b; }

function operate(operator, a, b) {
  if (operator === "and") return { value: truth(a) ? b : a };
  if (operator === "or") return { value: truth(a) ? a : b };
  if (operator === "==") return { value: same(a, b) };
  if (operator === "!=") return { value: !same(a, b) };
  const plus = typeof a === "string" && typeof b === "string";
  if (!plus && !(isNumber(a) && isNumber(b))) return undefined;
  if (["<", ">", "<=", ">="].includes(operator)) return { value: operator === "<" ? a < b : operator === ">" ? a > b : operator === "<=" ? a <= b : a >= b };
  if (plus) return operator === "+" ? { value: a + b } : undefined;
  const whole = typeof a === "bigint" && typeof b === "bigint";
  if (operator !== "/" && whole) {
    if (operator === "+") return { value: a + b };
    if (operator === "-") return { value: a - b };
    if (operator === "*") return { value: a * b };
    if (b === 0n) return undefined;
    const rest = ((a % b) + b) % b;
    return { value: operator === "%" ? rest : (a - rest) / b };
  }
  const [x, y] = [Number(a), Number(b)];
  if (operator === "+") return { value: x + y };
  if (operator === "-") return { value: x - y };
  if (operator === "*") return { value: x * y };
  if (y === 0) return undefined;
  if (operator === "/") return { value: x / y };
  const floor = Math.floor(x / y);
  return { value: operator === "//" ? floor : x - floor * y };
}

/** A result as text, as Python would write it where that is known. */
function resultText(found, app) {
  if (found === undefined) return "—";
  if (found.handle !== undefined) return app.previewOf(found.handle);
  const value = found.value;
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") return `'${value}'`;
  if (typeof value === "number") return Number.isInteger(value) && Math.abs(value) < 1e16 ? value.toFixed(1) : String(value);
  return String(value);
}
