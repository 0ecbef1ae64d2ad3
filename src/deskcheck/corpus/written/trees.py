# call: leaf_names({"root": {"a": 1, "b": {"c": 2}}})
# call: leaf_names({"x": 5})
# call: leaf_names({})
# call: leaf_names({"garden": {"bed": {"rose": 1, "tulip": 2}, "path": {}}, "house": {"roof": 3, "cellar": {"wine": 4}}})
# call: leaf_names({"a": {"b": {"c": {}}}})
# call: leaf_names([1, 2])
def leaf_names(tree):
    names = []
    for name, branch in tree.items():
        if isinstance(branch, dict):
            names.extend(leaf_names(branch))
        else:
            names.append(name)
    return names


# call: tree_paths({"a": {"b": 1, "c": 2}})
# call: tree_paths({"a": 1}, sep=".")
# call: tree_paths({})
# call: tree_paths({"etc": {"net": {"host": 1, "port": 2}, "log": 3}, "home": {"ann": {}}, "tmp": 4})
# call: tree_paths({"": {"": 0}})
# call: tree_paths({1: {"a": 2}})
def tree_paths(tree, sep="/"):
    def visit(node, path):
        if not isinstance(node, dict) or not node:
            yield path, node
            return
        for key, child in node.items():
            yield from visit(child, path + sep + key)

    return dict(visit(tree, ""))


# call: set_path({}, "a.b.c", 1)
# call: set_path({"a": {"x": 5}}, "a.y", 6)
# call: set_path({}, "", 0)
# call: set_path({"a": {"b": {"c": {"d": 1, "e": 2}}}}, "a.b.c.f.g", [1, 2])
# call: set_path({"a": {"b": 1}}, "a", 2)
# call: set_path({"a": 1}, "a.b", 2)
def set_path(tree, path, value):
    *parents, last = path.split(".")
    node = tree
    for name in parents:
        node = node.setdefault(name, {})
    node[last] = value
    return tree


# call: branch_sum([1, [2, 3], [[4]]])
# call: branch_sum([10])
# call: branch_sum([])
# call: branch_sum([1, [2, [3, [4, [5, [6]]]]], [[7], 8], 9])
# call: branch_sum([[], [[]]])
# call: branch_sum([1, "2"])
def branch_sum(branch, depth=1):
    total = 0
    for twig in branch:
        if type(twig) is list:
            total += branch_sum(twig, depth + 1)
        else:
            total += twig * depth
    return total


# call: prune_tree({"a": 1, "b": None, "c": {"d": None}})
# call: prune_tree({"a": {"b": 0}})
# call: prune_tree({})
# call: prune_tree({"a": None, "b": {"c": None, "d": {"e": None, "f": 6}}, "g": {"h": {"i": None}}, "j": [], "k": ""})
# call: prune_tree({"a": {}})
# call: prune_tree(7)
def prune_tree(tree):
    if not isinstance(tree, dict):
        return tree
    kept = {}
    for key, value in tree.items():
        value = prune_tree(value)
        if value is not None and value != {}:
            kept[key] = value
    return kept


# call: tallest(("a", ("b",), ("c", ("d",))))
# call: tallest(("a",))
# call: tallest(())
# call: tallest(("r", ("s", ("t", ("u",), ("v", ("w",)))), ("x", ("y", ("z",)))))
# call: tallest(("a", ("b",), ("c",)))
# call: tallest(("a", 5))
def tallest(tree):
    """The names from the root down the longest way."""
    if not tree:
        return []
    root, *branches = tree
    return [root] + max((tallest(b) for b in branches), key=len, default=[])


# call: org_chart({"ann": None, "bob": "ann", "cy": "ann"})
# call: org_chart({"ann": None})
# call: org_chart({})
# call: org_chart({"dee": "bob", "ann": None, "bob": "ann", "cy": "ann", "eve": "dee", "gus": "cy", "hal": "dee"})
# call: org_chart({"a": "ghost", "b": None})
# call: org_chart({"a": ["b"]})
def org_chart(boss_of):
    team = {name: {} for name in boss_of}
    roots = {}
    for name, boss in boss_of.items():
        if boss in team:
            team[boss][name] = team[name]
        else:
            roots[name] = team[name]
    return roots


