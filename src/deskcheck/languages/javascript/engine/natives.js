// Built-ins as they are before the program runs, which can change every one of them: deskcheckNatives.
//
// The recorder uses these alone and looks none up again: own methods on its maps, typed arrays for columns, arrays
// without a prototype. Native objects have names, because their insides are not recorded.
(function () {
  "use strict";
  const apply = Reflect.apply, ownKeys = Reflect.ownKeys, descriptorOf = Reflect.getOwnPropertyDescriptor, protoOf = Reflect.getPrototypeOf, setProto = Reflect.setPrototypeOf, define = Reflect.defineProperty;
  const isArray = Array.isArray, isView = ArrayBuffer.isView, isInteger = Number.isSafeInteger, String_ = String, Range = RangeError;
  const hasOwn_ = Object.prototype.hasOwnProperty, hasOwn = (o, k) => apply(hasOwn_, o, [k]);
  const slice_ = Array.prototype.slice, charCode_ = String.prototype.charCodeAt, startsWith_ = String.prototype.startsWith, indexOf_ = String.prototype.indexOf, sub_ = String.prototype.slice, toHex_ = BigInt.prototype.toString, describe_ = Symbol.prototype.toString, source_ = Function.prototype.toString;
  const getter = (proto, name) => { const d = descriptorOf(proto, name); return d && d.get; };
  const mapEach = Map.prototype.forEach, setEach = Set.prototype.forEach, mapSize = getter(Map.prototype, "size"), setSize = getter(Set.prototype, "size"), dateValue = Date.prototype.getTime;
  const TypedProto = protoOf(Uint8Array.prototype), typedLength = getter(TypedProto, "length"), typedBuffer = getter(TypedProto, "buffer"), typedTag = getter(TypedProto, Symbol.toStringTag), bufferLength = getter(ArrayBuffer.prototype, "byteLength");
  const Bytes = Uint8Array, Ints = Int32Array, Reals = Float64Array;
  const regSource = getter(RegExp.prototype, "source"), regFlags = [["d", "hasIndices"], ["g", "global"], ["i", "ignoreCase"], ["m", "multiline"], ["s", "dotAll"], ["u", "unicode"], ["v", "unicodeSets"], ["y", "sticky"]].map(([c, n]) => [c, getter(RegExp.prototype, n)]).filter(([, g]) => g);
  setProto(regFlags, null);
  const bufferSlice = ArrayBuffer.prototype.slice, setTyped = TypedProto.set;
  const boxes = new Map([[Number.prototype, Number.prototype.valueOf], [String.prototype, String.prototype.valueOf], [Boolean.prototype, Boolean.prototype.valueOf], [BigInt.prototype, BigInt.prototype.valueOf], [Symbol.prototype, Symbol.prototype.valueOf]]);
  const weakDeref = WeakRef.prototype.deref, Weak = WeakRef;

  // Maps with methods of their own, so that a patched prototype changes nothing.
  const { get: mGet, set: mSet, has: mHas, delete: mDelete } = Map.prototype, { get: wGet, set: wSet, has: wHas } = WeakMap.prototype;
  const table = (() => { const M = Map; return () => { const m = new M(); m.get = mGet; m.set = mSet; m.delete = mDelete; m.has = mHas; return m; }; })();
  const weak = (() => { const M = WeakMap; return () => { const m = new M(); m.get = wGet; m.set = wSet; m.has = wHas; return m; }; })();
  const list = () => { const a = []; setProto(a, null); return a; };

  // Native objects by name, known before the program runs; their insides are not recorded.
  const natives = weak(), prototypes = weak(), nativeFunctions = weak();
  function nameNatives(root, path, deep) {
    for (const key of ownKeys(root)) {
      const d = descriptorOf(root, key);
      if (!d || !hasOwn(d, "value")) { for (const f of d ? [d.get, d.set] : []) if (f) nativeFunctions.set(f, String_(key)); continue; }
      const v = d.value, name = (path ? path + "." : "") + (typeof key === "symbol" ? `[${key.description}]` : key);
      if ((typeof v !== "object" && typeof v !== "function") || v === null || natives.has(v) || nativeFunctions.has(v)) continue;
      if (typeof v === "function") nativeFunctions.set(v, name); else natives.set(v, name);
      if (deep > 0) nameNatives(v, name, deep - 1);
    }
  }
  natives.set(globalThis, "globalThis");
  nameNatives(globalThis, "", 3);
  // Built-in prototypes and the kinds of their objects.
  const K = { LIST: 0, DICT: 2, SET: 3, RECORD: 5, ITERATOR: 6, FUNCTION: 7, CLASS: 8, GENERATOR: 10, ARRAY: 11, OPAQUE: 13 };
  function genProto(f) { return protoOf(f.prototype); }
  const known = [
    [Object.prototype, "plain", "Object"], [Array.prototype, "array", "Array"], [Map.prototype, "map", "Map"], [Set.prototype, "set", "Set"], [Date.prototype, "date", "Date"], [RegExp.prototype, "regexp", "RegExp"], [Error.prototype, "error", "Error"],
    [TypedProto, "typed", "TypedArray"], [ArrayBuffer.prototype, "buffer", "ArrayBuffer"], [Promise.prototype, "opaque", "Promise"], [WeakMap.prototype, "opaque", "WeakMap"], [WeakSet.prototype, "opaque", "WeakSet"], [WeakRef.prototype, "opaque", "WeakRef"], [DataView.prototype, "opaque", "DataView"],
    [genProto(function* () {}), "generator", "Generator"], [genProto(async function* () {}), "generator", "AsyncGenerator"],
    [protoOf([][Symbol.iterator]()), "opaque", "Array Iterator"], [protoOf(new Map()[Symbol.iterator]()), "opaque", "Map Iterator"], [protoOf(new Set()[Symbol.iterator]()), "opaque", "Set Iterator"], [protoOf(""[Symbol.iterator]()), "opaque", "String Iterator"], [protoOf("".matchAll(/a/g)), "opaque", "RegExp String Iterator"],
  ];
  for (const [proto, kind, name] of known) prototypes.set(proto, { kind, name, typed: null, valueOf: null });
  for (const [proto, valueOf] of boxes) prototypes.set(proto, { kind: "box", name: "", typed: null, valueOf });
  const known_ = prototypes;
  globalThis.deskcheckNatives = { apply, ownKeys, descriptorOf, protoOf, setProto, isArray, isView, isInteger, Range, hasOwn_, hasOwn, slice_, charCode_, startsWith_, indexOf_, sub_, define, toHex_, describe_, source_, mapEach, setEach, mapSize, setSize, dateValue, typedLength, typedBuffer, typedTag, bufferLength, Bytes, Ints, Reals, regSource, regFlags, bufferSlice, setTyped, weakDeref, Weak, table, weak, list, natives, nativeFunctions, K, known_, nameNatives };
})();
