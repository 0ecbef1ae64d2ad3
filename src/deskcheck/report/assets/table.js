// The table of tasks: which were got right by whom, filtered, sorted, windowed; its choice is part of the address.

const ROW = 34, SIGNS = { r: "✓", w: "✗", n: "∅", m: "–" }, WORDS = { r: "right", w: "wrong", n: "no answer", m: "not asked" };
const SORTS = { wrong: "wrong ones first", steps: "fewest steps first", "-steps": "most steps first", id: "by name", apart: "where the two differ first" };
const CELLS = ["both", "a", "b", "neither"];

class Table {
  constructor(root, data) {
    this.root = root; this.data = data;
    this.choice = { s: 0, a: 0, b: 1, q: "", cell: "", family: "", low: "", high: "", sort: "wrong" };
    this.texts = data.sections.map(() => null);
    this.build();
  }

  get section() { return this.data.sections[this.choice.s]; }
  get isPair() { return this.section.runs.length > 1; }

  build() {
    const option = (value, text) => h("option", { value, text });
    const set = (name) => (event) => this.set({ [name]: event.target.value });
    const field = (name, size, hint) => h("input", { type: "search", size, placeholder: hint, "data-set": name, "aria-label": hint, autocomplete: "off", spellcheck: "false", oninput: set(name) });
    this.tabs = h("div.tabs", { role: "group", "aria-label": "benchmark" }, this.data.sections.map((section, at) => h("button", { type: "button", "data-tab": at, onclick: () => this.set({ s: at, a: 0, b: 1, family: "", cell: "" }) }, visible(section.name), h("span.count", { text: section.ids.length.toLocaleString("en") }))));
    this.family = h("select", { "data-set": "family", "aria-label": "family", onchange: set("family") });
    this.a = h("select", { "data-set": "a", "aria-label": "first run", onchange: (event) => this.set({ a: +event.target.value, cell: "" }) });
    this.b = h("select", { "data-set": "b", "aria-label": "second run", onchange: (event) => this.set({ b: +event.target.value, cell: "" }) });
    this.cells = h("div.cells", { role: "group", "aria-label": "who got which right" });
    this.sort = h("select", { "data-set": "sort", "aria-label": "order", onchange: set("sort") }, Object.entries(SORTS).map(([value, text]) => option(value, text)));
    this.figures = h("div.figures", { role: "status" });
    this.head = h("div.task-row.head", { role: "row" });
    this.rows = h("div.rows", { role: "presentation" });
    this.lane = h("div.window", { tabindex: 0, role: "rowgroup", "aria-label": "tasks", onscroll: () => this.draw() }, this.rows);
    this.root.replaceChildren(this.tabs, this.pair = h("div.pair", null, h("span.quiet", { text: "who got which" }), this.a, h("span.quiet", { text: "beside" }), this.b), this.cells,
      h("div.filters", null, field("q", 26, "text, a name, truncated …"), this.family, h("label", null, "steps ", field("low", 5, "from"), " to ", field("high", 5, "to")), this.sort, h("button", { type: "button", text: "all tasks", onclick: () => this.set({ q: "", cell: "", family: "", low: "", high: "" }) })),
      this.figures, h("div.grid", { role: "table", "aria-label": "tasks" }, h("div", { role: "rowgroup" }, this.head), this.lane));
    this.lane.addEventListener("click", (event) => { const row = event.target.closest("[data-task]"); if (row) this.open(+row.dataset.task); });
    this.lane.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(this.lane);
  }

  set(changes) {
    Object.assign(this.choice, changes);
    this.refresh();
    this.remember();
  }

  /** Texts of the rows, small letters: what the words of the filter are looked for in. */
  textOf(task) {
    const at = this.choice.s, { section } = this;
    this.texts[at] ??= section.ids.map((id, row) => [id, section.families[section.family[row]], section.calls[row], section.expected[row], ...section.runs.map((run) => `${run.answers[row]} ${[...new Set(run.verdicts[row])].map((letter) => WORDS[letter]).join(" ")}`)].join(" ").toLowerCase());
    return this.texts[at][task];
  }

  isRight(run, task) { const letters = this.section.runs[run]?.verdicts[task] ?? ""; return letters !== "" && [...letters].every((letter) => letter === "r"); }
  cellOf(task) {
    const { a, b } = this.choice;
    if (!this.isPair) { const letters = this.section.runs[0].verdicts[task]; return this.isRight(0, task) ? "right" : /w/.test(letters) || /r/.test(letters) ? "wrong" : "none"; }
    const one = this.isRight(a, task), other = this.isRight(b, task);
    return one ? (other ? "both" : "a") : other ? "b" : "neither";
  }

  /** Tasks that the filters but that of the 2 x 2 leave. */
  matching() {
    const { section, choice } = this, words = choice.q.toLowerCase().split(/\s+/).filter(Boolean), family = choice.family === "" ? -1 : +choice.family;
    const low = choice.low === "" ? -Infinity : +choice.low, high = choice.high === "" ? Infinity : +choice.high, found = [];
    for (let task = 0; task < section.ids.length; task++) {
      if (family >= 0 && section.family[task] !== family) continue;
      if (section.steps[task] < low || section.steps[task] > high) continue;
      if (words.length && !words.every((word) => this.textOf(task).includes(word))) continue;
      found.push(task);
    }
    return found;
  }