# call: count_node_kinds({"a": 1, "b": [1, "x"], "c": {"d": 2.5}})
# call: count_node_kinds([True, None])
# call: count_node_kinds({})
# call: count_node_kinds([1, [2, ["three", {"four": 4.0, "five": [None, "6"]}]], (7, 8), {"nine"}])
# call: count_node_kinds("leaf")
# call: count_node_kinds({(1, 2): [()]})
from collections import Counter


def count_node_kinds(tree):
    kinds = Counter([type(tree).__name__])
    children = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    for child in children:
        kinds.update(count_node_kinds(child))
    return dict(kinds)


# call: merge_trees({"a": 1}, {"b": 2})
# call: merge_trees({"a": {"x": 1}}, {"a": {"y": 2}})
# call: merge_trees({}, {})
# call: merge_trees({"a": {"x": 1, "z": {"q": 0}}, "b": 5}, {"a": {"z": {"q": 1, "r": 2}, "w": 3}, "c": {"d": 4}})
# call: merge_trees({"a": {"x": 1}}, {"a": 9})
# call: merge_trees({"a": 1}, [("a", 2)])
def merge_trees(base, extra):
    for key, value in extra.items():
        mine = base.get(key)
        if isinstance(mine, dict) and isinstance(value, dict):
            merge_trees(mine, value)
        else:
            base[key] = value
    return base


# call: levels_of([1, [2, [3]], 4])
# call: levels_of(["a", ["b", "c"]])
# call: levels_of([])
# call: levels_of([[[["d"], "c"], "b", ["c2"]], "a", ["b2", [["d2"]]]])
# call: levels_of([[], [[]]])
# call: levels_of("ab")
def levels_of(tree):
    levels = []
    layer = [tree]
    while layer:
        inner = [x for branch in layer for x in branch if isinstance(x, list)]
        plain = [x for branch in layer for x in branch if not isinstance(x, list)]
        levels.append(plain)
        layer = inner
    return levels


# call: family_depth({"eve": ["abel", "seth"], "seth": ["enos"]}, "enos")
# call: family_depth({"a": ["b"]}, "a")
# call: family_depth({}, "x")
# call: family_depth({"ada": ["ben"], "ben": ["cora", "dan"], "dan": ["emil"], "emil": ["fay", "gil"]}, "gil")
# call: family_depth({"a": ["b"], "c": ["b"]}, "b")
# call: family_depth({"a": 1}, "b")
def family_depth(children, name):
    for parent, kids in children.items():
        if name in kids:
            return 1 + family_depth(children, parent)
    return 0


# call: render_list(["fruit", ["apple", "pear"]])
# call: render_list(["one", "two"])
# call: render_list([])
# call: render_list(["plan", ["dig", ["rent spade"], "sow", ["buy seed", "water", ["daily"]]], "rest"])
# call: render_list([["orphan"]])
# call: render_list([1, [None]])
def render_list(items, level=0):
    bullets = "*-+"
    text = []
    for item in items:
        if isinstance(item, list):
            text.extend(render_list(item, level + 1))
        else:
            text.append("  " * level + bullets[level % 3] + f" {item}")
    return text


# call: evaluate(["+", 1, ["*", 2, 3]])
# call: evaluate(["-", 10, 4, 3])
# call: evaluate(7)
# call: evaluate(["max", ["+", 1, 2, 3], ["*", 2, ["-", 9, 4]], ["min", 8, 20]])
# call: evaluate(["+", 5])
# call: evaluate(["/", 1, 2])
from functools import reduce

OPERATORS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "max": max,
    "min": min,
}


def evaluate(expression):
    match expression:
        case [str(name), *parts]:
            return reduce(OPERATORS[name], map(evaluate, parts))
        case number:
            return number


# call: mobile_weight([3, 4])
# call: mobile_weight([2, [1, 1]])
# call: mobile_weight(5)
# call: mobile_weight([[4, [2, 2]], [[1, 3], 4]])
# call: mobile_weight([1, 2])
# call: mobile_weight([1, 2, 3])
def mobile_weight(arm):
    """Weight of a mobile, or None where it tips."""
    if not isinstance(arm, list):
        return arm
    left, right = (mobile_weight(side) for side in arm)
    if left is None or right is None:
        return None
    return left + right if abs(left - right) <= 1 else None


