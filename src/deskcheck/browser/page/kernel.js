// The arithmetic of the network in WebAssembly with SIMD: products of matrices, softmax and gates. It is assembled here
// and not compiled, so that no binary ships. The right matrix of a product has one of three kinds: `bytes`, the stored
// 8-bit integers, which become fp32 in registers, and the cached `keys` and `values` in fp32.

const I32 = 0x7f, V128 = 0x7b, ADD = 0x6a, SUB = 0x6b, MUL = 0x6c, MADD = 0x105, FADD = 0x92, FMAX = 0x97; // numbers of the specification
const flat = (parts) => parts.flat(Infinity);
const u = (n) => { const out = []; do { const low = n & 127; n >>>= 7; out.push(n ? low | 128 : low); } while (n); return out; };
const s = (n) => { const out = []; for (;;) { const low = n & 127; n >>= 7; if ((n === 0 && !(low & 64)) || (n === -1 && low & 64)) return [...out, low]; out.push(low | 128); } };
const f32 = (x) => [...new Uint8Array(new Float32Array([x]).buffer)];
const simd = (op) => [0xfd, ...u(op)];
const get = (local) => [0x20, u(local)], set = (local) => [0x21, u(local)], int = (n) => [0x41, s(n)];
const plus = (local, n) => [get(local), int(n), ADD, set(local)];
const loop = (...body) => [0x03, 0x40, body, 0x0b];
const again = (local, step) => [get(local), int(step), SUB, 0x22, u(local), 0x0d, 0]; // local -= step, and once more unless it is 0
const load = (local, at) => [get(local), simd(0x00), 2, u(at)], loadFour = (local, at) => [get(local), simd(0x09), 2, u(at)];
const bytes = (local, at) => [get(local), simd(0x01), 0, u(at)];
const store = (local, value, at) => [get(local), value, simd(0x0b), 2, u(at)];
const v = { add: simd(0xe4), sub: simd(0xe5), mul: simd(0xe6), div: simd(0xe7), min: simd(0xe8), max: simd(0xe9), neg: simd(0xe1), nearest: simd(0x6a), toInt: simd(0xf8), toFloat: simd(0xfa), low: simd(0xa7), high: simd(0xa8), shl: simd(0xab), addInt: simd(0xae), splat: simd(0x13), splatInt: simd(0x11) };
const lane = (n) => [simd(0x1f), n];
const all = (x) => [0x43, f32(x), v.splat];

export const TILE = 6; // rows at once: twelve sums, two columns and a row's value fit into sixteen registers
const STEPS = 4; // of the common dimension in one round

/** c[row][8 * panel ..] = sum over k of a[row][k] * b[panel][k][..], times a scale for a column of bytes. */
function product(rows, kind, rowBytes, madd) {
  const [a, stride, b, step, c, cStride, k, panels, scales] = [0, 1, 2, 3, 4, 5, 6, 7, 8], params = 9;
  const sets = rows === 1 ? 4 : rows === 2 ? 2 : 1; // sums apart, so that none waits for the one before
  const left = (row) => params + row, at = params + rows, n = at + 1, first = n + 1;
  const sum = (part, row, half) => first + (part * rows + row) * 2 + half, low = first + sets * rows * 2, high = low + 1, value = low + 2, raw = low + 3;
  const rowsOf = (body) => Array.from({ length: rows }, (_, row) => body(row)), both = (body) => [0, 1].map(body);
  const columns = (t) => kind === "bytes"
    ? [bytes(at, t * rowBytes), set(raw), get(raw), v.low, v.toFloat, set(low), get(raw), v.high, v.toFloat, set(high)]
    : [load(at, t * rowBytes), set(low), load(at, t * rowBytes + 16), set(high)];
  const round = Array.from({ length: STEPS }, (_, t) => [columns(t), rowsOf((row) => [
    loadFour(left(row), 4 * t), set(value),
    both((half) => madd(get(value), get(low + half), sum(t % sets, row, half))),
  ])]);
  const total = (row, half) => [get(sum(0, row, half)), Array.from({ length: sets - 1 }, (_, part) => [get(sum(part + 1, row, half)), v.add]), kind === "bytes" ? [load(scales, 16 * half), v.mul] : []];
  const body = loop(
    rowsOf((row) => [get(a), get(stride), int(row), MUL, ADD, set(left(row))]), get(b), set(at), get(k), set(n),
    Array.from({ length: sets * rows * 2 }, (_, number) => [all(0), set(first + number)]),
    loop(round, rowsOf((row) => plus(left(row), 4 * STEPS)), plus(at, STEPS * rowBytes), again(n, STEPS)),
    get(c), set(at),
    rowsOf((row) => [both((half) => store(at, total(row, half), 16 * half)), get(at), get(cStride), ADD, set(at)]),
    get(b), get(step), ADD, set(b), plus(c, 32), kind === "bytes" ? plus(scales, 32) : [], again(panels, 1),
  );
  return { params, locals: [[rows + 2, I32], [sets * rows * 2 + 4, V128]], body };
}

