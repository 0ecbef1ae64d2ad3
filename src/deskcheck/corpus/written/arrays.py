# call: two_ends_sum([1, 3, 4, 7, 9], 11)
# call: two_ends_sum([2, 5], 7)
# call: two_ends_sum([], 3)
# call: two_ends_sum([-6, -2, 0, 1, 5, 8, 12], 3)
# call: two_ends_sum([1, 2, 3], 50)
# call: two_ends_sum([4, 1, 3], "5")
def two_ends_sum(a, target):
    i = 0
    j = len(a) - 1
    tried = []
    while i < j and a[i] + a[j] != target:
        tried.append((i, j))
        if a[i] + a[j] < target:
            i += 1
        else:
            j -= 1
    if i < j:
        return i, j, len(tried)
    return tried


# call: closest_pair_to([11, 20, 27, 31, 33], 50)
# call: closest_pair_to([1, 4], 2)
# call: closest_pair_to([3], 1)
# call: closest_pair_to([9, -3, 4, 1, 7, -8, 12], 0)
# call: closest_pair_to([1, 2, 3, 4], 5)
# call: closest_pair_to([1, None], 4)
def closest_pair_to(values, goal):
    best = None
    for i, x in enumerate(values):
        for y in values[:i]:
            off = abs(x + y - goal)
            if best is None or off < best[0]:
                best = (off, y, x)
            if off == 0:
                return best
    return best


# call: zero_triples([-1, 0, 1, 2])
# call: zero_triples([0, 0, 0])
# call: zero_triples([])
# call: zero_triples([-4, -1, 3, 0, 1, -2, 1])
# call: zero_triples([1, 2, 3, 4])
# call: zero_triples([1, -1, "0"])
def zero_triples(a):
    a = sorted(a)
    found = []
    for first in range(len(a) - 2):
        if first > 0 and a[first] == a[first - 1]:
            continue
        left, right = first + 1, len(a) - 1
        while left < right:
            total = a[first] + a[left] + a[right]
            if total == 0:
                if [a[first], a[left], a[right]] not in found:
                    found.append([a[first], a[left], a[right]])
                left, right = left + 1, right - 1
            elif total < 0:
                left += 1
            else:
                right -= 1
    return found


# call: widest_tank([3, 1, 4, 2])
# call: widest_tank([5, 5])
# call: widest_tank([])
# call: widest_tank([2, 7, 5, 1, 6, 3, 7, 4])
# call: widest_tank([0, 0, 9])
# call: widest_tank([2, [3]])
def widest_tank(walls):
    """Largest area of water between two walls, with the two walls."""
    best = (0, None, None)
    i, j = 0, len(walls) - 1
    while i < j:
        low = walls[i] if walls[i] <= walls[j] else walls[j]
        area = low * (j - i)
        if area > best[0]:
            best = (area, i, j)
        while i < j and walls[i] <= low:
            i += 1
        while i < j and walls[j] <= low:
            j -= 1
    return best


# call: RangeSums([2, 4, 6]).between(0, 1)
# call: RangeSums([5, -5, 3, 1]).between(1, 3)
# call: RangeSums([]).between(0, -1)
# call: RangeSums([3, 1, 4, 1, 5, 9, 2]).between(2, 5)
# call: RangeSums([1, 2, 3]).between(2, 1)
# call: RangeSums([1, 2]).between(0, 4)
class RangeSums:
    def __init__(self, numbers):
        self.sums = [0]
        for n in numbers:
            self.sums.append(self.sums[-1] + n)

    def between(self, first, last):
        """Sum of the numbers from place first to place last, both included."""
        if first > last:
            return 0, self.sums
        return self.sums[last + 1] - self.sums[first], self.sums


# call: window_tops([1, 3, 2, 5], 2)
# call: window_tops([4, 4, 1], 3)
# call: window_tops([], 1)
# call: window_tops([2, 4, -2, -1, 6, 1, 5, 8], 3)
# call: window_tops([1, 2], 5)
# call: window_tops([1, 2], 0)
def window_tops(a, width):
    """Maximum of each window; the queue holds places whose values fall."""
    queue = []
    tops = []
    for i in range(len(a)):
        while queue and a[queue[-1]] <= a[i]:
            queue.pop()
        queue.append(i)
        if queue[0] <= i - width:
            queue.pop(0)
        if i >= width - 1:
            tops.append(a[queue[0]])
    return tops


# call: smoothed([2, 4, 6, 8], 2)
# call: smoothed([9, 3, 6], 3)
# call: smoothed([], 2)
# call: smoothed([1, 5, 3, 7, 9, 2, 8], 4)
# call: smoothed([5, 5], 3)
# call: smoothed([1, 2], "2")
def smoothed(series, width):
    if width > len(series):
        return []
    total = 0
    for x in series[:width]:
        total += x
    means = [total / width]
    for i in range(width, len(series)):
        total += series[i] - series[i - width]
        means.append(total / width)
    return means


