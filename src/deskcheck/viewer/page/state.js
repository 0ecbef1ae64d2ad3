// The state pane: frames with their variables, iterators and value stack; objects with their cells.

const FRAMES = 40, RECURSION = 6, ENDS = 3, CELLS = 60, CARDS = 40, LOOKED_AT = 600;

class StatePane {
  constructor(app, root = document.getElementById("state")) {
    this.app = app; this.expanded = new Set(); this.root = root;
    // What was drawn last, by cell, frame and object: elements that say the same are not made again.
    this.made = new Map(); this.madeAt = -1;
    this.framesPart = h("div.frames"); this.heapPart = h("section.heap", { "aria-label": "objects" }); this.heapTitle = h("h3.label", { text: "objects" });
  }

  /** The element of a name as it was, where its signature is the same; else a new one. */
  kept(name, signature, make) {
    const old = this.made.get(name), element = old && old[0] === signature ? old[1] : make();
    this.now.set(name, [signature, element]);
    return element;
  }

  draw() {
    const { app } = this, { replay } = app;
    const hadFocus = this.root.contains(document.activeElement) ? document.activeElement.dataset.cell || document.activeElement.dataset.ref : null;
    this.values = app.values;
    this.changed = app.changes.cells;
    if (this.madeAt !== app.opened) { this.made = new Map(); this.madeAt = app.opened; }
    this.now = new Map();
    this.changedOf = new Map();
    for (const cell of this.changed) { const owner = cell.slice(2, cell.indexOf("|", 2)); if (cell[0] !== "v" && cell[0] !== "g") this.changedOf.set(+owner, `${this.changedOf.get(+owner) || ""};${cell}=${app.changes.before.get(cell)}`); }
    const parts = [];
    const visibleModules = [...replay.modules].map(([file, names]) => [file, [...names.names].filter(([name, value]) => this.isData(name, value))]).filter(([, names]) => names.length);
    for (const [file, names] of visibleModules) parts.push(this.globals(file, names));
    const [live, folds] = this.folded([...replay.frames.values()]), isDeep = live.length > FRAMES && !this.expanded.has("frames");
    live.forEach((frame, at) => {
      if (folds.has(frame.number)) parts.push(this.fold(folds.get(frame.number)));
      if (!isDeep || at < 5 || at >= live.length - 30 || frame.number === replay.running) parts.push(this.frame(frame, frame.number === replay.running));
      else if (at === 5) parts.push(h("button.more", { type: "button", onclick: () => { this.expanded.add("frames"); this.draw(); }, text: `${live.length - 35} more calls: show all` }));
    });
    for (const frame of replay.suspended.values()) if (!replay.frames.has(frame.number)) parts.push(this.frame(frame, false, true));
    if (!parts.length) parts.push(h("p.empty", { text: app.at >= app.trace.n ? "The run is over." : "Nothing runs yet." }));
    sync(this.framesPart, parts);
    const heap = this.heap(visibleModules);
    sync(this.heapPart, heap);
    sync(this.root, heap.length ? [this.framesPart, this.heapPart] : [this.framesPart]);
    this.made = this.now;
    this.light(this.lit);
    if (hadFocus !== null) this.root.querySelector(`[data-cell="${CSS.escape(hadFocus)}"], [data-ref="${CSS.escape(hadFocus)}"]`)?.focus({ preventScroll: true });
  }

  /** Live frames without the middle of a long recursion, and for the frame behind each gap [how many, whose]. */
  folded(live) {
    const shown = [], folds = new Map(), { running } = this.app.replay;
    for (let from = 0, to; from < live.length; from = to) {
      for (to = from + 1; to < live.length && live[to].code === live[from].code && live[to].parent === live[to - 1].number;) to++;
      const hides = to - from > RECURSION && !this.expanded.has("frames");
      for (let at = from; at < to; at++) if (!hides || at < from + ENDS || at >= to - ENDS || live[at].number === running) shown.push(live[at]);
      if (hides) folds.set(live[to - ENDS].number, [to - from - 2 * ENDS, this.app.trace.codes[live[from].code][0]]);
    }
    return [shown, folds];
  }

  fold([n, name]) {
    return h("button.more.recursion", { type: "button", onclick: () => { this.expanded.add("frames"); this.draw(); } }, `↻ ${n.toLocaleString("en")} more calls of `, h("code", null, visible(name.split(".").pop())), " by itself: show all");
  }

