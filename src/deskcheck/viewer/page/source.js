// The source pane: lines with hits, the line that ran and the next one, values in the line, expression boxes, loops.

const LONG_LINE = 1000;

class SourcePane {
  constructor(app, root = document.getElementById("source")) {
    this.app = app; this.root = root; this.file = -1; this.rows = [];
    this.root.addEventListener("click", (event) => {
      const button = event.target.closest("[data-line]");
      if (button && !event.target.closest(".loop")) app.selectLine(this.file, +button.closest("[data-line]").dataset.line);
    });
  }

  open(file) {
    if (file === this.file) return;
    this.file = file;
    const { lines, tokens } = this.app.files[file], hits = this.app.index.hits[file];
    this.rows = [null];
    const most = Math.max(...hits), wide = String(lines.length).length;
    this.root.style.setProperty("--digits", Math.max(2, wide));
    this.root.style.setProperty("--hits", Math.max(3, most.toLocaleString("en").length));
    const shown = lines.length > 1 && lines[lines.length - 1] === "" ? lines.slice(0, -1) : lines;
    const parts = shown.map((text, at) => {
      const number = at + 1, code = h("code", null, this.code(text, tokens[at] || []));
      code.style.setProperty("--indent", /^\s*/.exec(text)[0].length);
      const row = h(`div.line${hits[number] ? "" : ".unreached"}`, { "data-line": number },
        h("button.number", { type: "button", tabindex: -1, "aria-label": `line ${number}, ${hits[number]} times`, text: number }),
        h("span.hits", { text: hits[number] ? hits[number].toLocaleString("en") : "", title: hits[number] ? `ran ${hits[number].toLocaleString("en")} times` : "" }),
        h("span.mark", { "aria-hidden": true }), h("span.text", null, code, h("span.loops"), h("span.aside")), h("div.below"));
      this.rows.push(row);
      return row;
    });
    this.root.replaceChildren(...parts);
    this.marked = [];
  }

  /** Pieces of a line with the classes of its tokens. */
  code(text, tokens, from = 0, to = text.length) {
    const parts = [], end = Math.min(to, LONG_LINE);
    let at = from;
    if (!from) { const [indent] = /^[ \t]*/.exec(text); if (indent) parts.push(h("span.indent", { text: indent })); at = indent.length; }
    for (let i = 0; i + 2 < tokens.length && tokens[i] < end; i += 3) {
      const start = Math.max(tokens[i], at), stop = Math.min(tokens[i] + tokens[i + 1], end);
      if (stop <= start) continue;
      if (start > at) parts.push(...visible(text.slice(at, start)));
      parts.push(h(`span.${tokens[i + 2]}`, null, visible(text.slice(start, stop))));
      at = stop;
    }
    if (at < end) parts.push(...visible(text.slice(at, end)));
    if (to > LONG_LINE && from < LONG_LINE) parts.push(h("span.cut", { text: ` … ${(text.length - LONG_LINE).toLocaleString("en")} more characters in this line` }));
    return parts;
  }

  draw() {
    const { app } = this, t = app.trace, i = Math.min(app.at, t.n - 1);
    if (i < 0) { this.open(0); return; }
    this.open(app.index.fileAt(i) ?? 0);
    for (const row of this.marked) {
      row.classList.remove("next", "ran", "here");
      row.querySelector(".mark").textContent = "";
      row.querySelector(".aside").replaceChildren();
      row.querySelector(".loops").replaceChildren();
      row.lastChild.replaceChildren();
    }
    this.marked = [];
    for (const row of this.boxed || []) this.restore(row);
    this.boxed = [];
    const frame = t.frame[i], over = app.at >= t.n, kind = over ? -1 : t.kind[i];
    const ran = kind === KIND.LINE ? app.index.ranBefore(i, frame) : app.index.ranBefore(i + 1, frame);
    this.asides(i, frame);
    this.drawShades(i, frame);
    if (ran >= 0) this.mark(t.line[ran], kind === KIND.LINE ? "ran" : "here", kind === KIND.LINE ? "△" : { [KIND.RETURN]: "↩", [KIND.RAISE]: "✕", [KIND.YIELD]: "⇥" }[kind] || "▶");
    if (kind === KIND.LINE) this.mark(t.line[i], "next", "▶");
    this.boxes(i, frame, kind);
    this.loops(i, frame);
    this.app.drawSelectedLine();
    this.current = this.rows[t.line[i]];
  }

