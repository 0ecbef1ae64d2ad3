// Truth beside belief: where a model's states leave the true ones, in which cell, and how.

class Belief {
  constructor(app) {
    this.app = app; this.runs = app.meta.runs; this.chosen = Math.max(0, this.runs.findIndex((run) => run.first >= 0), this.runs.some((run) => run.first >= 0) ? 0 : this.runs.findIndex((run) => run.wrote));
    this.banner = document.getElementById("divergence");
    document.getElementById("tab-belief").hidden = false;
    app.beliefStrip = (context, sizes) => this.paint(context, sizes);
    app.drawBeliefPanel = () => this.panel();
    app.panels.name = "belief";
    document.body.classList.add("has-belief");
    app.strip.paint();
  }

  get run() { return this.runs[this.chosen]; }
  /** Events of the states in the trace that is open, in ascending order. */
  get events() { return this.run.events[this.app.opened]; }

  choose(at, tell = false) {
    this.chosen = ((at % this.runs.length) + this.runs.length) % this.runs.length;
    this.app.strip.paint();
    this.app.draw();
    if (tell) this.app.say(`${this.chosen + 1} of ${this.runs.length}: ${this.run.name}`);
  }

  eventOf(k) { return k < this.events.length ? this.events[k] : this.app.trace.n; }
  /** Stop of a state: where a reader sees it; calls have none of their own, so the first stop from there. */
  stopOf(k) { const stops = this.app.stops, at = last(stops, this.eventOf(k)); return at >= 0 && stops[at] === this.eventOf(k) ? at : Math.min(at + 1, stops.length - 1); }
  firstStop() { return this.run.first >= 0 ? this.stopOf(this.run.first) : null; }

  first() {
    const { run } = this;
    if (run.first < 0) { this.app.say("model and truth never part"); return; }
    this.app.go(this.stopOf(run.first));
    this.focusCell();
  }

  /** The differing cell: chosen, in sight and focused. */
  focusCell() {
    const cell = this.app.state.root.querySelector(".belief.wrong");
    const target = cell?.closest(".row")?.querySelector("[data-cell]") || cell;
    target?.scrollIntoView({ block: "nearest" });
    target?.focus({ preventScroll: true });
  }

  /** The next change from right to wrong. */
  next(direction) {
    const { steps } = this.run;
    for (let k = this.k + direction; k > 0 && k < steps.length; k += direction) {
      if (steps[k][0] === "differs" && steps[k - 1][0] !== "differs") { this.app.go(this.stopOf(k)); this.focusCell(); return; }
    }
    this.app.say(direction > 0 ? "no divergence after this" : "no divergence before this");
  }

  move() {
    const { app } = this;
    this.k = app.at >= app.trace.n ? this.run.steps.length - 1 : last(this.events, app.at);
    this.step = this.run.steps[this.k] || ["ended"];
    this.cells = new Map();
    if (this.step[0] === "differs" || this.step[0] === "told") for (const cell of this.step[3]) this.cells.set(`${cell[0]}|${cell[1]}`, cell);
    this.depths = new Map([...app.replay.frames.keys()].map((frame, depth) => [frame, depth]));
  }

  wordsOf(words) { return words.map((word) => (typeof word === "string" ? word : `${word[0]} step ${this.app.stepName(this.eventOf(word[1]))}`)).join(", "); }

  /** What the model believes of a variable, beside it. */
  cell(cell, name) {
    const [kind, frame] = cell.split("|");
    if (kind !== "v" || this.k < 0 || this.step[0] === "skipped" || this.step[0] === "silent") return null;
    const about = this.cells.get(`${this.depths.get(+frame)}|${name}`);
    if ((this.step[0] === "told" || this.run.claims.length) && !about) return null;
    if (this.step[0] === "told") return h("div.dd.belief.same", null, h("span.sign", { "aria-hidden": true, text: "✓" }), h("span.unseen", { text: "the text says " }), h("span.said", null, visible(about[2])));
    if (this.step[0] === "ended") return h("div.dd.belief.gone", null, h("span.sign", { "aria-hidden": true, text: "∅" }), h("span.unseen", { text: "the model has ended" }));
    const wrong = this.step[0] === "differs" && about;
    if (!wrong) return this.step[0] === "differs" && this.step[2] < 0 ? null : h("div.dd.belief.same", null, h("span.sign", { "aria-hidden": true, text: "✓" }), h("span.unseen", { text: "the model agrees" }));
    return h("div.dd.belief.wrong", null, h("span.sign", { "aria-hidden": true, text: "✗" }), h("span.unseen", { text: "the model says " }), h("span.said", null, visible(wrong[2] || "nothing")), h("span.word", { text: this.wordsOf(wrong[3]) }));
  }