  /** Modules, what every module begins with, and functions and classes without attributes that change are not drawn: the source shows them. */
  isData(name, value) {
    if (name.startsWith("__") && name.endsWith("__")) return false;
    const t = this.app.trace;
    if (!t.isRef(value)) return true;
    const kind = t.objectKind(t.valueNumber[value]);
    return kind === OBJECT.OPAQUE || !INLINE.has(kind) || this.values.drawn.has(t.valueNumber[value]);
  }

  globals(file, names) {
    const title = file ? `globals of ${this.app.fileName(file)}` : "globals";
    return h("section.frame", { "data-frame": `g${file}`, "aria-label": title }, h("h3", { text: title }),
      h("div.rows", null, names.map(([name, value]) => this.row(name, value, `g|${file}|${name}`))));
  }

  frame(frame, runs, rests = false) {
    const { app } = this, t = app.trace, [name, , , kind] = t.codes[frame.code];
    const title = kind === "module" ? "module" : kind === "class" ? `class ${name}` : name;
    const line = rests ? "paused" : `line ${frame.line}`;
    const rows = [];
    for (const [variable, value] of frame.names) {
      if (variable === "__class__" || variable[0] === "." || (kind === "class" && !this.isData(variable, value))) continue;
      rows.push(this.row(variable, value, `v|${frame.number}|${variable}`, frame.places.get(variable) === PLACE.FREE ? "from the enclosing function" : ""));
    }
    frame.iterators.forEach((handle, at) => rows.push(this.iterator(handle, at)));
    if (app.level === "instruction" && (frame.stack.length || runs)) rows.push(this.stack(frame));
    const i = app.at;
    if (runs && i < t.n && t.value[i] >= 0) {
      const words = { [KIND.RETURN]: "returns", [KIND.RAISE]: "raises", [KIND.YIELD]: "yields" }[t.kind[i]];
      if (words) rows.push(h("div.row.leaves", { "data-leaves": words }, h("div.dt", { text: words }), h("div.dd", null, this.value(t.value[i]))));
    }
    if (app.belief && rows.some((row) => row.querySelector(".belief"))) rows.unshift(this.kept(`heads ${frame.number}`, app.belief.chosen, () => h("div.row.heads", null, h("div.dt"), h("div.dd", { text: "truth" }), h("div.dd", null, visible(app.belief.run.name)))));
    const section = this.kept(`frame ${frame.number}`, title, () => h("section.frame", { "data-frame": frame.number }, h("h3", null, h("span", null, visible(title)), h("span.at")), h("div.rows"), h("p.empty", { text: "no variables yet" })));
    section.className = `frame${runs ? " runs" : ""}${rests ? " rests" : ""}`;
    section.dataset.line = frame.line;
    section.setAttribute("aria-label", `${title}, ${line}`);
    section.firstChild.lastChild.textContent = line;
    sync(section.children[1], rows);
    section.children[1].hidden = !rows.length;
    section.lastChild.hidden = rows.length > 0 || kind === "module";
    return section;
  }

  row(name, value, cell, note = "") {
    const changed = this.changed.has(cell), before = changed ? this.app.changes.before.get(cell) : undefined;
    const belief = this.app.beliefOf(cell, name), t = this.app.trace;
    const preview = t.isRef(value) && !this.values.isInline(t.valueNumber[value]) ? this.values.preview(t.valueNumber[value]) : "";
    const make = () => h(`div.row${changed ? ".changed" : ""}`, { "data-name": name },
      h("div.dt", { title: note }, visible(name), note ? h("small", { text: " closure" }) : null),
      h("div.dd", { tabindex: 0, role: "button", "data-cell": cell, "aria-label": `${name}, ${this.spoken(value)}${changed ? ", changed" : ""}` },
        h("span.value", null, this.value(value)), before !== undefined && before !== "" ? h("span.before", { text: `was ${before}` }) : null), belief);
    return belief ? make() : this.kept(cell, `${value} ${preview} ${changed ? `${before}` : "-"} ${note}`, make);
  }

  spoken(value) {
    const t = this.app.trace;
    return t.isRef(value) && !this.values.isInline(t.valueNumber[value]) ? `object ${t.valueNumber[value]}, ${this.values.preview(t.valueNumber[value])}` : this.values.text(value).slice(0, 200);
  }