# call: shortest_reaching([2, 3, 1, 4], 6)
# call: shortest_reaching([7], 7)
# call: shortest_reaching([], 1)
# call: shortest_reaching([1, 2, 1, 5, 1, 1, 4, 3], 8)
# call: shortest_reaching([1, 1], 9)
# call: shortest_reaching([3, None], 5)
def shortest_reaching(numbers, least):
    start = 0
    total = 0
    shortest = []
    for end in range(len(numbers)):
        total += numbers[end]
        while start <= end and total - numbers[start] >= least:
            total -= numbers[start]
            start += 1
        if total >= least:
            piece = numbers[start : end + 1]
            if not shortest or len(piece) < len(shortest):
                shortest = piece
    return shortest


# call: longest_few_kinds("abaccc", 2)
# call: longest_few_kinds([1, 2, 3], 1)
# call: longest_few_kinds("", 1)
# call: longest_few_kinds("xyxxzwzzy", 2)
# call: longest_few_kinds("aaa", 3)
# call: longest_few_kinds([[1], [2]], 1)
def longest_few_kinds(items, kinds):
    inside = {}
    start = 0
    best = (0, 0)
    for end, item in enumerate(items):
        inside[item] = inside.get(item, 0) + 1
        while len(inside) > kinds:
            first = items[start]
            inside[first] -= 1
            if inside[first] == 0:
                del inside[first]
            start += 1
        if end + 1 - start > best[1] - best[0]:
            best = (start, end + 1)
    return best, items[best[0] : best[1]]


# call: kadane_stretch([1, -2, 3, 4, -1])
# call: kadane_stretch([2, 3])
# call: kadane_stretch([])
# call: kadane_stretch([-3, 2, -4, 5, -2, 3, 1, -6, 5])
# call: kadane_stretch([-3, -1, -2])
# call: kadane_stretch([1, "2"])
def kadane_stretch(a):
    """Kadane's way, with the two ends."""
    best = None
    here, begin = 0, 0
    for i, x in enumerate(a):
        if here < 0:
            here = 0
            begin = i
        here += x
        if best is None or here > best["sum"]:
            best = {"sum": here, "from": begin, "to": i}
    return best


# call: halves_best([3, -4, 5])
# call: halves_best([1, 2])
# call: halves_best([-7])
# call: halves_best([2, -1, 3, -6, 4])
# call: halves_best([-1, -2])
# call: halves_best([])
def halves_best(a):
    """Largest sum of neighbours by divide and conquer."""

    def reach(values):
        total, top = 0, None
        for v in values:
            total += v
            if top is None or total > top:
                top = total
        return top

    if len(a) == 1:
        return a[0]
    if not a:
        raise ValueError("no numbers")
    mid = len(a) // 2
    left, right = a[:mid], a[mid:]
    across = reach(reversed(left)) + reach(right)
    return max(halves_best(left), halves_best(right), across)


# call: leaders_of([14, 18, 5, 2, 6, 3])
# call: leaders_of([1, 2])
# call: leaders_of([])
# call: leaders_of([9, 4, 8, 8, 1, 6, 2, 5])
# call: leaders_of([3, 3, 3])
# call: leaders_of([1, "b"])
def leaders_of(row):
    i = len(row) - 1
    leaders = []
    while i >= 0:
        if not leaders or row[i] > row[leaders[0]]:
            leaders.insert(0, i)
        i -= 1
    return {i: row[i] for i in leaders}


# call: next_greater_places([2, 1, 3])
# call: next_greater_places([5, 4])
# call: next_greater_places([])
# call: next_greater_places([5, 6, 1, 11, 7, 8, 2])
# call: next_greater_places([3, 3, 3])
# call: next_greater_places([1, 2, None])
def next_greater_places(a):
    answer = [None] * len(a)
    waiting = []
    for i in range(len(a)):
        while waiting and a[i] > a[waiting[-1]]:
            answer[waiting.pop()] = i
        waiting.append(i)
    return answer, waiting


# call: smaller_before([4, 2, 5, 3])
# call: smaller_before([1])
# call: smaller_before([])
# call: smaller_before([6, 3, 8, 7, 1, 9, 4])
# call: smaller_before([2, 2, 1])
# call: smaller_before([3, "3"])
def smaller_before(a):
    stack = []
    pairs = []
    for x in a:
        popped = 0
        while stack:
            if stack[-1] < x:
                break
            stack.pop()
            popped += 1
        pairs.append((stack[-1] if stack else "-", popped))
        stack.append(x)
    return pairs


# call: ring_next_greater([1, 2, 1])
# call: ring_next_greater([5, 3])
# call: ring_next_greater([])
# call: ring_next_greater([3, 8, 4, 1, 2])
# call: ring_next_greater([6, 6])
# call: ring_next_greater([1, "x"])
def ring_next_greater(ring):
    n = len(ring)
    out = []
    for i in range(n):
        step = 1
        while step < n and ring[(i + step) % n] <= ring[i]:
            step += 1
        out.append(ring[(i + step) % n] if step < n else -1)
    return out


# call: balance_points([2, 3, 7, 1, 4])
# call: balance_points([2, 1])
# call: balance_points([])
# call: balance_points([-5, 2, 4, 1, -3, 1, 0])
# call: balance_points([0, 0, 0])
# call: balance_points([1, None, 1])
def balance_points(weights):
    right = sum(weights)
    left = 0
    points = []
    for place in range(len(weights)):
        right -= weights[place]
        if left == right:
            points.append(place)
        left += weights[place]
    return points


