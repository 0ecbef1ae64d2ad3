// What the loader calls, and what a test reads.

async function open() {
  const app = new App(...await runIn("data"));
  app.start();
  performance.mark("deskcheck-drawn");
  return app;
}

Object.assign(deskcheck, { open, judge, reading, state: () => deskcheck.ready.then(drawnState) });

/** What is drawn, read from the elements of the page. */
function drawnState() {
  const text = (root, selector) => root.querySelector(selector)?.textContent ?? null, all = (root, selector) => [...root.querySelectorAll(selector)];
  const cellText = (element) => text(element, ".exact");
  return {
    step: document.getElementById("step").value, where: document.getElementById("where").textContent,
    next: all(document, ".line.next, .line.here").map((row) => +row.dataset.line), ran: all(document, ".line.ran").map((row) => +row.dataset.line),
    boxes: all(document, ".box").map((box) => [text(box, ".expr"), text(box, ".gives"), box.classList.contains("now")]),
    frames: all(document, "#state .frame").map((frame) => ({
      frame: frame.dataset.frame, line: frame.dataset.line ? +frame.dataset.line : null, rests: frame.classList.contains("rests"),
      names: all(frame, ".row[data-name]").map((row) => [row.dataset.name, cellText(row)]), iterators: all(frame, ".row.iterator").map(cellText),
      stack: all(frame, ".slot").map((slot) => slot.textContent), leaves: all(frame, ".row.leaves").map((row) => [row.dataset.leaves, cellText(row)]),
    })),
    objects: all(document, "#state [data-object]").map((object) => ({
      number: +object.dataset.object, size: +object.dataset.size, type: object.getAttribute("aria-label").split(", ").slice(1).join(", "),
      hidden: all(object, ":scope > .cells > .gap").reduce((sum, gap) => sum + +gap.dataset.hidden, 0),
      cells: all(object, ":scope > .cells > .cell").map((cell) => [cell.dataset.index, cell.classList.contains("holds") ? `#${cell.querySelector("[data-object]").dataset.object}` : cellText(cell)]),
      fields: all(object, ":scope > .cells > .field").map((field) => [text(field, ".key"), cellText(field)]),
    })),
    output: text(document, "#panel-output .output"), live: document.getElementById("live").textContent,
  };
}