# call: Folder("home").add("a.txt", 5).add("pics/cat.png", 20).usage()
# call: Folder("x").add("y/z/w", 1).usage()
# call: Folder("void").usage()
# call: Folder("disk").add("a/b", 3).add("a/c", 4).add("d", 10).add("a/e/f", 6).add("a/b", 1).usage()
# call: Folder("q").add("/odd", 2).usage()
# call: Folder("q").add("a", 1).add("a/b", 2).usage()
class Folder:
    def __init__(self, name):
        self.name = name
        self.entries = {}

    def add(self, path, size):
        head, slash, rest = path.partition("/")
        if slash:
            self.entries.setdefault(head, Folder(head)).add(rest, size)
        else:
            self.entries[head] = size
        return self

    def size(self):
        return sum(e.size() if isinstance(e, Folder) else e for e in self.entries.values())

    def usage(self):
        return {name: getattr(e, "size", lambda e=e: e)() for name, e in self.entries.items()}, self.size()


# call: climb_up({"leaf": "twig", "twig": "branch", "branch": "trunk"}, "leaf")
# call: climb_up({"a": "b"}, "a")
# call: climb_up({}, "lonely")
# call: climb_up({"u1": "u2", "u2": "u5", "u3": "u5", "u5": "u8", "u8": "u9", "u9": "u10"}, "u1", stop="u8")
# call: climb_up({"a": "b", "b": "a"}, "a")
# call: climb_up({"a": ["b"]}, "a")
def climb_up(parent, start, stop=None):
    way = [start]
    while way[-1] in parent and way[-1] != stop:
        above = parent[way[-1]]
        if above in way:
            way.append("...")
            break
        way.append(above)
    return " < ".join(way)


# call: parse_nested("a(b,c)")
# call: parse_nested("x(y(z))")
# call: parse_nested("")
# call: parse_nested("root(left(a,b),mid,right(c(d)))")
# call: parse_nested("a,b")
# call: parse_nested("a)b")
def parse_nested(text):
    stack = [[]]
    name = ""
    for c in text + ",":
        if c not in "(),":
            name += c
            continue
        if name:
            stack[-1].append(name)
            name = ""
        if c == "(":
            stack.append([])
        elif c == ")":
            inner = stack.pop()
            stack[-1].append(inner)
    return stack[0]


# call: mirrorTree(["a", ["b", "c"], "d"])
# call: mirrorTree([1, 2])
# call: mirrorTree([])
# call: mirrorTree([1, [2, [3, [4, 5], 6], 7], [8, 9]])
# call: mirrorTree(["ab", ("c", "d")])
# call: mirrorTree(5)
def mirrorTree(tree):
    return [mirrorTree(t) if isinstance(t, list) else t for t in tree[::-1]]


# call: swap_keys({"a": {"x": 1}, "b": {"x": 2}})
# call: swap_keys({"mon": {"tea": 1, "jam": 2}})
# call: swap_keys({})
# call: swap_keys({"ann": {"art": 1, "bio": 3}, "bob": {"bio": 2}, "cy": {"art": 4, "chem": 1, "bio": 5}})
# call: swap_keys({"a": {}})
# call: swap_keys({"a": [1]})
def swap_keys(table):
    turned = {}
    for outer, row in table.items():
        for inner, value in row.items():
            turned.setdefault(inner, {})[outer] = value
    return turned


# call: first_leaf([[["deep"]], "flat"])
# call: first_leaf(["a"])
# call: first_leaf([])
# call: first_leaf([[], [[], [[]]], [[], ["found", "later"]], "last"])
# call: first_leaf([[None], 1])
# call: first_leaf(("t",))
def first_leaf(tree, default=None):
    for part in tree:
        if not isinstance(part, list):
            return part
        leaf = first_leaf(part, default)
        if leaf is not default:
            return leaf
    return default


# call: ripple({"a": ["b"], "b": ["c"]}, "a")
# call: ripple({"root": ["l", "r"]}, "root")
# call: ripple({}, "solo")
# call: ripple({"r": ["s", "t"], "s": ["u", "v"], "t": ["w"], "w": ["x", "y", "z"]}, "r", limit=2)
# call: ripple({"a": []}, "a", limit=0)
# call: ripple({"a": [["b"]]}, "a")
from collections import deque


