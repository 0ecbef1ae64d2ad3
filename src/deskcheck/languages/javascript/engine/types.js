// Types become spaces, so that lines and columns stay: deskcheckTypes.eraser(source, blank, blankAll) -> {types, ..}.
//
// `blank(from, to)` erases all but the ends of lines; `blankAll` those too, where a line may not end.
(function () {
  "use strict";
  const { FUNCTIONS } = globalThis.deskcheckScopes;

  function eraser(source, blank, blankAll) {
    function types(node) { for (const key of ["typeAnnotation", "returnType", "typeParameters", "typeArguments", "superTypeParameters"]) if (node[key]) erase(node[key], key, node); if (node.implements && node.implements.length) { const at = source.lastIndexOf("implements", node.implements[0].start); blank(at, node.implements[node.implements.length - 1].end); }
      if (node.optional && node.type === "Identifier") question(node.start + node.name.length); else if (node.optional && (node.type === "ObjectPattern" || node.type === "ArrayPattern")) question(node.typeAnnotation ? node.typeAnnotation.start - 1 : node.end - 1);
      if (FUNCTIONS.has(node.type) && node.params[0] && node.params[0].name === "this") { const next = node.params[1]; blank(node.params[0].start, next ? next.start : node.params[0].end); } }
    function question(at) { const where = source.indexOf("?", at); if (where >= 0 && where < at + 4) blank(where, where + 1); }
    function erase(type, key, node) {
      if (type.start === undefined) return;
      if (key === "returnType" && node.type === "ArrowFunctionExpression" && source.slice(type.start, type.end).includes("\n")) { blankAll(type.start, type.end); return; }
      blank(type.start, type.end);
    }
    function modifiers(m) {
      const key = m.key, head = source.slice(m.start, key.start);
      for (const found of head.matchAll(/\b(public|private|protected|readonly|abstract|override|declare)\b/g)) blank(m.start + found.index, m.start + found.index + found[0].length);
      if (m.optional || m.definite) { for (let at = m.computed ? source.indexOf("]", key.end) + 1 : key.end; at < m.end && /[\s?!]/.test(source[at]); at++) if (/[?!]/.test(source[at])) { blank(at, at + 1); break; } }
    }
    function wrapped(node) { blank(node.start, node.expression.start); blank(node.expression.end, node.end); }
    function definite(id) { const at = source.indexOf("!", id.start + (id.name || "").length); if (at >= 0 && at < (id.typeAnnotation ? id.typeAnnotation.start : id.end + 3)) blank(at, at + 1); }
    return { types, modifiers, wrapped, definite };
  }

  globalThis.deskcheckTypes = { eraser };
})();
