// The functions of a source as trees for decontamination: deskcheckForms(ast, slots, lineOf) -> {functions, module}
//
// functions: [[name, line, last line, class or "", tree], ..], inner ones too; module: [[line, last line, tree], ..],
// statements outside of functions. A tree is a list that begins with its kind; the kinds are those of
// `decontamination/canonical.py`, which removes differences of writing. Types, brackets, labels, directives and the
// values of literals are left out; `x += y` is `x = x + y`, `x++` is `x = x + 1`, and a `for (;;)` is a `while`.
(function () {
  "use strict";
  const { children, FUNCTIONS } = globalThis.deskcheckScopes;
  const NAME = "\0";
  const THROUGH = new Set(["ParenthesizedExpression", "ChainExpression", "TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression", "TSTypeAssertion", "TSInstantiationExpression"]);
  const OPERATORS = { "+": "Add", "*": "Mult", "|": "BitOr", "&": "BitAnd", "^": "BitXor" };
  const COMPARED = { "===": "Eq", "==": "Eq", "!==": "NotEq", "!=": "NotEq", "<": "Lt", "<=": "LtE", in: "In" };
  const TURNED = { ">": "Lt", ">=": "LtE" };
  const LOGICAL = { "&&": "And", "||": "Or", "??": "Nullish" };

  globalThis.deskcheckForms = function (ast, slots, lineOf) {
    const own = new Set(slots.filter((slot) => !slot.implicit).map((slot) => slot.name));
    const lastLine = (node) => lineOf(Math.max(node.start, node.end - 1));
    let methods = new Set();
    const bare = (node) => { while (THROUGH.has(node.type)) node = node.expression; return node; };
    const isFunction = (node) => !!node && FUNCTIONS.has(bare(node).type);

    // ---------------------------------------------------------------- statements, each as a list of trees
    const block = (statements) => statements.flatMap(statement);
    const body = (node, kind = "body") => [kind, ...(node ? statement(node) : [])];
    function statement(s) {
      if (s.declare || /^TS/.test(s.type)) return [];
      switch (s.type) {
        case "EmptyStatement": case "ImportDeclaration": case "ExportAllDeclaration": return [];
        case "ExportNamedDeclaration": case "ExportDefaultDeclaration": return s.declaration ? (/Declaration$/.test(s.declaration.type) ? statement(s.declaration) : [["Expr", value(s.declaration)]]) : [];
        case "BlockStatement": return block(s.body);
        case "LabeledStatement": return statement(s.body);
        case "ExpressionStatement": return effect(s.expression);
        case "VariableDeclaration": return s.declarations.flatMap((d) => (d.init ? assigned(d.id, d.init) : []));
        case "FunctionDeclaration": return s.body ? [defined(s.id ? s.id.name : "default", s)] : [];
        case "ClassDeclaration": return [classOf(s)];
        case "ReturnStatement": return [["Return", s.argument ? value(s.argument) : "=undefined"]];
        case "ThrowStatement": return [["Raise", value(s.argument)]];
        case "BreakStatement": return [["Break"]];
        case "ContinueStatement": return [["Continue"]];
        case "IfStatement": return [["If", value(s.test), body(s.consequent), ...(s.alternate ? [body(s.alternate, "else")] : [])]];
        case "WhileStatement": return [["While", value(s.test), body(s.body)]];
        case "DoWhileStatement": return [["DoWhile", value(s.test), body(s.body)]];
        case "ForStatement": return [...(s.init ? (s.init.type === "VariableDeclaration" ? statement(s.init) : effect(s.init)) : []), ["While", s.test ? value(s.test) : "=boolean", [...body(s.body), ...(s.update ? effect(s.update) : [])]]];
        case "ForOfStatement": case "ForInStatement": return [[s.type === "ForOfStatement" ? "For" : "ForIn", target(s.left), value(s.right), body(s.body)]];
        case "SwitchStatement": return [["Match", value(s.discriminant), ["cases", ...s.cases.map((c) => ["match_case", c.test ? value(c.test) : "default", ["body", ...block(c.consequent)]])]]];
        case "TryStatement": return tried(s);
        default: return [[s.type, ...parts(s)]];
      }
    }
    function tried(s) {  // only its body if the handler does nothing but throw the exception again
      const rethrows = s.handler && s.handler.param && s.handler.body.body.length === 1 && s.handler.body.body[0].type === "ThrowStatement" && s.handler.body.body[0].argument.name === s.handler.param.name;
      if (rethrows && !s.finalizer) return block(s.block.body);
      const handler = s.handler ? [["handlers", ["ExceptHandler", s.handler.param ? target(s.handler.param) : "", ["body", ...block(s.handler.body.body)]]]] : [];
      return [["Try", ["body", ...block(s.block.body)], ...handler, ...(s.finalizer ? [["finalbody", ...block(s.finalizer.body)]] : [])]];
    }
    function effect(expression) {
      const e = bare(expression);
      if (e.type === "SequenceExpression") return e.expressions.flatMap(effect);
      if (e.type === "AssignmentExpression" && e.operator === "=") return assigned(e.left, e.right);
      const tree = value(e);
      return typeof tree === "string" || tree[0] === "Assign" ? (typeof tree === "string" ? [] : [tree]) : [["Expr", tree]];
    }
    function assigned(left, right) {
      const to = bare(left);
      if (isFunction(right)) return [defined(to.type === "MemberExpression" && !to.computed ? to.property.name : to.name || "", bare(right))];
      return [["Assign", value(right), target(to)]];
    }

    // ---------------------------------------------------------------- functions and classes
    const parameters = (node) => ["parameters", ...node.params.filter((p) => p.name !== "this").map(target)];
    const inside = (node) => (node.body.type === "BlockStatement" ? block(node.body.body) : [["Return", value(node.body)]]);
    const defined = (name, node) => ["def", [NAME, name], parameters(node), ...inside(node)];
    function lambda(node) {
      const trees = inside(node);
      return trees.length === 1 && trees[0][0] === "Return" ? ["Lambda", parameters(node), trees[0][1]] : ["Function", parameters(node), ["body", ...trees]];
    }
    const nameOf = (key) => (key ? String(key.name ?? key.value ?? "") : "");
    function classOf(node) {
      const before = methods, members = node.body.body;
      methods = new Set(members.filter((m) => m.type === "MethodDefinition" && !m.computed).map((m) => nameOf(m.key)));
      const trees = members.flatMap((m) => (m.type === "MethodDefinition" ? (m.value.body ? [defined(nameOf(m.key), m.value)] : []) : m.type === "PropertyDefinition" && m.value ? [["Assign", value(m.value), ["Attribute", "this", "." + nameOf(m.key)]]] : m.type === "StaticBlock" ? block(m.body) : []));
      methods = before;
      return ["class", [NAME, node.id ? node.id.name : ""], ["bases", ...(node.superClass ? [value(node.superClass)] : [])], ...trees];
    }

    // ---------------------------------------------------------------- expressions
    const parts = (node) => { const out = []; children(node, (child) => { if (!child.type.startsWith("TS")) out.push(/Statement$|Declaration$/.test(child.type) ? ["body", ...statement(child)] : value(child)); }); return out; };
    function target(node) {
      const n = bare(node);
      switch (n.type) {
        case "VariableDeclaration": return target(n.declarations[0].id);
        case "AssignmentPattern": return ["default", target(n.left), value(n.right)];
        case "RestElement": return ["*", target(n.argument)];
        case "ArrayPattern": return ["Tuple", ...n.elements.map((e) => (e ? target(e) : ""))];
        case "ObjectPattern": return ["Fields", ...n.properties.map((p) => (p.type === "RestElement" ? target(p) : ["field", p.computed ? value(p.key) : "." + nameOf(p.key), target(p.value)]))];
        case "TSParameterProperty": return target(n.parameter);
        default: return value(n);
      }
    }
    function literal(n) {
      if (n.regex) return "=regex";
      return n.bigint ? "=bigint" : n.value === null ? "=null" : "=" + typeof n.value;
    }
    function value(node) {
      const n = bare(node);
      switch (n.type) {
        case "Identifier": return own.has(n.name) ? [NAME, n.name] : n.name === "undefined" ? "=undefined" : n.name;
        case "PrivateIdentifier": return "#." + n.name;
        case "ThisExpression": return "this";
        case "Super": return "super";
        case "Literal": return literal(n);
        case "TemplateLiteral": return n.expressions.length ? ["format", ...n.expressions.map(value)] : "=string";
        case "MemberExpression": {
          if (n.object.type === "ThisExpression" && !n.computed && methods.has(n.property.name)) return [NAME, n.property.name];
          return n.computed ? ["Subscript", value(n.object), value(n.property)] : ["Attribute", value(n.object), "." + n.property.name];
        }
        case "BinaryExpression": {
          const left = value(n.left), right = value(n.right);
          if (n.operator in TURNED) return ["Compare", right, TURNED[n.operator], left];
          return n.operator in COMPARED ? ["Compare", left, COMPARED[n.operator], right] : [OPERATORS[n.operator] || n.operator, left, right];
        }
        case "LogicalExpression": return [LOGICAL[n.operator], value(n.left), value(n.right)];
        case "UnaryExpression": {
          const of = value(n.argument);
          if (n.operator === "!") return ["Not", of];
          if ((n.operator === "-" || n.operator === "+") && typeof of === "string" && of[0] === "=") return of;
          return n.operator === "void" ? "=undefined" : [n.operator, of];
        }
        case "UpdateExpression": return ["Assign", [n.operator === "++" ? "Add" : "-", value(n.argument), "=number"], value(n.argument)];
        case "AssignmentExpression": {
          if (n.operator === "=") return isFunction(n.right) ? lambda(bare(n.right)) : ["Assign", value(n.right), target(n.left)];
          const operator = n.operator.slice(0, -1);
          return ["Assign", [OPERATORS[operator] || LOGICAL[operator] || operator, value(n.left), value(n.right)], value(n.left)];
        }
        case "ConditionalExpression": return ["IfExp", value(n.test), value(n.consequent), value(n.alternate)];
        case "CallExpression": return ["Call", value(n.callee), ...n.arguments.map(value)];
        case "NewExpression": return ["New", value(n.callee), ...n.arguments.map(value)];
        case "SpreadElement": return ["Starred", value(n.argument)];
        case "ArrayExpression": return ["List", ...n.elements.map((e) => (e ? value(e) : ""))];
        case "ObjectExpression": return ["Dict", ...n.properties.map((p) => (p.type === "SpreadElement" ? value(p) : ["entry", p.computed ? value(p.key) : "." + nameOf(p.key), value(p.value)]))];
        case "FunctionExpression": case "ArrowFunctionExpression": return n.body ? lambda(n) : "";
        case "ClassExpression": return classOf(n);
        case "ObjectPattern": case "ArrayPattern": case "AssignmentPattern": case "RestElement": return target(n);
        default: return [n.type, ...parts(n)];
      }
    }

    // ---------------------------------------------------------------- the units of a source
    const functions = [], module = [];
    function add(name, node, owner, around) { functions.push([name, lineOf(around.start), lastLine(around), owner, defined(name, node)]); within(node, name); }
    function within(node, prefix) { children(node, (child) => look(child, prefix ? prefix + "." : "")); }
    function look(node, prefix) {
      switch (node.type) {
        case "FunctionDeclaration": if (node.body) add(prefix + (node.id ? node.id.name : "default"), node, "", node); return;
        case "ClassDeclaration": case "ClassExpression": {
          const name = node.id ? node.id.name : "default", before = methods;
          methods = new Set(node.body.body.filter((m) => m.type === "MethodDefinition" && !m.computed).map((m) => nameOf(m.key)));
          for (const m of node.body.body) if (m.type === "MethodDefinition" && m.value.body) add(`${prefix}${name}.${nameOf(m.key)}`, m.value, prefix + name, m);
          methods = before;
          return;
        }
        case "VariableDeclarator": if (node.init && isFunction(node.init) && bare(node.init).body) return add(prefix + (node.id.name || ""), bare(node.init), "", node); break;
        case "AssignmentExpression": if (isFunction(node.right)) return add(prefix + (node.left.type === "MemberExpression" ? nameOf(node.left.property) : node.left.name || ""), bare(node.right), "", node); break;
        case "Property": if (isFunction(node.value) && bare(node.value).body) return add(prefix + nameOf(node.key), bare(node.value), "", node); break;
      }
      within(node, prefix ? prefix.slice(0, -1) : "");
    }
    within(ast, "");
    for (const s of ast.body) {
      const inner = (s.type === "ExportNamedDeclaration" || s.type === "ExportDefaultDeclaration") && s.declaration ? s.declaration : s;
      if (inner.type === "FunctionDeclaration" || inner.type === "ClassDeclaration") continue;
      for (const tree of statement(s)) if (tree[0] !== "def") module.push([lineOf(s.start), lastLine(s), tree]);
    }
    return { functions, module };
  };
})();
