# call: power_set([1, 2])
# call: power_set(["a"])
# call: power_set([])
# call: power_set([3, 1, 2])
# call: power_set([5, 5])
# call: power_set("xy")
def power_set(items):
    if len(items) == 0:
        return [[]]
    smaller = power_set(items[1:])
    larger = []
    for subset in smaller:
        larger.append([items[0]] + subset)
    return smaller + larger


# call: subsets_by_choice(["x", "y"])
# call: subsets_by_choice([1])
# call: subsets_by_choice([])
# call: subsets_by_choice([7, 8, 9])
# call: subsets_by_choice([0, 0])
# call: subsets_by_choice({1: 2})
def subsets_by_choice(items):
    results = []
    chosen = []

    def choose(i):
        if i == len(items):
            results.append(chosen.copy())
            return
        chosen.append(items[i])
        choose(i + 1)
        chosen.pop()
        choose(i + 1)

    choose(0)
    return results


# call: subset_with_sum([3, 5, 2], 7)
# call: subset_with_sum([4, 6], 5)
# call: subset_with_sum([], 0)
# call: subset_with_sum([8, 3, 6, 2, 1], 10)
# call: subset_with_sum([1, 1, 1], 5)
# call: subset_with_sum([], 4)
def subset_with_sum(numbers, goal):
    if goal == 0:
        return []
    if not numbers or goal < 0:
        return None
    first, *others = numbers
    with_first = subset_with_sum(others, goal - first)
    if with_first is not None:
        return [first] + with_first
    return subset_with_sum(others, goal)


# call: count_subset_sums([1, 2, 3], 3)
# call: count_subset_sums([5], 5)
# call: count_subset_sums([], 1)
# call: count_subset_sums([2, 3, 5, 1], 6)
# call: count_subset_sums([0, 0], 0)
# call: count_subset_sums([1, "2"], 3)
def count_subset_sums(numbers, goal, at=0):
    if at == len(numbers):
        return 1 if goal == 0 else 0
    skip = count_subset_sums(numbers, goal, at + 1)
    take = count_subset_sums(numbers, goal - numbers[at], at + 1)
    return skip + take


# call: choose_k([1, 2, 3], 2)
# call: choose_k("abcd", 3)
# call: choose_k([], 0)
# call: choose_k([1, 2, 3, 4, 5], 2)
# call: choose_k([1, 2], 3)
# call: choose_k([1, 2], -1)
def choose_k(items, k):
    if k == 0:
        return [[]]
    found = []
    for i in range(len(items)):
        for rest in choose_k(items[i + 1 :], k - 1):
            found.append([items[i]] + rest)
    return found


# call: combinations_from(4, 2)
# call: combinations_from(3, 1)
# call: combinations_from(0, 0)
# call: combinations_from(5, 3)
# call: combinations_from(2, 2)
# call: combinations_from(2, "1")
def combinations_from(n, k, start=1):
    """Ascending tuples of k of the numbers start..n."""

    def grow(prefix, low):
        if len(prefix) >= k:
            yield prefix
            return
        need = k - len(prefix)
        for x in range(low, n - need + 2):
            yield from grow(prefix + (x,), x + 1)

    return list(grow((), start))


# call: partitions_of(4)
# call: partitions_of(3)
# call: partitions_of(0)
# call: partitions_of(5)
# call: partitions_of(4, 2)
# call: partitions_of(-1)
def partitions_of(n, largest=None):
    if n == 0:
        return [[]]
    if largest is None or largest > n:
        largest = n
    out = []
    part = largest
    while part >= 1:
        for rest in partitions_of(n - part, part):
            out.append([part, *rest])
        part -= 1
    return out


# call: count_partitions(5, 5)
# call: count_partitions(4, 2)
# call: count_partitions(0, 3)
# call: count_partitions(7, 3)
# call: count_partitions(3, 0)
# call: count_partitions("3", 1)
def count_partitions(n, m):
    if n < 0 or m == 0:
        return 0 if n != 0 else 1
    if n == 0:
        return 1
    return count_partitions(n - m, m) + count_partitions(n, m - 1)


# call: compositions(3)
# call: compositions(2)
# call: compositions(0)
# call: compositions(4)
# call: compositions(1)
# call: compositions(2.5)
def compositions(n):
    """All ways to write n as an ordered sum."""
    if n == 0:
        return [""]
    ways = []
    for first in range(1, n + 1):
        for rest in compositions(n - first):
            ways.append(f"{first}+{rest}" if rest else str(first))
    return ways


