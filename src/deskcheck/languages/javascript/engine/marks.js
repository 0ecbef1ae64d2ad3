// Objects that may have changed, which are compared at the next step.

const dirty = list();
let isAll = false, views = list();
function W(v) {
  if (on && ((typeof v === "object" && v !== null) || typeof v === "function")) {
    const r = records.get(v);
    if (r !== undefined) { if (!r.queued) { r.queued = true; dirty[dirty.length] = v; r.depth = depth; } else if (depth < r.depth) r.depth = depth; }
  }
  return v;
}
function F(v) { isAll = true; return v === undefined ? none : v; }
const none = [];
function flush() {
  if (full || isAll) return compareAll();
  if (dirty.length === 0) return;
  // What was marked further out is in the hands of a call that goes on: it stays marked.
  for (let i = 1; i < dirty.length; i++) {  // in the order of their numbers, as when everything is compared
    const v = dirty[i], id = records.get(v).id;
    let k = i - 1;
    for (; k >= 0 && records.get(dirty[k]).id > id; k--) dirty[k + 1] = dirty[k];
    dirty[k + 1] = v;
  }
  let hasView = false, kept = 0;
  for (let i = 0; i < dirty.length; i++) {
    const v = dirty[i], r = records.get(v);
    if (r.depth < depth) dirty[kept++] = v; else r.queued = false;
    if (r.family === "typed" || r.family === "buffer") hasView = true;
    r.touched = true;
    compare(v, r);
  }
  dirty.length = kept;
  if (hasView) for (let i = 0; i < all.length; i++) if (all[i].family === "typed" || all[i].family === "buffer") { const v = apply(weakDeref, all[i].weak, []); if (v !== undefined) compare(v, all[i]); }
  born();
}
function compareAll() {
  let kept = 0;
  for (let i = 0; i < dirty.length; i++) { const r = records.get(dirty[i]); if (r.depth < depth) dirty[kept++] = dirty[i]; else r.queued = false; }
  dirty.length = kept;
  isAll = false;
  for (let i = 0; i < all.length; i++) {
    if (all[i].family === "opaque" || all[i].family === "generator") continue;
    const v = apply(weakDeref, all[i].weak, []);
    if (v !== undefined && all[i].h >= 0) { all[i].touched = true; compare(v, all[i]); }
  }
  born();
}