def ripple(children, root, limit=9):
    line = deque([(root, 0)])
    order = []
    while line:
        name, depth = line.popleft()
        order.append("%d%s" % (depth, name))
        if depth < limit:
            line.extend((kid, depth + 1) for kid in children.get(name, []))
    return order


# call: deep_get({"a": {"b": [10, 20]}}, "a", "b", 1)
# call: deep_get({"a": 1}, "b", default="none")
# call: deep_get({})
# call: deep_get({"shop": {"shelves": [{"nut": 4}, {"cap": [7, 8, 9]}]}}, "shop", "shelves", 1, "cap", -1)
# call: deep_get([1, 2], 5)
# call: deep_get({"a": 3}, "a", "b")
def deep_get(tree, *path, default=None):
    try:
        for step in path:
            tree = tree[step]
    except (KeyError, IndexError):
        return default
    return tree


# call: heap_shape([1, 2, 3, 4, 5])
# call: heap_shape(["a", "b"])
# call: heap_shape([])
# call: heap_shape(["ceo", "cto", "cfo", "dev", "ops", None, "tax", "new"])
# call: heap_shape([None, 1])
# call: heap_shape(7)
def heap_shape(row, at=0):
    if at >= len(row) or row[at] is None:
        return None
    left = heap_shape(row, 2 * at + 1)
    right = heap_shape(row, 2 * at + 2)
    return (row[at], left, right) if left or right else row[at]


# call: fold_up((1, [(2, []), (3, [])]), "sum")
# call: fold_up(("a", [("b", [])]), "count")
# call: fold_up((0, []), "sum")
# call: fold_up((5, [(4, [(9, [])]), (7, [(1, []), (8, [])])]), "most")
# call: fold_up((3, [(3, [])]), "keep")
# call: fold_up((1, [2]), "sum")
FOLDS = {
    "sum": lambda value, kids: value + sum(kids),
    "count": lambda value, kids: 1 + sum(kids),
    "most": lambda value, kids: max([value, *kids]),
    "keep": lambda value, kids: {value: kids},
}


def fold_up(tree, how):
    value, branches = tree
    combine = FOLDS[how]
    return combine(value, [fold_up(b, how) for b in branches])


# call: Member("oak", ["elm", "fir"]).outline()
# call: Member("a", [["b", "c"]]).outline()
# call: Member("").outline()
# call: Member("boss", [["ann", "cy", "dee"], ["bob", ["eve", "gus"], "hal"]]).outline()
# call: Member("x", [["x", "x"]]).outline("..")
# call: Member("a", [5]).outline()
class Member:
    def __init__(self, name, below=()):
        self.name = name
        self.below = []
        for part in below:
            if isinstance(part, str):
                self.below.append(Member(part))
            else:
                first, *rest = part
                self.below.append(Member(first, rest))

    def outline(self, indent="  "):
        lines = [self.name]
        for member in self.below:
            lines += [indent + line for line in member.outline(indent)]
        return lines


# call: flatten_keys({"a": {"b": 1}, "c": 2})
# call: flatten_keys({"x": {"y": {"z": 0}}}, "_")
# call: flatten_keys({})
# call: flatten_keys({"db": {"host": "h", "ports": [1, 2], "auth": {"user": "u", "key": None}}, "debug": False}, "-")
# call: flatten_keys({"a": {}, "b": {"c": {}}})
# call: flatten_keys({"a": {1: 2}})
def flatten_keys(tree, glue="."):
    flat = {}
    todo = [("", tree)]
    while todo:
        prefix, node = todo.pop()
        for key, value in node.items():
            if isinstance(value, dict):
                todo.append((prefix + key + glue, value))
            else:
                flat[prefix + key] = value
    return flat


# call: grow_tree(["a/b", "a/c"])
# call: grow_tree(["x"])
# call: grow_tree([])
# call: grow_tree(["src/main/app", "src/main/util", "src/test", "doc/guide/start", "doc", "src/main/app/x"])
# call: grow_tree(["/a//b/"])
# call: grow_tree(["a", 7])
def grow_tree(paths):
    root = {}
    for path in paths:
        node = root
        for part in path.split("/"):
            node[part] = node.get(part, {})
            node = node[part]
    return root