# call: ackermann_like(1, 2)
# call: ackermann_like(2, 1)
# call: ackermann_like(0, 0)
# call: ackermann_like(2, 3)
# call: ackermann_like(1, 0)
# call: ackermann_like(1, "a")
def ackermann_like(m, n):
    if m <= 0:
        return n + 1
    if n <= 0:
        return ackermann_like(m - 1, 1)
    return ackermann_like(m - 1, ackermann_like(m, n - 1))


# call: ninety_one(99)
# call: ninety_one(105)
# call: ninety_one(101)
# call: ninety_one(87)
# call: ninety_one(100.5)
# call: ninety_one(None)
def ninety_one(n):
    if n > 100:
        return n - 10
    inner = ninety_one(n + 11)
    return ninety_one(inner)


# call: is_even_by_turns(4)
# call: is_even_by_turns(5)
# call: is_even_by_turns(0)
# call: is_even_by_turns(11)
# call: is_even_by_turns(-3)
# call: is_even_by_turns("4")
def is_odd_by_turns(n):
    if n == 0:
        return False
    return is_even_by_turns(n - 1)


def is_even_by_turns(n):
    if n < 0:
        n = -n
    if n == 0:
        return True
    return is_odd_by_turns(n - 1)


# call: female_male(5)
# call: female_male(2)
# call: female_male(0)
# call: female_male(6)
# call: female_male(1)
# call: female_male(-1)
def female(n):
    return 1 if n <= 0 else n - male(female(n - 1))


def male(n):
    return 0 if n <= 0 else n - female(male(n - 1))


def female_male(n):
    return [female(i) for i in range(n)], [male(i) for i in range(n)]


# call: flatten_deep([1, [2, [3]], 4])
# call: flatten_deep(["a", ["b"]])
# call: flatten_deep([])
# call: flatten_deep([[1, [2, [3, [4]]]], [[5]], 6, [[], 7]])
# call: flatten_deep([[[]]])
# call: flatten_deep([1, (2, [3])])
def flatten_deep(items, out=None):
    if out is None:
        out = []
    for item in items:
        if type(item) == list:
            flatten_deep(item, out)
        else:
            out.append(item)
    return out


# call: flatten_by_head([[1], 2])
# call: flatten_by_head([3, [4, 5]])
# call: flatten_by_head([])
# call: flatten_by_head([[[1, 2], 3], [4, [5]]])
# call: flatten_by_head([[], [[], []]])
# call: flatten_by_head(6)
def flatten_by_head(thing):
    if thing == []:
        return thing
    head, tail = thing[0], thing[1:]
    if isinstance(head, list):
        return flatten_by_head(head) + flatten_by_head(tail)
    return [head] + flatten_by_head(tail)


# call: nesting_of([1, [2]])
# call: nesting_of([[[3]]])
# call: nesting_of([])
# call: nesting_of([1, [2, [3, 4], []], [[5, [6]]]])
# call: nesting_of(7)
# call: nesting_of("ab")
def nesting_of(item):
    if not isinstance(item, list):
        return 0
    deepest = 0
    for inner in item:
        d = nesting_of(inner)
        if d > deepest:
            deepest = d
    return deepest + 1


# call: reverse_nested([1, [2, 3]])
# call: reverse_nested([[1, 2], [3]])
# call: reverse_nested([])
# call: reverse_nested([1, [2, [3, 4, [5]], 6], 7])
# call: reverse_nested([[]])
# call: reverse_nested((1, [2, 3]))
def reverse_nested(items):
    i, j = 0, len(items) - 1
    while i < j:
        items[i], items[j] = items[j], items[i]
        i += 1
        j -= 1
    for item in items:
        if isinstance(item, list):
            reverse_nested(item)
    return items


# call: gray_code(2)
# call: gray_code(1)
# call: gray_code(0)
# call: gray_code(4)
# call: gray_code(3)
# call: gray_code(-1)
def gray_code(bits):
    if bits < 0:
        raise ValueError("bits must not be negative")
    if bits == 0:
        return [""]
    before = gray_code(bits - 1)
    return ["0" + code for code in before] + ["1" + code for code in before[::-1]]


# call: gray_flips(2)
# call: gray_flips(1)
# call: gray_flips(0)
# call: gray_flips(3)
# call: gray_flips(4)
# call: gray_flips("2")
def gray_flips(n):
    """Which bit changes at each step, and the row of bits at the end."""
    row = [0] * n
    flips = []

    def turn(k):
        if k < 0:
            return
        turn(k - 1)
        row[k] ^= 1
        flips.append(k)
        turn(k - 1)

    turn(n - 1)
    return flips, row


