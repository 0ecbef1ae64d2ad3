// Two runs side by side, row by row: corresponding steps stand beside each other, and the values that differ are marked.

/** One of the two runs: source and state of the viewer, without its panels. */
class Side extends App {
  constructor(meta, blocks, { root, pair, name, edited }) {
    super(meta, blocks);
    this.root = root; this.pair = pair; this.edited = edited;
    root.querySelector(".name").textContent = name;
    this.selected = { file: 0, line: 1 };
    this.source = new SourcePane(this, root.querySelector(".source"));
    this.state = new StatePane(this, root.querySelector(".state"));
    this.openLevel(0);
    this.setLevel("line");
    root.querySelector(".call").replaceChildren(...visible(meta.call));
    const outcome = root.querySelector(".outcome");
    outcome.replaceChildren(...visible(meta.outcome.text));
    outcome.title = meta.outcome.text;
    outcome.classList.toggle("bad", meta.outcome.tone === "bad");
    this.state.root.addEventListener("click", (event) => this.state.light(event.target.closest("[data-ref]")?.dataset.ref));
  }

  draw() {
    this.source.draw();
    if (this.marked !== this.source.file) {
      this.marked = this.source.file;
      if (!this.files[this.marked].number) for (const line of this.edited) this.source.rows[line]?.classList.add("edited");
    }
    this.state.draw();
    this.source.reveal();
  }
  selectLine(file, line) { this.pair.goLine(this, file, line); }
  drawSelectedLine() {}

  /** Variables of the running function and of its module, as `deskcheck diff` compares them. */
  variables() {
    const { replay, trace: t } = this, frame = replay.frames.get(replay.running), module = frame ? replay.modules.get(t.fileOf(frame.number)) : null;
    return new Map([...[...(module?.names || [])].filter(([name]) => !name.startsWith("__")), ...(frame?.names || [])]);
  }

  /** Mark what differs and whether this run stands still in this row. */
  mark(names, waits) {
    for (const row of this.state.root.querySelectorAll(".differs")) row.classList.remove("differs");
    const running = String(this.replay.running);
    for (const row of this.state.root.querySelectorAll(".row[data-name]")) {
      const frame = row.closest("[data-frame]").dataset.frame;
      if (names.has(row.dataset.name) && (frame === running || frame[0] === "g")) row.classList.add("differs");
    }
    this.root.classList.toggle("waits", waits);
  }
}

const NAMED_KINDS = new Set([OBJECT.FUNCTION, OBJECT.CLASS, OBJECT.MODULE, OBJECT.GENERATOR]);

/** Whether values of two states are the same, by the rules of queries/same.py: numbers of objects mean nothing, sharing does. */
class Sameness {
  constructor(a, b) { this.a = a; this.b = b; this.partners = new Map(); this.taken = new Map(); }

  isSame(mine, other) {
    const a = this.a.trace, b = this.b.trace, waiting = [[mine, other]];
    while (waiting.length) {
      const [left, right] = waiting.pop();
      if (!a.isRef(left) || !b.isRef(right)) {
        if (a.isRef(left) || b.isRef(right) || a.typeOf(left) !== b.typeOf(right) || a.isString(left) !== b.isString(right) || a.body(left) !== b.body(right)) return false;
        continue;
      }
      const one = a.valueNumber[left], two = b.valueNumber[right];
      if (this.partners.has(one) || this.taken.has(two)) {
        if (this.partners.get(one) !== two || this.taken.get(two) !== one) return false;
        continue;
      }
      this.partners.set(one, two);
      this.taken.set(two, one);
      const pairs = this.parts(one, two);
      if (!pairs) return false;
      for (const pair of pairs) waiting.push(pair);
    }
    return true;
  }

  /** Pairs of values inside two objects; null if the objects differ by themselves. */
  parts(one, two) {
    const { a, b } = this, mine = a.replay.object(one), other = b.replay.object(two);
    if (mine.kind !== other.kind || a.trace.objectType(one) !== b.trace.objectType(two)) return null;
    if (NAMED_KINDS.has(mine.kind) || mine.kind === OBJECT.OPAQUE) return a.trace.objectText(one) === b.trace.objectText(two) && this.summary(a, mine) === this.summary(b, other) ? [] : null;
    if (mine.items.length !== other.items.length) return null;
    const pairs = mine.items.map((item, at) => [item, other.items[at]]);
    for (const [table, partner, isSet] of [[mine.entries, other.entries, mine.kind === OBJECT.SET || mine.kind === OBJECT.FROZENSET], [mine.attributes, other.attributes, false]]) {
      if (table.size !== partner.size) return null;
      const keys = isSet ? inOrder(a, table) : [...table.keys()], others = isSet ? inOrder(b, partner) : [...partner.keys()];
      keys.forEach((key, at) => pairs.push([key, others[at]], ...(isSet ? [] : [[table.get(key), partner.get(others[at])]])));
    }
    return pairs;
  }

