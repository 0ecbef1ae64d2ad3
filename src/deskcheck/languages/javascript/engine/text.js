// The text of a program: parsed by acorn, positions as lines, edits applied.
(function () {
  "use strict";

  function lines(source) {
    const starts = [0];
    for (let i = 0; i < source.length; i++) { const c = source.charCodeAt(i); if (c === 10 || c === 0x2028 || c === 0x2029 || (c === 13 && source.charCodeAt(i + 1) !== 10)) starts.push(i + 1); }
    const lineOf = (pos) => { let low = 0, high = starts.length; while (high - low > 1) { const mid = (low + high) >> 1; if (starts[mid] <= pos) low = mid; else high = mid; } return low + 1; };
    lineOf.starts = starts;
    return lineOf;
  }

  const isWord = /^[\w$\u0080-\uffff]$/;
  function apply(source, edits) {
    edits.sort((a, b) => a[0] - b[0] || (a[1] < 0 ? 0 : 1) - (b[1] < 0 ? 0 : 1) || a[2] - b[2]);
    let out = "", at = 0;
    const texts = [];
    for (const [pos, kind, , text, end] of edits) {
      if (pos > at) { texts.push(source.slice(at, pos)); at = pos; }
      if (kind === 2 || kind === 3) {
        if (end > at) { texts.push(source.slice(Math.max(at, pos), end).replace(kind === 3 ? /[^]/g : /[^\n\r\u2028\u2029]/g, " ")); at = end; }
      } else {
        const last = texts.length ? texts[texts.length - 1] : "";
        texts.push(isWord.test(text[0]) && isWord.test(last[last.length - 1]) ? " " + text : text);  // `return[1]`
      }
    }
    out = texts.join("");
    return out + source.slice(at);
  }

  const MODULE_PARTS = new Set(["ImportDeclaration", "ExportNamedDeclaration", "ExportDefaultDeclaration", "ExportAllDeclaration"]);
  const isModule = (ast) => ast.body.some((s) => MODULE_PARTS.has(s.type));
  // Parse a source as a module or as a script: as the first that it is, if a line begins with `import` or `export` a module.
  function parse(source, options, more = {}) {
    const parser = options.typescript ? acorn.Parser.extend(deskcheckTypeScript()) : acorn.Parser;
    const common = { ...more, ecmaVersion: "latest", locations: options.typescript, allowReturnOutsideFunction: true, preserveParens: true, allowHashBang: true };
    const looksSo = /^\s*(import|export)\b/m.test(source), errors = {};
    for (const sourceType of looksSo ? ["module", "script"] : ["script", "module"]) {
      for (const list of [more.onComment, more.onToken]) if (list) list.length = 0;
      try {
        const ast = parser.parse(source, { ...common, sourceType });
        if (sourceType === "script" || !looksSo || options.typescript || isModule(ast)) return { ast, strict: sourceType === "module" };
      } catch (error) { errors[sourceType] = error; }
    }
    throw errors.module && /import|export/.test(errors.script.message) ? errors.module : errors.script;
  }

  globalThis.deskcheckText = { parse, lines, apply };
})();
