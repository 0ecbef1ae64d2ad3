// Text of values as node's util.inspect and util.format write it, for what programs print.
(function () {
  "use strict";
  globalThis.deskcheckInspect = function (proxies) {
    const PLAIN = /^[a-zA-Z_][a-zA-Z_0-9]*$/;
    const META = { "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", "\\": "\\\\" };
    function quote(text) {
      let mark = "'";
      if (text.includes("'")) { if (!text.includes('"')) mark = '"'; else if (!text.includes("`") && !text.includes("${")) mark = "`"; }
      let out = "";
      for (let i = 0; i < text.length; i++) {
        const c = text[i], n = text.charCodeAt(i);
        if (c === mark) out += "\\" + c;
        else if (META[c] !== undefined) out += META[c];
        else if (n < 32 || (n > 126 && n < 160)) out += "\\x" + n.toString(16).toUpperCase().padStart(2, "0");
        else if (n >= 0xd800 && n < 0xe000) { const d = text.charCodeAt(i + 1); if (n < 0xdc00 && d >= 0xdc00 && d < 0xe000) out += c + text[++i]; else out += "\\u" + n.toString(16).toUpperCase(); }
        else out += c;
      }
      return mark + out + mark;
    }
    function scalar(v, ctx) {
      switch (typeof v) {
        case "string": {
          if (ctx && ctx.compact && v.length > 16 && v.length > ctx.breakLength - ctx.indent - 4 && v.includes("\n")) return v.split(/(?<=\n)/).map(quote).join(` +\n${" ".repeat(ctx.indent + 2)}`);
          return quote(v);
        }
        case "number": return Object.is(v, -0) ? "-0" : String(v);
        case "bigint": return v + "n";
        case "symbol": return Symbol.prototype.toString.call(v);
        default: return String(v);
      }
    }
    function constructorName(v) {
      for (let p = v, n = 0; p !== null && n < 50; p = Object.getPrototypeOf(p), n++) {
        const d = Object.getOwnPropertyDescriptor(p, "constructor");
        if (d !== undefined && typeof d.value === "function" && d.value.name !== "") return d.value.name;
      }
      return null;
    }
    const TypedArray = Object.getPrototypeOf(Uint8Array);
    function prefix(name, tag, fallback, size = "") {
      if (name === null) return `[${fallback}${size}: null prototype] ` + (tag && tag !== fallback ? `[${tag}] ` : "");
      return `${name}${size} ` + (tag && tag !== name ? `[${tag}] ` : "");
    }
    function inspect(v, options) {
      const ctx = { depth: 2, breakLength: 80, compact: 3, indent: 0, level: 0, seen: [], circular: null, max: 100, sorted: false };
      if (options && typeof options === "object") { if (options.depth !== undefined) ctx.depth = options.depth === null ? Infinity : options.depth; if (options.breakLength !== undefined) ctx.breakLength = options.breakLength; if (options.compact !== undefined) ctx.compact = options.compact; if (options.maxArrayLength !== undefined) ctx.max = options.maxArrayLength ?? Infinity; }
      return value(v, ctx, 0);
    }
    const custom = Symbol.for("nodejs.util.inspect.custom");
    function value(v, ctx, level, isTyped) {
      if ((typeof v !== "object" && typeof v !== "function") || v === null) return scalar(v, ctx);
      if (proxies.has(v)) return "{}";
      if (typeof v[custom] === "function") { const r = v[custom](ctx.depth - level, {}, inspect); return typeof r === "string" ? r.replaceAll("\n", "\n" + " ".repeat(ctx.indent)) : value(r, ctx, level); }
      if (ctx.seen.includes(v)) {
        ctx.circular ??= new Map();
        if (!ctx.circular.has(v)) ctx.circular.set(v, ctx.circular.size + 1);
        return `[Circular *${ctx.circular.get(v)}]`;
      }
      return raw(v, ctx, level);
    }
    function keysOf(v) { return [...Object.keys(v), ...Object.getOwnPropertySymbols(v).filter((s) => Object.prototype.propertyIsEnumerable.call(v, s))]; }
    function raw(v, ctx, level) {
      const name = constructorName(v);
      let tag = typeof v[Symbol.toStringTag] === "string" ? v[Symbol.toStringTag] : "";
      if (tag === name) tag = "";
      let keys = keysOf(v), base = "", braces, entries = () => [], isArray = false;
      if (Array.isArray(v)) {
        keys = keys.filter((k) => typeof k === "symbol" || !/^(0|[1-9]\d{0,9})$/.test(k));
        braces = [name !== "Array" || tag ? prefix(name, tag, "Array", `(${v.length})`) + "[" : "[", "]"];
        if (v.length === 0 && !keys.length) return braces[0] + "]";
        isArray = true;
        entries = () => elements(v, ctx, level);
      } else if (v instanceof Set && name !== null) { braces = [prefix(name, tag, "Set", `(${v.size})`) + "{", "}"]; entries = () => { ctx.indent += 2; const out = [...Set.prototype.values.call(v)].map((x) => value(x, ctx, level + 1)); ctx.indent -= 2; return out; }; if (v.size === 0 && !keys.length) return braces[0] + "}"; }
      else if (v instanceof Map && name !== null) { braces = [prefix(name, tag, "Map", `(${v.size})`) + "{", "}"]; entries = () => { ctx.indent += 2; const out = [...Map.prototype.entries.call(v)].map(([k, x]) => `${value(k, ctx, level + 1)} => ${value(x, ctx, level + 1)}`); ctx.indent -= 2; return out; }; if (v.size === 0 && !keys.length) return braces[0] + "}"; }
      else if (v instanceof TypedArray) {
        keys = keys.filter((k) => typeof k === "symbol" || !/^\d+$/.test(k));
        braces = [prefix(name, tag === name ? "" : tag, name, `(${v.length})`) + "[", "]"]; isArray = true;
        if (v.length === 0) return braces[0] + "]";
        entries = () => { const n = Math.min(ctx.max, v.length), out = []; for (let i = 0; i < n; i++) out.push(scalar(v[i])); if (v.length > n) out.push(`... ${v.length - n} more item${v.length - n > 1 ? "s" : ""}`); return out; };
      } else if (Object.prototype.toString.call(v) === "[object Arguments]") { braces = ["[Arguments] [", "]"]; isArray = true; keys = keys.filter((k) => typeof k === "symbol" || !/^\d+$/.test(k)); entries = () => elements([...v], ctx, level); }
      else if (typeof v === "function") {
        base = functionBase(v, name, tag); braces = ["{", "}"];
        if (!keys.length) return base;
      } else if (v instanceof RegExp) { base = RegExp.prototype.toString.call(v); braces = ["{", "}"]; if (name !== "RegExp") base = `${prefix(name, tag, "RegExp")}${base}`; if (!keys.length) return base; }
      else if (v instanceof Date) { base = Number.isNaN(v.getTime()) ? "Invalid Date" : Date.prototype.toISOString.call(v); braces = ["{", "}"]; if (name !== "Date") base = `${prefix(name, tag, "Date")}${base}`; if (!keys.length) return base; }
      else if (v instanceof Error) { base = errorText(v, keys); braces = ["{", "}"]; keys = keys.filter((k) => !(["name", "message", "stack"].includes(k) && base.includes(String(v[k])))); if ("cause" in v && !keys.includes("cause") && Object.prototype.hasOwnProperty.call(v, "cause")) keys.push("cause"); if (!keys.length) return base; }
      else if (v instanceof Promise) { braces = [prefix(name, tag, "Promise") + "{", "}"]; entries = () => ["<pending>"]; }
      else if (v instanceof WeakMap || v instanceof WeakSet) { braces = [prefix(name, tag, "WeakMap") + "{", "}"]; entries = () => ["<items unknown>"]; }
      else if (v instanceof Number || v instanceof String || v instanceof Boolean || Object.prototype.toString.call(v) === "[object Symbol]" || Object.prototype.toString.call(v) === "[object BigInt]") {
        const kind = v instanceof Number ? "Number" : v instanceof String ? "String" : v instanceof Boolean ? "Boolean" : "Symbol";
        base = `[${kind}${name !== kind ? ` (${name})` : ""}: ${scalar(v.valueOf())}]`; braces = ["{", "}"];
        if (kind === "String") keys = keys.filter((k) => typeof k === "symbol" || !/^\d+$/.test(k));
        if (!keys.length) return base;
      } else if (/^(Map|Set|Array|String|RegExp String) Iterator$/.test(tag)) { braces = [`[${tag}] {`, "}"]; }
      else if (tag === "Generator" || tag === "AsyncGenerator") { braces = [`Object [${tag}] {`, "}"]; if (!keys.length) return braces[0] + "}"; }
      else if (v instanceof ArrayBuffer) { braces = ["ArrayBuffer {", "}"]; const bytes = [...new Uint8Array(v)]; entries = () => [`[Uint8Contents]: <${bytes.slice(0, 50).map((b) => b.toString(16).padStart(2, "0")).join(" ")}${bytes.length > 50 ? ` ... ${bytes.length - 50} more bytes` : ""}>`, `byteLength: ${bytes.length}`]; }
      else {
        const text = name === "Object" && !tag ? "" : prefix(name, tag, "Object");
        braces = [text + "{", "}"];
        if (!keys.length) return text + "{}";
      }
      if (level > ctx.depth) return `[${(name === null ? prefix(name, tag, Array.isArray(v) ? "Array" : "Object").slice(0, -1) : Array.isArray(v) ? "Array" : name + (tag ? ` [${tag}]` : "")) || "Object"}]`;
      ctx.seen.push(v);
      ctx.level = level;
      let out = entries();
      for (const key of keys) out.push(property(v, key, ctx, level, isArray));
      ctx.seen.pop();
      if (ctx.circular !== null && ctx.circular.has(v)) { const ref = `<ref *${ctx.circular.get(v)}>`; if (base === "") braces[0] = `${ref} ${braces[0]}`; else base = `${ref} ${base}`; }
      return reduce(ctx, out, base, braces, isArray, level, v);
    }
    function functionBase(v, name, tag) {
      const text = Function.prototype.toString.call(v);
      if (text.startsWith("class")) {
        let out = `[class ${v.name === "" ? "(anonymous)" : v.name}`;
        const parent = Object.getPrototypeOf(v);
        if (parent && parent.name) out += ` extends ${parent.name}`; else if (parent === null) out += " extends [null prototype]";
        return out + "]";
      }
      const kind = Object.prototype.toString.call(v).slice(8, -1);
      const type = ["AsyncFunction", "GeneratorFunction", "AsyncGeneratorFunction"].includes(kind) ? kind : "Function";
      return `[${type}${v.name === "" ? " (anonymous)" : `: ${v.name}`}]`;
    }
    function errorText(v) { const stack = typeof v.stack === "string" && v.stack ? v.stack.split("\n    at ")[0] : ""; const text = stack || Error.prototype.toString.call(v); return typeof v.stack === "string" && v.stack.includes("\n    at ") ? text + "\n    at <stack>" : `[${text}]`; }
    function elements(v, ctx, level) {
      const out = [], n = Math.min(ctx.max, v.length);
      let i = 0;
      for (; i < v.length && out.length < n; i++) {
        if (!Object.prototype.hasOwnProperty.call(v, i)) {
          let from = i;
          while (i < v.length && !Object.prototype.hasOwnProperty.call(v, i)) i++;
          out.push(`<${i - from} empty item${i - from > 1 ? "s" : ""}>`);
          i--;
          continue;
        }
        out.push(property(v, i, ctx, level, true, true));
      }
      if (v.length > i) out.push(`... ${v.length - i} more item${v.length - i > 1 ? "s" : ""}`);
      return out;
    }
    function property(v, key, ctx, level, isArray, isElement) {
      const d = Object.getOwnPropertyDescriptor(v, key) || { value: v[key], enumerable: true };
      let text;
      if (d.value !== undefined || !(d.get || d.set)) { const diff = ctx.compact !== true || !isElement ? 2 : 3; ctx.indent += diff; text = value(d.value, ctx, level + 1); ctx.indent -= diff; }
      else text = d.get ? (d.set ? "[Getter/Setter]" : "[Getter]") : "[Setter]";
      if (isElement) return text;
      let name = typeof key === "symbol" ? `[${Symbol.prototype.toString.call(key)}]` : key === "__proto__" ? "['__proto__']" : PLAIN.test(key) ? key : quote(key);
      if (d.enumerable === false) name = `[${typeof key === "symbol" ? Symbol.prototype.toString.call(key) : key}]`;
      return `${name}: ${text}`;
    }
    function reduce(ctx, out, base, braces, isArray, level, v) {
      const entries = out.length;
      if (isArray && entries > 6) out = group(ctx, out, v);
      if (ctx.level - level < ctx.compact && entries === out.length) {
        const start = out.length + ctx.indent + braces[0].length + base.length + 10;
        let total = out.length + start;
        if (total + out.length <= ctx.breakLength) {
          for (const one of out) total += one.length;
          if (total <= ctx.breakLength && !out.some((one) => one.includes("\n")) && !base.includes("\n")) return `${base ? `${base} ` : ""}${braces[0]}${out.length ? ` ${out.join(", ")} ` : ""}${braces[1]}`;
        }
      }
      const indentation = `\n${" ".repeat(ctx.indent)}`;
      return `${base ? `${base} ` : ""}${braces[0]}${indentation}  ${out.join(`,${indentation}  `)}${indentation}${braces[1]}`;
    }
    function group(ctx, out, v) {
      let total = 0, longest = 0, n = out.length;
      if (ctx.max < v.length) n--;
      const lengths = new Array(n);
      for (let i = 0; i < n; i++) { const length = width(out[i]); lengths[i] = length; total += length + 2; if (longest < length) longest = length; }
      const actual = longest + 2;
      if (actual * 3 + ctx.indent < ctx.breakLength && (total / actual > 5 || longest <= 6)) {
        const biased = Math.max(actual - Math.sqrt(actual - total / out.length), 1);
        const columns = Math.min(Math.round(Math.sqrt(2.5 * biased * n) / biased), Math.floor((ctx.breakLength - ctx.indent) / actual), ctx.compact * 4, 15);
        if (columns <= 1) return out;
        const widths = [], grouped = [];
        for (let i = 0; i < columns; i++) { let most = 0; for (let j = i; j < n; j += columns) if (lengths[j] > most) most = lengths[j]; widths.push(most + 2); }
        const isNumeric = v !== undefined && [...out.slice(0, n)].every((_, i) => typeof v[i] === "number" || typeof v[i] === "bigint");
        for (let i = 0; i < n; i += columns) {
          const most = Math.min(i + columns, n);
          let text = "", j = i;
          for (; j < most - 1; j++) { const cell = `${out[j]}, `; const pad = widths[j - i] + cell.length - width(cell); text += isNumeric ? cell.padStart(pad) : cell.padEnd(pad); }
          if (isNumeric) text += out[j].padStart(widths[j - i] + out[j].length - lengths[j] - 2); else text += out[j];
          grouped.push(text);
        }
        if (ctx.max < v.length) grouped.push(out[n]);
        out = grouped;
      }
      return out;
    }
    const width = (text) => [...text].length;
    function format(...args) {
      const first = args[0];
      if (args.length === 1) return typeof first === "string" ? first : inspect(first);
      let out = "", at = 1;
      if (typeof first === "string") {
        out = first.replace(/%[sdifjoOc%]/g, (mark) => {
          if (mark === "%%") return "%";
          if (at >= args.length) return mark;
          const v = args[at++];
          switch (mark) {
            case "%s": return typeof v === "string" ? v : typeof v === "bigint" ? v + "n" : typeof v === "number" ? scalar(v) : typeof v === "object" && v !== null && !(v instanceof Error && 0) && !Object.prototype.hasOwnProperty.call(v, "toString") && constructorIsBuiltin(v) ? inspect(v, { depth: 0, compact: 3 }) : String(v);
            case "%d": return typeof v === "bigint" ? v + "n" : typeof v === "symbol" ? "NaN" : typeof v === "object" ? scalar(Number(v)) : scalar(Number(v));
            case "%i": return typeof v === "bigint" ? v + "n" : scalar(parseInt(v));
            case "%f": return typeof v === "symbol" ? "NaN" : scalar(parseFloat(v));
            case "%j": try { return JSON.stringify(v); } catch { return "[Circular]"; }
            case "%o": case "%O": return inspect(v, { depth: mark === "%o" ? 4 : 2 });
            default: return "";
          }
        });
      } else out = inspect(first);
      for (; at < args.length; at++) out += " " + (typeof args[at] === "string" ? args[at] : inspect(args[at]));
      return out;
    }
    function constructorIsBuiltin(v) { const name = constructorName(v); return name === null || typeof v.toString !== "function" || v.toString === Object.prototype.toString || v.toString === Array.prototype.toString || v.toString === Error.prototype.toString || v.toString === Date.prototype.toString; }
    inspect.custom = custom;
    return { inspect, format };
  };
})();