# call: sum_by_halves([1, 2, 3, 4])
# call: sum_by_halves([7])
# call: sum_by_halves([])
# call: sum_by_halves([5, 1, 4, 2, 8, 3, 9])
# call: sum_by_halves([0.5, -0.5])
# call: sum_by_halves([1, None])
def sum_by_halves(a):
    if len(a) < 2:
        return a[0] if a else 0
    middle = len(a) // 2
    return sum_by_halves(a[:middle]) + sum_by_halves(a[middle:])


# call: largest_by_halves([3, 9, 2], 0, 3)
# call: largest_by_halves([4, 1], 0, 2)
# call: largest_by_halves([6], 0, 1)
# call: largest_by_halves([2, 7, 1, 8, 2, 8], 0, 6)
# call: largest_by_halves([5, 6, 7, 1], 1, 2)
# call: largest_by_halves([], 0, 0)
def largest_by_halves(a, low, high):
    """Index of the largest of a[low:high]; the left one wins among equals."""
    if high - low <= 1:
        return low if a[low] is not None else -1
    middle = (low + high) // 2
    left = largest_by_halves(a, low, middle)
    right = largest_by_halves(a, middle, high)
    if a[right] > a[left]:
        return right
    return left


# call: recursive_maximum([4, 9, 2])
# call: recursive_maximum([1])
# call: recursive_maximum([-5, -3])
# call: recursive_maximum([3, 8, 1, 9, 4, 7])
# call: recursive_maximum("bca")
# call: recursive_maximum([])
def recursive_maximum(items):
    if len(items) < 2:
        return items[0]
    best_of_rest = recursive_maximum(items[1:])
    if items[0] > best_of_rest:
        return items[0]
    return best_of_rest


# call: deep_maximum([1, [5, 2], [[3]]])
# call: deep_maximum([[7], [8]])
# call: deep_maximum([])
# call: deep_maximum([4, [9, [2, 11, [6]], []], [[10], 3]])
# call: deep_maximum([[], [[]]])
# call: deep_maximum([1, ["a"]])
def deep_maximum(nested):
    best = None
    for item in nested:
        value = deep_maximum(item) if isinstance(item, list) else item
        if value is None:
            continue
        if best is None or value > best:
            best = value
    return best


# call: depth_of_tree((1, (2, None, None), None))
# call: depth_of_tree(("a", None, None))
# call: depth_of_tree(None)
# call: depth_of_tree((1, (2, (4, None, None), (5, None, (6, None, None))), (3, None, None)))
# call: depth_of_tree((1, (2, (3, None, None), None), None))
# call: depth_of_tree((1, 2))
def depth_of_tree(tree):
    if tree is None:
        return 0
    left = depth_of_tree(tree[1])
    right = depth_of_tree(tree[2])
    return 1 + (left if left > right else right)


# call: mirror_tree([1, [2], [3]])
# call: mirror_tree([1])
# call: mirror_tree([])
# call: mirror_tree([1, [2, [3], [4, [5]]], [6, [7], [8]]])
# call: mirror_tree(["r", []])
# call: mirror_tree(["r", "s"])
def mirror_tree(tree):
    if not tree:
        return tree
    return [tree[0]] + [mirror_tree(branch) for branch in reversed(tree[1:])]


# call: same_branching((1, None, None), (2, None, None))
# call: same_branching((1, (2, None, None), None), (1, None, (2, None, None)))
# call: same_branching(None, None)
# call: same_branching((1, (2, (4, None, None), None), (3, None, None)), (7, (8, (6, None, None), None), (9, None, None)))
# call: same_branching((1, None, None), None)
# call: same_branching((1, None), (1, None, None))
def same_branching(a, b):
    if a is None or b is None:
        return a is b
    _, left_a, right_a = a
    _, left_b, right_b = b
    return same_branching(left_a, left_b) and same_branching(right_a, right_b)


# call: root_paths((5, (3, None, None), (8, None, None)))
# call: root_paths((1, (2, None, None), None))
# call: root_paths(None)
# call: root_paths((10, (4, (1, None, None), (6, None, None)), (15, None, (20, (17, None, None), None))))
# call: root_paths((0, None, None))
# call: root_paths(("a", (1, None, None), None))
def root_paths(tree):
    sums = []

    def down(node, above):
        if node is None:
            return
        value, left, right = node
        total = above + value
        if left is None and right is None:
            sums.append(total)
        down(left, total)
        down(right, total)

    down(tree, 0)
    return sums


