// Values, cells and objects of a state as text and as elements. Whatever a program made goes out as text.

const LONG = 240, HEAD = 160, TAIL = 60;
const INLINE = new Set([OBJECT.FUNCTION, OBJECT.CLASS, OBJECT.MODULE, OBJECT.OPAQUE]);
const ATTRIBUTED = new Set([OBJECT.FUNCTION, OBJECT.CLASS]);

/** A long text with its middle left out and counted. */
function shortened(text) {
  if (text.length <= LONG) return text;
  const characters = /[\ud800-\udfff]/.test(text) ? Array.from(text) : { length: text.length, slice: (from, to) => [text.slice(from, to)] };
  if (characters.length <= LONG) return text;
  return `${characters.slice(0, HEAD).join("")} … ${(characters.length - HEAD - TAIL).toLocaleString("en")} more characters … ${characters.slice(-TAIL).join("")}`;
}

class Values {
  constructor(trace, replay) { this.trace = trace; this.replay = replay; this.short = new Map(); }

  /** A scalar, shortened; long ones are remembered. */
  scalar(handle) {
    let text = this.short.get(handle);
    if (text !== undefined) return text;
    text = shortened(this.trace.scalar(handle));
    if (this.trace.valueKind[handle] !== ATOM) { if (this.short.size > 5000) this.short.clear(); this.short.set(handle, text); }
    return text;
  }

  /** The classes and functions that are drawn: their attributes change, or hold objects. Cells of functions are variables. */
  get drawn() {
    if (this.found) return this.found;
    const t = this.trace, born = new Map();
    this.found = new Set();
    for (let c = 0, event = 0; c < t.nChanges; c++) {
      while (event < t.n && t.changesEnd[event] <= c) event++;
      const value = t.newValue[c], held = t.isRef(value) ? t.valueNumber[value] : -1, owner = t.owner[c];
      if (held >= 0 && !born.has(held) && ATTRIBUTED.has(t.objectKind(held))) born.set(held, event);
      if (t.place[c] !== PLACE.ATTRIBUTE || !ATTRIBUTED.has(t.objectKind(owner))) continue;
      const holds = held >= 0 && !INLINE.has(t.objectKind(held)) && t.objectKind(held) !== OBJECT.TUPLE && !this.fixed(held);
      if (t.objectKind(owner) === OBJECT.FUNCTION ? t.body(t.key[c])[0] === "." : holds || event > (born.get(owner) ?? event)) this.found.add(owner);
    }
    return this.found;
  }

  /** What is shown of an object by name and value: of a function its attributes, ".name". */
  entriesOf(object) {
    return object.kind === OBJECT.FUNCTION ? new Map([...object.entries].filter(([key]) => this.trace.body(key)[0] === ".")) : object.entries;
  }

  isInline(number) {
    const t = this.trace, kind = t.objectKind(number);
    if (kind === OBJECT.OPAQUE) return !this.replay.object(number).entries.size;
    return this.fixed(number) !== "" || (INLINE.has(kind) && !this.drawn.has(number)) || (kind === OBJECT.TUPLE && t.objectType(number) === "tuple") || (kind === OBJECT.RECORD && t.objectType(number) === "range");
  }

  /** The summary of an object that never changes ("Colour.RED"), "" where its fields or its type are shown. */
  fixed(number) {
    const t = this.trace, kind = t.objectKind(number), text = t.objectText(number);
    return kind === OBJECT.RECORD || (kind === OBJECT.OPAQUE && text !== t.objectType(number)) ? text : "";
  }

  /** Iterators, generators and the wrappers of caches: one line stands for them, and their inside is asked for. */
  isNoise(number) {
    const kind = this.trace.objectKind(number);
    return kind === OBJECT.ITERATOR || kind === OBJECT.GENERATOR || this.isCache(number);
  }

  isCache(number) { return this.trace.objectType(number).endsWith("_lru_cache_wrapper"); }

  /** Text of a value in its place: scalars as Python writes them, objects by number, tuples and ranges in full. */
  text(handle, depth = 0) {
    const t = this.trace;
    if (handle < 0) return "";
    if (!t.isRef(handle)) return this.scalar(handle);
    const number = t.valueNumber[handle];
    if (!this.isInline(number)) return `#${number}`;
    const kind = t.objectKind(number), fixed = this.fixed(number);
    if (fixed) return shortened(fixed);
    if (INLINE.has(kind)) return shortened(`<${kindName(kind)} ${t.objectText(number) || t.objectType(number)}>`);
    const object = this.replay.object(number);
    if (kind === OBJECT.RECORD) return this.rangeText(object);
    if (depth > 6) return "(…)";
    const items = object.items.slice(0, 60).map((item) => this.text(item, depth + 1));
    if (object.items.length > 60) items.push(`… ${object.items.length - 60} more`);
    return items.length === 1 ? `(${items[0]},)` : `(${items.join(", ")})`;
  }

  rangeText(object) {
    const parts = new Map([...object.entries].map(([key, value]) => [this.trace.body(key), this.text(value)]));
    const start = parts.get("start"), stop = parts.get("stop"), step = parts.get("step");
    return `range(${[start, stop, ...(step === "1" || step === undefined ? [] : [step])].join(", ")})`;
  }

