// Step through programs with V8's inspector: node inspector.js ACORN < programs.jsonl > stops.jsonl
//
// A line of input is the JSON text of a program; a line of output {sites, stops}. A site is a place where a
// step begins, found by a walk of its own through acorn's tree: [line, whether V8 can stop there]. A stop is
// {site, depth, values, objects}, read by the protocol from the stopped program. Objects keep their number
// for the whole run. A worker steers, the main thread runs the programs and stops.
"use strict";
const { Worker, isMainThread, workerData, parentPort } = require("node:worker_threads");
const WRAP = "(function(exports,require,module,__filename,__dirname){\n";
const MAX_STOPS = 3000;

if (isMainThread) main(); else steer();

// ------------------------------------------------------------ the main thread
function sitesOf(acorn, source) {
  const tree = acorn.parse(source, { ecmaVersion: "latest", locations: true, allowReturnOutsideFunction: true });
  const sites = [];
  let isCompared = true;  // inside a function that sort calls: two versions of V8 call it in other orders
  const add = (from, to, line = from.loc.start.line) => sites.push({ line, from: isCompared ? from.loc.start : null, to: to.loc.end, without: heads.get(from) || [] });
  const heads = new Map();  // what the head of a loop declares has no value there: V8 shows a register
  function declare(pattern, at) { (function names(node) { if (node.type === "Identifier") heads.set(at, [...(heads.get(at) || []), node.name]); for (const key in node) if (key !== "init") for (const child of [node[key]].flat()) if (child && typeof child.type === "string") names(child); })(pattern); }
  function nested(body) {  // an empty body is a step, and V8 does not stop there
    if (body.type === "EmptyStatement" || (body.type === "BlockStatement" && body.body.length === 0)) sites.push({ line: body.loc.start.line, from: null });
  }
  (function walk(node) {
    const before = isCompared;
    if (node.type === "CallExpression" && /^(sort|toSorted)$/.test(node.callee.property?.name)) isCompared = false;
    switch (node.type) {
      case "IfStatement": add(node, node.test, node.test.loc.start.line); nested(node.consequent); if (node.alternate) nested(node.alternate); break;
      case "WhileStatement": case "DoWhileStatement": add(node.test, node.test); nested(node.body); break;
      case "ForStatement":
        if (node.init) declare(node.init, node.init);
        if (node.init) add(node.init, node.init, node.loc.start.line); else if (!node.test) sites.push({ line: node.loc.start.line, from: null });
        if (node.test) add(node.test, node.test);
        nested(node.body);
        break;
      case "ForOfStatement": case "ForInStatement": declare(node.left, node.right); add(node.right, node.right, node.loc.start.line); if (node.body.type === "EmptyStatement") nested(node.body); break;
      case "SwitchStatement": add(node, node.discriminant); break;
      case "ExpressionStatement": if (!node.directive) add(node, node); break;
      case "VariableDeclaration": if (!node.inFor) add(/Pattern/.test(node.declarations[0].id.type) ? node.declarations[0].init : node, node, node.loc.start.line); break;
      case "ReturnStatement": case "ThrowStatement": case "BreakStatement": case "ContinueStatement": add(node, node); break;
      case "ClassDeclaration": sites.push({ line: node.loc.start.line, from: null }); break;
      case "ArrowFunctionExpression": {
        if (node.body.type === "BlockStatement") break;
        // It has no stop of its own, only those of its parts: one that is reached once, before anything happens.
        if (/[(`]|&&|\|\||\?/.test(source.slice(node.body.start, node.body.end))) sites.push({ line: node.body.loc.start.line, from: null });
        else add(node.body, node.body);
        break;
      }
    }
    for (const head of [node.init, node.left]) if (head && node.type.startsWith("For")) head.inFor = true;
    for (const key in node) for (const child of [node[key]].flat()) if (child && typeof child.type === "string") walk(child);
    isCompared = before;
  })(tree);
  return sites;
}

async function main() {
  const vm = require("node:vm"), acorn = require(process.argv[2]);
  const lines = require("node:fs").readFileSync(0, "utf8").split("\n").filter(Boolean);
  const write = process.stdout.write.bind(process.stdout);
  for (const name of ["log", "info", "error", "warn", "table", "debug"]) console[name] = () => {};
  process.on("unhandledRejection", () => {});
  const shared = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(__filename, { workerData: { shared } });
  await new Promise((ready) => worker.once("message", ready));
  for (const line of lines) {
    const source = JSON.parse(line), sites = sitesOf(acorn, source);
    globalThis.inspected = { sites: JSON.stringify(sites), describe: describer(source) };
    const answer = new Promise((ready) => worker.once("message", ready));
    const script = new vm.Script(WRAP + source + "\n})", { filename: "/program.js", lineOffset: -1 });
    const run = script.runInThisContext();
    debugger;  // the worker sets its breakpoints here
    const module = { exports: {} };
    try { run.call(module.exports, module.exports, require, module, "/program.js", "/"); } catch {}
    if (/async|Promise|setTimeout|await/.test(source)) await new Promise((done) => setTimeout(done, 60));
    worker.postMessage("end");
    write(JSON.stringify(await answer) + "\n");
  }
  worker.terminate();
}

function describer(source) {  // values as JSON, without running code of the program
  const numbers = new WeakMap(), symbols = new Map();
  let n = 0;
  const { getOwnPropertyDescriptor, ownKeys, getPrototypeOf } = Reflect;
  const { isProxy } = require("node:util").types;
  return (...values) => {
    const objects = {};
    function show(v) {
      switch (typeof v) {
        case "undefined": return "undefined";
        case "number": return Object.is(v, -0) ? "-0" : String(v);
        case "bigint": return v + "n";
        case "boolean": return String(v);
        case "string": return JSON.stringify(v);
        case "symbol": { if (!symbols.has(v)) symbols.set(v, ++n); return { id: symbols.get(v), leaf: "symbol" }; }
      }
      if (v === null) return "null";
      if (!numbers.has(v)) numbers.set(v, ++n);
      const id = numbers.get(v);
      if (v === globalThis) return { id, leaf: "native" };
      if (isProxy(v)) return { id, leaf: "proxy" };
      if (typeof v === "function" && !source.includes(Function.prototype.toString.call(v))) return { id, leaf: "native" };
      if (objects[id] === undefined) { objects[id] = {}; objects[id] = inside(v); }
      return { id };
    }
    function properties(v, skip) {
      const rows = [];
      for (const key of ownKeys(v)) {
        if (skip(key)) continue;
        const d = getOwnPropertyDescriptor(v, key);
        rows.push([show(key), "value" in d ? show(d.value) : d.get ? (d.set ? "[Getter/Setter]" : "[Getter]") : "[Setter]"]);
      }
      return rows;
    }
    const isIndex = (key) => typeof key === "string" && /^(0|[1-9][0-9]*)$/.test(key);
    function inside(v) {
      if (typeof v === "function") return { kind: "function", rows: properties(v, (key) => ["length", "name", "prototype", "arguments", "caller"].includes(key)) };
      if (Array.isArray(v)) return { kind: "array", items: Array.from({ length: v.length }, (_, i) => (i in v && Object.hasOwn(v, i) ? show(getOwnPropertyDescriptor(v, i).value) : "<hole>")), rows: properties(v, (key) => key === "length" || isIndex(key)) };
      if (v instanceof Map) { const pairs = []; Map.prototype.forEach.call(v, (x, k) => pairs.push([show(k), show(x)])); return { kind: "map", pairs, rows: properties(v, () => false) }; }
      if (v instanceof Set) { const items = []; Set.prototype.forEach.call(v, (x) => items.push(show(x))); return { kind: "set", items, rows: properties(v, () => false) }; }
      if (ArrayBuffer.isView(v) && !(v instanceof DataView)) return { kind: "array", items: Array.from(v, show), rows: [] };
      if (v instanceof Date) return { kind: "content", items: [show(Date.prototype.getTime.call(v))], rows: properties(v, () => false) };
      if (v instanceof RegExp) return { kind: "content", items: [show(RegExp.prototype.toString.call(v))], rows: properties(v, () => false) };
      if (v instanceof Error) return { kind: "object", rows: properties(v, (key) => key === "stack") };
      for (const kind of [Promise, WeakMap, WeakSet, WeakRef]) if (v instanceof kind) return { kind: "opaque", rows: [] };
      if (/Iterator|Generator/.test(Object.prototype.toString.call(v))) return { kind: "opaque", rows: [] };
      return { kind: "object", rows: properties(v, () => false) };
    }
    return JSON.stringify({ values: values.map(show), objects });
  };
}

// ------------------------------------------------------------ the worker
function steer() {
  const { Session } = require("node:inspector");
  const session = new Session();
  session.connectToMainThread();
  const post = (method, params = {}) => new Promise((done) => session.post(method, params, (error, result) => done(error ? { error } : result)));
  let script = "", places = new Map(), sites = [], stops = [], isFull = false, breakpoints = [], describe = "";
  session.on("Debugger.scriptParsed", ({ params }) => { if (params.url.endsWith("/program.js")) script = params.scriptId; });
  const key = ({ lineNumber, columnNumber }) => lineNumber + ":" + columnNumber;

  async function prepare(frame) {
    const read = (expression, byValue) => post("Debugger.evaluateOnCallFrame", { callFrameId: frame.callFrameId, expression, returnByValue: byValue });
    sites = JSON.parse((await read("globalThis.inspected.sites", true)).result.value);
    describe = (await read("globalThis.inspected.describe", false)).result.objectId;
    places = new Map(); stops = []; isFull = false; breakpoints = [];
    for (const [i, site] of sites.entries()) {
      site.isSeen = false;
      if (site.from === null) continue;
      const start = { scriptId: script, lineNumber: site.from.line - 1, columnNumber: site.from.column };
      const end = { scriptId: script, lineNumber: site.to.line - 1, columnNumber: site.to.column };
      const { locations } = await post("Debugger.getPossibleBreakpoints", { start, end, restrictToFunction: true });
      const first = (locations || [])[0];
      if (first === undefined) continue;
      if (places.has(key(first))) { sites[places.get(key(first))].isSeen = false; continue; }
      places.set(key(first), i);
      const made = await post("Debugger.setBreakpoint", { location: first });
      if (made.error) continue;
      breakpoints.push(made.breakpointId);
      site.isSeen = key(made.actualLocation) === key(first);
    }
  }
  async function read(frames) {
    const frame = frames[0], site = places.get(key(frame.location));
    if (site === undefined) return;
    const names = [], values = [], where = [], begin = frame.functionLocation;
    for (const scope of frame.scopeChain) {
      if (scope.type === "global" || scope.type === "script") continue;
      const at = scope.startLocation, isOwn = at && (at.lineNumber > begin.lineNumber || (at.lineNumber === begin.lineNumber && at.columnNumber >= begin.columnNumber));
      const isModule = !at || at.lineNumber < 0;
      const { result } = await post("Runtime.getProperties", { objectId: scope.object.objectId, ownProperties: true });
      for (const { name, value } of result) {
        if (names.includes(name) || value === undefined || sites[site].without.includes(name)) continue;
        names.push(name);
        where.push(isOwn ? "own" : isModule ? "module" : "outer");
        values.push(value);
      }
    }
    names.push("this"); where.push("own"); values.push(frame.this);
    const argument = (v) => (v.objectId ? { objectId: v.objectId } : v.unserializableValue ? { unserializableValue: v.unserializableValue } : { value: v.value });
    const { result } = await post("Runtime.callFunctionOn", { objectId: describe, functionDeclaration: "function (...values) { return this(...values); }", arguments: values.map(argument), returnByValue: true });
    stops.push({ site, depth: frames.filter((f) => f.location.scriptId === script).length, names, where, ...JSON.parse(result.value) });
  }
  session.on("Debugger.paused", async ({ params }) => {
    const frames = params.callFrames;
    if (frames[0].location.scriptId !== script) await prepare(frames[0]);
    else if (!isFull) await read(frames);
    if (stops.length >= MAX_STOPS && !isFull) { isFull = true; for (const breakpointId of breakpoints) await post("Debugger.removeBreakpoint", { breakpointId }); }
    session.post("Debugger.resume");
  });
  parentPort.on("message", async () => {
    for (const breakpointId of breakpoints) await post("Debugger.removeBreakpoint", { breakpointId });
    parentPort.postMessage({ sites: sites.map((site) => [site.line, site.isSeen]), stops, is_full: isFull });
  });
  post("Debugger.enable").then(() => parentPort.postMessage("ready"));
}