# call: join_spans([[2, 4], [3, 7], [9, 11]])
# call: join_spans([[1, 2]])
# call: join_spans([])
# call: join_spans([[9, 12], [1, 4], [3, 3], [5, 7], [6, 9], [20, 21]])
# call: join_spans([[1, 5], [5, 6]])
# call: join_spans([[1, 2], [3]])
def join_spans(spans):
    joined = []
    for start, end in sorted(spans):
        if joined and joined[-1][1] >= start:
            last = joined[-1]
            last[1] = max(last[1], end)
        else:
            joined.append([start, end])
    return joined


# call: insert_span([(2, 4), (8, 9)], (3, 6))
# call: insert_span([(4, 5)], (1, 2))
# call: insert_span([], (3, 4))
# call: insert_span([(0, 1), (2, 5), (7, 8), (9, 12), (14, 15)], (4, 9))
# call: insert_span([(1, 2), (8, 9)], (4, 5))
# call: insert_span([(1, 2)], 3)
def insert_span(spans, new):
    before, after = [], []
    low, high = new
    for span in spans:
        if span[1] < low:
            before.append(span)
        elif high < span[0]:
            after.append(span)
        else:
            low = min(low, span[0])
            high = max(high, span[1])
    return before + [(low, high)] + after


# call: free_between([(1, 3), (5, 7)], 0, 10)
# call: free_between([(2, 4)], 2, 6)
# call: free_between([], 1, 5)
# call: free_between([(9, 10), (1, 2), (4, 6), (5, 8)], 0, 12)
# call: free_between([(0, 9)], 2, 5)
# call: free_between([(1, 2)], 5, None)
def free_between(busy, first, last):
    free = []
    at = first
    for start, end in sorted(busy):
        if start > at:
            free.append((at, min(start, last)))
        at = max(at, end)
        if at >= last:
            return free
    free.append((at, last))
    return free


# call: deepest_overlap([(1, 4), (2, 5), (7, 9)])
# call: deepest_overlap([(3, 6)])
# call: deepest_overlap([])
# call: deepest_overlap([(1, 8), (2, 3), (2, 6), (5, 9), (3, 7)])
# call: deepest_overlap([(1, 2), (2, 3)])
# call: deepest_overlap([(1, 2, 3)])
def deepest_overlap(spans):
    events = []
    for start, end in spans:
        events.append((start, 1))
        events.append((end, -1))
    events.sort()
    depth = deepest = 0
    where = None
    for place, change in events:
        depth += change
        if depth > deepest:
            deepest, where = depth, place
    return deepest, where


# call: undo_differences(3, [2, -1, 4])
# call: undo_differences(0, [1, 1])
# call: undo_differences(5, [])
# call: undo_differences(1, [2, 3, -4, 5, -6, 7], times=2)
# call: undo_differences(2, [7, 7], times=0)
# call: undo_differences(0, ["a"])
def undo_differences(first, steps, times=1):
    row = steps[:]
    for _ in range(times):
        total = first
        for i in range(len(row)):
            row[i], total = total, total + row[i]
        row.append(total)
    return row


# call: equal_runs([1, 1, 2, 2, 2, 1])
# call: equal_runs("aab")
# call: equal_runs([])
# call: equal_runs([5, 5, 0, 3, 3, 3, 5, 5, 5])
# call: equal_runs([1, 1.0, True])
# call: equal_runs(None)
def equal_runs(items):
    """Longest run of each value."""
    longest = {}
    i = 0
    while i < len(items):
        j = i
        while j < len(items) and items[j] == items[i]:
            j += 1
        if j - i > longest.get(items[i], 0):
            longest[items[i]] = j - i
        i = j
    return longest


# call: longest_zigzag([1, 3, 2, 4, 5])
# call: longest_zigzag([2, 1])
# call: longest_zigzag([])
# call: longest_zigzag([5, 1, 4, 2, 2, 9, 3, 8, 7])
# call: longest_zigzag([3, 3, 3])
# call: longest_zigzag([1, "a", 1])
def longest_zigzag(a):
    best = a[:1]
    now = a[:1]
    way = 0
    for old, new in zip(a, a[1:]):
        turn = (new > old) - (new < old)
        if turn == 0:
            now = [new]
        elif turn == -way or way == 0:
            now = now + [new]
        else:
            now = [old, new]
        way = turn
        if len(now) > len(best):
            best = now
    return best


# call: price_spans([90, 70, 50, 65])
# call: price_spans([1, 2, 3])
# call: price_spans([])
# call: price_spans([31, 27, 14, 21, 30, 22, 28, 33])
# call: price_spans([5, 5, 5])
# call: price_spans([5, "6"])
def price_spans(prices):
    """For how many days up to each day the price was not higher."""
    higher = [-1]
    spans = []
    for day in range(len(prices)):
        while len(higher) > 1 and prices[higher[-1]] <= prices[day]:
            higher.pop()
        spans.append(day - higher[-1])
        higher.append(day)
    return spans