  ordered(tasks) {
    const { section } = this, { sort } = this.choice, steps = section.steps;
    const share = (task) => { let n = 0, right = 0; for (const run of section.runs) for (const letter of run.verdicts[task]) if (letter !== "m") { n++; if (letter === "r") right++; } return n ? right / n : 2; };
    const keys = sort === "wrong" ? new Map(tasks.map((task) => [task, share(task)])) : sort === "apart" ? new Map(tasks.map((task) => [task, { a: 0, b: 1, neither: 2, both: 3 }[this.cellOf(task)] ?? 4])) : null;
    const by = { steps: (x, y) => steps[x] - steps[y], "-steps": (x, y) => steps[y] - steps[x], id: (x, y) => (section.ids[x] < section.ids[y] ? -1 : section.ids[x] > section.ids[y] ? 1 : 0) }[sort] || ((x, y) => keys.get(x) - keys.get(y) || steps[x] - steps[y]);
    return tasks.sort((x, y) => by(x, y) || x - y);
  }

  refresh() {
    const { section, choice } = this;
    choice.a = Math.min(choice.a, section.runs.length - 1); choice.b = Math.min(choice.b, section.runs.length - 1);
    const inAll = this.matching(), counts = new Map();
    for (const task of inAll) { const cell = this.cellOf(task); counts.set(cell, (counts.get(cell) || 0) + 1); }
    this.shown = this.ordered(choice.cell ? inAll.filter((task) => this.cellOf(task) === choice.cell) : inAll);
    this.drawChoice(counts);
    this.drawFigures();
    this.lane.scrollTop = 0;
    this.draw();
  }

  drawChoice(counts) {
    const { section, choice } = this, labels = section.labels;
    for (const tab of this.tabs.children) tab.setAttribute("aria-pressed", +tab.dataset.tab === choice.s);
    this.tabs.hidden = this.data.sections.length < 2;
    const names = section.families, isTagged = names.length > 1;
    this.family.hidden = !isTagged;
    this.family.replaceChildren(h("option", { value: "", text: `any ${section.tag || "family"}` }), ...names.map((name, at) => h("option", { value: at, text: name || "none", selected: String(at) === choice.family })));
    this.pair.hidden = section.runs.length < 3;
    for (const [select, at] of [[this.a, choice.a], [this.b, choice.b]]) select.replaceChildren(...labels.map((text, number) => h("option", { value: number, text, selected: number === at })));
    const a = labels[choice.a], b = labels[choice.b], cells = this.isPair ? { both: "both right", a: `only ${a}`, b: `only ${b}`, neither: "neither" } : { wrong: "wrong", none: "no answer", right: "right" };
    this.cells.replaceChildren(...Object.entries(cells).map(([name, text]) => h("button", { type: "button", "data-cell": name, "aria-pressed": choice.cell === name, onclick: () => this.set({ cell: choice.cell === name ? "" : name }) }, h("b", { text: (counts.get(name) || 0).toLocaleString("en") }), " ", visible(text))));
    for (const input of this.root.querySelectorAll("input[data-set]")) if (document.activeElement !== input) input.value = choice[input.dataset.set];
    this.sort.value = choice.sort;
    this.head.replaceChildren(h("span", { role: "columnheader", text: "task" }), h("span.steps", { role: "columnheader", text: "steps" }), h("span.expected", { role: "columnheader", text: "true answer" }), ...this.columns().map((run) => h("span", { role: "columnheader" }, visible(labels[run]))));
  }

  /** Runs that have a column: all of a few, of many the two that are compared. */
  columns() { const n = this.section.runs.length; return n <= 4 ? [...Array(n).keys()] : [...new Set([this.choice.a, this.choice.b])]; }

  drawFigures() {
    const { section } = this;
    const parts = this.columns().map((run) => {
      const found = shareOf(section, run, this.shown), ends = found.low === null ? "no interval" : `${(100 * found.low).toFixed(1)} to ${(100 * found.high).toFixed(1)}`;
      return h("span.figure", { "data-run": run, "data-exact": JSON.stringify(found) }, visible(section.labels[run]), " ", h("b", { text: percent(found.mean) }), h("span.quiet", { text: ` ${ends}, n = ${found.n.toLocaleString("en")}${found.missing ? `, ${found.missing} missing` : ""}` }));
    });
    this.figures.replaceChildren(h("b", { text: `${this.shown.length.toLocaleString("en")} of ${section.ids.length.toLocaleString("en")} tasks` }), ...parts);
  }

