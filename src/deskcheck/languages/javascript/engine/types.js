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

  // Initializers name members of their enum without it: `AB = A | B`.
  function initializer(node, source, name, members) {
    const places = [];
    (function walk(part, key, parent) {
      if (part === null || typeof part !== "object") return;
      if (Array.isArray(part)) { for (const one of part) walk(one, key, parent); return; }
      const isName = parent && !parent.computed && ((key === "property" && parent.type === "MemberExpression") || (key === "key" && parent.type === "Property"));
      if (part.type === "Identifier" && members.has(part.name) && !isName) places.push(part);
      for (const [inner, value] of Object.entries(part)) if (inner !== "loc") walk(value, inner, part);
    })(node, "", null);
    let text = source.slice(node.start, node.end);
    for (const { start, end, name: member } of places.sort((a, b) => b.start - a.start)) {
      text = `${text.slice(0, start - node.start)}${name}[${JSON.stringify(member)}]${text.slice(end - node.start)}`;
    }
    return text;
  }

  function enumText(s, source, prefix) {  // what an enum is in JavaScript, on one line
    const name = s.id.name, members = new Set();
    let text = `var ${name};(function(${name}){let ${prefix}v=-1;`;
    for (const m of (s.body ? s.body.members : s.members)) {
      const id = m.id.name !== undefined ? m.id.name : String(m.id.value), key = JSON.stringify(id);
      const init = m.initializer ? initializer(m.initializer, source, name, members) : `${prefix}v+1`;
      members.add(id);
      text += `${name}[${key}]=${prefix}v=(${init});if(typeof ${prefix}v==="number")${name}[${prefix}v]=${key};`;
    }
    text += `})(${name}||(${name}={}));`;
    return text.replace(/\n/g, " ");
  }

  globalThis.deskcheckTypes = { eraser, enumText };
})();