# call: build_balanced([1, 2, 3])
# call: build_balanced(["a", "b"])
# call: build_balanced([])
# call: build_balanced([1, 2, 3, 4, 5, 6, 7])
# call: build_balanced([4])
# call: build_balanced("abcde")
def build_balanced(values):
    if not values:
        return None
    m = len(values) // 2
    return {"v": values[m], "l": build_balanced(values[:m]), "r": build_balanced(values[m + 1 :])}


# call: rebuild_from_orders("abc", "bac")
# call: rebuild_from_orders([1, 2], [2, 1])
# call: rebuild_from_orders("", "")
# call: rebuild_from_orders([3, 9, 20, 15, 7], [9, 3, 15, 20, 7])
# call: rebuild_from_orders("x", "x")
# call: rebuild_from_orders("ab", "ac")
def rebuild_from_orders(pre, inorder):
    if not pre:
        return None
    root = pre[0]
    at = inorder.index(root)
    left = rebuild_from_orders(pre[1 : at + 1], inorder[:at])
    right = rebuild_from_orders(pre[at + 1 :], inorder[at + 1 :])
    return (root, left, right)


# call: evaluate_nested(["+", 2, ["*", 3, 4]])
# call: evaluate_nested(["-", 9, 4])
# call: evaluate_nested(5)
# call: evaluate_nested(["+", ["*", 2, ["-", 7, 3]], ["-", ["+", 1, 1], 6]])
# call: evaluate_nested(["neg", ["+", 1, 2]])
# call: evaluate_nested(["^", 2, 3])
def evaluate_nested(node):
    if not isinstance(node, list):
        return node
    sign = node[0]
    values = [evaluate_nested(part) for part in node[1:]]
    if sign == "+":
        return values[0] + values[1]
    if sign == "-":
        return values[0] - values[1]
    if sign == "*":
        return values[0] * values[1]
    if sign == "neg":
        return -values[0]
    raise ValueError(f"unknown sign {sign}")


# call: simplify_sum(("+", "x", 0))
# call: simplify_sum(("*", 1, "y"))
# call: simplify_sum(7)
# call: simplify_sum(("+", ("*", "a", 0), ("+", ("*", 1, "b"), ("+", 2, 3))))
# call: simplify_sum(("+", 2, 5))
# call: simplify_sum(("+", 1))
def simplify_sum(node):
    match node:
        case (sign, left, right):
            left, right = simplify_sum(left), simplify_sum(right)
            if isinstance(left, int) and isinstance(right, int):
                return left + right if sign == "+" else left * right
            if sign == "+":
                if left == 0:
                    return right
                return left if right == 0 else ("+", left, right)
            if left == 0 or right == 0:
                return 0
            if left == 1:
                return right
            return left if right == 1 else ("*", left, right)
        case (_, _):
            raise TypeError("a sum has two sides")
        case _:
            return node


# call: truth_of(["and", True, ["not", False]], {})
# call: truth_of(["or", "p", "q"], {"p": False, "q": True})
# call: truth_of(True, {})
# call: truth_of(["and", ["or", "p", ["not", "q"]], ["or", "q", ["not", "r"]], "p"], {"p": True, "q": True, "r": False})
# call: truth_of(["or"], {})
# call: truth_of(["and", "p", "z"], {"p": True})
def truth_of(formula, values):
    if isinstance(formula, bool):
        return formula
    if isinstance(formula, str):
        return values[formula]
    head, *parts = formula
    if head == "not":
        return not truth_of(parts[0], values)
    stop = head == "or"
    for part in parts:
        if truth_of(part, values) == stop:
            return stop
    return not stop


# call: read_nested("(a (b c))")
# call: read_nested("(1 2)")
# call: read_nested("()")
# call: read_nested("(a (b (c)) (d e))")
# call: read_nested("x")
# call: read_nested("(a")
def read_nested(text):
    tokens = text.replace("(", " ( ").replace(")", " ) ").split()

    def read():
        token = tokens.pop(0)
        if token != "(":
            return token
        inner = []
        while tokens[0] != ")":
            inner.append(read())
        tokens.pop(0)
        return inner

    return read()


# call: product_of_sums("2*3+1")
# call: product_of_sums("4")
# call: product_of_sums("(1+2)*3")
# call: product_of_sums("2*(3+4*1)+5")
# call: product_of_sums("((7))")
# call: product_of_sums("2+")
def product_of_sums(text):
    """Recursive descent: each helper gets a position and returns (value, next position)."""

    def total(i):
        value, i = term(i)
        while i < len(text) and text[i] == "+":
            more, i = term(i + 1)
            value += more
        return value, i

    def term(i):
        value, i = atom(i)
        while i < len(text) and text[i] == "*":
            more, i = atom(i + 1)
            value *= more
        return value, i

    def atom(i):
        if text[i] == "(":
            value, i = total(i + 1)
            return value, i + 1
        return int(text[i]), i + 1

    return total(0)[0]


