// Record the run of one instrumented program: deskcheckRecorder(options, info) -> {hooks, start, end, columns, ..}.
//
// These files are one function, joined by `worker.py` in this order: recorder, columns, values, objects, compare, marks,
// variables, hooks. It lives in the realm of the program. No getter, setter, trap or method of the program is called:
// properties are read by descriptor, and proxies are not looked into.
const {
  apply, ownKeys, descriptorOf, protoOf, setProto, isArray, isView, isInteger, Range, hasOwn_, hasOwn,
  slice_, charCode_, startsWith_, indexOf_, sub_, define, toHex_, describe_, source_, mapEach, setEach, mapSize, setSize, dateValue,
  typedLength, typedBuffer, typedTag, bufferLength, Bytes, Ints, Reals, regSource, regFlags, bufferSlice, setTyped,
  weakDeref, Weak, table, weak, list, natives, nativeFunctions, K, known_, nameNatives,
} = globalThis.deskcheckNatives;
for (const [name, module] of options.modules) { if (typeof module === "function") nativeFunctions.set(module, name); else if (!natives.has(module)) natives.set(module, name); nameNatives(module, name, 2); }
const NONE = { none: true }, U = { unassigned: true };
const { sites, groups, codes, spans, spoken } = info, { maxSteps, traceBytes, valueBytes, maxNodes } = options;
const weird = options.weird, full = options.full, isFine = options.expressions;
setProto(sites, null); setProto(groups, null); setProto(codes, null);
setProto(spans, null); setProto(spoken, null);
for (let i = 0; i < spoken.length; i++) setProto(spoken[i], null);
for (let i = 0; i < sites.length; i++) setProto(sites[i], null);
for (let i = 0; i < spans.length; i++) setProto(spans[i], null);
for (let i = 0; i < groups.length; i++) { setProto(groups[i], null); groups[i].id = i; }
for (let i = 0; i < codes.length; i++) { const c = codes[i]; setProto(c, null); setProto(c.slots, null); for (let k = 0; k < c.slots.length; k++) setProto(c.slots[k], null); c.blank = list(); for (let k = 0; k < c.slots.length; k++) c.blank[k] = NONE; c.used = -1; c.number = i; }
let on = false, stopped = null, steps = 0, cur = null, depth = 0, bytes = 0;
const STOP = { stop: true };
setProto(STOP, null);
