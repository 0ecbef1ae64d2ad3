// Run one instrumented program in this realm: deskcheckRun(code, table, options) -> {step, result}.
//
// `begin` runs the file or the call, `more` the next timer; between them the engine runs what waits for promises.
(function () {
  "use strict";
  const { apply, ownKeys, getOwnPropertyDescriptor: descriptorOf } = Reflect;
  // Proxies are known by number of making, because no other way tells one without running a trap of it.
  const proxies = new WeakSet();
  proxies.has = WeakSet.prototype.has;
  proxies.add = WeakSet.prototype.add;
  const RealProxy = Proxy;
  const revocable = RealProxy.revocable;
  function KnownProxy(target, handler) {
    if (new.target === undefined) throw new TypeError("Constructor Proxy requires 'new'");
    const made = new RealProxy(target, handler);
    proxies.add(made);
    return made;
  }
  KnownProxy.revocable = function (target, handler) { const made = revocable(target, handler); proxies.add(made.proxy); return made; };
  Object.defineProperty(KnownProxy, "name", { value: "Proxy" });
  KnownProxy.prototype = undefined;
  globalThis.Proxy = KnownProxy;

  globalThis.deskcheckRun = function (code, table, options) {
    options.proxies = proxies;
    const spans = table.codes.map((c) => c.span), classes = table.classes;
    const Recorder = globalThis.deskcheckRecorder, Host = globalThis.deskcheckHost, source = Function.prototype.toString, indirect = eval, stringify = JSON.stringify, then = Promise.prototype.then, String_ = String, PromiseProto = Promise.prototype, TypedBuffer = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), "buffer").get;
    const isPromise = (v) => { if (typeof v !== "object" || v === null || proxies.has(v)) return false; try { apply(then, v, [undefined, undefined]); return true; } catch { return false; } };
    const EXIT = { code: 0 };
    let recorder = null, isOver = false;
    const host = Host({ ...options, EXIT, proxies, steps: () => (recorder === null ? 0 : recorder.steps()), events: () => (recorder === null ? 0 : recorder.events()), stop() { isOver = true; throw recorder.STOP; } });
    options.modules = host.modules;
    recorder = Recorder(options, table);
    for (const name of ownKeys(globalThis)) if (typeof name === "string" && name.startsWith("deskcheck")) delete globalThis[name];
    // A program that reads its own text reads what was written, not the probes.
    const mark = new RegExp("\\$k+E\\((\\d+),|/\\*\\$k+cl(\\d+)\\*/", "g"), exec = RegExp.prototype.exec, text = options.source, cut = String.prototype.slice, include = String.prototype.includes, prefix = options.prefix;
    Object.setPrototypeOf(spans, null); Object.setPrototypeOf(classes, null);
    Function.prototype.toString = { toString() {
      const found = apply(source, this, []);
      if (!apply(include, found, [prefix])) return found;
      let least = -1;
      mark.lastIndex = 0;
      const isClass = apply(cut, found, [0, 5]) === "class";
      for (let m = apply(exec, mark, [found]); m !== null; m = apply(exec, mark, [found])) {
        if (isClass && m[2] !== undefined) { const c = classes[+m[2]]; return apply(cut, text, [c[1], c[2]]); }
        if (m[1] !== undefined && (least < 0 || +m[1] < least)) least = +m[1];
      }
      return least < 0 ? found : apply(cut, text, [spans[least][0], spans[least][1]]);
    } }.toString;
    const module = { exports: {} };
    let state = "running", hasSettled = false, value, ending = -1, where = -1;
    function settle(kind, v) { if (state === "running" || state === "waiting") { state = kind; value = v; } }
    function ended(error) { if (error === recorder.STOP) settle("stopped"); else if (error === EXIT) settle("exited", EXIT.code); else settle("raised", error); }
    function begin() {
      let f;
      try { f = indirect(code); } catch (error) { settle("uncompiled", error); return "done"; }
      try {
        if (!options.isCall) recorder.start();
        const v = apply(f, module.exports, [module.exports, host.require, module, "/program.js", "/", ...recorder.hooks]);
        if (isPromise(v)) { state = "waiting"; value = v; apply(then, v, [(x) => { hasSettled = true; settle("returned", x); }, ended]); }
        else settle("returned", v);
      } catch (error) { ended(error); }
      return report();
    }
    function more() {
      if (recorder.isStopped() !== null || isOver) return report();
      try { if (!host.drain()) return "done"; } catch (error) { if (state === "returned" || state === "waiting") state = "running"; ended(error); }
      return report();
    }
    function report() { return recorder.isStopped() !== null || isOver || state === "raised" || state === "exited" ? "done" : "more"; }
    function finish() {
      const stopped = isOver ? "output" : recorder.isStopped();
      const notes = [...table.notes];
      let handle = -1, type = "", message = "";
      if (state === "waiting") { state = "returned"; notes.push("a promise never settled"); }
      if (state === "running") state = "returned";
      const missed = stopped === null && state !== "exited" ? recorder.missed() : 0;
      if (missed > 0) notes.push("changes seen late");
      if (stopped === null) {
        handle = recorder.end(state === "returned" ? (options.isCall ? value : undefined) : value);
        if (hasSettled && recorder.returned() !== handle) notes.push("the result is what a promise settled to");
        if (state === "raised" || state === "uncompiled") {
          type = recorder.typeName(value);
          const own = recorder.ownValue(value, "message");
          message = typeof value === "object" && value !== null ? (typeof own === "string" ? own : "") : typeof value === "symbol" ? "a symbol" : typeof value === "function" ? "a function" : String_(value);
        }
      }
      if (recorder.wasCut()) notes.push("values truncated");
      recorder.off();
      return stringify({ state, stopped, handle, type, message, exit: EXIT.code, notes, reads: host.reads, output: host.out.chunks, outputBytes: host.out.bytes, codes: recorder.codes(), names: recorder.names(), steps: recorder.steps() });
    }
    // Without an argument, because the engine would put it into an array that the program can have changed.
    let columns = null, at = 0;
    const order = options.columns;
    Object.setPrototypeOf(order, null);
    return { begin, more, finish, column() { if (columns === null) columns = recorder.columns(); return columns[order[at++]]; } };
  };
})();