  draw() {
    if (!this.shown) return;
    const from = Math.max(0, Math.floor(this.lane.scrollTop / ROW) - 4), until = Math.min(this.shown.length, from + Math.ceil((this.lane.clientHeight || 600) / ROW) + 8);
    this.rows.style.height = `${Math.max(1, this.shown.length) * ROW}px`;
    this.lane.style.setProperty("--columns", this.columns().length);
    this.head.style.setProperty("--columns", this.columns().length);
    if (!this.shown.length) { this.rows.replaceChildren(h("p.nothing", { text: this.section.ids.length ? "No task is left by these filters." : "No task was asked." })); return; }
    this.rows.replaceChildren(...this.shown.slice(from, until).map((task, at) => this.row(task, from + at)));
  }

  row(task, at) {
    const { section } = this, row = h("div.task-row", { role: "row", "data-task": task, "aria-rowindex": at + 1 }, h("span", { role: "cell" }, h("button.id", { type: "button", "data-id": task }, visible(section.ids[task]))), h("span.steps", { role: "cell", text: section.steps[task] < 0 ? "?" : section.steps[task].toLocaleString("en") }), h("span.expected", { role: "cell" }, visible(section.expected[task])), this.columns().map((run) => this.verdict(run, task)));
    row.style.top = `${at * ROW}px`;
    return row;
  }

  verdict(run, task) {
    const { verdicts, answers, parted, where } = this.section.runs[run], letters = verdicts[task], kind = letters === "" ? "m" : letters.length === 1 ? letters : /^r+$/.test(letters) ? "r" : /r/.test(letters) ? "some" : "w";
    const sign = kind === "some" ? "◐" : SIGNS[kind], said = letters === "" ? "not asked" : letters.length > 1 ? `${[...letters].filter((letter) => letter === "r").length} of ${letters.length} right` : kind === "r" ? "" : answers[task];
    const known = where?.[task], words = letters.length > 1 ? "" : known !== undefined ? known : parted[task] >= 0 ? `after ${parted[task].toLocaleString("en")} right` : "";
    const place = words ? h("span.place", { title: `first divergence: ${words}` }, visible(words)) : null;
    return h(`span.verdict.${kind}`, { role: "cell" }, h("span.sign", { "aria-hidden": true, text: sign }), h("span.unseen", { text: `${WORDS[kind] || "some right"} ` }), h("span.said", null, visible(said)), place);
  }

  key(event) {
    const row = event.target.closest("[data-task]"), at = row ? this.shown.indexOf(+row.dataset.task) : -1, step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    this.focus(Math.max(0, Math.min(this.shown.length - 1, at + step)));
  }

  focus(at) {
    const top = at * ROW;
    if (top < this.lane.scrollTop) this.lane.scrollTop = top; else if (top + 2 * ROW > this.lane.scrollTop + this.lane.clientHeight) this.lane.scrollTop = top + 2 * ROW - this.lane.clientHeight;
    this.draw();
    this.rows.querySelector(`[data-id="${this.shown[at]}"]`)?.focus({ preventScroll: true });
  }

  open(task) { this.choice.task = task; this.onopen(task); this.remember(true); }

  // ---------------------------------------------------------------- the choice in the address

  remember(isNew = false) {
    const parts = [], { choice } = this;
    for (const [name, value] of Object.entries(choice)) if (value !== "" && value !== undefined && !(name === "sort" && value === "wrong") && !["s", "a", "b", "task"].includes(name)) parts.push(`${name}=${encodeURIComponent(value)}`);
    if (this.isPair && (choice.a !== 0 || choice.b !== 1)) parts.push(`a=${choice.a}`, `b=${choice.b}`);
    if (choice.s) parts.push(`s=${choice.s}`);
    if (choice.task !== undefined) parts.push(`task=${encodeURIComponent(this.section.ids[choice.task])}`);
    this.written = `#${parts.length ? parts.join("&") : "tasks"}`;
    try { if (isNew && location.hash !== this.written) history.pushState(null, "", this.written); else history.replaceState(null, "", this.written); } catch { location.hash = this.written; }
  }

  /** Read the address; what is none of ours is left out. */
  restore() {
    const wanted = new URLSearchParams(location.hash.slice(1)), number = (name, most) => { const value = Number(wanted.get(name)); return Number.isInteger(value) && value >= 0 && value < most ? value : 0; };
    const s = number("s", this.data.sections.length), n = this.data.sections[s].runs.length;
    const cells = n > 1 ? CELLS : ["wrong", "none", "right"];
    Object.assign(this.choice, { s, a: number("a", n), b: wanted.has("b") ? number("b", n) : Math.min(1, n - 1), q: wanted.get("q") || "", family: this.data.sections[s].families[wanted.get("family")] === undefined ? "" : wanted.get("family"), cell: cells.includes(wanted.get("cell")) ? wanted.get("cell") : "", sort: SORTS[wanted.get("sort")] ? wanted.get("sort") : "wrong" });
    for (const name of ["low", "high"]) this.choice[name] = /^\d+$/.test(wanted.get(name) || "") ? wanted.get(name) : "";
    const task = wanted.has("task") ? this.section.ids.indexOf(wanted.get("task")) : -1;
    this.choice.task = task >= 0 ? task : undefined;
    this.refresh();
    return { task: this.choice.task, isMissing: wanted.has("task") && task < 0 };
  }
}
