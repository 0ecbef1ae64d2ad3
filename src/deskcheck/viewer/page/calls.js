// The tree of calls: what each was given, what it returned or raised, its steps. Calls of itself are folded with their number.

const DEEP = 10, SOME_ROWS = 40;

/** Who called whom in one recorded run, from its events alone: no state is replayed. */
class Calls {
  constructor(trace) {
    const t = trace, n = t.frameCode.length, fill = () => new Int32Array(n).fill(-1);
    Object.assign(this, { trace, n, begin: fill(), end: fill(), raise: fill(), firstChild: fill(), next: fill(), nSelf: new Int32Array(n), nDirect: new Int32Array(n), nBelow: new Int32Array(n), depth: new Int32Array(n), deepest: 0, roots: [] });
    for (let i = 0; i < t.n; i++) {
      const frame = t.frame[i];
      if (this.begin[frame] < 0) this.begin[frame] = i;
      this.end[frame] = i;
      if (t.kind[i] === KIND.RAISE) this.raise[frame] = i;
    }
    // A call has a larger number than its caller: one way down, one way up.
    for (let frame = n - 1; frame >= 0; frame--) {
      const parent = this.parent(frame);
      if (this.begin[frame] < 0 || parent < 0) continue;
      this.next[frame] = this.firstChild[parent];
      this.firstChild[parent] = frame;
      this.nBelow[parent] += 1 + this.nBelow[frame];
      if (this.isSelf(frame)) { this.nSelf[parent] += 1 + this.nSelf[frame]; this.nDirect[parent]++; }
    }
    for (let frame = 0; frame < n; frame++) {
      if (this.begin[frame] < 0) continue;
      const parent = this.parent(frame);
      if (parent < 0) this.roots.push(frame);
      this.depth[frame] = parent < 0 ? 1 : this.depth[parent] + 1;
      if (this.depth[frame] > this.deepest) this.deepest = this.depth[frame];
    }
  }

  parent(frame) { const parent = this.trace.frameParent[frame]; return parent >= 0 && parent < frame && this.begin[parent] >= 0 ? parent : -1; }
  isSelf(frame) { const parent = this.parent(frame); return parent >= 0 && this.trace.frameCode[parent] === this.trace.frameCode[frame]; }
  /** Whether the calls that this one makes of itself stand in one row: of a chain, where each makes one, those of its head. */
  folds(frame) { return this.nSelf[frame] > 1 && !(this.nDirect[frame] === 1 && this.isSelf(frame) && this.nDirect[this.parent(frame)] === 1); }
  /** First and last step of a call, with those of the calls that it makes; null where no line of it ran. */
  steps(frame, index) { const from = index.stepOf[this.begin[frame]] + 1, to = index.stepOf[this.end[frame]]; return to < from ? null : [from, to]; }
  /** The event at which it ended: its exception, what it returned, or the last that was recorded. */
  ending(frame) { return this.trace.kind[this.end[frame]] === KIND.UNWIND && this.raise[frame] >= 0 ? this.raise[frame] : this.end[frame]; }
}

/** Rows of the tree that are to be seen: a call is its number, the row of its calls of itself is ~number. */
class CallTree {
  constructor(app) {
    this.app = app; this.made = new Map(); this.cursor = 0;
    this.list = document.getElementById("calls");
    this.list.addEventListener("scroll", () => this.paint());
    this.list.addEventListener("keydown", (event) => this.key(event));
  }

  open() {
    const { app } = this;
    if (!this.made.has(app.opened)) {
      const calls = new Calls(app.trace);
      this.made.set(app.opened, { calls, isOpen: new Uint8Array(calls.n), isUnfolded: new Uint8Array(calls.n), texts: new Map() });
      Object.assign(this, this.made.get(app.opened));
      this.openSome();
    }
    if (this.calls !== this.made.get(app.opened).calls) { Object.assign(this, this.made.get(app.opened)); this.flatten(); }
  }

  /** Open calls, the outermost first, while there is room. */
  openSome() {
    const waiting = [...this.calls.roots];
    let room = SOME_ROWS - waiting.length;
    for (let at = 0; at < waiting.length && room > 0; at++) {
      const inner = this.children(waiting[at]), rows = inner.length ? inner : [];
      if (rows.length > room) continue;
      room -= rows.length;
      this.isOpen[waiting[at]] = 1;
      for (const row of rows) if (row >= 0) waiting.push(row);
    }
    this.flatten();
  }

  /** Rows right below a row, folded as it stands. */
  children(row) {
    const { calls } = this, frame = row >= 0 ? row : ~row, folds = calls.folds(frame), rows = [];
    let hasFold = false;
    for (let child = calls.firstChild[frame]; child >= 0; child = calls.next[child]) {
      const isSelf = folds && calls.isSelf(child);
      if (row < 0 ? isSelf : !isSelf) rows.push(child);
      else if (isSelf && !hasFold) { rows.push(~frame); hasFold = true; }
    }
    return rows;
  }

