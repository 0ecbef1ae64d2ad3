// The forward pass of the shipped network: the operators of training/graph.py, one after the other, on the integers of
// the file that ships. Keys and values of earlier tokens stay in the memory of the kernel.
import { kernel, TILE } from "./kernel.js";

const CHUNK = 8 * TILE; // tokens that go through the layers together
const EIGHT = 8, PAGE = 65536, HIDDEN = -1e9, LAYER = "model.layers.", MODEL_GRAPH = 7, GRAPH_CONSTANT = 5, NAME = 8, BYTES = 9, EMBEDDING = "model.embed_tokens.weight";
const up = (n, to) => Math.ceil(n / to) * to;

/** One network and the cache of one sequence. */
export class Forward {
  constructor(file, shape) {
    const stored = tensors(file), size = shape.hidden / shape.heads, room = up(shape.max_positions, EIGHT), hidden = 4 * shape.hidden;
    Object.assign(this, { shape, size, room, end: 0, fills: [] });
    this.embedding = stored.get(EMBEDDING);
    this.shifts = Array.from({ length: shape.shift }, (_, back) => this.matrix(stored, [`model.shift.${back}.weight`]));
    this.layers = Array.from({ length: shape.layers }, (_, number) => {
      const at = (name) => `${LAYER}${number}.${name}.weight`, attention = (names) => [...names].map((name) => at(`self_attn.${name}_proj`));
      return {
        norm: halves(stored, at("input_layernorm")), qkv: this.matrix(stored, attention("qkv")), out: this.matrix(stored, attention("o")),
        after: halves(stored, at("post_attention_layernorm")), both: this.matrix(stored, [at("mlp.gate_proj"), at("mlp.up_proj")]), down: this.matrix(stored, [at("mlp.down_proj")]),
      };
    });
    this.norm = halves(stored, "model.norm.weight");
    this.head = this.matrix(stored, [EMBEDDING]);
    const width = { x: hidden, y: hidden, z: hidden, mixed: hidden, qkv: 3 * hidden, both: 8 * shape.intermediate, inner: 4 * shape.intermediate };
    this.width = width;
    this.at = Object.fromEntries(Object.entries(width).map(([name, bytes]) => [name, this.reserve(CHUNK * bytes)]));
    this.logits = this.reserve(4 * up(shape.vocabulary, EIGHT));
    this.scores = this.reserve(TILE * 4 * room);
    this.cacheBytes = 4 * room * size;
    this.cache = this.reserve(2 * shape.layers * shape.heads * this.cacheBytes);
    const memory = new WebAssembly.Memory({ initial: Math.ceil(this.end / PAGE) });
    this.numbers = new Float32Array(memory.buffer);
    for (const fill of this.fills) fill(memory.buffer);
    this.kernel = kernel(memory, size);
    this.turns = new Float32Array(stored.get("rope").raw.slice().buffer);
  }

  reserve(bytes) { const at = this.end; this.end = up(at + bytes, 64); return at; }

  /** The rows of some matrices in panels of eight, for the kernel; a scale for each row. */
  matrix(stored, names) {
    const joined = names.map((name) => stored.get(name)), depth = joined[0].depth, n = joined.reduce((sum, part) => sum + part.scale.length, 0), panels = Math.ceil(n / EIGHT);
    const made = { depth, panels, at: this.reserve(panels * EIGHT * depth), scales: this.reserve(4 * panels * EIGHT) };
    this.fills.push((buffer) => {
      const integers = new Int8Array(buffer, made.at), scales = new Float32Array(buffer, made.scales);
      let row = 0;
      for (const { values, scale } of joined) {
        for (let from = 0; from < scale.length; from++, row++) {
          let to = (row >> 3) * depth * EIGHT + (row & 7);
          scales[row] = scale[from];
          for (let k = from * depth; k < (from + 1) * depth; k++, to += EIGHT) integers[to] = values[k];
        }
      }
    });
    return made;
  }

