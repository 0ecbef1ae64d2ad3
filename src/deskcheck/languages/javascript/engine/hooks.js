// What the probes call, by the letters of `instrument.js`, and what the run gives at its end.

function stop(outcome) { stopped = outcome; on = false; throw STOP; }
function check() { if (stopped !== null) throw STOP; if (bytes > traceBytes) stop("trace"); }
function enter(f) {
  if (f.suspended) resume(f, -1);
  cur = f;
}
function resume(f, value) {
  f.suspended = false;
  f.resumer = cur;
  cur = f;
  depth++;
  event(RESUME, f, f.line, value);
}
class Frame {
  constructor(id, code, lex) { this.id = id; this.code = code; this.lex = lex; this.resumer = cur; this.line = code.line; this.last = apply(slice_, code.blank, []); this.group = EMPTY; this.suspended = false; this.ended = false; this.shared = null; this.returned = -1; this.raised = NONE; this.unwinds = false; this.loops = null; this.off = false; }
}
class Off { constructor(code, lex) { this.off = true; this.code = code; this.lex = lex; this.shared = null; this.last = null; this.ended = false; } }
setProto(Frame.prototype, null);
setProto(Off.prototype, null);
let nCodes = 0, first = null;
function begin(number, lex, values) {
  const code = codes[number];
  if (!on) return new Off(code, lex);
  if (depth > options.maxCalls) throw new Range("Maximum call stack size exceeded");
  depth++;  // first: what the caller's call has in hand stays marked
  flush();
  if (code.used < 0) code.used = nCodes++;
  frCode.push(code.used); frParent.push(cur === null ? -1 : cur.id);
  const f = new Frame(frCode.n - 1, code, lex);
  if (first === null) first = f;
  cur = f;
  if (code.entry >= 0) variables(f, groups[sites[code.entry][1]], values, 0);
  event(CALL, f, code.line, -1);
  check();
  return f;
}
function E(number, lex, ...values) { if (stopped !== null) throw STOP; return begin(number, lex, values); }
function P(f, number, ...values) {
  if (f.off || !on) { if (stopped !== null) throw STOP; return; }
  if (steps >= maxSteps) stop("steps");
  if (cur !== f || f.suspended) enter(f);
  if (dirty.length !== 0 || isAll || full) flush();
  const site = sites[number];
  steps++;
  f.line = site[0];
  if (f.loops !== null && f.loops.length > site[2]) unloop(f, site[2]);
  variables(f, groups[site[1]], values, 0);
  event(LINE, f, site[0], -1);
  if (bytes > traceBytes) stop("trace");
}
function V(f, local, result, v) {
  if (!f.off && on && !same(f.last[local], v)) {
    if (cur !== f || f.suspended) enter(f);
    bind(f, local, v);
    born();
  }
  return result;
}
// The value of an expression. What the statement has in hand stays marked, as at the beginning of a call.
function J(f, number, v) {
  if (f.off || !on) { if (stopped !== null) throw STOP; return v; }
  if (cur !== f || f.suspended) enter(f);
  if (dirty.length !== 0 || isAll || full) {
    const wasAll = isAll;
    depth++;
    flush();
    depth--;
    isAll = wasAll;
  }
  const h = encode(v), span = spans[number];
  born();
  event(EXPRESSION, f, span[0], h);
  const at = evColumn.n - 1;
  evColumn.a[at] = span[1]; evEndLine.a[at] = span[2]; evEndColumn.a[at] = span[3];
  if (bytes > traceBytes) stop("trace");
  return v;
}
function R(f, v, number, ...values) {
  if (!f.off && on) {
    if (cur !== f || f.suspended) enter(f);
    flush();
    variables(f, groups[sites[number][1]], values, 0);
    f.returned = encode(v);
    born();
    f.raised = NONE;
  }
  return v;
}
// V8 names the text of a call in some messages: probes in it become what the program has written.
function respelled(f, e) {
  if (typeof e !== "object" || e === null || proxies.has(e)) return;
  const d = descriptorOf(e, "message"), prefix = options.prefix;
  if (d === undefined || typeof d.value !== "string") return;
  const at = apply(indexOf_, d.value, [prefix]);
  if (at < 0) return;
  const after = apply(sub_, d.value, [at + prefix.length + 1]);
  const rest = apply(startsWith_, after, ["(...)"]) ? apply(sub_, after, [5]) : after;
  let text = null, isNear = false;
  for (let i = 0; i < spoken.length; i++) {
    const row = spoken[i], near = row[1] === f.line;
    if (row[0] !== f.code.number || row[2] !== rest || (isNear && !near)) continue;
    text = text === null || text === row[3] || (near && !isNear) ? row[3] : "(intermediate value)" + rest;
    isNear = near;
  }
  d.value = apply(sub_, d.value, [0, at]) + (text === null ? "(intermediate value)" + rest : text);
  define(e, "message", d);
}
function T(f, e) {
  if (stopped !== null) throw STOP;
  respelled(f, e);
  if (f.off || !on) return e;
  if (cur !== f || f.suspended) enter(f);
  if (f.raised === e) return e;
  f.raised = e;
  flush();
  const h = encode(e);
  born();
  event(RAISE, f, f.line, h);
  return e;
}
function Q(f, e) { T(f, e); if (!f.off) f.unwinds = true; return e; }
function C(f, e) {
  if (stopped !== null) throw STOP;
  if (f.off || !on) return;
  T(f, e);
  event(CATCH, f, f.line, encode(e));
  f.raised = NONE;
  check();
}
function X(f) {
  if (f.off || !on) return;
  if (cur !== f || f.suspended) enter(f);
  flush();
  if (f.unwinds) event(UNWIND, f, f.line, -1);
  else event(RETURN, f, f.line, f.returned < 0 ? encode(undefined) : f.returned);
  f.ended = true;
  cur = f.resumer;
  depth--;
}
function Y(f, v) {
  if (f.off || !on) { if (stopped !== null) throw STOP; return v; }
  if (cur !== f || f.suspended) enter(f);
  flush();
  const h = encode(v);
  born();
  event(YIELD, f, f.line, h);
  f.suspended = true;
  cur = f.resumer;
  depth--;
  return v;
}
function Z(f, v) {
  if (stopped !== null) throw STOP;
  if (f.off || !on) return v;
  const isBack = f.suspended;
  if (isBack) depth++;  // first, as at the beginning of a call
  flush();
  const h = encode(v);
  born();
  if (isBack) { depth--; resume(f, h); } else cur = f;
  return v;
}
// Loops over values: an iterator object with its source and the number of values taken so far.
const hSource = () => stringHandle("source"), hPosition = () => stringHandle("position");
function O(f, at, kind, source) {
  if (f.off || !on) return source;
  if (cur !== f || f.suspended) enter(f);
  flush();
  if (f.loops === null) f.loops = list();
  unloop(f, at);
  const h = object(K.ITERATOR, kind === 1 ? "for-in" : kind === 2 ? "for-await" : "for-of", ""), id = obKind.n - 1;
  all[all.length] = { h: -1, id, family: "opaque", weak: null };
  change(ATTRIBUTE, id, hSource(), -1, SET, encode(source));
  change(ATTRIBUTE, id, hPosition(), -1, SET, numberHandle(0));
  f.loops[at] = { id, n: 0 };
  change(ITER, f.id, -1, at, INSERT, h);
  born();
  return kind === 2 ? awaiting(f, source) : source;
}
function unloop(f, at) { for (let k = f.loops.length; k > at; k--) change(ITER, f.id, -1, k - 1, DELETE, -1); f.loops.length = f.loops.length > at ? at : f.loops.length; }
function N(f, at) {
  if (f.off || !on) { if (stopped !== null) throw STOP; return; }
  if (cur !== f || f.suspended) enter(f);
  if (f.loops !== null && f.loops.length > at + 1) unloop(f, at + 1);
  const loop = f.loops[at];
  loop.n++;
  change(ATTRIBUTE, loop.id, hPosition(), -1, SET, numberHandle(loop.n));
  check();
}
const asyncKey = Symbol.asyncIterator, syncKey = Symbol.iterator;
function awaiting(f, source) {  // every wait of `for await` is a suspension
  const method = source[asyncKey], isAsync = method !== undefined && method !== null;
  const inner = apply(isAsync ? method : source[syncKey], source, []), next = inner.next;
  const outer = {
    next(v) { const result = apply(next, inner, [v]); Y(f, result); return result; },
    return(v) { const end = inner.return; return end === undefined ? (isAsync ? Promise.resolve({ value: v, done: true }) : { value: v, done: true }) : apply(end, inner, [v]); },
  };
  return { [isAsync ? asyncKey : syncKey]: () => outer };
}
const D = (m) => (m !== null && typeof m === "object" && "default" in m ? m.default : m);
let isCall = false;
function B() { on = true; cur = null; depth = 0; }
function G(f) { return f(); }