  draw() {
    const { app, run, step } = this;
    // What the model has and the truth has not, and what belongs to no variable.
    const running = app.state.root.querySelector(".frame.runs .rows") || app.state.root.querySelector(".frame .rows");
    for (const [frame, name, said, words, true_] of step[0] === "differs" ? this.cells.values() : []) {
      const shown = app.state.root.querySelector(`.row[data-name="${CSS.escape(name)}"] .belief.wrong`);
      if (shown || !running) continue;
      const title = frame < 0 || name === "" ? name || "reply" : name === "<-" ? "returned value" : name.startsWith("~") ? `loop ${name.slice(1)}` : name;
      running.append(h("div.row.only-belief", null, h("div.dt", null, visible(title)), h("div.dd", null, visible(true_ || "—")), h("div.dd.belief.wrong", null, h("span.sign", { "aria-hidden": true, text: "✗" }), h("span.said", null, visible(said)), h("span.word", { text: this.wordsOf(words) }))));
    }
    for (const row of app.source.root.querySelectorAll(".model-here")) { row.classList.remove("model-here"); row.querySelector(".model-mark")?.remove(); }
    if (step[0] === "differs" && step[2] > 0) {
      const row = app.source.rows[step[2]], t = app.trace, here = app.at < t.n ? t.line[app.at] : -1;
      if (row && step[2] !== here) { row.classList.add("model-here"); row.querySelector(".text").append(h("span.model-mark", { text: "◆ the model is here" })); }
    }
    this.header();
  }

  header() {
    const { run, app } = this, parts = [];
    const names = h("span.models", { role: "group", "aria-label": "models" }, this.runs.map((each, at) => h(`button${at === this.chosen ? ".on" : ""}`, { type: "button", "aria-pressed": at === this.chosen, onclick: () => this.choose(at) }, `${signOf(each)} `, visible(each.name))));
    parts.push(names, h("span.verdict", null, visible(this.summary())));
    if (run.first >= 0) parts.push(h("button.jump", { type: "button", onclick: () => this.first() }, "first divergence ", h("kbd", { text: "f" })));
    this.banner.className = `divergence ${signOf(run) === "✗" ? "parts" : "agrees"}`;
    this.banner.replaceChildren(...parts);
    this.banner.hidden = false;
  }

  /** The finding in one sentence. */
  summary() {
    const { run, app } = this, nTrue = this.events.length - 1;
    const answer = run.answer ? `, answer ${clip(run.answer, 60)}${run.verdict ? ` (${run.verdict})` : ""}` : "";
    if (run.claims.length) return this.stated(answer);
    if (!run.wrote) return `wrote no states${answer}`;
    if (run.first < 0) {
      const known = run.steps.filter((step) => step[0] === "same").length - 1;
      return known >= nTrue - 1 ? `agrees with the truth in all ${nTrue.toLocaleString("en")} states${answer}` : `agrees for ${known} of ${nTrue} states, then ends${answer}`;
    }
    const [, , , cells] = run.steps[run.first], [frame, name, said, words, true_] = cells[0], event = this.eventOf(run.first);
    const place = `step ${app.stepName(event)}, line ${event < app.trace.n ? app.trace.line[event] : "?"}`;
    const what = frame < 0 || name === "" ? `${this.wordsOf(words)}: ${said ? `the model is at ${said}, the truth at ${true_}` : "the states differ"}` : `${shownName(name)} is ${clip(true_ || "not there", 50)}, the model says ${clip(said || "nothing", 50)} (${this.wordsOf(words)})`;
    const rest = run.rejoined > 0 ? `; rejoined at step ${app.stepName(this.eventOf(run.rejoined))}` : "; never rejoined";
    return `parts at ${place}: ${what}${rest}${answer}`;
  }

  /** The finding in a text: its first false statement. */
  stated(answer) {
    const { run, app } = this, n = run.claims.length, decided = `of ${n === 1 ? "1 statement" : `${n} statements`} about the state that could be looked up`;
    if (run.first < 0) return `${decided}, none is false${answer}`;
    const [, name, said, words, true_] = run.steps[run.first][3][0], event = this.eventOf(run.first);
    const place = `${event < app.trace.n ? `step ${app.stepName(event)}` : "the end"}${run.ran ? `, after line ${run.ran}` : ""}`;
    return `first false statement at ${place}: ${clip(name, 40)} is ${clip(true_ || "not there", 70)}, the text says ${clip(said, 70)}${words[0] === "false" ? "" : ` (${words[0]})`}${run.quote ? `: “${clip(run.quote, 160)}”` : ""}; ${run.claims.filter((claim) => !claim[3]).length} false ${decided}${answer}`;
  }

  sentence() {
    if (this.step[0] === "silent") return "";
    if (this.step[0] === "told") return "The text says so too";
    if (this.step[0] === "same") return "The model agrees";
    if (this.step[0] === "ended") return "The model has ended";
    if (this.step[0] === "skipped") return "The model jumps over this step";
    const [frame, name, said, words] = this.step[3][0];
    return `The model differs: ${frame < 0 ? this.wordsOf(words) : `${shownName(name)} is ${said || "nothing"}, ${this.wordsOf(words)}`}`;
  }