# call: fill_square([[1, 0], [0, 1]], 2)
# call: fill_square([[0, 2], [0, 0]], 2)
# call: fill_square([], 0)
# call: fill_square([[1, 2, 0], [0, 0, 1], [0, 0, 0]], 3)
# call: fill_square([[1, 0], [1, 0]], 2)
# call: fill_square([[0, 0]], 2)
def fits(grid, r, c, n):
    for i in range(len(grid)):
        if i != c and grid[r][i] == n or i != r and grid[i][c] == n:
            return False
    return True


def fill_square(grid, n):
    for r in range(n):
        for c in range(n):
            if grid[r][c] == 0:
                for digit in range(1, n + 1):
                    if fits(grid, r, c, digit):
                        grid[r][c] = digit
                        if fill_square(grid, n):
                            return grid
                        grid[r][c] = 0
                return None
    return grid


# call: colour_map([[1], [0]], 2)
# call: colour_map([[1, 2], [0, 2], [0, 1]], 3)
# call: colour_map([], 1)
# call: colour_map([[1, 3], [0, 2], [1, 3], [0, 2]], 2)
# call: colour_map([[1, 2], [0, 2], [0, 1]], 2)
# call: colour_map([[1], [2]], 2)
def colour_map(near, colours, chosen=None):
    chosen = chosen or []
    country = len(chosen)
    if country == len(near):
        return chosen
    for colour in range(colours):
        taken = False
        for other in near[country]:
            if other < country and chosen[other] == colour:
                taken = True
        if not taken:
            done = colour_map(near, colours, chosen + [colour])
            if done is not None:
                return done
    return None


# call: staircases(3)
# call: staircases(2)
# call: staircases(0)
# call: staircases(4)
# call: staircases(1)
# call: staircases(None)
def staircases(n):
    """All ways up with one or two steps at a time."""
    if n <= 0:
        return [[]]
    ways = [[1] + way for way in staircases(n - 1)]
    if n > 1:
        ways += [[2] + way for way in staircases(n - 2)]
    return ways


# call: steps_with_sizes(4, [1, 3])
# call: steps_with_sizes(5, [2, 3])
# call: steps_with_sizes(0, [1])
# call: steps_with_sizes(8, [2, 3, 5])
# call: steps_with_sizes(3, [2])
# call: steps_with_sizes(2, [0])
def steps_with_sizes(height, sizes, known=None):
    if known is None:
        known = {0: 1}
    if height < 0:
        return 0
    if 0 in sizes:
        raise ValueError("a step of 0 never ends")
    if height not in known:
        ways = 0
        for size in sizes:
            ways += steps_with_sizes(height - size, sizes, known)
        known[height] = ways
    return known[height]


