// What a page, a report and a reward read of a source: colors, branches, names read, constructs, measures.
//
// deskcheckPage(helpers of facts.js, comments, tokens) -> tables by line. Offsets count UTF-16 units.
(function () {
  "use strict";
  const { namesOf, children } = globalThis.deskcheckScopes;
  const BUILTINS = new Set(["Array", "BigInt", "Boolean", "console", "Date", "Error", "Function", "isFinite", "isNaN", "JSON", "Map", "Math", "Number", "Object", "parseFloat", "parseInt", "Promise", "Proxy", "RangeError", "Reflect", "RegExp", "require", "Set", "String", "Symbol", "SyntaxError", "TypeError", "WeakMap", "WeakSet"]);
  const LITERALS = new Set(["true", "false", "null", "undefined", "NaN", "Infinity"]);
  const WORDS = new Set(["let", "const", "of", "async", "await", "static", "get", "set", "yield", "type", "interface", "enum", "readonly", "declare", "as"]);
  const STRING_METHODS = new Set(Object.getOwnPropertyNames(String.prototype).filter((name) => !(name in Array.prototype)));

  globalThis.deskcheckPage = function (h, comments, tokens) {
    const { ast, source, lineOf, endLine, statements, LOOPS, FUNCTIONS } = h;
    const startOf = (line) => lineStarts[line - 1], lineStarts = [0];
    for (let i = 0; i < source.length; i++) if (source[i] === "\n") lineStarts.push(i + 1);

    // ---------------------------------------------------------------- colors
    const colors = lineStarts.map(() => []);
    function mark(start, end, name) {
      for (let line = plainLine(start); line <= lineStarts.length && startOf(line) < end; line++) {
        const from = Math.max(start, startOf(line)), to = Math.min(end, line < lineStarts.length ? startOf(line + 1) - 1 : source.length);
        if (to > from) colors[line - 1].push([from - startOf(line), to - from, name]);
      }
    }
    function plainLine(at) { let low = 0, high = lineStarts.length; while (high - low > 1) { const middle = (low + high) >> 1; if (lineStarts[middle] <= at) low = middle; else high = middle; } return low + 1; }
    let before = "";
    for (const token of tokens) {
      const label = token.type.label, written = source.slice(token.start, token.end);
      let name = "";
      if (label === "string" || label === "template" || label === "regexp" || label === "`") name = "s";
      else if (label === "num") name = "n";
      else if (LITERALS.has(written) && before !== ".") name = "n";
      else if (token.type.keyword || (label === "name" && WORDS.has(written) && /^\s*[\w$[{*]/.test(source.slice(token.end, token.end + 20)))) name = "k";
      else if (label === "name" && (before === "function" || before === "class")) name = "d";
      else if (label === "name" && BUILTINS.has(written) && before !== ".") name = "b";
      if (name) mark(token.start, token.end, name);
      before = written;
    }
    for (const comment of comments) mark(comment.start, comment.end, "c");
    for (const row of colors) row.sort((a, b) => a[0] - b[0]);

    // ---------------------------------------------------------------- branches: what decides whether a line runs
    const arms = {};
    function list(body, decider, arm) { for (const s of body) visit(h.unwrap(h.declared(s)), decider, arm); }
    function block(s, decider, arm) { if (s) list(s.type === "BlockStatement" ? s.body : [s], decider, arm); }
    function visit(s, decider, arm) {
      if (s.type === "BlockStatement") return list(s.body, decider, arm);
      const line = h.lineAt(s.start), last = headerEnd(s);
      for (let n = line; n <= last; n++) arms[n] ||= [decider, arm, line];
      switch (s.type) {
        case "IfStatement": block(s.consequent, line, "true"); return block(s.alternate, line, "false");
        case "WhileStatement": case "DoWhileStatement": return block(s.body, line, "true");
        case "ForStatement": return block(s.body, line, s.test ? "true" : "item");
        case "ForOfStatement": case "ForInStatement": return block(s.body, line, "item");
        case "TryStatement": list(s.block.body, decider, arm); if (s.handler) list(s.handler.body.body, lineOf(s.handler.start), "caught"); if (s.finalizer) list(s.finalizer.body, decider, arm); return;
        case "SwitchStatement": for (const c of s.cases) list(c.consequent, line, "matched"); return;
      }
      functionsIn(s);
    }
    function functionsIn(node) {
      const see = (n) => { if (FUNCTIONS.has(n.type)) { if (n.body && n.body.type === "BlockStatement") list(n.body.body, lineOf(n.start), "called"); return; } children(n, see); };
      see(node);
    }
    function headerEnd(s) {
      const body = s.type === "IfStatement" ? s.consequent : s.type === "TryStatement" ? s.block : s.type === "SwitchStatement" ? s.cases[0] : LOOPS.has(s.type) || s.type === "FunctionDeclaration" || s.type === "ClassDeclaration" ? s.body : null;
      return body ? Math.max(lineOf(s.start), lineOf(body.start) - (body.type === "BlockStatement" ? 0 : 1)) : endLine(s);
    }
    list(ast.body, 0, "");

    // ---------------------------------------------------------------- names read, copies, calls
    const reads = {}, copies = {}, calls = [], causes = {}, kinds = new Set();
    const header = (s) => (s.type === "IfStatement" || s.type === "WhileStatement" || s.type === "DoWhileStatement" ? [s.test] : s.type === "ForStatement" ? [s.init, s.test, s.update].filter(Boolean) : s.type === "ForOfStatement" || s.type === "ForInStatement" ? [s.right] : s.type === "SwitchStatement" ? [s.discriminant] : s.type === "TryStatement" || s.type === "ClassDeclaration" ? [] : [s]);
    const isPlace = (n) => { while (n.type === "MemberExpression") n = n.object; return n.type === "Identifier"; };
    for (const { s } of statements) {
      const line = h.lineAt(s.start), named = [];
      for (const part of header(s)) {
        named.push(...h.identifiers(part));
        if (part.type === "ExpressionStatement" && part.expression.type === "AssignmentExpression" && part.expression.operator !== "=") named.push(...namesOf(part.expression.left, []).map((id) => id.name));
      }
      const kept = [...new Set(named)].filter((name) => !BUILTINS.has(name) && !LITERALS.has(name));
      if (kept.length) reads[line] = [...new Set([...(reads[line] || []), ...kept])];
      const pairs = s.type === "VariableDeclaration" ? s.declarations.map((d) => [d.id, d.init]) : s.type === "ExpressionStatement" && s.expression.type === "AssignmentExpression" && s.expression.operator === "=" ? [[s.expression.left, s.expression.right]] : [];
      for (const [target, value] of pairs) if (value && isPlace(target) && isPlace(value)) (copies[line] ||= []).push([h.text(target).replace(/:.*/, ""), h.text(value)]);
      const does = new Set();
      if (LOOPS.has(s.type)) does.add("loop bookkeeping");
      if (s.type === "IfStatement" || s.type === "WhileStatement" || s.type === "DoWhileStatement" || s.type === "SwitchStatement") does.add("comparison or branch");
      if (s.type === "ReturnStatement") does.add("call or return");
      for (const part of header(s)) { evaluates(part, does); h.within(part, (n) => evaluates(n, does), true); }
      for (let n = line; n <= headerEnd(s); n++) causes[n] = [...new Set([...(causes[n] || []), ...does])];
    }
    function evaluates(n, does) {
      switch (n.type) {
        case "MemberExpression": if (n.computed) does.add("index or slice"); return;
        case "CallExpression": does.add(n.callee.type === "MemberExpression" ? (STRING_METHODS.has(n.callee.property.name) ? "string method" : "container method") : "call or return"); return;
        case "NewExpression": does.add("call or return"); return;
        case "BinaryExpression": does.add(/^([=!]==?|[<>]=?|in|instanceof)$/.test(n.operator) ? "comparison or branch" : "arithmetic"); return;
        case "LogicalExpression": case "ConditionalExpression": does.add("comparison or branch"); return;
        case "UnaryExpression": if (n.operator === "!") does.add("comparison or branch"); else if (/^[-+~]$/.test(n.operator)) does.add("arithmetic"); return;
        case "UpdateExpression": does.add("arithmetic"); return;
        case "AssignmentExpression": if (n.operator !== "=") does.add("arithmetic"); return;
      }
    }

    // ---------------------------------------------------------------- constructs and measures
    const used = { for: ["ForStatement", "ForOfStatement", "ForInStatement"], while: ["WhileStatement", "DoWhileStatement"], if: ["IfStatement"], try: ["TryStatement"], index: [], method: [], dict: ["ObjectExpression"], lambda: ["ArrowFunctionExpression"], break: ["BreakStatement"], continue: ["ContinueStatement"] };
    const constructs = new Set(), measured = new Set(), declares = new Map();
    let branchesN = 1, functionsN = 0, classesN = 0, nesting = 0;
    function measure(node, depth, names) {
      let inside = depth, below = names;
      for (const name in used) if (used[name].includes(node.type)) constructs.add(name);
      if (LOOPS.has(node.type)) { measured.add("loop"); if (loopsAround(node)) measured.add("nested loop"); if (used.while.includes(node.type)) measured.add("while"); branchesN++; inside++; }
      switch (node.type) {
        case "IfStatement": measured.add("branch"); branchesN++; inside++; break;
        case "TryStatement": measured.add("exception"); inside++; break;
        case "ThrowStatement": measured.add("exception"); break;
        case "CatchClause": case "ConditionalExpression": case "LogicalExpression": branchesN++; break;
        case "SwitchCase": if (node.test) branchesN++; break;
        case "MemberExpression": if (node.computed) constructs.add("index"); else constructs.add("method"); break;
        case "ObjectExpression": measured.add("dictionary"); break;
        case "NewExpression": if (/^(Map|WeakMap)$/.test(node.callee.name)) measured.add("dictionary"); if (/^(Set|WeakSet)$/.test(node.callee.name)) measured.add("set"); break;
        case "BinaryExpression": if (/^(&|\||\^|<<|>>>?)$/.test(node.operator)) measured.add("bit operation"); break;
        case "ImportDeclaration": measured.add("imported module"); break;
        case "ClassDeclaration": case "ClassExpression": if (!node.id || node.id.name !== "Solution") { classesN++; measured.add("class"); } break;
        case "CallExpression": {
          const name = node.callee.type === "MemberExpression" ? node.callee.property.name : node.callee.name;
          if (node.callee.type === "MemberExpression") {
            if (STRING_METHODS.has(name)) measured.add("string method");
            if (name === "slice" || name === "substring" || name === "substr") { measured.add("slice"); constructs.add("slice"); }
            if (name === "sort" || name === "toSorted") measured.add("sorting");
            calls.push([lineOf(node.start), h.text(node.callee).split(".").slice(-2).join(".")]);
          } else if (name === "require") measured.add("imported module");
          if (names.includes(name)) measured.add("recursion");
        }
      }
      if (FUNCTIONS.has(node.type)) { functionsN++; if (names.length || node.type === "ArrowFunctionExpression") measured.add("lambda or inner function"); below = [...names, node.fn ? node.fn.name.split(".").pop() : ""]; }
      nesting = Math.max(nesting, inside);
      around.push(node);
      children(node, (child) => measure(child, inside, below));
      around.pop();
    }
    const around = [];
    function loopsAround(node) { for (let i = around.length - 1; i >= 0; i--) { if (FUNCTIONS.has(around[i].type)) return false; if (LOOPS.has(around[i].type)) return true; } return false; }
    for (const s of ast.body) measure(s, 0, []);
    for (const s of ast.body) { const d = h.declared(s); kinds.add(/^(Function|Class)Declaration$/.test(d.type) ? "definition" : s.type === "ImportDeclaration" || /^(const|let|var)\s+[\w${},\s]+=\s*require\(/.test(h.text(s)) ? "import" : "statement"); }
    const coded = new Set();
    for (const token of tokens) for (let line = plainLine(token.start); line <= plainLine(Math.max(token.end - 1, token.start)) && token.type.label !== "eof"; line++) coded.add(line);

    // ---------------------------------------------------------------- blocks, for contradictions between blanks
    const blocks = [];
    const leaves = (s) => h.any(s, (n) => /^(Return|Break|Continue|Throw)/.test(n.type) && (n.type.endsWith("Statement")));
    const rows = (s) => (s ? (s.type === "BlockStatement" ? s.body : [s]).map((one) => [h.lineAt(one.start), h.unwrap(one).type === "IfStatement" ? "test" : /^(Variable|Expression)/.test(one.type) ? "names" : "", leaves(one)]) : []);
    for (const { s } of statements) {
      const line = h.lineAt(s.start);
      if (s.type === "IfStatement") blocks.push([line, "test", true, rows(s.consequent)], [line, "test", false, rows(s.alternate)]);
      else if (s.type === "WhileStatement") blocks.push([line, "test", true, rows(s.body)]);
      else if (s.type === "ForOfStatement" || s.type === "ForInStatement") { const [name] = namesOf(s.left.type === "VariableDeclaration" ? s.left.declarations[0].id : s.left, []); if (name) blocks.push([line, name.name, null, rows(s.body)]); }
    }
    // [head, first line of the body, last line, 1 or nothing]; 1 for a head without an event in
    // each round: rounds are counted by the body. That of `for (a of b) { while (..) {..} }` tells nothing, so it is left out.
    function loopOf(s) {
      const at = h.firstInBody(s.body), head = h.lineAt(s.start), row = [head, at < 0 ? head : h.lineAt(at), lineOf(Math.max(h.lastOf(s.body) - 1, s.start))];
      if (s.type !== "ForOfStatement" && s.type !== "ForInStatement") return row;
      const first = h.unwrap(s.body.type === "BlockStatement" && s.body.body.length ? s.body.body[0] : s.body);
      const stop = LOOPS.has(first.type) && first.type !== "ForOfStatement" && first.type !== "ForInStatement" ? lineOf(Math.max(h.lastOf(first.body) - 1, first.start)) : row[1];
      return stop > row[1] ? null : [...row, 1];
    }
    return {
      page: {
        tokens: colors.map((row) => row.flat()),
        loops: statements.filter(({ s }) => LOOPS.has(s.type)).map(({ s }) => loopOf(s)).filter(Boolean),
        arms, reads, copies,
        functions: h.fns.filter((fn) => fn.node !== ast && fn.node.body && !h.inlineOf.get(fn)).map((fn) => { const { body } = fn.node, first = body.type === "BlockStatement" && body.body.length ? body.body[0] : body; return [fn.name.split(".").pop(), lineOf(fn.node.start), lineOf(first.start), endLine(fn.node)]; }),
      },
      spans: statements.map(({ s }) => [h.lineAt(s.start), endLine(s)]),
      causes, calls, blocks, constructs: [...constructs], contents: [...kinds], comment: comments.length > 0,
      measures: { lines: coded.size, branches: branchesN, nesting, functions: functionsN, classes: classesN, constructs: [...measured] },
    };
  };
})();