  mark(line, name, sign) {
    const row = this.rows[line];
    if (!row) return;
    row.classList.add(name);
    row.querySelector(".mark").textContent = sign;
    this.marked.push(row);
  }

  touch(line) {
    const row = this.rows[line];
    if (row) this.marked.push(row);
    return row;
  }

  /** Bring the current line into sight; last of all, since it asks for the layout. */
  reveal() {
    const row = this.current;
    if (!row) return;
    const pane = this.root, top = row.offsetTop - pane.offsetTop, height = pane.clientHeight;
    if (pane.scrollHeight <= height + 1) return;
    if (top < pane.scrollTop + 24 || top + row.offsetHeight > pane.scrollTop + height - 48) pane.scrollTop = Math.max(0, top - height / 2.5);
  }

  /** Two shades: lines that this call has run by now, and lines that only other calls or later steps run. */
  drawShades(i, frame) {
    const seen = new Set();
    for (const [line, first] of this.app.index.firstRuns(frame)) if (first <= i) seen.add(line);
    const name = `${frame}:${[...seen].join()}`;
    if (name === this.shaded) return;
    this.shaded = name;
    for (let line = 1; line < this.rows.length; line++) this.rows[line].classList.toggle("this-call", seen.has(line));
  }

  /** What each line of this iteration made, beside it. */
  asides(i, frame) {
    const { index, trace: t, values } = this.app, events = index.linesOfFrame(frame);
    const seen = new Set();
    let at = last(events, i), until = i;
    if (at >= 0 && events[at] === i) at--;
    for (let left = 40; at >= 0 && left > 0; at--, left--) {
      const line = t.line[events[at]];
      if (seen.has(line)) break;
      seen.add(line);
      const texts = new Map(), from = events[at] + 1;
      if (until - from > 4000) break;
      for (let event = from; event <= until; event++) {
        if (t.frame[event] !== frame && event !== until) continue;
        for (let [c, end] = t.changesOf(event); c < end; c++) {
          if (t.place[c] > PLACE.FREE || t.owner[c] !== frame) continue;
          const name = t.body(t.key[c]);
          if (t.op[c] === OP.DELETE) texts.delete(name);
          else texts.set(name, t.isRef(t.newValue[c]) ? values.preview(t.valueNumber[t.newValue[c]], 28) : clip(values.scalar(t.newValue[c]), 36));
        }
      }
      if (texts.size) {
        const row = this.touch(line);
        row?.querySelector(".aside").append(...visible([...texts].map(([name, text]) => `${name} = ${text}`).join(", ")));
      }
      until = events[at];
    }
  }

  // ---------------------------------------------------------------- expressions and instructions

  boxes(i, frame, kind) {
    const { trace: t, index, app } = { ...this.app, app: this.app, trace: this.app.trace, index: this.app.index };
    if (app.level === "instruction") { this.instruction(i, kind); return; }
    if (t.granularity !== "expression") return;
    const start = kind === KIND.LINE ? index.ranBefore(i, frame) : index.ranBefore(i + 1, frame);
    if (start < 0) return;
    const line = t.line[start], found = [];
    for (let event = start + 1; event <= i && event < t.n && found.length < 60; event++) {
      if (t.kind[event] === KIND.EXPRESSION && t.frame[event] === frame) found.push(event);
    }
    const row = this.touch(line);
    if (!found.length || !row) return;
    const list = h("ol.boxes", { "aria-label": "expressions in order of evaluation" }, found.map((event, at) => {
      const now = event === i, text = this.spanText(event);
      return h(`li.box${now ? ".now" : ""}`, { "data-event": event }, h("button", { type: "button", onclick: () => app.goEvent(event), "aria-label": `${text} is ${app.values.text(t.value[event])}` },
        h("span.expr", null, visible(clip(text, 40))), h("span.gives", null, visible(clip(app.previewOf(t.value[event]), 44)))));
    }));
    row.lastChild.replaceChildren(list);
    if (kind === KIND.EXPRESSION) this.outline(i, row);
  }