/** e to the power of each of four numbers; -88 and less count as -88. */
function exp(x, n, result) {
  const terms = [1 / 720, 1 / 120, 1 / 24, 1 / 6, 1 / 2, 1, 1];
  return [
    get(x), all(-87), v.max, all(88), v.min, set(x), get(x), all(Math.LOG2E), v.mul, v.nearest, set(n),
    get(x), get(n), all(0.693359375), v.mul, v.sub, get(n), all(-2.12194440e-4), v.mul, v.sub, set(x),
    all(terms[0]), set(result), terms.slice(1).map((term) => [get(result), get(x), v.mul, all(term), v.add, set(result)]),
    get(result), get(n), v.toInt, int(127), v.splatInt, v.addInt, int(23), v.shl, v.mul, set(result),
  ];
}

/** In place, of four numbers at a time: softmax of a row whose places behind the last one hold -1e9. */
function softmax() {
  const [row, n, at, left, x, whole, e, most, sum] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  const begin = [get(row), set(at), get(n), set(left)], next = [plus(at, 16), again(left, 4)];
  const joined = (local, op) => [[0, 1, 2, 3].map((number) => [get(local), lane(number)]), op, op, op, v.splat, set(local)];
  return {
    params: 2, locals: [[2, I32], [5, V128]],
    body: [
      load(row, 0), set(most), begin, loop(get(most), load(at, 0), v.max, set(most), next), joined(most, FMAX),
      all(0), set(sum), begin, loop(load(at, 0), get(most), v.sub, set(x), exp(x, whole, e), store(at, get(e), 0), get(sum), get(e), v.add, set(sum), next), joined(sum, FADD),
      begin, loop(store(at, [load(at, 0), get(sum), v.div], 0), next),
    ],
  };
}

/** out = gate * sigmoid(gate) * up, n numbers. */
function gated() {
  const [gate, up, out, n, x, whole, e] = [0, 1, 2, 3, 4, 5, 6];
  return {
    params: 4, locals: [[3, V128]],
    body: loop(load(gate, 0), v.neg, set(x), exp(x, whole, e), store(out, [load(gate, 0), load(up, 0), v.mul, get(e), all(1), v.add, v.div], 0), plus(gate, 16), plus(up, 16), plus(out, 16), again(n, 4)),
  };
}

function assembled(functions) {
  const section = (id, ...content) => { const body = flat(content); return [id, u(body.length), body]; };
  const vector = (items) => [u(items.length), items];
  const text = (name) => vector([...new TextEncoder().encode(name)]);
  const names = Object.keys(functions), made = Object.values(functions);
  const code = ({ locals, body }) => { const whole = flat([vector(locals.map(([n, type]) => [u(n), type])), body, 0x0b]); return [u(whole.length), whole]; };
  return new Uint8Array(flat([
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    section(1, vector(made.map(({ params }) => [0x60, vector(Array(params).fill(I32)), vector([])]))),
    section(2, vector([[text("page"), text("memory"), 2, 0, u(1)]])),
    section(3, vector(made.map((_, number) => u(number)))),
    section(7, vector(names.map((name, number) => [text(name), 0, u(number)]))),
    section(10, vector(made.map(code))),
  ]));
}

/** The functions, in a memory. Fused multiplication and addition where the browser has it. */
export function kernel(memory, headSize) {
  const fused = (x, y, sum) => [x, y, get(sum), simd(MADD), set(sum)], apart = (x, y, sum) => [x, y, v.mul, get(sum), v.add, set(sum)];
  const module = (madd) => {
    const functions = { softmax: softmax(), gated: gated() };
    for (const [kind, rowBytes] of Object.entries({ bytes: 8, keys: 32, values: 4 * headSize })) for (let rows = 1; rows <= TILE; rows++) functions[kind + rows] = product(rows, kind, rowBytes, madd);
    return assembled(functions);
  };
  const best = module(fused);
  return new WebAssembly.Instance(new WebAssembly.Module(WebAssembly.validate(best) ? best : module(apart)), { page: { memory } }).exports;
}

