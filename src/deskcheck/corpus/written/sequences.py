# call: hop_numbers(8, 3)
# call: hop_numbers(5, 1)
# call: hop_numbers(0, 2)
# call: hop_numbers(20, 7)
# call: hop_numbers(6, -4)
# call: hop_numbers(3, None)
def hop_numbers(count, jump):
    """Adds the jump in turn as it is and doubled; multiples of five are written as text."""
    value, out = 0, []
    for turn in range(count):
        value += jump << (turn & 1)
        out.append(value if value % 5 else f"<{value}>")
    return out


# call: every_other([1, 2, 3, 4, 5])
# call: every_other("abcdef")
# call: every_other([])
# call: every_other([9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
# call: every_other((1,))
# call: every_other({1, 2})
def every_other(items):
    front = items[::2]
    back = items[-1::-2]
    return front, back, front == back[::-1]


# call: windows_over([1, 5, 2, 8], 2, 6)
# call: windows_over([3, 3, 3], 3, 9)
# call: windows_over([], 2, 0)
# call: windows_over([4, 1, 7, 2, 2, 9, 0, 3, 5, 5, 1], 3, 11)
# call: windows_over([1, 2], 5, 0)
# call: windows_over([1, "2", 3], 2, 0)
def windows_over(xs, width, least):
    places = []
    for i in range(len(xs) - width + 1):
        if sum(xs[i:i + width]) > least:
            places.append(i)
    return places


# call: step_kinds([1, 2, 2, 1])
# call: step_kinds([5, 4])
# call: step_kinds([7])
# call: step_kinds([1, 3, 2, 2, 8, 8, 9, 1, 0, 4])
# call: step_kinds([1.5, 1.5])
# call: step_kinds([1, None])
def step_kinds(xs):
    return "".join("+" if b > a else "-" if b < a else "=" for a, b in zip(xs, xs[1:]))


# call: running_totals([3, 4, 5])
# call: running_totals([10, -10, 10])
# call: running_totals([])
# call: running_totals([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
# call: running_totals([-1])
# call: running_totals(["a", "b", "c"])
from itertools import accumulate


def running_totals(xs):
    sums = list(accumulate(xs))
    highs = list(accumulate(xs, max))
    return [pair for pair in zip(sums, highs) if pair[0] != pair[1]]


# call: digit_march(47)
# call: digit_march(1999)
# call: digit_march(0)
# call: digit_march(987654321)
# call: digit_march(10)
# call: digit_march(-5)
def digit_march(n):
    """Largest digit is taken away from the number until it is a single digit or less."""
    trail = [n]
    while n > 9 and len(trail) < 9:
        n -= max(int(d) for d in str(n))
        trail.append(n)
    if n < 0:
        raise ValueError("below zero")
    return trail


# call: interleave("abc", [1, 2, 3])
# call: interleave([1], [2, 3, 4])
# call: interleave([], [])
# call: interleave("abcdefgh", range(5))
# call: interleave((1, 2, 3), ())
# call: interleave([1], 5)
def interleave(first, second):
    out = []
    for pair in zip(first, second):
        out.extend(pair)
    rest = max(len(first), len(second)) - min(len(first), len(second))
    longer = first if len(first) > len(second) else second
    if rest:
        out += list(longer)[-rest:]
    return out


# call: look_back([5, 3, 8, 1])
# call: look_back([1, 2, 3])
# call: look_back([])
# call: look_back([9, 1, 8, 2, 7, 3, 6, 4, 5, 5])
# call: look_back([4, 4, 4])
# call: look_back(["b", "a", 1])
def look_back(heights):
    """How many earlier ones each one is higher than."""
    seen = []
    for i, h in enumerate(heights):
        seen.append(sum(1 for earlier in heights[:i] if earlier < h))
    return seen


# call: zigzag(3, 10)
# call: zigzag(1, 4)
# call: zigzag(4, 0)
# call: zigzag(5, 20)
# call: zigzag(2, 5)
# call: zigzag(0, 3)
def zigzag(top, count):
    values, x, step = [], 0, 1
    for _ in range(count):
        values.append(x)
        if not 0 <= x + step <= top:
            step = -step
        x += step
    return values