# call: water_on([2, 0, 2])
# call: water_on([3, 1, 2, 4])
# call: water_on([])
# call: water_on([1, 0, 2, 0, 1, 3, 1, 0, 2])
# call: water_on([1, 2, 3])
# call: water_on([1, None, 2])
def water_on(ground):
    levels = []
    high = 0
    for g in ground:
        high = max(high, g)
        levels.append(high)
    high = 0
    for i in reversed(range(len(ground))):
        high = max(high, ground[i])
        levels[i] = min(levels[i], high) - ground[i]
    return sum(levels), levels


# call: biggest_box([3, 1, 4, 5, 2, 2])
# call: biggest_box([4])
# call: biggest_box([])
# call: biggest_box([1, 3, 2, 5, 5, 4, 0, 6])
# call: biggest_box([2, 2, 2])
# call: biggest_box(["3", 2])
def biggest_box(bars):
    stack = []
    best = 0
    i = 0
    while i <= len(bars):
        height = bars[i] if i < len(bars) else 0
        start = i
        while stack and stack[-1][1] > height:
            start, tall = stack.pop()
            best = max(best, tall * (i - start))
        stack.append((start, height))
        i += 1
    return best


# call: best_trade([6, 2, 5, 1, 7, 3])
# call: best_trade([1, 2])
# call: best_trade([])
# call: best_trade([8, 6, 9, 3, 10, 2, 7, 8])
# call: best_trade([5, 4, 3])
# call: best_trade([3, None])
def best_trade(prices):
    buy = 0
    trade = None
    gain = 0
    for sell in range(1, len(prices)):
        if prices[sell] < prices[buy]:
            buy = sell
        elif prices[sell] - prices[buy] > gain:
            gain = prices[sell] - prices[buy]
            trade = buy, sell
    return trade, gain


# call: all_trades([1, 5, 3, 6])
# call: all_trades([2, 3])
# call: all_trades([])
# call: all_trades([7, 2, 4, 4, 9, 1, 6, 8, 3])
# call: all_trades([3, 2, 1])
# call: all_trades([1, "2"])
def all_trades(prices):
    trades = []
    day, last = 0, len(prices) - 1
    while day < last:
        while day < last and prices[day + 1] <= prices[day]:
            day += 1
        if day == last:
            break
        low = day
        while day < last and prices[day + 1] > prices[day]:
            day += 1
        trades.append((prices[low], prices[day]))
    return trades, sum(s - b for b, s in trades)


# call: others_product([1, 2, 3, 4])
# call: others_product([5, 2])
# call: others_product([])
# call: others_product([2, -1, 3, 0, 4])
# call: others_product([0, 7, 0])
# call: others_product([2, [1]])
def others_product(a):
    n = len(a)
    before, after = [1] * n, [1] * n
    for i in range(1, n):
        before[i] = before[i - 1] * a[i - 1]
        after[n - 1 - i] = after[n - i] * a[n - i]
    return [p * q for p, q in zip(before, after)]


# call: send_home([3, 1, 2])
# call: send_home([2, 2])
# call: send_home([])
# call: send_home([5, 2, 7, 1, 3, 5, 7, 4])
# call: send_home([1, 2, 3])
# call: send_home([0, 1])
def send_home(a):
    """Swaps every number x to place x - 1; tells which numbers are missing."""
    for i in range(len(a)):
        if a[i] < 1:
            raise ValueError(a)
        while a[i] != a[a[i] - 1]:
            home = a[i] - 1
            a[i], a[home] = a[home], a[i]
    return a, [i + 1 for i, x in enumerate(a) if x != i + 1]


# call: mark_by_sign([1, 3, 2, 3])
# call: mark_by_sign([1, 2])
# call: mark_by_sign([])
# call: mark_by_sign([3, 6, 1, 7, 6, 2, 1, 4])
# call: mark_by_sign([2, 2, 2])
# call: mark_by_sign([5, 1])
def mark_by_sign(a):
    twice = []
    for x in a:
        place = abs(x) - 1
        if a[place] < 0:
            twice.append(abs(x))
        else:
            a[place] = -a[place]
    return twice, a


# call: zeros_to_back([0, 1, 0, 3])
# call: zeros_to_back([1, 2])
# call: zeros_to_back([])
# call: zeros_to_back([4, 0, 0, 5, 0, 6, 7, 0, 8])
# call: zeros_to_back([0, 0.0, False, ""])
# call: zeros_to_back(None)
def zeros_to_back(a):
    free = 0
    swaps = []
    for i in range(len(a)):
        if a[i] == 0:
            continue
        if i != free:
            a[free], a[i] = a[i], a[free]
            swaps.append((free, i))
        free += 1
    return a, swaps


# call: three_parts([4, 1, 7, 4, 2], 4)
# call: three_parts([1, 2], 5)
# call: three_parts([], 0)
# call: three_parts([9, 5, 3, 5, 8, 1, 5, 7], 5)
# call: three_parts([3, 3], 3)
# call: three_parts([1, "2"], 1)
def three_parts(a, pivot):
    parts = {"below": [], "equal": [], "above": []}
    for x in a:
        name = "below" if x < pivot else "above" if x > pivot else "equal"
        parts[name].append(x)
    i = 0
    for name in parts:
        for x in parts[name]:
            a[i] = x
            i += 1
        parts[name] = i
    return a, parts


