// The panels below: why a value is what it is, what a line did and why it did not run, watched expressions, steps, output.

const ROW = 24, MOST_POINTS = 100000;

class Panels {
  constructor(app) {
    this.app = app;
    this.tabs = [...document.querySelectorAll('[role="tab"]')];
    for (const tab of this.tabs) tab.addEventListener("click", () => this.show(tab.dataset.panel));
    document.querySelector('[role="tablist"]').addEventListener("keydown", (event) => {
      const shown = this.tabs.filter((tab) => !tab.hidden), at = shown.indexOf(document.activeElement), move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (at >= 0 && move) { const next = shown[(at + move + shown.length) % shown.length]; this.show(next.dataset.panel); next.focus(); event.preventDefault(); event.stopPropagation(); }
    });
    document.getElementById("watch-form").addEventListener("submit", (event) => { event.preventDefault(); this.watch(document.getElementById("watch-text").value.trim()); });
    this.list = document.getElementById("steps");
    this.list.addEventListener("scroll", () => this.drawSteps(false));
    this.name = "why";
  }

  show(name) {
    this.name = name;
    for (const tab of this.tabs) {
      const on = tab.dataset.panel === name;
      tab.setAttribute("aria-selected", on);
      tab.tabIndex = on ? 0 : -1;
      document.getElementById(`panel-${tab.dataset.panel}`).hidden = !on;
    }
    this.draw();
  }

  draw() {
    if (this.name === "why") this.drawWhy();
    else if (this.name === "line") this.drawLine();
    else if (this.name === "watch") this.drawWatch();
    else if (this.name === "calls") this.app.calls.draw();
    else if (this.name === "steps") this.drawSteps(true);
    else if (this.name === "output") this.drawOutput();
    else if (this.name === "belief") this.app.drawBeliefPanel?.();
  }

  // ---------------------------------------------------------------- why this value

  drawWhy() {
    const { app } = this, root = document.getElementById("panel-why"), cell = app.cell && app.cellOf(app.cell);
    if (!cell) { root.replaceChildren(h("p.hint", { text: "Choose a value in the state (click it, or Tab to it and press Enter): every write of it, and what it was made from, stands here." })); return; }
    const at = Math.min(app.at, app.trace.n), writes = app.index.writes(cell, at);
    const title = h("h3", null, "Why is ", h("code", null, visible(cell.title)), " ", writes.length ? app.previewOf(writes[0][1]) || "gone" : "as it is", "?");
    if (!writes.length) { root.replaceChildren(title, h("p.hint", { text: "Nothing has written it before this step." })); return; }
    const rows = writes.slice(0, 60).map((write, position) => this.write(write, position === 0, 0, cell));
    const more = writes.length > 60 ? h("p.hint", { text: `${writes.length - 60} earlier writes; go to one of these to see them.` }) : null;
    root.replaceChildren(title, ...this.copied(at), h("ol.chain", null, rows), ...(more ? [more] : []));
  }

  /** "Copied from xs[1] from t, made at step 3": where the value comes from, copies skipped. */
  copied(at) {
    const { app } = this, places = app.origins(app.cell, at), last = places[places.length - 1];
    if (places.length < 2) return [];
    const link = (event) => h("button.step", { type: "button", onclick: () => app.goEvent(event), text: app.stepName(event) });
    const from = places.slice(1).flatMap((place, k) => [k ? ", that from " : "Copied from ", h("code", null, visible(place.title))]);
    const made = last.maker < 0 ? [", given by the call"] : [", made at ", link(last.event), " by ", h("code", null, visible(clip(app.lineText(last.maker).trim(), 80)))];
    return [h("p.copied", null, from, made, ".")];
  }

  /** One write: its step, its line, and for the latest one the names that the line read, with their last writes. */
  write([event, value, op], isOpen, depth, cell) {
    const { app } = this, maker = app.maker(event, cell), line = maker < 0 ? app.trace.line[event] : app.trace.line[maker];
    const go = h("button.step", { type: "button", onclick: () => app.goEvent(event), text: app.stepName(event) });
    const item = h("li", null, go, h("span.made", null, visible(op === OP.DELETE ? "deleted" : app.previewOf(value))),
      h("span.by", null, maker < 0 ? "given by the call" : [h("span.line-number", { text: `step ${app.index.stepOf[maker]}, line ${line}` }), " ", h("code", null, visible(clip(app.lineText(maker).trim(), 80)))]));
    if (isOpen && maker >= 0 && depth < 3) {
      const sources = this.sources(maker, depth);
      if (sources.length) item.append(h("ul.sources", { "aria-label": "made from" }, sources));
    }
    return item;
  }