  /** The first call that a call makes of itself. */
  selfCall(frame) { let child = this.calls.firstChild[frame]; while (!this.calls.isSelf(child)) child = this.calls.next[child]; return child; }

  isOpenRow(row) { return row >= 0 ? this.isOpen[row] : this.isUnfolded[~row]; }
  hasInner(row) { return row < 0 || this.calls.firstChild[row] >= 0; }

  setOpen(row, open) {
    if (row >= 0) { this.isOpen[row] = open; return; }
    this.isUnfolded[~row] = open;
    // A chain in which each call makes one of itself unfolds as a whole.
    const { calls } = this;
    for (let frame = ~row; open && calls.nDirect[frame] === 1;) {
      frame = this.selfCall(frame);
      this.isOpen[frame] = 1;
    }
  }

  flatten() {
    const rows = [], levels = [], waiting = [];
    const push = (inner, level) => { for (let at = inner.length - 1; at >= 0; at--) waiting.push(inner[at], level); };
    push(this.calls.roots, 1);
    while (waiting.length) {
      const level = waiting.pop(), row = waiting.pop();
      rows.push(row);
      levels.push(level);
      if (this.isOpenRow(row)) push(this.children(row), level + 1);
    }
    this.rows = rows; this.levels = levels;
    this.place = new Map(rows.map((row, at) => [row, at]));
    this.cursor = Math.min(this.cursor, rows.length - 1);
  }

  toggle(row, open = !this.isOpenRow(row)) {
    if (!this.hasInner(row)) return;
    this.setOpen(row, open ? 1 : 0);
    this.flatten();
    this.cursor = this.place.get(row);
    this.paint();
  }

  openAll(open) {
    for (let frame = 0; frame < this.calls.n; frame++) { this.isOpen[frame] = open; this.isUnfolded[frame] = open; }
    if (open) this.flatten(); else this.openSome();
    this.draw();
  }

  /** The row of a call, or of the nearest one around it that is to be seen. */
  rowOf(frame) {
    for (let at = frame; at >= 0; at = this.calls.parent(at)) {
      if (this.place.has(at)) return this.place.get(at);
      const parent = this.calls.parent(at);
      if (parent >= 0 && this.calls.isSelf(at) && this.place.has(~parent)) return this.place.get(~parent);
    }
    return -1;
  }

  /** Open everything around the running call, and put the cursor on it. */
  reveal() {
    this.open();
    const frame = this.running();
    for (let at = frame; at >= 0; at = this.calls.parent(at)) {
      const parent = this.calls.parent(at);
      if (parent < 0) break;
      this.isOpen[parent] = 1;
      if (this.calls.isSelf(at) && this.calls.folds(parent)) this.isUnfolded[parent] = 1;
    }
    this.flatten();
    this.cursor = Math.max(0, this.rowOf(frame));
    this.scrollTo(this.cursor);
  }

  running() { const { app } = this; return app.trace.n ? app.trace.frame[Math.max(0, Math.min(app.at, app.trace.n - 1))] : -1; }

  scrollTo(at) {
    const { list } = this, y = at * ROW;
    this.list.firstElementChild.style.height = `${this.rows.length * ROW}px`;
    if (y < list.scrollTop || y > list.scrollTop + list.clientHeight - ROW) list.scrollTop = Math.max(0, y - list.clientHeight / 3);
  }

  // ---------------------------------------------------------------- drawing

  draw() {
    this.open();
    const { calls } = this, n = calls.roots.length + calls.roots.reduce((sum, root) => sum + calls.nBelow[root], 0);
    const button = (text, act) => h("button", { type: "button", onclick: act, text });
    document.getElementById("calls-head").replaceChildren(`${n.toLocaleString("en")} ${n === 1 ? "call" : "calls"}, ${calls.deepest.toLocaleString("en")} deep `,
      button("this call", () => { this.reveal(); this.draw(); }), " ", button("open all", () => this.openAll(1)), " ", button("fold", () => this.openAll(0)));
    const now = this.rowOf(this.running());
    if (now >= 0) this.scrollTo(now);
    if (document.activeElement !== this.list) this.cursor = Math.max(0, now);
    this.paint();
  }

  /** The rows in sight. */
  paint() {
    const { list, rows } = this, inner = list.firstElementChild;
    if (!rows) return;
    inner.style.height = `${rows.length * ROW}px`;
    const from = Math.max(0, Math.floor(list.scrollTop / ROW) - 4), to = Math.min(rows.length, from + Math.ceil(list.clientHeight / ROW) + 8);
    const now = this.rowOf(this.running()), drawn = [];
    for (let at = from; at < to; at++) drawn.push(this.row(at, at === now));
    inner.replaceChildren(...drawn);
    if (this.cursor >= from && this.cursor < to) list.setAttribute("aria-activedescendant", `call-row-${this.cursor}`);
    else list.removeAttribute("aria-activedescendant");
  }