  /** Read tokens that follow `before`, at the positions from `before.length`; the scores after the last one. */
  read(before, tokens) {
    const whole = [...before.slice(-this.shape.shift), ...tokens], known = whole.length - tokens.length;
    let rest = tokens.length, start = before.length;
    while (rest) {
      const n = Math.min(CHUNK, rest);
      this.chunk(whole, known + tokens.length - rest, n, start, n === rest);
      rest -= n; start += n;
    }
    return this.numbers.subarray(this.logits / 4, this.logits / 4 + this.shape.vocabulary);
  }

  chunk(whole, from, n, start, isLast) {
    const { layers, at, width, shape } = this;
    this.embed(whole, from, n, "x");
    for (const [back, matrix] of this.shifts.entries()) { this.embed(whole, from - back - 1, n, "y"); this.add("y", matrix, 0, n); }
    const turn = this.rotation(start, n);
    for (const [number, layer] of layers.entries()) {
      const first = number + 1 < shape.layers ? 0 : isLast ? n - 1 : n; // of the last layer, other tokens give keys and values alone
      this.normed(layer.norm, 0, n);
      this.multiply("y", layer.qkv, "qkv", 0, n);
      this.remember(number, start, n, turn);
      if (first === n) return;
      this.attend(number, start, first, n);
      this.add("mixed", layer.out, first, n);
      this.normed(layer.after, first, n);
      this.multiply("y", layer.both, "both", first, n);
      for (let row = first; row < n; row++) { const gate = at.both + row * width.both; this.kernel.gated(gate, gate + width.both / 2, at.inner + row * width.inner, shape.intermediate); }
      this.add("inner", layer.down, first, n);
    }
    this.normed(this.norm, n - 1, n);
    this.kernel.bytes1(at.y + (n - 1) * width.y, width.y, this.head.at, this.head.depth * EIGHT, this.logits, 0, this.head.depth, this.head.panels, this.head.scales);
  }

  /** The embeddings of tokens; of those before the first one, that of token 0. */
  embed(whole, from, n, name) {
    const { values, scale } = this.embedding, { hidden } = this.shape, to = this.at[name] / 4;
    for (let row = 0; row < n; row++) {
      const token = whole[from + row] ?? 0, factor = scale[token];
      for (let k = 0; k < hidden; k++) this.numbers[to + row * hidden + k] = values[token * hidden + k] * factor;
    }
  }

  multiply(left, { depth, panels, at, scales }, into, first, end) {
    const step = this.width[left], to = this.width[into];
    for (let row = first; row < end; row += TILE) {
      this.kernel[`bytes${Math.min(TILE, end - row)}`](this.at[left] + row * step, step, at, depth * EIGHT, this.at[into] + row * to, to, depth, panels, scales);
    }
  }

  /** Add a product to the rows of x. */
  add(left, matrix, first, end) {
    this.multiply(left, matrix, "z", first, end);
    const { numbers } = this, { hidden } = this.shape, x = this.at.x / 4, z = this.at.z / 4;
    for (let at = first * hidden; at < end * hidden; at++) numbers[x + at] += numbers[z + at];
  }

  /** y = x over the root of its mean square, times a weight. */
  normed(weight, first, end) {
    const { numbers } = this, { hidden, norm_epsilon } = this.shape;
    for (let row = first; row < end; row++) {
      const x = this.at.x / 4 + row * hidden, y = this.at.y / 4 + row * hidden;
      let sum = 0;
      for (let k = 0; k < hidden; k++) sum += numbers[x + k] * numbers[x + k];
      const root = 1 / Math.sqrt(sum / hidden + norm_epsilon);
      for (let k = 0; k < hidden; k++) numbers[y + k] = numbers[x + k] * root * weight[k];
    }
  }

  /** Cosines and sines of the rotary position embedding. */
  rotation(start, n) {
    const half = this.turns.length, cos = new Float32Array(n * half), sin = new Float32Array(n * half);
    for (let at = 0; at < n * half; at++) {
      const angle = Math.fround((start + Math.floor(at / half)) * this.turns[at % half]);
      cos[at] = Math.cos(angle); sin[at] = Math.sin(angle);
    }
    return { cos, sin };
  }

