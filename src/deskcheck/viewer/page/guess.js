// Guess mode: the reader plays the model. What a line does is asked before it is shown, judged as answers are,
// counted, and saved as lines that `deskcheck grade` reads.

class Guess {
  constructor(app) {
    this.app = app; this.given = []; this.asked = null; this.reading = reading(app.meta.language);
    this.root = document.getElementById("panel-guess");
    this.form = h("form.guess-form", { onsubmit: (event) => { event.preventDefault(); this.answer(); } });
    this.note = h("p", { role: "status", "aria-live": "polite" });
    this.score = h("p.score");
    this.after = h("p.guess-after");
    this.root.replaceChildren(this.form, this.note, this.score, this.after);
  }

  get isOn() { return document.body.classList.contains("guessing"); }

  toggle() {
    const { app } = this, on = !this.isOn;
    if (on) { app.setLevel("line"); app.goEvent(app.index.lineEvents[0] ?? app.trace.n); this.place = app.stop; }
    document.body.classList.toggle("guessing", on);
    for (const tab of app.panels.tabs) { tab.disabled = on && tab.dataset.panel !== "guess"; if (tab.dataset.panel === "guess") tab.hidden = !on; }
    if (on) {
      this.before = app.panels.name;
      this.next();
      app.panels.show("guess");
      this.focus();
    } else { app.panels.show(this.before || "why"); app.draw(); }
  }

  focus() { this.root.querySelector("input")?.focus(); }

  /** The question about the step that begins here: a variable that it changes, the result, or the line after it. */
  question() {
    const { app } = this, { trace: t, index } = app, from = app.at, to = app.stops[app.stop + 1];
    if (to === undefined || from >= t.n) return null;
    const line = t.line[from], step = app.index.stepOf[from], about = { step, line, text: app.lineText(from).trim() };
    if (app.stop + 1 === app.stops.length - 1 && t.result >= 0) {
      const truth = this.literalAt(t.n, t.result);
      if (truth !== null) return { ...about, kind: "output", name: "", truth, words: `What does ${app.meta.call} return?` };
    }
    app.replay.seek(to);
    const changed = new Map();
    for (let event = from + 1; event <= Math.min(to, t.n); event++) for (let [c, end] = t.changesOf(event); c < end; c++) {
      if (t.place[c] <= PLACE.FREE && t.owner[c] === t.frame[from] && t.op[c] !== OP.DELETE) changed.set(t.body(t.key[c]), t.newValue[c]);
    }
    const places = app.replay.frames.get(t.frame[from])?.names || new Map(), touched = new Set();
    for (let event = from + 1; event <= Math.min(to, t.n); event++) for (let [c, end] = t.changesOf(event); c < end; c++) if (t.place[c] >= PLACE.ELEMENT) touched.add(t.owner[c]);
    for (const [name, value] of places) if (t.isRef(value) && touched.has(t.valueNumber[value]) && !changed.has(name)) changed.set(name, value);
    let found = null;
    if (to < t.n && t.frame[to] === t.frame[from] && t.kind[to] === KIND.LINE) for (const [name, value] of changed) {
      const truth = found || name.startsWith(".") ? null : this.literal(value, 0);
      if (truth !== null && truth.length <= 300) found = { ...about, kind: "step", name, truth, words: `Line ${line} runs now. What is ${name} after it?` };
    }
    app.replay.seek(from);
    if (found || to >= t.n) return found;
    return { ...about, kind: "step", name: "next line", truth: String(t.line[to]), words: `Line ${line} runs now. Which line is next?` };
  }

  literalAt(event, handle) {
    const { replay, at } = this.app;
    replay.seek(event);
    const text = this.literal(handle, 0);
    replay.seek(at);
    return text;
  }

  /** Plain data as a literal; null for anything else. */
  literal(handle, depth) {
    const { trace: t, replay } = this.app;
    if (!t.isRef(handle)) { const text = t.scalar(handle); return this.reading.key(text) === null ? null : text; }
    const object = replay.object(t.valueNumber[handle]), type = t.objectType(object.number);
    if (this.reading.key === javascriptKey) return this.javascript(object, type, depth);
    if (depth > 20 || !["list", "tuple", "dict", "set", "frozenset"].includes(type) || object.attributes.size) return null;
    const inner = (one) => this.literal(one, depth + 1);
    const parts = type === "dict" ? [...object.entries].map(([key, value]) => [inner(key), inner(value)]) : (type.endsWith("set") ? [...object.entries.keys()] : object.items).map(inner);
    if (parts.flat().includes(null)) return null;
    if (type === "dict") return `{${parts.map((pair) => pair.join(": ")).join(", ")}}`;
    if (type === "list") return `[${parts.join(", ")}]`;
    if (type === "tuple") return parts.length === 1 ? `(${parts[0]},)` : `(${parts.join(", ")})`;
    return parts.length ? (type === "set" ? `{${parts.join(", ")}}` : `frozenset({${parts.join(", ")}})`) : `${type}()`;
  }

