// JavaScript literals in the page, for guesses: two texts are the same answer exactly when their keys are equal
// (languages/javascript/values.py, policy "strict"). What is not read has no key.

const JS_NAMED = { true: "true", false: "false", null: "null", undefined: "undefined", NaN: "NaN", Infinity: "Infinity" };
const JS_ESCAPES = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f", v: "\v", 0: "\0" };

/** The key of one literal of JavaScript; null = not readable. */
function javascriptKey(text) {
  if (text.length > LONGEST) return null;
  let at = 0;
  const fail = () => { throw new NotReadable(); };
  const space = () => { while (/\s/.test(text[at] || "x")) at++; };
  const take = (sign) => { space(); if (!text.startsWith(sign, at)) return false; at += sign.length; return true; };
  const match = (form) => { space(); form.lastIndex = at; const found = form.exec(text); if (found) at += found[0].length; return found && found[0]; };
  function value(depth) {
    if (depth > DEEPEST) fail();
    space();
    const first = text[at];
    if (first === "[") { at++; return `[${items("]", depth, true).join(";")}]`; }
    if (first === "{") { at++; return `{${properties(depth).join(";")}}`; }
    if (first === "'" || first === '"' || first === "`") return `s${JSON.stringify(string(first))}`;
    if (match(/new\s+(?=(?:Map|Set)\b)/y)) {
      const isMap = match(/Map|Set/y) === "Map";
      if (!take("(")) fail();
      const inside = take(")") ? [] : take("[") ? items("]", depth, false) : fail();
      if (text[at - 1] !== ")" && !take(")")) fail();
      return `${isMap ? "Map" : "Set"}{${[...new Set(inside)].sort().join(";")}}`;
    }
    return number() ?? fail();
  }
  function number() {
    const sign = take("-") ? "-" : "";
    const whole = match(/0[xX][\da-fA-F]+n?|0[oO][0-7]+n?|0[bB][01]+n?|(?:0|[1-9]\d*)n|(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?/y);
    if (whole !== null) {
      if (/[\w$]/.test(text[at] || " ")) fail();
      if (whole.endsWith("n")) return `b${BigInt(whole.slice(0, -1)) * (sign ? -1n : 1n)}`;
      const n = Number(whole) * (sign ? -1 : 1);
      return `n${Object.is(n, -0) ? "-0" : n}`;
    }
    const name = match(/[A-Za-z]+/y);
    if (name === "Infinity") return `n${sign}Infinity`;
    return name !== null && !sign && Object.hasOwn(JS_NAMED, name) ? JS_NAMED[name] : null;
  }
  function string(quote) {
    let out = "";
    for (at++; text[at] !== quote; at++) {
      if (at >= text.length || (text[at] === "\n" && quote !== "`") || (quote === "`" && text.startsWith("${", at))) fail();
      if (text[at] !== "\\") { out += text[at]; continue; }
      const code = match(/\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|u\{([\da-fA-F]+)\})/y);
      if (code !== null) { out += String.fromCodePoint(parseInt(code.replace(/[^\da-fA-F]/g, "").replace(/^u|^x/, ""), 16)); at--; continue; }
      at++;
      out += JS_ESCAPES[text[at]] ?? text[at];
    }
    at++;
    return out;
  }
  function items(close, depth, hasHoles) {
    const out = [];
    for (;;) {
      if (take(close)) return out;
      if (hasHoles && take(",")) { out.push("hole"); continue; }
      out.push(value(depth + 1));
      if (take(close)) return out;
      if (!take(",")) fail();
    }
  }
  function properties(depth) {
    const out = new Map();
    for (;;) {
      if (take("}")) return [...out].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, held]) => `${JSON.stringify(name)}:${held}`);
      space();
      const name = text[at] === "'" || text[at] === '"' ? string(text[at]) : match(/[A-Za-z_$][\w$]*|0|[1-9]\d*/y);
      if (name === null || !take(":")) fail();
      out.set(name, value(depth + 1));
      if (!take(",") && (space(), text[at] !== "}")) fail();
    }
  }
  try {
    const key = value(0);
    space();
    take(";");
    space();
    return at === text.length ? key : null;
  } catch (error) { if (error instanceof NotReadable || error instanceof RangeError || error instanceof SyntaxError) return null; throw error; }
}

/** How answers about a program in this language are read: the key of a text, and the hint beside the question. */
function reading(language) {
  return language === "javascript" || language === "typescript"
    ? { key: javascriptKey, name: "JavaScript", hint: "A JavaScript literal, such as 3, 'ab' or [1, 2]." }
    : { key: literalKey, name: "Python", hint: "A Python literal, such as 3, 'ab' or [1, 2]." };
}