# call: in_out_numbers({"a": ["b", "c"]}, "a")
# call: in_out_numbers({"a": ["b"], "b": ["c"]}, "a")
# call: in_out_numbers({}, "one")
# call: in_out_numbers({"r": ["s", "t"], "s": ["u", "v"], "t": ["w"]}, "r")
# call: in_out_numbers({"a": ["b", "b"]}, "a")
# call: in_out_numbers({"a": [["b"]]}, "a")
def in_out_numbers(children, root):
    clock = 0
    times = {}

    def visit(name):
        nonlocal clock
        clock += 1
        entered = clock
        for child in children.get(name, ()):
            visit(child)
        clock += 1
        times[name] = (entered, clock)

    visit(root)
    return times


# call: drop_branch({"a": {"b": 1, "c": 2}}, "b")
# call: drop_branch({"x": 1}, "x")
# call: drop_branch({}, "q")
# call: drop_branch({"b": 1, "a": {"b": {"b": 2}, "d": {"e": {"b": 3, "f": 4}}}, "g": {"b": 5}}, "b")
# call: drop_branch({"a": {"b": 1}}, "z")
# call: drop_branch([{"b": 1}], "b")
def drop_branch(tree, name):
    removed = 0
    if name in tree:
        del tree[name]
        removed += 1
    for branch in tree.values():
        if isinstance(branch, dict):
            removed += drop_branch(branch, name)[1]
    return tree, removed


# call: alias_branches(2)
# call: alias_branches(1)
# call: alias_branches(0)
# call: alias_branches(4, "leaf")
# call: alias_branches(-1)
# call: alias_branches("2")
def alias_branches(count, mark="x"):
    twig = []
    shared = [twig for _ in range(count)]
    separate = [[] for _ in range(count)]
    for i in range(count):
        shared[i].append(f"{mark}{i}")
        separate[i].append(f"{mark}{i}")
    return shared, separate, twig


# call: breadcrumbs({"home": {"shop": {"cart": {}}}}, "cart")
# call: breadcrumbs({"a": {}, "b": {"c": {}}}, "c")
# call: breadcrumbs({}, "x")
# call: breadcrumbs({"home": {"news": {"2023": {}, "2024": {"may": {}}}, "about": {"team": {}}}, "admin": {}}, "may")
# call: breadcrumbs({"a": {"b": {}}}, "z")
# call: breadcrumbs({"a": 1}, "b")
def breadcrumbs(site, page):
    for name, below in site.items():
        if name == page:
            return [name]
        if trail := breadcrumbs(below, page):
            return [name, *trail]
    return []


# call: lazy_walk({"a": {"b": 1}, "c": 2}, 2)
# call: lazy_walk({"a": 1}, 5)
# call: lazy_walk({}, 1)
# call: lazy_walk({"a": {"b": {"c": 1, "d": 2}, "e": 3}, "f": {"g": {"h": 4}}}, 6)
# call: lazy_walk({"a": {"b": 1}}, 0)
# call: lazy_walk({"a": 1}, -1)
from itertools import islice


def walk_nodes(tree, level=0):
    for name, below in tree.items():
        yield f"{level}{name}"
        if isinstance(below, dict):
            yield from walk_nodes(below, level + 1)


def lazy_walk(tree, most):
    nodes = walk_nodes(tree)
    first = list(islice(nodes, most))
    return first, next(nodes, "done")


# call: tree_map({"a": 1, "b": [2, 3]}, 10)
# call: tree_map([1, (2, 3)], 2)
# call: tree_map({}, 5)
# call: tree_map({"x": [1, {"y": 2, "z": [3, (4, "s")]}], "w": 1.5, "v": None}, 3)
# call: tree_map("leaf", 2)
# call: tree_map([[], {}], "a")
def tree_map(tree, factor):
    match tree:
        case dict():
            return {k: tree_map(v, factor) for k, v in tree.items()}
        case list() | tuple():
            return type(tree)(tree_map(v, factor) for v in tree)
        case int() | float():
            return tree * factor
        case _:
            return tree