  /** Turn queries and keys by their position; put keys and values into the cache. */
  remember(layer, start, n, { cos, sin }) {
    const { numbers, size } = this, { heads, hidden } = this.shape, half = size / 2, scale = size ** -0.5;
    for (let row = 0; row < n; row++) {
      const q = this.at.qkv / 4 + row * 3 * hidden, position = start + row;
      for (let head = 0; head < 2 * heads; head++) {
        const factor = head < heads ? scale : 1, first = q + head * size;
        for (let k = 0; k < half; k++) {
          const a = numbers[first + k], b = numbers[first + half + k], c = cos[row * half + k], s = sin[row * half + k];
          numbers[first + k] = (a * c - b * s) * factor;
          numbers[first + half + k] = (b * c + a * s) * factor;
        }
      }
      for (let head = 0; head < heads; head++) {
        const key = q + hidden + head * size, value = key + hidden, keys = this.place(0, layer, head) / 4 + (position >> 3) * EIGHT * size + (position & 7);
        for (let k = 0; k < size; k++) numbers[keys + k * EIGHT] = numbers[key + k];
        numbers.copyWithin(this.place(1, layer, head) / 4 + position * size, value, value + size);
      }
    }
  }

  /** Where the cached keys (0) or values (1) of a head begin. */
  place(what, layer, head) { return this.cache + ((what * this.shape.layers + layer) * this.shape.heads + head) * this.cacheBytes; }

  /** Each row's mixture of the values that it sees. */
  attend(layer, start, from, end) {
    const { numbers, size, at, width, scores, kernel } = this, step = 4 * this.room;
    for (let first = from; first < end; first += TILE) {
      const n = Math.min(TILE, end - first), seen = up(start + first + n, EIGHT);
      for (let head = 0; head < this.shape.heads; head++) {
        kernel[`keys${n}`](at.qkv + first * width.qkv + head * size * 4, width.qkv, this.place(0, layer, head), EIGHT * size * 4, scores, step, size, seen / EIGHT, 0);
        for (let row = 0; row < n; row++) {
          const begin = (scores + row * step) / 4;
          numbers.fill(HIDDEN, begin + start + first + row + 1, begin + seen);
          kernel.softmax(scores + row * step, seen);
        }
        kernel[`values${n}`](scores, step, this.place(1, layer, head), 4 * EIGHT, at.mixed + first * width.mixed + head * size * 4, width.mixed, seen, size / EIGHT, 0);
      }
    }
  }
}

// ---------------------------------------------------------------- the file

/** The constants of an ONNX file by name: bytes, and of a matrix its integers and a scale for each row. */
function tensors(file) {
  const found = new Map(), scales = ".scale";
  for (const constant of parts(parts(file, MODEL_GRAPH)[0], GRAPH_CONSTANT)) found.set(new TextDecoder().decode(parts(constant, NAME)[0]), { raw: parts(constant, BYTES)[0] });
  for (const [name, { raw }] of found) {
    if (!name.endsWith(scales)) continue;
    const tensor = found.get(name.slice(0, -scales.length)), scale = new Float32Array(raw.slice().buffer);
    Object.assign(tensor, { scale, values: new Int8Array(tensor.raw.slice().buffer), depth: tensor.raw.length / scale.length });
  }
  return found;
}

/** The parts of a message of Protocol Buffers that have a number and a length. */
function parts(message, wanted) {
  const found = [];
  let at = 0;
  const integer = () => { let value = 0, factor = 1; for (;;) { const byte = message[at++]; value += (byte & 127) * factor; if (byte < 128) return value; factor *= 128; } };
  while (at < message.length) {
    const key = integer(), kind = key & 7;
    if (kind === 0) integer();
    else {
      const length = kind === 2 ? integer() : kind === 1 ? 8 : 4;
      if (kind === 2 && key >> 3 === wanted) found.push(message.subarray(at, at + length));
      at += length;
    }
  }
  return found;
}

/** The fp16 numbers of a vector. */
function halves(stored, name) {
  const bits = new Uint16Array(stored.get(name).raw.slice().buffer);
  return Float32Array.from(bits, (half) => {
    const exponent = half >> 10 & 31, fraction = half & 1023;
    return (half >> 15 ? -1 : 1) * (exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : 2 ** -24 * fraction);
  });
}
