// Dark or light, and the list of keys: the same in the page of a run and in that of two.

const THEME = "deskcheck-theme";

function setTheme(name) {
  if (name === "light" || name === "dark") document.documentElement.dataset.theme = name;
  document.dispatchEvent(new Event(THEME));
}

function toggleTheme() {
  const { dataset } = document.documentElement, isDark = dataset.theme ? dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  setTheme(isDark ? "light" : "dark");
  try { sessionStorage.setItem(THEME, dataset.theme); } catch { /* a page from disk may have no storage */ }
}

function storedTheme() { try { setTheme(sessionStorage.getItem(THEME) || ""); } catch { /* as above */ } }

function keyList(keys) {
  document.getElementById("key-list").replaceChildren(...keys.map(([names, what]) => h("div", null, h("dt", null, names.split(" ").map((key) => h("kbd", { text: key }))), h("dd", { text: what }))));
}
