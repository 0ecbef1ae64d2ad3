# call: tally_sort([3, 1, 2, 3, 0])
# call: tally_sort([5, 5, 2])
# call: tally_sort([])
# call: tally_sort([4, 1, 0, 6, 1, 4, 2])
# call: tally_sort([-2, 3, -2])
# call: tally_sort([1, 2.5])
def tally_sort(values):
    if not values:
        return [], []
    low, high = min(values), max(values)
    counts = [0] * (high - low + 1)
    for v in values:
        counts[v - low] += 1
    result = []
    for i, n in enumerate(counts):
        while n > 0:
            result.append(i + low)
            n -= 1
    return result, counts


# call: place_by_counts([("b", 2), ("a", 1), ("c", 2)], 3)
# call: place_by_counts([("x", 0), ("y", 0)], 1)
# call: place_by_counts([], 2)
# call: place_by_counts([("p", 3), ("q", 1), ("r", 3), ("s", 0), ("t", 1), ("u", 2)], 4)
# call: place_by_counts([("a", -1), ("b", 0)], 2)
# call: place_by_counts([("a", 5)], 3)
def place_by_counts(pairs, kinds):
    start = [0] * (kinds + 1)
    for _, k in pairs:
        start[k + 1] += 1
    for k in range(kinds):
        start[k + 1] += start[k]
    placed = [None] * len(pairs)
    for name, k in pairs:
        placed[start[k]] = name
        start[k] += 1
    return placed


# call: shell_rows([9, 4, 7, 1, 3], [3, 1])
# call: shell_rows([2, 1], [1])
# call: shell_rows([], [4, 1])
# call: shell_rows([7, 6, 5, 4, 3, 2, 1, 0], [4, 2])
# call: shell_rows([3, 1, 2], [5])
# call: shell_rows([3, 1, 2], [0])
def shell_rows(a, gaps):
    def swap_down(i, gap):
        if i >= gap and a[i] < a[i - gap]:
            a[i], a[i - gap] = a[i - gap], a[i]
            swap_down(i - gap, gap)

    stages = []
    for gap in gaps:
        for first in range(gap, len(a)):
            swap_down(first, gap)
        stages.append(a[:])
    return stages


# call: gnome_with_memory([4, 2, 3, 1])
# call: gnome_with_memory([1, 3, 2])
# call: gnome_with_memory([7])
# call: gnome_with_memory([6, 5, 4, 3, 2])
# call: gnome_with_memory([1, 1, 0, 0])
# call: gnome_with_memory((2, 1))
def gnome_with_memory(a):
    pos, back = 1, 0
    turns = []
    while pos < len(a):
        if a[pos] >= a[pos - 1]:
            if back:
                pos, back = back, 0
            pos += 1
            continue
        a[pos - 1], a[pos] = a[pos], a[pos - 1]
        if pos > 1:
            if back == 0:
                back = pos
                turns.append(pos)
            pos -= 1
        else:
            pos += 1
    return a, turns


# call: comb_sort([9, 5, 2, 47, 3])
# call: comb_sort([2, 1, 3])
# call: comb_sort([])
# call: comb_sort([9, 7, 5, 3, 1, 8, 6])
# call: comb_sort([1, 2])
# call: comb_sort([3, 1], 0)
def comb_sort(a, shrink=1.3):
    gap, swapped, gaps = len(a), True, []
    while gap > 1 or swapped:
        gap = max(1, int(gap / shrink))
        gaps.append(gap)
        swapped = False
        for i in range(len(a) - gap):
            if a[i] > a[i + gap]:
                a[i], a[i + gap] = a[i + gap], a[i]
                swapped = True
    return a, gaps


# call: pancake_flips([3, 1, 2])
# call: pancake_flips([2, 1])
# call: pancake_flips([])
# call: pancake_flips([4, 6, 2, 5, 1, 3])
# call: pancake_flips([1, 2, 3])
# call: pancake_flips([2, "b", 1])
def pancake_flips(stack):
    def flip(n):
        stack[:n] = stack[:n][::-1]
        flips.append(n)

    flips = []
    for size in range(len(stack), 1, -1):
        big = stack.index(max(stack[:size]))
        if big == size - 1:
            continue
        if big > 0:
            flip(big + 1)
        flip(size)
    return flips, stack