# call: power_by_halving(2, 5)
# call: power_by_halving(3, 2)
# call: power_by_halving(7, 0)
# call: power_by_halving(3, 9)
# call: power_by_halving(2, -2)
# call: power_by_halving("a", 2)
def power_by_halving(base, n):
    if n < 0:
        return 1 / power_by_halving(base, -n)
    if n == 0:
        return 1
    half = power_by_halving(base, n // 2)
    square = half * half
    if n % 2 == 1:
        return square * base
    return square


# call: ruler_marks(3)
# call: ruler_marks(1)
# call: ruler_marks(0)
# call: ruler_marks(4)
# call: ruler_marks(2)
# call: ruler_marks([2])
def ruler_marks(level):
    if level < 1:
        return ""
    side = ruler_marks(level - 1)
    return f"{side}{level}{side}"


# call: cut_in_halves(0, 8)
# call: cut_in_halves(3, 6)
# call: cut_in_halves(5, 5)
# call: cut_in_halves(0, 11)
# call: cut_in_halves(2, 3)
# call: cut_in_halves(9, 2)
def cut_in_halves(low, high):
    """The cuts, as a tree of (middle, left cuts, right cuts)."""
    if low > high:
        raise ValueError((low, high))
    if high - low < 2:
        return ()
    middle = (low + high) // 2
    return (middle, cut_in_halves(low, middle), cut_in_halves(middle, high))


# call: count_grid_walks(2, 2)
# call: count_grid_walks(1, 3)
# call: count_grid_walks(0, 0)
# call: count_grid_walks(3, 3)
# call: count_grid_walks(2, -1)
# call: count_grid_walks(2, 3, [(1, 1)])
def count_grid_walks(down, right, walls=()):
    if down < 0 or right < 0 or (down, right) in walls:
        return 0
    if down == right == 0:
        return 1
    return count_grid_walks(down - 1, right, walls) + count_grid_walks(down, right - 1, walls)


# call: self_avoiding(2)
# call: self_avoiding(1)
# call: self_avoiding(0)
# call: self_avoiding(3, [(1, 0), (0, 1)])
# call: self_avoiding(2, [])
# call: self_avoiding(2, [1])
def self_avoiding(steps, moves=((1, 0), (-1, 0), (0, 1))):
    def walk(path):
        if len(path) > steps:
            return 1
        x, y = path[-1]
        count = 0
        for dx, dy in moves:
            spot = (x + dx, y + dy)
            if spot not in path:
                count += walk(path + [spot])
        return count

    return walk([(0, 0)])


# call: interleavings("ab", "x")
# call: interleavings("a", "b")
# call: interleavings("", "")
# call: interleavings("ab", "cd")
# call: interleavings("aa", "a")
# call: interleavings([1], [2])
def interleavings(a, b):
    if not a or not b:
        return [a + b]
    ways = []
    for rest in interleavings(a[1:], b):
        ways.append(a[:1] + rest)
    for rest in interleavings(a, b[1:]):
        ways.append(b[:1] + rest)
    return ways


# call: is_interleaving("ab", "cd", "acbd")
# call: is_interleaving("a", "b", "aa")
# call: is_interleaving("", "", "")
# call: is_interleaving("aab", "abc", "aaabbc")
# call: is_interleaving("x", "", "xy")
# call: is_interleaving("ab", [], "ab")
def is_interleaving(a, b, whole):
    if len(a) + len(b) != len(whole):
        return False
    if whole == "":
        return True
    if a and a[0] == whole[0] and is_interleaving(a[1:], b, whole[1:]):
        return True
    if b and b[0] == whole[0]:
        return is_interleaving(a, b[1:], whole[1:])
    return False


# call: words_of_length("ab", 2)
# call: words_of_length("xyz", 1)
# call: words_of_length("ab", 0)
# call: words_of_length("01", 3)
# call: words_of_length("", 2)
# call: words_of_length(["a", 1], 1)
def lengthen(alphabet, n):
    if n <= 0:
        yield ""
        return
    for word in lengthen(alphabet, n - 1):
        for letter in alphabet:
            yield word + letter


def words_of_length(alphabet, n):
    words = []
    for word in lengthen(alphabet, n):
        if word != word[::-1] or n < 2:
            words.append(word)
    return words


# call: spell_keys("23", {"2": "ab", "3": "de"})
# call: spell_keys("5", {"5": "jkl"})
# call: spell_keys("", {})
# call: spell_keys("262", {"2": "ab", "6": "mn"})
# call: spell_keys("21", {"2": "ab", "1": ""})
# call: spell_keys("29", {"2": "ab"})
def spell_keys(digits, letters):
    words = []

    def press(i, word):
        if i == len(digits):
            words.append("".join(word))
            return
        for letter in letters[digits[i]]:
            word.append(letter)
            press(i + 1, word)
            word.pop()

    press(0, [])
    return words


# call: no_two_ones(3)
# call: no_two_ones(2)
# call: no_two_ones(0)
# call: no_two_ones(4)
# call: no_two_ones(1)
# call: no_two_ones(2, "1")
def no_two_ones(n, before=""):
    if len(before) >= n:
        return [before]
    words = no_two_ones(n, before + "0")
    if not before.endswith("1"):
        words += no_two_ones(n, before + "1")
    return words


# call: split_everywhere("abc")
# call: split_everywhere("ab")
# call: split_everywhere("")
# call: split_everywhere([1, 2, 3, 4])
# call: split_everywhere("z")
# call: split_everywhere(5)
def split_everywhere(s):
    """All ways to cut a sequence into pieces that are not empty."""
    if len(s) <= 1:
        return [[s]]
    cuts = []
    for i in range(1, len(s)):
        for tail in split_everywhere(s[i:]):
            cuts.append([s[:i]] + tail)
    cuts.append([s])
    return cuts


# call: flood_number([[1, 1], [0, 1]], 0, 0, 5)
# call: flood_number([[2, 3], [3, 2]], 1, 1, 9)
# call: flood_number([[4]], 0, 0, 1)
# call: flood_number([[0, 0, 1], [1, 0, 1], [0, 1, 0]], 0, 0, 7)
# call: flood_number([[3, 3]], 0, 1, 3)
# call: flood_number([[1, 2]], 5, 0, 8)
def flood_number(grid, r, c, new):
    old = grid[r][c]
    if old == new:
        return grid

    def pour(y, x):
        if y < 0 or y >= len(grid) or x < 0 or x >= len(grid[0]):
            return
        if grid[y][x] != old:
            return
        grid[y][x] = new
        pour(y + 1, x)
        pour(y - 1, x)
        pour(y, x + 1)
        pour(y, x - 1)

    pour(r, c)
    return grid


# call: region_sizes(["aab", "abb"])
# call: region_sizes(["xy"])
# call: region_sizes([])
# call: region_sizes(["aba", "bbb", "acc"])
# call: region_sizes(["...", "..."])
# call: region_sizes(["ab", ["c", 1]])
def region_sizes(rows):
    seen = set()

    def area(r, c, sign):
        if not (0 <= r < len(rows) and 0 <= c < len(rows[r])):
            return 0
        if (r, c) in seen or rows[r][c] != sign:
            return 0
        seen.add((r, c))
        return 1 + sum(area(r + dr, c + dc, sign) for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)))

    sizes = []
    for r, row in enumerate(rows):
        for c, sign in enumerate(row):
            size = area(r, c, sign)
            if size:
                sizes.append((sign, size))
    return sizes


