# call: fewest_coins([1, 3, 4], 6)
# call: fewest_coins([2, 5], 9)
# call: fewest_coins([1], 0)
# call: fewest_coins([2, 5, 7], 14)
# call: fewest_coins([3], 5)
# call: fewest_coins([1, "2"], 3)
def fewest_coins(coins, amount):
    table = [0] + [None] * amount
    for a in range(1, amount + 1):
        for coin in coins:
            if coin <= a and table[a - coin] is not None:
                if table[a] is None or table[a - coin] + 1 < table[a]:
                    table[a] = table[a - coin] + 1
    return table


# call: ways_to_pay([1, 2], 4)
# call: ways_to_pay([2, 3], 7)
# call: ways_to_pay([], 0)
# call: ways_to_pay([1, 2, 5], 8)
# call: ways_to_pay([4, 6], 7)
# call: ways_to_pay([1], -2)
def ways_to_pay(coins, amount):
    ways = [0] * (amount + 1)
    ways[0] = 1
    for coin in coins:
        i = coin
        while i <= amount:
            ways[i] += ways[i - coin]
            i += 1
    return ways


# call: which_coins([1, 4, 5], 8)
# call: which_coins([2, 3], 5)
# call: which_coins([7], 0)
# call: which_coins([1, 5, 6], 10)
# call: which_coins([5], 3)
# call: which_coins([1], "3")
def which_coins(coins, amount):
    """The fewest coins themselves: the last coin of every amount is kept."""
    count = {0: 0}
    last = {}
    for a in range(1, amount + 1):
        for coin in sorted(coins):
            if a - coin in count and count[a - coin] + 1 < count.get(a, 99):
                count[a] = count[a - coin] + 1
                last[a] = coin
    picked = []
    while amount in last:
        picked.append(last[amount])
        amount -= last[amount]
    return picked if amount == 0 else None


# call: cheapest_climb([10, 15, 20])
# call: cheapest_climb([1, 100, 1, 1])
# call: cheapest_climb([])
# call: cheapest_climb([3, 8, 2, 9, 4, 7, 1])
# call: cheapest_climb([6])
# call: cheapest_climb([1, 2, "3"])
def cheapest_climb(toll):
    two_back, one_back = 0, 0
    trace = []
    for at in range(2, len(toll) + 1):
        here = min(one_back + toll[at - 1], two_back + toll[at - 2])
        trace.append(here)
        two_back, one_back = one_back, here
    return one_back, trace


# call: rob_row([2, 7, 9, 3])
# call: rob_row([5, 1])
# call: rob_row([])
# call: rob_row([6, 7, 1, 30, 8, 2, 4])
# call: rob_row([4])
# call: rob_row([3, None])
def rob_row(houses):
    best = [0, 0]
    for money in houses:
        best.append(max(best[-1], best[-2] + money))
    taken = []
    i = len(houses)
    while i > 0:
        if best[i + 1] == best[i]:
            i -= 1
        else:
            taken.append(i - 1)
            i -= 2
    return best[-1], taken[::-1]


# call: rob_circle([2, 3, 2])
# call: rob_circle([1, 2, 3, 1])
# call: rob_circle([])
# call: rob_circle([5, 1, 2, 10, 6, 2])
# call: rob_circle([9])
# call: rob_circle((4, 4, "x"))
def best_street(houses, first, end):
    take = skip = 0
    while first < end:
        take, skip = skip + houses[first], max(take, skip)
        first += 1
    return max(take, skip)


def rob_circle(houses):
    n = len(houses)
    if n == 1:
        return houses[0]
    return max(best_street(houses, 0, n - 1), best_street(houses, 1, n))


# call: rob_binary_tree((3, (2, None, (3, None, None)), (3, None, (1, None, None))))
# call: rob_binary_tree((5, (4, None, None), None))
# call: rob_binary_tree(None)
# call: rob_binary_tree((3, (4, (1, None, None), (3, None, None)), (5, None, (1, None, None))))
# call: rob_binary_tree((1, None, None))
# call: rob_binary_tree((1, (2,), None))
def rob_binary_tree(tree):
    def best(node):
        if node is None:
            return 0, 0
        money, left, right = node
        with_left, without_left = best(left)
        with_right, without_right = best(right)
        with_me = money + without_left + without_right
        without_me = max(with_left, without_left) + max(with_right, without_right)
        return with_me, without_me

    return best(tree)


# call: cut_rod([1, 5, 8], 3)
# call: cut_rod([2, 3], 4)
# call: cut_rod([], 0)
# call: cut_rod([1, 5, 8, 9, 10], 5)
# call: cut_rod([4], 3)
# call: cut_rod([1, 2], -1)
def cut_rod(prices, length):
    """prices[i] is paid for a piece of length i + 1."""
    if length < 0:
        raise ValueError("a rod has a length")
    value = [0]
    first = [0]
    for n in range(1, length + 1):
        best, cut = -1, 0
        for piece in range(1, min(n, len(prices)) + 1):
            offer = prices[piece - 1] + value[n - piece]
            if offer > best:
                best, cut = offer, piece
        value.append(best)
        first.append(cut)
    pieces = []
    while length > 0 and first[length] > 0:
        pieces.append(first[length])
        length -= first[length]
    return value[-1], pieces


