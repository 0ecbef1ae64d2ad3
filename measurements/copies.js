// Changes under which a copy of a program in JavaScript is still a copy: copies(source) -> {change: text or null}.
//
// Needs acorn. A change is null where there is nothing to change. `types added` is TypeScript.
(function () {
  "use strict";
  const SKIP = new Set(["type", "start", "end"]);
  function children(node) {
    const out = [];
    for (const key in node) {
      if (SKIP.has(key)) continue;
      const child = node[key];
      for (const one of Array.isArray(child) ? child : [child]) if (one && typeof one.type === "string") out.push(one);
    }
    return out.sort((a, b) => a.start - b.start);
  }
  function walk(node, visit) { visit(node); for (const child of children(node)) walk(child, visit); }
  function bound(pattern, out) {
    if (!pattern) return;
    if (pattern.type === "Identifier") out.add(pattern.name);
    else if (pattern.type === "AssignmentPattern") bound(pattern.left, out);
    else if (pattern.type === "RestElement") bound(pattern.argument, out);
    else if (pattern.type === "ArrayPattern") for (const one of pattern.elements) bound(one, out);
    else if (pattern.type === "ObjectPattern") for (const one of pattern.properties) bound(one.value || one, out);
  }

  function changed(source, change) {  // the text with every node rewritten, inner ones first; null if none was
    let n = 0;
    function text(node) {
      const texts = new Map();
      let out = "", at = node.start;
      for (const child of children(node)) {
        if (child.start < at) continue;
        const inner = text(child);
        texts.set(child, inner);
        out += source.slice(at, child.start) + inner;
        at = child.end;
      }
      out += source.slice(at, node.end);
      const made = change(node, out, (child) => texts.get(child));
      if (made === undefined) return out;
      n++;
      return made;
    }
    const ast = acorn.parse(source, { ecmaVersion: "latest", sourceType: "script", allowReturnOutsideFunction: true });
    const whole = source.slice(0, ast.start) + text(ast) + source.slice(ast.end);
    return n ? whole : null;
  }
  const isFunction = (node) => /Function/.test(node.type) && node.body && node.body.type === "BlockStatement";
  const inBody = (node, text, of, make) => { const body = of(node.body); return text.slice(0, text.length - body.length) + "{" + make(body.slice(1, -1)) + "}"; };
  function has(node, is) { let yes = false; walk(node, (one) => { yes = yes || is(one); }); return yes; }

  function renamed(source) {
    const names = new Map(), own = new Set();
    const ast = acorn.parse(source, { ecmaVersion: "latest" });
    walk(ast, (node) => {
      if (/Function/.test(node.type)) { if (node.id) own.add(node.id.name); for (const one of node.params) bound(one, own); }
      if (node.type === "VariableDeclarator") bound(node.id, own);
      if (node.type === "CatchClause") bound(node.param, own);
      if (node.type === "ClassDeclaration") own.add(node.id.name);
    });
    const keys = new Set();
    walk(ast, (node) => { if ((node.type === "MemberExpression" && !node.computed)) keys.add(node.property.start); if ((node.type === "Property" || node.type === "MethodDefinition") && !node.computed) keys.add(node.key.start); });
    const other = (name) => { if (!names.has(name)) names.set(name, "name_" + names.size); return names.get(name); };
    return changed(source, (node, text, of) => {
      if (node.type === "Property" && node.shorthand && own.has(node.key.name)) return `${node.key.name}: ${node.value.type === "AssignmentPattern" ? of(node.value) ?? other(node.key.name) : other(node.key.name)}`;
      if (node.type === "Identifier" && own.has(node.name) && !keys.has(node.start)) return other(node.name);
      if (node.type === "Literal" && typeof node.value === "number" && Number.isInteger(node.value) && !keys.has(node.start)) return String(node.value + 1);
    });
  }
  const CHANGES = {
    "reformatted, with comments": (s) => (s.includes("`") ? "// a comment\n" + s : "// a comment\n" + s.replaceAll("\n", "\n\n").replaceAll(/^( +)/gm, "$1$1")),
    "types added": (s) => changed(s, (node, text, of) => {
      if (/Function/.test(node.type) && node.params.length && node.params.every((p) => p.type === "Identifier") && source_is_bracketed(s, node)) { let out = text; for (const p of node.params) out = out.replace(new RegExp(`([(,]\\s*)${p.name.replaceAll("$", "\\$")}(\\s*[,)])`), `$1${p.name}: any$2`); return out; }
      if (node.type === "VariableDeclarator" && node.id.type === "Identifier" && node.init) return `${node.id.name}: any${text.slice(node.id.name.length)}`;
    }),
    "names renamed, whole numbers + 1": renamed,
    "`x += y` written out": (s) => changed(s, (node, text, of) => { if (node.type === "AssignmentExpression" && /^[-+*%]=$/.test(node.operator)) return `${of(node.left)} = ${of(node.left)} ${node.operator[0]} (${of(node.right)})`; }),
    "`require` above": (s) => "const os = require('os');\n" + s,
    "a second function below": (s) => s + "\nfunction other(folder) {\n  for (const [number, path] of folder.list().entries()) console.log(`${number} ${path.size.toFixed(2)} ${path.name}`);\n}\n",
    "`unused` first": (s) => changed(s, (node, text, of) => { if (isFunction(node)) return inBody(node, text, of, (inner) => "\n  const unused = 0;" + inner); }),
    "branches swapped": (s) => changed(s, (node, text, of) => { if (node.type === "IfStatement" && node.alternate) return `if (!(${of(node.test)})) ${braced(of(node.alternate))} else ${braced(of(node.consequent))}`; }),
    "body inside `try`": (s) => changed(s, (node, text, of) => { if (isFunction(node)) return inBody(node, text, of, (inner) => `\n  try {${inner}} catch (error) {\n    throw error;\n  }\n`); }),
    "result named": (s) => changed(s, (node, text, of) => { if (node.type === "ReturnStatement" && node.argument && node.argument.type !== "Identifier" && node.argument.type !== "Literal") return `{ const resultOf = ${of(node.argument)}; return resultOf; }`; }),
    "a method of `class Solution`": (s) => {
      const ast = acorn.parse(s, { ecmaVersion: "latest" });
      if (!ast.body.every((node) => node.type === "FunctionDeclaration")) return null;
      const names = new Set(ast.body.map((node) => node.id.name));
      const text = changed(s, (node, text, of) => {
        if (node.type === "CallExpression" && node.callee.type === "Identifier" && names.has(node.callee.name)) return "this." + text;
        if (node.type === "FunctionDeclaration" && ast.body.some((one) => one.start === node.start)) return text.replace(/^function\s*/, "");
      });
      return text && `class Solution {\n${text}\n}\n`;
    },
    "inside another function": (s, entry) => `function outer(...values) {\n${s}\nreturn ${entry}(...values);\n}\n`,
    "as an arrow function": (s) => changed(s, (node, text, of) => { if (node.type === "FunctionDeclaration" && !node.generator && !node.async && !has(node.body, (one) => one.type === "ThisExpression" || (one.type === "Identifier" && one.name === "arguments"))) return `const ${node.id.name} = (${node.params.map(of).join(", ")}) => ${of(node.body)};`; }),
    "`for (;;)` as `while`": (s) => changed(s, (node, text, of) => { if (node.type === "ForStatement" && node.init && node.test && node.update && !has(node.body, (one) => one.type === "ContinueStatement")) return `{ ${of(node.init)}${/;\s*$/.test(of(node.init)) ? "" : ";"} while (${of(node.test)}) { ${of(node.body)} ${of(node.update)}; } }`; }),
    "`var` for `let` and `const`": (s) => changed(s, (node, text) => { if (node.type === "VariableDeclaration" && node.kind !== "var") return text.replace(/^(let|const)/, "var"); }),
  };
  const APART = {
    "`for..of` as `forEach`": (s) => changed(s, (node, text, of) => { if (node.type === "ForOfStatement" && node.left.type === "VariableDeclaration" && !has(node.body, (one) => /^(Break|Continue|Return)Statement$/.test(one.type))) return `(${of(node.right)}).forEach((${of(node.left).replace(/^(let|const|var)\s+/, "")}) => ${braced(of(node.body))});`; }),
    "a template as a sum": (s) => changed(s, (node, text, of) => { if (node.type === "TemplateLiteral" && node.expressions.length && !node.quasis.some((one) => /[\\\n"]/.test(one.value.raw))) return "(" + node.quasis.flatMap((one, n) => [JSON.stringify(one.value.cooked), ...(n < node.expressions.length ? [`(${of(node.expressions[n])})`] : [])]).join(" + ") + ")"; }),
    "extended": (s) => changed(s, (node, text, of) => {
      if (node.type !== "FunctionDeclaration") return undefined;
      return inBody(node, text, of, () => "\n  const logOf = ['started']; let countOf = 0;\n" + node.body.body.map((one) => `logOf.push(String(countOf)); countOf += logOf.length;\n  ${s.slice(one.start, one.end)}\n`).join(""));
    }),
  };
  function braced(text) { return text.startsWith("{") ? text : `{ ${text} }`; }
  function source_is_bracketed(s, node) { return /[(]\s*$/.test(s.slice(node.start, node.params[0].start)); }
  globalThis.copies = (source, entry) => {
    const out = {};
    for (const [group, changes] of [["", CHANGES], ["apart: ", APART]]) for (const name in changes) { try { out[group + name] = changes[name](source, entry); } catch (error) { out[group + name] = null; out["failed: " + name] = String(error.message); } }
    return JSON.stringify(out);
  };
})();
