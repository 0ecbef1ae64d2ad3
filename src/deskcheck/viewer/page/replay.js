// The state at any event: the same rules as tracing/replay.py, with a copy to start from every so often.

class Frame {
  constructor(number, code, parent, line, epoch) {
    Object.assign(this, { number, code, parent, line, epoch, names: new Map(), places: new Map(), iterators: [], stack: [] });
  }
  copy(epoch) {
    const frame = new Frame(this.number, this.code, this.parent, this.line, epoch);
    frame.names = new Map(this.names); frame.places = new Map(this.places);
    frame.iterators = this.iterators.slice(); frame.stack = this.stack.slice();
    return frame;
  }
}

class Thing {
  constructor(number, kind, epoch) {
    Object.assign(this, { number, kind, epoch, items: [], entries: new Map(), attributes: new Map() });
  }
  copy(epoch) {
    const thing = new Thing(this.number, this.kind, epoch);
    thing.items = this.items.slice(); thing.entries = new Map(this.entries); thing.attributes = new Map(this.attributes);
    return thing;
  }
}

const CONTAINERS = new Set([OBJECT.LIST, OBJECT.TUPLE, OBJECT.DICT, OBJECT.SET, OBJECT.FROZENSET, OBJECT.ARRAY]);

/** Moves over a trace; `frames`, `modules` and `heap` are the state at event `at` (n = after the last one). */
class Replay {
  constructor(trace) {
    this.trace = trace;
    this.copies = [];
    this.epoch = 1;
    this.restore({ at: -1, frames: new Map(), suspended: new Map(), modules: new Map([[0, { epoch: 0, names: new Map() }]]), heap: new Map(), running: -1, leaving: -1 });
    this.keep();
  }

  restore(copy) {
    this.at = copy.at; this.running = copy.running; this.leaving = copy.leaving;
    this.frames = new Map(copy.frames); this.suspended = new Map(copy.suspended);
    this.modules = new Map(copy.modules); this.heap = new Map(copy.heap);
    this.epoch++;
  }

  keep() {
    this.copies.push({ at: this.at, frames: new Map(this.frames), suspended: new Map(this.suspended), modules: new Map(this.modules), heap: new Map(this.heap), running: this.running, leaving: this.leaving });
    this.epoch++;
  }

  /** The state at event `target`; what was written last before it is what is seen. */
  seek(target) {
    let low = 0, high = this.copies.length - 1;
    while (low < high) { const middle = (low + high + 1) >> 1; if (this.copies[middle].at <= target) low = middle; else high = middle - 1; }
    if (target < this.at || this.copies[low].at > this.at) this.restore(this.copies[low]);
    while (this.at < target) this.step();
    return this;
  }

  /** Keep going for some milliseconds, so that later jumps are short; true when the end is reached. */
  prepare(milliseconds) {
    const back = this.at, stop = performance.now() + milliseconds;
    this.restore(this.copies[this.copies.length - 1]);
    while (this.at < this.trace.n && performance.now() < stop) for (let i = 0; i < 256 && this.at < this.trace.n; i++) this.step();
    const done = this.at >= this.trace.n;
    if (this.at > this.copies[this.copies.length - 1].at) this.keep();
    this.seek(back);
    return done;
  }

  step() {
    const t = this.trace, i = ++this.at;
    if (i < t.n) {
      if (this.leaving >= 0) { this.frames.delete(this.leaving); this.leaving = -1; }
      const number = t.frame[i], kind = t.kind[i];
      if (kind === KIND.CALL) this.frames.set(number, new Frame(number, t.frameCode[number], t.frameParent[number], t.line[i], this.epoch));
      else if (kind === KIND.RESUME) { this.frames.set(number, this.suspended.get(number)); this.suspended.delete(number); }
      this.frameOf(number).line = t.line[i];
      this.running = number;
    }
    for (let [c, end] = t.changesOf(i); c < end; c++) this.apply(c);
    if (i < t.n) {
      const kind = t.kind[i];
      if (kind === KIND.RETURN || kind === KIND.UNWIND) this.leaving = t.frame[i];
      else if (kind === KIND.YIELD) { this.suspended.set(t.frame[i], this.frames.get(t.frame[i])); this.leaving = t.frame[i]; }
    }
    const last = this.copies[this.copies.length - 1];
    if (last && i - last.at >= Math.max(1024, this.heap.size >> 1) && i > last.at) this.keep();
  }

  frameOf(number) {
    const rests = this.suspended.get(number);
    let frame = this.frames.get(number) || rests;
    if (frame.epoch !== this.epoch) {
      frame = frame.copy(this.epoch);
      if (this.frames.has(number)) this.frames.set(number, frame);
      if (rests) this.suspended.set(number, frame);
    }
    return frame;
  }

  thing(number) {
    let thing = this.heap.get(number);
    if (!thing) this.heap.set(number, thing = new Thing(number, this.trace.objectKind(number), this.epoch));
    else if (thing.epoch !== this.epoch) this.heap.set(number, thing = thing.copy(this.epoch));
    return thing;
  }

  /** The object, to look at: one without changes is empty. */
  object(number) { return this.heap.get(number) || new Thing(number, this.trace.objectKind(number), 0); }

  namesOf(module) {
    let names = this.modules.get(module);
    if (!names) this.modules.set(module, names = { epoch: this.epoch, names: new Map() });
    else if (names.epoch !== this.epoch) this.modules.set(module, names = { epoch: this.epoch, names: new Map(names.names) });
    return names.names;
  }

  apply(c) {
    const t = this.trace, place = t.place[c], owner = t.owner[c], key = t.key[c], op = t.op[c], value = t.newValue[c];
    if (place <= PLACE.FREE) {
      const frame = this.frameOf(owner), name = t.body(key);
      if (op === OP.DELETE) { frame.names.delete(name); frame.places.delete(name); } else { frame.names.set(name, value); frame.places.set(name, place); }
    } else if (place === PLACE.GLOBAL) {
      const names = this.namesOf(owner), name = t.body(key);
      if (op === OP.DELETE) names.delete(name); else names.set(name, value);
    } else if (place === PLACE.ITERATOR) edit(this.frameOf(owner).iterators, t.index[c], op, value);
    else if (place === PLACE.STACK) edit(this.frameOf(owner).stack, t.index[c], op, value);
    else if (place === PLACE.ELEMENT) edit(this.thing(owner).items, t.index[c], op, value);
    else if (place === PLACE.CONTENT) this.thing(owner).items = [value];
    else {
      const thing = this.thing(owner), map = place === PLACE.ATTRIBUTE && CONTAINERS.has(thing.kind) ? thing.attributes : thing.entries;
      if (op === OP.DELETE) map.delete(key); else map.set(key, value);
    }
  }
}

function edit(items, index, op, value) {
  if (op === OP.INSERT) items.splice(index, 0, value);
  else if (op === OP.DELETE) items.splice(index, 1);
  else items[index] = value;
}