  value(handle) {
    const t = this.app.trace, parts = [h("span.exact", null, this.values.parts(handle))];
    if (t.isRef(handle) && !this.values.isInline(t.valueNumber[handle])) parts.push(h("span.preview", { "aria-hidden": true }, visible(this.values.preview(t.valueNumber[handle]))));
    return parts;
  }

  iterator(handle, at) {
    const t = this.app.trace, object = t.isRef(handle) ? this.app.replay.object(t.valueNumber[handle]) : null;
    const text = object ? (object.kind === OBJECT.ITERATOR ? this.values.iteratorText(object) : this.values.text(handle)) : this.values.text(handle);
    return h("div.row.iterator", { "data-iterator": at }, h("div.dt", { title: "an iterator of a running loop" }, `loop ${at + 1}`), h("div.dd", null, h("span.exact", null, visible(text))));
  }

  stack(frame) {
    return h("div.row.stack", null, h("div.dt", { text: "stack" }),
      h("div.dd", null, frame.stack.length ? frame.stack.map((handle, at) => h("span.slot", { "data-slot": at }, this.values.parts(handle))) : h("span.empty", { text: "empty" })));
  }

  // ---------------------------------------------------------------- objects

  /** Numbers of the objects that live names lead to, and how often each is referred to. */
  reachable(modules) {
    const { replay, trace: t } = this.app, found = new Map(), waiting = [], own = new Set();
    const see = (handle, by) => {
      if (!t.isRef(handle)) return;
      const number = t.valueNumber[handle];
      if (by >= 0 && found.has(by)) (found.get(number) || found.set(number, []).get(number)).push(by);
      else (found.get(number) || found.set(number, []).get(number)).push(-1);
      if (!own.has(number)) { own.add(number); waiting.push(number); }
    };
    for (const [, names] of modules) for (const [, value] of names) see(value, -1);
    for (const frame of [...replay.frames.values(), ...replay.suspended.values()]) {
      for (const [name, value] of frame.names) if (name[0] !== ".") see(value, -1);
      if (this.app.level === "instruction") for (const value of frame.stack) see(value, -1);
    }
    for (const handle of [...replay.frames.values()].flatMap((f) => f.iterators)) {
      if (!t.isRef(handle)) continue;
      const object = replay.object(t.valueNumber[handle]);
      if (object.kind !== OBJECT.GENERATOR) for (const value of object.entries.values()) see(value, -1);
    }
    const i = this.app.at;
    if (i < t.n && t.value[i] >= 0) see(t.value[i], -1);
    if (i >= t.n) see(t.result, -1);
    for (let at = 0; at < waiting.length && at < LOOKED_AT; at++) {
      const object = replay.object(waiting[at]);
      if ((INLINE.has(object.kind) && !this.values.drawn.has(waiting[at])) || this.values.fixed(waiting[at]) || (this.isFolded(waiting[at]) && object.kind !== OBJECT.ITERATOR)) continue;
      for (const handle of object.items) see(handle, waiting[at]);
      for (const [key, value] of object.entries) { if (object.kind === OBJECT.DICT) see(key, waiting[at]); see(value, waiting[at]); }
      for (const value of object.attributes.values()) see(value, waiting[at]);
    }
    return found;
  }

  heap(modules) {
    const { trace: t, replay } = this.app, referrers = this.reachable(modules);
    this.names = this.aliases(modules);
    this.nested = new Set();
    const hosts = new Set();
    const cards = [...referrers.keys()].filter((number) => !this.values.isInline(number)).sort((a, b) => a - b);
    for (const number of cards) {
      const by = referrers.get(number);
      if (by.length === 1 && by[0] >= 0 && by[0] !== number && t.objectKind(number) === OBJECT.LIST && t.objectKind(by[0]) === OBJECT.LIST && !this.nested.has(by[0]) && !hosts.has(number)
        && replay.object(number).items.length <= 32 && replay.object(by[0]).items.length <= CELLS) { this.nested.add(number); hosts.add(by[0]); }
    }
    const near = [...referrers.keys()].filter((number) => !this.values.isInline(number) && !this.nested.has(number)), most = this.expanded.has("cards") ? LOOKED_AT : CARDS;
    const outer = near.slice(0, most).sort((a, b) => a - b), nMore = near.length - outer.length, isAll = referrers.size < LOOKED_AT;
    this.shared = new Set(cards.filter((number) => referrers.get(number).length > 1));
    if (!outer.length) return [];
    const more = nMore > 0 ? h("button.more", { type: "button", onclick: () => { this.expanded.add("cards"); this.draw(); }, text: `${isAll ? "" : "more than "}${nMore.toLocaleString("en")} more objects, farther away: show them` }) : null;
    return [this.heapTitle, ...outer.map((number) => this.card(number)), ...(more ? [more] : [])];
  }

