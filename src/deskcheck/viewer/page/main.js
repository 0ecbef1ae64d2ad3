// The page: one moment in a run, and everything that leads from one moment to another.

class App {
  constructor(meta, blocks) {
    this.meta = meta; this.blocks = blocks;
    this.files = meta.files;
    this.traces = new Map();
    this.at = -1; this.stop = 0; this.cell = null; this.hasChosenLine = false; this.selected = null; this.outputs = [];
    this.changes = { cells: new Set(), before: new Map() };
  }

  start() {
    this.source = new SourcePane(this); this.state = new StatePane(this); this.panels = new Panels(this); this.calls = new CallTree(this);
    this.openLevel(0);
    this.level = this.levels()[0];
    this.strip = new Strip(this);
    this.setLevel(this.level);
    this.belief = this.meta.runs?.length ? new Belief(this) : null;
    this.guess = new Guess(this);
    new Controls(this);
    this.header();
    if (!this.fromFragment()) this.go(this.first());
    this.panels.show(this.panels.name);
    window.addEventListener("hashchange", () => { if (location.hash !== this.written) this.fromFragment(); });
    this.prepare();
  }

  /** Where a reader begins: the first divergence of a model, else the first line. */
  first() { return this.belief?.firstStop() ?? 0; }

  prepare() { if (!this.replay.prepare(6)) setTimeout(() => this.prepare(), 0); }

  // ---------------------------------------------------------------- levels

  openLevel(at) {
    const block = this.meta.levels[at];
    if (!this.traces.has(at)) {
      const trace = new Trace(block, this.blocks[at]);
      this.traces.set(at, { trace, index: new Index(trace, this.files), replay: new Replay(trace) });
    }
    Object.assign(this, this.traces.get(at));
    this.opened = at;
    this.values = new Values(this.trace, this.replay);
    this.outputs = this.meta.outputs?.[at] || [];
  }

  /** Names of the levels at which this page can be walked through. */
  levels() { return ["line", ...this.meta.levels.map((block) => block.granularity).filter((name) => name !== "line")]; }

  setLevel(level) {
    const step = this.trace ? this.index.stepOf[Math.max(0, Math.min(this.at, this.trace.n))] : 0;
    const wanted = this.meta.levels.findIndex((block) => block.granularity === level);
    if (wanted >= 0 && wanted !== this.opened) {
      const isEnd = this.at >= this.trace.n;
      this.openLevel(wanted); this.prepare();
      this.at = isEnd ? this.trace.n : step > 0 ? this.index.lineEvents[step - 1] : 0;
    }
    this.level = level;
    this.stops = this.index.stops[level] || this.index.stops.line;
    this.strip?.open();
    for (const radio of document.querySelectorAll('[name="level"]')) radio.checked = radio.value === level;
  }

  // ---------------------------------------------------------------- moving

  go(stop) {
    if (this.guess?.isOn && stop > this.guess.place) { this.say("answer first, or choose Show me"); return; }
    this.stop = Math.max(0, Math.min(this.stops.length - 1, stop));
    this.at = this.stops[this.stop];
    this.findChanges();
    this.draw();
  }

  /** The last of many wishes in one frame of the screen. */
  goSoon(stop) {
    this.wanted = stop;
    if (!this.waiting) { this.waiting = true; requestAnimationFrame(() => { this.waiting = false; this.go(this.wanted); }); }
  }

  goEvent(event) {
    const at = last(this.stops, event);
    this.go(at >= 0 && this.stops[at] === event ? at : Math.min(at + 1, this.stops.length - 1));
  }

  goStep(step) { this.goEvent(step > this.index.nSteps ? this.trace.n : this.index.lineEvents[Math.max(1, step) - 1] ?? 0); }

  depthAt(stop) { const event = this.stops[stop]; return event < this.trace.n ? this.index.depth[event] : 0; }

  /** Past whatever this line calls, forwards or back. */
  over(direction) {
    const depth = Math.max(1, this.depthAt(this.stop));
    let stop = this.stop + direction;
    while (stop > 0 && stop < this.stops.length - 1 && this.depthAt(stop) > depth) stop += direction;
    this.go(stop);
  }

  /** To where this call is over, or back to where it was made. */
  out(direction) {
    const depth = this.depthAt(this.stop);
    let stop = this.stop + direction;
    while (stop > 0 && stop < this.stops.length - 1 && this.depthAt(stop) >= depth) stop += direction;
    this.go(stop);
  }

