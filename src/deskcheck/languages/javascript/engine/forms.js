// The form of each function of a source: deskcheckForms(source, ast, slots) -> [[name, line, nodes, form], ..]
//
// Two functions with one form differ in the names of their variables, in types, brackets and layout alone. Names of
// properties, of globals and the values of literals are a part of the form.
(function () {
  "use strict";
  const { children, FUNCTIONS } = globalThis.deskcheckScopes;
  const THROUGH = new Set(["ParenthesizedExpression", "TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression", "TSTypeAssertion", "TSInstantiationExpression"]);

  globalThis.deskcheckForms = function (ast, slots, lineOf) {
    const own = new Set(slots.filter((slot) => !slot.implicit).map((slot) => slot.name));
    function form(root) {
      const numbers = new Map(), words = [];
      let n = 0;
      const variable = (name) => { if (!own.has(name)) return name; if (!numbers.has(name)) numbers.set(name, numbers.size); return "#" + numbers.get(name); };
      function write(node) {
        while (THROUGH.has(node.type)) node = node.expression;
        if (node.type.startsWith("TS") || node.declare) return;
        n++;
        switch (node.type) {
          case "Identifier": words.push(variable(node.name)); return;
          case "PrivateIdentifier": words.push("#." + node.name); return;
          case "Literal": words.push(node.regex ? String(node.raw) : typeof node.value === "string" ? JSON.stringify(node.value) : typeof node.value === "number" ? String(node.value) : String(node.raw)); return;
          case "TemplateElement": words.push(JSON.stringify(node.value.raw)); return;
          case "MemberExpression": words.push("(."); write(node.object); if (node.computed) write(node.property); else words.push("." + node.property.name); words.push(")"); return;
          case "Property": case "MethodDefinition": case "PropertyDefinition": {
            words.push("(" + node.type, node.kind || "");
            if (node.computed) write(node.key); else words.push("." + (node.key.name ?? String(node.key.value)));
            if (node.value) write(node.value);
            words.push(")");
            return;
          }
        }
        words.push("(" + (FUNCTIONS.has(node.type) ? "Function" : node.type), node.operator || node.kind || "", node.async ? "async" : "", node.generator ? "*" : "", node.optional && node.type !== "Identifier" ? "?." : "");
        children(node, (child, key) => { if (!(FUNCTIONS.has(node.type) && key === "id")) write(child); });
        words.push(")");
      }
      write(root);
      return [n, words.filter(Boolean).join(" ")];
    }
    const out = [];
    function add(name, node) { const [n, text] = form(node); out.push([name, lineOf(node.start), n, text]); }
    for (let s of ast.body) {
      if ((s.type === "ExportNamedDeclaration" || s.type === "ExportDefaultDeclaration") && s.declaration) s = s.declaration;
      if (s.type === "FunctionDeclaration" && s.body) add(s.id ? s.id.name : "default", s);
      else if (s.type === "ClassDeclaration") { for (const m of s.body.body) if (m.type === "MethodDefinition" && m.value.body) add(`${s.id ? s.id.name : "default"}.${m.key.name ?? ""}`, m.value); }
      else if (s.type === "VariableDeclaration") { for (const d of s.declarations) if (d.init && FUNCTIONS.has(d.init.type)) add(d.id.name || "", d.init); }
    }
    return out;
  };
})();
