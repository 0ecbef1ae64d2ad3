// Scopes of a parsed program: which names each place sees, and which of them inner functions share.
//
// analyse(ast) -> {fns: [Fn], slots: [Slot]}; every node that opens a scope gets `scope`, every function `fn`.
// A Slot is one declared variable. `decl` is the source position from which it has a value: -1 = from the start.
(function () {
  "use strict";
  const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);
  const SKIP = new Set(["type", "start", "end", "loc", "scope", "fn", "typeAnnotation", "returnType", "typeParameters", "typeArguments", "superTypeParameters", "implements", "decorators"]);

  function children(node, visit) {
    for (const key in node) {
      if (SKIP.has(key)) continue;
      const child = node[key];
      if (Array.isArray(child)) { for (const one of child) if (one && typeof one.type === "string") visit(one, key); }
      else if (child && typeof child.type === "string") visit(child, key);
    }
  }

  function namesOf(pattern, out) {
    switch (pattern && pattern.type) {
      case "Identifier": out.push(pattern); break;
      case "ObjectPattern": for (const p of pattern.properties) namesOf(p.type === "RestElement" ? p.argument : p.value, out); break;
      case "ArrayPattern": for (const p of pattern.elements) namesOf(p, out); break;
      case "AssignmentPattern": namesOf(pattern.left, out); break;
      case "RestElement": namesOf(pattern.argument, out); break;
      case "ParenthesizedExpression": namesOf(pattern.expression, out); break;
      case "TSParameterProperty": namesOf(pattern.parameter, out); break;
    }
    return out;
  }

  function analyse(ast) {
    const fns = [], slots = [];
    function newFn(node, parent, name, kind) {
      const fn = { id: fns.length, node, parent, name, kind, depth: parent ? parent.depth + 1 : 0, free: new Set(), usesThis: false, usesArguments: false, derived: false };
      fns.push(fn);
      return fn;
    }
    function newScope(parent, fn, kind) { return { parent, fn, kind, names: new Map(), inLoop: false, flags: [] }; }
    function declare(scope, name, decl, more) {
      const old = scope.names.get(name);
      if (old) { old.decl = Math.min(old.decl, decl); if (more && more.isParam) old.isParam = true; return old; }
      const slot = Object.assign({ id: slots.length, name, fn: scope.fn, scope, decl, lexical: false, captured: false, assigned: false, hidden: false, flag: "", inLoop: scope.inLoop, caseNode: null, isParam: false }, more);
      slots.push(slot);
      scope.names.set(name, slot);
      return slot;
    }
    function vars(node, scope) {
      if (!node || FUNCTIONS.has(node.type) || node.type === "ClassDeclaration" || node.type === "ClassExpression") return;
      if (node.declare) return;
      if (node.type === "VariableDeclaration" && node.kind === "var")
        for (const d of node.declarations) for (const id of namesOf(d.id, [])) declare(scope, id.name, -1);
      if (node.type.startsWith("TS") && node.type !== "TSExportAssignment") return;
      children(node, (child) => vars(child, scope));
    }
    function unwrap(s) { return (s.type === "ExportNamedDeclaration" || s.type === "ExportDefaultDeclaration") && s.declaration ? s.declaration : s; }
    function lexical(list, scope, caseNode) {
      for (let s of list) {
        s = unwrap(s);
        if (s.declare) continue;
        if (s.type === "VariableDeclaration" && s.kind !== "var") {
          for (const d of s.declarations) for (const id of namesOf(d.id, [])) declare(scope, id.name, s.end, { lexical: true, caseNode, isConst: s.kind === "const" });
        } else if (s.type === "FunctionDeclaration" && s.id && s.body) declare(scope, s.id.name, -1, { isFunction: true });
        else if (s.type === "ClassDeclaration" && s.id) declare(scope, s.id.name, s.end, { lexical: true, caseNode });
        else if (s.type === "TSEnumDeclaration") declare(scope, s.id.name, scope.kind === "function" ? -1 : s.end, scope.kind === "function" ? {} : { lexical: true, caseNode });
        else if (s.type === "ImportDeclaration" && s.importKind !== "type") for (const i of s.specifiers) declare(scope, i.local.name, s.end, { lexical: true });
      }
    }
    function enterFunction(node, scope, name) {
      const kind = node.generator ? "generator" : node.async ? "coroutine" : "function";
      const fn = newFn(node, scope.fn, name, kind);
      fn.outer = scope;
      node.fn = fn;
      let parent = scope;
      if (node.type === "FunctionExpression" && node.id) {
        parent = newScope(scope, fn, "name");
        declare(parent, node.id.name, -1, { hidden: true });
      }
      const inner = newScope(parent, fn, "function");
      node.scope = inner;
      for (const p of node.params) for (const id of namesOf(p, [])) if (id.name !== "this") declare(inner, id.name, -1, { isParam: true });
      if (node.body.type === "BlockStatement") { vars(node.body, inner); lexical(node.body.body, inner, null); }
      return fn;
    }
    const prefixOf = (fn) => (fn.kind === "module" ? "" : fn.name + ".");
    function hintOf(node) {  // the name that the language gives to an anonymous function
      return node.id ? node.id.name : "";
    }
    function walk(node, scope, hint) {
      if (!node || typeof node.type !== "string") return;
      if (node.declare) return;
      switch (node.type) {
        case "FunctionDeclaration": case "FunctionExpression": case "ArrowFunctionExpression": {
          if (!node.body) return;
          const name = prefixOf(scope.fn) + (hintOf(node) || hint || (node.type === "ArrowFunctionExpression" && node.body.type !== "BlockStatement" ? "<arrow>" : "<anonymous>"));
          const fn = enterFunction(node, scope, name);
          for (const p of node.params) walk(p, node.scope);
          if (node.body.type === "BlockStatement") for (const s of node.body.body) walk(s, node.scope);
          else walk(node.body, node.scope);
          return fn;
        }
        case "ClassDeclaration": case "ClassExpression": {
          const name = (node.id && node.id.name) || hint || "<class>";
          if (node.superClass) walk(node.superClass, scope);
          const inner = newScope(scope, scope.fn, "class");
          inner.inLoop = scope.inLoop;
          if (node.id) declare(inner, node.id.name, -1, { hidden: true });
          node.scope = inner;
          for (const m of node.body.body) {
            if (m.type === "StaticBlock") { walkBlock(m, m.body, inner); continue; }
            if (m.type.startsWith("TS") || m.declare) continue;
            if (m.computed) walk(m.key, inner);
            if (m.type === "MethodDefinition") {
              if (!m.value.body) continue;
              const key = m.computed ? "<computed>" : m.key.name !== undefined ? (m.key.type === "PrivateIdentifier" ? "#" : "") + m.key.name : String(m.key.value);
              const fn = walk(m.value, inner, name + "." + (m.kind === "get" || m.kind === "set" ? m.kind + " " : "") + key);
              fn.isMethod = true;
              fn.derived = m.kind === "constructor" && !!node.superClass;
            } else if (m.value) walk(m.value, inner, name + "." + (m.key.name || ""));
          }
          return;
        }
        case "BlockStatement": return walkBlock(node, node.body, scope);
        case "ForStatement": case "ForOfStatement": case "ForInStatement": {
          const inner = newScope(scope, scope.fn, "for");
          inner.inLoop = true;
          node.scope = inner;
          const head = node.type === "ForStatement" ? node.init : node.left;
          if (head && head.type === "VariableDeclaration" && head.kind !== "var") for (const d of head.declarations) for (const id of namesOf(d.id, [])) declare(inner, id.name, head.end, { lexical: true, isConst: head.kind === "const" });
          if (node.type === "ForStatement") { walk(node.init, inner); walk(node.test, inner); walk(node.update, inner); }
          else { walk(node.left, inner); walk(node.right, inner); if (head.type !== "VariableDeclaration") assigned(head, inner); }
          return walk(node.body, inner);
        }
        case "WhileStatement": case "DoWhileStatement": {
          const inner = newScope(scope, scope.fn, "loop");
          inner.inLoop = true;
          walk(node.test, inner);
          return walk(node.body, inner);
        }
        case "SwitchStatement": {
          walk(node.discriminant, scope);
          const inner = newScope(scope, scope.fn, "switch");
          inner.inLoop = scope.inLoop;
          node.scope = inner;
          for (const c of node.cases) lexical(c.consequent, inner, c);
          for (const c of node.cases) { walk(c.test, inner); for (const s of c.consequent) walk(s, inner); }
          return;
        }
        case "CatchClause": {
          const inner = newScope(scope, scope.fn, "catch");
          inner.inLoop = scope.inLoop;
          node.scope = inner;
          if (node.param) { for (const id of namesOf(node.param, [])) declare(inner, id.name, -1); walk(node.param, inner); }
          lexical(node.body.body, inner, null);
          for (const s of node.body.body) walk(s, inner);
          return;
        }
        case "Identifier": return reference(node.name, scope);
        case "ThisExpression": case "Super": return usesThis(scope.fn);
        case "MemberExpression": walk(node.object, scope); if (node.computed) walk(node.property, scope); return;
        case "Property": {
          if (node.computed) walk(node.key, scope);
          const key = node.computed ? "<computed>" : node.key.name || String(node.key.value);
          const fn = walk(node.value, scope, (node.kind === "get" || node.kind === "set" ? node.kind + " " : "") + key);
          if (fn && (node.method || node.kind !== "init")) fn.isMethod = true;
          return;
        }
        case "VariableDeclarator": walk(node.id, scope); return walk(node.init, scope, node.id.type === "Identifier" ? node.id.name : "");
        case "AssignmentExpression": assigned(node.left, scope); walk(node.left, scope); return walk(node.right, scope, node.left.type === "Identifier" ? node.left.name : node.left.type === "MemberExpression" && !node.left.computed ? node.left.property.name : "");
        case "AssignmentPattern": walk(node.left, scope); return walk(node.right, scope, node.left.name || "");
        case "UpdateExpression": assigned(node.argument, scope); return walk(node.argument, scope);
        case "LabeledStatement": return walk(node.body, scope);
        case "BreakStatement": case "ContinueStatement": case "MetaProperty": case "ImportDeclaration": return;
        case "ExportNamedDeclaration": if (node.declaration) walk(node.declaration, scope); else if (!node.source) for (const s of node.specifiers) reference(s.local.name, scope); return;
        case "ExportDefaultDeclaration": return walk(node.declaration, scope, "default");
        case "ParenthesizedExpression": return walk(node.expression, scope, hint);
        case "TSEnumDeclaration": for (const m of (node.body ? node.body.members : node.members)) if (m.initializer) walk(m.initializer, scope); return;
        case "TSAsExpression": case "TSSatisfiesExpression": case "TSNonNullExpression": case "TSTypeAssertion": case "TSInstantiationExpression": return walk(node.expression, scope, hint);
        case "TSParameterProperty": return walk(node.parameter, scope);
      }
      if (node.type.startsWith("TS")) return;
      children(node, (child) => walk(child, scope));
    }
    function walkBlock(node, list, scope) {
      const inner = newScope(scope, scope.fn, "block");
      inner.inLoop = scope.inLoop;
      node.scope = inner;
      lexical(list, inner, null);
      for (const s of list) walk(s, inner);
    }
    function usesThis(fn) {
      while (fn && fn.node.type === "ArrowFunctionExpression") { fn.usesThis = true; fn = fn.parent; }
      if (fn) fn.usesThis = true;
    }
    function find(name, scope) { for (let s = scope; s; s = s.parent) { const slot = s.names.get(name); if (slot) return slot; } return null; }
    function assigned(pattern, scope) {
      if (pattern.type === "MemberExpression") return;
      for (const id of namesOf(pattern, [])) {
        const slot = find(id.name, scope) || declare(top, id.name, -1, { implicit: true });
        slot.assigned = true;
      }
    }
    function reference(name, scope) {
      if (name === "arguments") { let fn = scope.fn; while (fn && fn.node.type === "ArrowFunctionExpression") fn = fn.parent; if (fn && fn.kind !== "module" && !find(name, scope)) fn.usesArguments = true; return; }
      waiting.push([name, scope]);
    }
    const waiting = [];
    const module = newFn(ast, null, "<module>", "module");
    ast.fn = module;
    const top = newScope(null, module, "function");
    ast.scope = top;
    vars(ast, top);
    lexical(ast.body, top, null);
    for (const s of ast.body) walk(s, top);
    for (const [name, scope] of waiting) {
      const slot = find(name, scope);
      if (!slot || slot.fn === scope.fn) continue;
      slot.captured = true;
      for (let fn = scope.fn; fn && fn !== slot.fn; fn = fn.parent) fn.free.add(slot);
    }
    return { fns, slots, top };
  }
  globalThis.deskcheckScopes = { analyse, namesOf, children, FUNCTIONS };
})();