# call: pairsClose([1, 4, 6, 20], 3)
# call: pairsClose([5, 5], 0)
# call: pairsClose([], 1)
# call: pairsClose([10, 1, 14, 3, 7, 22, 25], 4)
# call: pairsClose([1, 2, 3], -1)
# call: pairsClose([1, "1"], 1)
def pairsClose(posts, gap):
    dances = []
    free = list(posts)
    while free:
        lead = free.pop()
        for partner in free:
            if -gap <= lead - partner <= gap:
                dances.append(f"{lead}+{partner}")
                free.remove(partner)
                break
    return dances


# call: clock_steps(10, 5, 12)
# call: clock_steps(0, 7, 7)
# call: clock_steps(0, 1, 1)
# call: clock_steps(3, 8, 30)
# call: clock_steps(2, -5, 9)
# call: clock_steps(1, 2, 0)
def clock_steps(start, step, size):
    place = start % size
    visited = []
    while place not in visited:
        visited.append(place)
        place = (place + step) % size
    return visited, place


# call: all_any([[1, 2], [0, 3]])
# call: all_any([[0], [0, 0]])
# call: all_any([])
# call: all_any([[1, 1, 1], [], [0, 5], [7, 0, 0], [2]])
# call: all_any([[]])
# call: all_any([1, 2])
def all_any(rows):
    return [("all" if all(row) else "some" if any(row) else "none") + str(len(row)) for row in rows]


# call: split_digits(907)
# call: split_digits(12345678)
# call: split_digits(0)
# call: split_digits(1000000007)
# call: split_digits(-42)
# call: split_digits(4.5)
def split_digits(n):
    sign, n = (-1, -n) if n < 0 else (1, n)
    odd, even, place = 0, 0, 0
    while n:
        n, d = divmod(n, 10)
        if place % 2:
            odd += d
        else:
            even += d
        place += 1
    return sign * (even - odd), place


# call: Stepper(2).take(4)
# call: Stepper(1, 3).take(5)
# call: Stepper(9).take(0)
# call: Stepper(7, 2, 20).take(12)
# call: Stepper(0, 0).take(3)
# call: Stepper("a").take(2)
class Stepper:
    """Adds a step that itself grows by one; falls back when it is over the top."""

    def __init__(self, start, step=1, top=50):
        self.value, self.step, self.top = start, step, top

    def __iter__(self):
        return self

    def __next__(self):
        now = self.value
        self.value += self.step
        self.step += 1
        if self.value > self.top:
            self.value -= self.top
        return now

    def take(self, count):
        return [next(self) for _ in range(count)]


# call: chunks_of([1, 2, 3, 4, 5], 2)
# call: chunks_of("abcdef", 4)
# call: chunks_of([], 3)
# call: chunks_of(list(range(12)), 5)
# call: chunks_of([1, 2, 3], 3)
# call: chunks_of([1, 2], 0)
def chunks_of(items, size):
    full, rest = divmod(len(items), size)
    out = [items[k * size:(k + 1) * size] for k in range(full)]
    if rest:
        out.append(items[-rest:])
    return out, rest


# call: stairs([3, 1, 2])
# call: stairs([1])
# call: stairs([])
# call: stairs([2, 7, 1, 8, 2, 8, 1, 8])
# call: stairs([-1, 0, 1])
# call: stairs(["a", 2])
def stairs(widths):
    at, corners = 0, [(0, 0)]
    for level, width in enumerate(widths, start=1):
        at += width
        corners += [(at, level - 1), (at, level)]
    return corners[::2], corners[-1]


# call: halving(100)
# call: halving(37)
# call: halving(1)
# call: halving(100000)
# call: halving(0)
# call: halving(-9)
def halving(n):
    parts = []
    while n not in (0, -1):
        n, odd = n // 2, n % 2
        parts.append(str(n) + ("*" if odd else ""))
    return " ".join(parts)


# call: weave(3)
# call: weave(1)
# call: weave(0)
# call: weave(9)
# call: weave(2)
# call: weave(-3)
def weave(n):
    low, high = 1, n
    order = []
    while low < high:
        order += [high, low]
        low, high = low + 1, high - 1
    if low == high:
        order.append(low)
    return order


# call: drop_runs([1, 1, 2, 3, 3])
# call: drop_runs("aabbc")
# call: drop_runs([])
# call: drop_runs([7, 7, 7, 1, 2, 2, 7, 3, 3, 3, 3, 4])
# call: drop_runs([1, True, 1.0])
# call: drop_runs(5)
from itertools import groupby


def drop_runs(xs):
    single = []
    for value, run in groupby(xs):
        if len(list(run)) == 1:
            single.append(value)
    return single


