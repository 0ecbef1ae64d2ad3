// Keys, buttons, the theme: everything that a reader can do without a mouse, and the same with one.

const KEYS = [
  ["→ ←", "next and previous step"], ["Shift → ←", "over calls"], ["↓ ↑", "into a call, out of it"], ["Shift ↑", "back to where it was called"],
  ["PgDn PgUp", "100 steps"], ["Home End", "first and last"], ["g", "go to a step"], ["[ ]", "iteration of the loop"],
  ["n N", "next, previous run of the chosen line, or of this one"], ["v V", "previous, next write of the chosen value"], ["e E", "next, previous exception"],
  ["f", "first divergence of the model"], ["d D", "next, previous divergence"], ["m", "next model"], ["c", "tree of calls, at this one"], ["w", "watch an expression"], ["x", "level: lines, expressions, instructions"], ["q", "guess mode"],
  ["Space", "play"], ["t", "theme"], ["?", "these keys"], ["Esc", "close"],
];

class Controls {
  constructor(app) {
    this.app = app;
    this.help = document.getElementById("help");
    this.moves = {
      first: () => app.go(0), "back-out": () => app.out(-1), "back-over": () => app.over(-1), back: () => app.go(app.stop - 1), play: () => this.play(),
      next: () => app.go(app.stop + 1), over: () => app.over(1), out: () => app.out(1), last: () => app.go(app.stops.length - 1),
    };
    for (const button of document.querySelectorAll("[data-move]")) button.addEventListener("click", () => this.moves[button.dataset.move]());
    document.addEventListener("keydown", (event) => this.key(event));
    document.getElementById("theme").addEventListener("click", () => toggleTheme());
    document.getElementById("guess-mode").addEventListener("click", () => app.guess.toggle());
    document.getElementById("keys").addEventListener("click", () => this.help.showModal());
    document.getElementById("step").addEventListener("change", (event) => this.goTo(event.target.value.trim()));
    keyList(KEYS);
    document.getElementById("letters").addEventListener("change", (event) => { this.noLetters = !event.target.checked; });
    const { root } = app.state;
    root.addEventListener("click", (event) => this.choose(event.target));
    root.addEventListener("keydown", (event) => { if ((event.key === "Enter" || event.key === " ") && event.target.dataset.cell) { this.choose(event.target); event.preventDefault(); event.stopPropagation(); } });
    for (const [kind, on] of [["pointerover", true], ["focusin", true], ["pointerout", false], ["focusout", false]]) {
      root.addEventListener(kind, (event) => { const near = event.target.closest("[data-ref]") || (kind.startsWith("focus") ? event.target.querySelector("[data-ref]") : null), number = near?.dataset.ref; if (number !== undefined) app.state.light(on ? number : null); });
    }
    const repaint = () => { app.strip.paint(); app.strip.draw(); };
    document.addEventListener(THEME, repaint);
    storedTheme();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
    this.hint = document.getElementById("first-hint");
    this.hint.hidden = location.hash.includes("s=");
    document.getElementById("first-hint-close").addEventListener("click", () => { this.closeHint(); document.getElementById("source").focus(); });
  }

  choose(target) {
    const reference = target.closest("[data-ref]");
    if (reference) {
      const card = this.app.state.root.querySelector(`[data-object="${reference.dataset.ref}"]`);
      this.app.state.light(reference.dataset.ref);
      card?.scrollIntoView({ block: "nearest" });
      if (!target.closest("[data-cell]") || target.closest("h4")) return;
    }
    const cell = target.closest("[data-cell]");
    if (cell) this.app.selectCell(cell.dataset.cell);
  }

  goTo(text) {
    const [step, after] = text.split(".").map(Number), { app } = this;
    if (text === "end") app.go(app.stops.length - 1);
    else if (!Number.isInteger(step) || step < 1 || step > app.index.nSteps) app.say(`no step ${text}: there are ${app.index.nSteps}`);
    else app.goEvent(Math.min(app.trace.n, app.index.lineEvents[step - 1] + (after || 0)));
    app.footer();
  }

  key(event) {
    const { app } = this, field = event.target.closest("input:not([type=range]):not([type=radio]):not([type=checkbox]), textarea, select");
    if (event.key === "Escape" && field) field.blur();
    if (field || event.ctrlKey || event.altKey || event.metaKey || this.help.open) return;
    const action = this.action(event);
    if (!action || (event.key.length === 1 && event.key !== " " && this.noLetters)) return;
    if (event.key === " " && event.target.closest("button, [role=button], [role=tab], input, summary")) return;
    if (event.target.closest("#steps") && (event.key === "PageDown" || event.key === "PageUp")) return;
    event.preventDefault();
    action();
  }

  action(event) {
    const { app } = this, { shiftKey } = event, scrolls = event.target.closest(".scrolls, [role=tablist]");
    const plain = {
      ArrowRight: () => (shiftKey ? app.over(1) : app.go(app.stop + 1)), ArrowLeft: () => (shiftKey ? app.over(-1) : app.go(app.stop - 1)),
      ArrowDown: () => (shiftKey ? app.over(1) : app.go(app.stop + 1)), ArrowUp: () => app.out(shiftKey ? -1 : 1),
      PageDown: () => app.go(app.stop + 100), PageUp: () => app.go(app.stop - 100), Home: () => app.go(0), End: () => app.go(app.stops.length - 1),
      g: () => { const field = document.getElementById("step"); field.focus(); field.select(); },
      "[": () => app.iteration(-1), "]": () => app.iteration(1), n: () => app.hit(1), N: () => app.hit(-1), v: () => app.write(-1), V: () => app.write(1), e: () => app.exception(1), E: () => app.exception(-1),
      f: () => (app.belief ? app.belief.first() : app.say("no model's run in this page")), d: () => app.belief?.next(1), D: () => app.belief?.next(-1), m: () => app.belief?.choose(app.belief.chosen + 1, true),
      c: () => { app.calls.reveal(); app.panels.show("calls"); document.getElementById("calls").focus(); },
      w: () => { app.panels.show("watch"); document.getElementById("watch-text").focus(); },
      x: () => {
        if (app.guess.isOn) return; const levels = app.levels(), next = levels[(levels.indexOf(app.level) + 1) % levels.length]; app.setLevel(next); app.goEvent(app.at); app.say(`level: ${next}`); },
      q: () => app.guess.toggle(), " ": () => this.play(), t: toggleTheme, "?": () => this.help.showModal(), Escape: () => { this.closeHint(); app.cell = null; app.draw(); },
    };
    return scrolls && event.key.startsWith("Arrow") && !event.target.closest("#range") && scrolls.matches("[role=tablist]") ? null : plain[event.key];
  }

  play() {
    const button = document.querySelector('[data-move="play"]');
    if (this.playing) { clearInterval(this.playing); this.playing = null; } else {
      this.playing = setInterval(() => { if (this.app.stop >= this.app.stops.length - 1) this.play(); else this.app.go(this.app.stop + 1); }, 250);
    }
    button.textContent = this.playing ? "❚❚" : "▷";
    button.setAttribute("aria-label", this.playing ? "pause" : "play");
  }

  /** The hint for a first visit is gone for good: nothing of it is stored, and an address with a step has none. */
  closeHint() { this.hint.hidden = true; }
}