# call: largest_product_cut(4)
# call: largest_product_cut(5)
# call: largest_product_cut(2)
# call: largest_product_cut(7)
# call: largest_product_cut(1)
# call: largest_product_cut("6")
def largest_product_cut(n):
    best = {1: 1}
    for m in range(2, n + 1):
        best[m] = 0
        for a in range(1, m // 2 + 1):
            b = m - a
            product = max(a, best[a]) * max(b, best[b])
            if product > best[m]:
                best[m] = product
    return best.get(n)


# call: paths_in_one_row([[0, 0], [0, 0]])
# call: paths_in_one_row([[0, 0, 0], [0, 1, 0]])
# call: paths_in_one_row([[0]])
# call: paths_in_one_row([[0, 0, 1], [0, 0, 0], [1, 0, 0]])
# call: paths_in_one_row([[0, 1], [1, 0]])
# call: paths_in_one_row([[], [0]])
def paths_in_one_row(blocked):
    width = len(blocked[0])
    row = [0] * width
    row[0] = 1
    for line in blocked:
        for c in range(width):
            if line[c]:
                row[c] = 0
            elif c > 0:
                row[c] += row[c - 1]
    return row[-1]


# call: cheapest_corner([[1, 3], [2, 1]])
# call: cheapest_corner([[5, 1, 1]])
# call: cheapest_corner([[7]])
# call: cheapest_corner([[1, 3, 1], [1, 5, 1], [4, 2, 1]])
# call: cheapest_corner([[0, -2], [-1, 0]])
# call: cheapest_corner([[1, 2], [3]])
def cheapest_corner(grid):
    """Least sum from the upper left to the lower right; the grid itself becomes the table."""
    for c in range(1, len(grid[0])):
        grid[0][c] += grid[0][c - 1]
    for r in range(1, len(grid)):
        grid[r][0] += grid[r - 1][0]
        for c in range(1, len(grid[0])):
            above, before = grid[r - 1][c], grid[r][c - 1]
            grid[r][c] += above if above < before else before
    return grid


# call: corner_walk([[1, 9], [1, 1]])
# call: corner_walk([[2, 1], [3, 4]])
# call: corner_walk([[6]])
# call: corner_walk([[1, 2, 9], [8, 1, 9], [9, 1, 1]])
# call: corner_walk([[0, 0], [0, 0]])
# call: corner_walk([])
def corner_walk(grid):
    rows, cols = len(grid), len(grid[0])
    best = {}
    for r in range(rows - 1, -1, -1):
        for c in range(cols - 1, -1, -1):
            after = [best[p] for p in ((r + 1, c), (r, c + 1)) if p in best]
            best[r, c] = grid[r][c] + (min(after) if after else 0)
    walk, r, c = "", 0, 0
    while (r, c) != (rows - 1, cols - 1):
        if (r + 1, c) in best and best[r, c] - grid[r][c] == best[r + 1, c]:
            walk, r = walk + "D", r + 1
        else:
            walk, c = walk + "R", c + 1
    return best[0, 0], walk


# call: falling_path([[2, 1], [6, 5]])
# call: falling_path([[1, 4, 3], [9, 2, 2]])
# call: falling_path([[5]])
# call: falling_path([[2, 1, 3], [6, 5, 4], [7, 8, 9]])
# call: falling_path([[-1], [-2], [3]])
# call: falling_path([])
def falling_path(matrix):
    *upper, row = matrix
    for line in reversed(upper):
        following = []
        for c, value in enumerate(line):
            low = max(c - 1, 0)
            following.append(value + min(row[low : c + 2]))
        row = following
    return min(row)


# call: cherry_row([[0, 1, -1], [1, 0, 1]])
# call: cherry_row([[1, 1], [0, 1]])
# call: cherry_row([[1]])
# call: cherry_row([[0, 1, 1, -1], [1, -1, 1, 1], [0, 1, 0, 1]])
# call: cherry_row([[0, -1], [-1, 1]])
# call: cherry_row([[0, 1], [1, None]])
def cherry_row(field):
    """Most cherries (1) on a way right or down past thorns (-1); None where no way leads."""
    most = []
    for r, line in enumerate(field):
        most.append([])
        for c, what in enumerate(line):
            came = []
            if r > 0 and most[r - 1][c] is not None:
                came.append(most[r - 1][c])
            if c > 0 and most[r][c - 1] is not None:
                came.append(most[r][c - 1])
            if what < 0 or not came and r + c > 0:
                most[r].append(None)
            else:
                most[r].append(max(came, default=0) + what)
    return most[-1][-1]


# call: longest_rising([3, 1, 4, 2, 5])
# call: longest_rising([2, 2])
# call: longest_rising([])
# call: longest_rising([5, 2, 8, 6, 3, 6, 9])
# call: longest_rising([4, 3, 2])
# call: longest_rising([1, "a"])
def longest_rising(a):
    best = [1] * len(a)
    back = [-1] * len(a)
    for i in range(len(a)):
        for j in range(i):
            if a[j] < a[i] and best[j] + 1 > best[i]:
                best[i] = best[j] + 1
                back[i] = j
    if not a:
        return []
    at = best.index(max(best))
    out = []
    while at != -1:
        out.insert(0, a[at])
        at = back[at]
    return out


# call: rising_tails([3, 1, 4, 2])
# call: rising_tails([1, 2, 3])
# call: rising_tails([])
# call: rising_tails([7, 2, 5, 3, 9, 4, 6])
# call: rising_tails([5, 5, 5])
# call: rising_tails(["b", "a", 3])
def rising_tails(values):
    tails = []
    for x in values:
        place = 0
        while place < len(tails) and tails[place] < x:
            place += 1
        if place == len(tails):
            tails.append(x)
        else:
            tails[place] = x
    return tails


# call: heaviest_rising([1, 101, 2, 3])
# call: heaviest_rising([4, 3, 5])
# call: heaviest_rising([])
# call: heaviest_rising([3, 4, 5, 10, 1, 2])
# call: heaviest_rising([-1, -2])
# call: heaviest_rising([2, [3]])
def heaviest_rising(numbers):
    weight = []
    for i, n in enumerate(numbers):
        before = [weight[j] for j in range(i) if numbers[j] < n]
        weight.append(n + max(before, default=0))
    return max(weight, default=0), weight


# call: cut_into_words("catdog", ["cat", "dog"])
# call: cut_into_words("aab", ["a", "ab"])
# call: cut_into_words("", ["x"])
# call: cut_into_words("sandoff", ["sand", "san", "do", "off", "of"])
# call: cut_into_words("abc", ["ab", "bc"])
# call: cut_into_words("abc", None)
def cut_into_words(text, words):
    """back[i] is the last word of a cut of text[:i], or None."""
    back = [""] + [None] * len(text)
    for end in range(1, len(text) + 1):
        for word in words:
            start = end - len(word)
            if start >= 0 and back[start] is not None and text[start:end] == word:
                back[end] = word
                break
    if back[-1] is None:
        return None
    cut, at = [], len(text)
    while at > 0:
        cut.append(back[at])
        at -= len(back[at])
    return cut[::-1]


# call: count_cuts("aaa", {"a", "aa"})
# call: count_cuts("abab", {"ab", "a", "b"})
# call: count_cuts("", {"a"})
# call: count_cuts("aabaa", {"a", "aa", "ba", "aab"})
# call: count_cuts("xy", {"x"})
# call: count_cuts("ab", 5)
def count_cuts(text, words, memo=None):
    if memo is None:
        memo = {"": 1}
    if text not in memo:
        ways = 0
        for end in range(1, len(text) + 1):
            if text[:end] in words:
                ways += count_cuts(text[end:], words, memo)
        memo[text] = ways
    return memo[text]


# call: decode_ways("126")
# call: decode_ways("11")
# call: decode_ways("")
# call: decode_ways("2611055")
# call: decode_ways("30")
# call: decode_ways("1x")
def decode_ways(digits):
    """In how many ways letters 1..26 without gaps give these digits."""
    ways = [1]
    for i, digit in enumerate(digits):
        n = 0
        if digit != "0":
            n += ways[i]
        if i > 0 and 10 <= int(digits[i - 1] + digit) <= 26:
            n += ways[i - 1]
        ways.append(n)
    return ways


# call: mirror_table("aba")
# call: mirror_table("ab")
# call: mirror_table("")
# call: mirror_table("abbc")
# call: mirror_table("aaa")
# call: mirror_table(["x", 1, "x"])
def mirror_table(s):
    """table[i][j] is True where s[i..j] reads the same both ways."""
    n = len(s)
    table = [[False] * n for _ in range(n)]
    for size in range(1, n + 1):
        for i in range(n - size + 1):
            j = i + size - 1
            if s[i] == s[j] and (size < 3 or table[i + 1][j - 1]):
                table[i][j] = True
    return table


# call: longest_mirror("abac")
# call: longest_mirror("abba")
# call: longest_mirror("")
# call: longest_mirror("xabcbay")
# call: longest_mirror("abc")
# call: longest_mirror(None)
def longest_mirror(text):
    best = ""

    def widen(i, j):
        while i >= 0 and j < len(text) and text[i] == text[j]:
            i -= 1
            j += 1
        return text[i + 1 : j]

    for middle in range(len(text)):
        for found in (widen(middle, middle), widen(middle, middle + 1)):
            if len(found) > len(best):
                best = found
    return best


# call: mirror_cuts("aab")
# call: mirror_cuts("abba")
# call: mirror_cuts("")
# call: mirror_cuts("abacc")
# call: mirror_cuts("abc")
# call: mirror_cuts(["a", "b", "a"])
def mirror_cuts(s):
    """Fewest pieces that all read the same both ways."""
    pieces = [0]
    for end in range(1, len(s) + 1):
        fewest = end
        for start in range(end):
            part = s[start:end]
            if part == part[::-1] and pieces[start] + 1 < fewest:
                fewest = pieces[start] + 1
        pieces.append(fewest)
    return pieces


# call: mirror_subsequence("bbab")
# call: mirror_subsequence("ab")
# call: mirror_subsequence("")
# call: mirror_subsequence("cbbd")
# call: mirror_subsequence("aba")
# call: mirror_subsequence([1, 2, None, 1])
def mirror_subsequence(s):
    n = len(s)
    best = {}
    for i in range(n - 1, -1, -1):
        best[i, i] = 1
        for j in range(i + 1, n):
            if s[i] == s[j]:
                best[i, j] = best.get((i + 1, j - 1), 0) + 2
            else:
                best[i, j] = max(best[i + 1, j], best[i, j - 1])
    return best.get((0, n - 1), 0)


# call: egg_drops(1, 4)
# call: egg_drops(2, 3)
# call: egg_drops(1, 0)
# call: egg_drops(2, 5)
# call: egg_drops(3, 1)
# call: egg_drops(0, 2)
def egg_drops(eggs, floors):
    if eggs < 1:
        raise ValueError("no egg")
    need = [list(range(floors + 1)) for _ in range(eggs)]
    for e in range(1, eggs):
        for f in range(2, floors + 1):
            need[e][f] = f
            for x in range(1, f + 1):
                worst = max(need[e - 1][x - 1], need[e][f - x]) + 1
                if worst < need[e][f]:
                    need[e][f] = worst
    return need[eggs - 1][floors]


# call: floors_reached(2, 10)
# call: floors_reached(1, 3)
# call: floors_reached(1, 0)
# call: floors_reached(3, 25)
# call: floors_reached(5, 1)
# call: floors_reached(0, 4)
def floors_reached(eggs, floors):
    """reach[e]: how many floors `tries` drops can tell apart with e eggs."""
    reach = [0] * (eggs + 1)
    tries = 0
    while reach[eggs] < floors:
        tries += 1
        if tries > floors:
            return None
        for e in range(eggs, 0, -1):
            reach[e] += reach[e - 1] + 1
    return tries, reach


# call: halves_possible([1, 5, 4])
# call: halves_possible([2, 3])
# call: halves_possible([])
# call: halves_possible([3, 1, 5, 9, 4])
# call: halves_possible([1, 2, 5])
# call: halves_possible([1, 2.5, 1.5])
def halves_possible(numbers):
    total = sum(numbers)
    if total % 2:
        return False
    half = total // 2
    reached = [True] + [False] * half
    for n in numbers:
        for s in range(half, n - 1, -1):
            if reached[s - n]:
                reached[s] = True
    return reached[half]


# call: smallest_difference([3, 1, 4])
# call: smallest_difference([2, 2])
# call: smallest_difference([])
# call: smallest_difference([1, 6, 11, 5])
# call: smallest_difference([10])
# call: smallest_difference([1, "1"])
def smallest_difference(weights):
    """How unequal the fairest split of the weights into two heaps is."""
    differences = {0}
    for w in weights:
        following = set()
        for d in differences:
            following.add(d + w)
            following.add(abs(d - w))
        differences = following
    return min(differences), len(differences)


# call: jump_to_end([2, 3, 1, 1, 4])
# call: jump_to_end([3, 2, 1, 0, 4])
# call: jump_to_end([0])
# call: jump_to_end([2, 1, 4, 0, 0, 3, 0, 1])
# call: jump_to_end([0, 2])
# call: jump_to_end([])
def jump_to_end(jumps):
    good = len(jumps) - 1
    for i in range(len(jumps) - 2, -1, -1):
        if i + jumps[i] >= good:
            good = i
    return good == 0, good


# call: fewest_jumps([2, 3, 1, 1, 4])
# call: fewest_jumps([1, 1])
# call: fewest_jumps([5])
# call: fewest_jumps([1, 3, 5, 2, 0, 1, 2, 6])
# call: fewest_jumps([1, 0, 2])
# call: fewest_jumps([])
def fewest_jumps(reach):
    n = len(reach)
    hops = [0] + [n] * (n - 1)
    for i in range(n):
        far = min(i + reach[i], n - 1)
        for j in range(i + 1, far + 1):
            if hops[i] + 1 < hops[j]:
                hops[j] = hops[i] + 1
    return hops if hops[-1] < n else None


# call: frog_stones([10, 30, 40, 20])
# call: frog_stones([10, 10])
# call: frog_stones([5])
# call: frog_stones([30, 10, 60, 10, 60, 50])
# call: frog_stones([1, 100, 1])
# call: frog_stones([])
def frog_stones(height):
    """Each hop of one or two stones costs the difference of their heights."""
    cost = [0]
    for i in range(1, len(height)):
        options = [cost[i - 1] + abs(height[i] - height[i - 1])]
        if i > 1:
            options.append(cost[i - 2] + abs(height[i] - height[i - 2]))
        cost.append(min(options))
    return cost[-1], height[len(cost) - 1]


# call: best_jobs([(1, 3, 5), (2, 5, 6), (4, 6, 5)])
# call: best_jobs([(1, 2, 3), (2, 3, 4)])
# call: best_jobs([])
# call: best_jobs([(3, 6, 8), (1, 4, 4), (5, 8, 3), (6, 9, 6), (8, 10, 2)])
# call: best_jobs([(1, 9, 2), (2, 8, 7)])
# call: best_jobs([(1, 2)])
def best_jobs(jobs):
    """Jobs (start, end, pay) that do not overlap."""
    jobs = sorted(jobs, key=lambda job: job[1])
    best = [0]
    for i, (start, _, pay) in enumerate(jobs):
        fitting = 0
        for j in range(i):
            if jobs[j][1] <= start:
                fitting = j + 1
        best.append(max(best[-1], best[fitting] + pay))
    return best


# call: day_plan([3, 1, 5], [4, 2, 1])
# call: day_plan([1, 2], [9, 9])
# call: day_plan([], [])
# call: day_plan([5, 2, 8, 1, 6], [9, 3, 12, 20, 7])
# call: day_plan([4], [10])
# call: day_plan([1, 2], [3])
def day_plan(easy, hard):
    """A hard task needs a free day before it, except on the first day."""
    best = []
    for day in range(len(easy)):
        before = best[day - 1] if day > 0 else 0
        two_before = best[day - 2] if day > 1 else 0
        rested = two_before + hard[day]
        worked = before + easy[day]
        best.append(rested if rested > worked else worked)
    return best


# call: machine_lines([[4, 5, 3], [2, 10, 1]], [[7, 4], [9, 2]])
# call: machine_lines([[1], [2]], [[], []])
# call: machine_lines([[], []], [[], []])
# call: machine_lines([[3, 8, 2, 6], [5, 1, 7, 2]], [[1, 2, 3], [2, 1, 4]])
# call: machine_lines([[5, 5], [5, 5]], [[0], [0]])
# call: machine_lines([[1, 2], [1]], [[3], [3]])
def machine_lines(work, change):
    a = b = 0
    for station in range(len(work[0])):
        to_b = a + (change[0][station - 1] if station else 0)
        to_a = b + (change[1][station - 1] if station else 0)
        a, b = min(a, to_a) + work[0][station], min(b, to_b) + work[1][station]
    return a, b


# call: domino_tilings(4)
# call: domino_tilings(1)
# call: domino_tilings(0)
# call: domino_tilings(9)
# call: domino_tilings(2)
# call: domino_tilings(1.5)
def domino_tilings(width):
    """Tilings of a 2 x width board with dominoes, as [with, without] a last upright one."""
    upright, flat = 0, 1
    history = []
    for column in range(width):
        before = upright + flat
        earlier = history[column - 1][2] if column > 0 else 0
        upright, flat = before, earlier
        history.append((upright, flat, before))
    return upright + flat, history


# call: tile_row(5, [1, 2])
# call: tile_row(4, [2])
# call: tile_row(0, [3])
# call: tile_row(7, [2, 3])
# call: tile_row(1, [2])
# call: tile_row(3, [])
def tile_row(length, tiles):
    """Rows of tiles without equal neighbours, counted by the last tile."""
    rows = [{None: 1}]
    for n in range(1, length + 1):
        endings = {}
        for tile in tiles:
            if tile <= n:
                ways = sum(w for last, w in rows[n - tile].items() if last != tile)
                if ways:
                    endings[tile] = ways
        rows.append(endings)
    return rows[length]


# call: three_row_tilings(2)
# call: three_row_tilings(4)
# call: three_row_tilings(0)
# call: three_row_tilings(6)
# call: three_row_tilings(3)
# call: three_row_tilings("2")
def three_row_tilings(n):
    full, notched = [1, 0], [0, 1]
    while len(full) <= n:
        k = len(full)
        full.append(full[k - 2] + 2 * notched[k - 1])
        notched.append(full[k - 1] + notched[k - 2])
    return full[: n + 1], notched[: n + 1]


# call: search_tree_shapes(3)
# call: search_tree_shapes(2)
# call: search_tree_shapes(0)
# call: search_tree_shapes(6)
# call: search_tree_shapes(1)
# call: search_tree_shapes(None)
def search_tree_shapes(n):
    shapes = [1] + [0] * n
    for size in range(1, n + 1):
        for left in range(size):
            right = size - 1 - left
            shapes[size] += shapes[left] * shapes[right]
    return shapes


# call: ballot_triangle(3)
# call: ballot_triangle(1)
# call: ballot_triangle(0)
# call: ballot_triangle(5)
# call: ballot_triangle(2)
# call: ballot_triangle([3])
def ballot_triangle(n):
    """rows[a][b]: orders of a and b votes in which b is never ahead."""
    rows = []
    for a in range(n + 1):
        row = []
        for b in range(a + 1):
            if b == 0:
                row.append(1)
            else:
                above = rows[a - 1][b] if b < a else 0
                row.append(row[b - 1] + above)
        rows.append(row)
    return rows


# call: chain_cost([2, 3, 4])
# call: chain_cost([10, 20, 5, 4])
# call: chain_cost([7])
# call: chain_cost([3, 2, 4, 2, 5])
# call: chain_cost([5, 6])
# call: chain_cost([2, None, 3])
def chain_cost(sizes):
    n = len(sizes) - 1
    cost = [[0] * n for _ in range(n)]
    for width in range(1, n):
        for i in range(n - width):
            j = i + width
            cost[i][j] = 10**6
            for k in range(i, j):
                c = cost[i][k] + cost[k + 1][j] + sizes[i] * sizes[k + 1] * sizes[j + 1]
                if c < cost[i][j]:
                    cost[i][j] = c
    return cost


# call: chain_order("AB", [2, 3, 4])
# call: chain_order("ABC", [10, 20, 5, 4])
# call: chain_order("A", [1, 2])
# call: chain_order("ABCD", [3, 2, 4, 2, 5])
# call: chain_order("ABC", [1, 1, 1, 1])
# call: chain_order("", [1])
def chain_order(names, sizes):
    memo = {}

    def best(i, j):
        if i == j:
            return 0, names[i]
        if (i, j) in memo:
            return memo[i, j]
        options = []
        for k in range(i, j):
            left, left_text = best(i, k)
            right, right_text = best(k + 1, j)
            work = sizes[i] * sizes[k + 1] * sizes[j + 1]
            options.append((left + right + work, f"({left_text}{right_text})"))
        memo[i, j] = min(options)
        return memo[i, j]

    return best(0, len(names) - 1)


# call: cut_polygon([1, 2, 3])
# call: cut_polygon([3, 7, 4, 5])
# call: cut_polygon([])
# call: cut_polygon([1, 3, 1, 4, 2])
# call: cut_polygon([5, 6])
# call: cut_polygon([2, "3", 4, 1])
def cut_polygon(corners):
    """Cheapest cut into triangles; a triangle costs the product of its corners."""
    known = {}

    def cheapest(first, last):
        if last - first < 2:
            return 0
        pair = (first, last)
        if pair not in known:
            known[pair] = None
            for tip in range(first + 1, last):
                cost = cheapest(first, tip) + cheapest(tip, last)
                cost += corners[first] * corners[tip] * corners[last]
                if known[pair] is None or cost < known[pair]:
                    known[pair] = cost
        return known[pair]

    return cheapest(0, len(corners) - 1)


# call: merge_stones([4, 1, 2])
# call: merge_stones([3, 5])
# call: merge_stones([6])
# call: merge_stones([3, 2, 4, 1])
# call: merge_stones([0, 0, 0])
# call: merge_stones([])
def merge_stones(heaps):
    """Two neighbouring heaps become one at the cost of their sum."""
    before = [0]
    for heap in heaps:
        before.append(before[-1] + heap)
    memo = {}

    def cost(i, j):
        if j - i == 1:
            return 0
        if (i, j) not in memo:
            cheapest = min(cost(i, k) + cost(k, j) for k in range(i + 1, j))
            memo[i, j] = cheapest + before[j] - before[i]
        return memo[i, j]

    return cost(0, len(heaps)), len(memo)


# call: one_trade([7, 1, 5, 3, 6])
# call: one_trade([4, 3, 1])
# call: one_trade([])
# call: one_trade([5, 8, 2, 4, 9, 1, 7])
# call: one_trade([3])
# call: one_trade([2, "5"])
def one_trade(prices):
    bought, best = None, (0, None, None)
    for day, price in enumerate(prices):
        if bought is None or price < prices[bought]:
            bought = day
        elif price - prices[bought] > best[0]:
            best = (price - prices[bought], bought, day)
    return best


# call: trade_with_pause([1, 2, 3, 0, 2])
# call: trade_with_pause([2, 1, 4])
# call: trade_with_pause([1])
# call: trade_with_pause([6, 1, 3, 2, 4, 7])
# call: trade_with_pause([3, 3])
# call: trade_with_pause([])
def trade_with_pause(prices):
    """After each sale follows a day without a trade."""
    n = len(prices)
    hold, sold, rest = [0] * n, [0] * n, [0] * n
    hold[0] = -prices[0]
    for d in range(1, n):
        hold[d] = max(hold[d - 1], rest[d - 1] - prices[d])
        sold[d] = hold[d - 1] + prices[d]
        rest[d] = max(rest[d - 1], sold[d - 1])
    return hold, sold, rest


# call: trades_at_most([3, 2, 6, 5, 0, 3], 2)
# call: trades_at_most([1, 5], 1)
# call: trades_at_most([], 2)
# call: trades_at_most([1, 4, 2, 7, 3, 6], 3)
# call: trades_at_most([2, 9], 0)
# call: trades_at_most([2, 9], -1)
def trades_at_most(prices, k):
    have = [0] * (k + 1)
    owe = [-9999] * (k + 1)
    for price in prices:
        for t in range(1, k + 1):
            owe[t] = max(owe[t], have[t - 1] - price)
            have[t] = max(have[t], owe[t] + price)
    return have[k]


# call: triangle_ways([[1], [1, 1], [2, 1, 2]], 3)
# call: triangle_ways([[4], [1, 2]], 5)
# call: triangle_ways([], 0)
# call: triangle_ways([[0], [1, 1], [1, 0, 1], [0, 1, 1, 0]], 2)
# call: triangle_ways([[5]], 4)
# call: triangle_ways([[1], [1]], 2)
def triangle_ways(rows, goal):
    """How many ways down have this sum: one dictionary of sums for each place of a row."""
    if not rows:
        return 0
    sums = [{rows[0][0]: 1}]
    for row in rows[1:]:
        below = [{} for _ in row]
        for place, table in enumerate(sums):
            for to in (place, place + 1):
                for total, ways in table.items():
                    key = total + row[to]
                    below[to][key] = below[to].get(key, 0) + ways
        sums = below
    return sum(table.get(goal, 0) for table in sums)


# call: runs_with_one_fix([1, 0, 1, 1])
# call: runs_with_one_fix([0, 0, 1])
# call: runs_with_one_fix([])
# call: runs_with_one_fix([1, 1, 0, 1, 1, 1, 0, 0, 1])
# call: runs_with_one_fix([1, 1])
# call: runs_with_one_fix(5)
def runs_with_one_fix(bits):
    """Longest run of ones if one zero may be turned."""
    clean = fixed = best = 0
    for bit in bits:
        if bit == 1:
            clean, fixed = clean + 1, fixed + 1
        else:
            clean, fixed = 0, clean + 1
        best = max(best, fixed)
    return best


# call: largest_square([[1, 1], [1, 1]])
# call: largest_square([[1, 0, 1], [0, 1, 1]])
# call: largest_square([])
# call: largest_square([[1, 1, 1, 0], [1, 1, 1, 1], [0, 1, 1, 1]])
# call: largest_square([[0]])
# call: largest_square([[1, 1], [1]])
def largest_square(grid):
    best = 0
    for r in range(len(grid)):
        for c in range(len(grid[0])):
            if grid[r][c] and r and c:
                grid[r][c] = 1 + min(grid[r - 1][c], grid[r][c - 1], grid[r - 1][c - 1])
            best = max(best, grid[r][c])
    return best, grid


# call: best_stretch([2, -5, 3, 4])
# call: best_stretch([-1, -2])
# call: best_stretch([])
# call: best_stretch([1, -3, 4, -1, 2, 1, -5, 4])
# call: best_stretch([0])
# call: best_stretch([1, "x"])
def best_stretch(a):
    """(sum, first, end) of the stretch with the largest sum; the empty one counts."""
    best = (0, 0, 0)
    running, first = 0, 0
    for i in range(len(a)):
        if running < 0:
            running, first = 0, i
        running += a[i]
        if running > best[0]:
            best = (running, first, i + 1)
    return best


# call: product_stretch([2, 3, -2, 4])
# call: product_stretch([-2, 0, -1])
# call: product_stretch([5])
# call: product_stretch([-2, 3, -4, 2, 0, 6])
# call: product_stretch([-3])
# call: product_stretch([])
def product_stretch(numbers):
    top = low = best = numbers[0]
    for n in numbers[1:]:
        if n < 0:
            top, low = low, top
        top = n if n > top * n else top * n
        low = n if n < low * n else low * n
        if top > best:
            best = top
    return best


# call: wildcard_table("abc", "a*")
# call: wildcard_table("ab", "?b")
# call: wildcard_table("", "")
# call: wildcard_table("abcb", "*b?b")
# call: wildcard_table("a", "?*?")
# call: wildcard_table("ab", None)
def wildcard_table(text, pattern):
    ok = [[False] * (len(pattern) + 1) for _ in range(len(text) + 1)]
    ok[0][0] = True
    for j in range(1, len(pattern) + 1):
        ok[0][j] = ok[0][j - 1] and pattern[j - 1] == "*"
    for i in range(1, len(text) + 1):
        for j in range(1, len(pattern) + 1):
            sign = pattern[j - 1]
            if sign == "*":
                ok[i][j] = ok[i - 1][j] or ok[i][j - 1]
            elif sign == "?" or sign == text[i - 1]:
                ok[i][j] = ok[i - 1][j - 1]
    return ok[-1][-1]


# call: wildcard_states("banana", "b*na")
# call: wildcard_states("hi", "h?")
# call: wildcard_states("", "*")
# call: wildcard_states("abab", "a*b")
# call: wildcard_states("xyz", "x")
# call: wildcard_states("ab", ["a", 1])
def wildcard_states(text, pattern):
    """The set of places in the pattern that may come next, one letter of the text after the other."""

    def over_stars(places):
        for p in sorted(places):
            while p < len(pattern) and pattern[p] == "*":
                p += 1
                places.add(p)
        return places

    places = over_stars({0})
    for letter in text:
        after = set()
        for p in places:
            if p == len(pattern):
                continue
            if pattern[p] == "*":
                after.add(p)
            elif pattern[p] in ("?", letter):
                after.add(p + 1)
        places = over_stars(after)
    return len(pattern) in places, sorted(places)


# call: subsequence_count("aab", "ab")
# call: subsequence_count("xyx", "x")
# call: subsequence_count("", "a")
# call: subsequence_count("babgbag", "bag")
# call: subsequence_count("abc", "")
# call: subsequence_count(["a", "b"], ("b",))
def subsequence_count(text, word):
    ways = [1] + [0] * len(word)
    for letter in text:
        for k in range(len(word) - 1, -1, -1):
            if word[k] == letter:
                ways[k + 1] += ways[k]
    return ways


# call: distinct_subsequences("aba")
# call: distinct_subsequences("ab")
# call: distinct_subsequences("")
# call: distinct_subsequences("abcab")
# call: distinct_subsequences("aaa")
# call: distinct_subsequences([[1], [2]])
def distinct_subsequences(items):
    count = 1
    ended_with = {}
    for item in items:
        doubled = 2 * count - ended_with.get(item, 0)
        ended_with[item] = count
        count = doubled
    return count, ended_with


# call: paint_fence(3, 2)
# call: paint_fence(4, 3)
# call: paint_fence(0, 5)
# call: paint_fence(9, 2)
# call: paint_fence(2, 1)
# call: paint_fence(2, "3")
def paint_fence(posts, colours):
    """At most two neighbouring posts have the same colour."""
    same, other = 0, 1
    for post in range(posts):
        factor = colours if post == 0 else colours - 1
        same, other = (other if post else 0), (same + other) * factor
    return same + other


# call: paint_houses([[17, 2, 17], [16, 16, 5]])
# call: paint_houses([[1, 2, 3]])
# call: paint_houses([])
# call: paint_houses([[7, 6, 2], [3, 9, 4], [5, 1, 8], [2, 2, 6]])
# call: paint_houses([[4], [4]])
# call: paint_houses([[1, 2], [3]])
def paint_houses(costs):
    """Neighbouring houses get different colours; the last row of sums is returned."""
    sums = [0] * (len(costs[0]) if costs else 0)
    for row in costs:
        following = []
        for c in range(len(row)):
            others = sums[:c] + sums[c + 1 :]
            following.append(row[c] + (min(others) if others else 0))
        sums = following
    return sums


# call: take_from_ends([3, 9, 1, 2])
# call: take_from_ends([5, 4])
# call: take_from_ends([])
# call: take_from_ends([8, 15, 3, 7])
# call: take_from_ends([6])
# call: take_from_ends([1, None])
def take_from_ends(coins):
    """Both players take well; how much the first is ahead."""
    n = len(coins)
    ahead = list(coins)
    for size in range(2, n + 1):
        for i in range(n - size + 1):
            left = coins[i] - ahead[i + 1]
            right = coins[i + size - 1] - ahead[i]
            ahead[i] = max(left, right)
    return ahead[0] if ahead else 0


# call: losing_heaps(6, [1, 2])
# call: losing_heaps(4, [1])
# call: losing_heaps(0, [1])
# call: losing_heaps(10, [1, 3, 4])
# call: losing_heaps(3, [5])
# call: losing_heaps("4", [1])
def losing_heaps(most, moves):
    wins = []
    for heap in range(most + 1):
        good = False
        for m in moves:
            if m <= heap and not wins[heap - m]:
                good = True
                break
        wins.append(good)
    return [heap for heap, win in enumerate(wins) if not win]


# call: heap_values(5, [1, 2])
# call: heap_values(3, [2])
# call: heap_values(0, [1])
# call: heap_values(8, [1, 3])
# call: heap_values(4, [])
# call: heap_values(2, None)
def heap_values(most, moves):
    """The smallest number that no move leads to, for each size of a heap."""
    values = []
    for heap in range(most + 1):
        reached = {values[heap - m] for m in moves if m <= heap}
        value = 0
        while value in reached:
            value += 1
        values.append(value)
    return values


# call: sums_of_squares(7)
# call: sums_of_squares(4)
# call: sums_of_squares(0)
# call: sums_of_squares(13)
# call: sums_of_squares(1)
# call: sums_of_squares(-1)
def sums_of_squares(n):
    """Fewest square numbers with the sum n."""
    need = [0] * (n + 1)
    for m in range(1, n + 1):
        options = []
        root = 1
        while root * root <= m:
            options.append(need[m - root * root])
            root += 1
        need[m] = 1 + min(options)
    return need[n]


# call: one_by_two_or_half(10)
# call: one_by_two_or_half(5)
# call: one_by_two_or_half(1)
# call: one_by_two_or_half(18)
# call: one_by_two_or_half(0)
# call: one_by_two_or_half("3")
def one_by_two_or_half(n):
    """Fewest steps to 1 with: minus 1, half, a third; and the numbers on the way."""
    steps, via = {1: 0}, {1: None}
    for m in range(2, n + 1):
        choices = [m - 1]
        for d in (2, 3):
            if m % d == 0:
                choices.append(m // d)
        via[m] = min(choices, key=lambda x: steps[x])
        steps[m] = steps[via[m]] + 1
    way = []
    while n is not None:
        way.append(n)
        n = via[n]
    return way


# call: ugly_list(6, (2, 3))
# call: ugly_list(4, (2,))
# call: ugly_list(1, (5,))
# call: ugly_list(10, (2, 3, 5))
# call: ugly_list(3, (7, 2))
# call: ugly_list(2, ())
def ugly_list(count, factors):
    """Numbers whose factors are all among the given ones, one pointer for each factor."""
    numbers = [1]
    pointers = [0] * len(factors)
    while len(numbers) < count:
        smallest = min(numbers[p] * f for p, f in zip(pointers, factors))
        numbers.append(smallest)
        for i, f in enumerate(factors):
            if numbers[pointers[i]] * f == smallest:
                pointers[i] += 1
    return numbers


# call: dice_sums(2, 3)
# call: dice_sums(1, 4)
# call: dice_sums(0, 6)
# call: dice_sums(3, 2)
# call: dice_sums(2, 1)
# call: dice_sums(2, "6")
def dice_sums(dice, sides):
    ways = {0: 1}
    for _ in range(dice):
        following = {}
        for total in ways:
            for face in range(1, sides + 1):
                following.setdefault(total + face, 0)
                following[total + face] += ways[total]
        ways = following
    return ways