# call: rotate_in_place([1, 2, 3, 4], 1)
# call: rotate_in_place([1, 2, 3], -1)
# call: rotate_in_place([], 3)
# call: rotate_in_place(["a", "b", "c", "d", "e", "f", "g"], 10)
# call: rotate_in_place([5], 7)
# call: rotate_in_place((1, 2), 1)
def rotate_in_place(xs, k):
    same = xs
    for _ in range(abs(k) if xs else 0):
        if k > 0:
            xs.append(xs.pop(0))
        else:
            xs.insert(0, xs.pop())
    return same is xs, same


# call: sum_slices([1, 2, 3, 4, 5, 6])
# call: sum_slices([5, 5])
# call: sum_slices([])
# call: sum_slices([10, 20, 30, 40, 50, 60, 70, 80, 90, 100])
# call: sum_slices([-1, 1, -1])
# call: sum_slices("abc")
def sum_slices(xs):
    half = len(xs) // 2
    parts = {"front": xs[:half], "back": xs[half:], "inner": xs[1:-1], "third": xs[::3]}
    return {name: sum(part) for name, part in parts.items()}


# call: growing_blocks(list(range(10)))
# call: growing_blocks([1, 2, 3])
# call: growing_blocks([])
# call: growing_blocks("abcdefghijklmnopqrstu")
# call: growing_blocks([5, 6])
# call: growing_blocks(3)
def growing_blocks(items):
    blocks, size, start = [], 1, 0
    while start < len(items):
        blocks.append(items[start:start + size])
        start += size
        size += 1
    complete = not blocks or len(blocks[-1]) == size - 1
    return blocks, complete


# call: third_powers(20, 40)
# call: third_powers(0, 10)
# call: third_powers(5, 5)
# call: third_powers(-30, 130)
# call: third_powers(27, 28)
# call: third_powers("0", 5)
def third_powers(low, high):
    return [x ** 3 for x in range(-6, 7) if low <= x ** 3 < high and x % 2]


# call: mixed_base(100, [7, 24])
# call: mixed_base(3661, [60, 60])
# call: mixed_base(0, [2, 2])
# call: mixed_base(123456789, [1000, 60, 60, 24])
# call: mixed_base(-1, [10])
# call: mixed_base(5, [2, 0])
def mixed_base(n, sizes):
    digits = []
    for size in sizes:
        n, digit = divmod(n, size)
        digits.append(digit)
    return [n, *reversed(digits)]


# call: firsts([3, 5, 8], lambda_limit=4)
# call: firsts([1, 2], 9)
# call: firsts([], 0)
# call: firsts([1, 4, 2, 8, 5, 7, 9, 0, 3], 7)
# call: firsts([8, 1, 1], 8)
# call: firsts([None], 1)
def firsts(xs, lambda_limit):
    it = iter(xs)
    before = []
    for x in it:
        if x > lambda_limit:
            break
        before.append(x)
    else:
        return before, None
    return before, x, list(it)


# call: gap_table([2, 9, 4])
# call: gap_table([1, 1])
# call: gap_table([5])
# call: gap_table([1, 4, 9, 16, 25])
# call: gap_table([])
# call: gap_table([1, "x"])
def gap_table(xs):
    rows = [xs]
    while len(rows[-1]) > 1:
        last = rows[-1]
        rows.append([b - a for a, b in zip(last, last[1:])])
    return rows[-1], len(rows), sum(map(sum, rows))


# call: seats_taken("__x_x", 2)
# call: seats_taken("xx", 1)
# call: seats_taken("", 1)
# call: seats_taken("_x___x_____x__", 3)
# call: seats_taken("___", 3)
# call: seats_taken("_?_", 1)
def seats_taken(row, party):
    """First free run that is long enough, as (start, end), else the longest run's length."""
    start, longest = None, 0
    for i, seat in enumerate(row + "x"):
        if seat == "_":
            if start is None:
                start = i
            continue
        if start is not None:
            if i - start >= party:
                return start, i
            longest = max(longest, i - start)
            start = None
    return longest


# call: doubles_until(3, 50)
# call: doubles_until(1, 1)
# call: doubles_until(10, 5)
# call: doubles_until(1, 2000)
# call: doubles_until(-1, -20)
# call: doubles_until("ab", "c")
def doubles_until(x, limit):
    values = []
    while (x := x + x) < limit:
        values.append(x)
        if len(values) == 6:
            values.append("...")
            break
    return values


