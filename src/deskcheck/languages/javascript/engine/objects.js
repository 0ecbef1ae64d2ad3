// Objects with identity: their number, kind and type, found when a value leads to them.

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