# call: juggle([1, 2, 3, 4, 5, 6], 2)
# call: juggle(["a", "b", "c"], 1)
# call: juggle([], 1)
# call: juggle([0, 1, 2, 3, 4, 5, 6, 7, 8], 6)
# call: juggle([1, 2, 3], 3)
# call: juggle((1, 2), 1)
def juggle(a, k):
    """Rotates to the left by k: each item jumps into the hole that the last one left."""
    n = len(a)
    moved = 0
    start = 0
    while moved < n:
        hand = a[start]
        hole = start
        while (hole + k) % n != start:
            a[hole] = a[(hole + k) % n]
            hole = (hole + k) % n
            moved += 1
        a[hole] = hand
        moved += 1
        start += 1
    return a, start


# call: swap_blocks([1, 2, 3, 4, 5], 2)
# call: swap_blocks(["x", "y"], 1)
# call: swap_blocks([], 0)
# call: swap_blocks([1, 2, 3, 4, 5, 6, 7, 8], 3)
# call: swap_blocks([1, 2, 3], 0)
# call: swap_blocks([1, 2], 5)
def swap_blocks(a, left):
    def swap(i, j, n):
        for d in range(n):
            a[i + d], a[j + d] = a[j + d], a[i + d]

    i, j = left, len(a) - left
    if j < 0:
        raise IndexError("block is too long")
    if i == 0 or j == 0:
        return a
    while i != j:
        if i < j:
            swap(left - i, left + j - i, i)
            j -= i
        else:
            swap(left - i, left, j)
            i -= j
    swap(left - i, left, i)
    return a


# call: shuffle_halves([1, 2, 3, "a", "b", "c"])
# call: shuffle_halves([1, 2])
# call: shuffle_halves([])
# call: shuffle_halves([1, 2, 3, 4, 5, 6, 7, 8])
# call: shuffle_halves([1, 2, 3, 4, 5])
# call: shuffle_halves("abcd")
def shuffle_halves(a):
    half = len(a) // 2
    for pull in range(1, half):
        target = 2 * pull - 1
        source = half + pull - 1
        while source > target:
            a[source - 1], a[source] = a[source], a[source - 1]
            source -= 1
    return a


# call: turn_groups([1, 2, 3, 4, 5], 2)
# call: turn_groups(["a", "b", "c"], 3)
# call: turn_groups([], 2)
# call: turn_groups([1, 2, 3, 4, 5, 6, 7, 8], 3)
# call: turn_groups([1, 2, 3], 1)
# call: turn_groups([1, 2], 0)
def turn_groups(a, size):
    """Turns each full group around; a rest stays as it is."""
    for start in range(0, len(a), size):
        i, j = start, start + size - 1
        if j >= len(a):
            break
        while i < j:
            a[i], a[j] = a[j], a[i]
            i, j = i + 1, j - 1
    return a


# call: reverse_pieces([1, 2, 3, 4], [(0, 1), (2, 3)])
# call: reverse_pieces(["a", "b"], [(0, 1)])
# call: reverse_pieces([], [])
# call: reverse_pieces([1, 2, 3, 4, 5, 6], [(0, 3), (2, 5), (1, 4)])
# call: reverse_pieces([1, 2, 3], [(2, 0)])
# call: reverse_pieces([1, 2], [(0, 2)])
def reverse_pieces(a, pieces):
    def turn(i, j):
        if i >= j:
            return 0
        a[i], a[j] = a[j], a[i]
        return 1 + turn(i + 1, j - 1)

    return a, [turn(i, j) for i, j in pieces]


# call: longest_neighbours([4, 2, 1, 3, 9])
# call: longest_neighbours([7, 8])
# call: longest_neighbours([])
# call: longest_neighbours([8, 15, 6, 1, 7, 2, 14, 9])
# call: longest_neighbours([5, 5, 5])
# call: longest_neighbours([1, [2]])
def longest_neighbours(numbers):
    """Longest chain n, n + 1, n + 2, .. of members."""
    members = set(numbers)
    chains = {}
    for n in numbers:
        if n - 1 in members:
            continue
        length = 1
        while n + length in members:
            length += 1
        chains[n] = length
    if not chains:
        return []
    first = max(chains, key=chains.get)
    return list(range(first, first + chains[first]))


# call: rising_choice([3, 1, 4, 2, 5])
# call: rising_choice([2, 1])
# call: rising_choice([])
# call: rising_choice([9, 3, 6, 4, 8, 11])
# call: rising_choice([4, 4, 4])
# call: rising_choice([1, None])
def rising_choice(a):
    """One longest rising choice of members, in their order."""
    chains = []
    for x in a:
        longest = []
        for chain in chains:
            if chain[-1] < x and len(chain) > len(longest):
                longest = chain
        chains.append(longest + [x])
    result = []
    for chain in chains:
        if len(chain) > len(result):
            result = chain
    return result


