// Insert probes into a program: instrument(source, {typescript, call, expressions}) -> {code, table, prefix}.
//
// Lines stay where they are. The probes are parameters of the function that wraps the program, under names that
// the source does not use: P a statement, E and X the beginning and end of a function, R a returned value, T a
// thrown one, C a caught one, Y and Z a suspension and what follows it, O and N a loop over values and its
// rounds, W an object that may change, F "anything may change", V a variable that an expression has assigned, J the value of an expression.
(function () {
  "use strict";
  const { analyse, namesOf, children, FUNCTIONS } = globalThis.deskcheckScopes;
  const { parse, lines, apply } = globalThis.deskcheckText;
  const { eraser } = globalThis.deskcheckTypes;
  const { MARKED, bare, globalName, marksOf, written } = globalThis.deskcheckCalls;
  const { isEvaluated, withoutValue, spansOf } = globalThis.deskcheckExpressions;
  const LOOPS = new Set(["ForStatement", "WhileStatement", "DoWhileStatement", "ForOfStatement", "ForInStatement"]);

  function instrument(source, options) {
    const { ast, strict } = parse(source, options);
    const { fns, slots, top } = analyse(ast);
    let prefix = "$k";
    while (source.includes(prefix)) prefix += "k";
    const edits = [], sites = [], keys = new Map(), notes = new Set(), reads = new Set();
    let order = 0, hasAwait = false;
    const open = (pos, text) => edits.push([pos, 1, ++order, text]);
    const close = (pos, text) => edits.push([pos, -1, ++order, text]);  // after the edits of the parts
    const blank = (from, to) => { if (to > from) edits.push([from, 2, ++order, "", to]); };
    const blankAll = (from, to) => edits.push([from, 3, ++order, "", to]);
    const { types, modifiers, wrapped, definite } = eraser(source, blank, blankAll);
    const lineOf = lines(source);
    const refuse = (what, at) => { throw Object.assign(new SyntaxError(`${what} are not traced`), { loc: { line: lineOf(at) } }); };
    const withoutDecorators = (node) => { if (node.decorators && node.decorators.length) refuse("decorators", node.decorators[0].start); };
    const frame = (fn) => `${prefix}f${fn.depth}`;
    for (const fn of fns) { fn.locals = new Map(); fn.thisLocal = -1; }

    function localOf(fn, slot) {
      let n = fn.locals.get(slot);
      if (n === undefined) fn.locals.set(slot, n = fn.locals.size);
      return n;
    }
    const THIS = { id: -1, name: "this" }, ARGUMENTS = { id: -2, name: "arguments" };

    // The variables that a place sees: [slot, text that reads it]. Inner names hide outer ones.
    function visible(scope, pos, isEntry = false) {
      const fn = scope.fn, out = [], hidden = new Set();
      if (fn.usesThis && fn.kind !== "module" && !isBeforeSuper(fn, pos)) out.push([THIS, "this"]);
      for (let s = scope; s && s.fn === fn; s = s.parent) {
        for (const [name, slot] of s.names) {
          if (hidden.has(name)) continue;
          hidden.add(name);
          if (slot.hidden || (isEntry && !slot.isParam)) continue;
          if (s.kind === "switch" && slot.lexical && !(pos >= slot.decl && slot.caseNode.start <= pos && pos < slot.caseNode.end)) continue;
          if (slot.implicit) out.push([slot, `(typeof ${name}==="undefined"?${prefix}U:${name})`]);
          else out.push([slot, slot.lexical && pos < slot.decl ? prefix + "U" : name]);
        }
      }
      if (fn.usesArguments && !hidden.has("arguments")) out.push([ARGUMENTS, "arguments"]);
      for (const slot of fn.free) {
        if (hidden.has(slot.name) || slot.hidden || isHiddenBetween(slot, fn)) continue;
        if (slot.implicit) { out.push([slot, `(typeof ${slot.name}==="undefined"?${prefix}U:${slot.name})`]); continue; }
        if (slot.lexical && !(outermost(fn, slot).node.start >= slot.decl)) {
          if (slot.scope.kind !== "function" && slot.scope.kind !== "block" && slot.scope.kind !== "catch") continue;
          if (!slot.flag) { slot.flag = `${prefix}t${slot.id}`; slot.scope.flags.push(slot); }
          out.push([slot, `(${slot.flag}?${slot.name}:${prefix}U)`]);
        } else if (slot.scope.kind === "switch" && slot.lexical && !(slot.caseNode.start <= fn.node.start && fn.node.end <= slot.caseNode.end)) continue;
        else out.push([slot, slot.name]);
      }
      return out;
    }
    function isBeforeSuper(fn, pos) {  // `this` of a derived class has no value before super()
      while (fn.node.type === "ArrowFunctionExpression" && fn.parent && fn.parent.kind !== "module") fn = fn.parent;
      return fn.derived && !(fn.superEnd > 0 && pos >= fn.superEnd);
    }
    function isHiddenBetween(slot, fn) {  // another variable of that name stands between
      for (let s = fn.outer; s && s !== slot.scope; s = s.parent) if (s.names.has(slot.name)) return true;
      return false;
    }
    function outermost(fn, slot) { while (fn.parent !== slot.fn) fn = fn.parent; return fn; }

    function site(node, scope, depth, isEntry = false, where = node.start) {
      const fn = scope.fn, seen = visible(scope, node.start, isEntry);
      const list = seen.map(([slot]) => localOf(fn, slot));
      const key = fn.id + ":" + list.join(",");
      let group = keys.get(key);
      if (group === undefined) keys.set(key, group = { id: keys.size, fn: fn.id, list });
      sites.push([lineOf(where), group.id, depth, fn.id]);
      return [sites.length - 1, seen.map(([, text]) => "," + text).join("")];
    }
    function ending(end, scope, start) {  // what the variables are when a function has computed its result
      const [number, values] = site({ start: end }, scope, 0, false, start);
      return `,${number}${values}`;
    }
    function probe(node, scope, depth) {
      const [number, values] = site(node, scope, depth);
      return `${prefix}P(${frame(scope.fn)},${number}${values})`;
    }

    // ---------------------------------------------------------------- statements
    function list(statements, scope, depth) {
      for (const s of statements) statement(s, scope, depth);
    }
    function declaredFlags(scope, pos) {
      scope.flagsAt = pos;
      scope.flagsOrder = ++order;
    }
    function statement(s, scope, depth) {
      switch (s.type) {
        case "FunctionDeclaration": if (s.body) func(s, depth); else blank(s.start, s.end); return;
        case "EmptyStatement": return;
        case "ImportDeclaration": return importing(s, scope, depth);
        case "ExportNamedDeclaration": case "ExportDefaultDeclaration": case "ExportAllDeclaration": return exporting(s, scope, depth);
      }
      if (s.type.startsWith("TS") || s.declare) { if (typescript(s, scope, depth)) return; }
      if (s.type === "ExpressionStatement" && s.directive) return;
      if (s.type === "BlockStatement") { declaredFlags(s.scope, s.start + 1); return list(s.body, s.scope, depth); }
      if (s.type === "ExpressionStatement") whole = bare(s.expression);
      let inner = s;
      while (inner.type === "LabeledStatement") inner = inner.body;
      if (inner !== s && inner.type === "BlockStatement") return statement(inner, scope, depth);
      const hasOwnProbe = inner.type === "IfStatement" || inner.type === "WhileStatement" || inner.type === "DoWhileStatement" || inner.type === "TryStatement" || (inner.type === "ForStatement" && !inner.init && inner.test);
      if (!hasOwnProbe) open(s.start, probe(inner, scope, depth) + ";");
      if (inner.type === "FunctionDeclaration") return func(inner, depth);
      plain(inner, scope, depth);
      declared.set(s.end, ++order);
    }
    const declared = new Map();  // end of a statement -> place of the edits that follow it
    function plain(s, scope, depth) {
      switch (s.type) {
        case "IfStatement":
          test(s.test, scope, depth);
          body(s.consequent, scope, depth);
          if (s.alternate) { if (s.alternate.type === "IfStatement") plain(s.alternate, scope, depth); else body(s.alternate, scope, depth); }
          return;
        case "WhileStatement": test(s.test, scope, depth); return body(s.body, scope, depth);
        case "DoWhileStatement": body(s.body, scope, depth); return test(s.test, scope, depth);
        case "ForStatement": {
          if (s.init) { if (s.init.type === "VariableDeclaration") declaration(s.init, s.scope, depth); else expression(s.init, s.scope, depth); }
          if (s.test) test(s.test, s.scope, depth);
          if (s.update) { whole = bare(s.update); expression(s.update, s.scope, depth); }
          return body(s.body, s.scope, depth);
        }
        case "ForOfStatement": case "ForInStatement": {
          if (s.left.type === "VariableDeclaration") declaration(s.left, s.scope, depth); else target(s.left, s.scope, depth);
          const kind = s.type === "ForInStatement" ? 1 : s.await ? 2 : 0;
          if (s.await && scope.fn.kind === "module") hasAwait = true;
          speak(scope.fn, s, " is not a function or its return value is not iterable", ...(bare(s.right).type === "CallExpression" ? [bare(s.right).callee] : [s.right, " is not iterable"]));
          open(s.right.start, `${prefix}O(${frame(scope.fn)},${depth},${kind},(`);
          expression(s.right, scope, depth);
          close(s.right.end, "))");
          return body(s.body, s.scope, depth + 1, `${prefix}N(${frame(scope.fn)},${depth});`);
        }
        case "TryStatement": {
          declaredFlags(s.block.scope, s.block.start + 1);
          list(s.block.body, s.block.scope, depth);
          if (s.handler) catching(s.handler, depth);
          else open(s.block.end, `catch(${prefix}x){throw ${prefix}T(${frame(scope.fn)},${prefix}x)}`);
          if (s.finalizer) { declaredFlags(s.finalizer.scope, s.finalizer.start + 1); list(s.finalizer.body, s.finalizer.scope, depth); }
          return;
        }
        case "SwitchStatement":
          expression(s.discriminant, scope, depth);
          for (const c of s.cases) { if (c.test) expression(c.test, s.scope, depth); list(c.consequent, s.scope, depth); }
          return;
        case "ReturnStatement": {
          const f = frame(scope.fn);
          const last = ending(s.end, scope, s.start);
          if (!s.argument) { open(s.start + 6, ` ${prefix}R(${f},void 0${last})`); return; }
          open(s.argument.start, `${prefix}R(${f},(`);
          expression(s.argument, scope, depth);
          close(s.argument.end, `)${last})`);
          return;
        }
        case "VariableDeclaration": return declaration(s, scope, depth);
        case "ClassDeclaration": return expression(s, scope, depth);
        case "LabeledStatement": return plain(s.body, scope, depth);
        case "WithStatement": notes.add("names inside `with` are not seen"); 
      }
      children(s, (child) => (LOOPS.has(child.type) || child.type.endsWith("Statement") ? statement(child, scope, depth) : expression(child, scope, depth)));
    }
    function catching(handler, depth) {
      const f = frame(handler.scope.fn), { param, body } = handler;
      let text;
      if (!param) { open(handler.start + 5, `(${prefix}x)`); text = `${prefix}C(${f},${prefix}x);`; }
      else if (param.type === "Identifier") { text = `${prefix}C(${f},${param.name});`; types(param); }
      else {
        open(param.start, prefix + "x");
        const length = param.end - param.start;
        edits.push([param.start, 2, ++order, "", param.end]);
        text = `${prefix}C(${f},${prefix}x);let ${source.substr(param.start, length).replace(/\s+/g, " ")}=${prefix}x;`;
      }
      open(body.start + 1, text);
      declaredFlags(handler.scope, body.start + 1);
      list(body.body, handler.scope, depth);
    }
    function test(node, scope, depth) {
      open(node.start, `(${probe(node, scope, depth)},(`);
      expression(node, scope, depth);
      close(node.end, "))");
    }
    function body(s, scope, depth, first = "") {
      if (s.type === "BlockStatement") {
        if (first) open(s.start + 1, first);
        declaredFlags(s.scope, s.start + 1);
        if (!s.body.length && !first) open(s.start + 1, probe(s, s.scope, depth) + ";");
        return list(s.body, s.scope, depth);
      }
      open(s.start, "{" + first);
      if (s.type === "EmptyStatement") open(s.start, probe(s, scope, depth) + ";");
      else statement(s, scope, depth);
      close(s.end, "}");
    }
    function declaration(s, scope, depth) {
      for (const d of s.declarations) { target(d.id, scope, depth); if (d.init) expression(d.init, scope, depth); if (d.definite) definite(d.id); }
    }

    // ---------------------------------------------------------------- functions
    function func(node) {
      const fn = node.fn, f = frame(fn), { body } = node;
      types(node);
      node.params.forEach(withoutDecorators);
      outside(() => { for (const p of node.params) target(p, node.scope, 0); });
      const before = isOutside;
      isOutside = false;
      inside(node, fn, f, body);
      isOutside = before;
    }
    function inside(node, fn, f, body) {
      const lex = fn.parent ? frame(fn.parent) : "null";
      if (fn.derived) {
        const call = body.body.find((s) => s.type === "ExpressionStatement" && s.expression.type === "CallExpression" && s.expression.callee.type === "Super");
        fn.superEnd = call ? call.end : -1;
      }
      const properties = node.params.filter((p) => p.type === "TSParameterProperty").map((p) => namesOf(p, [])[0].name);
      const [number, values] = site({ start: body.start }, node.scope, 0, true);
      fn.entry = number;
      const begin = `const ${f}=${prefix}E(${fn.id},${lex}${values});`;
      const end = `catch(${prefix}x){throw ${prefix}Q(${f},${prefix}x)}finally{${prefix}X(${f})}`;
      if (body.type !== "BlockStatement") {
        const text = probe(body, node.scope, 0);
        open(body.start, `{${begin}try{return ${prefix}R(${f},(${text},(`);
        expression(body, node.scope, 0);
        close(body.end, `))${ending(body.end, node.scope, body.start)})}${end}}`);
        return;
      }
      let at = body.start + 1;
      for (const s of body.body) { if (s.type === "ExpressionStatement" && s.directive) at = s.end; else break; }
      if (properties.length && fn.superEnd > 0) open(fn.superEnd, ";" + properties.map((p) => `this.${p}=${p};`).join(""));
      const last = `;${prefix}R(${f},void 0${ending(body.end - 1, node.scope, body.end - 1)})}${end}`;
      if (!body.body.length) return open(at, `;${begin}try{${properties.length && !fn.derived ? properties.map((p) => `this.${p}=${p};`).join("") : ""}${last}`);
      open(at, `;${begin}try{${properties.length && !fn.derived ? properties.map((p) => `this.${p}=${p};`).join("") : ""}`);
      declaredFlags(node.scope, at);
      list(body.body, node.scope, 0);
      close(body.end - 1, last);
    }

    // ---------------------------------------------------------------- expressions
    function marked(node, scope, depth, text = "W(") {  // this object may change here
      open(node.start, prefix + text);
      expression(node, scope, depth);
      close(node.end, ")");
    }
    // What runs in the rest of the statement sees the variable: a call records it before its own steps. Parameters
    // and fields are computed outside of the frame, and at the end of a statement the next step records it.
    function assignment(node, left, scope) {
      if (left.type !== "Identifier" || node === whole || isOutside) return "";
      const seen = visible(scope, node.start).find(([slot, text]) => slot.name === left.name && text === left.name);
      if (!seen) return "";
      open(node.start, `${prefix}V(${frame(scope.fn)},${localOf(scope.fn, seen[0])},(`);
      return `),${left.name})`;
    }
    let whole = null, isOutside = false;  // the expression that is a whole statement; a place outside of any frame
    function outside(visit) { const before = isOutside; isOutside = true; visit(); isOutside = before; }
    function target(node, scope, depth) {  // a pattern that is assigned to or declared
      if (!node) return;
      types(node);
      switch (node.type) {
        case "MemberExpression":
          if (node.object.type !== "Super") marked(node.object, scope, depth);
          if (node.computed) expression(node.property, scope, depth);
          return;
        case "AssignmentPattern": target(node.left, scope, depth); return expression(node.right, scope, depth);
        case "Property": if (node.computed) expression(node.key, scope, depth); return target(node.value, scope, depth);
        case "ObjectPattern": for (const p of node.properties) target(p, scope, depth); return;
        case "ArrayPattern": for (const p of node.elements) target(p, scope, depth); return;
        case "RestElement": return target(node.argument, scope, depth);
        case "ParenthesizedExpression": return target(node.expression, scope, depth);
        case "TSParameterProperty": {
          withoutDecorators(node.parameter);
          blank(node.start, node.parameter.start);
          return target(node.parameter, scope, depth);
        }
        case "TSAsExpression": case "TSNonNullExpression": case "TSSatisfiesExpression": case "TSTypeAssertion": wrapped(node); return target(node.expression, scope, depth);
      }
    }
    const spans = [], spanOf = spansOf(source), silent = new Set();  // silent: parts that give no value of their own
    function expression(node, scope, depth) {
      if (!node) return;
      if (options.expressions) withoutValue(node, silent);
      if (!options.expressions || isOutside || silent.has(node) || node === quiet(whole) || !isEvaluated(node)) return evaluated(node, scope, depth);
      open(node.start, `${prefix}J(${frame(scope.fn)},${spans.push(spanOf(node)) - 1},(`);
      evaluated(node, scope, depth);
      close(node.end, "))");
    }
    function quiet(node) { return node && node.type === "UpdateExpression" ? node : null; }  // the next step shows what it did
    function evaluated(node, scope, depth) {
      const f = frame(scope.fn);
      switch (node.type) {
        case "FunctionDeclaration": case "FunctionExpression": case "ArrowFunctionExpression": return node.body ? func(node) : undefined;
        case "ClassDeclaration": case "ClassExpression": return klass(node, scope, depth);
        case "AssignmentExpression": {
          const left = bare(node.left);
          const isSuper = left.type === "MemberExpression" && left.object.type === "Super";
          if (isSuper) open(node.start, `(${prefix}F(),`);
          const end = assignment(node, left, scope);
          target(node.left, scope, depth);
          expression(node.right, scope, depth);
          if (isSuper) close(node.end, ")");
          if (end) close(node.end, end);
          return;
        }
        case "UpdateExpression": {
          const end = assignment(node, bare(node.argument), scope);
          target(node.argument, scope, depth);
          if (end) close(node.end, end);
          return;
        }
        case "UnaryExpression":
          if (node.operator === "delete" && bare(node.argument).type === "MemberExpression") return target(node.argument, scope, depth);
          if (node.operator !== "delete" || bare(node.argument).type !== "ChainExpression") return expression(node.argument, scope, depth);
          open(node.start, `(${prefix}F(),`);
          expression(node.argument, scope, depth);
          return close(node.end, ")");
        case "YieldExpression": {
          if (node.delegate) {
            open(node.start, `${prefix}Z(${f},(`);
            open(node.argument.start, `${prefix}Y(${f},(`);
            expression(node.argument, scope, depth);
            close(node.argument.end, "))");
            close(node.end, "))");
            notes.add("yield* is one suspension");
            return;
          }
          open(node.start, `${prefix}Z(${f},(`);
          if (node.argument) { open(node.argument.start, `${prefix}Y(${f},(`); expression(node.argument, scope, depth); close(node.argument.end, "))"); }
          else open(node.start + 5, ` ${prefix}Y(${f},void 0)`);
          close(node.end, "))");
          return;
        }
        case "AwaitExpression":
          if (scope.fn.kind === "module") hasAwait = true;
          open(node.start, `${prefix}Z(${f},(`);
          open(node.argument.start, `${prefix}Y(${f},(`);
          expression(node.argument, scope, depth);
          close(node.argument.end, "))");
          close(node.end, "))");
          return;
        case "CallExpression": return call(node, scope, depth);
        case "NewExpression": types(node); break;
        case "MemberExpression": expression(node.object, scope, depth); if (node.computed) expression(node.property, scope, depth); return;
        case "Property": if (node.computed) expression(node.key, scope, depth); if (node.shorthand) return; return expression(node.value, scope, depth);
        case "TSAsExpression": case "TSSatisfiesExpression": case "TSNonNullExpression": case "TSTypeAssertion": case "TSInstantiationExpression": wrapped(node); return expression(node.expression, scope, depth);
        case "MetaProperty": if (node.meta.name === "import") refuse("uses of import.meta", node.start); return;
        case "ImportExpression": notes.add("import() is refused"); break;
        case "Identifier":
          if (isMember(node)) { blank(node.start, node.end); open(node.start, `${enumName}[${JSON.stringify(node.name)}]`); }
          if (node.name === "eval" || node.name === "Function") notes.add("code made at run time is not seen");
          return;
      }
      if (node.type.startsWith("TS")) return blank(node.start, node.end);
      children(node, (child) => expression(child, scope, depth));
    }
    function call(node, scope, depth) {
      types(node);
      const callee = bare(node.callee), { isSuper, isMarked, isOptional, needsMarks } = marksOf(node, scope);
      if (callee.type === "Identifier" && globalName(callee, scope) === "eval") notes.add("code made at run time is not seen");
      if (isSuper) open(node.start, `(${prefix}F(),`);
      // V8 names the text of the call in its messages, so a name is marked before and stays as it is written.
      const isName = isMarked && !isMember(callee.object) && (callee.object.type === "Identifier" || callee.object.type === "ThisExpression");
      if (isName) open(node.start, `(${prefix}W(${source.slice(callee.object.start, callee.object.end)}),`);
      if (callee.type === "MemberExpression" && !callee.computed && !isName) speak(scope.fn, node, `.${callee.property.name} is not a function`, callee.object);
      if (isName) { if (callee.computed) expression(callee.property, scope, depth); }
      else if (isMarked) { marked(callee.object, scope, depth); if (callee.computed) expression(callee.property, scope, depth); }
      else expression(node.callee, scope, depth);
      if (isOptional && (!node.arguments.length || node.arguments[0].type === "SpreadElement")) open(source.lastIndexOf("(", node.arguments.length ? node.arguments[0].start : node.end - 1) + 1, `...${prefix}F()${node.arguments.length ? "," : ""}`);
      node.arguments.forEach((a, number) => {
        if (isOptional && number === 0 && a.type !== "SpreadElement") { open(a.start, `(${prefix}F(),`); expression(a, scope, depth); close(a.end, ")"); }
        else if (needsMarks && MARKED.has(a.type)) marked(a, scope, depth);
        else expression(a, scope, depth);
      });
      if (isSuper || isName) close(node.end, ")");
    }
    // What a message would say instead of a probe: rows of code, line, text behind the probe, text without it.
    const spoken = [];
    function speak(fn, node, rest, part, said = rest) { spoken.push([fn.id, lineOf(node.start), rest, written(part) + said]); }
    function klass(node, scope, depth) {
      withoutDecorators(node);
      if (node.abstract && source.startsWith("abstract", node.start)) blank(node.start, node.start + 8);
      types(node);
      if (node.superClass) expression(node.superClass, scope, depth);
      open(node.body.start + 1, `/*${prefix}c${fnAfter(node)}*/`);
      for (const m of node.body.body) member(m, node.scope, depth);
    }
    function fnAfter(node) { let least = fns.length; for (const fn of fns) if (fn.node.start >= node.start && fn.node.end <= node.end) least = Math.min(least, fn.id); classes.push([least, node.start, node.end]); return `l${classes.length - 1}`; }
    const classes = [];
    function member(m, scope, depth) {
      if (m.type === "StaticBlock") { declaredFlags(m.scope, source.indexOf("{", m.start) + 1); return list(m.body, m.scope, depth); }
      withoutDecorators(m);
      if (m.type.startsWith("TS") || m.declare || m.abstract || (m.type === "MethodDefinition" && !m.value.body)) return blank(m.start, m.end);
      modifiers(m);
      types(m);
      if (m.computed) expression(m.key, scope, depth);
      if (m.type === "MethodDefinition") return func(m.value);
      if (m.value) outside(() => expression(m.value, scope, depth));
    }

    // ---------------------------------------------------------------- statements of TypeScript, modules
    let members = null, enumName = "";  // names that stand for members of an enum where its values are computed
    function isMember(node) { return node.type === "Identifier" && members !== null && members.has(node.name); }
    function enumeration(s, scope, depth) {  // what an enum is in JavaScript, in its place
      const name = s.id.name, value = prefix + "v", slot = scope.names.get(name), outer = [members, enumName];
      const word = slot.members ? "" : `${slot.lexical ? "let" : "var"} ${name};`;
      members = slot.members = slot.members || new Set();  // shared by all parts of the enum
      enumName = name;
      open(s.start, `${word}(function(${name}){let ${value}=-1;`);
      let at = s.start;
      for (const m of s.members) {
        const id = m.id.name !== undefined ? m.id.name : String(m.id.value), key = `${name}[${JSON.stringify(id)}]`;
        const last = `);if(typeof ${value}==="number")${name}[${value}]=${JSON.stringify(id)};${prefix}W(${name});`;
        blank(at, m.initializer ? m.initializer.start : m.end);
        if (!m.initializer) open(m.end, `${key}=${value}=(${value}+1${last}`);
        else {
          open(m.initializer.start, `${key}=${value}=(`);
          outside(() => expression(m.initializer, scope, depth));
          close(m.end, last);
        }
        members.add(id);
        at = m.end;
      }
      blank(at, s.end);
      open(s.end, `})(${name}||(${name}={}));`);
      [members, enumName] = outer;
    }
    function typescript(s, scope, depth) {
      if (s.type === "TSEnumDeclaration" && !s.declare) {
        open(s.start, probe(s, scope, depth) + ";");
        enumeration(s, scope, depth);
        return true;
      }
      if (s.type === "TSModuleDeclaration" && !s.declare) refuse("namespaces", s.start);
      if (s.type === "TSExportAssignment") { edits.push([s.start, 2, ++order, "", s.expression.start]); open(s.expression.start, "module.exports="); expression(s.expression, scope, depth); return true; }
      if (s.type === "TSImportEqualsDeclaration") { const text = source.slice(s.start, s.end); blank(s.start, s.end); const found = /import\s+(\w+)\s*=\s*(require\s*\([^)]*\))/.exec(text); if (found) open(s.start, `var ${found[1]}=${found[2]};`); return true; }
      blank(s.start, s.end);
      return true;
    }
    const exported = [];
    function importing(s) {
      blank(s.start, s.end);
      if (s.importKind === "type") return;
      const from = `require(${JSON.stringify(s.source.value)})`, kept = s.specifiers.filter((i) => i.importKind !== "type");
      if (s.specifiers.length && !kept.length) return;
      let text = kept.length ? "" : from + ";";
      for (const i of kept) {
        if (i.type === "ImportNamespaceSpecifier") text += `const ${i.local.name}=${from};`;
        else if (i.type === "ImportDefaultSpecifier") text += `const ${i.local.name}=${prefix}D(${from});`;
        else text += `const ${i.local.name}=${from}[${JSON.stringify(i.imported.name || i.imported.value)}];`;
      }
      open(s.start, text);
    }
    function exporting(s, scope, depth) {
      if (s.exportKind === "type") return blank(s.start, s.end);
      if (s.type === "ExportAllDeclaration") { blank(s.start, s.end); open(s.start, `Object.assign(module.exports,require(${JSON.stringify(s.source.value)}));`); return; }
      if (s.declaration) {
        const d = s.declaration;
        if (s.type === "ExportDefaultDeclaration" && !(/Declaration$/.test(d.type) && d.id)) { blank(s.start, d.start); open(d.start, `${probe(s, scope, depth)};module.exports.default=`); return d.type.startsWith("TS") ? blank(d.start, d.end) : expression(d, scope, depth); }
        blank(s.start, d.start);
        statement(d, scope, depth);
        const names = d.type === "VariableDeclaration" ? d.declarations.flatMap((one) => namesOf(one.id, [])).map((id) => id.name) : d.id && !d.declare && !/^TS(?!Enum)/.test(d.type) ? [d.id.name] : [];
        for (const name of names) exported.push([s.type === "ExportDefaultDeclaration" ? "default" : name, name]);
        return;
      }
      blank(s.start, s.end);
      if (s.source) { open(s.start, s.specifiers.map((one) => `module.exports[${JSON.stringify(one.exported.name)}]=require(${JSON.stringify(s.source.value)})[${JSON.stringify(one.local.name)}];`).join("")); return; }
      for (const one of s.specifiers) exported.push([one.exported.name, one.local.name]);
    }

    // ---------------------------------------------------------------- together
    declaredFlags(top, 0);
    const [entry, values] = site({ start: -1 }, top, 0, true);
    fns[0].entry = entry;
    list(ast.body, top, 0);
    const scopesWithFlags = new Set(slots.filter((s) => s.flag).map((s) => s.scope));
    for (const scope of scopesWithFlags) {
      if (scope !== top) edits.push([scope.flagsAt, 1, scope.flagsOrder, "let " + scope.flags.map((s) => s.flag + "=0").join() + ";"]);
      for (const slot of scope.flags) edits.push([slot.decl, -1, declared.get(slot.decl) || 1e9, `;${slot.flag}=1;`]);
    }
    const finish = ending(source.length, top, source.length);
    const code = apply(source, edits);
    let head = "";
    if (scopesWithFlags.has(top)) head = "let " + top.flags.map((s) => s.flag + "=0").join() + ";";
    const names = ["P", "E", "X", "R", "T", "Q", "C", "Y", "Z", "O", "N", "W", "F", "U", "B", "D", "G", "V", "J"].map((n) => prefix + n);
    const f0 = prefix + "f0";
    const exporters = exported.map(([as, name]) => `module.exports[${JSON.stringify(as)}]=${name};`).join("");
    const calls = options.call !== null && options.call !== undefined;
    const isAsync = hasAwait ? "async " : "";
    const directive = /^\s*(?:\/\/[^\n]*\n|\/\*[^]*?\*\/|\s)*(['"])use strict\1/.test(source) || strict ? '"use strict";' : "";
    const lead = `(${isAsync}function(exports,require,module,__filename,__dirname,${names.join()}){${directive}${head}const ${f0}=${prefix}E(0,null${values});try{`;
    const tail = `\n;${exporters}${calls ? `${prefix}B();return ${prefix}G(()=>(${options.call}\n));` : `${prefix}R(${f0},void 0${finish});`}}catch(${prefix}x){throw ${prefix}Q(${f0},${prefix}x)}finally{${prefix}X(${f0})}})`;
    const groups = [...keys.values()].map((g) => g.list);
    const table = {
      sites, groups, spans, spoken,
      codes: fns.map((fn) => ({
        name: fn.name, kind: fn.kind, line: fn.kind === "module" ? 1 : lineOf(fn.node.start), entry: fn.entry === undefined ? -1 : fn.entry,
        span: [fn.node.start, fn.node.end],
        slots: [...fn.locals.keys()].map((slot) => slotRow(slot, fn)),
      })),
      classes, notes: [...notes],
    };
    // The program without its types alone, for tests: spaces stand where they stood.
    const erased = () => apply(source, edits.filter(([, kind]) => kind > 1));
    return { code: lead + code + tail, table, prefix, erased };

    function slotRow(slot, fn) {  // [name, slot, place, code of its function, shared]
      if (slot.id < 0) return [slot.name, slot.id, 0, fn.id, 0];
      const isTop = slot.scope === top;
      const place = isTop ? 3 : slot.fn !== fn ? 2 : slot.captured ? 1 : 0;
      return [slot.name, slot.id, place, slot.fn.id, slot.captured && !slot.inLoop && !isTop ? 1 : 0];
    }
  }

  globalThis.deskcheckInstrument = instrument;
})();
