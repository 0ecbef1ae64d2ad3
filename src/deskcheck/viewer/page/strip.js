// The strip over the whole run: which line ran when, how deep, where it printed or raised, where belief left truth.

class Strip {
  constructor(app) {
    this.app = app;
    this.canvas = document.getElementById("strip");
    this.range = document.getElementById("range");
    this.still = document.createElement("canvas");
    new ResizeObserver(() => { this.paint(); this.draw(); }).observe(this.canvas);
    this.range.addEventListener("input", () => this.goPlace(+this.range.value));
    this.canvas.addEventListener("pointerdown", (event) => { this.canvas.setPointerCapture(event.pointerId); this.point(event); });
    this.canvas.addEventListener("pointermove", (event) => { if (event.buttons) this.point(event); });
  }

  point(event) {
    const box = this.canvas.getBoundingClientRect(), share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    this.goPlace(share >= 1 ? this.n : Math.floor(share * this.n));
  }

  /** To the step that begins at a place: 0 is before step 1, `n` the end. */
  goPlace(place) {
    const { stops, index } = this.app, event = index.lineEvents[place] ?? this.app.trace.n, at = last(stops, event);
    this.app.goSoon(place >= this.n ? stops.length - 1 : at >= 0 && stops[at] === event ? at : Math.min(at + 1, stops.length - 1));
  }

  /** Steps of the run: strip and slider are as wide as these. */
  get n() { return Math.max(1, this.app.index.nSteps); }

  /** Where an event stands: the state before step k at the left edge of step k, the end at the right edge. */
  placeOf(event) { const { index, trace } = this.app; return event >= trace.n ? this.n : Math.max(0, index.stepOf[event] - 1); }

  open() { this.range.max = this.n; this.paint(); }

  /** Everything but the cursor, once for a width and a theme. */
  paint() {
    const { canvas, still, app } = this, scale = window.devicePixelRatio || 1;
    const width = Math.max(1, Math.round(canvas.clientWidth * scale)), height = Math.max(1, Math.round(canvas.clientHeight * scale));
    for (const each of [canvas, still]) { each.width = width; each.height = height; }
    if (!app.trace) return;
    const context = still.getContext("2d"), style = getComputedStyle(document.documentElement), color = (name) => style.getPropertyValue(name).trim();
    this.accent = color("--accent");
    const { trace: t, index } = app, n = this.n, deepest = index.depth.reduce((a, b) => Math.max(a, b), 1);
    const lines = this.rank();
    const rows = Math.max(1, lines.size), top = 4 * scale, floor = height - 10 * scale, rowHeight = (floor - top) / rows;
    context.fillStyle = color("--strip-depth");
    const depthAt = new Int32Array(width), count = new Map();
    for (let i = 0; i < t.n; i++) {
      const x = Math.min(width - 1, Math.floor((this.placeOf(i) / n) * width));
      if (index.depth[i] > depthAt[x]) depthAt[x] = index.depth[i];
      if (t.kind[i] === KIND.LINE) { const name = x * 4096 + (lines.get(t.line[i] + 65536 * index.fileAt(i)) ?? 0); count.set(name, (count.get(name) || 0) + 1); }
    }
    const wide = Math.max(1, width / n);
    if (deepest > 1) for (let x = 0; x < width; x++) if (depthAt[x]) { const tall = (floor - top) * (depthAt[x] / deepest); context.fillRect(x, floor - tall, wide + 0.5, tall); }
    context.fillStyle = color("--strip-line");
    for (const [name] of count) { const x = Math.floor(name / 4096), row = name % 4096; context.fillRect(x, top + row * rowHeight, Math.max(scale, wide * 0.9), Math.max(scale, Math.min(rowHeight - scale, 6 * scale))); }
    this.flags(context, { width, floor, n, scale, color });
    app.beliefStrip?.(context, { width, height, n, scale, color });
  }

  /** Lines that ran, in the order of the source: their rows. */
  rank() {
    const { index, trace: t } = this.app, found = new Set();
    for (const i of index.lineEvents) found.add(t.line[i] + 65536 * index.fileAt(i));
    const ordered = [...found].sort((a, b) => a - b).slice(0, 4095);
    return new Map(ordered.map((line, at) => [line, at]));
  }

  flags(context, { width, floor, n, scale, color }) {
    const { trace: t, outputs } = this.app, x = (event) => Math.min(width - 3 * scale, (this.placeOf(event) / n) * width);
    context.fillStyle = color("--wrong");
    for (let i = 0; i < t.n; i++) if (t.kind[i] === KIND.RAISE) context.fillRect(x(i) - scale, floor + scale, 3 * scale, 8 * scale);
    context.fillStyle = color("--soft");
    for (const [event] of outputs) context.fillRect(x(event), floor + 3 * scale, 2 * scale, 5 * scale);
  }

  draw() {
    const { canvas, app } = this, context = canvas.getContext("2d"), scale = window.devicePixelRatio || 1;
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(this.still, 0, 0);
    if (!app.trace) return;
    const place = this.placeOf(app.at), x = Math.min(canvas.width - 2 * scale, Math.max(0, (place / this.n) * canvas.width - scale));
    context.fillStyle = this.accent;
    context.fillRect(x, 0, 2 * scale, canvas.height);
    this.range.value = place;
    this.range.setAttribute("aria-valuetext", app.where());
  }
}