# call: jump_layers([3, 1, 2, 1, 5])
# call: jump_layers([1, 1])
# call: jump_layers([0])
# call: jump_layers([2, 1, 4, 1, 1, 3, 0, 2])
# call: jump_layers([1, 0, 5])
# call: jump_layers([])
def jump_layers(power):
    reached = 0
    layer = [0]
    jumps = 0
    while reached < len(power) - 1:
        far = max(i + power[i] for i in layer)
        if far <= reached:
            return None
        layer = list(range(reached + 1, min(far, len(power) - 1) + 1))
        reached = layer[-1]
        jumps += 1
    return jumps, layer


# call: ring_start([3, 1, 2], [2, 2, 2])
# call: ring_start([1, 5], [4, 2])
# call: ring_start([], [])
# call: ring_start([2, 1, 4, 3, 6], [4, 2, 5, 3, 1])
# call: ring_start([1, 1], [2, 2])
# call: ring_start([3, 3], [1])
def ring_start(gain, cost):
    """From where one can go around once without falling below zero; -1: nowhere."""
    start, tank, total = 0, 0, 0
    for i in range(len(gain)):
        change = gain[i] - cost[i]
        tank += change
        total += change
        if tank < 0:
            start, tank = i + 1, 0
    return start if total >= 0 else -1


# call: hills_and_dips([2, 5, 1, 6, 3])
# call: hills_and_dips([5, 1, 5])
# call: hills_and_dips([])
# call: hills_and_dips([2, 2, 5, 3, 3, 6, 8, 7])
# call: hills_and_dips([1, 4, 4, 1])
# call: hills_and_dips([1, None, 3])
def hills_and_dips(a):
    marks = ["."] * len(a)
    for i in range(1, len(a) - 1):
        left, here, right = a[i - 1 : i + 2]
        if left < here > right:
            marks[i] = "^"
        elif left > here < right:
            marks[i] = "v"
        elif left == here == right:
            marks[i] = "="
    return "".join(marks)


# call: top_two([4, 9, 2, 7])
# call: top_two([1, 2])
# call: top_two([])
# call: top_two([3, 8, 8, 5, 1, 7, 6])
# call: top_two([5, 5, 5])
# call: top_two([2, "9"])
def top_two(values):
    first = second = None
    for v in values:
        if first is None or v > first:
            first, second = v, first
        elif v != first and (second is None or v > second):
            second = v
    return first, second


# call: pairs_apart([1, 4, 2, 6], 2)
# call: pairs_apart([5, 8], 3)
# call: pairs_apart([], 1)
# call: pairs_apart([7, 1, 5, 3, 9, 11, 2], 4)
# call: pairs_apart([3, 3, 3], 0)
# call: pairs_apart([1, 2], "1")
def pairs_apart(a, distance):
    pairs = []
    i, j = 0, 1
    a = sorted(a)
    while j < len(a):
        gap = a[j] - a[i]
        if gap == distance:
            pairs.append((a[i], a[j]))
            i += 1
            j += 1
        elif gap < distance:
            j += 1
        else:
            i += 1
        if i == j:
            j += 1
    return pairs


# call: cut_in_thirds([1, 2, 3, 3])
# call: cut_in_thirds([4, 4, 4])
# call: cut_in_thirds([])
# call: cut_in_thirds([1, 3, 0, -2, 6, 5, -1, 0])
# call: cut_in_thirds([1, 1, 2])
# call: cut_in_thirds([1, 1, "1"])
def cut_in_thirds(a):
    total = sum(a)
    if total % 3 != 0:
        return None
    pieces = [[]]
    for x in a:
        if len(pieces) < 3 and pieces[-1] and sum(pieces[-1]) == total // 3:
            pieces.append([])
        pieces[-1].append(x)
    return pieces if len(pieces) == 3 else None


# call: calm_windows([1, 3, 2, 6], 2)
# call: calm_windows([5, 5], 0)
# call: calm_windows([], 1)
# call: calm_windows([4, 8, 5, 6, 7, 1, 2], 3)
# call: calm_windows([1, 9], 3)
# call: calm_windows([1, 2, None], 5)
def calm_windows(a, spread):
    """How many stretches stay within the spread, and the longest."""
    count = 0
    longest = []
    for i in range(len(a)):
        low = high = a[i]
        j = i
        while j < len(a):
            low, high = min(low, a[j]), max(high, a[j])
            if high - low > spread:
                break
            count += 1
            j += 1
        if j - i > len(longest):
            longest = a[i:j]
    return count, longest


# call: longest_mountain([3, 1, 5, 8, 4, 2, 6])
# call: longest_mountain([1, 2, 1])
# call: longest_mountain([])
# call: longest_mountain([0, 3, 2, 1, 2, 4, 6, 5, 5])
# call: longest_mountain([1, 2, 2, 1])
# call: longest_mountain([1, 2, "x"])
def longest_mountain(land):
    best = None
    foot = 0
    while foot + 1 < len(land):
        top = foot
        while top + 1 < len(land) and land[top] < land[top + 1]:
            top += 1
        end = top
        while end + 1 < len(land) and land[end] > land[end + 1]:
            end += 1
        if foot < top < end and (best is None or end - foot > best[2] - best[0]):
            best = [foot, top, end]
        foot = max(end, foot + 1)
    return best