# call: zip_trees([1, [2]], [10, [20]])
# call: zip_trees(["a"], ["b"])
# call: zip_trees([], [])
# call: zip_trees([1, [2, [3, 4]], 5], ["a", ["b", ["c"]], "e", "f"])
# call: zip_trees([1, [2]], [1, 2])
# call: zip_trees([1], None)
def zip_trees(one, two):
    paired = []
    for a, b in zip(one, two):
        if isinstance(a, list) and isinstance(b, list):
            paired.append(zip_trees(a, b))
        elif isinstance(a, list) or isinstance(b, list):
            paired.append("?")
        else:
            paired.append((a, b))
    return paired


# call: menu_choice({"file": {"new": "doc", "quit": None}}, "12")
# call: menu_choice({"a": "x", "b": "y"}, "2")
# call: menu_choice({}, "")
# call: menu_choice({"file": {"open": {"pdf": 1, "txt": 2, "odt": 3}, "save": 4}, "edit": {"cut": 5, "copy": 6}}, "113")
# call: menu_choice({"a": {"b": 1}}, "1")
# call: menu_choice({"a": 1}, "3")
def menu_choice(menu, keys):
    chosen = []
    for key in keys:
        names = list(menu)
        name = names[int(key) - 1]
        chosen.append(name)
        menu = menu[name]
        if not isinstance(menu, dict):
            return "/".join(chosen), menu
    return "/".join(chosen), sorted(menu)


# call: nested_total({"rent": 500, "food": {"bread": 3, "tea": 4}})
# call: nested_total({"a": 1})
# call: nested_total({})
# call: nested_total({"house": {"rent": 700, "power": {"gas": 60, "light": 41}}, "fun": {"book": 12, "film": 9}, "misc": 5})
# call: nested_total({"a": {}, "b": {"c": 0}})
# call: nested_total({"a": "1"})
def nested_total(costs):
    report = {}
    total = 0
    for name, cost in costs.items():
        if isinstance(cost, dict):
            cost, inner = nested_total(cost)
            report[name] = (cost, inner)
        else:
            report[name] = cost
        total += cost
    return total, report


# call: unflatten([(0, "a"), (1, "b"), (1, "c")])
# call: unflatten([(0, "x"), (0, "y")])
# call: unflatten([])
# call: unflatten([(0, "a"), (1, "b"), (2, "c"), (2, "d"), (1, "e"), (0, "f"), (1, "g"), (2, "h")])
# call: unflatten([(0, "a"), (2, "b")])
# call: unflatten([(1, "a")])
def unflatten(rows):
    top = {}
    at_level = [top]
    for level, name in rows:
        del at_level[level + 1:]
        fresh = {}
        at_level[level][name] = fresh
        at_level.append(fresh)
    return top


# call: longest_words([["tea", "milk"], "jam"])
# call: longest_words(["one"])
# call: longest_words([])
# call: longest_words([["oak", ["willow", "ash"]], [["elm"], "sycamore"], "fir", [[], ["hornbeam", "yew"]]])
# call: longest_words([["aa", "bb"], "cc"])
# call: longest_words([["a", 5]])
def longest_words(tree):
    best = []
    for part in tree:
        found = [part] if isinstance(part, str) else longest_words(part)
        if not found:
            continue
        if not best or len(found[0]) > len(best[0]):
            best = found
        elif len(found[0]) == len(best[0]):
            best = best + found
    return best


# call: to_xml({"a": {"b": 1}})
# call: to_xml({"p": "hi", "q": 2})
# call: to_xml({})
# call: to_xml({"list": {"item": ["x", "y"], "size": 2}, "end": None, "deep": {"er": {"est": True}}})
# call: to_xml({"a": []})
# call: to_xml(["a"])
def to_xml(tree):
    parts = []
    for tag, content in tree.items():
        many = content if isinstance(content, list) else [content]
        for one in many:
            if one is None:
                parts.append(f"<{tag}/>")
                continue
            inner = to_xml(one) if isinstance(one, dict) else str(one)
            parts.append(f"<{tag}>{inner}</{tag}>")
    return "".join(parts)


