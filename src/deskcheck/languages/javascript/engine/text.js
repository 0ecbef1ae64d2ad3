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

  function parse(source, options, isModule, more = {}) {
    const common = { ...more, ecmaVersion: "latest", locations: options.typescript, allowReturnOutsideFunction: true, preserveParens: true, allowHashBang: true };
    if (options.typescript) {
      const parser = acorn.Parser.extend(deskcheckTypeScript());
      return { ast: parser.parse(source, { ...common, sourceType: isModule ? "module" : "script" }), strict: isModule };
    }
    if (isModule) { try { return { ast: acorn.parse(source, { ...common, sourceType: "module" }), strict: true }; } catch (error) { if (!/import|export/.test(String(error.message))) throw error; } }
    return { ast: acorn.parse(source, { ...common, sourceType: "script" }), strict: false };
  }

  globalThis.deskcheckText = { parse, lines, apply };
})();