  summary(side, object) { return object.kind === OBJECT.OPAQUE ? [...object.entries.values()].map((handle) => side.trace.body(handle)).join(" ") : ""; }
}

/** Members of a set in an order that two runs share: scalars by type and text, then what holds others, as it is written. */
function inOrder(side, members) {
  const key = (handle) => side.trace.isRef(handle) ? `~${side.values.preview(side.trace.valueNumber[handle], 400)}` : `${side.trace.typeOf(handle)} ${side.trace.scalar(handle)}`;
  return [...members.keys()].map((handle) => [key(handle), handle]).sort(([x], [y]) => (x < y ? -1 : x > y ? 1 : 0)).map(([, handle]) => handle);
}

/** The two runs, and the row at which both stand. */
class Pair {
  constructor(meta, sides) {
    Object.assign(this, { meta, at: 0 });
    const edited = this.editedLines(sides.map(([own]) => own.files[0].lines));
    this.sides = sides.map(([own, blocks], at) => new Side(own, blocks, { root: document.getElementById(at ? "side-b" : "side-a"), pair: this, name: meta.names[at], edited: edited[at] }));
    this.rows();
    this.range = document.getElementById("range");
    this.range.max = this.n - 1;
    this.range.addEventListener("input", () => this.go(+this.range.value));
    this.places = { first: 0, last: this.n - 1, values: this.placeOf(meta.values), path: this.placeOf(meta.path) };
    this.moves = {
      first: () => this.go(0), last: () => this.go(this.n - 1), back: () => this.go(this.at - 1), next: () => this.go(this.at + 1),
      values: () => this.jump("values", "the values do not part"), path: () => this.jump("path", "the paths do not part"),
      "differs": () => this.differing(1), "differs-back": () => this.differing(-1),
    };
    for (const button of document.querySelectorAll("[data-move]")) button.addEventListener("click", () => this.moves[button.dataset.move]());
    document.getElementById("step").addEventListener("change", (event) => { const row = Number(event.target.value); if (row >= 1 && row <= this.n) this.go(row - 1); else this.say(`no row ${event.target.value}: there are ${this.n}`); this.footer(); });
    document.addEventListener("keydown", (event) => this.key(event));
    this.help = document.getElementById("help");
    keyList(DIFF_KEYS);
    document.getElementById("keys").addEventListener("click", () => this.help.showModal());
    document.getElementById("theme").addEventListener("click", () => toggleTheme());
    storedTheme();
    this.header();
    this.marks();
    if (!this.fromFragment()) this.go(this.places.values ?? this.places.path ?? 0);
    window.addEventListener("hashchange", () => { if (location.hash !== this.written) this.fromFragment(); });
  }

  /** Lines of the two sources that have no counterpart, or one of another text. */
  editedLines(sources) {
    const [a, b] = this.meta.known, same = a.map((line, at) => sources[0][line - 1] === sources[1][b[at] - 1]);
    return [a, b].map((known, which) => { const kept = new Set(known.filter((_, at) => same[at])); return sources[which].map((_, at) => at + 1).filter((line) => !kept.has(line)); });
  }

  // ---------------------------------------------------------------- which steps stand beside each other

  /** Rows of steps: numbers of A and B, 0 = this run has no step there. After the paths part they correspond only by count. */
  rows() {
    const [a, b] = this.sides.map((side, at) => new Steps(side, this.meta.known[at])), left = [], right = [];
    const push = (mine, other) => { left.push(mine); right.push(other); };
    const alone = () => { while (a.isAlone()) push(a.next(), 0); while (b.isAlone()) push(0, b.next()); };
    for (let pair = 0; pair < this.meta.n_common; pair++) { alone(); push(a.next(), b.next()); }
    alone();
    this.nTogether = left.length;
    while (a.left() || b.left()) push(a.left() ? a.next() : 0, b.left() ? b.next() : 0);
    push(a.n + 1, b.n + 1);
    this.steps = [left, right]; this.n = left.length;
    this.stands = this.steps.map((steps) => { let before = 1; return Int32Array.from(steps, (step) => (before = step || before)); });
  }

  placeOf(parting) {
    if (!parting) return undefined;
    const at = parting.a ? this.steps[0].indexOf(parting.a.step) : this.steps[1].indexOf(parting.b.step);
    return at < 0 ? undefined : at;
  }

  // ---------------------------------------------------------------- moving

  go(at) {
    this.at = Math.max(0, Math.min(this.n - 1, at));
    this.sides.forEach((side, which) => side.goStep(this.stands[which][this.at]));
    this.draw();
  }

