// What is known of a whole run without replaying it: hits, depth, stops, loops, writes.

class Index {
  constructor(trace, files) {
    this.trace = trace; this.files = files;
    const { n, kind, frame } = trace, thread = trace.c["e.thread"];
    this.depth = new Int32Array(n); this.stepOf = new Int32Array(n + 1);
    const lineEvents = [], live = new Map();
    for (let i = 0, steps = 0; i < n; i++) {
      const who = thread.length ? thread[i] : 0;
      let depth = live.get(who) || 0;
      if (kind[i] === KIND.CALL || kind[i] === KIND.RESUME) live.set(who, ++depth);
      this.depth[i] = depth;
      if (kind[i] === KIND.RETURN || kind[i] === KIND.UNWIND || kind[i] === KIND.YIELD) live.set(who, depth - 1);
      if (kind[i] === KIND.LINE) { steps++; lineEvents.push(i); }
      this.stepOf[i] = steps;
    }
    this.lineEvents = Int32Array.from(lineEvents);
    this.nSteps = lineEvents.length;
    this.stepOf[n] = this.nSteps;
    this.hits = files.map((file) => new Int32Array(file.lines.length + 2));
    this.fileNumber = new Map(files.map((file, at) => [file.number, at]));
    for (const i of this.lineEvents) {
      const hits = this.hits[this.fileNumber.get(trace.fileOf(frame[i]))];
      if (hits && trace.line[i] > 0 && trace.line[i] < hits.length) hits[trace.line[i]]++;
    }
    this.stops = { line: this.stopsAt("line") };
    if (trace.granularity !== "line") this.stops[trace.granularity] = this.stopsAt(trace.granularity);
    this.byFrame = new Map();
    this.byLine = new Map();
    this.visits = new Map();
    this.first = new Map();
  }

  /** Events at which a reader stops, at a level; the last stop is the end of the run. */
  stopsAt(level) {
    const { n, kind } = this.trace, stops = [];
    for (let i = 0; i < n; i++) {
      const k = kind[i];
      if (k === KIND.RETURN || k === KIND.RAISE || k === KIND.YIELD || (k === KIND.LINE && level !== "instruction")
        || (k === KIND.EXPRESSION && level === "expression") || (k === KIND.INSTRUCTION && level === "instruction")) stops.push(i);
    }
    stops.push(n);
    return Int32Array.from(stops);
  }

  fileAt(i) { return this.fileNumber.get(this.trace.fileOf(this.trace.frame[i])); }

  /** LINE events of one frame, in order. */
  linesOfFrame(number) {
    if (!this.byFrame.size) {
      for (const i of this.lineEvents) {
        const frame = this.trace.frame[i];
        if (!this.byFrame.has(frame)) this.byFrame.set(frame, []);
        this.byFrame.get(frame).push(i);
      }
    }
    return this.byFrame.get(number) || [];
  }

  /** LINE events of one line of one file, in order. */
  hitsOf(file, line) {
    const name = `${file}:${line}`;
    if (!this.byLine.has(name)) {
      this.byLine.set(name, this.lineEvents.filter((i) => this.trace.line[i] === line && this.fileAt(i) === file));
    }
    return this.byLine.get(name);
  }

  /** Iterations of the visit of a loop that is going on at event `at` in frame `frame`: their first events. */
  visit(frame, loop, at) {
    const name = `${frame}:${loop[0]}:${loop[2]}`;
    if (!this.visits.has(name)) this.visits.set(name, this.visitsOf(frame, loop));
    const visits = this.visits.get(name), position = last(visits.froms, at);
    if (position < 0 || at >= visits.untils[position]) return null;
    const starts = visits.starts[position];
    return starts.length ? { starts, now: last(starts, at) } : null;
  }