# call: ranks([30, 10, 20])
# call: ranks([5, 5, 1])
# call: ranks([])
# call: ranks([7, 3, 7, 9, 1, 3, 3, 12, 0])
# call: ranks([-1.5])
# call: ranks([1, "a"])
def ranks(scores):
    order = sorted(range(len(scores)), key=scores.__getitem__, reverse=True)
    places = [0] * len(scores)
    for place, i in enumerate(order, 1):
        places[i] = place
    return places


# call: sparse([0, 0, 5, 0, 7])
# call: sparse([1])
# call: sparse([])
# call: sparse([0, 3, 0, 0, 0, 9, 9, 0, 1, 0, 0, 2])
# call: sparse([0, 0])
# call: sparse([0, None, "", 4])
def sparse(row):
    packed = {i: x for i, x in enumerate(row) if x}
    back = [packed.get(i, 0) for i in range(len(row))]
    return packed, back == row


# call: kangaroo(0, 3, 4, 2)
# call: kangaroo(10, -2, 0, 3)
# call: kangaroo(0, 0, 0, 0)
# call: kangaroo(0, 7, 40, 4)
# call: kangaroo(5, 1, 6, 1)
# call: kangaroo(0, 1, 5, "1")
def kangaroo(a, jump_a, b, jump_b):
    hops = 0
    while a != b:
        nearer = abs((a + jump_a) - (b + jump_b)) < abs(a - b)
        if not nearer:
            return f"never, {abs(a - b)} apart after {hops}"
        a, b, hops = a + jump_a, b + jump_b, hops + 1
    return a, hops


# call: digit_groups(122333)
# call: digit_groups(5)
# call: digit_groups(0)
# call: digit_groups(100020003, 0)
# call: digit_groups(777, 7)
# call: digit_groups("12a")
def digit_groups(n, cut=None):
    text = str(n)
    if cut is not None:
        return [int(part or "-1") for part in text.split(str(cut))]
    groups, last = [], ""
    for d in text:
        if d == last:
            groups[-1] = groups[-1] * 10 + int(d)
        else:
            groups.append(int(d))
        last = d
    return groups


# call: both_ends([4, 8, 1, 9])
# call: both_ends([1, 2, 3])
# call: both_ends([])
# call: both_ends([5, 1, 5, 1, 5, 1, 5, 1, 5, 1, 5])
# call: both_ends([7])
# call: both_ends(["a", 1])
def both_ends(cards):
    """The outer two cards are taken; they go on one pile or on two, by their order."""
    low_pile, high_pile = [], []
    while len(cards) > 1:
        left, *cards, right = cards
        if left < right:
            low_pile.append(left)
            high_pile.append(right)
        else:
            high_pile += [left - right, right]
    return low_pile, high_pile, cards


# call: staircase_rows(4)
# call: staircase_rows(1)
# call: staircase_rows(0)
# call: staircase_rows(7)
# call: staircase_rows(2.0)
# call: staircase_rows(-2)
def staircase_rows(n):
    number, edges = 1, []
    for length in range(1, int(n) + 1):
        first, last = number, number + length - 1
        if length % 2 == 0:
            first, last = last, first
        edges.append(f"{first}..{last}" if length > 1 else f"{first}")
        number += length
    return edges, number - 1


# call: replaceAt([1, 2, 3, 4], {1: 9})
# call: replaceAt([1, 2, 3], {0: 5, -1: 6})
# call: replaceAt([], {})
# call: replaceAt([0, 0, 0, 0, 0, 0, 0], {0: 1, 2: 3, 4: 5, 6: 7, -2: 8})
# call: replaceAt([1, 2], {0: [1, 2]})
# call: replaceAt([1], {1: 2})
def replaceAt(xs, changes):
    copy = list(xs)
    for place in changes:
        copy[place] = changes[place]
    changed = [old != new for old, new in zip(xs, copy)]
    return copy, changed.count(True), any(changed[1:])


# call: slice_game([1, 2, 3, 4, 5, 6], "ab")
# call: slice_game([1, 2, 3], "c")
# call: slice_game([], "abc")
# call: slice_game([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], "acbdab")
# call: slice_game([1, 2, 3, 4], "dd")
# call: slice_game([1, 2], "az")
def slice_game(xs, moves):
    for move in moves:
        if move == "a":
            xs = xs[1:] + xs[:1]
        elif move == "b":
            xs = xs[::2] + xs[1::2]
        elif move == "c":
            xs = xs[:-1]
        elif move == "d":
            xs[1:1] = xs[-1:]
        else:
            raise ValueError("move " + move)
    return xs


