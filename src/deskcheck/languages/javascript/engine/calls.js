// What a call may change, and how V8 prints it: deskcheckCalls.marksOf(node, scope), written(node), globalName, bare.
//
// A call of a function that is not the program's own may change the objects that it gets, and the object of a
// method: a mark tells the recorder to look at them. Built-ins that are known to change nothing have none.
(function () {
  "use strict";
  const PURE_OBJECTS = new Set(["console", "Math", "JSON", "assert", "Number", "String", "Boolean", "BigInt", "Symbol", "Promise", "Date"]);
  const PURE_STATIC = { Object: new Set(["keys", "values", "entries", "freeze", "is", "fromEntries", "getPrototypeOf", "hasOwn", "create"]), Array: new Set(["isArray", "from", "of"]) };
  const PURE_METHODS = new Set(["map", "filter", "slice", "join", "indexOf", "lastIndexOf", "includes", "charAt", "charCodeAt", "codePointAt", "split", "trim", "trimEnd", "trimStart", "concat", "toString", "toUpperCase", "toLowerCase", "startsWith", "endsWith", "padStart", "padEnd", "repeat", "substring", "substr", "forEach", "reduce", "reduceRight", "some", "every", "find", "findIndex", "keys", "values", "entries", "get", "has", "flat", "flatMap", "at", "toFixed", "localeCompare", "then", "catch", "finally", "hasOwnProperty"]);
  const PURE_CALLS = new Set(["String", "Number", "Boolean", "parseInt", "parseFloat", "isNaN", "isFinite", "BigInt", "Symbol", "require"]);
  const MARKED = new Set(["Identifier", "MemberExpression", "CallExpression", "ThisExpression", "ConditionalExpression", "LogicalExpression", "AwaitExpression", "SequenceExpression"]);

  function bare(node) { while (node && node.type === "ParenthesizedExpression") node = node.expression; return node; }

  function hasOptional(node) {
    for (node = bare(node); node; node = node.object || node.callee) { if (node.optional) return true; if (node.type !== "MemberExpression" && node.type !== "CallExpression") return false; }
    return false;
  }
  function globalName(node, scope) {
    if (node.type !== "Identifier") return "";
    for (let s = scope; s; s = s.parent) if (s.names.has(node.name)) { const slot = s.names.get(node.name); return slot.isConst && node.name === "assert" ? "assert" : ""; }
    return node.name;
  }
  function isOwn(node, scope) {  // a function declaration of the program that is never assigned
    if (node.type !== "Identifier") return false;
    for (let s = scope; s; s = s.parent) { const slot = s.names.get(node.name); if (slot) return !!slot.isFunction && !slot.assigned; }
    return false;
  }
  // Whether it calls `super.f`, may change its object, has a `?.`, and may change its arguments.
  function marksOf(node, scope) {
    const callee = bare(node.callee);
    let isSuper = false, isMarked = false, isOptional = false;
    let needsMarks = !isOwn(callee, scope) && callee.type !== "Super" && callee.type !== "Import";
    if (callee.type === "Super") needsMarks = false;
    if (callee.type === "Identifier" && PURE_CALLS.has(globalName(callee, scope))) needsMarks = false;
    if (callee.type === "MemberExpression") {
      const object = bare(callee.object), name = callee.computed ? "" : callee.property.name;
      const whose = globalName(object, scope);
      if (PURE_OBJECTS.has(whose) || (PURE_STATIC[whose] && PURE_STATIC[whose].has(name))) needsMarks = false;
      else if (callee.object.type === "Super") isSuper = true;
      else if (MARKED.has(object.type) && !PURE_METHODS.has(name)) {
        if (hasOptional(callee.object)) isOptional = true;
        else if (!whose) isMarked = node.callee === callee;
      }
      if (PURE_METHODS.has(name) && name !== "forEach" && name !== "map") needsMarks = needsMarks && node.arguments.some((a) => a.type === "Identifier" || a.type === "MemberExpression");
    }
    return { isSuper, isMarked, isOptional, needsMarks };
  }

  function written(node) {  // as V8 prints the text of a call
    node = bare(node);
    switch (node.type) {
      case "Identifier": return node.name;
      case "ThisExpression": return "this";
      case "Literal": return typeof node.value === "string" ? JSON.stringify(node.value) : String(node.raw);
      case "CallExpression": return written(node.callee) + "(...)";
      case "MemberExpression": return node.object.type === "Super" ? "(intermediate value)." + node.property.name : written(node.object) + (!node.computed ? "." + node.property.name : typeof node.property.value === "string" ? "." + node.property.value : `[${written(node.property)}]`);
    }
    return "(intermediate value)";
  }

  globalThis.deskcheckCalls = { MARKED, bare, globalName, marksOf, written };
})();