  /** Source text of the expression of an event. */
  spanText(event) {
    const t = this.app.trace, lines = this.app.files[this.file].lines, [from, to, first, end] = this.span(event);
    if (from < 0) return "?";
    const parts = lines.slice(first - 1, end);
    if (!parts.length) return "?";
    parts[parts.length - 1] = parts[parts.length - 1].slice(0, to);
    parts[0] = parts[0].slice(from);
    return parts.map((part) => part.trim()).join(" ");
  }

  /** Columns in UTF-16 units, and lines, of the expression of an event. */
  span(event) {
    const t = this.app.trace, lines = this.app.files[this.file].lines, first = t.line[event], end = t.c["e.end_line"][event];
    return [units(lines[first - 1] || "", t.c["e.column"][event]), units(lines[end - 1] || "", t.c["e.end_column"][event]), first, end];
  }

  outline(event, row) {
    const [from, to, first, end] = this.span(event);
    if (from < 0 || first !== end || !this.rows[first]) return;
    const text = this.app.files[this.file].lines[first - 1], tokens = this.app.files[this.file].tokens[first - 1] || [];
    const target = this.rows[first].querySelector("code");
    target.replaceChildren(...this.code(text, tokens, 0, from), h("span.evaluated", null, this.code(text, tokens, from, to)), ...this.code(text, tokens, to, text.length));
    this.boxed.push(first);
  }

  restore(line) {
    const file = this.app.files[this.file], row = this.rows[line];
    if (row) row.querySelector("code").replaceChildren(...this.code(file.lines[line - 1], file.tokens[line - 1] || []));
  }

  instruction(i, kind) {
    const { trace: t } = this.app;
    if (kind !== KIND.INSTRUCTION) return;
    const row = this.touch(t.line[i]);
    row?.lastChild.replaceChildren(h("p.instruction", null, h("span.offset", { text: t.c["e.offset"][i] }), h("b", { text: t.names[t.c["e.opcode"][i]] || "?" })));
  }

  // ---------------------------------------------------------------- loops

  loops(i, frame) {
    const file = this.app.files[this.file];
    for (const loop of file.loops) {
      const visit = this.app.index.visit(frame, loop, i);
      if (!visit || visit.now < 0) continue;
      const row = this.touch(loop[0]), go = (at) => this.app.goEvent(visit.starts[at]);
      if (!row) continue;
      row.querySelector(".loops").append(h("span.loop", { role: "group", "aria-label": `loop in line ${loop[0]}` },
        h("button", { type: "button", disabled: visit.now <= 0, title: "iteration before ([)", "aria-label": "iteration before", onclick: () => go(visit.now - 1) }, "‹"),
        h("span.count", { text: `${(visit.now + 1).toLocaleString("en")} of ${visit.starts.length.toLocaleString("en")}` }),
        h("button", { type: "button", disabled: visit.now + 1 >= visit.starts.length, title: "next iteration (])", "aria-label": "next iteration", onclick: () => go(visit.now + 1) }, "›")));
    }
  }
}

function clip(text, room) { return text.length > room ? `${text.slice(0, room - 1)}…` : text; }

/** UTF-16 units of the first `bytes` UTF-8 bytes of a line. */
function units(text, bytes) {
  let at = 0;
  for (let left = bytes; left > 0 && at < text.length;) {
    const code = text.codePointAt(at);
    left -= code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    at += code > 0xffff ? 2 : 1;
  }
  return bytes < 0 ? -1 : at;
}