# call: three_back(4, {})
# call: three_back(3, {0: 10})
# call: three_back(0, {})
# call: three_back(9, {})
# call: three_back(5, {5: -1})
# call: three_back(-1, {})
def three_back(n, known):
    if n in known:
        return known[n], known
    if n < 0:
        raise ValueError("n is negative")
    if n < 3:
        known[n] = n
    else:
        total = 0
        for back in (1, 2, 3):
            value, known = three_back(n - back, known)
            total += value
        known[n] = total
    return known[n], known


# call: collatz_depth(6)
# call: collatz_depth(4, {2: 1, 1: 0})
# call: collatz_depth(1)
# call: collatz_depth(7)
# call: collatz_depth(8, {8: 99})
# call: collatz_depth("6")
def collatz_depth(n, known={1: 0}):
    """Without a second argument all calls would share one dictionary, so it is copied."""
    memo = dict(known)

    def depth(m):
        if m not in memo:
            following = m // 2 if m % 2 == 0 else 3 * m + 1
            memo[m] = depth(following) + 1
        return memo[m]

    return depth(n), len(memo)


# call: sum_with_carry([1, 2, 3])
# call: sum_with_carry((4,), 10)
# call: sum_with_carry([])
# call: sum_with_carry([5, 6, 7, 8, 9])
# call: sum_with_carry([-1, 1])
# call: sum_with_carry(["a", 1])
def sum_with_carry(numbers, total=0, steps=()):
    if not numbers:
        return total, steps
    total = total + numbers[-1]
    return sum_with_carry(numbers[:-1], total, (total,) + steps)


# call: reverse_onto([1, 2, 3])
# call: reverse_onto("ab", ["z"])
# call: reverse_onto([])
# call: reverse_onto([4, 5, 6, 7, 8, 9])
# call: reverse_onto([[1], [2]])
# call: reverse_onto([1, 2], None)
def reverse_onto(items, done=[]):
    if len(items) == 0:
        return done
    head, *rest = items
    return reverse_onto(rest, [head] + done)