  /** Number of an object -> the names that hold it directly. */
  aliases(modules) {
    const { replay, trace: t } = this.app, found = new Map();
    const add = (value, name) => { if (t.isRef(value)) { const number = t.valueNumber[value]; if (!found.has(number)) found.set(number, []); found.get(number).push(name); } };
    for (const [, names] of modules) for (const [name, value] of names) add(value, name);
    const frames = [...replay.frames.values()];
    for (const frame of frames) for (const [name, value] of frame.names) add(value, frames.length > 1 ? `${name} in ${t.codes[frame.code][0].split(".").pop()}` : name);
    return found;
  }

  /** An object's card; one that says what it said before is not made again. */
  card(number, isNested = false) {
    const signature = this.signature(number, 0);
    return signature === null ? this.newCard(number, isNested) : this.kept(`card ${number} ${isNested}`, `${signature} ${isNested ? "" : (this.names.get(number) || []).join()}`, () => this.newCard(number, isNested));
  }

  /** Everything that a card shows, in short; null where it is long. */
  signature(number, depth) {
    const object = this.app.replay.object(number), { trace: t } = this.app, long = object.items.length > CELLS, changed = this.changedOf.get(number) || "";
    if (this.expanded.has(number) || depth > 3 || (long && changed)) return null;
    const items = long ? [...object.items.slice(0, 24), ...object.items.slice(-6)] : object.items, parts = [object.items.length, object.entries.size, changed, items.join()];
    for (const map of [object.entries, object.attributes]) { let left = CELLS + 1; parts.push("/"); for (const [key, value] of map) { if (left-- === 0) break; parts.push(key, value); } }
    for (const item of items) if (t.isRef(item) && this.nested.has(t.valueNumber[item])) { const inner = this.signature(t.valueNumber[item], depth + 1); if (inner === null) return null; parts.push("[", inner, "]"); }
    return parts.join(" ");
  }

  newCard(number, isNested) {
    const { trace: t, replay } = this.app, object = replay.object(number), type = this.values.title(number), entries = this.values.entriesOf(object);
    const size = object.items.length || entries.size, isContainer = CONTAINERS.has(object.kind);
    const names = [...new Set(this.names.get(number) || [])];
    const isFolded = this.isFolded(number);
    const title = h("h4", null, h("button.ref", { type: "button", "data-ref": number, text: `#${number}` }), isNested ? null : h("span.type", null, visible(type)),
      !isNested && isContainer ? h("span.size", { text: `${size.toLocaleString("en")} ${size === 1 ? "item" : "items"}` }) : null,
      !isNested && names.length ? h(`span.names${names.length > 1 ? ".shared" : ""}`, null, names.length > 1 ? `${names.length} names: ` : "", visible(names.join(", "))) : null);
    const cells = [];
    if (isFolded) cells.push(this.inside(object));
    else if (object.kind === OBJECT.LIST || object.kind === OBJECT.TUPLE || object.kind === OBJECT.ARRAY || (object.items.length && !object.entries.size)) cells.push(...this.sequence(object));
    else if (object.kind === OBJECT.SET || object.kind === OBJECT.FROZENSET) cells.push(...this.some([...object.entries.keys()], object, (key) => this.cell("", key, `m|${number}|${key}`)));
    else if (object.kind === OBJECT.GENERATOR) cells.push(h("span.type", null, visible(t.objectText(number))), ...this.fields(object, object.entries));
    else cells.push(...this.fields(object, entries));
    if (object.attributes.size && !isFolded) cells.push(...this.fields(object, object.attributes, true));
    const isGrid = !isNested && object.kind === OBJECT.LIST && object.items.some((item) => t.isRef(item) && this.nested.has(t.valueNumber[item]));
    const flat = [OBJECT.LIST, OBJECT.TUPLE, OBJECT.ARRAY, OBJECT.SET, OBJECT.FROZENSET].includes(object.kind);
    return h(`div.object${isNested ? ".nested" : ""}${isFolded ? ".folded" : ""}`, { "data-object": number, "data-size": size, role: "group", "aria-label": `object ${number}, ${type}` }, title,
      cells.length ? h(`div.cells${isGrid ? ".grid" : flat ? ".strip" : ".fields"}`, null, cells) : h("span.empty", { text: "empty" }));
  }