  /** Bands of agreement, one a model, along the lower edge; what differs is hatched, never colored alone. */
  paint(context, { width, height, scale, color }) {
    const { trace: t, strip } = this.app, x = (event) => (strip.placeOf(event) / strip.n) * width, tall = Math.max(3 * scale, Math.floor((9 * scale) / this.runs.length));
    this.runs.forEach((run, at) => {
      const events = run.events[this.app.opened], top = height - (at + 1) * (tall + scale);
      run.steps.forEach(([how], k) => {
        const event = k < events.length ? events[k] : t.n, from = Math.min(width - 2 * scale, x(event)), next = k + 1 < events.length ? events[k + 1] : t.n;
        const until = Math.max(from + scale, x(next));
        context.fillStyle = color(how === "same" || how === "told" ? "--right" : how === "differs" ? "--wrong" : "--line");
        if (how === "differs") for (let x = Math.floor(from); x < until; x++) { if (Math.floor(x / (2 * scale)) % 2 === 0) context.fillRect(x, top, 1, tall); else context.fillRect(x, top + tall / 2, 1, tall / 2); }
        else context.fillRect(from, top + tall / 3, until - from, tall / 3);
      });
      if (run.first >= 0) {
        const at = x(run.first < events.length ? events[run.first] : t.n);
        context.fillStyle = color("--wrong");
        context.beginPath(); context.moveTo(at - 4 * scale, top - 7 * scale); context.lineTo(at + 4 * scale, top - 7 * scale); context.lineTo(at, top); context.fill();
      }
    });
  }

  /** The reply, with the statements that were looked up as buttons. */
  reply() {
    const { run, app } = this, parts = [];
    let from = 0;
    for (const [start, end, k, isTrue] of run.claims) {
      parts.push(...visible(run.text.slice(from, start)), h(`button.claim${isTrue ? ".true" : ".false"}${k === this.k ? ".now" : ""}`, { type: "button", title: `step ${app.stepName(this.eventOf(k))}`, onclick: () => app.go(this.stopOf(k)) }, h("span.sign", { text: isTrue ? "✓" : "✗" }), visible(run.text.slice(start, end))));
      from = end;
    }
    parts.push(...visible(run.text.slice(from)));
    return parts;
  }

  /** The model's own text: its states linked to steps, then its reply. */
  panel() {
    const { run, app } = this, root = document.getElementById("panel-belief"), from = Math.max(0, this.k - 8), rows = [];
    for (let k = from; k < Math.min(run.states.length, from + 60); k++) {
      const how = run.steps[k]?.[0] ?? "differs";
      rows.push(h(`li${k === this.k ? ".now" : ""}.${how}`, null, h("button.step", { type: "button", onclick: () => app.go(this.stopOf(k)), text: k === 0 ? "call" : app.stepName(this.eventOf(k)) }), h("span.sign", { text: { same: "✓", skipped: "·" }[how] || "✗", title: { same: "as in the true run", skipped: "within a jump" }[how] || "not as in the true run" }), h("code", null, visible(clip(run.states[k] || "(not readable)", 400)))));
    }
    const parts = [];
    if (run.states.length > 1) parts.push(h("p.hint", { text: `States that the model wrote; @ is the line that is next. ${from > 0 ? `${from} before these. ` : ""}` }), h("ol.states", null, rows));
    if (run.states.length > from + 60) parts.push(h("p.hint", { text: `${run.states.length - from - 60} more after these: step on to see them.` }));
    if (run.text) parts.push(h("h3", { text: run.claims.length ? "Its reply: statements about the state, ✓ true and ✗ false, lead to their steps" : "Its reply" }), h("pre.output", null, this.reply()), run.cut ? h("p.hint", { text: `${run.cut.toLocaleString("en")} more characters were left out.` }) : null);
    if (run.expected) parts.push(h("p", null, "Its answer ", h("code", null, visible(run.answer || "none")), ", the truth ", h("code", null, visible(run.expected)), "."));
    root.replaceChildren(...parts.filter(Boolean));
    const now = root.querySelector(".now") || root.querySelector(".claim.false");
    if (now) root.scrollTop = Math.max(0, now.offsetTop - root.offsetTop - 40);
  }
}

/** Right or wrong in states and answer; a dash where neither is known. */
function signOf(run) { return run.first >= 0 || run.verdict === "wrong" ? "✗" : run.wrote || run.verdict === "right" ? "✓" : "–"; }

function shownName(name) { return name.startsWith("~") ? `the position of loop ${name.slice(1)}` : name === "<-" ? "the returned value" : name; }
