// Variables of frames, with those that inner functions share.

const globals = table();
function bind(f, local, v) {
  const slot = f.code.slots[local], place = slot[2];
  if (place === GLOBAL) {
    const before = globals.has(slot[1]) ? globals.get(slot[1]) : undefined;
    globals.set(slot[1], v);
    f.last[local] = v;
    change(GLOBAL, 0, stringHandle(slot[0]), -1, SET, encode(v, before));
    return;
  }
  const before = f.last[local];
  f.last[local] = v;
  const h = encode(v, before);
  change(place, f.id, stringHandle(slot[0]), -1, SET, h);
  if (slot[4]) share(f, slot, v, h);
}
function share(f, slot, v, h) {  // the same variable in the other live frames that see it
  let owner = f;
  while (owner !== null && owner.code !== codes[slot[3]]) owner = owner.lex;
  if (owner === null) return;
  let seen = owner.shared;
  if (seen === null) seen = owner.shared = table();
  let group = seen.get(slot[1]);
  if (group === undefined) { group = list(); seen.set(slot[1], group); }
  let isIn = false;
  for (let i = 0; i < group.length; i++) {
    const g = group[i];
    if (g === f) { isIn = true; continue; }
    if (g.ended) { group[i] = group[group.length - 1]; group.length -= 1; i--; continue; }
    const k = localIn(g, slot[1]);
    if (k >= 0 && g.last[k] !== NONE && !same(g.last[k], v)) {
      g.last[k] = v;
      change(g.code.slots[k][2], g.id, stringHandle(slot[0]), -1, SET, h);
    }
  }
  if (!isIn) group[group.length] = f;
}
function localIn(f, id) { const slots = f.code.slots; for (let k = 0; k < slots.length; k++) if (slots[k][1] === id) return k; return -1; }
const leaving = table();
function rescope(f, group) {
  const key = f.group.id * 100_000 + group.id;
  let gone = leaving.get(key);
  if (gone === undefined) {
    gone = list();
    const before = f.group, slots = f.code.slots;
    for (let i = 0; i < before.length; i++) {
      let stays = false;
      for (let k = 0; k < group.length; k++) if (group[k] === before[i]) stays = true;
      if (!stays && slots[before[i]][2] !== GLOBAL) gone[gone.length] = before[i];
    }
    leaving.set(key, gone);
  }
  for (let i = 0; i < gone.length; i++) if (f.last[gone[i]] !== NONE) { f.last[gone[i]] = NONE; change(f.code.slots[gone[i]][2], f.id, stringHandle(f.code.slots[gone[i]][0]), -1, DELETE, -1); }
  f.group = group;
}
function variables(f, group, values, from) {
  if (group !== f.group) rescope(f, group);
  const last = f.last;
  for (let i = 0; i < group.length; i++) {
    const v = values[i + from], k = group[i], w = last[k];
    if (v === w ? v === 0 && 1 / v !== 1 / w : v === v || w === w) {
      if (f.code.slots[k][2] === GLOBAL) {
        const id = f.code.slots[k][1];
        if (globals.has(id) && same(globals.get(id), v)) { last[k] = v; continue; }
      }
      bind(f, k, v);
    }
  }
  born();
}
const EMPTY = list();
EMPTY.id = 99_999;
