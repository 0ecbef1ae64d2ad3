// Elements out of text, for the viewer's page and the report's: nothing that a program or a model wrote becomes markup.

/** An element with properties and children; strings become text. */
function h(tag, properties, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name || "span");
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(properties || {})) {
    if (value === undefined || value === null || (value === false && !key.startsWith("aria-"))) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "text") element.textContent = value;
    else element.setAttribute(key, value === true && !key.startsWith("aria-") ? "" : value); // aria-hidden="" hides nothing
  }
  for (const child of children.flat(Infinity)) if (child !== null && child !== undefined && child !== false) element.append(child);
  return element;
}

/** Make these the children of an element, moving none that is in its place. */
function sync(parent, children) {
  let at = parent.firstChild;
  for (const child of children) {
    if (child === at) at = at.nextSibling;
    else parent.insertBefore(child, at);
  }
  while (at) { const next = at.nextSibling; at.remove(); at = next; }
}

const ODD = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]|[\u{e0000}-\u{e0fff}]/u;
const ODDS = new RegExp(ODD.source, "gu");

/** Text in which control, invisible and turning characters are visible, and are copied as they are. */
function visible(text) {
  if (!ODD.test(text)) return [text];
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(ODDS)) {
    if (match.index > from) parts.push(text.slice(from, match.index));
    const code = match[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    parts.push(h("span.odd", { "data-code": `U+${code}` }, h("span.hidden-char", { text: match[0] })));
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}
