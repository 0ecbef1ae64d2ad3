// Record the run of one instrumented program: deskcheckRecorder(options) -> {hooks, start, finish, ..}.
//
// It lives in the realm of the program, which can change every built-in. So everything that the recorder uses is
// taken here, before the program runs, and is never looked up again: own methods on its maps, typed arrays for
// columns, arrays without a prototype. No getter, setter, trap or method of the program is called: properties
// are read by descriptor, and proxies are not looked into.
(function () {
  "use strict";
  const apply = Reflect.apply, ownKeys = Reflect.ownKeys, descriptorOf = Reflect.getOwnPropertyDescriptor, protoOf = Reflect.getPrototypeOf, setProto = Reflect.setPrototypeOf, define = Reflect.defineProperty;
  const isArray = Array.isArray, isView = ArrayBuffer.isView, is = Object.is, isInteger = Number.isSafeInteger, String_ = String, Range = RangeError, TypeErr = TypeError, Symbol_ = Symbol;
  const call = (f, self, ...args) => apply(f, self, args);
  const hasOwn_ = Object.prototype.hasOwnProperty, hasOwn = (o, k) => apply(hasOwn_, o, [k]);
  const slice_ = Array.prototype.slice, charCode_ = String.prototype.charCodeAt, startsWith_ = String.prototype.startsWith, sub_ = String.prototype.slice, toHex_ = BigInt.prototype.toString, describe_ = Symbol.prototype.toString, source_ = Function.prototype.toString;
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

  globalThis.deskcheckRecorder = function (options, info) {
    for (const [name, module] of options.modules) { if (typeof module === "function") nativeFunctions.set(module, name); else if (!natives.has(module)) natives.set(module, name); nameNatives(module, name, 2); }
    const NONE = { none: true }, U = { unassigned: true };
    const { sites, groups, codes } = info, { maxSteps, traceBytes, valueBytes, maxDepth, maxNodes } = options;
    const weird = options.weird, full = options.full;
    setProto(sites, null); setProto(groups, null); setProto(codes, null);
    for (let i = 0; i < sites.length; i++) setProto(sites[i], null);
    for (let i = 0; i < groups.length; i++) { setProto(groups[i], null); groups[i].id = i; }
    for (let i = 0; i < codes.length; i++) { const c = codes[i]; setProto(c, null); setProto(c.slots, null); for (let k = 0; k < c.slots.length; k++) setProto(c.slots[k], null); c.blank = list(); for (let k = 0; k < c.slots.length; k++) c.blank[k] = NONE; c.used = -1; }
    let on = false, stopped = null, steps = 0, cur = null, depth = 0, bytes = 0;
    const STOP = { stop: true };
    setProto(STOP, null);

    // ------------------------------------------------------------ columns and tables
    class Column {
      constructor(C) { this.C = C; this.a = new C(1024); this.room = 1024; this.n = 0; }
      push(v) {
        if (this.n === this.room) { this.room *= 2; const more = new this.C(this.room); apply(setTyped, more, [this.a]); this.a = more; }
        this.a[this.n++] = v;
      }
    }
    setProto(Column.prototype, null);  // else an assignment to a field could meet a setter of the program
    const evKind = new Column(Bytes), evFrame = new Column(Ints), evLine = new Column(Ints), evValue = new Column(Ints), evEnd = new Column(Ints), evStep = new Column(Ints);
    const chPlace = new Column(Bytes), chOwner = new Column(Ints), chKey = new Column(Ints), chIndex = new Column(Ints), chOp = new Column(Bytes), chValue = new Column(Ints);
    const vaKind = new Column(Bytes), vaLow = new Column(Ints), vaHigh = new Column(Ints), vaReal = new Column(Reals), vaType = new Column(Ints), vaAt = new Column(Ints), data = new Column(Bytes);
    const obKind = new Column(Bytes), obType = new Column(Ints), obText = new Column(Ints), frCode = new Column(Ints), frParent = new Column(Ints);
    const names = list(), nameNumbers = table();
    function nameOf(text) { let n = nameNumbers.get(text); if (n === undefined) { n = names.length; names[n] = text; nameNumbers.set(text, n); } return n; }
    nameOf("");
    vaAt.push(0);
    const CALL = 0, LINE = 1, RETURN = 4, RAISE = 5, UNWIND = 6, YIELD = 7, RESUME = 8, CATCH = 9;
    const LOCAL = 0, GLOBAL = 3, ITER = 4, ELEMENT = 6, KEY = 7, MEMBER = 8, ATTRIBUTE = 9, CONTENT = 10, SET = 0, DELETE = 1, INSERT = 2;
    function event(kind, f, line, value) {
      evKind.push(kind); evFrame.push(f.id); evLine.push(line); evValue.push(value); evEnd.push(chPlace.n); evStep.push(steps);
      bytes += 25;
    }
    function change(place, owner, key, index, op, value) {
      chPlace.push(place); chOwner.push(owner); chKey.push(key); chIndex.push(index); chOp.push(op); chValue.push(value);
      bytes += 18;
    }
    const tUndefined = nameOf("undefined"), tNull = nameOf("null"), tBool = nameOf("boolean"), tNumber = nameOf("number"), tString = nameOf("string"), tBig = nameOf("bigint"), tObject = nameOf("object");
    function row(kind, low, high, real, type) {
      vaKind.push(kind); vaLow.push(low); vaHigh.push(high); vaReal.push(real); vaType.push(type); vaAt.push(data.n);
      bytes += 29;
      return vaKind.n - 1;
    }
    function utf8(text, from = 0) {
      const n = text.length;
      for (let i = from; i < n; i++) {
        let c = apply(charCode_, text, [i]);
        if (c < 0x80) { data.push(c); continue; }
        if (c < 0x800) { data.push(0xc0 | (c >> 6)); data.push(0x80 | (c & 63)); continue; }
        if (c >= 0xd800 && c < 0xdc00 && i + 1 < n) {
          const d = apply(charCode_, text, [i + 1]);
          if (d >= 0xdc00 && d < 0xe000) {
            c = 0x10000 + ((c - 0xd800) << 10) + (d - 0xdc00); i++;
            data.push(0xf0 | (c >> 18)); data.push(0x80 | ((c >> 12) & 63)); data.push(0x80 | ((c >> 6) & 63)); data.push(0x80 | (c & 63));
            continue;
          }
        }
        data.push(0xe0 | (c >> 12)); data.push(0x80 | ((c >> 6) & 63)); data.push(0x80 | (c & 63));
      }
      bytes += n;
    }
    function texted(kind, number, text, type, from = 0) { utf8(text, from); return row(kind, number, 0, 0, type); }

    // ------------------------------------------------------------ values
    const numbers = table(), strings = table(), bigs = table();
    let hUndefined = -1, hNull = -1, hTrue = -1, hFalse = -1, hMinusZero = -1, hUnassigned = -1, hHole = -1, hNodes = -1, hAccessor = table(), wasCut = false;
    function stringHandle(text) {
      let h = strings.get(text);
      if (h !== undefined) return h;
      if (text.length > valueBytes) { wasCut = true; h = texted(9, text.length, "str", tString); }
      else h = texted(5, 0, text, tString);
      strings.set(text, h);
      return h;
    }
    // A string that continues the one before it at the same place stores only its end.
    function grown(text, before) {
      if (typeof before !== "string" || before.length < 24 || text.length <= before.length || text.length > valueBytes || !apply(startsWith_, text, [before])) return stringHandle(text);
      let h = strings.get(text);
      if (h !== undefined) return h;
      const base = strings.get(before), last = apply(charCode_, before, [before.length - 1]);
      if (base === undefined || (last >= 0xd800 && last < 0xdc00)) return stringHandle(text);
      h = texted(11, base, text, tString, before.length);
      strings.set(text, h);
      return h;
    }
    function numberHandle(v) {
      if (v === 0 && 1 / v < 0) { if (hMinusZero < 0) hMinusZero = row(3, 0, 0, -0, tNumber); return hMinusZero; }
      let h = numbers.get(v);
      if (h !== undefined) return h;
      if (isInteger(v)) { const high = v >= 0 ? (v / 4294967296) | 0 : -1 - ((-1 - v) / 4294967296 | 0); h = row(2, v | 0, high, 0, tNumber); }
      else h = row(3, 0, 0, v, tNumber);
      numbers.set(v, h);
      return h;
    }
    function encode(v, before) {
      switch (typeof v) {
        case "number": return numberHandle(v);
        case "string": return before === undefined ? stringHandle(v) : grown(v, before);
        case "boolean": if (v) return hTrue < 0 ? (hTrue = row(1, 1, 0, 0, tBool)) : hTrue; return hFalse < 0 ? (hFalse = row(1, 0, 0, 0, tBool)) : hFalse;
        case "undefined": return hUndefined < 0 ? (hUndefined = row(15, 0, 0, 0, tUndefined)) : hUndefined;
        case "bigint": {
          let h = bigs.get(v);
          if (h === undefined) {
            const hex = apply(toHex_, v < 0n ? -v : v, [16]);
            if (hex.length > valueBytes) { wasCut = true; h = texted(9, hex.length, "int", tBig); }
            else if (hex.length < 14) { const n = Number(v); h = row(2, n | 0, n >= 0 ? (n / 4294967296) | 0 : -1 - ((-1 - n) / 4294967296 | 0), 0, tBig); }
            else h = texted(2, 0, (v < 0n ? "-0x" : "0x") + hex, tBig);
            bigs.set(v, h);
          }
          return h;
        }
        case "symbol": return symbolHandle(v);
        case "object": if (v === null) return hNull < 0 ? (hNull = row(0, 0, 0, 0, tNull)) : hNull;
      }
      if (v === U) return hUnassigned < 0 ? (hUnassigned = row(12, 0, 0, 0, tUndefined)) : hUnassigned;
      const r = records.get(v);
      return r !== undefined ? r.h : discover(v);
    }
    const symbols = table();
    function symbolHandle(v) {
      let h = symbols.get(v);
      if (h === undefined) { h = object(K.OPAQUE, "symbol", apply(describe_, v, [])); symbols.set(v, h); }
      return h;
    }
    function object(kind, type, text) {
      const id = obKind.n;
      obKind.push(kind); obType.push(nameOf(type)); obText.push(nameOf(text));
      bytes += 9;
      return row(8, id, 0, 0, tObject);
    }

    // ------------------------------------------------------------ objects
    const records = weak(), proxies = options.proxies, births = list(), all = list();
    function prototypeOf(v) { return proxies.has(v) ? null : protoOf(v); }
    function ownValue(o, key) { const d = proxies.has(o) ? undefined : descriptorOf(o, key); return d !== undefined && hasOwn(d, "value") ? d.value : undefined; }
    const typeNames = weak();
    function typeName(v) {
      let first = prototypeOf(v);
      if (first === null) return "Object";
      let name = typeNames.get(first);
      if (name !== undefined) return name;
      name = "Object";
      for (let p = first, n = 0; p !== null && n < 100; p = prototypeOf(p), n++) {
        const maker = ownValue(p, "constructor");
        if (typeof maker === "function" && !proxies.has(maker)) {
          const text = ownValue(maker, "name");
          if (typeof text === "string" && text !== "") { name = text; break; }
          if (nativeFunctions.has(maker)) { name = nativeFunctions.get(maker); break; }
        }
      }
      typeNames.set(first, name);
      return name;
    }
    const PLAIN = { kind: "plain", name: "Object", typed: null, valueOf: null };
    let familyName = "";
    function family(v) {
      familyName = "";
      if (isArray(v)) return "array";
      if (isView(v)) return apply(typedTag, v, []) === undefined ? "opaque" : "typed";
      for (let p = protoOf(v), n = 0; p !== null && n < 100; p = prototypeOf(p), n++) {
        const k = known_.get(p);
        if (k === undefined) continue;
        if (k.kind === "plain") return n === 0 ? "plain" : "record";
        try {
          if (k.kind === "map") apply(mapSize, v, []);
          else if (k.kind === "set") apply(setSize, v, []);
          else if (k.kind === "date") apply(dateValue, v, []);
          else if (k.kind === "regexp") { if (v === p) return "record"; apply(regSource, v, []); }
          else if (k.kind === "buffer") apply(bufferLength, v, []);
          else if (k.kind === "box") apply(k.valueOf, v, []);
          else if (v === p) return "record";
        } catch { return "record"; }
        familyName = k.name;
        return k.kind;
      }
      return "record";
    }
    function functionName(v) { const n = ownValue(v, "name"); return typeof n === "string" ? n : ""; }
    function discover(v) {
      if (all.length >= maxNodes) { wasCut = true; if (hNodes < 0) hNodes = texted(9, maxNodes, "nodes", tObject); return hNodes; }
      const r = { h: -1, id: obKind.n, family: "opaque", elements: null, keys: null, values: null, slotsK: null, slotsV: null, content: NONE, weak: new Weak(v), queued: false, depth: 0, checked: -1, touched: false };
      let kind = K.OPAQUE, type = "", text = "";
      if (proxies.has(v)) { type = "Proxy"; text = "Proxy"; }
      else if (natives.has(v)) { type = "object"; text = natives.get(v); }
      else if (typeof v === "function") {
        if (nativeFunctions.has(v)) { kind = K.FUNCTION; type = "function"; text = nativeFunctions.get(v); }
        else {
          const isClass = apply(startsWith_, apply(source_, v, []), ["class"]);
          kind = isClass ? K.CLASS : K.FUNCTION; type = isClass ? "class" : "function"; text = functionName(v);
          r.family = "function";
        }
      } else {
        r.family = family(v);
        type = typeName(v);
        switch (r.family) {
          case "array": kind = K.LIST; break;
          case "plain": kind = K.DICT; break;
          case "map": kind = K.DICT; break;
          case "set": kind = K.SET; break;
          case "typed": kind = K.ARRAY; break;
          case "buffer": kind = K.ARRAY; break;
          case "generator": kind = K.GENERATOR; type = text = familyName; break;
          case "opaque": kind = K.OPAQUE; text = familyName === "" ? type : familyName; break;
          default: kind = protoOf(v) === null ? K.DICT : K.RECORD;
        }
        if (kind === K.DICT && r.family === "record") r.family = "plain";
      }
      const h = object(kind, type, text);
      r.h = h;
      records.set(v, r);
      all[all.length] = r;
      if (r.family !== "opaque" && r.family !== "generator") births[births.length] = v;
      return h;
    }
    function hole() { return hHole < 0 ? (hHole = row(14, 0, 0, 0, tUndefined)) : hHole; }
    function accessor(d) {
      const text = d.get !== undefined ? (d.set !== undefined ? "[Getter/Setter]" : "[Getter]") : "[Setter]";
      let h = hAccessor.get(text);
      if (h === undefined) { h = texted(10, 0, text, nameOf("accessor")); hAccessor.set(text, h); }
      return h;
    }
    const HIDDEN = { array: ["length"], error: ["stack"], function: ["length", "name", "prototype", "arguments", "caller"], regexp: [], box: ["length"] };
    setProto(HIDDEN, null);
    function isHidden(family, key) {
      const hidden = HIDDEN[family];
      if (hidden !== undefined) for (let i = 0; i < hidden.length; i++) if (hidden[i] === key) return true;
      return false;
    }
    function born() {
      while (births.length > 0) {
        const v = births[births.length - 1];
        births.length -= 1;
        compare(v, records.get(v));
      }
    }
    const HOLE = { hole: true };
    function element(v, i) {
      if (weird) { const d = descriptorOf(v, i); return d === undefined ? HOLE : hasOwn(d, "value") ? d.value : U; }
      const x = v[i];
      return x === undefined && !apply(hasOwn_, v, [i]) ? HOLE : x;
    }
    const same = (a, b) => (a === b ? a !== 0 || 1 / a === 1 / b : a !== a && b !== b);
    function encodeElement(x, before) { return x === HOLE ? hole() : x === U ? accessor({ get: U, set: undefined }) : encode(x, before); }
    function compareElements(v, r, n, read) {
      let s = r.elements;
      if (s === null) s = r.elements = list();
      const m = s.length, id = r.id;
      if (n === m) {
        for (let i = 0; i < n; i++) { const x = read(v, i); if (!same(x, s[i])) { change(ELEMENT, id, -1, i, SET, encodeElement(x, s[i])); s[i] = x; } }
        return;
      }
      if (n > 50_000_000) { wasCut = true; return; }
      if (n < m) {  // removed: in the middle, or at the end
        let p = 0;
        while (p < n && same(read(v, p), s[p])) p++;
        let q = 0;
        while (q < n - p && same(read(v, n - 1 - q), s[m - 1 - q])) q++;
        const from = q === n - p ? p : n;
        for (let k = m - n; k > 0; k--) change(ELEMENT, id, -1, from + k - 1, DELETE, -1);
        if (from + (m - n) < m) for (let i = from; i < n; i++) s[i] = s[i + (m - n)];
        s.length = n;
      } else {
        let p = 0;
        while (p < m && same(read(v, p), s[p])) p++;
        let q = 0;
        while (q < m - p && same(read(v, n - 1 - q), s[m - 1 - q])) q++;
        const from = q === m - p ? p : m, more = n - m;
        if (from < m) for (let i = m - 1; i >= from; i--) s[i + more] = s[i];
        for (let i = from; i < from + more; i++) {
          const x = read(v, i);
          change(ELEMENT, id, -1, i, INSERT, encodeElement(x));
          s[i] = x;
          if (bytes > traceBytes) return;
        }
      }
      for (let i = 0; i < n; i++) { const x = read(v, i); if (!same(x, s[i])) { change(ELEMENT, id, -1, i, SET, encodeElement(x, s[i])); s[i] = x; } }
    }
    const plainRead = (v, i) => v[i];
    // Keys and values as handles, in order: what is gone, what has moved to the end, what is new or different.
    function compareKeyed(r, which, place, keys, values) {
      const oldK = which === 0 ? r.keys : r.slotsK, oldV = which === 0 ? r.values : r.slotsV;
      if (which === 0) { r.keys = keys; r.values = values; } else { r.slotsK = keys; r.slotsV = values; }
      const id = r.id, n = keys.length;
      let m = 0;
      if (oldK !== null && oldK.length > 0) {
        let i = 0;
        while (i < n && i < oldK.length && keys[i] === oldK[i]) i++;
        if (i < oldK.length) {
          const now = table();
          for (let k = i; k < n; k++) now.set(keys[k], true);
          let at = i, isMoved = false;
          for (let k = i; k < oldK.length; k++) {
            if (!isMoved && at < n && oldK[k] === keys[at]) { at++; continue; }
            if (now.has(oldK[k])) isMoved = true;
            change(place, id, oldK[k], -1, DELETE, -1);
          }
          // Those that stayed: compare by key.
          const old = table();
          for (let k = 0; k < oldK.length; k++) old.set(oldK[k], oldV[k]);
          for (let k = 0; k < n; k++) {
            const stays = k < at;
            if (!stays || old.get(keys[k]) !== values[k]) change(place, id, keys[k], -1, SET, values[k]);
          }
          return;
        }
        m = oldK.length;
        for (let k = 0; k < m; k++) if (oldV[k] !== values[k]) change(place, id, keys[k], -1, SET, values[k]);
      }
      for (let k = m; k < n; k++) change(place, id, keys[k], -1, SET, values[k]);
    }
    function compareProperties(v, r, place, which, skip) {
      const own = ownKeys(v), keys = list(), values = list();
      for (let i = skip; i < own.length; i++) {
        const key = own[i];
        if (isHidden(r.family, key)) continue;
        const d = descriptorOf(v, key);
        if (d === undefined) continue;
        const k = keys.length;
        keys[k] = typeof key === "string" ? stringHandle(key) : symbolHandle(key);
        values[k] = hasOwn(d, "value") ? encode(d.value) : accessor(d);
        if (bytes > traceBytes) break;
      }
      if (keys.length > 0 || (which === 0 ? r.keys : r.slotsK) !== null) compareKeyed(r, which, place, keys, values);
    }
    function compareContent(r, x) { if (r.content === NONE || !same(r.content, x)) { r.content = x; change(CONTENT, r.id, -1, -1, SET, encode(x)); } }
    function compare(v, r) {
      switch (r.family) {
        case "array": {
          const n = v.length;
          compareElements(v, r, n, element);
          if (weird || r.slotsK !== null || full) compareArrayProperties(v, r, n);
          else if (r.checked !== n || r.touched) { compareArrayProperties(v, r, n); }
          return;
        }
        case "plain": return compareProperties(v, r, KEY, 0, 0);
        case "record": case "error": case "function": return compareProperties(v, r, ATTRIBUTE, 0, 0);
        case "map": {
          const keys = list(), values = list();
          apply(mapEach, v, [(value, key) => { const k = keys.length; keys[k] = encode(key); values[k] = encode(value); }]);
          compareKeyed(r, 0, KEY, keys, values);
          return compareProperties(v, r, ATTRIBUTE, 1, 0);
        }
        case "set": {
          const keys = list();
          apply(setEach, v, [(value) => { keys[keys.length] = encode(value); }]);
          compareKeyed(r, 0, MEMBER, keys, keys);
          return compareProperties(v, r, ATTRIBUTE, 1, 0);
        }
        case "typed": { const n = apply(typedLength, v, []); return compareElements(v, r, n, plainRead); }
        case "buffer": { const view = new Bytes(v), n = apply(typedLength, view, []); return compareElements(view, r, n, plainRead); }
        case "date": compareContent(r, apply(dateValue, v, [])); return compareProperties(v, r, ATTRIBUTE, 0, 0);
        case "regexp": {
          let flags = "";
          for (let i = 0; i < regFlags.length; i++) if (apply(regFlags[i][1], v, [])) flags += regFlags[i][0];
          compareContent(r, "/" + apply(regSource, v, []) + "/" + flags);
          return compareProperties(v, r, ATTRIBUTE, 0, 0);
        }
        case "box": {
          for (let p = protoOf(v); p !== null; p = prototypeOf(p)) { const k = known_.get(p); if (k !== undefined && k.valueOf !== null) { compareContent(r, apply(k.valueOf, v, [])); break; } }
          const own = typeof r.content === "string" ? r.content.length : 0;
          return compareProperties(v, r, ATTRIBUTE, 0, own);
        }
      }
    }
    // Other properties of an array stand behind its elements among its keys; without any there is "length" alone.
    function compareArrayProperties(v, r, n) {
      r.checked = n;
      const own = ownKeys(v);
      let first = own.length;
      while (first > 0 && own[first - 1] !== "length") first--;
      if (first < own.length || r.slotsK !== null) compareProperties(v, r, ATTRIBUTE, 1, first);
    }

    // ------------------------------------------------------------ what may have changed
    const dirty = list();
    let isAll = false, views = list();
    function W(v) {
      if (on && ((typeof v === "object" && v !== null) || typeof v === "function")) {
        const r = records.get(v);
        if (r !== undefined) { if (!r.queued) { r.queued = true; dirty[dirty.length] = v; r.depth = depth; } else if (depth < r.depth) r.depth = depth; }
      }
      return v;
    }
    function F(v) { isAll = true; return v === undefined ? none : v; }
    const none = [];
    function flush() {
      if (full || isAll) return compareAll();
      if (dirty.length === 0) return;
      // What was marked further out is in the hands of a call that goes on: it stays marked.
      for (let i = 1; i < dirty.length; i++) {  // in the order of their numbers, as when everything is compared
        const v = dirty[i], id = records.get(v).id;
        let k = i - 1;
        for (; k >= 0 && records.get(dirty[k]).id > id; k--) dirty[k + 1] = dirty[k];
        dirty[k + 1] = v;
      }
      let hasView = false, kept = 0;
      for (let i = 0; i < dirty.length; i++) {
        const v = dirty[i], r = records.get(v);
        if (r.depth < depth) dirty[kept++] = v; else r.queued = false;
        if (r.family === "typed" || r.family === "buffer") hasView = true;
        r.touched = true;
        compare(v, r);
      }
      dirty.length = kept;
      if (hasView) for (let i = 0; i < all.length; i++) if (all[i].family === "typed" || all[i].family === "buffer") { const v = apply(weakDeref, all[i].weak, []); if (v !== undefined) compare(v, all[i]); }
      born();
    }
    function compareAll() {
      let kept = 0;
      for (let i = 0; i < dirty.length; i++) { const r = records.get(dirty[i]); if (r.depth < depth) dirty[kept++] = dirty[i]; else r.queued = false; }
      dirty.length = kept;
      isAll = false;
      for (let i = 0; i < all.length; i++) {
        if (all[i].family === "opaque" || all[i].family === "generator") continue;
        const v = apply(weakDeref, all[i].weak, []);
        if (v !== undefined && all[i].h >= 0) { all[i].touched = true; compare(v, all[i]); }
      }
      born();
    }

    // ------------------------------------------------------------ frames and bindings
    const globals = table();
    function bind(f, local, v) {
      const slot = f.code.slots[local], place = slot[2];
      if (place === GLOBAL) {
        const before = globals.has(slot[1]) ? globals.get(slot[1]) : undefined;
        globals.set(slot[1], v);
        f.last[local] = v;
        change(GLOBAL, 0, stringHandle(slot[0]), -1, SET, encode(v, before));
        return;
      }
      const before = f.last[local];
      f.last[local] = v;
      const h = encode(v, before);
      change(place, f.id, stringHandle(slot[0]), -1, SET, h);
      if (slot[4]) share(f, slot, v, h);
    }
    function share(f, slot, v, h) {  // the same variable in the other live frames that see it
      let owner = f;
      while (owner !== null && owner.code !== codes[slot[3]]) owner = owner.lex;
      if (owner === null) return;
      let seen = owner.shared;
      if (seen === null) seen = owner.shared = table();
      let group = seen.get(slot[1]);
      if (group === undefined) { group = list(); seen.set(slot[1], group); }
      let isIn = false;
      for (let i = 0; i < group.length; i++) {
        const g = group[i];
        if (g === f) { isIn = true; continue; }
        if (g.ended) { group[i] = group[group.length - 1]; group.length -= 1; i--; continue; }
        const k = localIn(g, slot[1]);
        if (k >= 0 && g.last[k] !== NONE && !same(g.last[k], v)) {
          g.last[k] = v;
          change(g.code.slots[k][2], g.id, stringHandle(slot[0]), -1, SET, h);
        }
      }
      if (!isIn) group[group.length] = f;
    }
    function localIn(f, id) { const slots = f.code.slots; for (let k = 0; k < slots.length; k++) if (slots[k][1] === id) return k; return -1; }
    const leaving = table();
    function rescope(f, group) {
      const key = f.group.id * 100_000 + group.id;
      let gone = leaving.get(key);
      if (gone === undefined) {
        gone = list();
        const before = f.group, slots = f.code.slots;
        for (let i = 0; i < before.length; i++) {
          let stays = false;
          for (let k = 0; k < group.length; k++) if (group[k] === before[i]) stays = true;
          if (!stays && slots[before[i]][2] !== GLOBAL) gone[gone.length] = before[i];
        }
        leaving.set(key, gone);
      }
      for (let i = 0; i < gone.length; i++) if (f.last[gone[i]] !== NONE) { f.last[gone[i]] = NONE; change(f.code.slots[gone[i]][2], f.id, stringHandle(f.code.slots[gone[i]][0]), -1, DELETE, -1); }
      f.group = group;
    }
    function variables(f, group, values, from) {
      if (group !== f.group) rescope(f, group);
      const last = f.last;
      for (let i = 0; i < group.length; i++) {
        const v = values[i + from], k = group[i], w = last[k];
        if (v === w ? v === 0 && 1 / v !== 1 / w : v === v || w === w) {
          if (f.code.slots[k][2] === GLOBAL) {
            const id = f.code.slots[k][1];
            if (globals.has(id) && same(globals.get(id), v)) { last[k] = v; continue; }
          }
          bind(f, k, v);
        }
      }
      born();
    }
    const EMPTY = list();
    EMPTY.id = 99_999;
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
    let nCodes = 0;
    function begin(number, lex, values) {
      const code = codes[number];
      if (!on) return new Off(code, lex);
      if (depth > options.maxCalls) throw new Range("Maximum call stack size exceeded");
      depth++;  // first: what the caller's call has in hand stays marked
      flush();
      if (code.used < 0) code.used = nCodes++;
      frCode.push(code.used); frParent.push(cur === null ? -1 : cur.id);
      const f = new Frame(frCode.n - 1, code, lex);
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
    function T(f, e) {
      if (stopped !== null) throw STOP;
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
      hooks: [P, E, X, R, T, Q, C, Y, Z, O, N, W, F, U, B, D, G, V],
      STOP,
      start() { on = true; cur = null; },
      isStopped: () => stopped,
      steps: () => steps,
      events: () => evKind.n,
      // After the run: the handle of its result, the changes that nothing explained, the columns.
      end(v) { if (on) flush(); const was = on; on = true; const h = encode(v); born(); on = was; return h; },
      missed() { const before = chPlace.n; if (on) compareAll(); return chPlace.n - before; },
      off() { on = false; },
      wasCut: () => wasCut,
      typeName: (v) => (typeof v === "object" && v !== null ? typeName(v) : typeof v),
      ownValue: (v, key) => ((typeof v === "object" && v !== null) || typeof v === "function" ? ownValue(v, key) : undefined),
      columns() {
        return {
          "events.kind": typed(evKind), "events.frame": typed(evFrame), "events.line": typed(evLine), "events.value": typed(evValue), "events.changes_end": typed(evEnd), "events.step": typed(evStep),
          "changes.place": typed(chPlace), "changes.owner": typed(chOwner), "changes.key": typed(chKey), "changes.index": typed(chIndex), "changes.op": typed(chOp), "changes.value": typed(chValue),
          "values.kind": typed(vaKind), "values.low": typed(vaLow), "values.high": typed(vaHigh), "values.real": typed(vaReal), "values.type": typed(vaType), "values.at": typed(vaAt), "values.data.bytes": typed(data),
          "objects.kind": typed(obKind), "objects.type": typed(obType), "objects.text": typed(obText), "frames.code": typed(frCode), "frames.parent": typed(frParent),
        };
      },
      names: () => names,
      codes: () => { const out = list(); for (let i = 0; i < codes.length; i++) if (codes[i].used >= 0) out[codes[i].used] = [codes[i].name, codes[i].line, codes[i].kind]; return out; },
    };
  };
})();
