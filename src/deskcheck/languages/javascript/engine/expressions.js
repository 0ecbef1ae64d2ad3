// Expressions of a source: which ones a trace records, and their texts with blanks for the values of their parts.
//
// isEvaluated(node) -> whether a trace records its value      spanOf(node) -> [line, column, end line, end column]
// deskcheckExpressions.table(source, ast, comments) -> [{span, pieces, name, moving, kind}, ..] for `expressions.py`
// Columns count UTF-8 bytes. A piece is a text, or [number of an expression, how it is held].
(function () {
  "use strict";
  const { children, namesOf, FUNCTIONS } = globalThis.deskcheckScopes;
  const { lines } = globalThis.deskcheckText;
  const EVALUATED = new Set(["BinaryExpression", "UnaryExpression", "CallExpression", "NewExpression", "MemberExpression", "ChainExpression", "TaggedTemplateExpression", "TemplateLiteral", "UpdateExpression", "AssignmentExpression"]);
  const WRAPPED = new Set(["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression", "TSTypeAssertion", "TSInstantiationExpression"]);
  const LOOSE = new Set(["BinaryExpression", "LogicalExpression", "ConditionalExpression", "AssignmentExpression", "ArrowFunctionExpression", "YieldExpression"]);
  const PLAIN = 0, OWNER = 1, BASE = 2;  // how a part is held: as it stands, as the object of a `.`, on the left of `**`

  function bare(node) { while (node && (node.type === "ParenthesizedExpression" || WRAPPED.has(node.type))) node = node.expression; return node; }

  /** Parts of a call, a chain or a `new` that give no value of their own: what is called, and links before a `?.`. */
  function withoutValue(node, out) {
    const link = (n, isDeep) => {
      for (n = bare(n); n && (n.type === "MemberExpression" || (isDeep && n.type === "CallExpression")); n = isDeep ? bare(n.object || n.callee) : null) out.add(n);
    };
    if (node.type === "CallExpression") link(node.callee, false);
    else if (node.type === "TaggedTemplateExpression") { link(node.tag, false); out.add(node.quasi); }
    else if (node.type === "NewExpression") link(node.callee, true);
    else if (node.type === "ChainExpression") link(node.expression, true);
    else if (node.type === "UnaryExpression" && node.operator === "delete") { const a = bare(node.argument); if (a.type === "ChainExpression") { out.add(a); link(a.expression, true); } else link(a, false); }
  }

  function isEvaluated(node) {
    if (!EVALUATED.has(node.type)) return false;
    switch (node.type) {
      case "UnaryExpression": return !(node.operator === "void" || ((node.operator === "-" || node.operator === "+") && bare(node.argument).type === "Literal"));
      case "CallExpression": return node.callee.type !== "Super";
      case "TemplateLiteral": return node.expressions.length > 0;
      case "AssignmentExpression": return node.operator !== "=";
    }
    return true;
  }

  function spansOf(source) {
    const lineOf = lines(source), starts = lineOf.starts, isAscii = /^[\x00-\x7f]*$/.test(source);
    function column(line, pos) {
      const from = starts[line - 1];
      if (isAscii) return pos - from;
      let n = 0;
      for (let i = from; i < pos; i++) { const c = source.charCodeAt(i); n += c < 0x80 ? 1 : c < 0x800 ? 2 : c >= 0xd800 && c < 0xdc00 ? (i++, 4) : 3; }
      return n;
    }
    return (node) => { const line = lineOf(node.start), last = lineOf(node.end); return [line, column(line, node.start), last, column(last, node.end)]; };
  }

  function table(source, ast, comments) {
    const spanOf = spansOf(source), rows = [], moving = movingNames(ast);
    const number = new Map();
    const squeezed = (text) => text.replace(/\/\*[^]*?\*\/|\/\/[^\n]*/g, " ").replace(/\s+/g, " ");
    function leaf(node) {  // on one line, without comments; spaces inside a line may stand in a string
      let text = "", at = node.start;
      for (const c of comments) if (c.start >= at && c.end <= node.end) { text += source.slice(at, c.start); at = c.end; }
      return (text + source.slice(at, node.end)).replace(/\\\r?\n/g, "").replace(/\s*\n\s*/g, " ");
    }
    function quoteless(text) { return text.replace(/'/g, "\\x27").replace(/"/g, "\\x22"); }

    function add(node, around) {
      if (number.has(node)) return number.get(node);
      const row = { span: spanOf(node), pieces: [], name: "", moving: false, kind: "" };
      const id = rows.push(row) - 1;
      number.set(node, id);
      fill(node, row, around);
      return id;
    }
    function bracketed(node, around) {  // `s += a ? b : c` is s + (a ? b : c)
      const inner = add(node, around);
      if (!LOOSE.has(node.type)) return inner;
      return rows.push({ span: [0, 0, 0, 0], pieces: ["(", [inner, PLAIN], ")"], name: "", moving: false, kind: "brackets" }) - 1;
    }
    function fill(node, row, around) {
      switch (node.type) {
        case "Identifier": row.name = node.name; row.moving = moving.get(around)?.has(node.name) || false; row.pieces = [node.name]; return;
        case "Literal": row.pieces = [node.regex ? quoteless(source.slice(node.start, node.end)) : source.slice(node.start, node.end).replace(/\\\r?\n/g, "")]; return;
        case "ThisExpression": case "Super": case "PrivateIdentifier": row.pieces = [leaf(node)]; return;
        case "ParenthesizedExpression": row.kind = "brackets"; row.pieces = ["(", [add(node.expression, around), PLAIN], ")"]; return;
        case "AssignmentExpression":
          if (node.operator === "=") break;
          row.pieces = [[add(node.left, around), PLAIN], ` ${node.operator.slice(0, -1)} `, [bracketed(node.right, around), PLAIN]];
          return;
        case "TemplateLiteral":
          row.pieces.push("`");
          node.quasis.forEach((q, i) => { row.pieces.push(quoteless(source.slice(q.start, q.end)).replace(/\n/g, "\\n")); if (i < node.expressions.length) row.pieces.push("${", [add(node.expressions[i], around), PLAIN], "}"); });
          row.pieces.push("`");
          return;
        case "FunctionExpression": case "ArrowFunctionExpression": case "ClassExpression": row.pieces = [leaf(node)]; return;
      }
      if (WRAPPED.has(node.type)) { row.kind = "through"; row.pieces = [[add(node.expression, around), PLAIN]]; return; }
      if (node.type === "BinaryExpression" && (node.operator === "*" || node.operator === "%")) row.kind = "arithmetic";
      if (node.type === "MemberExpression" && node.computed) row.kind = "element";
      if (node.type === "CallExpression" && bare(node.callee).type === "MemberExpression" && !bare(node.callee).computed && bare(node.callee).property.name === "indexOf") row.kind = "search";
      const parts = partsOf(node), gone = ["typeArguments", "typeParameters"].map((name) => node[name]).filter(Boolean);
      let at = node.start;
      const gap = (to) => { let text = ""; for (const range of gone) if (range.start >= at && range.end <= to) { text += source.slice(at, range.start); at = range.end; } row.pieces.push(squeezed(text + source.slice(at, to))); at = to; };
      for (const part of parts) {
        gap(part.start);
        const held = (node.type === "MemberExpression" && part === node.object) || (node.type === "TaggedTemplateExpression" && part === node.tag) || ((node.type === "CallExpression" || node.type === "NewExpression") && part === node.callee) ? OWNER : node.type === "BinaryExpression" && node.operator === "**" && part === node.left ? BASE : PLAIN;
        row.pieces.push([add(part, around), held]);
        at = part.end;
      }
      gap(node.end);
    }
    function partsOf(node) {
      const out = [];
      if (node.type === "MemberExpression") { out.push(node.object); if (node.computed) out.push(node.property); return out; }
      if (node.type === "ObjectExpression") {
        for (const p of node.properties) {
          if (p.type === "SpreadElement") out.push(p.argument);
          else if (p.method || p.kind !== "init" || p.shorthand) continue;
          else { if (p.computed) out.push(p.key); out.push(p.value); }
        }
        return out;
      }
      children(node, (child) => out.push(child.type === "SpreadElement" ? child.argument : child));
      return out.sort((a, b) => a.start - b.start);
    }
    (function walk(node, around) {
      const isStatement = /Statement$|Declaration$/.test(node.type) && node.type !== "BlockStatement";
      const here = isStatement ? node : around;
      if (isEvaluated(node)) add(node, here);
      children(node, (child) => walk(child, child.type.endsWith("Statement") || FUNCTIONS.has(child.type) ? child : here));
    })(ast, ast);
    return rows;
  }

  /** Statement -> names that it may assign between two of its expressions; the state may hold their old value. */
  function movingNames(ast) {
    const found = new Map();
    (function walk(node, around, whole) {
      const isPlace = /Statement$|Declaration$/.test(node.type) || FUNCTIONS.has(node.type);
      const here = isPlace && node.type !== "BlockStatement" ? node : around;
      const names = node.type === "AssignmentExpression" && node !== whole ? namesOf(node.left, []) : node.type === "UpdateExpression" && node !== whole ? namesOf(node.argument, []) : [];
      for (const { name } of names) { if (!found.has(here)) found.set(here, new Set()); found.get(here).add(name); }
      const next = node.type === "ExpressionStatement" ? bare(node.expression) : node.type === "ForStatement" && node.update ? bare(node.update) : whole;
      children(node, (child) => walk(child, here, next));
    })(ast, ast, null);
    return found;
  }

  globalThis.deskcheckExpressions = { isEvaluated, withoutValue, spansOf, table };
})();
