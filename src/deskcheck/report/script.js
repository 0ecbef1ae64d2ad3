"use strict";
// The filter of each task table: rows without the words are hidden, and the words are part of the address.
for (const input of document.querySelectorAll("[data-filter]")) {
  const number = input.dataset.filter;
  const box = input.closest(".filter");
  const rows = Array.from(document.querySelector(`[data-rows="${number}"]`).children, (row) => {
    return { row, text: row.querySelector("summary").textContent.toLowerCase() };
  });
  const apply = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { row, text } of rows) {
      row.hidden = !words.every((word) => text.includes(word));
      shown += row.hidden ? 0 : 1;
    }
    box.querySelector("output").textContent = `${shown} of ${rows.length}`;
  };
  box.hidden = false;
  const saved = new URLSearchParams(location.hash.slice(1)).get(`tasks-${number}`);
  if (saved) input.value = saved;
  input.addEventListener("input", () => {
    apply();
    history.replaceState(null, "", `#tasks-${number}=${encodeURIComponent(input.value)}`);
  });
  apply();
}
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.matches("input")) return;
  const first = document.querySelector("[data-filter]");
  if (first) { event.preventDefault(); first.focus(); }
});
