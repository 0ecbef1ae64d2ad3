# family: data structures
# title: a ring that forgets the oldest
# time: O(n)
# space: O(k)
# english: Writes items round a ring of cells, returning what each one replaced; then reads the ring from the oldest cell on, with what fell out.
# chinese: 把元素依次写入环形单元，返回各自替换掉的内容；然后从最旧的单元开始读出整个环，并给出被挤出的元素。
# call: last([6], 2)
# call: last([7, 1, 8], 2)
# call: last(["e", "h", "k", "n", "q", "t", "w"], 3)
class Ring:
    def __init__(self, size):
        self.cells = [None] * size
        self.head = 0

    def push(self, item):
        old = self.cells[self.head]
        self.cells[self.head] = item
        self.head = (self.head + 1) % len(self.cells)
        return old

    def __iter__(self):
        yield from self.cells[self.head :]
        yield from self.cells[: self.head]


def last(items, size):
    ring = Ring(size)
    lost = []
    for item in items:
        lost.append(ring.push(item))
    return list(ring), lost
