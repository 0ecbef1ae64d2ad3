# call: reverse_links([1, 2, 3])
# call: reverse_links(["a", "b"])
# call: reverse_links([])
# call: reverse_links([5, 3, 8, 1, 9, 2, 7])
# call: reverse_links([4])
# call: reverse_links(None)
class Link:
    def __init__(self, value, after=None):
        self.value = value
        self.after = after


def reverse_links(values):
    head = None
    for value in reversed(values or []):
        head = Link(value, head)
    before = None
    while head is not None:
        after = head.after
        head.after = before
        before = head
        head = after
    out = []
    while before:
        out.append(before.value)
        before = before.after
    return out


# call: sorted_list_of([3, 1, 2])
# call: sorted_list_of([5, 5])
# call: sorted_list_of([])
# call: sorted_list_of([8, 2, 9, 4, 1, 7])
# call: sorted_list_of([9, 8, 7, 6])
# call: sorted_list_of([2, "b"])
class Cell:
    def __init__(self, item):
        self.item = item
        self.next = None


class SortedList:
    def __init__(self):
        self.first = None

    def add(self, item):
        cell = Cell(item)
        if self.first is None or item < self.first.item:
            cell.next = self.first
            self.first = cell
            return 0
        at, here = 1, self.first
        while here.next is not None and here.next.item <= item:
            here = here.next
            at += 1
        cell.next = here.next
        here.next = cell
        return at


def sorted_list_of(items):
    chain = SortedList()
    places = [chain.add(item) for item in items]
    values = []
    cell = chain.first
    while cell is not None:
        values.append(cell.item)
        cell = cell.next
    return values, places


# call: drop_from_chain([1, 2, 3, 2], 2)
# call: drop_from_chain([7, 8], 9)
# call: drop_from_chain([], 1)
# call: drop_from_chain([4, 4, 1, 4, 2, 3, 4], 4)
# call: drop_from_chain([6, 6, 6], 6)
# call: drop_from_chain(3, 3)
def drop_from_chain(values, bad):
    """Pairs [value, rest] as a chain; a cell before the head makes the head no special case."""
    chain = None
    for value in values[::-1]:
        chain = [value, chain]
    front = [None, chain]
    cell = front
    removed = 0
    while cell[1] is not None:
        if cell[1][0] == bad:
            cell[1] = cell[1][1]
            removed += 1
        else:
            cell = cell[1]
    return front[1], removed


# call: middle_of_chain([1, 2, 3])
# call: middle_of_chain([1, 2, 3, 4])
# call: middle_of_chain([])
# call: middle_of_chain([9, 8, 7, 6, 5, 4, 3, 2])
# call: middle_of_chain(["only"])
# call: middle_of_chain({"a": 1})
class Bead:
    def __init__(self, colour):
        self.colour = colour
        self.next = None


def string_beads(colours):
    head = tail = None
    for i in range(len(colours)):
        bead = Bead(colours[i])
        if head is None:
            head = bead
        else:
            tail.next = bead
        tail = bead
    return head


def middle_of_chain(colours):
    slow = fast = string_beads(colours)
    if slow is None:
        return None
    while fast.next and fast.next.next:
        slow = slow.next
        fast = fast.next.next
    return slow.colour


# call: from_the_end([1, 2, 3, 4], 2)
# call: from_the_end(["x", "y"], 1)
# call: from_the_end([], 1)
# call: from_the_end([5, 6, 7, 8, 9, 10, 11], 5)
# call: from_the_end([1, 2], 3)
# call: from_the_end([1, 2], 0)
def from_the_end(values, k):
    following = {i: i + 1 for i in range(len(values) - 1)}
    ahead = behind = 0
    for _ in range(k - 1):
        if ahead not in following:
            return None
        ahead = following[ahead]
    while ahead in following:
        ahead = following[ahead]
        behind = following[behind]
    return values[behind]


# call: weave_lists([1, 3, 5], [2, 4])
# call: weave_lists(["a"], ["b", "c", "d"])
# call: weave_lists([], [])
# call: weave_lists([1, 2, 3, 4, 5], [10, 20, 30])
# call: weave_lists([], [7, 8])
# call: weave_lists([1], (2, 3))
class Pin:
    def __init__(self, value, next=None):
        self.value, self.next = value, next

    def __iter__(self):
        pin = self
        while pin:
            yield pin.value
            pin = pin.next


def pins(values):
    head = None
    for value in reversed(values):
        head = Pin(value, head)
    return head


def weave_lists(left, right):
    a, b = pins(left), pins(right)
    if a is None:
        return list(b) if b else []
    head = a
    while a and b:
        after_a, after_b = a.next, b.next
        a.next = b
        if after_a is not None:
            b.next = after_a
        a, b = after_a, after_b
    return list(head)


# call: doubly_linked([("push", 1), ("push", 2), ("shift", 0)])
# call: doubly_linked([("unshift", "a"), ("push", "b"), ("pop", None)])
# call: doubly_linked([])
# call: doubly_linked([("push", 1), ("unshift", 2), ("push", 3), ("pop", 0), ("shift", 0), ("unshift", 5)])
# call: doubly_linked([("push", 4), ("pop", 0)])
# call: doubly_linked([("pop", 0)])
class Knot:
    def __init__(self, value):
        self.value = value
        self.prev = None
        self.next = None