# call: digit_root_steps(987)
# call: digit_root_steps(45)
# call: digit_root_steps(0)
# call: digit_root_steps(9899)
# call: digit_root_steps(10)
# call: digit_root_steps("19")
def digit_root_steps(n, trail=None):
    def digits(m):
        return m if m < 10 else m % 10 + digits(m // 10)

    if trail is None:
        trail = []
    trail.append(n)
    if n < 10:
        return trail
    return digit_root_steps(digits(n), trail)


# call: count_calls(4)
# call: count_calls(2)
# call: count_calls(0)
# call: count_calls(6)
# call: count_calls(-3)
# call: count_calls([])
def count_calls(n):
    calls = 0
    deepest = 0

    def f(k, depth):
        nonlocal calls, deepest
        calls += 1
        deepest = max(deepest, depth)
        if k <= 1:
            return 1
        return f(k - 1, depth + 1) + f(k // 2, depth + 1)

    value = f(n, 1)
    return value, calls, deepest


# call: number_tree(["a", ["b"], ["c", ["d"]]])
# call: number_tree(["x"])
# call: number_tree(["r", []])
# call: number_tree(["a", ["b", ["c"], ["d"]], ["e", ["f", ["g"]]]])
# call: number_tree([])
# call: number_tree([["a"]])
def number_tree(tree):
    following = 0

    def visit(node):
        nonlocal following
        if not node:
            return None
        mine = following
        following += 1
        name, *branches = node
        return {f"{mine}{name}": [visit(branch) for branch in branches]}

    return visit(tree), following


# call: apply_times(3, 2)
# call: apply_times(1, 10)
# call: apply_times(0, 5)
# call: apply_times(5, 1)
# call: apply_times(-1, 7)
# call: apply_times(2, "ab")
def repeated(function, n):
    if n <= 0:
        return lambda x: x
    inner = repeated(function, n - 1)
    return lambda x: function(inner(x))


def apply_times(n, start):
    trail = []

    def double(x):
        trail.append(x)
        return x + x

    return repeated(double, n)(start), trail


# call: zigzag_merge([1, 3], [2, 4])
# call: zigzag_merge("ac", "b")
# call: zigzag_merge([], [])
# call: zigzag_merge([1, 2, 3, 4, 5], [9, 8])
# call: zigzag_merge([], [6, 7])
# call: zigzag_merge([1], None)
def zigzag_merge(a, b):
    if len(a) == 0:
        return list(b)
    return [a[0]] + zigzag_merge(b, a[1:])


# call: expand_macro("S", {"S": "aSb"}, 2)
# call: expand_macro("A", {"A": "AB", "B": "A"}, 3)
# call: expand_macro("", {}, 1)
# call: expand_macro("F", {"F": "F+F"}, 3)
# call: expand_macro("xyz", {}, 4)
# call: expand_macro("S", {"S": 5}, 1)
def expand_macro(word, rules, times):
    if times < 1:
        return word
    longer = ""
    for sign in word:
        if sign in rules:
            longer += rules[sign]
        else:
            longer += sign
    if longer == word:
        return word
    return expand_macro(longer, rules, times - 1)


# call: resolve_names("a", {"a": ["b", 2], "b": [3]})
# call: resolve_names("x", {"x": [1, 1]})
# call: resolve_names("e", {"e": []})
# call: resolve_names("top", {"top": ["l", "r", 1], "l": [4, "m"], "r": ["m", "m"], "m": [10]})
# call: resolve_names("a", {"a": ["b"], "b": ["a"]})
# call: resolve_names("a", {"a": ["q"]})
def resolve_names(name, sheet, open_names=()):
    if name in open_names:
        raise RuntimeError("circle through " + name)
    total = 0
    for part in sheet[name]:
        if isinstance(part, str):
            part = resolve_names(part, sheet, open_names + (name,))
        total += part
    return total


# call: change_pieces(7, [5, 2])
# call: change_pieces(6, [4, 3])
# call: change_pieces(0, [1])
# call: change_pieces(9, [5, 4, 2])
# call: change_pieces(1, [2])
# call: change_pieces(3, [])
def change_pieces(amount, coins):
    """All multisets of coins, largest coin first."""
    if amount == 0:
        return [()]
    if not coins or amount < 0 or coins[0] < 1:
        return []
    use = [(coins[0],) + more for more in change_pieces(amount - coins[0], coins)]
    return use + change_pieces(amount, coins[1:])


# call: target_signs([1, 2, 3], 0)
# call: target_signs([5], -5)
# call: target_signs([], 0)
# call: target_signs([1, 1, 2, 3], 3)
# call: target_signs([2, 4], 5)
# call: target_signs([1, "1"], 2)
def target_signs(numbers, goal):
    """Expressions with + and - before each number that come to the goal."""

    def extend(i, text, value):
        if i == len(numbers):
            return [text] if value == goal else []
        n = numbers[i]
        return extend(i + 1, f"{text}+{n}", value + n) + extend(i + 1, f"{text}-{n}", value - n)

    return extend(0, "", 0)


# call: equal_halves([1, 2, 3])
# call: equal_halves([2, 2])
# call: equal_halves([])
# call: equal_halves([5, 1, 3, 4, 3])
# call: equal_halves([1, 2])
# call: equal_halves([1, 1, None])
def equal_halves(weights):
    left, right = [], []

    def share(i):
        if i == len(weights):
            return sum(left) == sum(right)
        for side in (left, right):
            side.append(weights[i])
            if share(i + 1):
                return True
            side.pop()
        return False

    if share(0):
        return left, right
    return None
