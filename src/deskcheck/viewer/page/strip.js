// The strip over the whole run: which line ran when, how deep, where it printed or raised, where belief left truth.

class Strip {
  constructor(app) {
    this.app = app;
    this.canvas = document.getElementById("strip");
    this.range = document.getElementById("range");
    this.still = document.createElement("canvas");
    new ResizeObserver(() => { this.paint(); this.draw(); }).observe(this.canvas);
    this.range.addEventListener("input", () => app.goSoon(+this.range.value));
    this.canvas.addEventListener("pointerdown", (event) => { this.canvas.setPointerCapture(event.pointerId); this.point(event); });
    this.canvas.addEventListener("pointermove", (event) => { if (event.buttons) this.point(event); });
  }

  point(event) {
    const box = this.canvas.getBoundingClientRect(), share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    const stops = this.app.stops;
    const { index, trace } = this.app, step = Math.floor(share * (index.nSteps + 1));
    this.app.goSoon(share >= 1 ? stops.length - 1 : Math.max(0, Math.min(stops.length - 1, last(stops, step < 1 ? 0 : index.lineEvents[step - 1] ?? trace.n))));
  }

  open() { this.range.max = Math.max(0, this.app.stops.length - 1); this.paint(); }

  /** Everything but the cursor, once for a width and a theme. */
  paint() {
    const { canvas, still, app } = this, scale = window.devicePixelRatio || 1;
    const width = Math.max(1, Math.round(canvas.clientWidth * scale)), height = Math.max(1, Math.round(canvas.clientHeight * scale));
    for (const each of [canvas, still]) { each.width = width; each.height = height; }
    if (!app.trace) return;
    const context = still.getContext("2d"), style = getComputedStyle(document.documentElement), color = (name) => style.getPropertyValue(name).trim();
    this.accent = color("--accent");
    const { trace: t, index } = app, n = index.nSteps + 1, deepest = index.depth.reduce((a, b) => Math.max(a, b), 1);
    const lines = this.rank();
    const rows = Math.max(1, lines.size), top = 4 * scale, floor = height - 10 * scale, rowHeight = (floor - top) / rows;
    context.fillStyle = color("--strip-depth");
    const depthAt = new Int32Array(width), count = new Map();
    for (let i = 0; i < t.n; i++) {
      const x = Math.min(width - 1, Math.floor((index.stepOf[i] / n) * width));
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
    const { trace: t, outputs, index } = this.app, x = (event) => (index.stepOf[Math.min(event, t.n)] / n) * width;
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
    const { index, trace: t } = app, n = index.nSteps + 1, wide = canvas.width / n;
    const x = Math.min(canvas.width - 2 * scale, app.at >= t.n ? canvas.width : (index.stepOf[app.at] / n) * canvas.width + Math.min(wide / 2, 3 * scale));
    context.fillStyle = this.accent;
    context.fillRect(x, 0, 2 * scale, canvas.height);
    this.range.value = app.stop;
    this.range.setAttribute("aria-valuetext", app.where());
  }
}
