// Opens the packed answers, and puts table and task together.

async function unpacked(id) {
  const raw = atob(document.getElementById(id).textContent), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
}

async function start() {
  if (typeof DecompressionStream === "undefined") return;
  const data = JSON.parse(await unpacked("data"));
  quantiles = data.quantiles;
  if (!data.sections.length) return;
  const root = document.getElementById("task-table"), table = new Table(root, data), view = new TaskView(document.getElementById("task"), table, data);
  table.onopen = (task) => view.show(task);
  const restore = () => {
    const { task, isMissing } = table.restore();
    if (task !== undefined) return view.show(task);
    view.close();
    if (isMissing) document.getElementById("live").textContent = "no such task in this report";
    return null;
  };
  document.querySelector("#tasks .static").hidden = true;
  root.hidden = false;
  await restore();
  const isOurs = () => /[=]/.test(location.hash) || location.hash === "#tasks" || location.hash === "";
  window.addEventListener("hashchange", () => { if (location.hash !== table.written && isOurs()) restore(); });
  window.addEventListener("popstate", () => { if (location.hash !== table.written && isOurs()) restore(); });
  document.addEventListener("keydown", (event) => {
    view.key(event);
    if (event.key !== "/" || event.target.matches("input, select") || !view.root.hidden) return;
    event.preventDefault();
    root.querySelector("input").focus();
  });
  performance.mark("deskcheck-drawn");
}

window.deskcheck = { ready: start() };