# call: split_evenly([1, 2, 3, 4])
# call: split_evenly(["a", "b", "c"])
# call: split_evenly([9])
# call: split_evenly([3, 1, 4, 1, 5, 9, 2, 6, 5, 3])
# call: split_evenly([])
# call: split_evenly("abcde")
def split_evenly(row):
    if len(row) <= 2:
        return row
    middle = len(row) // 2
    return [split_evenly(row[:middle]), split_evenly(row[middle:])]


# call: leaky_collect([1, [2]])
# call: leaky_collect(["a"])
# call: leaky_collect([])
# call: leaky_collect([1, [2, [3, [4]]], [5, 6], 7])
# call: leaky_collect([[[]]])
# call: leaky_collect(3)
def gather(tree, found=[]):
    for part in tree:
        if isinstance(part, list):
            gather(part)
        else:
            found.append(part)
    return found


def leaky_collect(tree):
    gather.__defaults__[0].clear()
    first = gather(tree)
    size = len(first)
    second = gather(tree)
    return size, second, first is second


# call: replace_leaves([1, [2, 1]], {1: "one"})
# call: replace_leaves(["a", "b"], {})
# call: replace_leaves([], {1: 2})
# call: replace_leaves([1, [2, [3, [1, 2]], 3], [[2]], 1], {1: [9], 2: None, 3: 1})
# call: replace_leaves([1], {1: [1]})
# call: replace_leaves([{}], {1: 2})
def replace_leaves(tree, table):
    count = 0
    for i, part in enumerate(tree):
        if isinstance(part, list):
            count += replace_leaves(part, table)[1]
        elif part in table:
            tree[i] = table[part]
            count += 1
    return tree, count


# call: indent_to_tree("a\n b\n c")
# call: indent_to_tree("x\ny")
# call: indent_to_tree("")
# call: indent_to_tree("farm\n barn\n  cow\n  hen\n field\n  wheat\n   mouse\ntown")
# call: indent_to_tree("a\n   b")
# call: indent_to_tree(["a"])
def indent_to_tree(text):
    def level(line):
        return len(line) - len(line.lstrip())

    def build(lines):
        tree = {}
        while lines:
            head, *lines = lines
            inner = []
            while lines and level(lines[0]) > level(head):
                inner.append(lines.pop(0))
            tree[head.strip()] = build(inner)
        return tree

    return build([line for line in text.split("\n") if line.strip()])


# call: loosely_equal([1, [2, 3]], [1, [3, 2]])
# call: loosely_equal(["a"], ["a"])
# call: loosely_equal([], [])
# call: loosely_equal([1, [2, [3, 4]], [5]], [[5], [[4, 3], 2], 1])
# call: loosely_equal([1, [1]], [[1, 1]])
# call: loosely_equal([1], 1)
def loosely_equal(left, right):
    """Equal when the order of branches does not count."""
    if not isinstance(left, list) or not isinstance(right, list):
        return left == right
    rest = right[:]
    for branch in left:
        for i, other in enumerate(rest):
            if loosely_equal(branch, other):
                del rest[i]
                break
        else:
            return False
    return not rest


# call: letters_by_depth("((a)b)")
# call: letters_by_depth("a(b)")
# call: letters_by_depth("")
# call: letters_by_depth("root(left(x y)right(z(deep)))end")
# call: letters_by_depth("()()")
# call: letters_by_depth("a))b")
def letters_by_depth(text):
    rows = {}
    open_branches = []
    for position, c in enumerate(text):
        if c == "(":
            open_branches.append(position)
        elif c == ")":
            start = open_branches.pop()
            rows.setdefault("ends", {})[start] = position
        elif c.isalpha():
            depth = len(open_branches)
            rows[depth] = rows.get(depth, "") + c
    return rows


# call: trim_depth([1, [2, [3]]], 2)
# call: trim_depth(["a", ["b"]], 1)
# call: trim_depth([], 3)
# call: trim_depth([1, [2, [3, [4, 5], 6], [7]], [[8, [9]]]], 3)
# call: trim_depth([[1], [2]], 0)
# call: trim_depth([1, [2]], None)
def trim_depth(tree, most):
    if most <= 0:
        return f"({len(tree)} more)"
    return [trim_depth(part, most - 1) if isinstance(part, list) else part for part in tree]