  /** Writes of the names that a line read when it ran. */
  sources(maker, depth) {
    const { app } = this, t = app.trace, file = app.files[app.index.fileAt(maker)], found = [];
    for (const name of (file.reads[t.line[maker]] || []).slice(0, 6)) {
      const cell = { place: PLACE.LOCAL, owner: t.frame[maker], name, title: name };
      let [write] = app.index.writes(cell, maker, 1);
      if (!write) [write] = app.index.writes({ place: PLACE.GLOBAL, owner: 0, name, title: name }, maker, 1);
      if (!write) continue;
      const item = this.write(write, depth < 1, depth + 1, cell);
      item.prepend(h("b.name", null, visible(name)));
      found.push(item);
    }
    return found;
  }

  // ---------------------------------------------------------------- a line: its hits, or why it did not run

  drawLine() {
    const { app } = this, root = document.getElementById("panel-line"), { file, line } = app.selected;
    const text = app.files[file].lines[line - 1] ?? "", hits = app.index.hitsOf(file, line), now = last(hits, app.at);
    const title = h("h3", null, `Line ${line} `, h("code", null, visible(clip(text.trim(), 100))));
    const parts = [title];
    if (hits.length) {
      const near = now >= 0 ? now : 0;
      parts.push(h("p", null, `It ran ${hits.length === 1 ? "once" : `${hits.length.toLocaleString("en")} times`}. `,
        h("button", { type: "button", disabled: now < 0 || (now === 0 && hits[0] === app.at), onclick: () => app.hit(-1), text: "‹ hit before" }), " ",
        h("span.count", { text: now < 0 ? "not yet" : `hit ${(now + 1).toLocaleString("en")}` }), " ",
        h("button", { type: "button", disabled: now + 1 >= hits.length, onclick: () => app.hit(1), text: "next hit ›" })));
      parts.push(h("p.hit-list", null, Array.from(hits.subarray(Math.max(0, near - 6), near + 12), (event) => h(`button.step${event === app.at ? ".now" : ""}`, { type: "button", onclick: () => app.goEvent(event), text: app.stepName(event) }))));
    }
    const why = app.whyNot(file, line);
    if (why) parts.push(h("p.why-not", null, why.map((part) => typeof part === "string" ? part : h("button.step", { type: "button", onclick: () => app.goEvent(part.event), text: app.stepName(part.event) }))));
    root.replaceChildren(...parts);
  }

  // ---------------------------------------------------------------- watched expressions

  watch(text) {
    const { app } = this, note = document.getElementById("watch-note");
    note.textContent = "";
    this.watched = null;
    document.getElementById("watch-text").value = text;
    if (text) {
      try {
        const expression = new Watch(text);
        app.hasChosenLine = true;
        app.drawSelectedLine();
        const { file, line } = app.selected, hits = app.index.hitsOf(file, line), rows = [], back = app.at;
        for (const event of hits.subarray(0, MOST_POINTS)) {
          app.replay.seek(event);
          const found = expression.evaluate(app);
          rows.push({ event, text: resultText(found, app), value: found === undefined ? undefined : scalarOf(found, app.trace) });
        }
        app.replay.seek(back);
        this.watched = { text, file, line, rows, cut: hits.length - rows.length };
      } catch (error) { note.textContent = error.message; }
    }
    app.remember();
    this.drawWatch();
  }

  drawWatch() {
    const root = document.getElementById("watch-result"), { app } = this, watched = this.watched;
    document.getElementById("watch-where").textContent = `at every run of line ${app.selected.line}`;
    if (!watched) { root.replaceChildren(h("p.hint", { text: "A name, a path such as xs[0] or node.next, len(xs), or a sum of such: its value at every run of the chosen line." })); return; }
    const { rows } = watched;
    if (!rows.length) { root.replaceChildren(h("p.hint", { text: `Line ${watched.line} never ran. Choose another line in the source.` })); return; }
    const now = rows.findLastIndex((row) => row.event <= app.at), from = Math.max(0, Math.min(now - 6, rows.length - 40));
    const table = h("table", null, h("caption", { text: `${watched.text} before line ${watched.line}, ${rows.length.toLocaleString("en")} ${rows.length === 1 ? "value" : "values"}${watched.cut > 0 ? `, the first of ${(rows.length + watched.cut).toLocaleString("en")}` : ""}` }),
      h("thead", null, h("tr", null, h("th", { scope: "col", text: "step" }), h("th", { scope: "col", text: watched.text }))),
      h("tbody", null, rows.slice(from, from + 40).map((row, at) => h(`tr${from + at === now ? ".now" : ""}`, null, h("td", null, h("button.step", { type: "button", onclick: () => app.goEvent(row.event), text: app.stepName(row.event) })), h("td", null, visible(clip(row.text, 120)))))));
    root.replaceChildren(this.sparkline(rows, now), table);
  }

