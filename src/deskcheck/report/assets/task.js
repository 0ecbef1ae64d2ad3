// One task, over the whole page: its program, who answered what, and the run itself in the step viewer.

class TaskView {
  constructor(root, table, data) {
    this.root = root; this.table = table; this.data = data;
    this.blocks = new Map();
  }

  async details(place) {
    if (place[0] < 0) return null;
    if (!this.blocks.has(place[0])) this.blocks.set(place[0], unpacked(`block-${place[0]}`).then((text) => JSON.parse(text)));
    return (await this.blocks.get(place[0]))[place[1]];
  }

  async show(task) {
    const { section } = this.table, at = this.table.shown.indexOf(task);
    this.task = task;
    const wanted = this.wanted = {};
    const detail = await this.details(section.places[task]);
    if (this.wanted !== wanted) return;
    const move = (step) => { const next = this.table.shown[at + step]; return { type: "button", disabled: next === undefined, onclick: () => this.table.open(next) }; };
    const head = h("header.task-head", null, h("button.back", { type: "button", "aria-label": "all tasks", title: "all tasks (Esc)", onclick: () => this.close() }, "‹ tasks"),
      h("h2", { id: "task-title", tabindex: -1 }, visible(section.ids[task])), h("span.quiet", { text: `${section.name} · ${section.steps[task].toLocaleString("en")} executed steps${section.families[section.family[task]] ? ` · ${section.families[section.family[task]]}` : ""}` }),
      h("span.moves", null, h("span.quiet", { text: at >= 0 ? `${(at + 1).toLocaleString("en")} of ${this.table.shown.length.toLocaleString("en")}` : "" }), h("button", { ...move(-1), "data-move": "previous", title: "previous task (k)" }, "‹ previous"), h("button", { ...move(1), "data-move": "next", title: "next task (j)" }, "next ›")));
    const walk = section.walks[task] >= 0 ? await this.frame(section.walks[task]) : null;
    if (this.wanted !== wanted) return;
    const parts = detail ? [this.program(detail, walk), ...this.answers(detail)] : [this.elsewhere(section, task)];
    this.root.replaceChildren(head, h("div.task-body", null, ...parts));
    this.root.hidden = false;
    document.getElementById("report").inert = true;
    document.body.classList.add("has-task");
    this.root.scrollTop = 0;
    document.getElementById("task-title").focus({ preventScroll: true });
    document.getElementById("live").textContent = `task ${section.ids[task]}`;
  }

  /** The step viewer on the true run, what the models wrote beside it. */
  async frame(number) {
    this.shell ??= unpacked("shell").then((text) => JSON.parse(text));
    const page = (await this.shell).replace(this.data.place, document.getElementById(`walk-${number}`).textContent);
    return h("iframe.walk", { sandbox: "allow-scripts", title: "the run, step by step, belief beside truth", srcdoc: page });
  }

  program(detail, walk) {
    const call = h("p.call", null, h("code", null, visible(detail.call)), h("span.quiet", { text: " gives " }), h("code", null, visible(detail.expected)));
    if (walk) return h("div", null, call, walk);
    const lines = detail.source.replace(/\n$/, "").split("\n");
    return h("div", null, call, h("ol.source", null, lines.map((line) => h("li", null, h("code", null, visible(line || " "))))), h("p.quiet", null, "This run is not in the page: ", h("code", { text: `deskcheck view LOGS --task ${detail.id}` }), " shows it step by step."));
  }

  answers(detail) {
    const cards = detail.runs.flatMap((run) => [...run.samples.map((one) => this.answer(run, one)), run.hidden ? h("p.quiet", { text: `${run.hidden} more samples of ${run.label} are in results.jsonl.` }) : null]);
    const prompts = detail.prompts.map(([strategy, messages]) => h("details", null, h("summary", null, "The first prompt of ", visible(strategy)), messages.map(([role, text]) => [h("p.quiet", null, visible(role)), h("pre", null, visible(text))])));
    return [h("h3", { text: detail.runs.length > 1 ? "Answers, side by side" : "Answer" }), h("div.answers", null, cards.length ? cards : h("p", { text: "Nobody was asked." })), prompts.length ? h("div.prompts", null, prompts) : null].filter(Boolean);
  }

  answer(run, one) {
    const states = one.chain.length ? h("details", null, h("summary", { text: `Its ${one.chain.length} states` }), h("ol.chain", null, one.chain.map((state) => h("li", null, h("code", null, visible(state)))))) : null;
    const text = one.text ? h("details", { open: !one.chain.length && one.text.length < 1500 }, h("summary", { text: one.chain.length ? "What it wrote last" : "What it wrote" }), h("pre", null, visible(one.text))) : null;
    return h(`article.answer.${one.letter}`, null, h("h4", null, h("span.sign", { "aria-hidden": true, text: SIGNS[one.letter] }), " ", visible(run.label), run.samples.length > 1 ? `, sample ${one.number}` : ""),
      h("p", null, one.letter === "n" || one.letter === "m" ? [h("b", { text: one.reason.replaceAll("_", " ") || WORDS[one.letter] }), " "] : [h("span.quiet", { text: `${WORDS[one.letter]}: ` })], h("code", null, visible(one.answer || "nothing"))), states, text, h("p.quiet", null, visible(one.note)));
  }

  elsewhere(section, task) {
    const number = section.places[task][1], { folder } = this.data;
    if (!folder) return h("p", null, "This page holds the texts of as many tasks as it has room for, wrong ones first. Those of this one stand in results.jsonl of its runs.");
    const page = `${folder}/${String(Math.floor(number / 200)).padStart(4, "0")}.html#t${number}`;
    return h("p", null, "The texts of this task stand beside the page: ", h("a", { href: page, text: page }), ".");
  }

  close() {
    if (this.root.hidden) return;
    const { task } = this;
    this.wanted = null; this.task = undefined;
    this.root.hidden = true;
    this.root.replaceChildren();
    document.getElementById("report").inert = false;
    document.body.classList.remove("has-task");
    this.table.choice.task = undefined;
    this.table.remember();
    const at = this.table.shown.indexOf(task);
    if (at >= 0) this.table.focus(at);
  }

  key(event) {
    if (this.root.hidden || event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    const move = { j: "next", n: "next", k: "previous", p: "previous" }[event.key];
    if (event.key === "Escape") this.close();
    else if (move) this.root.querySelector(`[data-move="${move}"]`)?.click();
    else return;
    event.preventDefault();
  }
}