  /** The iteration before or after, of the innermost loop that is going on. */
  iteration(direction) {
    const event = Math.min(this.at, this.trace.n - 1), loops = event < 0 ? [] : this.files[this.source.file].loops;
    const inner = loops.map((loop) => [loop, this.index.visit(this.trace.frame[event], loop, event)]).filter(([, visit]) => visit && visit.now >= 0).sort((a, b) => b[0][0] - a[0][0])[0];
    const target = inner && inner[1].starts[inner[1].now + direction];
    if (target !== undefined) this.goEvent(target); else this.say("no such iteration");
  }

  /** The next or the previous run of the chosen line. */
  hit(direction) {
    const hits = this.index.hitsOf(this.selected.file, this.selected.line), at = last(hits, this.at);
    const target = direction > 0 ? hits[at + 1] : hits[hits[at] === this.at ? at - 1 : at];
    if (target !== undefined) this.goEvent(target); else this.say(`line ${this.selected.line} does not run ${direction > 0 ? "again" : "before"}`);
  }

  exception(direction) {
    for (let stop = this.stop + direction; stop >= 0 && stop < this.stops.length; stop += direction) if (this.trace.kind[this.stops[stop]] === KIND.RAISE) { this.go(stop); return; }
    this.say(direction > 0 ? "no exception after this" : "no exception before this");
  }

  write(direction) {
    const cell = this.cell && this.cellOf(this.cell);
    if (!cell) { this.say("choose a value first"); return; }
    const writes = this.index.writes(cell, direction < 0 ? this.at - 1 : this.trace.n, 100000).map(([event]) => event);
    const target = direction < 0 ? writes[0] : writes.reverse().find((event) => event > this.at);
    if (target !== undefined) this.goEvent(target); else this.say(direction < 0 ? "no write before this" : "no write after this");
  }

  // ---------------------------------------------------------------- what changed since the stop before

  findChanges() {
    const { trace: t, replay, values } = this, from = this.stop > 0 ? this.stops[this.stop - 1] : -1, cells = new Map();
    for (let event = from + 1; event <= Math.min(this.at, t.n); event++) {
      if (event - from > 20000) break;
      for (let [c, end] = t.changesOf(event); c < end; c++) { const cell = this.cellOfChange(c); if (cell) cells.set(cell, c); }
    }
    const before = new Map();
    if (cells.size && cells.size < 400) {
      replay.seek(from);
      for (const cell of cells.keys()) { const handle = this.valueOf(cell); before.set(cell, handle === undefined ? "" : clip(values.text(handle), 40)); }
    }
    replay.seek(this.at);
    for (const [cell, text] of before) { const now = this.valueOf(cell); if (now !== undefined && text !== "" && clip(values.text(now), 40) === text) before.set(cell, ""); }
    this.changes = { cells: new Set(cells.keys()), before };
  }

  cellOfChange(c) {
    const t = this.trace, place = t.place[c], owner = t.owner[c];
    if (place <= PLACE.FREE) return `v|${owner}|${t.body(t.key[c])}`;
    if (place === PLACE.GLOBAL) return `g|${owner}|${t.body(t.key[c])}`;
    if (place === PLACE.ELEMENT) return `e|${owner}|${t.index[c]}`;
    if (place === PLACE.KEY) return `k|${owner}|${t.key[c]}`;
    if (place === PLACE.MEMBER) return `m|${owner}|${t.key[c]}`;
    return place === PLACE.ATTRIBUTE ? `a|${owner}|${t.key[c]}` : null;
  }

  /** Value of a cell in the state as it is now; undefined where there is none. */
  valueOf(name) {
    const [kind, owner, ...rest] = name.split("|"), key = rest.join("|"), { replay } = this;
    if (kind === "v") return (replay.frames.get(+owner) || replay.suspended.get(+owner))?.names.get(key);
    if (kind === "g") return replay.modules.get(+owner)?.names.get(key);
    const object = replay.object(+owner);
    if (kind === "e") return object.items[+key];
    return (kind === "a" && CONTAINERS.has(object.kind) ? object.attributes : object.entries).get(+key);
  }

  /** A cell's name taken apart, for looking up its writes. */
  cellOf(name) {
    const [kind, owner, ...rest] = name.split("|"), key = rest.join("|"), number = +owner;
    if (kind === "v") return { place: PLACE.LOCAL, owner: number, name: key, title: key };
    if (kind === "g") return { place: PLACE.GLOBAL, owner: number, name: key, title: key };
    if (kind === "e") return { place: PLACE.ELEMENT, owner: number, index: +key, title: `${this.nameOf(number)}[${key}]` };
    const place = { k: PLACE.KEY, m: PLACE.MEMBER, a: PLACE.ATTRIBUTE }[kind];
    return { place, owner: number, key: +key, title: kind === "a" ? `${this.nameOf(number)}.${this.trace.body(+key)}` : `${this.nameOf(number)}[${this.values.text(+key)}]` };
  }