class Chain:
    def __init__(self):
        self.head = None
        self.tail = None

    def push(self, value):
        node = Knot(value)
        if self.tail is None:
            self.head = node
        else:
            node.prev = self.tail
            self.tail.next = node
        self.tail = node

    def unshift(self, value):
        node = Knot(value)
        node.next = self.head
        if self.head is None:
            self.tail = node
        else:
            self.head.prev = node
        self.head = node

    def pop(self, _):
        node = self.tail
        if node is None:
            raise IndexError("pop from empty chain")
        self.tail = node.prev
        if self.tail is None:
            self.head = None
        else:
            self.tail.next = None
        return node.value

    def shift(self, _):
        node = self.head
        self.head = node.next
        if self.head is None:
            self.tail = None
        else:
            self.head.prev = None
        return node.value


def doubly_linked(orders):
    chain = Chain()
    got = []
    for name, value in orders:
        answer = getattr(chain, name)(value)
        if answer is not None:
            got.append(answer)
    back = []
    node = chain.tail
    while node is not None:
        back.append(node.value)
        node = node.prev
    return got, back


# call: two_stack_queue([1, 2, None, 3, None])
# call: two_stack_queue(["a", None])
# call: two_stack_queue([])
# call: two_stack_queue([1, 2, 3, None, None, 4, None, 5, None, None])
# call: two_stack_queue([8, 9])
# call: two_stack_queue([1, None, None])
def two_stack_queue(orders):
    """A value goes in, None takes one out."""
    inbox, outbox, taken = [], [], []
    for order in orders:
        if order is not None:
            inbox.append(order)
            continue
        if not outbox:
            while inbox:
                outbox.append(inbox.pop())
        taken.append(outbox.pop())
    return taken, outbox[::-1] + inbox


# call: queue_stack("abc", 2)
# call: queue_stack([1, 2], 1)
# call: queue_stack("", 0)
# call: queue_stack([3, 1, 4, 1, 5], 3)
# call: queue_stack("z", 0)
# call: queue_stack([1], 2)
class QueueStack:
    def __init__(self):
        self.queue = []

    def push(self, item):
        self.queue.append(item)
        for _ in range(len(self.queue) - 1):
            self.queue.append(self.queue.pop(0))

    def pop(self):
        return self.queue.pop(0)


def queue_stack(items, pops):
    stack = QueueStack()
    for item in items:
        stack.push(item)
    popped = [stack.pop() for _ in range(pops)]
    return popped, stack.queue


# call: ring_buffer(3, [1, 2, 3, 4])
# call: ring_buffer(2, ["a", "b"])
# call: ring_buffer(1, [])
# call: ring_buffer(4, [5, 6, -1, 7, 8, 9, -1, 10])
# call: ring_buffer(2, [1, -1, -1])
# call: ring_buffer(0, [1])
class RingBuffer:
    def __init__(self, size):
        self.slots = [None] * size
        self.start = 0
        self.count = 0

    def put(self, item):
        end = (self.start + self.count) % len(self.slots)
        self.slots[end] = item
        if self.count == len(self.slots):
            self.start = (self.start + 1) % len(self.slots)
        else:
            self.count += 1

    def take(self):
        if self.count == 0:
            return None
        item = self.slots[self.start]
        self.slots[self.start] = None
        self.start = (self.start + 1) % len(self.slots)
        self.count -= 1
        return item


def ring_buffer(size, items):
    buffer = RingBuffer(size)
    taken = []
    for item in items:
        if item == -1:
            taken.append(buffer.take())
        else:
            buffer.put(item)
    return buffer.slots, buffer.start, taken


# call: last_readings([3, 5, 4, 8], 3)
# call: last_readings([1, 1], 2)
# call: last_readings([], 2)
# call: last_readings([6, 2, 9, 4, 7, 3, 8], 4)
# call: last_readings([5, 6, 7], 1)
# call: last_readings([5], 0)
def last_readings(values, size):
    """The sum of the last `size` values after each one, kept in a circle."""
    circle = [0] * size
    at = total = 0
    sums = []
    for value in values:
        total += value - circle[at]
        circle[at] = value
        at = (at + 1) % size
        sums.append(total)
    return sums, circle


# call: window_maxima([1, 3, 2, 5], 2)
# call: window_maxima([4, 3, 2], 3)
# call: window_maxima([], 1)
# call: window_maxima([2, 7, 1, 4, 6, 3, 5], 3)
# call: window_maxima([5, 5, 5], 1)
# call: window_maxima([1, "2"], 2)
from collections import deque


def window_maxima(values, width):
    candidates = deque()
    maxima = []
    for i, value in enumerate(values):
        while candidates and values[candidates[-1]] <= value:
            candidates.pop()
        candidates.append(i)
        if candidates[0] <= i - width:
            candidates.popleft()
        if i >= width - 1:
            maxima.append(values[candidates[0]])
    return maxima


# call: heap_of([4, 1, 3])
# call: heap_of([2, 9, 1, 5])
# call: heap_of([])
# call: heap_of([9, 8, 7, 6, 5, 4, 3])
# call: heap_of([1, 1])
# call: heap_of([3, None])
def heap_of(values):
    heap = []
    for value in values:
        heap.append(value)
        child = len(heap) - 1
        while child > 0:
            parent = (child - 1) // 2
            if heap[parent] <= heap[child]:
                break
            heap[parent], heap[child] = heap[child], heap[parent]
            child = parent
    return heap


