// What changed in an object since it was last seen, as changes of the trace. Properties are read by descriptor.

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
// Attributes have texts as names: of a symbol its description, of a long key its beginning, with a number where another key has it.
const attributeNames = table(), takenNames = table();
function attributeHandle(key) {
  let h = attributeNames.get(key);
  if (h !== undefined) return h;
  const whole = typeof key === "string" ? key : "[" + apply(describe_, key, []) + "]";
  const text = whole.length > valueBytes ? apply(sub_, whole, [0, 60]) + ".." : whole;
  let name = text;
  for (let n = 2; takenNames.has(name); n++) name = text + " #" + n;
  takenNames.set(name, true);
  h = stringHandle(name);
  attributeNames.set(key, h);
  return h;
}
function compareProperties(v, r, place, which, skip) {
  const own = ownKeys(v), keys = list(), values = list();
  for (let i = skip; i < own.length; i++) {
    const key = own[i];
    if (isHidden(r.family, key)) continue;
    const d = descriptorOf(v, key);
    if (d === undefined) continue;
    const k = keys.length;
    keys[k] = place === ATTRIBUTE ? attributeHandle(key) : typeof key === "string" ? stringHandle(key) : symbolHandle(key);
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