  nameOf(number) { return this.state.names?.get(number)?.at(-1).split(" in ")[0] || `#${number}`; }

  /** A name as the running frame sees it: its own, its module's. */
  lookup(name) {
    const { replay } = this, frame = replay.frames.get(replay.running), own = frame?.names.get(name);
    if (own !== undefined) return own;
    return (frame && replay.modules.get(this.trace.fileOf(frame.number))?.names.get(name)) ?? replay.modules.get(0)?.names.get(name);
  }

  /** The LINE event whose line made what is seen first at an event; -1 = the call itself. */
  maker(event, cell) {
    if (event >= this.trace.n) return this.index.lineEvents[this.index.nSteps - 1] ?? -1;
    if (this.trace.kind[event] === KIND.CALL && cell.place <= PLACE.FREE) return -1;
    const position = last(this.index.lineEvents, event - 1);
    return position < 0 ? -1 : this.index.lineEvents[position];
  }

  /** Where a value was copied from, copies followed back: [{ event, title }, ..], the last one made it. */
  origins(name, at) {
    const { trace: t, replay, index } = this, back = this.at, found = [], place = (text) => { try { return new Watch(text).cell(this); } catch { return null; } };
    for (let cell = name, event = at; found.length < 40;) {
      const [write] = index.writes(this.cellOf(cell), event, 1), maker = write ? this.maker(write[0], this.cellOf(cell)) : -1;
      if (write) replay.seek(write[0]);
      if (found.length || write) found.push({ event: write?.[0] ?? -1, maker, title: this.cellOf(cell).title });
      if (maker < 0) break;
      replay.seek(maker);
      const pairs = this.files[index.fileAt(maker)]?.copies[t.line[maker]] || [], pair = pairs.find(([target]) => cell[0] === "v" ? target === this.cellOf(cell).name : place(target) === cell);
      const source = pair && place(pair[1]);
      if (!source || source === cell) break;
      cell = source; event = maker;
    }
    replay.seek(back);
    return found;
  }

  previewOf(handle) {
    if (handle < 0) return "";
    const t = this.trace;
    return clip(t.isRef(handle) && !this.values.isInline(t.valueNumber[handle]) ? this.values.preview(t.valueNumber[handle]) : this.values.text(handle), 90);
  }

  lineText(event) { const t = this.trace; return this.files[this.index.fileAt(event)]?.lines[t.line[event] - 1] ?? ""; }
  fileName(number) { return this.files.find((file) => file.number === number)?.name || "the program"; }

  /** How a moment is called: "12" for a line, "12.2" for the second event after it. */
  stepName(event) {
    if (event >= this.trace.n) return "end";
    const step = this.index.stepOf[event], after = step > 0 ? event - this.index.lineEvents[step - 1] : event;
    return after > 0 ? `${step}.${after}` : String(step);
  }

  // ---------------------------------------------------------------- why a line did not run

  /** In words, with events as links; null where the line ran in this call by now. */
  whyNot(fileAt, line) {
    const { index, trace: t } = this, file = this.files[fileAt], event = Math.min(this.at, t.n - 1), arms = file.arms;
    const hits = index.hitsOf(fileAt, line);
    const here = arms[line];
    if (!here) return hits.length ? null : ["No statement begins on this line."];
    if (here[2] !== line && index.hitsOf(fileAt, here[2]).length) return [`This line belongs to the statement that begins on line ${here[2]}.`];
    const isIn = event >= 0 && index.fileAt(event) === fileAt, mine = isIn ? index.linesOfFrame(t.frame[event]) : [];
    if (hits.length && (!isIn || mine.some((e) => t.line[e] === line && e <= event))) return null;
    let [decider, arm] = here, inner = line;
    for (let guard = 0; decider && guard < 60; guard++) {
      if (arm === "called") {
        const calls = index.hitsOf(fileAt, inner).length;
        return calls ? [`The function of line ${decider} ran, and left before this line.`] : [`The function that begins on line ${decider} was never called.`];
      }
      const deciding = index.hitsOf(fileAt, decider), own = mine.length ? mine.filter((e) => t.line[e] === decider && e <= event) : [];
      const lastTime = own.length ? own[own.length - 1] : deciding.length && !hits.length ? deciding[deciding.length - 1] : -1;
      if (lastTime >= 0) return this.decided(fileAt, decider, arm, lastTime, hits.length, deciding.length);
      inner = decider;
      [decider, arm] = arms[decider] || [0, ""];
    }
    return hits.length ? ["It has not run in this call yet; it runs at ", { event: hits[Math.min(hits.length - 1, last(hits, this.at) + 1)] }, "."] : ["It never ran: the run left before it."];
  }