# call: RingBuffer(3).put(1, 2).snapshot()
# call: RingBuffer(2).put("a", "b", "c").snapshot()
# call: RingBuffer(1).snapshot()
# call: RingBuffer(4).put(1, 2, 3, 4, 5, 6).take(2).put(7).snapshot()
# call: RingBuffer(2).put(9).take(1).snapshot()
# call: RingBuffer(2).put(1).take(2).snapshot()
class RingBuffer:
    """A full ring loses its oldest item."""

    def __init__(self, size):
        self.cells = [None] * size
        self.head = 0
        self.count = 0

    def put(self, *items):
        for item in items:
            tail = (self.head + self.count) % len(self.cells)
            self.cells[tail] = item
            if self.count == len(self.cells):
                self.head = (self.head + 1) % len(self.cells)
            else:
                self.count += 1
        return self

    def take(self, n):
        for _ in range(n):
            if self.count == 0:
                raise LookupError("ring is empty")
            self.cells[self.head] = None
            self.head = (self.head + 1) % len(self.cells)
            self.count -= 1
        return self

    def snapshot(self):
        return self.cells, self.head, self.count


# call: GrowingRow(2).extend([1, 2, 3]).state()
# call: GrowingRow(1).extend("ab").state()
# call: GrowingRow(3).state()
# call: GrowingRow(1).extend([1, 2, 3, 4, 5, 6]).drop(4).state()
# call: GrowingRow(4).extend([1]).drop(3).state()
# call: GrowingRow(0).extend([1]).state()
class GrowingRow:
    """A row with spare room that doubles when full and halves when a quarter is used."""

    def __init__(self, room):
        self.cells = ["."] * room
        self.used = 0
        self.copied = 0

    def resize(self, room):
        new = ["."] * room
        for i in range(self.used):
            new[i] = self.cells[i]
            self.copied += 1
        self.cells = new

    def extend(self, items):
        for item in items:
            if self.used == len(self.cells):
                self.resize(2 * len(self.cells))
            self.cells[self.used] = item
            self.used += 1
        return self

    def drop(self, n):
        while n > 0 and self.used > 0:
            self.used -= 1
            self.cells[self.used] = "."
            if 0 < self.used <= len(self.cells) // 4:
                self.resize(len(self.cells) // 2)
            n -= 1
        return self

    def state(self):
        return self.cells, self.used, self.copied


# call: LowStack().run([5, 3, 4, "pop"])
# call: LowStack().run([1, 2])
# call: LowStack().run([])
# call: LowStack().run([6, 8, 2, 2, "pop", 7, "pop", "pop", "pop"])
# call: LowStack().run(["pop"])
# call: LowStack().run([1, "pop", "pop"])
class LowStack:
    """Knows its lowest member at all times."""

    def __init__(self):
        self.items = []
        self.lows = []

    def push(self, x):
        self.items.append(x)
        if not self.lows or x <= self.lows[-1]:
            self.lows.append(x)

    def pop(self):
        x = self.items.pop()
        if x == self.lows[-1]:
            self.lows.pop()
        return x

    def run(self, commands):
        report = []
        for c in commands:
            if c == "pop":
                self.pop()
            else:
                self.push(c)
            report.append(self.lows[-1] if self.lows else None)
        return report


# call: squares_in_order([-3, -1, 2])
# call: squares_in_order([1, 2])
# call: squares_in_order([])
# call: squares_in_order([-9, -6, -2, 0, 1, 4, 7])
# call: squares_in_order([-2, -2, 2])
# call: squares_in_order(["a", 1])
def squares_in_order(a):
    """Squares of an ascending list, ascending."""
    result = [0] * len(a)
    left, right = 0, len(a) - 1
    for slot in range(len(a) - 1, -1, -1):
        if -a[left] > a[right]:
            result[slot] = a[left] ** 2
            left += 1
        else:
            result[slot] = a[right] ** 2
            right -= 1
    return result


# call: kth_absent([2, 3, 5], 2)
# call: kth_absent([1, 2], 1)
# call: kth_absent([], 4)
# call: kth_absent([1, 3, 4, 8, 9, 13], 5)
# call: kth_absent([5], 3)
# call: kth_absent([1, "2"], 1)
def kth_absent(ascending, k):
    """The k-th positive number that an ascending list leaves out."""
    i = 0
    candidate = 0
    while k > 0:
        candidate += 1
        if i < len(ascending) and ascending[i] - candidate == 0:
            i += 1
        else:
            k -= 1
    return candidate


# call: sparse_product([0, 2, 0, 3], [1, 4, 0, 5])
# call: sparse_product([1, 0], [0, 1])
# call: sparse_product([], [])
# call: sparse_product([0, 0, 7, 0, 2, 0, 1, 4], [3, 0, 2, 0, 0, 5, 6, 1])
# call: sparse_product([1, 2, 3], [2])
# call: sparse_product([1], ["a"])
def sparse(row):
    return [(i, x) for i, x in enumerate(row) if x]


def sparse_product(u, v):
    p, q = sparse(u), sparse(v)
    total = 0
    i = j = 0
    while i < len(p) and j < len(q):
        if p[i][0] == q[j][0]:
            total += p[i][1] * q[j][1]
            i += 1
            j += 1
        elif p[i][0] < q[j][0]:
            i += 1
        else:
            j += 1
    return total, len(p), len(q)


# call: seen_both_sides([3, 1, 2])
# call: seen_both_sides([1, 5])
# call: seen_both_sides([])
# call: seen_both_sides([2, 4, 1, 6, 3, 5, 5])
# call: seen_both_sides([2, 2, 2])
# call: seen_both_sides([1, None])
def seen_both_sides(towers):
    def seen(order):
        tallest, names = None, []
        for i in order:
            if tallest is None or towers[i] > tallest:
                tallest = towers[i]
                names.append(i)
        return names

    places = range(len(towers))
    return seen(places), seen(reversed(places))


# call: alias_rows([1, 2], 3)
# call: alias_rows(["a"], 2)
# call: alias_rows([], 2)
# call: alias_rows([1, 2, 3, 4], 4)
# call: alias_rows([0], 1)
# call: alias_rows([1, 2], -1)
def alias_rows(row, n):
    """Every second line is the row itself, the others are copies."""
    lines = []
    for k in range(n):
        lines.append(row if k % 2 == 0 else row[:])
    last = lines[-1]
    last.append(n)
    lines[0].append("first")
    if row:
        row[0] = "changed"
    return lines


# call: shift_window([1, 2, 3, 4], 1, 3, 9)
# call: shift_window(["a", "b"], 0, 1, "z")
# call: shift_window([], 0, -1, 5)
# call: shift_window([1, 2, 3, 4, 5, 6, 7], 2, 6, 0)
# call: shift_window([1, 2], 1, 1, 8)
# call: shift_window([1, 2], 0, 2, 8)
def shift_window(a, low, high, new):
    """Puts new at low and shifts the places up to high; gives what falls out."""
    at = low
    while at <= high:
        a[at], new = new, a[at]
        at += 1
    return new, a


# call: smallest_left_number("2541338", 3)
# call: smallest_left_number("31", 1)
# call: smallest_left_number("", 0)
# call: smallest_left_number("76254138", 5)
# call: smallest_left_number("1234", 2)
# call: smallest_left_number("12", 3)
def smallest_left_number(digits, drop):
    if drop > len(digits):
        raise ValueError("too few digits")
    kept = []
    for d in digits:
        while drop and kept and kept[-1] > d:
            kept.pop()
            drop -= 1
        kept.append(d)
    while drop:
        kept.pop()
        drop -= 1
    return "".join(kept)


# call: tallest_pairs_queue([(8, 0), (3, 1), (8, 1), (6, 0)])
# call: tallest_pairs_queue([(1, 0)])
# call: tallest_pairs_queue([])
# call: tallest_pairs_queue([(9, 0), (7, 0), (5, 1), (4, 2), (2, 1), (1, 4)])
# call: tallest_pairs_queue([(5, 0), (5, 1)])
# call: tallest_pairs_queue([(5, 0, 1)])
def tallest_pairs_queue(people):
    """(height, how many in front are as tall or taller) in any order -> the queue."""
    queue = []
    for height in sorted({h for h, _ in people}, reverse=True):
        same = [p for p in people if p[0] == height]
        same.sort()
        for person in same:
            queue.insert(person[1], person)
    return queue


# call: raise_stretches(5, [(1, 3, 2)])
# call: raise_stretches(3, [(0, 2, 1), (2, 2, 5)])
# call: raise_stretches(0, [])
# call: raise_stretches(7, [(0, 3, 4), (2, 6, -1), (1, 5, 3), (4, 4, 10)])
# call: raise_stretches(4, [(3, 3, 7)])
# call: raise_stretches(2, [(0, 2)])
def raise_stretches(n, updates):
    """Adds k to the places i to j, by one mark where k begins and one where it ends."""
    marks = {}
    for i, j, k in updates:
        for place, change in ((i, k), (j + 1, -k)):
            marks[place] = marks.get(place, 0) + change
            if marks[place] == 0:
                del marks[place]
    row, level = [], 0
    while len(row) < n:
        level += marks.pop(len(row), 0)
        row.append(level)
    return row, marks


# call: first_stretch_of([1, 2, 1, 2], 3)
# call: first_stretch_of([5], 5)
# call: first_stretch_of([], 0)
# call: first_stretch_of([3, 4, -6, 1, 3, 9, 1], 8)
# call: first_stretch_of([4, -4, 2], 0)
# call: first_stretch_of([1, "1"], 2)
def first_stretch_of(numbers, wanted):
    """The first stretch that ends with the wanted sum, by sums from the left."""
    sums = [0]
    for n in numbers:
        now = sums[-1] + n
        for start in range(len(sums)):
            if now - sums[start] == wanted:
                return start, len(sums) - 1, numbers[start : len(sums)]
        sums.append(now)
    return None