# call: pop_smallest([1, 3, 2, 5], 2)
# call: pop_smallest([4, 6], 1)
# call: pop_smallest([], 0)
# call: pop_smallest([1, 2, 4, 5, 3, 7, 6], 3)
# call: pop_smallest([2], 1)
# call: pop_smallest([1, 2], 3)
def sink_down(heap, i):
    while 2 * i + 1 < len(heap):
        child = 2 * i + 1
        if child + 1 < len(heap) and heap[child + 1] < heap[child]:
            child += 1
        if heap[i] <= heap[child]:
            return
        heap[i], heap[child] = heap[child], heap[i]
        i = child


def pop_smallest(heap, times):
    taken = []
    while times > 0:
        taken.append(heap[0])
        last = heap.pop()
        if heap:
            heap[0] = last
            sink_down(heap, 0)
        times -= 1
    return taken, heap


# call: make_max_heap([1, 2, 3])
# call: make_max_heap([5, 4])
# call: make_max_heap([])
# call: make_max_heap([1, 4, 2, 8, 5, 7, 3])
# call: make_max_heap([6, 6, 6])
# call: make_max_heap((1, 2))
def make_max_heap(a):
    def lower(i):
        big = i
        for child in (2 * i + 1, 2 * i + 2):
            if child < len(a) and a[child] > a[big]:
                big = child
        if big != i:
            a[i], a[big] = a[big], a[i]
            lower(big)

    for i in range(len(a) // 2 - 1, -1, -1):
        lower(i)
    return a


# call: heap_fault([1, 3, 2, 7])
# call: heap_fault([5, 2, 8])
# call: heap_fault([])
# call: heap_fault([1, 2, 3, 4, 5, 6, 2, 9])
# call: heap_fault([1, 2, 3, 0])
# call: heap_fault(["b", "a", 1])
def heap_fault(a):
    """(parent, child) of the first place that breaks the order of a heap."""
    i = 1
    while i < len(a):
        up = (i - 1) >> 1
        if a[i] < a[up]:
            return up, i
        i += 1
    return None


# call: running_median([5, 1, 4])
# call: running_median([2, 8])
# call: running_median([])
# call: running_median([7, 3, 9, 1, 5, 5])
# call: running_median([-2, -2, -2])
# call: running_median([1, "a"])
import heapq


def running_median(stream):
    low, high = [], []
    medians = []
    for x in stream:
        heapq.heappush(low, -x)
        heapq.heappush(high, -heapq.heappop(low))
        if len(high) > len(low):
            heapq.heappush(low, -heapq.heappop(high))
        if len(low) > len(high):
            medians.append(-low[0])
        else:
            medians.append((high[0] - low[0]) / 2)
    return medians


# call: trie_of(["to", "tea"])
# call: trie_of(["a", "ab"])
# call: trie_of([])
# call: trie_of(["car", "cat", "do", "dot"])
# call: trie_of(["", "x"])
# call: trie_of(["a", 7])
def trie_of(words):
    root = {}
    for word in words:
        node = root
        for letter in word:
            if letter not in node:
                node[letter] = {}
            node = node[letter]
        node["."] = len(word)
    return root


# call: words_with_prefix(["tea", "ten", "to", "in"], "te")
# call: words_with_prefix(["a", "b"], "")
# call: words_with_prefix([], "x")
# call: words_with_prefix(["bar", "bat", "ban", "band", "cab"], "ba")
# call: words_with_prefix(["dog"], "dogs")
# call: words_with_prefix(["dog"], 4)
class TrieNode:
    def __init__(self):
        self.children = {}
        self.ends = False

    def insert(self, word):
        if not word:
            self.ends = True
            return
        child = self.children.setdefault(word[0], TrieNode())
        child.insert(word[1:])

    def words(self, before=""):
        found = [before] if self.ends else []
        for letter in sorted(self.children):
            found += self.children[letter].words(before + letter)
        return found


def words_with_prefix(words, prefix):
    root = TrieNode()
    for word in words:
        root.insert(word)
    node = root
    for letter in prefix:
        node = node.children.get(letter)
        if node is None:
            return []
    return node.words(prefix)


# call: least_recent(2, [("a", 1), ("b", 2), "a", ("c", 3)])
# call: least_recent(1, [("x", 5), "x", "y"])
# call: least_recent(3, [])
# call: least_recent(2, [(1, 10), (2, 20), 1, (3, 30), 2, (4, 40), 1, 3])
# call: least_recent(2, [("a", 1), ("a", 2), ("b", 3)])
# call: least_recent(0, [("a", 1)])
class RecentCache:
    def __init__(self, room):
        self.room = room
        self.store = {}
        self.order = []

    def get(self, key):
        if key not in self.store:
            return -1
        self.order.remove(key)
        self.order.append(key)
        return self.store[key]

    def put(self, key, value):
        if key in self.store:
            self.order.remove(key)
        elif len(self.store) >= self.room:
            oldest = self.order.pop(0)
            del self.store[oldest]
        self.store[key] = value
        self.order.append(key)


def least_recent(room, orders):
    cache = RecentCache(room)
    answers = []
    for order in orders:
        if isinstance(order, tuple):
            cache.put(*order)
        else:
            answers.append(cache.get(order))
    return answers, cache.order


# call: least_used("abac", 2)
# call: least_used("xyz", 3)
# call: least_used("", 1)
# call: least_used("aabbcabcd", 2)
# call: least_used("zz", 1)
# call: least_used("ab", 0)
def least_used(requests, room):
    """What is thrown out, in order, if the page with the fewest uses goes first."""
    uses = {}
    thrown = []
    for page in requests:
        if page in uses:
            uses[page] += 1
            continue
        if len(uses) == room:
            victim = min(uses, key=uses.get)
            thrown.append((victim, uses.pop(victim)))
        uses[page] = 1
    return thrown, uses


# call: tree_insert_all([5, 3, 8])
# call: tree_insert_all(["m", "c", "x", "a"])
# call: tree_insert_all([])
# call: tree_insert_all([6, 2, 9, 1, 4, 8, 5])
# call: tree_insert_all([3, 3, 3])
# call: tree_insert_all([1, "b"])
def tree_insert_all(keys):
    """Nodes are lists [key, left, right]."""
    root = None
    for key in keys:
        if root is None:
            root = [key, None, None]
            continue
        node = root
        while True:
            side = 1 if key < node[0] else 2
            if node[0] == key:
                break
            if node[side] is None:
                node[side] = [key, None, None]
                break
            node = node[side]
    return root


# call: in_order_walk([4, 2, 6])
# call: in_order_walk([2, 1])
# call: in_order_walk([])
# call: in_order_walk([5, 2, 8, 1, 3, 9])
# call: in_order_walk([1, 2, 3])
# call: in_order_walk([1, [2]])
class Leaf:
    def __init__(self, key):
        self.key = key
        self.left = self.right = None


def plant(node, key):
    if node is None:
        return Leaf(key)
    if key < node.key:
        node.left = plant(node.left, key)
    elif key > node.key:
        node.right = plant(node.right, key)
    return node


def in_order_walk(keys):
    root = None
    for key in keys:
        root = plant(root, key)
    walked, stack = [], []
    node = root
    while stack or node:
        while node:
            stack.append(node)
            node = node.left
        node = stack.pop()
        walked.append(node.key)
        node = node.right
    return walked


# call: remove_key({"k": 5, "l": {"k": 3}, "r": {"k": 8}}, 3)
# call: remove_key({"k": 5, "l": {"k": 3}, "r": {"k": 8, "l": {"k": 7}}}, 5)
# call: remove_key({}, 1)
# call: remove_key({"k": 9, "l": {"k": 4, "l": {"k": 2}, "r": {"k": 6, "r": {"k": 7}}}, "r": {"k": 12}}, 4)
# call: remove_key({"k": 5, "r": {"k": 6}}, 5)
# call: remove_key({"k": 5, "l": {"key": 3}}, 2)
def remove_key(tree, key):
    if not tree:
        return tree
    if key < tree["k"]:
        tree["l"] = remove_key(tree.get("l"), key)
    elif key > tree["k"]:
        tree["r"] = remove_key(tree.get("r"), key)
    elif not tree.get("l"):
        return tree.get("r")
    elif not tree.get("r"):
        return tree.get("l")
    else:
        smallest = tree["r"]
        while smallest.get("l"):
            smallest = smallest["l"]
        tree["k"] = smallest["k"]
        tree["r"] = remove_key(tree["r"], smallest["k"])
    return tree


# call: is_search_tree((4, (2, None, None), (6, None, None)))
# call: is_search_tree((4, (5, None, None), None))
# call: is_search_tree(None)
# call: is_search_tree((8, (3, (1, None, None), (6, None, None)), (10, None, (14, None, None))))
# call: is_search_tree((8, (3, None, (9, None, None)), None))
# call: is_search_tree((8, (3, None)))
def is_search_tree(node, low=None, high=None):
    if node is None:
        return True
    key, left, right = node
    if low is not None and key <= low:
        return False
    if high is not None and key >= high:
        return False
    return is_search_tree(left, low, key) and is_search_tree(right, key, high)


# call: floor_and_ceiling((5, (2, None, None), (9, None, None)), 6)
# call: floor_and_ceiling((5, None, None), 5)
# call: floor_and_ceiling(None, 1)
# call: floor_and_ceiling((10, (4, (1, None, None), (7, None, None)), (15, (12, None, None), None)), 11)
# call: floor_and_ceiling((5, (2, None, None), None), 1)
# call: floor_and_ceiling((5, None, None), "5")
def floor_and_ceiling(tree, x):
    floor = ceiling = None
    while tree is not None:
        key, left, right = tree
        if key == x:
            return key, key
        if x < key:
            ceiling = key
            tree = left
        else:
            floor = key
            tree = right
    return floor, ceiling


# call: rotate_left([1, None, [2, None, [3, None, None]]])
# call: rotate_left([5, [3, None, None], [8, [6, None, None], None]])
# call: rotate_left([1, None, [2, None, None]])
# call: rotate_left(["p", ["a", None, None], ["q", ["b", None, None], ["r", None, ["s", None, None]]]])
# call: rotate_left([1, [0, None, None], None])
# call: rotate_left([1])
def rotate_left(root):
    pivot = root[2]
    if pivot is None:
        return root
    root[2] = pivot[1]
    pivot[1] = root
    heights = []
    for node in (pivot, root):
        h = 0
        below = [node]
        while below:
            h += 1
            below = [kid for item in below for kid in item[1:] if kid]
        heights.append(h)
    return pivot, heights


# call: sparse_dot({0: 2, 3: 1}, {3: 4, 5: 6})
# call: sparse_dot({1: 1}, {1: -1})
# call: sparse_dot({}, {})
# call: sparse_dot({0: 1, 2: 3, 4: 5, 6: 7}, {0: 2, 1: 9, 2: 4, 6: 1, 8: 3})
# call: sparse_dot({1: 5}, {2: 5})
# call: sparse_dot({1: 5}, [3, 4])
def sparse_dot(u, v):
    if len(u) > len(v):
        u, v = v, u
    total = 0
    for place, entry in u.items():
        total += entry * v.get(place, 0)
    return total


# call: sparse_vector_sum([1, 0, 0, 2], [0, 3, 0, -2])
# call: sparse_vector_sum([0, 5], [5, 0])
# call: sparse_vector_sum([], [])
# call: sparse_vector_sum([0, 0, 7, 0, 0, 1], [1, 0, -7, 0, 2, 1])
# call: sparse_vector_sum([1], [1, 2, 3])
# call: sparse_vector_sum([1, "x"], [1, 2])
class SparseVector:
    def __init__(self, entries):
        self.size = len(entries)
        self.at = {i: x for i, x in enumerate(entries) if x}

    def __add__(self, other):
        total = SparseVector([])
        total.size = max(self.size, other.size)
        total.at = dict(self.at)
        for i, x in other.at.items():
            s = total.at.get(i, 0) + x
            if s:
                total.at[i] = s
            else:
                del total.at[i]
        return total

    def full(self):
        return [self.at.get(i, 0) for i in range(self.size)]


def sparse_vector_sum(a, b):
    total = SparseVector(a) + SparseVector(b)
    return total.full(), len(total.at)


# call: multiply_polynomials({1: 1, 0: 1}, {1: 1, 0: -1})
# call: multiply_polynomials({2: 3}, {1: 2})
# call: multiply_polynomials({}, {1: 1})
# call: multiply_polynomials({2: 1, 1: 2, 0: 3}, {2: 1, 0: -1})
# call: multiply_polynomials({0: 0}, {3: 5})
# call: multiply_polynomials({"x": 1}, {1: 2})
def multiply_polynomials(p, q):
    product = {}
    for i, a in p.items():
        for j, b in q.items():
            product[i + j] = product.get(i + j, 0) + a * b
    while product and product[max(product)] == 0:
        del product[max(product)]
    return product


# call: show_polynomial({2: 1, 1: -3, 0: 2})
# call: show_polynomial({1: 4})
# call: show_polynomial({})
# call: show_polynomial({5: -1, 3: 2, 2: -7, 1: 1, 0: -9})
# call: show_polynomial({0: 0, 1: 0})
# call: show_polynomial({1.5: 2, "a": 1})
def show_polynomial(p):
    text = ""
    for power in sorted(p, reverse=True):
        c = p[power]
        if c == 0:
            continue
        sign = "-" if c < 0 else "+"
        body = str(abs(c)) if abs(c) != 1 or power == 0 else ""
        if power > 0:
            body += "x"
        if power > 1:
            body += "^" + str(power)
        if text:
            text += f" {sign} {body}"
        else:
            text = body if c > 0 else sign + body
    return text or "0"


# call: matrix_steps([[1, 2], [3, 4]], "t")
# call: matrix_steps([[1, 2, 3]], "tn")
# call: matrix_steps([], "t")
# call: matrix_steps([[1, 2, 3], [4, 5, 6]], "tnst")
# call: matrix_steps([[7]], "")
# call: matrix_steps([[1, 2], [3]], "t")
class Grid:
    def __init__(self, rows):
        self.rows = rows

    def turned(self):
        if not self.rows:
            return Grid([])
        width = len(self.rows[0])
        return Grid([[row[c] for row in self.rows] for c in range(width)])

    def negate(self):
        for row in self.rows:
            for c in range(len(row)):
                row[c] = -row[c]
        return self

    def swap_ends(self):
        self.rows[0], self.rows[-1] = self.rows[-1], self.rows[0]
        return self


def matrix_steps(rows, steps):
    grid = Grid(rows)
    for step in steps:
        if step == "t":
            grid = grid.turned()
        elif step == "n":
            grid = grid.negate()
        else:
            grid = grid.swap_ends()
    return grid.rows, rows


# call: symmetric_store(3, [(0, 1, 5), (2, 1, 7)])
# call: symmetric_store(2, [(1, 1, 4)])
# call: symmetric_store(0, [])
# call: symmetric_store(4, [(3, 0, 1), (0, 3, 2), (2, 2, 9), (1, 3, 8)])
# call: symmetric_store(1, [])
# call: symmetric_store(2, [(2, 0, 1)])
class Triangle:
    """The lower half of a symmetric matrix in one list."""

    def __init__(self, n):
        self.n = n
        self.cells = [0] * (n * (n + 1) // 2)

    def place(self, r, c):
        if r < c:
            r, c = c, r
        return r * (r + 1) // 2 + c

    def __setitem__(self, spot, value):
        self.cells[self.place(*spot)] = value

    def __getitem__(self, spot):
        return self.cells[self.place(*spot)]


def symmetric_store(n, writes):
    t = Triangle(n)
    for r, c, value in writes:
        t[r, c] = value
    return [[t[r, c] for c in range(n)] for r in range(n)]


# call: tally_moves("aab", "a")
# call: tally_moves("xyz", "yy")
# call: tally_moves("", "")
# call: tally_moves("mississippi", "sip")
# call: tally_moves("a", "bb")
# call: tally_moves(["a", ["b"]], "a")
class Tally:
    def __init__(self):
        self.counts = {}

    def add(self, item, by=1):
        now = self.counts.get(item, 0) + by
        if now <= 0:
            self.counts.pop(item, None)
        else:
            self.counts[item] = now

    def top(self):
        best = None
        for item in self.counts:
            if best is None or self.counts[item] > self.counts[best]:
                best = item
        return best


def tally_moves(more, fewer):
    tally = Tally()
    for item in more:
        tally.add(item)
    for item in fewer:
        tally.add(item, -1)
    return tally.counts, tally.top()


# call: write_with_log([1, 2, 3], [(0, 9), (2, 7)], 1)
# call: write_with_log(["a"], [(0, "b"), (0, "c")], 2)
# call: write_with_log([], [], 0)
# call: write_with_log([0, 0, 0, 0], [(1, 5), (3, 6), (1, 7), (0, 8), (-1, 9)], 3)
# call: write_with_log([4, 5], [(1, 1)], 3)
# call: write_with_log([4, 5], [(0, 1), (2, 2)], 0)
class LoggedList:
    def __init__(self, values):
        self.values = values
        self.log = []

    def write(self, i, value):
        self.log.append((i, self.values[i]))
        self.values[i] = value

    def back(self, times):
        while times and self.log:
            i, old = self.log.pop()
            self.values[i] = old
            times -= 1
        return times


def write_with_log(values, writes, times):
    logged = LoggedList(values)
    for i, value in writes:
        logged.write(i, value)
    middle = values[:]
    missing = logged.back(times)
    return middle, values, missing


# call: nested_transactions(["set a 1", "begin", "set a 2", "rollback"])
# call: nested_transactions(["begin", "set x 5", "commit"])
# call: nested_transactions([])
# call: nested_transactions(["set a 1", "begin", "set b 2", "begin", "set a 3", "rollback", "commit", "set c 4"])
# call: nested_transactions(["begin", "set a 7"])
# call: nested_transactions(["rollback", "set a"])
def nested_transactions(lines):
    layers = [{}]
    for line in lines:
        words = line.split()
        if words[0] == "begin":
            layers.append(dict(layers[-1]))
        elif words[0] == "rollback":
            if len(layers) > 1:
                layers.pop()
        elif words[0] == "commit":
            top = layers.pop()
            layers[-1] = top
        else:
            _, name, value = words
            layers[-1][name] = int(value)
    return layers


# call: priority_list([("low", 1), ("high", 9), ("mid", 5)])
# call: priority_list([("a", 2), ("b", 2)])
# call: priority_list([])
# call: priority_list([("a", 3), ("b", 7), None, ("c", 5), ("d", 7), None, ("e", 1)])
# call: priority_list([None])
# call: priority_list([("a", 1), ("b", "2")])
def priority_list(orders):
    """Pairs (name, weight) come in; None serves the heaviest, the earliest among equals."""
    waiting, served = [], []
    for order in orders:
        if order is None:
            served.append(waiting.pop(0)[0] if waiting else None)
            continue
        place = 0
        while place < len(waiting) and waiting[place][1] >= order[1]:
            place += 1
        waiting.insert(place, order)
    return served, [name for name, _ in waiting]


# call: bucket_queue([("a", 2), ("b", 0), ("c", 2)], 3)
# call: bucket_queue([("x", 1)], 2)
# call: bucket_queue([], 1)
# call: bucket_queue([("a", 3), ("b", 1), ("c", 0), ("d", 3), ("e", 1), ("f", 2)], 4)
# call: bucket_queue([("a", -1), ("b", 0)], 2)
# call: bucket_queue([("a", 4)], 3)
def bucket_queue(tasks, n_levels):
    buckets = [[] for _ in range(n_levels)]
    for task in tasks:
        name, level = task
        buckets[level].append(name)
    order = []
    level = 0
    while level < n_levels:
        if buckets[level]:
            order.append(f"{level}{buckets[level].pop(0)}")
        else:
            level += 1
    return order


# call: add_interval([(1, 3), (6, 9)], (2, 5))
# call: add_interval([(1, 2)], (4, 5))
# call: add_interval([], (3, 4))
# call: add_interval([(1, 2), (3, 5), (6, 7), (8, 10), (12, 16)], (4, 8))
# call: add_interval([(5, 6)], (1, 9))
# call: add_interval([(5, 6)], (7,))
def add_interval(spans, new):
    low, high = new[0], new[-1]
    before, after = [], []
    for a, b in spans:
        if b < low:
            before.append((a, b))
        elif a > high:
            after.append((a, b))
        else:
            low = min(low, a)
            high = max(high, b)
    return [*before, (low, high), *after]


# call: book_rooms([(9, 11), (10, 12), (12, 14)])
# call: book_rooms([(1, 2), (2, 3)])
# call: book_rooms([])
# call: book_rooms([(8, 10), (9, 11), (9, 10), (10, 13), (12, 15), (11, 12)])
# call: book_rooms([(5, 5)])
# call: book_rooms([(9, 8), (3,)])
class Calendar:
    def __init__(self):
        self.rooms = []

    def book(self, start, end):
        if end < start:
            return -1
        for number, room in enumerate(self.rooms):
            if all(end <= s or e <= start for s, e in room):
                room.append((start, end))
                return number
        self.rooms.append([(start, end)])
        return len(self.rooms) - 1


def book_rooms(meetings):
    calendar = Calendar()
    return [calendar.book(*meeting) for meeting in meetings], len(calendar.rooms)


# call: graph_edits("+ab +bc -ab")
# call: graph_edits("+xy +xz")
# call: graph_edits("")
# call: graph_edits("+ab +bc +cd +da +ac -bc ?ac ?bc")
# call: graph_edits("+aa ?aa")
# call: graph_edits("+ab -cd")
class Graph:
    def __init__(self):
        self.near = {}

    def join(self, a, b):
        self.near.setdefault(a, []).append(b)
        self.near.setdefault(b, [])
        if a != b:
            self.near[b].append(a)

    def cut(self, a, b):
        self.near[a].remove(b)
        self.near[b].remove(a)

    def has(self, a, b):
        return b in self.near.get(a, [])


def graph_edits(orders):
    graph = Graph()
    answers = []
    for sign, a, b in orders.split():
        if sign == "+":
            graph.join(a, b)
        elif sign == "-":
            graph.cut(a, b)
        else:
            answers.append(graph.has(a, b))
    return graph.near, answers


# call: peek_pairs([1, 1, 2])
# call: peek_pairs("aab")
# call: peek_pairs([])
# call: peek_pairs([3, 3, 3, 1, 2, 2, 2])
# call: peek_pairs([None, None])
# call: peek_pairs(5)
class Peekable:
    def __init__(self, items):
        self.items = iter(items)
        self.buffer = []

    def peek(self, default=None):
        if not self.buffer:
            try:
                self.buffer.append(next(self.items))
            except StopIteration:
                return default
        return self.buffer[0]

    def __next__(self):
        if self.buffer:
            return self.buffer.pop()
        return next(self.items)

    def __iter__(self):
        return self


def peek_pairs(items):
    """How often an item is followed by an equal one."""
    walker = Peekable(items)
    equal = 0
    for item in walker:
        if walker.peek("end") == item:
            equal += 1
    return equal


# call: countdown_twice(3)
# call: countdown_twice(1)
# call: countdown_twice(0)
# call: countdown_twice(6)
# call: countdown_twice(-2)
# call: countdown_twice("3")
class Countdown:
    """An iterator that is used up, and an iterable that starts anew."""

    def __init__(self, start):
        self.left = start

    def __iter__(self):
        return self

    def __next__(self):
        if self.left <= 0:
            raise StopIteration
        self.left -= 1
        return self.left + 1


def countdown_twice(n):
    once = Countdown(n)
    return list(once), list(once), [a * 10 + b for a, b in zip(Countdown(n), Countdown(n))]


# call: turnstile(["coin", "push", "push"])
# call: turnstile(["coin", "coin", "push"])
# call: turnstile([])
# call: turnstile(["push", "coin", "push", "coin", "coin", "push", "push"])
# call: turnstile(["push"])
# call: turnstile(["coin", "kick"])
class Machine:
    RULES = {
        ("locked", "coin"): ("open", "thanks"),
        ("locked", "push"): ("locked", "alarm"),
        ("open", "push"): ("locked", "pass"),
        ("open", "coin"): ("open", "refund"),
    }

    def __init__(self):
        self.state = "locked"
        self.heard = {}

    def send(self, event):
        self.state, sound = self.RULES[self.state, event]
        self.heard[sound] = self.heard.get(sound, 0) + 1


def turnstile(events):
    machine = Machine()
    for event in events:
        machine.send(event)
    return machine.state, machine.heard


# call: run_automaton({"s": {"0": "s", "1": "t"}, "t": {"0": "t", "1": "s"}}, "s", "0110")
# call: run_automaton({"q": {"a": "q"}}, "q", "aaa")
# call: run_automaton({}, "s", "")
# call: run_automaton({0: {"0": 0, "1": 1}, 1: {"0": 2, "1": 0}, 2: {"0": 1, "1": 2}}, 0, "101101")
# call: run_automaton({"a": {"x": "b"}, "b": {}}, "a", "xx")
# call: run_automaton({"a": {"x": "c"}}, "a", "xx")
def run_automaton(rules, start, word):
    state = start
    visited = [state]
    for at, sign in enumerate(word):
        row = rules[state]
        if sign not in row:
            return "stuck", at, state
        state = row[sign]
        visited.append(state)
    return state, visited


# call: skip_search([1, 4, 6, 9, 12], 9)
# call: skip_search([2, 5], 3)
# call: skip_search([], 1)
# call: skip_search([3, 5, 8, 11, 14, 17, 20, 23, 26], 23)
# call: skip_search([1, 2, 3], 0)
# call: skip_search([1, 2, "3"], 9)
def skip_search(values, wanted):
    """An express lane stops at every third value."""
    lane = list(range(0, len(values), 3))
    looks = 0
    stop = 0
    while stop + 1 < len(lane) and values[lane[stop + 1]] <= wanted:
        stop += 1
        looks += 1
    i = lane[stop] if lane else 0
    while i < len(values) and values[i] < wanted:
        i += 1
        looks += 1
    return i < len(values) and values[i] == wanted, looks


# call: skip_nodes([1, 3, 5, 7], 5)
# call: skip_nodes([2, 4], 4)
# call: skip_nodes([], 3)
# call: skip_nodes([1, 2, 4, 6, 8, 10, 12], 12)
# call: skip_nodes([5], 1)
# call: skip_nodes([1, None, 2], 2)
class Stop:
    def __init__(self, name):
        self.name = name
        self.next = None
        self.express = None


def build_line(names):
    stops = [Stop(name) for name in names]
    for a, b in zip(stops, stops[1:]):
        a.next = b
    for a, b in zip(stops[::2], stops[2::2]):
        a.express = b
    return stops[0] if stops else None


def skip_nodes(names, wanted):
    ride = []
    stop = build_line(names)
    while stop:
        ride.append(stop.name)
        if stop.name == wanted:
            return ride
        if stop.express and stop.express.name <= wanted:
            stop = stop.express
        else:
            stop = stop.next
    return None


# call: remembered_steps([3, 4, 3])
# call: remembered_steps([6])
# call: remembered_steps([])
# call: remembered_steps([5, 10, 3, 10, 5])
# call: remembered_steps([1, 1])
# call: remembered_steps([2, [1]])
class Memo:
    def __init__(self, function):
        self.function = function
        self.known = {}
        self.hits = 0

    def __call__(self, n):
        if n in self.known:
            self.hits += 1
        else:
            self.known[n] = self.function(n)
        return self.known[n]


def half_steps(n):
    steps = []
    while n > 1:
        n = n // 2 if n % 2 == 0 else n - 1
        steps.append(n)
    return steps


def remembered_steps(numbers):
    """All callers of the memo get the same list."""
    memo = Memo(half_steps)
    for number in numbers:
        memo(number).append(-number)
    return memo.known, memo.hits


# call: shared_shelves(3, [(0, "a"), (1, "b")])
# call: shared_shelves(2, [(1, 5)])
# call: shared_shelves(0, [])
# call: shared_shelves(3, [(0, 1), (2, 2), (1, 3), (0, 4)])
# call: shared_shelves(1, [(-1, "z")])
# call: shared_shelves(2, [(2, "c")])
class Shelf:
    books = []

    def __init__(self):
        self.mine = []

    def add(self, book):
        self.books.append(book)
        self.mine = self.mine + [book]


def shared_shelves(n, gifts):
    shelves = [Shelf() for _ in range(n)]
    for number, book in gifts:
        shelves[number].add(book)
    return [(len(shelf.books), shelf.mine) for shelf in shelves]


# call: stack_with_minimum([3, 5, 2, 4])
# call: stack_with_minimum([1, "pop", 2])
# call: stack_with_minimum([])
# call: stack_with_minimum([4, 6, 3, 3, "pop", "pop", 5, 1])
# call: stack_with_minimum([2, 2, "pop"])
# call: stack_with_minimum([2, "pop", "pop"])
def stack_with_minimum(orders):
    stack = []
    minima = []
    seen = []
    for order in orders:
        if order == "pop":
            if stack.pop() == minima[-1]:
                minima.pop()
        else:
            stack.append(order)
            if not minima or order <= minima[-1]:
                minima.append(order)
        seen.append(minima[-1] if minima else None)
    return seen


# call: hash_slots(5, [7, 12, 3])
# call: hash_slots(3, [0, 1])
# call: hash_slots(2, [])
# call: hash_slots(7, [10, 17, 24, 3, 4, 31])
# call: hash_slots(2, [4, 6, 8])
# call: hash_slots(0, [1])
def hash_slots(size, keys):
    """Open addressing: a key goes to the next free slot."""
    slots = [None] * size
    tries = 0
    for key in keys:
        at = key % size
        for _ in range(size):
            tries += 1
            if slots[at] is None or slots[at] == key:
                break
            at = (at + 1) % size
        else:
            return slots, f"no room for {key}"
        slots[at] = key
    return slots, tries


# call: chained_table(["ab", "ba", "c"], 3)
# call: chained_table(["x", "x"], 2)
# call: chained_table([], 2)
# call: chained_table(["cat", "act", "dog", "god", "owl", "cat"], 4)
# call: chained_table([""], 1)
# call: chained_table(["a", 1], 2)
class Table:
    def __init__(self, size):
        self.chains = [[] for _ in range(size)]

    def chain_of(self, word):
        code = sum(ord(letter) - 96 for letter in word)
        return self.chains[code % len(self.chains)]

    def count(self, word):
        chain = self.chain_of(word)
        for pair in chain:
            if pair[0] == word:
                pair[1] += 1
                return
        chain.append([word, 1])


def chained_table(words, size):
    table = Table(size)
    for word in words:
        table.count(word)
    return table.chains


# call: sum_tree([3, 1, 4, 2], [(1, 5)], (0, 2))
# call: sum_tree([6, 7], [], (1, 2))
# call: sum_tree([5], [], (0, 0))
# call: sum_tree([1, 2, 3, 4, 5, 6], [(0, 9), (5, 0)], (1, 5))
# call: sum_tree([2, 2, 2], [(1, -2)], (0, 3))
# call: sum_tree([1, 2], [(4, 1)], (0, 2))
class SumTree:
    """The leaves stand in the second half of the list; node i has the children 2i and 2i + 1."""

    def __init__(self, values):
        self.n = len(values)
        self.sums = [0] * self.n + list(values)
        for i in range(self.n - 1, 0, -1):
            self.sums[i] = self.sums[2 * i] + self.sums[2 * i + 1]

    def write(self, i, value):
        i += self.n
        self.sums[i] = value
        while i > 1:
            i //= 2
            self.sums[i] = self.sums[2 * i] + self.sums[2 * i + 1]

    def between(self, low, high):
        total = 0
        low += self.n
        high += self.n
        while low < high:
            if low % 2:
                total += self.sums[low]
                low += 1
            if high % 2:
                high -= 1
                total += self.sums[high]
            low //= 2
            high //= 2
        return total


def sum_tree(values, writes, span):
    tree = SumTree(values)
    for i, value in writes:
        tree.write(i, value)
    return tree.between(*span), tree.sums[1:]