  decided(fileAt, decider, arm, event, nHits, nDecided) {
    const { index, trace: t } = this, events = index.linesOfFrame(t.frame[event]), next = events[last(events, event) + 1];
    const words = { true: "was not true", false: "was true", item: "had no more items", over: "was left before it was over", caught: "did not match the exception", matched: "did not match" }[arm];
    const back = this.at, names = this.files[fileAt].reads[decider] || [];
    this.replay.seek(event);
    const operands = names.slice(0, 4).map((name) => [name, this.lookup(name)]).filter(([, handle]) => handle !== undefined).map(([name, handle]) => `${name} = ${this.previewOf(handle)}`);
    this.replay.seek(back);
    const text = this.files[fileAt].lines[decider - 1].trim();
    return [`${nHits ? "Not reached in this call so far" : "Never reached"}: line ${decider}, `, `\u201c${clip(text, 70)}\u201d, ${words}${nDecided > 1 ? `, in all ${nHits ? "runs so far" : `${nDecided.toLocaleString("en")} runs`}, last` : ""} at step `, { event },
      operands.length ? ` with ${operands.join(", ")}` : "", next !== undefined ? `; the run went on in line ${t.line[next]}.` : "; then the call was over."];
  }

  // ---------------------------------------------------------------- drawing

  selectLine(file, line) {
    this.selected = { file, line };
    this.hasChosenLine = true;
    this.drawSelectedLine();
    if (this.panels.name === "watch" && this.panels.watched) this.panels.watch(this.panels.watched.text);
    else if (this.panels.name === "watch") this.panels.draw();
    else this.panels.show("line");
    this.remember();
  }

  drawSelectedLine() {
    const { source } = this, row = this.hasChosenLine && source.file === this.selected.file ? source.rows[this.selected.line] : null;
    if (row === this.selectedRow) return;
    this.selectedRow?.classList.remove("selected");
    row?.classList.add("selected");
    this.selectedRow = row;
  }

  selectCell(name) {
    this.cell = name;
    this.markCell();
    this.panels.show("why");
    this.remember();
  }

  markCell() {
    for (const element of document.querySelectorAll("[data-cell].chosen")) element.classList.remove("chosen");
    if (this.cell) this.state.root.querySelector(`[data-cell="${CSS.escape(this.cell)}"]`)?.classList.add("chosen");
  }

  beliefOf(cell, name) { return this.belief?.cell(cell, name) ?? null; }

  draw() {
    this.belief?.move();
    this.source.draw();
    if (!this.hasChosenLine) this.selected = { file: this.source.file, line: this.trace.line[Math.max(0, Math.min(this.at, this.trace.n - 1))] || 1 };
    this.state.draw();
    this.belief?.draw();
    this.strip.draw();
    this.markCell();
    if (this.panels.name !== "watch" || this.panels.watched) this.panels.draw();
    this.footer();
    this.source.reveal();
    this.remember();
  }

  /** Where this is, in words: also what a screen reader is told. */
  where() {
    const t = this.trace, event = this.at;
    if (event >= t.n) return `end, ${this.meta.outcome.text}`;
    const kind = t.kind[event], word = { [KIND.RETURN]: "returns", [KIND.RAISE]: "raises", [KIND.YIELD]: "yields" }[kind];
    const step = `step ${this.stepName(event)} of ${this.index.nSteps.toLocaleString("en")}, line ${t.line[event]}`;
    if (word) return `${step}, ${word} ${this.previewOf(t.value[event])}`;
    if (kind === KIND.EXPRESSION) return `${step}, ${this.source.spanText(event)} is ${this.previewOf(t.value[event])}`;
    return step;
  }

  footer() {
    const field = document.getElementById("step");
    if (document.activeElement !== field) field.value = this.at >= this.trace.n ? "end" : this.stepName(this.at);
    document.getElementById("of").textContent = `of ${this.index.nSteps.toLocaleString("en")}`;
    document.getElementById("where").replaceChildren(...visible(this.at >= this.trace.n ? "end of the run" : this.where()));
    for (const button of document.querySelectorAll("[data-move]")) button.disabled = button.dataset.move.startsWith("back") || button.dataset.move === "first" ? this.stop === 0 : this.stop >= this.stops.length - 1;
    document.body.classList.toggle("at-end", this.at >= this.trace.n);
    clearTimeout(this.telling);
    this.telling = setTimeout(() => { document.getElementById("live").textContent = this.narration(); }, 300);
  }