function typed(c) { return apply(bufferSlice, apply(typedBuffer, c.a, []), [0, c.n * (c.C === Bytes ? 1 : c.C === Ints ? 4 : 8)]); }
return {
  hooks: [P, E, X, R, T, Q, C, Y, Z, O, N, W, F, U, B, D, G, V, J],
  STOP,
  start() { on = true; cur = null; },
  isStopped: () => stopped,
  steps: () => steps,
  events: () => evKind.n,
  // After the run: the handle of its result, the changes that nothing explained, the columns.
  end(v) { if (on) flush(); const was = on; on = true; const h = encode(v); born(); on = was; return h; },
  returned: () => (first === null ? -1 : first.returned),
  missed() { const before = chPlace.n; if (on) compareAll(); return chPlace.n - before; },
  off() { on = false; },
  wasCut: () => wasCut,
  typeName: (v) => (typeof v === "object" && v !== null ? typeName(v) : typeof v),
  ownValue: (v, key) => ((typeof v === "object" && v !== null) || typeof v === "function" ? ownValue(v, key) : undefined),
  columns() {
    return {
      "events.kind": typed(evKind), "events.frame": typed(evFrame), "events.line": typed(evLine), "events.value": typed(evValue), "events.changes_end": typed(evEnd), "events.step": typed(evStep),
      "events.end_line": typed(evEndLine), "events.column": typed(evColumn), "events.end_column": typed(evEndColumn),
      "changes.place": typed(chPlace), "changes.owner": typed(chOwner), "changes.key": typed(chKey), "changes.index": typed(chIndex), "changes.op": typed(chOp), "changes.value": typed(chValue),
      "values.kind": typed(vaKind), "values.low": typed(vaLow), "values.high": typed(vaHigh), "values.real": typed(vaReal), "values.type": typed(vaType), "values.at": typed(vaAt), "values.data.bytes": typed(data),
      "objects.kind": typed(obKind), "objects.type": typed(obType), "objects.text": typed(obText), "frames.code": typed(frCode), "frames.parent": typed(frParent),
    };
  },
  names: () => names,
  codes: () => { const out = list(); for (let i = 0; i < codes.length; i++) if (codes[i].used >= 0) out[codes[i].used] = [codes[i].name, codes[i].line, codes[i].kind]; return out; },
};