  isFolded(number) { return this.values.isNoise(number) && !this.expanded.has(number); }

  /** One line for the inside of an iterator, a generator or a cache. */
  inside(object) {
    const text = object.kind === OBJECT.ITERATOR ? this.values.iteratorText(object) : this.values.preview(object.number);
    return h("button.gap", { type: "button", "data-hidden": object.items.length + object.entries.size + object.attributes.size, title: "show its inside", onclick: () => { this.expanded.add(object.number); this.draw(); } }, visible(`▸ ${text}`));
  }

  sequence(object) {
    const { trace: t } = this.app, n = object.items.length;
    const draw = (at) => {
      const handle = object.items[at], inner = t.isRef(handle) && this.nested.has(t.valueNumber[handle]);
      return inner ? h("div.cell.holds", { "data-index": at }, h("span.index", { text: at }), this.card(t.valueNumber[handle], true)) : this.cell(at, handle, `e|${object.number}|${at}`);
    };
    if (n <= CELLS || this.expanded.has(object.number)) return this.some([...object.items.keys()], object, draw);
    const wanted = new Set();
    for (let at = 0; at < 24; at++) wanted.add(at);
    for (let at = n - 6; at < n; at++) wanted.add(at);
    let room = 30;
    for (const cell of this.changed) {
      const [kind, owner, index] = cell.split("|");
      if (kind === "e" && +owner === object.number && room-- > 0) for (let at = Math.max(0, +index - 2); at <= Math.min(n - 1, +index + 2); at++) wanted.add(at);
    }
    const parts = [];
    let before = -1;
    for (const at of [...wanted].sort((a, b) => a - b)) {
      if (at > before + 1) parts.push(this.gap(object, at - before - 1));
      parts.push(draw(at));
      before = at;
    }
    return parts;
  }

  some(keys, object, draw) {
    const most = this.expanded.has(object.number) ? 5000 : CELLS, parts = keys.slice(0, most).map(draw);
    if (keys.length > most) parts.push(this.gap(object, keys.length - most));
    return parts;
  }

  gap(object, n) {
    return h("button.gap", { type: "button", "data-hidden": n, title: "show them", onclick: () => { this.expanded.add(object.number); this.draw(); } }, `… ${n.toLocaleString("en")} more`);
  }

  cell(label, handle, cell) {
    const changed = this.changed.has(cell), before = changed ? this.app.changes.before.get(cell) : undefined;
    return h(`div.cell${changed ? ".changed" : ""}`, { tabindex: 0, role: "button", "data-cell": cell, "data-index": label, title: before ? `was ${before}` : undefined, "aria-label": `${label === "" ? "member" : `item ${label}`}, ${this.spoken(handle)}${changed ? ", changed" : ""}` },
      label === "" ? null : h("span.index", { text: label }), h("span.value", null, h("span.exact", null, this.values.parts(handle))));
  }

  fields(object, entries, areAttributes = false) {
    const { trace: t } = this.app, isDict = object.kind === OBJECT.DICT && !areAttributes;
    return this.some([...entries.keys()], object, (key) => {
      const cell = `${isDict ? "k" : "a"}|${object.number}|${key}`, changed = this.changed.has(cell), value = entries.get(key);
      const before = changed ? this.app.changes.before.get(cell) : undefined;
      return h(`div.field${changed ? ".changed" : ""}`, { tabindex: 0, role: "button", "data-cell": cell, "aria-label": `${isDict ? this.values.text(key) : t.body(key)}, ${this.spoken(value)}${changed ? ", changed" : ""}` },
        h("span.key", null, isDict ? this.values.parts(key) : visible(`${areAttributes ? "." : ""}${t.body(key)}`)), h("span.value", null, h("span.exact", null, this.values.parts(value))),
        before ? h("span.before", { text: `was ${before}` }) : null);
    });
  }

  /** Light every place that holds an object. */
  light(number) {
    this.lit = number;
    for (const element of document.querySelectorAll(".lit")) element.classList.remove("lit");
    if (number === undefined || number === null) return;
    for (const element of this.root.querySelectorAll(`[data-ref="${number}"]`)) element.classList.add("lit");
    this.root.querySelector(`[data-object="${number}"]`)?.classList.add("lit");
  }
}