  jump(name, otherwise) { if (this.places[name] === undefined) this.say(otherwise); else this.go(this.places[name]); }

  /** To the next row, or the one before, in which a variable differs. */
  differing(direction) {
    for (let at = this.at + direction, left = 20000; at >= 0 && at < this.n && left > 0; at += direction, left--) {
      this.sides.forEach((side, which) => side.replay.seek(this.eventOf(which, at)));
      if (this.isPair(at) && this.differences().length) { this.go(at); return; }
    }
    this.go(this.at);
    this.say(direction > 0 ? "no difference after this" : "no difference before this");
  }

  eventOf(which, at) { const { index, trace } = this.sides[which], step = this.stands[which][at]; return step > index.nSteps ? trace.n : index.lineEvents[step - 1] ?? 0; }
  isPair(at) { return this.steps[0][at] > 0 && this.steps[1][at] > 0; }

  goLine(side, file, line) {
    const which = this.sides.indexOf(side), { index, trace } = side;
    for (let offset = 1; offset <= this.n; offset++) {
      const at = (this.at + offset) % this.n, step = this.steps[which][at];
      if (!step || step > index.nSteps) continue;
      const event = index.lineEvents[step - 1];
      if (trace.line[event] === line && index.fileAt(event) === file) { this.go(at); return; }
    }
    this.say(`line ${line} does not run`);
  }

  // ---------------------------------------------------------------- what differs

  /** Names of variables that differ in the states as they stand. */
  differences() {
    const [a, b] = this.sides, mine = a.variables(), other = b.variables(), same = new Sameness(a, b);
    return [...new Set([...mine.keys(), ...other.keys()])].filter((name) => !mine.has(name) || !other.has(name) || !same.isSame(mine.get(name), other.get(name)));
  }

  draw() {
    const isEnd = this.at === this.n - 1, isPair = this.isPair(this.at) && !isEnd, names = isEnd ? [] : this.differences();
    this.sides.forEach((side, which) => side.mark(new Set(names), this.steps[which][this.at] === 0));
    this.table(names, isPair, isEnd);
    this.footer();
    this.remember();
  }

  table(names, isPair, isEnd) {
    const [a, b] = this.sides.map((side) => side.variables()), text = (side, table, name) => (table.has(name) ? this.sides[side].previewOf(table.get(name)) : "not bound"), root = document.getElementById("differences");
    const waiting = this.steps[0][this.at] ? "B" : "A", apart = this.at >= this.nTogether;
    const words = isEnd ? "Both runs are over." : !isPair ? `Only one run has this step; ${waiting} waits.` : names.length ? "" : "No variable differs before this step.";
    const note = apart && isPair ? h("p.hint", { text: "The paths have parted: from here on the steps stand beside each other by their number alone." }) : null;
    const rows = isEnd ? [["outcome", this.sides[0].meta.outcome.text, this.sides[1].meta.outcome.text]] : names.map((name) => [name, text(0, a, name), text(1, b, name)]);
    root.replaceChildren(...[note, words ? h("p.hint", { text: words }) : null, rows.length ? h("table", null, h("caption.unseen", { text: "values that differ" }),
      h("thead", null, h("tr", null, h("th", { scope: "col", text: isEnd ? "" : `${names.length} ${names.length === 1 ? "variable differs" : "variables differ"}` }), h("th", { scope: "col", text: "in A" }), h("th", { scope: "col", text: "in B" }))),
      h("tbody", null, rows.map(([name, mine, other]) => h("tr", { "data-differs": name }, h("th", { scope: "row" }, visible(name)), h("td", null, visible(clip(mine, 200))), h("td", null, visible(clip(other, 200))))))) : null].filter(Boolean));
  }

  where() {
    const side = (which) => { const step = this.steps[which][this.at], { index, trace } = this.sides[which], name = which ? "B" : "A"; return !step ? `${name} waits` : step > index.nSteps ? `${name} is over` : `${name} step ${step.toLocaleString("en")}, line ${trace.line[index.lineEvents[step - 1]]}`; };
    return `${side(0)} · ${side(1)}`;
  }

  footer() {
    const field = document.getElementById("step");
    if (document.activeElement !== field) field.value = this.at + 1;
    document.getElementById("of").textContent = `of ${this.n.toLocaleString("en")}`;
    document.getElementById("where").textContent = this.where();
    this.range.value = this.at;
    this.range.setAttribute("aria-valuetext", this.where());
    for (const button of document.querySelectorAll("[data-move]")) {
      const { move } = button.dataset;
      button.disabled = move === "first" || move === "back" ? this.at === 0 : move === "last" || move === "next" ? this.at === this.n - 1 : (move === "values" || move === "path") && this.places[move] === undefined;
    }
    clearTimeout(this.telling);
    this.telling = setTimeout(() => { document.getElementById("live").textContent = `${this.where()}. ${document.getElementById("differences").textContent}`; }, 300);
  }