  /** An array, a plain object, a Map or a Set as JavaScript writes it; null for anything else. */
  javascript(object, type, depth) {
    if (depth > 20 || !["Array", "Object", "Map", "Set"].includes(type) || object.attributes.size) return null;
    const inner = (one) => this.literal(one, depth + 1), entries = [...object.entries];
    const parts = type === "Array" ? object.items.map(inner) : entries.map(([key, value]) => (type === "Set" ? inner(key) : [inner(key), inner(value)]));
    if (parts.flat().includes(null)) return null;
    if (type === "Array") return `[${parts.join(", ")}]`;
    if (type === "Set") return `new Set([${parts.join(", ")}])`;
    if (type === "Map") return `new Map([${parts.map((pair) => `[${pair.join(", ")}]`).join(", ")}])`;
    return `{${parts.map((pair) => pair.join(": ")).join(", ")}}`;
  }

  next() {
    const { app } = this;
    // Steps at which nothing can be asked are shown at once.
    for (let guard = 0; guard < 100000; guard++) {
      this.asked = this.question();
      if (this.asked || app.stop >= app.stops.length - 1) break;
      this.move();
    }
    app.go(app.stop);
    this.draw();
  }

  /** To the step after the one that was asked about, wherever the reader has looked meanwhile. */
  move() {
    const { app } = this;
    this.place = Math.min(this.place + 1, app.stops.length - 1);
    app.stop = this.place; app.at = app.stops[app.stop];
    app.replay.seek(app.at);
  }

  draw() {
    const { asked } = this;
    if (asked) {
      const input = h("input", { id: "guess", autocomplete: "off", spellcheck: "false", "aria-describedby": "guess-form" });
      this.form.replaceChildren(h("label", { for: "guess" }, h("b", null, visible(asked.words)), " ", h("code", null, visible(clip(asked.text, 90)))), h("span.guess-row", null, input, h("button.main", null, "Answer"), h("button", { type: "button", onclick: () => this.show() }, "Show me")),
        h("span.hint", { id: "guess-form", text: this.reading.hint }));
    } else this.form.replaceChildren(h("p", { text: "The run is over." }));
    this.drawScore();
  }

  drawScore() {
    const counted = this.given.filter((one) => one.verdict !== "shown"), right = counted.filter((one) => one.verdict === "right").length, shown = this.given.length - counted.length;
    this.score.textContent = counted.length ? `You: ${right} of ${counted.length} right (${Math.round((100 * right) / counted.length)} %, n = ${counted.length})${shown ? `; ${shown} shown` : ""}.` : "";
    const others = (this.app.meta.runs || []).filter((run) => run.verdict).map((run) => `${run.name}: result ${run.verdict}`);
    this.after.replaceChildren(...(this.given.length ? [h("button", { type: "button", onclick: () => this.save() }, "Save my answers"), " ", h("button", { type: "button", onclick: () => this.toggle() }, "End"), ...(this.asked ? [] : [" ", h("span.hint", null, visible(others.join("; ")))])] : [h("button", { type: "button", onclick: () => this.toggle() }, "End")]));
  }

  answer() {
    const text = document.getElementById("guess")?.value ?? "";
    if (!this.asked || !text.trim()) return;
    const verdict = judge(text, this.asked.truth, this.reading.key);
    if (verdict === "not readable") { this.tell(`That cannot be read as a ${this.reading.name} literal; it does not count. Try again.`, ""); return; }
    this.tell(verdict === "right" ? `✓ Right: ${this.asked.truth}` : `✗ Wrong: you said ${text.trim()}, it is ${this.asked.truth}`, verdict);
    this.put(verdict, text);
  }

  show() { this.tell(`It is ${this.asked.truth}`, ""); this.put("shown", ""); }

  tell(text, verdict) { this.note.replaceChildren(...visible(text)); this.note.className = `guess-note ${verdict}`; }

  put(verdict, answer) {
    const { step, line, kind, name, truth } = this.asked;
    this.given.push({ step, line, kind, name, answer, truth, verdict });
    this.move();
    this.next();
    this.focus();
  }

  /** The answers, one JSON object a line. */
  lines() {
    return this.given.map(({ step, line, kind, name, answer, truth, verdict }) => JSON.stringify({ id: this.app.meta.task, completion: verdict === "shown" ? "" : `[ANSWER]${answer.trim()}[/ANSWER]`, model: "human", strategy: "guess", kind, guess: { step, line, name, answer, truth, verdict } })).join("\n") + "\n";
  }

  save() {
    const link = h("a", { download: "guesses.jsonl", href: URL.createObjectURL(new Blob([this.lines()], { type: "application/x-ndjson" })) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    this.app.say("guesses.jsonl: deskcheck grade --generations guesses.jsonl counts them");
  }
}