  /** The values over time: numbers as a line, others as bands of equal values. */
  sparkline(rows, now) {
    const numbers = rows.map((row) => typeof row.value === "bigint" || typeof row.value === "number" ? Number(row.value) : typeof row.value === "boolean" ? +row.value : NaN);
    const finite = numbers.filter(Number.isFinite), width = 600, height = 64, svg = (tag, attributes) => { const e = document.createElementNS("http://www.w3.org/2000/svg", tag); for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v); return e; };
    if (!finite.length) return h("p.hint", { text: `${new Set(rows.map((row) => row.text)).size} different values.` });
    const low = finite.reduce((a, b) => Math.min(a, b)), high = finite.reduce((a, b) => Math.max(a, b)), span = high - low || 1;
    const x = (at) => (rows.length > 1 ? (at / (rows.length - 1)) * (width - 8) : (width - 8) / 2) + 4, y = (value) => height - 6 - ((value - low) / span) * (height - 12);
    const root = svg("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "xMinYMid", class: "spark", role: "img", "aria-label": `from ${low} to ${high}` });
    const every = Math.max(1, Math.floor(rows.length / 1200));
    let path = "";
    numbers.forEach((value, at) => { if (at % every === 0 && Number.isFinite(value)) path += `${path ? "L" : "M"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`; });
    root.append(svg("path", { d: path, class: "spark-line" }));
    if (now >= 0 && Number.isFinite(numbers[now])) root.append(svg("circle", { cx: x(now), cy: y(numbers[now]), r: 4, class: "spark-now" }));
    return h("figure", null, root, h("figcaption", { text: `${short(low)} to ${short(high)}` }));
  }

  // ---------------------------------------------------------------- steps and output

  /** A list of all steps of which only the visible rows exist. */
  drawSteps(follow) {
    const { app, list } = this, stops = app.stops, inner = list.firstElementChild;
    inner.style.height = `${stops.length * ROW}px`;
    if (follow) { const y = app.stop * ROW; if (y < list.scrollTop + ROW || y > list.scrollTop + list.clientHeight - 2 * ROW) list.scrollTop = Math.max(0, y - list.clientHeight / 3); }
    const from = Math.max(0, Math.floor(list.scrollTop / ROW) - 4), to = Math.min(stops.length, from + Math.ceil(list.clientHeight / ROW) + 8);
    const rows = [];
    for (let at = from; at < to; at++) rows.push(this.stepRow(at));
    inner.replaceChildren(...rows);
  }

  stepRow(at) {
    const { app } = this, event = app.stops[at], t = app.trace, row = h(`div.step-row${at === app.stop ? ".now" : ""}`, { role: "option", "aria-selected": at === app.stop, onclick: () => app.go(at) });
    row.style.top = `${at * ROW}px`;
    if (event >= t.n) row.append(h("span.step", { text: "end" }), h("span"), h("span.what", null, visible(app.meta.outcome.text)));
    else {
      const word = { [KIND.RETURN]: "returns", [KIND.RAISE]: "raises", [KIND.YIELD]: "yields" }[t.kind[event]];
      const expression = t.kind[event] === KIND.EXPRESSION ? app.source.spanText(event) : t.kind[event] === KIND.INSTRUCTION ? t.names[t.c["e.opcode"][event]] : app.lineText(event);
      row.append(h("span.step", { text: app.stepName(event) }), h("span.line-number", { text: t.line[event] }),
        h("span.what", null, "\u00a0".repeat(2 * Math.min(DEEP, app.index.depth[event] - 1)), app.index.depth[event] > DEEP + 1 ? [h("span.level", { text: app.index.depth[event] - 1 }), " "] : null, word ? h("b", { text: `${word} ` }) : h("code", null, visible(clip(expression.trimEnd(), 120))), t.value[event] >= 0 ? visible(`${word ? "" : " → "}${app.previewOf(t.value[event])}`) : null));
    }
    return row;
  }

  drawOutput() {
    const { app } = this, root = document.getElementById("panel-output"), { meta } = app;
    if (!meta.output) { root.replaceChildren(h("p.hint", { text: "The program printed nothing." })); return; }
    const parts = [h("p.hint", { text: app.outputNote() })];
    if (app.outputs.length) {
      const done = app.outputs.filter(([event]) => event < app.at), sum = done.length ? done[done.length - 1][1] : 0;
      parts.push(h("pre.output", { tabindex: 0, "aria-label": "printed output" }, h("span.printed", null, visible(meta.output.slice(0, sum))), h("span.later", null, visible(meta.output.slice(sum)))));
    } else parts.push(h("pre.output", { tabindex: 0, "aria-label": "printed output" }, visible(meta.output)));
    root.replaceChildren(...parts);
  }
}

function short(number) { return Number.isInteger(number) ? number.toLocaleString("en", { maximumFractionDigits: 0 }) : number.toPrecision(4); }
