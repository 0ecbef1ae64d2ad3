// Facts about a source by line numbers from 1: deskcheckFacts(source, {typescript}) -> tables for `reading.py`.
//
// A site is a place that gives a line event in a trace: the start of a statement, or a test of if, while, do, for.
// The walk here visits the same places as `instrument.js`, so facts cover every line of a trace.
(function () {
  "use strict";
  const { analyse, namesOf, children, FUNCTIONS } = globalThis.deskcheckScopes;
  const { parse, lines } = globalThis.deskcheckText;
  const WITH_TEST = new Set(["IfStatement", "WhileStatement", "DoWhileStatement", "ForStatement"]);
  const LOOPS = new Set(["ForStatement", "WhileStatement", "DoWhileStatement", "ForOfStatement", "ForInStatement"]);

  function unwrap(s) { while (s.type === "LabeledStatement") s = s.body; return s; }
  function declared(s) { return (s.type === "ExportNamedDeclaration" || s.type === "ExportDefaultDeclaration") && s.declaration ? s.declaration : s; }
  function isSilent(s) {  // without an event of its own
    return s.type === "FunctionDeclaration" || s.type === "EmptyStatement" || s.type === "ImportDeclaration" || !!s.declare || (s.type === "ExpressionStatement" && !!s.directive) || (/^(TS|Export)/.test(s.type) && s.type !== "TSEnumDeclaration" && s.type !== "TSExportAssignment");
  }
  function startOf(s) {  // where its own event is, -1 if it has none
    if (isSilent(s) || s.type === "BlockStatement" || s.type === "TryStatement") return -1;
    if (s.type === "ForStatement") return !s.init && s.test ? s.test.start : s.start;
    return s.type === "IfStatement" || s.type === "WhileStatement" ? s.test.start : s.type === "DoWhileStatement" ? -1 : s.start;
  }
  function firstOf(list) { for (const s of list) { const at = firstSite(s); if (at >= 0) return at; } return -1; }
  function firstSite(statement) {  // position of the first event of a statement, -1 if there may be none
    const s = unwrap(declared(statement));
    switch (s.type) {
      case "BlockStatement": return firstOf(s.body);
      case "TryStatement": return firstOf(s.block.body);
      case "DoWhileStatement": return firstInBody(s.body);
      default: return startOf(s);
    }
  }
  function firstInBody(s) { return s.type === "EmptyStatement" || (s.type === "BlockStatement" && !s.body.length) ? s.start : firstSite(s); }
  function lastOf(body) { return body.type === "BlockStatement" && body.body.length ? body.body[body.body.length - 1].end : body.end; }
  function within(node, visit, deep) {  // every node below, without functions inside unless `deep`
    children(node, (child) => { visit(child); if (deep || !FUNCTIONS.has(child.type)) within(child, visit, deep); });
  }
  function any(node, is) { let has = is(node); within(node, (n) => { has = has || is(n); }); return has; }
  const isSuspended = (n) => n.type === "YieldExpression" || n.type === "AwaitExpression";
  const isConstant = (n) => n.type === "Literal";
  const isInline = (fn) => fn.node.type === "ArrowFunctionExpression" && fn.node.body.type !== "BlockStatement" && fn.name.endsWith("<arrow>");

  function factsOf(source, options) {
    const comments = [], tokens = [];
    const { ast } = parse(source, options, { onComment: comments, onToken: tokens });
    const { fns, slots } = analyse(ast), lineOf = lines(source), endLine = (node) => lineOf(node.end - 1);
    const text = (node) => source.slice(node.start, node.end);
    const sites = [], statements = [], owners = new Map(), inlineOf = new Map();
    for (const fn of fns) inlineOf.set(fn, fn.node !== ast && isInline(fn));

    // ---------------------------------------------------------------- the walk
    function site(s, at, fn) { sites.push({ line: lineOf(at), at, fn, s, head: lineOf(s.start) }); }
    function list(body, fn) { for (const s of body) visit(s, fn); }
    function visit(statement, fn) {
      const exported = declared(statement), s = unwrap(exported);
      if (exported !== statement && !/Declaration$/.test(exported.type)) { site(statement, statement.start, fn); return inner(exported, fn); }
      if (isSilent(s)) return inner(s, fn);
      if (s.type === "BlockStatement") return list(s.body, fn);
      statements.push({ s, fn });
      const at = startOf(s);
      if (at >= 0) site(s, at, fn);
      if (WITH_TEST.has(s.type)) { if (s.test && s.test.start !== at) site(s, s.test.start, fn); }
      for (const key of ["init", "test", "update", "left", "right", "discriminant", "object"]) if (s[key] && s[key].type) inner(s[key], fn, true);
      if (s.type === "IfStatement") { body(s.consequent, fn); if (s.alternate) { if (s.alternate.type === "IfStatement") visit(s.alternate, fn); else body(s.alternate, fn); } return; }
      if (LOOPS.has(s.type) || s.type === "WithStatement") return body(s.body, fn);
      if (s.type === "TryStatement") { list(s.block.body, fn); if (s.handler) { list(s.handler.body.body, fn); } if (s.finalizer) list(s.finalizer.body, fn); return; }
      if (s.type === "SwitchStatement") { for (const c of s.cases) { if (c.test) inner(c.test, fn, true); list(c.consequent, fn); } return; }
      inner(s, fn);
    }
    function body(s, fn) {
      if (s.type === "EmptyStatement" || (s.type === "BlockStatement" && !s.body.length)) return site(s, s.start, fn);
      visit(s, fn);
    }
    function inner(node, fn, isSelf) {  // functions and classes inside
      if (FUNCTIONS.has(node.type)) return func(node);
      if (node.type === "StaticBlock") return list(node.body, fn);
      children(node, (child) => inner(child, fn));
    }
    function func(node) {
      const fn = node.fn;
      if (!fn || !node.body) return;
      for (const p of node.params) inner(p, fn);
      if (node.body.type === "BlockStatement") return list(node.body.body, fn);
      site(node.body, node.body.start, fn);
      inner(node.body, fn);
    }
    list(ast.body, fns[0]);

    // ---------------------------------------------------------------- lines
    const own = sites.filter((one) => !inlineOf.get(one.fn));
    const firstLines = {}, many = new Map();
    for (const one of own) if (one.head < one.line && WITH_TEST.has(one.s.type) && one.s.type !== "DoWhileStatement" && one.fn.node !== one.s) firstLines[one.line] = one.head;
    const lineAt = (at) => { const line = lineOf(at); return firstLines[line] || line; };
    for (const one of own) { const line = lineAt(one.at); many.set(line, (many.get(line) || 0) + 1); }
    const once = new Set([...many].filter(([, n]) => n > 1).map(([line]) => line));
    const isAlone = (start, end, first, last) => own.every((one) => { const line = lineAt(one.at); return line < first || line > last || (one.at >= start && one.at < end); });

    // ---------------------------------------------------------------- loops and branches
    const loops = [], oneLine = new Set(), branches = [], conditions = [], handlers = new Set();
    let uncountable = false, unclear = false, unclearTests = false, breaksOff = false;
    const loopStarts = new Map();
    for (const { s } of statements) if (LOOPS.has(s.type)) { const at = firstInBody(s.body); loopStarts.set(at, (loopStarts.get(at) || 0) + 1); }
    function loop(s) {
      const header = s.type === "DoWhileStatement" ? lineOf(s.start) : lineAt(s.start), at = firstInBody(s.body);
      const hasTest = s.type === "WhileStatement" || (s.type === "ForStatement" && !!s.test);
      if (at < 0) { uncountable = true; return; }
      const line = lineAt(at), end = lineOf(Math.max(lastOf(s.body) - 1, at));
      if (line === header) { oneLine.add(header); uncountable = true; return; }
      if (!hasTest && (once.has(line) || loopStarts.get(at) > 1 || isTested(at, s))) uncountable = true;
      if (hasTest && many.get(header) > (s.type === "ForStatement" && s.init ? 2 : 1)) uncountable = true;
      loops.push([header, line, end, !hasTest, variable(s)]);
    }
    function isTested(at, outer) { return statements.some(({ s }) => s !== outer && (s.type === "WhileStatement" || (s.type === "ForStatement" && !s.init)) && s.test && s.test.start === at); }
    function variable(s) {
      if (s.type === "ForOfStatement" || s.type === "ForInStatement") { const left = s.left.type === "VariableDeclaration" ? s.left.declarations[0].id : s.left; return left.type === "Identifier" ? left.name : ""; }
      if (!s.test) return "";
      const stored = new Set();
      const see = (n) => { if (n.type === "AssignmentExpression") for (const id of namesOf(n.left, [])) stored.add(id.name); if (n.type === "UpdateExpression" && n.argument.type === "Identifier") stored.add(n.argument.name); if (n.type === "VariableDeclarator") for (const id of namesOf(n.id, [])) stored.add(id.name); };
      for (const part of [s.update, s.body]) if (part) { see(part); within(part, see); }
      const tested = identifiers(s.test);
      return tested.find((name) => stored.has(name)) || "";
    }
    function identifiers(node) {
      const out = [];
      const see = (n) => { if (n.type === "Identifier") out.push([n.start, n.name]); };
      reading(node, see);
      return [...new Set(out.sort((a, b) => a[0] - b[0]).map(([, name]) => name))];
    }
    function reading(node, see) {  // identifiers that are read, not names of properties
      if (node.type === "MemberExpression") { reading(node.object, see); if (node.computed) reading(node.property, see); return; }
      if (node.type === "Property" || node.type === "MethodDefinition" || node.type === "PropertyDefinition") { if (node.computed) reading(node.key, see); if (node.value) reading(node.value, see); return; }
      if (node.type === "AssignmentExpression" && node.operator === "=" && node.left.type === "Identifier") return reading(node.right, see);
      if (node.type === "VariableDeclarator") { if (node.init) reading(node.init, see); return; }
      if (FUNCTIONS.has(node.type) || node.type.endsWith("Statement") && node.type !== "ExpressionStatement" && node.type !== "ReturnStatement" && node.type !== "ThrowStatement") return;
      see(node);
      children(node, (child) => reading(child, see));
    }
    function branch(test, body, other, line) {
      const at = firstInBody(body);
      if (at < 0) return null;
      const first = lineAt(at), last = lineOf(Math.max(lastOf(body) - 1, at));
      if (first === line || !isAlone(body.start, body.end, first, last) || many.get(line) > 1) return null;
      return [line, first, last];
    }
    const decisions = new Set(), branching = {};
    for (const { s, fn } of statements) {
      const line = s.type === "DoWhileStatement" ? lineAt(s.test.start) : lineAt(s.start);
      if (LOOPS.has(s.type)) { decisions.add(line); branching[line] = s.type === "WhileStatement" || s.type === "DoWhileStatement" ? "While" : "For"; if (!inlineOf.get(fn)) loop(s); }
      if (s.type === "IfStatement") {
        decisions.add(line); branching[line] = "If";
        const row = isConstant(s.test) ? null : branch(s.test, s.consequent, s.alternate, line);
        if (row) branches.push(row); else unclear = true;
      }
      if (s.type === "WhileStatement" && !isConstant(s.test)) { const row = branch(s.test, s.body, null, line); if (row) conditions.push(row); else unclearTests = true; }
      if (s.type === "SwitchStatement") decisions.add(line);
      if (s.type === "TryStatement") {
        breaksOff = true;
        for (const block of [s.handler && s.handler.body, s.finalizer]) if (block) { const at = firstOf(block.body); if (at >= 0) handlers.add(lineAt(at)); }
      }
      if (any(s, isSuspended)) breaksOff = true;
    }

    // ---------------------------------------------------------------- assignments
    const assigned = {}, twice = new Set();
    for (const a of slots) for (const b of slots) if (a !== b && a.name === b.name && (a.fn === b.fn || isInside(a.fn, b.fn))) twice.add(a.name);
    function isInside(fn, outer) { for (; fn; fn = fn.parent) if (fn === outer) return true; return false; }
    for (const { s, fn } of statements) {
      const line = lineAt(s.start);
      if (inlineOf.get(fn) || once.has(line) || any(s, isSuspended)) continue;
      const names = [];
      if (s.type === "VariableDeclaration") { for (const d of s.declarations) if (d.init && !isConstant(d.init)) names.push(...namesOf(d.id, [])); }
      else if (s.type === "ExpressionStatement") {
        const e = s.expression;
        if (e.type === "AssignmentExpression" && !(e.operator === "=" && isConstant(e.right))) names.push(...namesOf(e.left, []));
        if (e.type === "UpdateExpression") names.push(...namesOf(e.argument, []));
      }
      const kept = [...new Set(names.map((id) => id.name))].filter((name) => !twice.has(name));
      if (kept.length) assigned[line] = [...(assigned[line] || []), ...kept];
    }

    // ---------------------------------------------------------------- functions
    const definitions = new Set(), inline = new Set(), functions = [];
    for (const fn of fns) {
      if (fn.node === ast) continue;
      const { node } = fn, line = lineOf(node.start);
      if (inlineOf.get(fn)) { for (let n = line; n <= endLine(node); n++) inline.add(n); continue; }
      definitions.add(line);
      if (!node.body) continue;
      const block = node.body.type === "BlockStatement", first = block ? firstOf(node.body.body) : node.body.start;
      functions.push({
        name: fn.name, line, first: first < 0 ? line : lineAt(first), end: endLine(node),
        bodyLine: block && node.body.body.length ? lineOf(node.body.body[0].start) : lineOf(node.body.start),
        statements: [...new Set(own.filter((one) => one.fn === fn).map((one) => lineAt(one.at)))],
        returns: statements.filter((one) => one.fn === fn && one.s.type === "ReturnStatement").map((one) => lineAt(one.s.start)),
        spans: block ? node.body.body.map((s) => [lineOf(s.start), endLine(s)]) : [[lineOf(node.body.start), endLine(node)]],
        around: ast.body.findIndex((s) => s.start <= node.start && node.end <= s.end),
      });
    }
    for (const node of classes()) definitions.add(lineOf(node.start));
    function classes() { const out = []; within(ast, (n) => { if (n.type === "ClassDeclaration" || n.type === "ClassExpression") out.push(n); }, true); return out; }
    const reachable = sites.filter((one) => one.fn !== fns[0] && !inlineOf.get(one.fn)).map((one) => lineAt(one.at));
    const helpers = { ast, source, lineOf, endLine, lineAt, firstInBody, firstOf, lastOf, statements, identifiers, text, within, any, unwrap, declared, LOOPS, FUNCTIONS, own, inlineOf, fns };
    return {
      facts: {
        first_lines: firstLines, counted_once: [...once], statement_lines: [...new Set(reachable)].sort((a, b) => a - b), decisions: [...decisions],
        loops: uncountable ? null : loops.sort((a, b) => a[0] - b[0]), branches: unclear ? null : branches.sort((a, b) => a[0] - b[0]),
        conditions: unclear || uncountable || unclearTests ? null : [...branches, ...conditions], assigned, may_break_off: breaksOff,
        definitions: [...definitions], inline: [...inline], handlers: [...handlers], one_line_loops: [...oneLine],
      },
      branching, functions,
      module: { spans: ast.body.map((s) => [lineOf(s.start), endLine(s)]), statements: [...new Set(own.filter((one) => one.fn === fns[0]).map((one) => lineAt(one.at)))], first: firstOf(ast.body) < 0 ? 0 : lineAt(firstOf(ast.body)) },
      expressions: globalThis.deskcheckExpressions.table(source, ast, comments),
      forms: globalThis.deskcheckForms(ast, slots, lineOf),
      ...globalThis.deskcheckPage(helpers, comments, tokens),
    };
  }
  globalThis.deskcheckFacts = factsOf;
})();
