// call: last([6], 2)
// call: last([7, 1, 8], 2)
// call: last(['e', 'h', 'k', 'n', 'q', 't', 'w'], 3)
class Ring {
  constructor(size) {
    this.cells = Array(size).fill(null);
    this.head = 0;
  }

  push(item) {
    const old = this.cells[this.head];
    this.cells[this.head] = item;
    this.head = (this.head + 1) % this.cells.length;
    return old;
  }

  *[Symbol.iterator]() {
    yield* this.cells.slice(this.head);
    yield* this.cells.slice(0, this.head);
  }
}

function last(items, size) {
  const ring = new Ring(size);
  const lost = [];
  for (const item of items) {
    lost.push(ring.push(item));
  }
  return [[...ring], lost];
}