  /** Elements of the same text: numbers of objects are buttons that lead to them. */
  parts(handle) {
    const t = this.trace, text = this.text(handle);
    if (handle < 0) return [];
    if (!t.isRef(handle)) return [h(`span.${t.isString(handle) ? "s" : "n"}`, { title: t.typeOf(handle) }, visible(text))];
    const parts = [];
    if (!this.isInline(t.valueNumber[handle])) return [this.reference(t.valueNumber[handle])];
    if (t.objectKind(t.valueNumber[handle]) !== OBJECT.TUPLE) return [h("span", null, visible(text))];
    let from = 0;
    for (const match of this.references(handle, text)) {
      if (match.index > from) parts.push(h("span", null, visible(text.slice(from, match.index))));
      parts.push(this.reference(match.number));
      from = match.index + match.length;
    }
    if (from < text.length) parts.push(h("span", null, visible(text.slice(from))));
    return parts;
  }

  /** Where the numbers of objects stand in the text of a tuple, never those inside a string. */
  references(handle, text) {
    const found = [];
    const walk = (at, inner, depth) => {
      const piece = this.text(inner, depth);
      if (!this.trace.isRef(inner)) return at + piece.length;
      const number = this.trace.valueNumber[inner];
      if (!this.isInline(number)) { found.push({ index: at, length: piece.length, number }); return at + piece.length; }
      if (this.trace.objectKind(number) === OBJECT.TUPLE && depth <= 6) {
        let place = at + 1;
        for (const item of this.replay.object(number).items.slice(0, 60)) place = walk(place, item, depth + 1) + 2;
      }
      return at + piece.length;
    };
    walk(0, handle, 0);
    return found;
  }

  reference(number) {
    return h("span.ref", { "data-ref": number, text: `#${number}` });
  }

  /** What an object holds, in a few characters: a hint beside its number. */
  preview(number, room = 44, depth = 0) {
    const t = this.trace, kind = t.objectKind(number), object = this.replay.object(number), type = t.objectType(number);
    const inner = (handle) => {
      if (!t.isRef(handle)) { const text = this.scalar(handle); return text.length > 24 ? `${text.slice(0, 22)}…` : text; }
      const below = t.valueNumber[handle];
      return this.isInline(below) || depth > 0 ? this.text(handle, 3) : this.preview(below, 16, depth + 1);
    };
    const some = (parts) => {
      const shown = [];
      let left = room;
      for (const part of parts) { if ((left -= part().length + 2) < 0 && shown.length) { shown.push("…"); break; } shown.push(part()); }
      return shown.join(", ");
    };
    const items = () => some(object.items.slice(0, 40).map((item) => () => inner(item)));
    const pairs = (join) => some([...this.entriesOf(object)].slice(0, 40).map(([key, value]) => () => join(key, value)));
    if (kind === OBJECT.LIST || kind === OBJECT.ARRAY || kind === OBJECT.TUPLE) return `${plain(type)}[${items()}]`;
    if (kind === OBJECT.DICT) return `${plain(type)}{${pairs((key, value) => `${inner(key)}: ${inner(value)}`)}}`;
    if (kind === OBJECT.SET || kind === OBJECT.FROZENSET) return object.entries.size ? `${plain(type)}{${pairs((key) => inner(key))}}` : `${type}()`;
    if (this.fixed(number)) return this.fixed(number);
    if (this.isCache(number)) return this.cacheText(object);
    if (kind === OBJECT.OPAQUE) return `<${[...object.entries.values()].map((handle) => t.body(handle)).join(" ") || kindName(kind)}>`;
    if (kind === OBJECT.GENERATOR) return `<generator ${t.objectText(number)}>`;
    if (kind === OBJECT.ITERATOR) return this.iteratorText(object);
    return `${this.title(number)}(${pairs((key, value) => `${t.body(key).replace(/^\./, "")}=${inner(value)}`)})`;
  }

  /** What an object is: its type, or the class or function by name. */
  title(number) {
    const t = this.trace, kind = t.objectKind(number);
    return ATTRIBUTED.has(kind) ? `${kindName(kind)} ${t.objectText(number)}` : t.objectType(number);
  }

  cacheText(object) {
    const name = [...object.entries].find(([key]) => this.trace.body(key) === "__qualname__");
    return `<cached function ${name ? this.trace.body(name[1]) : "?"}>`;
  }

  iteratorText(object) {
    const named = new Map([...object.entries].map(([key, value]) => [this.trace.body(key), value]));
    const sources = [...named].filter(([name]) => name.startsWith("source")).map(([, value]) => this.text(value));
    const position = named.has("position") ? ` at ${this.text(named.get("position"))}` : "";
    return `${sources.join(", ") || this.trace.objectType(object.number)}${position}`;
  }
}

function plain(type) { return type === "list" || type === "dict" || type === "set" || type === "tuple" ? "" : type; }
function kindName(kind) { return Object.keys(OBJECT)[kind].toLowerCase(); }