  /** All visits of a loop in a frame: first event, the event that is out of it, first events of its iterations. */
  visitsOf(frame, [head, first, end, isCountedBelow = 0]) {
    const events = this.linesOfFrame(frame), line = this.trace.line, found = { froms: [], untils: [], starts: [] };
    let starts = null;
    for (let i = 0; i <= events.length; i++) {
      const here = i < events.length ? line[events[i]] : -1, isInside = here >= head && here <= end;
      if (starts && isCountedBelow && here === head && first !== head) { found.untils.push(events[i]); starts = null; }  // a head that runs once begins a visit
      if (isInside && !starts) { starts = []; found.froms.push(events[i]); found.starts.push(starts); }
      if (!isInside && starts) { found.untils.push(i < events.length ? events[i] : Infinity); if (first === head && starts.length > 1) starts.pop(); starts = null; }
      if (isCountedBelow && first !== head) { if (isInside && here === first) starts.push(events[i]); continue; }
      if (isInside && here === head && (first === head || (i + 1 < events.length && line[events[i + 1]] !== head && line[events[i + 1]] >= first && line[events[i + 1]] <= end))) starts.push(events[i]);
    }
    return found;
  }

  /** Line -> the event at which a frame ran it first. */
  firstRuns(frame) {
    if (!this.first.has(frame)) {
      const found = new Map();
      for (const i of this.linesOfFrame(frame)) if (!found.has(this.trace.line[i])) found.set(this.trace.line[i], i);
      this.first.set(frame, found);
    }
    return this.first.get(frame);
  }

  /** Writes of a cell at or before event `at`, latest first: [event, value, op]. */
  writes(cell, at, most = 200) {
    const t = this.trace, found = [];
    let index = cell.index;
    const changes = this.changesOfOwner(cell);
    for (let j = changes.length - 1; j >= 0 && found.length < most; j--) {
      const c = changes[j], event = this.eventOf(c);
      if (event > at) continue;
      if (cell.place === PLACE.ELEMENT) {
        if (t.place[c] !== PLACE.ELEMENT) continue;
        const p = t.index[c], op = t.op[c];
        if (op === OP.SET && p === index) found.push([event, t.newValue[c], op]);
        else if (op === OP.INSERT && p === index) { found.push([event, t.newValue[c], op]); break; }
        else if (op === OP.INSERT && p < index) index--;
        else if (op === OP.DELETE && p <= index) index++;
      } else if (matches(t, c, cell)) found.push([event, t.newValue[c], t.op[c]]);
    }
    return found;
  }

  changesOfOwner(cell) {
    const scope = cell.place <= PLACE.FREE ? "frame" : cell.place === PLACE.GLOBAL ? "module" : "object";
    if (!this.owners) {
      this.owners = { frame: new Map(), module: new Map(), object: new Map() };
      const { place, owner, nChanges } = this.trace;
      for (let c = 0; c < nChanges; c++) {
        const p = place[c];
        if (p === PLACE.ITERATOR || p === PLACE.STACK) continue;
        const map = p <= PLACE.FREE ? this.owners.frame : p === PLACE.GLOBAL ? this.owners.module : this.owners.object;
        if (!map.has(owner[c])) map.set(owner[c], []);
        map.get(owner[c]).push(c);
      }
    }
    return this.owners[scope].get(cell.owner) || [];
  }

  /** The event that a change belongs to. */
  eventOf(change) {
    const ends = this.trace.changesEnd;
    let low = 0, high = this.trace.n;
    while (low < high) { const middle = (low + high) >> 1; if (ends[middle] > change) high = middle; else low = middle + 1; }
    return low;
  }

  /** The LINE event whose line made the changes seen at event `at` in frame `frame`: the last one before. */
  ranBefore(at, frame) {
    const events = this.linesOfFrame(frame), here = last(events, at - 1);
    return here < 0 ? -1 : events[here];
  }
}

/** Position of the last element <= limit in ascending numbers; -1 where there is none. */
function last(numbers, limit) {
  let low = 0, high = numbers.length;
  while (low < high) { const middle = (low + high) >> 1; if (numbers[middle] <= limit) low = middle + 1; else high = middle; }
  return low - 1;
}

function matches(t, c, cell) {
  if (cell.place <= PLACE.GLOBAL) return (t.place[c] === PLACE.GLOBAL) === (cell.place === PLACE.GLOBAL) && t.body(t.key[c]) === cell.name;
  return t.place[c] === cell.place && t.key[c] === cell.key;
}
