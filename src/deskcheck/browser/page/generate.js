// The shipped network, token by token: keys and values of earlier tokens, drafts, and draws at a temperature.
// The tokens are those of inference/slots.py; drafts and cached keys change no answer, only its time.

const ENDS = 2; // "</s>"
const DRAFT_TOKENS = 12, DRAFTS = 4, KINDS = 256, MISSES = 2;
const LOOKED_UP = 5, LOOK_UPS = 4, ALIKE = 2, ROOM = 64;

/** One sequence of prompts; the next one is read from the first token that differs. */
export class Network {
  constructor(ort, session, shape) {
    Object.assign(this, { ort, session, shape, ids: [], room: 0, answers: new Map(), calls: 0 });
    this.size = shape.hidden / shape.heads;
    this.kept = Array.from({ length: 2 * shape.layers }, () => new Float32Array(0));
  }

  static async open(ort, model, shape) {
    const session = await ort.InferenceSession.create(model, { graphOptimizationLevel: "basic", enableMemPattern: false, enableCpuMemArena: false });
    return new Network(ort, session, shape);
  }

  /** Begin a sequence about another program. */
  forget() { this.ids = []; this.answers.clear(); }

  /** {prompt, kind, max_tokens, temperature, seed} -> {tokens, finish}; the end mark is among the tokens. */
  async answer({ prompt, kind, max_tokens, temperature, seed }) {
    const out = [], draws = temperature > 0 ? new Draws(seed) : null, limit = this.shape.max_positions;
    if (max_tokens < 1 || prompt.length >= limit) return { tokens: out, finish: "length" };
    let same = 0, misses = 0, inVain = 0;
    while (same < this.ids.length && same < prompt.length - 1 && this.ids[same] === prompt[same]) same++;
    this.ids.length = same;
    let pending = prompt.slice(same);
    for (;;) {
      const room = Math.min(DRAFT_TOKENS, limit - this.ids.length - pending.length);
      const earlier = misses > MISSES ? [] : this.draft(kind, out);
      const isLookedUp = !earlier.length && inVain < LOOK_UPS;
      const draft = (isLookedUp ? lookedUp(prompt, out) : earlier).slice(0, Math.max(0, room)).filter((token) => token !== ENDS);
      const scores = await this.forward([...pending, ...draft], draft.length + 1);
      this.ids.push(...pending);
      for (let at = 0; at <= draft.length; at++) {
        const row = scores.subarray(at * this.shape.vocabulary, (at + 1) * this.shape.vocabulary);
        const token = draws ? draws.token(row, temperature) : best(row);
        out.push(token);
        pending = [token];
        const finish = token === ENDS ? "stop" : out.length >= max_tokens || prompt.length + out.length >= limit ? "length" : "";
        if (finish) { this.remember(kind, out); return { tokens: out, finish }; }
        if (at === draft.length) break;
        if (draft[at] !== token) {
          if (isLookedUp) inVain += at === 0; else misses++;
          break;
        }
        this.ids.push(token);
      }
    }
  }

  /** What comes next in an earlier answer of this kind: one that agrees so far, else the latest. */
  draft(kind, out) {
    const answers = this.answers.get(kind) || [];
    const fits = answers.find((answer) => out.every((token, at) => answer[at] === token)) || answers[0];
    return fits ? fits.slice(out.length) : [];
  }

  remember(kind, out) {
    if (this.answers.size >= KINDS) this.answers.clear();
    const answers = (this.answers.get(kind) || []).filter((answer) => String(answer) !== String(out));
    this.answers.set(kind, [out, ...answers].slice(0, DRAFTS));
  }

  /** Read new tokens after those in the cache; the scores after the last `wanted` of them. */
  async forward(tokens, wanted) {
    const { ort, shape, size } = this, start = this.ids.length, n = tokens.length, places = tokens.map((_, at) => at);
    const int64 = (numbers, dims) => new ort.Tensor("int64", BigInt64Array.from(numbers, BigInt), dims);
    const whole = [...this.ids.slice(-shape.shift), ...tokens], known = whole.length - n, earlier = [];
    for (let back = 1; back <= shape.shift; back++) for (let at = 0; at < n; at++) earlier.push(whole[known + at - back] ?? 0);
    const past = this.extend(start + n);
    const feed = {
      input_ids: int64(tokens, [n]), position_ids: int64(places.map((at) => start + at), [n]), pick: int64(places, [1, n]), place: int64(places, [n]),
      past_length: int64([start], [1]), wanted: int64(places.slice(n - wanted), [wanted]),
    };
    if (shape.shift) feed.earlier_ids = int64(earlier, [shape.shift, n]);
    for (let layer = 0; layer < shape.layers; layer++) {
      feed[`past_key_${layer}`] = new ort.Tensor("float32", this.kept[2 * layer], [1, shape.heads, past, size]);
      feed[`past_value_${layer}`] = new ort.Tensor("float32", this.kept[2 * layer + 1], [1, shape.heads, past, size]);
    }
    this.calls++;
    const { logits, new: fresh } = await this.session.run(feed);
    this.keep(fresh.data, start, n);
    return logits.data;
  }

  /** Make room for so many tokens in the cache; its room. The network does not look past `past_length`. */
  extend(n) {
    const { size, room: had } = this, { heads } = this.shape;
    if (n <= had) return had;
    const room = n + ROOM;
    this.kept = this.kept.map((whole) => {
      const longer = new Float32Array(heads * room * size);
      for (let head = 0; head < heads; head++) longer.set(whole.subarray(head * had * size, (head + 1) * had * size), head * room * size);
      return longer;
    });
    return (this.room = room);
  }

  keep(fresh, start, n) {
    const { size } = this, { heads, layers, hidden } = this.shape;
    for (let at = 0; at < n; at++) {
      for (let part = 0; part < 2 * layers; part++) {
        const from = at * 2 * layers * hidden + part * hidden;
        for (let head = 0; head < heads; head++) this.kept[part].set(fresh.subarray(from + head * size, from + (head + 1) * size), (head * this.room + start + at) * size);
      }
    }
  }
}

/** What follows the latest tokens where they stood before, in the prompt or in the answer: states are copied, mostly. */
function lookedUp(prompt, out) {
  if (!out.length) return [];
  const whole = [...prompt, ...out], end = whole.length;
  for (let at = end - 1; at >= ALIKE; at--) {
    let alike = 0;
    while (alike < ALIKE && whole[at - 1 - alike] === whole[end - 1 - alike]) alike++;
    if (alike === ALIKE) return whole.slice(at, at + LOOKED_UP);
  }
  return [];
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