# call: is_steady([3, 5, 7])
# call: is_steady([9, 6])
# call: is_steady([1])
# call: is_steady([0, 11, 22, 33, 44, 55, 66, 78])
# call: is_steady([2, 2, 2])
# call: is_steady([1, 2, "3"])
def is_steady(xs):
    if len(xs) < 2:
        return True, 0
    step = xs[1] - xs[0]
    for i in range(2, len(xs)):
        if xs[i] != xs[i - 1] + step:
            return False, i
    return True, step


# call: nth_letters("abcdefghij", 3)
# call: nth_letters("hello world", 4)
# call: nth_letters("", 2)
# call: nth_letters("the quick brown fox jumps over the dog", 7)
# call: nth_letters("abc", -1)
# call: nth_letters("abc", 0)
def nth_letters(text, n):
    lanes = [text[start::n] for start in range(abs(n))]
    return lanes, "".join(lanes)


# call: drip([10, 3, 5])
# call: drip([1, 1])
# call: drip([])
# call: drip([8, 2, 9, 4, 12, 1, 3])
# call: drip([0, 5])
# call: drip([2.5, 1])
def drip(tanks):
    """What is over 5 in a tank runs into the next one at once; the last one spills."""
    lost = 0
    for i, level in enumerate(tanks):
        level = tanks[i]
        if level <= 5:
            continue
        tanks[i] = 5
        if i + 1 == len(tanks):
            lost = level - 5
        else:
            tanks[i + 1] += level - 5
    return tanks, f"{lost} spilled" if lost else "dry floor"


# call: bulls([1, 2, 3, 4], [1, 3, 5, 4])
# call: bulls("abcd", "dcba")
# call: bulls([], [])
# call: bulls([1, 1, 2, 2, 3, 3], [1, 2, 1, 2, 3, 9])
# call: bulls([1, 2], [1, 2, 3])
# call: bulls([1], None)
def bulls(secret, guess):
    signs = []
    left = list(secret)
    for place, x in enumerate(guess):
        if x not in left:
            signs.append(".")
            continue
        left.remove(x)
        signs.append("*" if secret[place] == x else "o")
    return "".join(signs), left


# call: cross_sums(["12", "34"])
# call: cross_sums(["905"])
# call: cross_sums([])
# call: cross_sums(["123", "456", "789", "000"])
# call: cross_sums(["1", "23"])
# call: cross_sums(["1x"])
def cross_sums(rows):
    grid = [[int(ch) for ch in row] for row in rows]
    across = [sum(row) for row in grid]
    down = [sum(column) for column in zip(*grid)]
    return across, down, sum(across) - sum(down)


# call: counted_out(5, 2)
# call: counted_out(3, 7)
# call: counted_out(0, 1)
# call: counted_out(9, 4)
# call: counted_out(4, 1)
# call: counted_out(2, "3")
def counted_out(children, syllables):
    names = list("ABCDEFGHIJKLMNOP"[:children])
    out, at = "", 0
    while len(names) > 1:
        at = (at + syllables - 1) % len(names)
        out += names.pop(at)
        syllables += 1
    return out, names


# call: thue_like("a", 3)
# call: thue_like("ab", 2)
# call: thue_like("", 5)
# call: thue_like("b", 5)
# call: thue_like("xyz", 1)
# call: thue_like("a", -1)
def thue_like(seed, rounds):
    rules = {"a": "ab", "b": "c", "c": "a"}
    text, lengths = seed, []
    for _ in range(rounds):
        text = "".join(rules.get(ch, ch) for ch in text)
        lengths.append(len(text))
    return text, lengths