# call: bucket_sort([31, 24, 6, 45, 8], 5)
# call: bucket_sort([10, 0, 5], 2)
# call: bucket_sort([], 3)
# call: bucket_sort([42, 7, 88, 15, 63, 91, 20, 77], 4)
# call: bucket_sort([6, 6, 6], 3)
# call: bucket_sort([1, 2], 0)
def bucket_sort(numbers, n_buckets):
    if not numbers:
        return []
    width = max(numbers) // n_buckets + 1
    buckets = [[] for _ in range(n_buckets)]
    for x in numbers:
        bucket = buckets[x // width]
        place = len(bucket)
        while place and bucket[place - 1] > x:
            place -= 1
        bucket.insert(place, x)
    return [x for bucket in buckets for x in bucket]


# call: radix_by_queues([160, 48, 73, 91])
# call: radix_by_queues([8, 3, 5])
# call: radix_by_queues([])
# call: radix_by_queues([418, 52, 745, 231, 6, 309])
# call: radix_by_queues([0, 0])
# call: radix_by_queues([12, "7"])
def radix_by_queues(numbers):
    unit = 1
    passes = 0
    while numbers and max(numbers) >= unit:
        queues = {}
        for n in numbers:
            queues.setdefault(n // unit % 10, []).append(n)
        numbers = []
        for digit in range(10):
            numbers += queues.get(digit, [])
        unit *= 10
        passes += 1
    return numbers, passes


# call: radix_words(["bad", "cab", "add"])
# call: radix_words(["b", "a"])
# call: radix_words([])
# call: radix_words(["to", "tea", "ted", "i", "inn", "ten"])
# call: radix_words(["a", "", "aa"])
# call: radix_words(["ab", 3])
def radix_words(words, at=0):
    if len(words) < 2:
        return words
    done, groups = [], {}
    for w in words:
        if len(w) == at:
            done.append(w)
        else:
            groups.setdefault(w[at], []).append(w)
    for letter in "abcdefghijklmnopqrstuvwxyz":
        if letter in groups:
            done.extend(radix_words(groups[letter], at + 1))
    return done


# call: BinarySwitch(3).sort([5, 2, 7, 0])
# call: BinarySwitch(2).sort([3, 1, 2])
# call: BinarySwitch(1).sort([])
# call: BinarySwitch(4).sort([9, 4, 15, 8, 1, 12, 3])
# call: BinarySwitch(1).sort([3, 2, 1])
# call: BinarySwitch(2).sort([1, 0.5])
class BinarySwitch:
    """Sorts by one bit after the other, from the lowest."""

    def __init__(self, bits):
        self.bits = bits
        self.history = []

    def split(self, values, bit):
        zeros, ones = [], []
        for v in values:
            (ones if v >> bit & 1 else zeros).append(v)
        return zeros + ones

    def sort(self, values):
        for bit in range(self.bits):
            values = self.split(values, bit)
            self.history.append(values)
        return self.history


# call: cocktail([3, 1, 2])
# call: cocktail([4, 3, 2, 1])
# call: cocktail([])
# call: cocktail([2, 6, 1, 5, 3, 4])
# call: cocktail([1, 2, 2])
# call: cocktail(["b", "a", None])
def cocktail(glasses):
    left, right = 0, len(glasses) - 1
    way = 1
    turns = 0
    while left < right:
        i = left if way == 1 else right
        moved = False
        while left <= i + way <= right:
            a, b = sorted((i, i + way))
            if glasses[a] > glasses[b]:
                glasses[a], glasses[b] = glasses[b], glasses[a]
                moved = True
            i += way
        if way == 1:
            right -= 1
        else:
            left += 1
        if not moved:
            break
        way = -way
        turns += 1
    return glasses, turns


# call: cycle_writes([4, 2, 1, 3])
# call: cycle_writes([2, 1])
# call: cycle_writes([])
# call: cycle_writes([5, 3, 3, 1, 2])
# call: cycle_writes([1, 2, 3])
# call: cycle_writes([2, [1]])
def cycle_writes(a):
    def home(item, start):
        return start + sum(1 for i in range(start + 1, len(a)) if a[i] < item)

    writes = 0
    for start in range(len(a) - 1):
        item = a[start]
        place = home(item, start)
        if place == start:
            continue
        while True:
            while a[place] == item:
                place += 1
            a[place], item = item, a[place]
            writes += 1
            if place == start:
                break
            place = home(item, start)
            if place == start:
                a[start], item = item, a[start]
                writes += 1
                break
    return a, writes


# call: heap_sort_down([3, 9, 2, 1])
# call: heap_sort_down([1, 2])
# call: heap_sort_down([])
# call: heap_sort_down([5, 11, 2, 6, 1, 9])
# call: heap_sort_down([7, 7, 7])
# call: heap_sort_down([1, "a", 2])
def heap_sort_down(a):
    def sift(root, end):
        while 2 * root + 1 < end:
            child = 2 * root + 1
            if child + 1 < end and a[child] < a[child + 1]:
                child += 1
            if a[root] >= a[child]:
                return
            a[root], a[child] = a[child], a[root]
            root = child

    n = len(a)
    for root in reversed(range(n // 2)):
        sift(root, n)
    for end in range(n - 1, 0, -1):
        a[0], a[end] = a[end], a[0]
        sift(0, end)
    return a


# call: climb_in_heap([1, 3, 5], 2)
# call: climb_in_heap([2, 4], 9)
# call: climb_in_heap([], 7)
# call: climb_in_heap([1, 4, 2, 9, 6, 5, 3], 0)
# call: climb_in_heap([3, 3], 3)
# call: climb_in_heap([1], "z")
def climb_in_heap(heap, item):
    heap.append(item)
    child = len(heap) - 1
    path = [child]
    while child > 0:
        parent = (child - 1) // 2
        if heap[parent] <= heap[child]:
            break
        heap[parent], heap[child] = heap[child], heap[parent]
        child = parent
        path.append(child)
    return heap, path


# call: heap_order_fault([1, 3, 2, 4])
# call: heap_order_fault([5, 4, 6])
# call: heap_order_fault([])
# call: heap_order_fault([1, 2, 3, 5, 4, 7, 0])
# call: heap_order_fault([2, 2, 2])
# call: heap_order_fault([1, None])
def heap_order_fault(a):
    """The first (parent, child) out of order, or None."""
    for parent in range(len(a) // 2):
        for child in (2 * parent + 1, 2 * parent + 2):
            if child < len(a) and a[child] < a[parent]:
                return parent, child
    return None


# call: stooge([3, 1, 2])
# call: stooge([2, 1])
# call: stooge([])
# call: stooge([4, 2, 3, 1])
# call: stooge([1, 2, 2])
# call: stooge("ba")
def stooge(a):
    def work(i, j):
        if a[i] > a[j]:
            a[i], a[j] = a[j], a[i]
        if j - i > 1:
            third = (j - i + 1) // 3
            work(i, j - third)
            work(i + third, j)
            work(i, j - third)

    if a:
        work(0, len(a) - 1)
    return a


# call: slow_sort([2, 3, 1])
# call: slow_sort([2, 1])
# call: slow_sort([])
# call: slow_sort([4, 1, 3, 2])
# call: slow_sort([1, 1])
# call: slow_sort([0, ""])
def slow_sort(a, i=0, j=None):
    """Multiply and surrender."""
    if j is None:
        j = len(a) - 1
    if i >= j:
        return a
    m = (i + j) // 2
    slow_sort(a, i, m)
    slow_sort(a, m + 1, j)
    if a[m] > a[j]:
        a[m], a[j] = a[j], a[m]
    return slow_sort(a, i, j - 1)


# call: stable_halves([5, 1, 4, 2], 3)
# call: stable_halves([9, 2], 5)
# call: stable_halves([], 1)
# call: stable_halves([8, 1, 7, 3, 9, 2, 6], 5)
# call: stable_halves([4, 4, 4], 4)
# call: stable_halves(["x", 1], 3)
def stable_halves(a, limit):
    """Small ones first, by exchanging neighbouring blocks."""

    def rotate(lo, mid, hi):
        a[lo:hi] = a[mid:hi] + a[lo:mid]

    def part(lo, hi):
        if lo == hi:
            return lo
        if hi - lo == 1:
            return hi if a[lo] < limit else lo
        mid = (lo + hi) // 2
        left = part(lo, mid)
        right = part(mid, hi)
        rotate(left, mid, right)
        return left + right - mid

    return part(0, len(a)), a


# call: strand_sort([4, 6, 1, 5])
# call: strand_sort([2, 1])
# call: strand_sort([])
# call: strand_sort([6, 2, 7, 3, 8, 1, 9])
# call: strand_sort([1, 1, 1])
# call: strand_sort([2, "x"])
def strand_sort(items):
    strands = []
    while items:
        strand, rest = [items[0]], []
        for x in items[1:]:
            if x >= strand[-1]:
                strand.append(x)
            else:
                rest.append(x)
        strands.append(strand)
        items = rest
    result = []
    for strand in strands:
        i = 0
        for x in strand:
            while i < len(result) and result[i] <= x:
                i += 1
            result.insert(i, x)
    return result, len(strands)


# call: bitonic([3, 1, 4, 2])
# call: bitonic([2, 1], up=False)
# call: bitonic([7])
# call: bitonic([5, 8, 1, 7, 2, 6, 3, 4])
# call: bitonic([1, 2, 3, 4], False)
# call: bitonic([3, 2, 1])
def bitonic(a, up=True):
    def clean(part, up):
        if len(part) == 1:
            return part
        half = len(part) // 2
        for i in range(half):
            if (part[i] > part[i + half]) == up:
                part[i], part[i + half] = part[i + half], part[i]
        return clean(part[:half], up) + clean(part[half:], up)

    if len(a) & (len(a) - 1):
        raise ValueError("length is no power of two")
    if len(a) < 2:
        return a
    half = len(a) // 2
    return clean(bitonic(a[:half], True) + bitonic(a[half:], False), up)


# call: network_of_four(4, 3, 2, 1)
# call: network_of_four("d", "a", "c", "b")
# call: network_of_four(0, 0, 0, 0)
# call: network_of_four(17, 5, 11, 5)
# call: network_of_four(1, 2, 3, 4)
# call: network_of_four(1, 2, 3)
NETWORK = ((0, 1), (2, 3), (0, 2), (1, 3), (1, 2))


def network_of_four(*wires):
    wires = list(wires)
    crossed = []
    for upper, lower in NETWORK:
        if wires[upper] > wires[lower]:
            wires[upper], wires[lower] = wires[lower], wires[upper]
            crossed.append(f"{upper}-{lower}")
    return wires, crossed


# call: pigeonholes({"ann": 3, "bob": 1, "cy": 2})
# call: pigeonholes({"x": 5, "y": 5})
# call: pigeonholes({})
# call: pigeonholes({"a": 4, "b": 7, "c": 4, "d": 5, "e": 9, "f": 7})
# call: pigeonholes({"m": -1, "n": -3})
# call: pigeonholes({"a": "1"})
def pigeonholes(age_of):
    if len(age_of) == 0:
        return []
    ages = list(age_of.values())
    lowest = min(ages)
    holes = [[] for _ in range(max(ages) - lowest + 1)]
    for name in age_of:
        holes[age_of[name] - lowest].append(name)
    answer = []
    for i in range(len(holes)):
        if holes[i]:
            answer.append((lowest + i, holes[i]))
    return answer


# call: flag_sort("cabbac")
# call: flag_sort("ba")
# call: flag_sort("")
# call: flag_sort("dcbadcbaab")
# call: flag_sort("aaa")
# call: flag_sort([1, 2])
def flag_sort(text):
    """Every letter goes to the next free place of its own stretch."""
    letters = list(text)
    kinds = sorted(set(letters))
    next_free, end, total = {}, {}, 0
    for k in kinds:
        next_free[k] = total
        total += letters.count(k)
        end[k] = total
    swaps = 0
    for k in kinds:
        while next_free[k] < end[k]:
            i = next_free[k]
            own = letters[i]
            if own != k:
                j = next_free[own]
                letters[i], letters[j] = letters[j], letters[i]
                swaps += 1
            next_free[own] += 1
    return "".join(letters), swaps


# call: tournament([5, 2, 8])
# call: tournament(["m", "k"])
# call: tournament([])
# call: tournament([7, 3, 9, 1, 6])
# call: tournament([4, 4])
# call: tournament([1, (2,)])
def tournament(players):
    n = len(players)
    tree = [None] * n + [(p, i) for i, p in enumerate(players)]

    def play(i):
        a, b = tree[2 * i], tree[2 * i + 1]
        if a is None or b is None:
            tree[i] = a or b
        else:
            tree[i] = min(a, b)

    for i in range(n - 1, 0, -1):
        play(i)
    order = []
    while n and len(order) < n:
        value, who = tree[1]
        order.append(value)
        i = n + who
        tree[i] = None
        while i > 1:
            i //= 2
            play(i)
    return order


# call: tree_sort([5, 3, 8, 1])
# call: tree_sort(["b", "c", "a"])
# call: tree_sort([])
# call: tree_sort([4, 2, 6, 1, 3, 5, 7, 4])
# call: tree_sort([1, 2, 3])
# call: tree_sort([3, 1, "2"])
class SortNode:
    def __init__(self, value):
        self.value = value
        self.sides = [None, None]

    def insert(self, value):
        side = 0 if value < self.value else 1
        if self.sides[side] is None:
            self.sides[side] = SortNode(value)
            return 1
        return 1 + self.sides[side].insert(value)

    def walk(self):
        left, right = self.sides
        if left:
            yield from left.walk()
        yield self.value
        if right:
            yield from right.walk()


def tree_sort(values):
    if not values:
        return [], 0
    root = SortNode(values[0])
    depth = 0
    for v in values[1:]:
        depth = max(depth, root.insert(v))
    return list(root.walk()), depth


# call: SmallHeap([4, 1, 7]).smallest(2)
# call: SmallHeap([3, 2]).smallest(1)
# call: SmallHeap([]).smallest(0)
# call: SmallHeap([9, 5, 6, 2, 3, 8]).smallest(4)
# call: SmallHeap([1, 1, 1]).smallest(3)
# call: SmallHeap([2]).smallest(2)
class SmallHeap:
    def __init__(self, items):
        self.a = []
        for item in items:
            self.push(item)

    def push(self, item):
        self.a.append(item)
        i = len(self.a) - 1
        while i and self.a[i] < self.a[(i - 1) // 2]:
            up = (i - 1) // 2
            self.a[i], self.a[up] = self.a[up], self.a[i]
            i = up

    def pop(self):
        top, last = self.a[0], self.a.pop()
        if self.a:
            self.a[0] = last
            i = 0
            while True:
                kids = [k for k in (2 * i + 1, 2 * i + 2) if k < len(self.a)]
                if not kids:
                    break
                k = min(kids, key=self.a.__getitem__)
                if self.a[k] >= self.a[i]:
                    break
                self.a[i], self.a[k] = self.a[k], self.a[i]
                i = k
        return top

    def smallest(self, n):
        return [self.pop() for _ in range(n)]


# call: merge_from_back([1, 4, 7, None, None], [2, 9])
# call: merge_from_back([3, None], [1])
# call: merge_from_back([], [])
# call: merge_from_back([2, 5, 6, 8, None, None, None], [1, 5, 7])
# call: merge_from_back([None, None], [3, 4])
# call: merge_from_back([1, None], [0, 2, 3])
def merge_from_back(room, extra):
    i = len(room) - len(extra) - 1
    j = len(extra) - 1
    if i < -1:
        raise ValueError("not enough room")
    k = len(room) - 1
    while j >= 0:
        if i >= 0 and room[i] > extra[j]:
            room[k] = room[i]
            i -= 1
        else:
            room[k] = extra[j]
            j -= 1
        k -= 1
    return room


# call: wave_order([1, 2, 3, 4])
# call: wave_order([5, 3, 1])
# call: wave_order([])
# call: wave_order([12, 80, 37, 4, 3, 9, 15])
# call: wave_order([2, 2])
# call: wave_order([3, "4"])
def wave_order(a):
    swaps = 0
    for i in range(0, len(a), 2):
        for near in (i - 1, i + 1):
            if 0 <= near < len(a) and a[near] > a[i]:
                a[near], a[i] = a[i], a[near]
                swaps += 1
    return a, swaps


# call: merge_lists([[1, 5], [2, 3], [4]])
# call: merge_lists([["b"], ["a", "c"]])
# call: merge_lists([])
# call: merge_lists([[1, 4, 8], [2, 9], [], [3, 3, 7]])
# call: merge_lists([[], []])
# call: merge_lists([[1], ["x"]])
def merge_lists(lists):
    heads = [0] * len(lists)
    merged = []
    sources = []
    while True:
        best = -1
        for k in range(len(lists)):
            if heads[k] == len(lists[k]):
                continue
            if best < 0 or lists[k][heads[k]] < lists[best][heads[best]]:
                best = k
        if best < 0:
            return merged, sources
        merged.append(lists[best][heads[best]])
        sources.append(best)
        heads[best] += 1


# call: dutch_flag([2, 0, 1, 2, 0])
# call: dutch_flag([1, 1, 0])
# call: dutch_flag([])
# call: dutch_flag([2, 2, 1, 0, 1, 0, 2, 1])
# call: dutch_flag([3, 1, 0], mid=3)
# call: dutch_flag([0, None])
def dutch_flag(colours, mid=1):
    low, at, high = 0, 0, len(colours) - 1
    while at <= high:
        if colours[at] < mid:
            colours[low], colours[at] = colours[at], colours[low]
            low += 1
            at += 1
        elif colours[at] > mid:
            colours[at], colours[high] = colours[high], colours[at]
            high -= 1
        else:
            at += 1
    return colours, low, high


# call: dense_ranks([50, 20, 50, 10])
# call: dense_ranks([1, 2])
# call: dense_ranks([])
# call: dense_ranks([8, 3, 8, 5, 3, 9, 1])
# call: dense_ranks([7, 7, 7])
# call: dense_ranks([2, None])
def dense_ranks(scores):
    steps = []
    for s in scores:
        if s in steps:
            continue
        i = 0
        while i < len(steps) and steps[i] > s:
            i += 1
        steps[i:i] = [s]
    return {s: steps.index(s) + 1 for s in scores}


# call: shared_places_of([9, 7, 7, 5])
# call: shared_places_of([3, 8])
# call: shared_places_of([])
# call: shared_places_of([6, 2, 9, 6, 9, 6, 1])
# call: shared_places_of([4, 4, 4])
# call: shared_places_of([4, "4"])
def shared_places_of(points):
    """Mean place of every entry: two that share 2 and 3 get 2.5."""
    places = []
    for p in points:
        better = same = 0
        for q in points:
            if q > p:
                better += 1
            elif q == p:
                same += 1
        places.append(better + (same + 1) / 2)
    return places


# call: keep_top([4, 9, 2, 7], 2)
# call: keep_top([1, 2, 3], 1)
# call: keep_top([], 2)
# call: keep_top([5, 12, 3, 8, 12, 1, 9, 10], 3)
# call: keep_top([6, 2], 5)
# call: keep_top([6, 2], 0)
def keep_top(values, k):
    top = []
    for v in values:
        if len(top) == k and v <= top[-1]:
            continue
        if len(top) == k:
            top.pop()
        top.append(v)
        i = len(top) - 1
        while i > 0 and top[i - 1] < top[i]:
            top[i - 1], top[i] = top[i], top[i - 1]
            i -= 1
    return top


# call: rotated_at([4, 5, 1, 2])
# call: rotated_at([1, 2, 3])
# call: rotated_at([])
# call: rotated_at([6, 7, 9, 1, 2, 4, 5])
# call: rotated_at([3, 1, 2, 0])
# call: rotated_at([2, "a"])
def rotated_at(a):
    """Where a rotated ascending list begins; -1 if it is none."""
    drops = [i for i in range(len(a)) if a[i - 1] > a[i]]
    if not drops:
        return 0
    if len(drops) > 1:
        return -1
    return drops[0]


# call: order_kind([1, 2, 3])
# call: order_kind([3, 1, 0])
# call: order_kind([])
# call: order_kind([1, 2, 2, 5, 7, 7])
# call: order_kind([1, 3, 2])
# call: order_kind([4, 4, 4, 4])
def order_kind(a):
    up = down = level = 0
    i = 1
    while i < len(a) and not (up and down):
        if a[i] > a[i - 1]:
            up += 1
        elif a[i] < a[i - 1]:
            down += 1
        else:
            level += 1
        i += 1
    if up and down:
        return f"mixed at {i - 1}"
    if up == down:
        return "constant"
    word = "ascending" if up else "descending"
    return word if level else "strictly " + word


# call: inversion_vector([3, 1, 2])
# call: inversion_vector([1, 2, 3])
# call: inversion_vector([])
# call: inversion_vector([4, 6, 1, 5, 2, 3])
# call: inversion_vector([1])
# call: inversion_vector([1, 3])
class Fenwick:
    def __init__(self, n):
        self.sums = [0] * (n + 1)

    def add(self, i):
        while i < len(self.sums):
            self.sums[i] += 1
            i += i & -i

    def upto(self, i):
        total = 0
        while i > 0:
            total += self.sums[i]
            i -= i & -i
        return total


def inversion_vector(order):
    """How many smaller numbers follow each number of a permutation of 1..n."""
    seen = Fenwick(len(order))
    vector = [0] * len(order)
    for i in range(len(order) - 1, -1, -1):
        if not 1 <= order[i] <= len(order):
            raise ValueError(f"{order[i]} is out of range")
        vector[i] = seen.upto(order[i] - 1)
        seen.add(order[i])
    return vector


# call: from_inversion_vector([2, 0, 0])
# call: from_inversion_vector([1, 0])
# call: from_inversion_vector([])
# call: from_inversion_vector([3, 4, 0, 2, 0, 0])
# call: from_inversion_vector([0, 0, 0])
# call: from_inversion_vector([1, 5])
def from_inversion_vector(vector):
    left = list(range(1, len(vector) + 1))
    order = []
    for n in vector:
        order.append(left[n])
        del left[n]
    return order


# call: swaps_needed([2, 3, 1])
# call: swaps_needed(["b", "a"])
# call: swaps_needed([])
# call: swaps_needed([7, 1, 3, 2, 5, 6])
# call: swaps_needed([1, 2, 3])
# call: swaps_needed([1, 1, 0])
def swaps_needed(a):
    goes_to = {x: i for i, x in enumerate(sorted(a))}
    if len(goes_to) < len(a):
        raise ValueError("values must differ")
    visited = [False] * len(a)
    swaps = 0
    for start in range(len(a)):
        length, i = 0, start
        while not visited[i]:
            visited[i] = True
            i = goes_to[a[i]]
            length += 1
        swaps += max(0, length - 1)
    return swaps


# call: nearly_sorted([2, 1, 4, 3], 1)
# call: nearly_sorted([3, 1, 2], 2)
# call: nearly_sorted([], 1)
# call: nearly_sorted([3, 2, 1, 5, 4, 7, 6], 2)
# call: nearly_sorted([3, 2, 1], 1)
# call: nearly_sorted([2, 1], -1)
from heapq import heappop, heappush


def nearly_sorted(a, k):
    """Sorts a list in which nobody is more than k places from home."""
    heap, out = [], []
    for i, x in enumerate(a):
        heappush(heap, x)
        if i >= k:
            out.append(heappop(heap))
    while heap:
        out.append(heappop(heap))
    late = sum(1 for x, y in zip(out, out[1:]) if x > y)
    return out, late


# call: alien_order(["cab", "bad", "abe"], "edcba")
# call: alien_order(["x", "y"], "yx")
# call: alien_order([], "abc")
# call: alien_order(["bb", "b", "ab", "ca", "c", "abc"], "cba")
# call: alien_order(["aa", "aa"], "a")
# call: alien_order(["ab", "zz"], "abc")
def alien_order(words, alphabet):
    rank = {letter: i for i, letter in enumerate(alphabet)}

    def before(v, w):
        for x, y in zip(v, w):
            if rank[x] != rank[y]:
                return rank[x] < rank[y]
        return len(v) < len(w)

    row = []
    for word in words:
        place = sum(not before(word, other) for other in row)
        row = row[:place] + [word] + row[place:]
    return row


# call: circle_sort([4, 1, 3, 2])
# call: circle_sort([2, 1])
# call: circle_sort([])
# call: circle_sort([6, 2, 5, 1, 4, 3])
# call: circle_sort([1, 2, 3])
# call: circle_sort([1, 2, "c"])
def circle_sort(a):
    def circle(lo, hi):
        if lo >= hi:
            return 0
        swaps, i, j = 0, lo, hi
        while i < j:
            if a[i] > a[j]:
                a[i], a[j] = a[j], a[i]
                swaps += 1
            i, j = i + 1, j - 1
        if i == j and i + 1 <= hi and a[i] > a[i + 1]:
            a[i], a[i + 1] = a[i + 1], a[i]
            swaps += 1
        mid = (lo + hi) // 2
        return swaps + circle(lo, mid) + circle(mid + 1, hi)

    rounds = []
    while not rounds or rounds[-1]:
        rounds.append(circle(0, len(a) - 1))
    return a, rounds


# call: MedianKeeper().feed(5, 1, 4)
# call: MedianKeeper().feed(2, 8)
# call: MedianKeeper().feed()
# call: MedianKeeper().feed(9, 3, 7, 1, 5, 8, 2)
# call: MedianKeeper().feed(4, 4, 4)
# call: MedianKeeper().feed(1, "2")
class MedianKeeper:
    """low is kept ascending, high too; low has at most one more."""

    def __init__(self):
        self.low, self.high = [], []

    def put(self, row, x):
        row.append(x)
        i = len(row) - 1
        while i and row[i - 1] > row[i]:
            row[i - 1], row[i] = row[i], row[i - 1]
            i -= 1

    def feed(self, *numbers):
        medians = []
        for x in numbers:
            self.put(self.high if self.low and x > self.low[-1] else self.low, x)
            if len(self.low) > len(self.high) + 1:
                self.high.insert(0, self.low.pop())
            elif len(self.high) > len(self.low):
                self.low.append(self.high.pop(0))
            if len(self.low) > len(self.high):
                medians.append(self.low[-1])
            else:
                medians.append((self.low[-1] + self.high[0]) / 2)
        return medians


# call: order_through_links([3, 1, 2])
# call: order_through_links([5, 9])
# call: order_through_links([])
# call: order_through_links([4, 8, 1, 6, 3, 7])
# call: order_through_links([2, 2, 2])
# call: order_through_links([0, "0"])
def order_through_links(keys):
    """Nothing moves; after[i] is the index of the key that follows keys[i]."""
    after = [-1] * len(keys)
    head = -1
    for i in range(len(keys)):
        last, at = -1, head
        while at >= 0 and keys[at] <= keys[i]:
            last, at = at, after[at]
        after[i] = at
        if last < 0:
            head = i
        else:
            after[last] = i
    return head, after


# call: sorted_sets([1, 3, 5], [2, 3, 6])
# call: sorted_sets(["a"], ["a", "b"])
# call: sorted_sets([], [])
# call: sorted_sets([1, 2, 4, 7, 9], [2, 3, 7, 8, 9])
# call: sorted_sets([1, 2], [])
# call: sorted_sets([1, 2], ["x"])
def sorted_sets(a, b):
    i = j = 0
    only_a, both, only_b = [], [], []
    while i < len(a) or j < len(b):
        if j == len(b) or i < len(a) and a[i] < b[j]:
            only_a.append(a[i])
            i += 1
        elif i == len(a) or b[j] < a[i]:
            only_b.append(b[j])
            j += 1
        else:
            both.append(a[i])
            i, j = i + 1, j + 1
    return {"a": only_a, "both": both, "b": only_b}


# call: by_two_keys([("b", 2), ("a", 2), ("c", 1)])
# call: by_two_keys([("x", 1)])
# call: by_two_keys([])
# call: by_two_keys([("kim", 3), ("lee", 1), ("ada", 3), ("bo", 2), ("max", 1)])
# call: by_two_keys([("a", 1), ("a", 0)])
# call: by_two_keys([("a", 1), ("b",)])
def by_two_keys(records):
    """Highest number first; names decide among equals."""

    def comes_first(p, q):
        if p[1] != q[1]:
            return p[1] > q[1]
        return p[0] < q[0]

    shelf = [None] * len(records)
    for record in records:
        beaten_by = 0
        for other in records:
            if comes_first(other, record):
                beaten_by += 1
        while shelf[beaten_by] is not None:
            beaten_by += 1
        shelf[beaten_by] = record
    return [name for name, _ in shelf]


# call: natural_runs([1, 3, 2, 5])
# call: natural_runs([3, 2, 1])
# call: natural_runs([])
# call: natural_runs([4, 6, 8, 7, 5, 9, 9, 1])
# call: natural_runs([1, 2, 3])
# call: natural_runs([1, 2, None])
def natural_runs(a):
    """Splits into rising runs; strictly falling ones are turned over."""
    runs = []
    i = 0
    while i < len(a):
        j = i + 1
        if j < len(a) and a[j] < a[i]:
            while j < len(a) and a[j] < a[j - 1]:
                j += 1
            run = a[i:j]
            run.reverse()
        else:
            while j < len(a) and a[j] >= a[j - 1]:
                j += 1
            run = a[i:j]
        runs.append(run)
        i = j
    return runs


# call: turn_by_reversals([1, 2, 3, 4, 5], 2)
# call: turn_by_reversals(["a", "b", "c"], 1)
# call: turn_by_reversals([], 3)
# call: turn_by_reversals([7, 6, 5, 4, 3, 2, 1], 4)
# call: turn_by_reversals([1, 2, 3], -1)
# call: turn_by_reversals("abc", 1)
def turn_by_reversals(a, k):
    def reverse(i, j):
        while i < j:
            a[i], a[j] = a[j], a[i]
            i += 1
            j -= 1

    n = len(a)
    if n > 1:
        k %= n
        reverse(0, k - 1)
        reverse(k, n - 1)
        reverse(0, n - 1)
    return a


# call: ternary_heap([5, 3, 8, 1])
# call: ternary_heap([2, 1])
# call: ternary_heap([])
# call: ternary_heap([9, 8, 7, 6, 5, 4, 3, 2, 1])
# call: ternary_heap([4, 3, 2, 1], ways=1)
# call: ternary_heap([2, 1], ways=0)
def ternary_heap(a, ways=3):
    def smallest_child(p):
        kids = range(ways * p + 1, min(ways * p + ways + 1, len(a)))
        return min(kids, key=lambda k: a[k], default=None)

    for p in range((len(a) - 2) // ways, -1, -1):
        while True:
            c = smallest_child(p)
            if c is None or a[p] <= a[c]:
                break
            a[p], a[c] = a[c], a[p]
            p = c
    return a


# call: decorate({"tea": 120, "jam": 45, "oil": 300})
# call: decorate({"a": 2, "b": 1}, down=True)
# call: decorate({})
# call: decorate({"e": 5, "a": 1, "d": 4, "b": 2, "c": 3, "f": 3})
# call: decorate({"x": 0, "y": 0})
# call: decorate({"x": 1, "y": None})
def decorate(prices, down=False):
    tagged = []
    for number, name in enumerate(prices):
        tagged.append((-prices[name] if down else prices[name], number, name))
    gap = len(tagged)
    while gap > 1:
        gap = (gap + 1) // 2 if gap > 2 else 1
        again = True
        while again:
            again = False
            for i in range(gap, len(tagged)):
                if tagged[i] < tagged[i - gap]:
                    tagged[i], tagged[i - gap] = tagged[i - gap], tagged[i]
                    again = True
    return [name for _, _, name in tagged]


# call: gap_positions([7, 3, 10])
# call: gap_positions([1, 2])
# call: gap_positions([])
# call: gap_positions([40, 11, 25, 3, 18, 33])
# call: gap_positions([5, 5, 5])
# call: gap_positions([1, "5"])
def gap_positions(values):
    """The widest gap between neighbours in order, found with buckets."""
    n = len(values)
    if n < 2:
        return 0
    low, high = min(values), max(values)
    if low == high:
        return 0
    least = [None] * n
    most = [None] * n
    for v in values:
        b = (v - low) * (n - 1) // (high - low)
        if least[b] is None or v < least[b]:
            least[b] = v
        if most[b] is None or v > most[b]:
            most[b] = v
    widest, last = 0, low
    for b in range(n):
        if least[b] is not None:
            widest = max(widest, least[b] - last)
            last = most[b]
    return widest


# call: place_by_cycles(["a", "b", "c"], [2, 0, 1])
# call: place_by_cycles([10, 20], [1, 0])
# call: place_by_cycles([], [])
# call: place_by_cycles(["p", "q", "r", "s", "t", "u"], [3, 0, 5, 1, 4, 2])
# call: place_by_cycles([1, 2, 3], [0, 1, 2])
# call: place_by_cycles(["a", "b"], [0, 5])
def place_by_cycles(items, target):
    """Carries each item to its target place; every cycle needs one free hand."""
    done = set()
    hands = 0
    for start in range(len(items)):
        if start in done or target[start] == start:
            continue
        hand, at = items[start], target[start]
        hands += 1
        done.add(start)
        while at != start:
            hand, items[at] = items[at], hand
            done.add(at)
            at = target[at]
        items[start] = hand
    return items, hands


# call: odd_ones_out_front([1, 2, 3, 4])
# call: odd_ones_out_front([6, 4, 8])
# call: odd_ones_out_front([])
# call: odd_ones_out_front([2, 7, 4, 1, 6, 3, 2, 9])
# call: odd_ones_out_front([1, 3])
# call: odd_ones_out_front([1, "2"])
def odd_ones_out_front(a):
    i, j, met = 0, len(a) - 1, []
    while True:
        while i < len(a) and a[i] % 2:
            i += 1
        while j >= 0 and not a[j] % 2:
            j -= 1
        if i > j:
            return a[:i], a[i:], met
        met.append((a[i], a[j]))
        a[i], a[j] = a[j], a[i]


# call: halving_gaps([5, 2, 9, 1])
# call: halving_gaps([3, 2, 1])
# call: halving_gaps([])
# call: halving_gaps([8, 3, 7, 1, 6, 2, 5])
# call: halving_gaps([2, 2, 2, 2])
# call: halving_gaps([4, None, 1])
def halving_gaps(a):
    """Shell's sort, column by column."""

    def order_column(first, gap):
        column = a[first::gap]
        for k in range(1, len(column)):
            hold, free = column[k], k
            while free and column[free - 1] > hold:
                column[free] = column[free - 1]
                free -= 1
            column[free] = hold
        a[first::gap] = column

    gap = len(a)
    while gap > 1:
        gap //= 2
        for first in range(gap):
            order_column(first, gap)
    return a


# call: inversion_pairs([2, 4, 1, 3])
# call: inversion_pairs([1, 2])
# call: inversion_pairs([])
# call: inversion_pairs([5, 3, 4, 1, 2])
# call: inversion_pairs([2, 2, 1])
# call: inversion_pairs([1, "a", 0])
def inversion_pairs(a):
    """For every value with a smaller one behind it: those smaller ones."""
    behind = {}
    j = len(a) - 1
    while j > 0:
        for big in a[:j]:
            if big > a[j]:
                behind.setdefault(big, []).insert(0, a[j])
        j -= 1
    most = max(behind, key=lambda v: len(behind[v]), default=None)
    return behind, most