  row(at, isNow) {
    const row = this.rows[at], level = this.levels[at], isOpen = this.isOpenRow(row), hasInner = this.hasInner(row), frame = row >= 0 ? row : ~row;
    const element = h(`div.call-row${isNow ? ".now" : ""}${at === this.cursor ? ".cursor" : ""}${row < 0 ? ".folded" : ""}`, {
      role: "treeitem", id: `call-row-${at}`, "aria-level": level, "aria-selected": isNow, "aria-expanded": hasInner ? Boolean(isOpen) : null, "data-call": row,
      onclick: (event) => { this.cursor = at; if (row < 0 || event.target.closest(".twisty")) this.toggle(row); else this.go(row, event.target.closest(".gives") !== null); },
    }, h("span.twisty", { "aria-hidden": true, text: hasInner ? (isOpen ? "▾" : "▸") : "" }));
    element.style.top = `${at * ROW}px`;
    element.style.setProperty("--level", Math.min(level, DEEP) - 1);
    if (level > DEEP) element.append(h("span.level", { title: "calls around it", text: `${level - 1}` }));
    if (row < 0) {
      element.append(h("span.what", { text: `↻ ${this.calls.nSelf[frame].toLocaleString("en")} calls of itself` }));
      return element;
    }
    const [call, gives, isRaised] = this.text(frame), steps = this.calls.steps(frame, this.app.index);
    element.append(h("code.what", { title: call }, visible(call)), ...(gives ? [h(`span.gives${isRaised ? ".raised" : ""}`, { title: gives }, visible(gives))] : []),
      h("span.range", { text: !steps ? "no step" : steps[0] === steps[1] ? steps[0].toLocaleString("en") : `${steps[0].toLocaleString("en")}–${steps[1].toLocaleString("en")}` }));
    return element;
  }

  /** A call with its arguments, and how it ended; remembered, since the state at its beginning is replayed for it. */
  text(frame) {
    const { app, calls, texts } = this, t = app.trace;
    if (texts.has(frame)) return texts.get(frame);
    const [whole, , , kind] = t.codeOf(frame), called = whole.split(".<locals>.").pop(), begin = calls.begin[frame], ending = calls.ending(frame), back = app.replay.at;
    const given = [];
    app.replay.seek(begin);
    for (let [c, end] = t.changesOf(begin); c < end; c++) {
      const name = t.place[c] <= PLACE.CELL && t.owner[c] === frame && t.newValue[c] >= 0 ? t.body(t.key[c]) : ".";
      if (name[0] !== "." && given.length < 8) given.push(`${name}=${clip(app.previewOf(t.newValue[c]), 40)}`);
    }
    const word = { [KIND.RETURN]: "→ ", [KIND.RAISE]: "✕ raises ", [KIND.YIELD]: "⇥ yields " }[t.kind[ending]];
    const isData = word && t.value[ending] >= 0 && kind !== "class" && kind !== "module";
    if (isData) app.replay.seek(ending);
    const text = [kind === "module" ? "module" : kind === "class" ? `class ${called}` : `${called}(${given.join(", ")})`, isData || t.kind[ending] === KIND.RAISE ? `${word}${app.previewOf(t.value[ending])}` : word ? "" : "… not over", t.kind[ending] === KIND.RAISE];
    app.replay.seek(back);
    if (texts.size > 5000) texts.clear();
    texts.set(frame, text);
    return text;
  }

  go(frame, toEnd) { const { app, calls } = this; app.goEvent(toEnd ? calls.ending(frame) : calls.begin[frame]); }

  // ---------------------------------------------------------------- keys

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const row = this.rows[this.cursor], page = Math.max(1, Math.floor(this.list.clientHeight / ROW) - 1);
    const to = { ArrowDown: this.cursor + 1, ArrowUp: this.cursor - 1, PageDown: this.cursor + page, PageUp: this.cursor - page, Home: 0, End: this.rows.length - 1 }[event.key];
    if (to !== undefined) this.move(to);
    else if (event.key === "ArrowRight") { if (this.hasInner(row) && !this.isOpenRow(row)) this.toggle(row); else this.move(this.cursor + 1); }
    else if (event.key === "ArrowLeft") {
      if (this.hasInner(row) && this.isOpenRow(row)) this.toggle(row);
      else { let at = this.cursor; while (at > 0 && this.levels[at] >= this.levels[this.cursor]) at--; this.move(at); }
    } else if (event.key === "Enter" || event.key === " ") { if (row < 0) this.toggle(row); else this.go(row, event.shiftKey); }
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  move(at) { this.cursor = Math.max(0, Math.min(this.rows.length - 1, at)); this.scrollTo(this.cursor); this.paint(); }
}
