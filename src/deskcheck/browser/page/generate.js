// The shipped network, token by token: keys and values of earlier tokens, and draws at a temperature.
// The tokens are those of inference/slots.py; cached keys change no answer, only its time.
import { Forward } from "./forward.js";

const ENDS = 2; // "</s>"

/** One sequence of prompts; the next one is read from the first token that differs. */
export class Network {
  constructor(file, shape) { Object.assign(this, { forward: new Forward(file, shape), shape, ids: [] }); }

  /** {prompt, max_tokens, temperature, seed} -> {tokens, finish}; the end mark is among the tokens. */
  answer({ prompt, max_tokens, temperature, seed }) {
    const out = [], draws = temperature > 0 ? new Draws(seed) : null, limit = this.shape.max_positions;
    if (max_tokens < 1 || prompt.length >= limit) return { tokens: out, finish: "length" };
    let same = 0;
    while (same < this.ids.length && same < prompt.length - 1 && this.ids[same] === prompt[same]) same++;
    this.ids.length = same;
    for (let pending = prompt.slice(same); ;) {
      const scores = this.forward.read(this.ids, pending);
      this.ids.push(...pending);
      const token = draws ? draws.token(scores, temperature) : best(scores);
      out.push(token);
      if (token === ENDS) return { tokens: out, finish: "stop" };
      if (out.length >= max_tokens || prompt.length + out.length >= limit) return { tokens: out, finish: "length" };
      pending = [token];
    }
  }
}

function best(row) {
  let token = 0;
  for (let at = 1; at < row.length; at++) if (row[at] > row[token]) token = at;
  return token;
}

const WORD = (1n << 32n) - 1n, WIDE = (1n << 128n) - 1n, STEP = (2549297995355413924n << 64n) + 4865540595714422341n;

/** numpy's default_rng(seed): SeedSequence and PCG64, as far as gumbel() needs them. */
export class Draws {
  constructor(seed) {
    const [a, b, c, d] = states(BigInt(seed));
    this.increment = ((((c << 64n) | d) << 1n) | 1n) & WIDE;
    this.state = (this.increment + ((a << 64n) | b)) & WIDE;
    this.state = (this.state * STEP + this.increment) & WIDE;
  }

  /** A number from 0 to 1, without 1. */
  double() {
    this.state = (this.state * STEP + this.increment) & WIDE;
    const turn = this.state >> 122n, mixed = BigInt.asUintN(64, (this.state >> 64n) ^ this.state);
    const turned = BigInt.asUintN(64, (mixed >> turn) | (mixed << (64n - turn)));
    return Number(turned >> 11n) / 9007199254740992;
  }

  gumbel() {
    for (;;) {
      const drawn = 1 - this.double();
      if (drawn < 1) return -Math.log(-Math.log(drawn));
    }
  }

  /** A token drawn at a temperature, by the Gumbel trick. */
  token(row, temperature) {
    const divisor = Math.fround(temperature);
    let token = 0, highest = -Infinity;
    for (let at = 0; at < row.length; at++) {
      const score = Math.fround(row[at] / divisor) + this.gumbel();
      if (score > highest) { highest = score; token = at; }
    }
    return token;
  }
}

/** The four words of 64 bits that SeedSequence(seed) gives PCG64. */
function states(seed) {
  const times = (a, b) => (a * b) & WORD, shifted = (value) => value ^ (value >> 16n);
  let constant = 0x43b0d7e5n;
  const hashed = (value) => {
    value ^= constant;
    constant = times(constant, 0x931e8875n);
    return shifted(times(value, constant));
  };
  const mixed = (x, y) => shifted((times(0xca01f9ddn, x) - times(0x4973f715n, y)) & WORD);
  const pool = [0, 1, 2, 3].map((at) => hashed(at ? 0n : seed & WORD));
  for (let from = 0; from < 4; from++) for (let to = 0; to < 4; to++) if (from !== to) pool[to] = mixed(pool[to], hashed(pool[from]));
  constant = 0x8b51f9ddn;
  const words = Array.from({ length: 8 }, (_, at) => {
    const value = pool[at % 4] ^ constant;
    constant = times(constant, 0x58f38dedn);
    return shifted(times(value, constant));
  });
  return [0, 2, 4, 6].map((at) => words[at] | (words[at + 1] << 32n));
}