  /** Above all: where the values part, where the paths part. */
  header() {
    const { meta } = this, root = document.getElementById("partings");
    const at = (step) => (step ? `step ${step.step.toLocaleString("en")}, line ${step.line}` : "over");
    const row = (name, key, title, parting) => h("p", null, h("button.jump", { type: "button", onclick: () => this.jump(name) }, `${title} `, h("kbd", { text: key })), ` A: ${at(parting.a)} · B: ${at(parting.b)}. `,
      h("span.said", null, parting.names.slice(0, 3).flatMap((each) => [h("code", null, visible(each.name)), " is ", h("code", null, visible(clip(each.a || "not bound", 60))), " in A, ", h("code", null, visible(clip(each.b || "not bound", 60))), " in B. "])));
    const rows = [meta.values ? row("values", "f", "Values part", meta.values) : null, meta.path ? row("path", "p", "Paths part", meta.path) : null].filter(Boolean);
    root.classList.toggle("parts", rows.length > 0 || !meta.is_same);
    root.replaceChildren(...(rows.length ? rows : [h("p", { text: meta.is_same ? "The runs are the same: equal variables on corresponding lines, and the same end." : "Neither values nor paths part; the runs end differently." })]));
  }

  /** Where values and paths part, along the slider. */
  marks() {
    const lane = document.getElementById("marks"), share = (at) => `${(at / Math.max(1, this.n - 1)) * 100}%`;
    const parts = ["values", "path"].filter((name) => this.places[name] !== undefined).map((name) => { const mark = h(`span.parting.${name}`, { title: name === "values" ? "values part" : "paths part" }); mark.style.left = share(this.places[name]); mark.classList.toggle("late", this.places[name] > 0.85 * this.n); return mark; });
    if (this.places.path !== undefined) { const apart = h("span.apart"); apart.style.left = share(this.places.path); parts.unshift(apart); }
    lane.replaceChildren(...parts);
  }

  say(text) { App.prototype.say.call(this, text); }

  // ---------------------------------------------------------------- keys, and the row in the address

  key(event) {
    const field = event.target.closest("#step");
    if (event.key === "Escape" && field) field.blur();
    if (field || event.ctrlKey || event.altKey || event.metaKey || this.help.open) return;
    const action = {
      ArrowRight: this.moves.next, ArrowLeft: this.moves.back, PageDown: () => this.go(this.at + 100), PageUp: () => this.go(this.at - 100), Home: this.moves.first, End: this.moves.last,
      f: this.moves.values, p: this.moves.path, d: this.moves.differs, D: this.moves["differs-back"], g: () => { const step = document.getElementById("step"); step.focus(); step.select(); }, t: toggleTheme, "?": () => this.help.showModal(),
    }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  remember() {
    clearTimeout(this.writing);
    this.writing = setTimeout(() => { this.written = `#r=${this.at + 1}`; try { history.replaceState(null, "", this.written); } catch { location.hash = this.written; } }, 300);
  }

  fromFragment() {
    const row = Number(new URLSearchParams(location.hash.slice(1)).get("r"));
    if (!Number.isInteger(row) || row < 1 || row > this.n) return false;
    this.go(row - 1);
    return true;
  }
}

/** The steps of one run in order, and which of them are on lines without a counterpart. */
class Steps {
  constructor(side, known) { this.side = side; this.known = new Set(known); this.n = side.index.nSteps; this.at = 0; }
  left() { return this.at < this.n; }
  next() { return ++this.at; }
  isAlone() { if (!this.left()) return false; const { index, trace } = this.side, event = this.side.index.lineEvents[this.at]; return trace.fileOf(trace.frame[event]) === 0 && !this.known.has(trace.line[event]); }
}

const DIFF_KEYS = [
  ["→ ←", "next and previous row"], ["PgDn PgUp", "100 rows"], ["Home End", "first and last"], ["f", "where the values part"], ["p", "where the paths part"],
  ["d D", "next, previous row in which a variable differs"], ["g", "go to a row"], ["t", "theme"], ["?", "these keys"], ["Esc", "close"],
];

async function open() {
  const sides = [];
  for (const id of ["data-a", "data-b"]) sides.push(await runIn(id));
  const pair = new Pair(JSON.parse(new TextDecoder().decode(await deskcheck.unpacked("comparison"))), sides);
  performance.mark("deskcheck-drawn");
  return pair;
}
Object.assign(deskcheck, { open });
