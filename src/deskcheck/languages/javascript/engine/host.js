// What a program finds around it: console, timers, a fixed clock, fixed random numbers, a few modules of node.
//
// deskcheckHost(options) -> {require, output, drain, ..}. Nothing here reaches outside of the engine.
(function () {
  "use strict";
  globalThis.deskcheckHost = function (options) {
    const out = { chunks: [], bytes: 0, limit: options.outputBytes, isOver: false };
    const reads = { time: false, random: false }, push = (list, v) => { list[list.length] = v; };
    Object.setPrototypeOf(out.chunks, null);
    function write(text) {
      text = String(text);
      out.bytes += text.length;
      if (out.bytes > out.limit) { out.isOver = true; options.stop(); }
      push(out.chunks, [options.steps(), options.events(), text]);
    }

    // ------------------------------------------------------------ clock, timers, random numbers
    const RealDate = Date;
    let now = options.now;
    const tick = () => { reads.time = true; return now++; };
    function FixedDate(...args) {
      if (new.target === undefined) return new RealDate(tick()).toString();
      return Reflect.construct(RealDate, args.length ? args : [tick()], new.target === FixedDate ? RealDate : new.target);
    }
    for (const key of ["parse", "UTC"]) Object.defineProperty(FixedDate, key, Object.getOwnPropertyDescriptor(RealDate, key));
    Object.defineProperty(FixedDate, "now", { value: function now() { return tick(); }, writable: true, configurable: true });
    Object.defineProperty(FixedDate, "name", { value: "Date", configurable: true });
    Object.defineProperty(FixedDate, "length", { value: 7, configurable: true });
    Object.defineProperty(FixedDate, "prototype", { value: RealDate.prototype, writable: false });
    Object.defineProperty(RealDate.prototype, "constructor", { value: FixedDate, writable: true, configurable: true });
    define("Date", FixedDate);
    let seed = 0x9e3779b9;
    Object.defineProperty(Math, "random", { value: function random() { reads.random = true; seed = (seed + 0x6d2b79f5) | 0; let t = Math_imul(seed ^ (seed >>> 15), 1 | seed); t = (t + Math_imul(t ^ (t >>> 7), 61 | t)) ^ t; return ((t ^ (t >>> 14)) >>> 0) / 4294967296; }, writable: true, configurable: true });
    const Math_imul = Math.imul;
    const queue = [];
    Object.setPrototypeOf(queue, null);
    let timers = 0;
    function timer(f, delay, args, repeat) { const id = ++timers; delay = +delay; push(queue, { id, at: now + (delay > 1 ? Math.min(delay, 2147483647) : 1), f, args, repeat, delay: delay > 1 ? delay : 1 }); return id; }
    function clear(id) { for (let i = 0; i < queue.length; i++) if (queue[i].id === +id) { for (let k = i; k < queue.length - 1; k++) queue[k] = queue[k + 1]; queue.length -= 1; return; } }
    function drain() {  // run the next timer; false = none is left
      if (queue.length === 0) return false;
      let first = 0;
      for (let i = 1; i < queue.length; i++) if (queue[i].at < queue[first].at || (queue[i].at === queue[first].at && queue[i].id < queue[first].id)) first = i;
      const task = queue[first];
      now = Math.max(now, task.at);
      if (task.repeat) task.at = now + task.delay; else clear(task.id);
      Reflect.apply(task.f, undefined, task.args);
      return true;
    }
    function define(name, value) { const d = Object.getOwnPropertyDescriptor(globalThis, name); if (d && !d.configurable) globalThis[name] = value; else Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false }); }
    define("setTimeout", function setTimeout(f, delay, ...args) { return timer(f, delay, args, false); });
    define("setInterval", function setInterval(f, delay, ...args) { return timer(f, delay, args, true); });
    define("setImmediate", function setImmediate(f, ...args) { return timer(f, 0, args, false); });
    for (const name of ["clearTimeout", "clearInterval", "clearImmediate"]) define(name, { [name](id) { clear(id); } }[name]);
    const resolved = Promise.resolve(), then = Promise.prototype.then;
    define("queueMicrotask", function queueMicrotask(f) { Reflect.apply(then, resolved, [() => f()]); });
    define("performance", { now: () => tick() - options.now });
    define("global", globalThis);
    define("structuredClone", function structuredClone(v) { return clone(v, new Map()); });
    function clone(v, seen) {
      if (typeof v === "function" || typeof v === "symbol") throw new Error("could not be cloned");
      if (typeof v !== "object" || v === null) return v;
      if (seen.has(v)) return seen.get(v);
      if (v instanceof RealDate) return new RealDate(+v);
      if (v instanceof RegExp) return new RegExp(v.source, v.flags);
      const made = Array.isArray(v) ? new Array(v.length) : v instanceof Map ? new Map() : v instanceof Set ? new Set() : v instanceof Error ? new globalThis[v.name](v.message) : {};
      seen.set(v, made);
      if (v instanceof Map) v.forEach((b, a) => made.set(clone(a, seen), clone(b, seen)));
      else if (v instanceof Set) v.forEach((a) => made.add(clone(a, seen)));
      else for (const key of Object.keys(v)) made[key] = clone(v[key], seen);
      return made;
    }
    // Texts as bytes: UTF-8 alone.
    define("TextEncoder", class TextEncoder { get encoding() { return "utf-8"; } encode(text = "") { const bytes = unescape(encodeURIComponent(String(text).toWellFormed())); return Uint8Array.from(bytes, (c) => c.charCodeAt(0)); } });
    define("TextDecoder", class TextDecoder { get encoding() { return "utf-8"; } decode(bytes = new Uint8Array()) { let text = ""; for (const b of new Uint8Array(bytes.buffer || bytes)) text += String.fromCharCode(b); return decodeURIComponent(escape(text)); } });

    if (typeof Atomics === "object") { delete Atomics.waitAsync; delete Atomics.wait; }  // they read the real clock

    // ------------------------------------------------------------ console and inspect
    const { inspect, format } = deskcheckInspect(options.proxies);
    let indent = "";
    const counts = new Map();
    const print = (...args) => { const text = format(...args); write(indent ? text.replace(/^/gm, indent) + "\n" : text + "\n"); };
    const console = {};
    for (const name of ["log", "info", "debug", "error", "warn", "trace"]) console[name] = { [name](...args) { if (name === "error" || name === "warn" || name === "trace") return; print(...args); } }[name];
    Object.assign(console, {
      dir(v) { print(inspect(v)); }, group(...args) { if (args.length) print(...args); indent += "  "; }, groupEnd() { indent = indent.slice(2); },
      assert() {}, count(label = "default") { const n = (counts.get(label) || 0) + 1; counts.set(label, n); print(`${label}: ${n}`); }, countReset(label = "default") { counts.delete(label); }, time() {}, timeEnd() {}, timeLog() {}, table(v) { print(v); },
    });
    define("console", console);

    // ------------------------------------------------------------ modules
    const EXIT = options.EXIT;
    const process = {
      argv: ["node", "program.js", ...options.argv], env: {}, platform: "linux", version: "v20.0.0", versions: { node: "20.0.0" }, pid: 1, exitCode: undefined,
      stdout: { write(text) { write(text); return true; }, isTTY: false, columns: 80 }, stderr: { write() { return true; }, isTTY: false },
      exit(code) { EXIT.code = code === undefined ? process.exitCode || 0 : code; throw EXIT; }, cwd: () => "/", nextTick(f, ...args) { queueMicrotask(() => f(...args)); }, on() { return process; }, once() { return process; }, emitWarning() {}, uptime: () => 0, memoryUsage: () => ({ heapUsed: 0 }),
      hrtime: Object.assign(() => [0, tick() - options.now], { bigint: () => BigInt(tick() - options.now) * 1000000n }),
    };
    Object.defineProperty(process, Symbol.toStringTag, { value: "process" });
    define("process", process);
    const assert = deskcheckAssert(inspect);
    const modules = new Map([["assert", assert], ["assert/strict", assert.strict], ["util", { inspect, format, isDeep: assert.isDeep, isDeepStrictEqual: (a, b) => assert.isDeep(a, b, true), promisify: (f) => (...args) => new Promise((yes, no) => f(...args, (error, v) => (error ? no(error) : yes(v)))), inherits(a, b) { Object.setPrototypeOf(a.prototype, b.prototype); }, types: {} }], ["process", process], ["timers", globalThis], ["events", events()], ["perf_hooks", { performance: globalThis.performance }]]);
    function require(name) {
      const found = modules.get(String(name).replace(/^node:/, ""));
      if (found === undefined) throw Object.assign(new Error(`Cannot find module '${name}'`), { code: "MODULE_NOT_FOUND" });
      return found;
    }
    function events() {
      class EventEmitter {
        on(name, f) { const all = (this._events ??= {}); (all[name] ??= []).push(f); return this; }
        addListener(name, f) { return this.on(name, f); }
        once(name, f) { const g = (...args) => { this.off(name, g); f.apply(this, args); }; g.listener = f; return this.on(name, g); }
        off(name, f) { const all = this._events?.[name]; if (all) this._events[name] = all.filter((g) => g !== f && g.listener !== f); return this; }
        removeListener(name, f) { return this.off(name, f); }
        emit(name, ...args) { const all = this._events?.[name]; if (!all || !all.length) { if (name === "error") throw args[0]; return false; } for (const f of [...all]) f.apply(this, args); return true; }
        listenerCount(name) { return this._events?.[name]?.length ?? 0; }
      }
      EventEmitter.EventEmitter = EventEmitter;
      return EventEmitter;
    }
    return { require, out, reads, drain, modules };
  };

  // Equality as node's assert module has it.
  globalThis.deskcheckAssert = function (inspect) {
    class AssertionError extends Error {
      constructor({ message, actual, expected, operator }) { super(message); this.code = "ERR_ASSERTION"; this.generatedMessage = true; this.actual = actual; this.expected = expected; this.operator = operator; }
    }
    Object.defineProperty(AssertionError.prototype, "name", { value: "AssertionError", writable: true, configurable: true });
    const tag = (v) => Object.prototype.toString.call(v);
    function isDeep(a, b, strict, seen = []) {
      if (strict ? Object.is(a, b) : a == b || (a !== a && b !== b)) return true;
      if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
      if (strict && Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
      if (tag(a) !== tag(b) || Array.isArray(a) !== Array.isArray(b)) return false;
      for (const [x, y] of seen) if (x === a && y === b) return true;
      seen = [...seen, [a, b]];
      if (a instanceof Date && b instanceof Date && a.getTime() !== b.getTime()) return false;
      if (a instanceof RegExp && (String(a) !== String(b) || a.lastIndex !== b.lastIndex)) return false;
      if (a instanceof Error && (a.name !== b.name || a.message !== b.message)) return false;
      for (const Box of [Number, String, Boolean]) if (a instanceof Box && !Object.is(a.valueOf(), b.valueOf())) return false;
      if (Array.isArray(a) && a.length !== b.length) return false;
      if (a instanceof Map) { if (a.size !== b.size) return false; for (const [k, v] of a) { if (b.has(k)) { if (!isDeep(v, b.get(k), strict, seen)) return false; } else if (![...b].some(([l, w]) => isDeep(k, l, strict, seen) && isDeep(v, w, strict, seen))) return false; } }
      if (a instanceof Set) { if (a.size !== b.size) return false; for (const v of a) if (!b.has(v) && ![...b].some((w) => isDeep(v, w, strict, seen))) return false; }
      const keys = (v) => [...Object.keys(v), ...(strict ? Object.getOwnPropertySymbols(v).filter((s) => Object.prototype.propertyIsEnumerable.call(v, s)) : [])];
      const own = keys(a), other = keys(b);
      return own.length === other.length && own.every((k) => Object.prototype.hasOwnProperty.call(b, k) && isDeep(a[k], b[k], strict, seen));
    }
    const fail = (message, actual, expected, operator, text) => { if (message instanceof Error) throw message; throw new AssertionError({ message: message === undefined ? text : message, actual, expected, operator }); };
    const show = (v) => inspect(v);
    function make(isStrict) {
      const assert = function ok(v, message) { if (!v) fail(message, v, true, "==", arguments.length ? "The expression evaluated to a falsy value" : "No value argument passed to `assert.ok()`"); };
      const methods = {
        ok: assert,
        equal(a, b, m) { if (isStrict ? !Object.is(a, b) : !(a == b || (a !== a && b !== b))) fail(m, a, b, "==", `${show(a)} == ${show(b)}`); },
        notEqual(a, b, m) { if (isStrict ? Object.is(a, b) : a == b) fail(m, a, b, "!=", `${show(a)} != ${show(b)}`); },
        strictEqual(a, b, m) { if (!Object.is(a, b)) fail(m, a, b, "strictEqual", `Expected values to be strictly equal:\n\n${show(a)} !== ${show(b)}\n`); },
        notStrictEqual(a, b, m) { if (Object.is(a, b)) fail(m, a, b, "notStrictEqual", `Expected "actual" to be strictly unequal to: ${show(b)}`); },
        deepEqual(a, b, m) { if (!isDeep(a, b, isStrict)) fail(m, a, b, "deepEqual", `Expected values to be loosely deep-equal:\n\n${show(a)}\n\nshould loosely deep-equal\n\n${show(b)}`); },
        notDeepEqual(a, b, m) { if (isDeep(a, b, isStrict)) fail(m, a, b, "notDeepEqual", `Expected "actual" not to be loosely deep-equal to: ${show(b)}`); },
        deepStrictEqual(a, b, m) { if (!isDeep(a, b, true)) fail(m, a, b, "deepStrictEqual", `Expected values to be strictly deep-equal:\n${show(a)}\n\nshould equal\n\n${show(b)}`); },
        notDeepStrictEqual(a, b, m) { if (isDeep(a, b, true)) fail(m, a, b, "notDeepStrictEqual", `Expected "actual" not to be strictly deep-equal to: ${show(b)}`); },
        throws(f, check, m) { let error, isThrown = false; try { f(); } catch (e) { isThrown = true; error = e; } if (!isThrown) fail(typeof check === "string" ? check : m, undefined, check, "throws", "Missing expected exception."); expected(error, check, m); },
        doesNotThrow(f) { f(); },
        async rejects(p, check, m) { let error, isThrown = false; try { await (typeof p === "function" ? p() : p); } catch (e) { isThrown = true; error = e; } if (!isThrown) fail(m, undefined, check, "rejects", "Missing expected rejection."); expected(error, check, m); },
        async doesNotReject(p) { await (typeof p === "function" ? p() : p); },
        fail(m = "Failed") { fail(m, undefined, undefined, "fail", m); },
        match(text, re, m) { if (!re.test(text)) fail(m, text, re, "match", `The input did not match the regular expression ${re}. Input:\n\n${show(text)}\n`); },
        doesNotMatch(text, re, m) { if (re.test(text)) fail(m, text, re, "doesNotMatch", `The input was expected to not match the regular expression ${re}. Input:\n\n${show(text)}\n`); },
        ifError(v) { if (v !== null && v !== undefined) throw v; },
        AssertionError, isDeep,
      };
      function expected(error, check, m) {
        if (check === undefined || typeof check === "string") return;
        if (check instanceof RegExp) { if (!check.test(String(error))) fail(m, error, check, "throws", `The input did not match the regular expression ${check}. Input:\n\n${show(String(error))}\n`); return; }
        if (typeof check === "function") { if (check.prototype !== undefined && error instanceof check) return; if (Error.isPrototypeOf(check) || check === Error) throw error; if (check.call({}, error) !== true) fail(m, error, check, "throws", "The validation function is expected to return \"true\"."); return; }
        for (const k of Object.keys(check)) if (check[k] instanceof RegExp && typeof error[k] === "string" ? !check[k].test(error[k]) : !isDeep(error[k], check[k], true)) fail(m, error, check, "throws", `Expected ${k} of the exception to be ${show(check[k])}`);
      }
      return Object.assign(assert, methods);
    }
    const assert = make(false);
    assert.strict = make(true);
    assert.strict.strict = assert.strict;
    return assert;
  };
})();