# call: owner_chain({"cup": "shelf", "shelf": "room"}, "cup", "room")
# call: owner_chain({"cup": "shelf"}, "shelf", "cup")
# call: owner_chain({}, "a", "a")
# call: owner_chain({"pen": "case", "case": "bag", "bag": "car", "cap": "bag", "car": "garage"}, "pen", "cap")
# call: owner_chain({"a": "x", "b": "y"}, "a", "b")
# call: owner_chain({"a": "b"}, ["a"], "b")
def owner_chain(inside, one, two):
    def chain(thing):
        while thing is not None:
            yield thing
            thing = inside.get(thing)

    first = list(chain(one))
    for steps, place in enumerate(chain(two)):
        if place in first:
            return place, first.index(place), steps
    return None


# call: crown_of(["owl<bird<animal", "cat<animal"])
# call: crown_of(["a<b"])
# call: crown_of([])
# call: crown_of(["tree<plant<life", "fern<plant", "bird<animal<life", "stone", "oak<tree", "wren<bird"])
# call: crown_of(["a<b", "b<a"])
# call: crown_of(["a<b", None])
def crown_of(chains):
    """Names that stand below nothing, with the number of names in the tree."""
    lower, known = set(), set()
    for chain in chains:
        *under, top = chain.split("<")
        lower.update(under)
        known |= {top, *under}
    return sorted(known - lower), len(known)


# call: from_below(["a", ["b", "c"], "d"])
# call: from_below([1])
# call: from_below([])
# call: from_below(["top", ["mid", ["low", ["deep"]], "mid2"], "top2", ["m3"]])
# call: from_below([[[]]])
# call: from_below(["a", ("b", ["c"])])
def rising(tree):
    """The inner lists first, then the names beside them."""
    for part in tree:
        if isinstance(part, list):
            yield from rising(part)
    for part in tree:
        if not isinstance(part, list):
            yield part


def from_below(tree):
    return [f"{n}.{name}" for n, name in enumerate(rising(tree), 1)]


# call: Thicket({"a": {"b": {}}, "c": {}}).survey()
# call: Thicket({"x": {}}).survey()
# call: Thicket({}).survey()
# call: Thicket({"oak": {"limb": {"twig": {"leaf": {}}, "nest": {}}}, "elm": {"limb": {}}, "fir": {}}).survey()
# call: Thicket({"a": {"a": {"a": {}}}}).survey()
# call: Thicket({"a": 1}).survey()
class Thicket:
    def __init__(self, tree):
        self.tree = tree

    def __iter__(self):
        for name, below in self.tree.items():
            yield name, 0
            for inner, depth in Thicket(below):
                yield f"{name}/{inner}", depth + 1

    def __len__(self):
        return sum(1 for _ in self)

    def survey(self):
        deepest = max(self, key=lambda pair: pair[1], default=None)
        return len(self), deepest, [name for name, depth in self if depth == 0]


# call: running_depths("((.)(.))")
# call: running_depths("(.)")
# call: running_depths("")
# call: running_depths("(((.).)(..((.)))).")
# call: running_depths(")(")
# call: running_depths("(a)")
def depths(shape):
    level = 0
    for sign in shape:
        match sign:
            case "(":
                level += 1
            case ")":
                level -= 1
            case ".":
                got = yield level
                if got == "stop":
                    return
            case _:
                raise ValueError(f"what is {sign}?")


def running_depths(shape):
    walker = depths(shape)
    seen = []
    for level in walker:
        seen.append(level)
        if level >= 4:
            walker.close()
    return seen, max(seen, default=-1)


# call: print_tree({"a": {"b": {}, "c": {}}})
# call: print_tree({"x": {}, "y": {}})
# call: print_tree({})
# call: print_tree({"src": {"app": {"main": {}, "util": {}}, "test": {}}, "doc": {"guide": {}}})
# call: print_tree({"a": {"a": {}}}, "~")
# call: print_tree({"a": None})
def print_tree(tree: dict, prefix: str = "") -> int:
    count = 0
    last = len(tree) - 1
    for i, (name, below) in enumerate(tree.items()):
        corner = "`-" if i == last else "|-"
        print(prefix + corner + name)
        count += 1 + print_tree(below, prefix + ("  " if i == last else "| "))
    return count