# call: sandwich([1, 2, 3], 0)
# call: sandwich("abc", "-")
# call: sandwich([], 9)
# call: sandwich([1, 2, 3, 4, 5, 6, 7], None)
# call: sandwich([5], 5)
# call: sandwich(12, 0)
def sandwich(items, filling):
    layers = [filling] * (2 * len(items) - 1)
    for i in range(0, len(layers), 2):
        layers[i] = items[i // 2]
    if layers[-1:] == [filling]:
        layers.pop()
    return layers[::-1]


# call: bit_steps(6)
# call: bit_steps(255)
# call: bit_steps(0)
# call: bit_steps(123456)
# call: bit_steps(-4)
# call: bit_steps(1.0)
def bit_steps(n):
    steps = []
    while n > 0:
        low = n & -n
        steps.append(low.bit_length() - 1)
        n ^= low
    return steps, [b - a for a, b in zip(steps, steps[1:])]


# call: longestPlateau([1, 1, 2, 2, 2, 1])
# call: longestPlateau([4, 5, 6])
# call: longestPlateau([])
# call: longestPlateau([3, 3, 8, 8, 8, 8, 1, 1, 9, 9, 9, 9])
# call: longestPlateau([None, None])
# call: longestPlateau(7)
def longestPlateau(xs):
    bestStart, bestLength = -1, 0
    start = 0
    for i in range(1, len(xs) + 1):
        if i == len(xs) or xs[i] != xs[start]:
            if i - start > bestLength:
                bestStart, bestLength = start, i - start
            start = i
    return bestStart, bestLength


# call: merge_tracks([1, 4, 9], [2, 4, 10])
# call: merge_tracks([5], [1, 2])
# call: merge_tracks([], [])
# call: merge_tracks([1, 3, 5, 7, 9, 11], [2, 3, 4, 9, 20])
# call: merge_tracks([3, 1], [2])
# call: merge_tracks([1], ["1"])
def merge_tracks(left, right):
    """Tags where each number came from; equal ones meet as 'B'."""
    tags = {}
    for side, numbers in (("L", left), ("R", right)):
        for n in numbers:
            tags[n] = "B" if n in tags and tags[n] != side else side
    return "".join(tags[n] for n in sorted(tags)), [n for n, tag in tags.items() if tag == "B"]


# call: decode_steps("3U2D1U")
# call: decode_steps("10U")
# call: decode_steps("")
# call: decode_steps("5U12D7U1D30U2D")
# call: decode_steps("2D")
# call: decode_steps("4X")
import re


def decode_steps(text):
    floor, floors = 0, [0]
    for count, way in re.findall(r"(\d+)([A-Z])", text):
        floor += int(count) * {"U": 1, "D": -1}[way]
        floors.append(floor)
    return floors, max(floors) - min(floors)


# call: bounce(100, 3)
# call: bounce(9, 10)
# call: bounce(0, 2)
# call: bounce(1000, 8, 0.75)
# call: bounce(50, 2, 0)
# call: bounce(50, 2, None)
def bounce(height, times, spring=0.5):
    heights = [height]
    for _ in range(times):
        height = round(height * spring, 1)
        if height < 1:
            break
        heights.append(height)
    path = heights[0] + 2 * sum(heights[1:])
    return heights, path


# call: taxi_stops([1, -2, 3])
# call: taxi_stops([5])
# call: taxi_stops([])
# call: taxi_stops([2, 2, -1, -3, 0, 4, -4, 6, -6, 1])
# call: taxi_stops([0, 0])
# call: taxi_stops([1, "up"])
def taxi_stops(rides):
    at, visits = 0, {0: 1}
    for ride in rides:
        step = 1 if ride > 0 else -1
        for _ in range(abs(ride)):
            at += step
        visits[at] = visits.get(at, 0) + 1
    return at, {stop for stop, n in visits.items() if n > 1}


# call: partial_order([(1, 2), (3, 3), (5, 4)])
# call: partial_order([(0, 1)])
# call: partial_order([])
# call: partial_order([(1, 9), (2, 8), (3, 7), (6, 6), (7, 5), (9, 1)])
# call: partial_order([(1, 2, 3)])
# call: partial_order([("a", 1)])
def partial_order(pairs):
    result = {"up": [], "down": [], "same": []}
    for a, *rest in pairs:
        b = rest[-1]
        result["up" if a < b else "down" if a > b else "same"].append(a + b)
    return [(k, sum(v)) for k, v in result.items() if v]


# call: mirrored_index([10, 20, 30], 1)
# call: mirrored_index([10, 20, 30], 4)
# call: mirrored_index([7], 0)
# call: mirrored_index([1, 2, 3, 4, 5], 23)
# call: mirrored_index([1, 2], -1)
# call: mirrored_index([], 0)
def mirrored_index(xs, i):
    """Reads a list as if a mirror stood at each of its ends: a b c c b a a b .."""
    block, place = divmod(i, len(xs))
    if block % 2:
        place = ~place
    return xs[place], block
