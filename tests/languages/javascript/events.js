// A recorder of its own for tests: node events.js ACORN < lines of JSON sources > lines of JSON rows.
//
// It wraps every function of a program in a way of its own (a function around the body's code, no frames, no
// statements) and lists, in real order, what `test_events.py` compares: calls with arguments, returns, exceptions,
// what generators yield and await hands out.
"use strict";
const fs = require("fs"), vm = require("vm");
const acorn = require(process.argv[2]);
const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

function rewritten(source) {
  const ast = acorn.parse(source, { ecmaVersion: "latest", sourceType: "script", preserveParens: true });
  const edits = [];
  let n = 0;
  const put = (at, text) => edits.push([at, n++, text]);
  (function walk(node, fn, isParameter) {
    if (FUNCTIONS.has(node.type)) {
      const line = source.slice(0, node.start).split("\n").length, block = node.body.type === "BlockStatement";
      for (const p of node.params) walk(p, null, true);
      const names = node.params.map((p) => (p.type === "Identifier" ? p.name : "")).filter(Boolean);
      const begin = `const $id=$call(${line},{${names.join()}});try{`, end = "}catch($e){$throw($id,$e);throw $e}finally{$done($id)}";
      if (block) { put(node.body.start + 1, begin); walk(node.body, node); put(node.body.end - 1, `;return $return($id,undefined);${end}`); }
      else { put(node.body.start, `{${begin}return $return($id,(`); walk(node.body, node); put(node.body.end, `));${end}}`); }
      return;
    }
    if (node.type === "PropertyDefinition" && node.value) return walk(node.value, null, true);
    if (node.type === "ReturnStatement" && fn) {
      if (node.argument) { put(node.argument.start, " $return($id,("); walk(node.argument, fn); put(node.argument.end, "))"); } else put(node.start + 6, " $return($id,undefined)");
      return;
    }
    if (fn && (node.type === "YieldExpression" || node.type === "AwaitExpression") && node.argument) {
      put(node.argument.start, " $out($id,("); walk(node.argument, fn); put(node.argument.end, "))");
      return;
    }
    for (const key in node) {
      const child = node[key];
      if (Array.isArray(child)) { for (const each of child) if (each && each.type) walk(each, fn); } else if (child && typeof child.type === "string") walk(child, fn);
    }
  })(ast, null);
  edits.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  let out = "", at = 0;
  for (const [pos, , text] of edits) { out += source.slice(at, pos) + text; at = pos; }
  return out + source.slice(at);
}

function shown(v) {
  switch (typeof v) {
    case "string": return JSON.stringify(v);
    case "number": return Object.is(v, -0) ? "-0" : String(v);
    case "bigint": return v + "n";
    case "function": case "symbol": return typeof v;
    case "object": {
      if (v === null) return "null";
      const tag = Object.prototype.toString.call(v).slice(8, -1);
      return tag === "Array" ? `Array ${v.length}` : tag === "Map" || tag === "Set" ? `${tag} ${v.size}` : "object";
    }
  }
  return String(v);
}

async function main() {
  for (const line of fs.readFileSync(0, "utf8").split("\n").filter(Boolean)) {
    const rows = [], ended = new Map();
    let n = 0, waiting = 0;
    const hooks = {
      $call(line, values) { rows.push(["call", line, Object.entries(values).map(([name, v]) => [name, shown(v)])]); return n++; },
      $return(id, v) { ended.set(id, ["return", shown(v)]); return v; },
      $throw(id, e) { ended.set(id, ["throw", shown(e)]); },
      $done(id) { rows.push(ended.get(id) || ["return", "undefined"]); },
      $out(id, v) { rows.push(["out", shown(v)]); return v; },
      console: { log() {} },
      setTimeout: (f) => { waiting++; setTimeout(() => { waiting--; f(); }, 1); },
    };
    vm.runInNewContext(rewritten(JSON.parse(line)), hooks);
    do await new Promise((done) => setTimeout(done, 10)); while (waiting > 0);
    process.stdout.write(JSON.stringify(rows) + "\n");
  }
}
main();
