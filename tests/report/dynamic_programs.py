"""Programs of dynamic programming in styles that one line does not show; each key begins with the pattern.

Written for these tests, the first 32 before any benchmark's program was looked at, the last five after 40
LeetCode solutions had shown what was still misread.
"""

PROGRAMS = {
    "grid, one row in place": """
def paths(m):
    row = [float("inf")] * (len(m[0]) + 1)
    row[1] = 0
    for line in m:
        for j in range(len(line)):
            row[j + 1] = min(row[j + 1], row[j]) + line[j]
        row[0] = float("inf")
    return row[-1]
""",
    "grid, one row and the corner": """
def distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        corner, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            corner, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, corner + (x != y))
    return row[-1]
""",
    "grid, keys": """
def common(a, b):
    best = {}
    for i in range(len(a)):
        for j in range(len(b)):
            if a[i] == b[j]:
                best[i, j] = best.get((i - 1, j - 1), 0) + 1
            else:
                best[i, j] = max(best.get((i - 1, j), 0), best.get((i, j - 1), 0))
    return best[len(a) - 1, len(b) - 1]
""",
    "grid, rows appended": """
def cheapest(m):
    table = [list(accumulate(m[0]))]
    for line in m[1:]:
        above = table[-1]
        here = [above[0] + line[0]]
        for j in range(1, len(line)):
            here.append(line[j] + min(here[-1], above[j]))
        table.append(here)
    return table[-1][-1]
""",
    "grid, a row at once": """
def triangle(rows):
    best = rows[-1]
    for line in reversed(rows[:-1]):
        best = [x + min(p, q) for x, p, q in zip(line, best, best[1:])]
    return best[0]
""",
    "grid, a row at once by its number": """
def falling(m):
    below = m[-1][:]
    for line in m[-2::-1]:
        fresh = [x + min(below[max(0, j - 1): j + 2]) + below[j] * 0 for j, x in enumerate(line)]
        below = fresh
    return min(below)
""",
    "grid, by calls": """
def count(m):
    @cache
    def walk(r, c):
        if r == len(m) or c == len(m[0]) or m[r][c]:
            return 0
        if r == len(m) - 1 and c == len(m[0]) - 1:
            return 1
        return walk(r + 1, c) + walk(r, c + 1)
    return walk(0, 0)
""",
    "grid, moves": """
def most(m):
    best = [[0] * 9 for _ in range(9)]
    for r in range(8):
        for c in range(8):
            for dr, dc in ((0, 1), (1, 0), (1, 1)):
                best[r + dr][c + dc] = max(best[r + dr][c + dc], best[r][c] + m[r][c])
    return best[8][8]
""",
    "grid, states of two": """
def together(m):
    front = {(0, 3): 0}
    for line in m:
        after = {}
        for (a, b), worth in front.items():
            for p in (a - 1, a, a + 1):
                for q in (b - 1, b, b + 1):
                    after[p, q] = max(after.get((p, q), 0), worth + line[p] + line[q])
        front = after
    return max(front.values())
""",
    "grid, falling": """
def falling(m):
    for r in range(len(m) - 2, -1, -1):
        for c in range(1, len(m) - 1):
            m[r][c] += min(m[r + 1][c - 1], m[r + 1][c], m[r + 1][c + 1])
    return min(m[0])
""",
    "interval, by its length": """
def game(xs):
    n = len(xs)
    lead = [[0] * n for _ in range(n)]
    for gap in range(n):
        for i in range(n - gap):
            j = i + gap
            lead[i][j] = xs[i] if not gap else max(xs[i] - lead[i + 1][j], xs[j] - lead[i][j - 1])
    return lead[0][-1]
""",
    "interval, by calls": """
def game(xs):
    @lru_cache(None)
    def lead(lo, hi):
        if lo > hi:
            return 0
        return max(xs[lo] - lead(lo + 1, hi), xs[hi] - lead(lo, hi - 1))
    return lead(0, len(xs) - 1)
""",
    "interval, split by calls": """
def chain(ds):
    @cache
    def cost(i, j):
        return 0 if i == j else min(cost(i, k) + cost(k + 1, j) + ds[k] for k in range(i, j))
    return cost(0, len(ds) - 2)
""",
    "interval, what a text holds": """
def longest(text):
    @cache
    def best(part):
        if len(part) < 2:
            return len(part)
        if part[0] == part[-1]:
            return best(part[1:-1]) + 2
        return max(best(part[1:]), best(part[:-1]))
    return best(text)
""",
    "interval, rows named": """
def fewest(s):
    n = len(s)
    add = [[0] * n for _ in s]
    for i in range(n - 2, -1, -1):
        row, below = add[i], add[i + 1]
        for j in range(i + 1, n):
            row[j] = below[j - 1] if s[i] == s[j] else 1 + min(below[j], row[j - 1])
    return add[0][-1]
""",
    "interval, between walls": """
def burst(xs):
    n = len(xs)
    worth = {}
    for wide in range(2, n):
        for left in range(n - wide):
            right = left + wide
            worth[left, right] = max(
                worth.get((left, mid), 0) + worth.get((mid, right), 0) + xs[left] * xs[mid] * xs[right]
                for mid in range(left + 1, right)
            )
    return worth[0, n - 1]
""",
    "bitmask, a size with a name": """
def tour(d):
    n = len(d)
    every = 1 << n
    best = [[9999] * n for _ in range(every)]
    best[1][0] = 0
    for seen in range(every):
        for at in range(n):
            for to in range(n):
                bit = 1 << to
                if not seen & bit:
                    best[seen | bit][to] = min(best[seen | bit][to], best[seen][at] + d[at][to])
    return min(best[-1])
""",
    "bitmask, powers of two": """
def split(xs):
    total = [0] * 2 ** len(xs)
    for group in range(1, 2 ** len(xs)):
        low = (group & -group).bit_length() - 1
        total[group] = total[group & (group - 1)] + xs[low]
    return min(abs(sum(xs) - 2 * t) for t in total)
""",
    "bitmask, parts of sets": """
def teams(cost):
    full = len(cost)
    best = [0] + [9999] * (full - 1)
    for group in range(1, full):
        part = group
        while part:
            best[group] = min(best[group], best[group ^ part] + cost[part])
            part = (part - 1) & group
    return best[-1]
""",
    "bitmask, frozen sets": """
def order(jobs, after):
    ways = {frozenset(): 1}
    for _ in jobs:
        fresh = {}
        for done, count in ways.items():
            for job in jobs:
                if job not in done and after[job] <= done:
                    now = done | {job}
                    fresh[now] = fresh.get(now, 0) + count
        ways = fresh
    return sum(ways.values())
""",
    "bitmask, sets by calls": """
def assign(cost):
    @cache
    def least(who, free):
        if not free:
            return 0
        return min(cost[who][task] + least(who + 1, free - {task}) for task in free)
    return least(0, frozenset(range(len(cost))))
""",
    "bitmask, states": """
def cover(rows, n):
    least = {0: 0}
    for row in rows:
        fresh = dict(least)
        for have, used in least.items():
            now = have | row
            fresh[now] = min(fresh.get(now, 99), used + 1)
        least = fresh
    return least[(1 << n) - 1]
""",
    "bitmask, combinations": """
def tour(d):
    best = {((k,), k): d[0][k] for k in range(1, len(d))}
    for size in range(2, len(d)):
        for group in combinations(range(1, len(d)), size):
            for at in group:
                rest = tuple(k for k in group if k != at)
                best[group, at] = min(best[rest, k] + d[k][at] for k in rest)
    return best
""",
    "knapsack, by calls": """
def pack(items, room):
    @cache
    def best(i, left):
        if i == len(items):
            return 0
        weight, worth = items[i]
        skip = best(i + 1, left)
        return max(skip, best(i + 1, left - weight) + worth) if weight <= left else skip
    return best(0, room)
""",
    "knapsack, a set of sums": """
def reachable(xs):
    sums = {0}
    for x in xs:
        sums |= {s + x for s in sums}
    return len(sums)
""",
    "knapsack, sums and counts": """
def targets(xs, goal):
    ways = {0: 1}
    for x in xs:
        fresh = {}
        for total, count in ways.items():
            fresh[total + x] = fresh.get(total + x, 0) + count
            fresh[total - x] = fresh.get(total - x, 0) + count
        ways = fresh
    return ways.get(goal, 0)
""",
    "knapsack, what is left has a name": """
def change(coins, goal):
    least = [0] + [99] * goal
    for amount in range(1, goal + 1):
        for coin in coins:
            rest = amount - coin
            if rest >= 0:
                least[amount] = min(least[amount], least[rest] + 1)
    return least[goal]
""",
    "knapsack, two budgets": """
def forms(words, m, n):
    best = [[0] * (n + 1) for _ in range(m + 1)]
    for zeros, ones in words:
        for i in range(m, zeros - 1, -1):
            for j in range(n, ones - 1, -1):
                best[i][j] = max(best[i][j], best[i - zeros][j - ones] + 1)
    return best[m][n]
""",
    "1-d, the longest before": """
def rising(xs):
    best = [1] * len(xs)
    for i in range(len(xs)):
        for j in range(i):
            if xs[j] < xs[i]:
                best[i] = max(best[i], best[j] + 1)
    return max(best)
""",
    "memo, two states": """
def stocks(xs):
    @cache
    def gain(i, held):
        if i == len(xs):
            return 0
        if held:
            return max(gain(i + 1, True), xs[i] + gain(i + 1, False))
        return max(gain(i + 1, False), gain(i + 1, True) - xs[i])
    return gain(0, False)
""",
    "memo, steps of a call": """
def stairs(n):
    kept = {0: 1, 1: 1}
    def ways(k):
        if k not in kept:
            kept[k] = ways(k - 1) + ways(k - 2)
        return kept[k]
    return ways(n)
""",
    "grid, all pairs": """
def reach(d):
    for k in range(len(d)):
        for i in range(len(d)):
            for j in range(len(d)):
                d[i][j] = min(d[i][j], d[i][k] + d[k][j])
    return d
""",
    "grid, by calls of digits": """
def count(limit):
    text = str(limit)
    @cache
    def below(place, lean, tight):
        if place == len(text):
            return int(lean == 0)
        top = int(text[place]) if tight else 9
        return sum(
            below(place + 1, lean + (1 if d % 2 else -1), tight and d == top) for d in range(top + 1)
        )
    return below(0, 0, True)
""",
    "grid, cuts of a sheet": """
def cut(price, h, w):
    @cache
    def best(a, b):
        most = price[a][b]
        for k in range(1, a):
            most = max(most, best(k, b) + best(a - k, b))
        for k in range(1, b):
            most = max(most, best(a, k) + best(a, b - k))
        return most
    return best(h, w)
""",
    "grid, a limit of both": """
def rows(zeros, ones, most):
    @cache
    def ways(z, o, last):
        if z < 0 or o < 0:
            return 0
        if last:
            return ways(z, o - 1, 0) + ways(z, o - 1, 1) - ways(z, o - most - 1, 0)
        return ways(z - 1, o, 0) + ways(z - 1, o, 1) - ways(z - most - 1, o, 1)
    return ways(zeros, ones, 0) + ways(zeros, ones, 1)
""",
    "memo, parts of any length": """
def most(text):
    @cache
    def parts(i):
        return max((parts(i + k) + 1 for k in range(1, 9) if text[i:i + k] in text[i + k:]), default=1)
    return parts(0)
""",
    "grid, days and deals": """
def profit(prices, deals):
    @cache
    def most(day, left, held):
        if day == len(prices):
            return 0
        if held:
            return max(most(day + 1, left, 1), most(day + 1, left, 0) + prices[day])
        return max(most(day + 1, left, 0), most(day + 1, left - 1, 1) - prices[day])
    return most(0, deals, 0)
""",
}