  narration() {
    const changed = [...this.changes.cells].slice(0, 3).map((cell) => { const handle = this.valueOf(cell); return handle === undefined ? null : `${this.cellOf(cell).title} is ${this.previewOf(handle)}`; }).filter(Boolean);
    return [this.where(), ...changed, this.belief?.sentence()].filter(Boolean).join(". ");
  }

  outputNote() {
    const n = this.meta.output.length;
    return this.outputs.length ? "Printed by this step in full ink; what comes later is pale." : `All that the run printed, ${n.toLocaleString("en")} characters${this.meta.outputCut ? ", cut at the limit" : ""}; at which step is not recorded.`;
  }

  header() {
    const { meta } = this, outcome = document.getElementById("outcome");
    document.getElementById("call").replaceChildren(...visible(meta.call));
    outcome.replaceChildren(...visible(meta.outcome.text));
    outcome.title = meta.outcome.text;
    outcome.className = `outcome ${meta.outcome.tone}`;
    const levels = this.levels();
    document.getElementById("levels").replaceChildren(...(levels.length > 1 ? levels.map((name) => h("label", null, h("input", { type: "radio", name: "level", value: name, checked: name === this.level, onchange: () => { this.setLevel(name); this.goEvent(this.at); } }), h("span", { text: name }))) : []));
    const notes = document.getElementById("notes");
    notes.replaceChildren(...meta.notes.map((note) => h("p", null, visible(note))));
    notes.hidden = !meta.notes.length;
  }

  say(text) { document.getElementById("live").textContent = text; const toast = document.getElementById("toast"); toast.textContent = text; toast.hidden = false; clearTimeout(this.toasting); this.toasting = setTimeout(() => { toast.hidden = true; }, 1800); }

  // ---------------------------------------------------------------- the moment in the address

  /** Write the moment into the fragment once the reader rests. */
  remember() {
    clearTimeout(this.writing);
    this.writing = setTimeout(() => {
      const parts = [`s=${this.at >= this.trace.n ? "end" : this.stepName(this.at)}`];
      if (this.level !== "line") parts.push(`v=${this.level}`);
      if (this.cell) parts.push(`c=${encodeURIComponent(this.cell)}`);
      if (this.hasChosenLine) parts.push(`l=${this.selected.file}.${this.selected.line}`);
      if (this.panels.watched) parts.push(`w=${encodeURIComponent(this.panels.watched.text)}`);
      if (this.belief && this.meta.runs.length > 1) parts.push(`m=${this.belief.chosen}`);
      this.written = `#${parts.join("&")}`;
      if (location.protocol !== "about:") try { history.replaceState(null, "", this.written); } catch { location.hash = this.written; }
    }, 300);
  }

  fromFragment() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    if (!wanted.has("s")) return false;
    const level = wanted.get("v");
    if (level && this.levels().includes(level)) this.setLevel(level);
    if (wanted.has("c") && /^[vgekma]\|\d+\|/.test(wanted.get("c"))) this.cell = wanted.get("c");
    const [file, line] = (wanted.get("l") || "").split(".").map(Number);
    if (this.files[file]?.lines[line - 1] !== undefined) { this.selected = { file, line }; this.hasChosenLine = true; }
    if (this.belief && wanted.has("m")) this.belief.choose(+wanted.get("m") || 0);
    const [step, after] = wanted.get("s").split(".").map(Number);
    if (wanted.get("s") === "end") this.go(this.stops.length - 1);
    else if (!Number.isInteger(step) || step < 0 || step > this.index.nSteps) { this.say(`no step ${wanted.get("s")}`); this.go(this.first()); }
    else this.goEvent(Math.min(this.trace.n, (step > 0 ? this.index.lineEvents[step - 1] : 0) + (after || 0)));
    if (wanted.get("w")) { this.panels.watch(wanted.get("w")); this.panels.show("watch"); } else if (this.cell) this.panels.show("why");
    return true;
  }
}

/** Head of a run of the page, and the blocks of its levels. */
async function runIn(id) {
  const bytes = await deskcheck.unpacked(id);
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true), meta = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)));
  let at = 4 + size;
  const blocks = meta.levels.map((level) => { const part = bytes.subarray(at, at + level.size); at += level.size; return part; });
  return [meta, blocks];
}
