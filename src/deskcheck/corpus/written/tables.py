# call: left_join([{"id": 1, "who": "Ann"}, {"id": 2, "who": "Bo"}], {1: "north"})
# call: left_join([{"id": 7, "who": "Cy"}], {})
# call: left_join([], {1: "x"})
# call: left_join([{"id": 1, "who": "a"}, {"id": 3, "who": "b"}, {"id": 2, "who": "c"}, {"id": 1, "who": "d"}], {1: "east", 2: "west"})
# call: left_join([{"id": None, "who": "x"}], {None: "void"})
# call: left_join([{"who": "x"}], {1: "y"})
def left_join(people, regions):
    return [{**row, "region": regions.get(row["id"], "-")} for row in people]


# call: pivot([("Mon", "tea", 3), ("Tue", "tea", 1), ("Mon", "rum", 2)])
# call: pivot([("Mon", "tea", 3), ("Mon", "tea", 4)])
# call: pivot([])
# call: pivot([("q1", "a", 5), ("q2", "b", 7), ("q1", "b", 1), ("q3", "a", 2), ("q2", "a", 9), ("q3", "c", 4)])
# call: pivot([(1, 2, -3)])
# call: pivot([("Mon", "tea")])
def pivot(cells):
    rows, columns = {}, []
    for row, column, value in cells:
        if column not in columns:
            columns.append(column)
        rows.setdefault(row, {})
        rows[row][column] = rows[row].get(column, 0) + value
    return [["", *columns]] + [[name, *(row.get(c, 0) for c in columns)] for name, row in rows.items()]


# call: quoted_cells(["a", "b,c", 3])
# call: quoted_cells(['say "hi"', ""])
# call: quoted_cells([])
# call: quoted_cells(["plain", "two words", "semi;colon", 'q"q', "x,y,z", 4.5, None, True])
# call: quoted_cells([","], ";")
# call: quoted_cells(5)
def quoted_cells(fields, sep=","):
    cells = []
    for field in fields:
        text = "" if field is None else str(field)
        if sep in text or '"' in text:
            text = '"' + text.replace('"', '""') + '"'
        cells.append(text)
    return sep.join(cells)


# call: read_csv_line('a,"b,c",3')
# call: read_csv_line("one")
# call: read_csv_line("")
# call: read_csv_line('id,"last, first","said ""no""",,7')
# call: read_csv_line('"open,end')
# call: read_csv_line(None)
def read_csv_line(line):
    fields, cell, quoted, i = [], "", False, 0
    while i < len(line):
        ch = line[i]
        if ch == '"':
            if quoted and line[i + 1:i + 2] == '"':
                cell += '"'
                i += 1
            else:
                quoted = not quoted
        elif ch == "," and not quoted:
            fields.append(cell)
            cell = ""
        else:
            cell += ch
        i += 1
    fields.append(cell)
    return fields


# call: sort_rows([("b", 2), ("a", 2), ("c", 9)])
# call: sort_rows([("x", 1)])
# call: sort_rows([])
# call: sort_rows([("pear", 3), ("fig", 12), ("plum", 3), ("kiwi", 12), ("date", 0), ("lime", 3)])
# call: sort_rows([("b", 1), ("B", 1), ("a", 1)])
# call: sort_rows([("b", 2), ("a", "2")])
def sort_rows(rows):
    longest = max((len(name) for name, _ in rows), default=0)
    rows.sort(key=lambda r: (-r[1], len(r[0]), r[0]))
    lines = []
    for name, amount in rows:
        dots = "." * (longest + 2 - len(name))
        lines.append(name + dots + str(amount))
    return lines


# call: order_by([{"n": "x", "v": 2}, {"n": "y", "v": 1}], "v")
# call: order_by([{"n": "x", "v": 2}, {"n": "y", "v": 1}], "-n")
# call: order_by([], "n", "v")
# call: order_by([{"c": 1, "d": 5}, {"c": 2, "d": 5}, {"c": 1, "d": 9}, {"c": 2, "d": 0}], "c", "-d")
# call: order_by([{"n": 3}, {"n": 1}])
# call: order_by([{"n": 3}, {"m": 1}], "n")
def order_by(rows, *keys):
    out = list(rows)
    for key in reversed(keys):
        down = key.startswith("-")
        out.sort(key=lambda row: row[key.lstrip("-")], reverse=down)
    return out


# call: column([{"a": 1, "b": 2}, {"a": 3}], "b")
# call: column([{"a": 1}], "a")
# call: column([], "a")
# call: column([{"kg": 4}, {"kg": 9}, {}, {"kg": None}, {"kg": 2}, {"g": 300}], "kg", default=0)
# call: column([{"a": []}, {}], "a", default=[])
# call: column(["row"], "a")
def column(rows, name, default=None):
    values = [row.get(name, default) for row in rows]
    filled = sum(v is not default for v in values)
    return values, f"{filled}/{len(values)}"


# call: Sheet(["A", "B"]).add(1, 2).add(3, 4).total("B")
# call: Sheet(["n"]).add(5).total("n")
# call: Sheet(["n"]).total("n")
# call: Sheet(["x", "y", "z"]).add(1, 2, 3).add(4, 5, 6).add(7, 8, 9).add(10, 11, 12).total("y")
# call: Sheet(["A", "B"]).add(1).total("A")
# call: Sheet(["A"]).add(1).total("C")
class Sheet:
    def __init__(self, header):
        self.header = header
        self.rows = []

    def add(self, *cells):
        if len(cells) != len(self.header):
            cells += (0,) * (len(self.header) - len(cells))
        self.rows.append(cells)
        return self

    def total(self, name):
        at = self.header.index(name)
        return sum(row[at] for row in self.rows), len(self.rows)


# call: group_rows([("red", 1), ("blue", 2), ("red", 5)])
# call: group_rows([("x", 0)])
# call: group_rows([])
# call: group_rows([("n", 4), ("s", 2), ("n", 8), ("e", 1), ("s", 2), ("n", 6), ("w", 10), ("e", 3)])
# call: group_rows([("a", -1), ("a", 1)])
# call: group_rows([("a", 1), (["b"], 2)])
def group_rows(rows):
    groups = {}
    for key, value in rows:
        groups[key] = groups.get(key, ()) + (value,)
    stats = {}
    for key in sorted(groups):
        values = groups[key]
        stats[key] = {"n": len(values), "span": max(values) - min(values), "last": values[-1]}
    return stats


# call: text_table([["id", "name"], [1, "Ann"], [22, "Bo"]])
# call: text_table([["x"]])
# call: text_table([])
# call: text_table([["item", "qty", "price"], ["apple", 12, 0.5], ["fig", 3, 1.25], ["watermelon", 1, 10]])
# call: text_table([["a", "b"], ["c"]])
# call: text_table([["a"], 5])
def text_table(rows):
    cells = [[str(c) for c in row] for row in rows]
    widths = [max(map(len, col)) for col in zip(*cells)]
    lines = []
    for row in cells:
        lines.append(" | ".join(c.ljust(w) for c, w in zip(row, widths)).rstrip())
    if lines:
        lines.insert(1, "-+-".join("-" * w for w in widths))
    return lines


# call: flip([["a", 1], ["b", 2], ["c", 3]])
# call: flip([[1]])
# call: flip([])
# call: flip([["day", "mon", "tue", "wed"], ["low", -1, 2, 0], ["high", 5]])
# call: flip([[], []])
# call: flip([[1, 2], None])
def flip(rows, fill="?"):
    wide = max((len(r) for r in rows), default=0)
    turned = []
    for c in range(wide):
        line = []
        for row in rows:
            line.append(row[c] if c < len(row) else fill)
        turned.append(line)
    return turned


# call: inner_pairs([(1, "a"), (2, "b")], [(2, "x"), (2, "y"), (3, "z")])
# call: inner_pairs([(1, "a")], [(1, "x")])
# call: inner_pairs([], [(1, "x")])
# call: inner_pairs([(1, "a"), (2, "b"), (2, "c"), (4, "d")], [(2, "x"), (4, "y"), (2, "z"), (5, "w"), (1, "v")])
# call: inner_pairs([(0, "a")], [(False, "no"), (0.0, "zero")])
# call: inner_pairs([(1, "a")], [(1, "x"), 2])
def inner_pairs(left, right):
    joined = []
    unused = set(range(len(right)))
    for key, a in left:
        for number, (other, b) in enumerate(right):
            if key == other:
                joined.append((key, a, b))
                unused.discard(number)
    return joined, unused


# call: unmatched({1, 2, 3}, {2, 3, 4})
# call: unmatched({"a"}, {"a"})
# call: unmatched(set(), set())
# call: unmatched({10, 20, 30, 40, 50, 60}, {15, 20, 45, 60, 75})
# call: unmatched({1}, {2})
# call: unmatched([1], {2})
def unmatched(orders, invoices):
    both = orders & invoices
    return {
        "no invoice": sorted(orders - invoices),
        "no order": sorted(invoices - orders),
        "matched": f"{len(both)} of {len(orders | invoices)}",
    }


# call: running_balance([("rent", -700), ("wage", 2100), ("food", -85)])
# call: running_balance([("gift", 20)], 5)
# call: running_balance([])
# call: running_balance([("a", 10), ("b", -30), ("c", 5), ("d", 5), ("e", 100), ("f", -40), ("g", -60)], 10)
# call: running_balance([("a", 0)], -1)
# call: running_balance([("a", None)])
def running_balance(rows, balance=0):
    table = []
    for label, amount in rows:
        balance += amount
        debit = "" if amount >= 0 else -amount
        credit = amount if amount > 0 else ""
        table.append((label, debit, credit, balance))
    return table


# call: histogram_rows([3, 7, 12, 14], 5)
# call: histogram_rows([1], 10)
# call: histogram_rows([], 5)
# call: histogram_rows([2, 38, 17, 24, 9, 11, 29, 31, 12, 19, 8, 15], 10)
# call: histogram_rows([-1, -6, 4], 5)
# call: histogram_rows([1], 0)
def histogram_rows(values, width):
    bins = {}
    for v in values:
        start = v // width * width
        bins[start] = bins.get(start, "") + "*"
    return [f"{b:>4} to {b + width - 1:<4} {bins[b]}" for b in sorted(bins)]


# call: dedupe([("ann", 3), ("bo", 1), ("ann", 9)])
# call: dedupe([("x", 1), ("x", 1)])
# call: dedupe([])
# call: dedupe([("k1", 5), ("k2", 8), ("k1", 2), ("k3", 8), ("k2", 9), ("k1", 7), ("k4", 0)])
# call: dedupe([("a", 1), ("A", 2)], keep="first")
# call: dedupe([("a", 1), ("a", 2)], keep="newest")
def dedupe(rows, keep="last"):
    if keep not in ("first", "last"):
        raise ValueError(f"keep={keep!r}")
    kept = {}
    for key, value in rows if keep == "last" else rows[::-1]:
        kept.pop(key, None)
        kept[key] = value
    return list(kept.items())


# call: parse_table("a|b\n1|2\n3|4")
# call: parse_table("n\n5")
# call: parse_table("")
# call: parse_table("item|qty|note\nnut|40|\nbolt|12|long\n\ngear|x|bent\n")
# call: parse_table("a|b\n1")
# call: parse_table(b"a|b")
def parse_table(text):
    header, columns = None, {}
    for line in text.splitlines():
        if line.strip() == "":
            continue
        cells = line.split("|")
        if header is None:
            header = cells
            columns = {name: [] for name in header}
            continue
        for name, cell in zip(header, cells):
            columns[name].append(int(cell) if cell.isdigit() else cell)
    return columns


# call: top_per_group([("a", "x", 4), ("a", "y", 9), ("b", "z", 1)])
# call: top_per_group([("g", "only", 0)])
# call: top_per_group([])
# call: top_per_group([("oslo", "p", 3), ("bern", "q", 8), ("oslo", "r", 3), ("bern", "s", 9), ("rome", "t", 5), ("oslo", "u", 2)])
# call: top_per_group([("a", "x", None)])
# call: top_per_group([("a", "x", 1), ("a", "y", "2")])
def top_per_group(rows):
    best = {}
    for group, name, score in rows:
        current = best.get(group)
        if current is None or score > current[1]:
            best[group] = (name, score)
    return best


# call: melt({"id": 7, "jan": 3, "feb": 5})
# call: melt({"id": 1})
# call: melt({"id": None, "x": None})
# call: melt({"id": "k", "mon": 1, "tue": None, "wed": 0, "thu": 4, "fri": None, "sat": 2})
# call: melt({"name": "a", "x": 1}, key="name")
# call: melt({"x": 1})
def melt(record, key="id"):
    ident = record.pop(key)
    long, empty = [], 0
    while record:
        name, value = record.popitem()
        if value is None:
            empty += 1
        else:
            long.insert(0, (ident, name, value))
    return long, empty


# call: spread([(1, "h", 180), (1, "w", 70), (2, "h", 165)])
# call: spread([(1, "h", 1)])
# call: spread([])
# call: spread([("a", "x", 1), ("b", "y", 2), ("a", "z", 3), ("c", "x", 4), ("b", "x", 5), ("a", "x", 6)])
# call: spread([(1, "id", 99)])
# call: spread([(1, "h")])
def spread(triples):
    records = {}
    for ident, name, value in triples:
        record = records.setdefault(ident, {"id": ident})
        if name in record and name != "id":
            record[name + "_old"] = record[name]
        record[name] = value
    return list(records.values())


# call: crosstab(["yes", "no", "yes"], ["m", "f", "f"])
# call: crosstab(["a"], ["b"])
# call: crosstab([], [])
# call: crosstab(["a", "a", "b", "b", "c", "a", "b"], ["x", "y", "x", "y", "x", "x", "y"])
# call: crosstab(["a", "b"], ["x"])
# call: crosstab(["a", 1], ["x", "y"])
def crosstab(rows, cols):
    from collections import Counter
    pairs = Counter(zip(rows, cols))
    names = sorted(set(cols))
    body = {r: [pairs[r, c] for c in names] for r in sorted(set(rows))}
    return names, body


# call: fill_down(["A", "", "", "B", ""])
# call: fill_down(["", "x"])
# call: fill_down([])
# call: fill_down(["north", None, "", "south", "", "east", None, None, "west", ""])
# call: fill_down([0, "", 5])
# call: fill_down(None)
def fill_down(cells):
    last = None
    for i, cell in enumerate(cells):
        if cell in ("", None):
            cells[i] = last
        else:
            last = cell
    return cells


# call: diff_rows({"a": 1, "b": 2}, {"b": 3, "c": 4})
# call: diff_rows({"a": 1}, {"a": 1})
# call: diff_rows({}, {})
# call: diff_rows({"id": 4, "qty": 10, "place": "A1", "note": None}, {"id": 4, "qty": 8, "place": "A2", "who": "bo", "note": ""})
# call: diff_rows({"x": 1}, {"x": True})
# call: diff_rows({"x": 1}, ["x"])
def diff_rows(old, new):
    changes = []
    for key in sorted(old.keys() | new.keys()):
        match (key in old, key in new):
            case (True, False):
                changes.append(f"-{key}")
            case (False, True):
                changes.append(f"+{key}={new[key]}")
            case _ if old[key] != new[key]:
                changes.append(f"{key}: {old[key]} -> {new[key]}")
    return changes


# call: eval_cells({"A1": 2, "A2": "A1", "A3": ("A1", "A2")}, "A3")
# call: eval_cells({"A1": 5}, "A1")
# call: eval_cells({}, "A1")
# call: eval_cells({"A1": 3, "B1": ("A1", "A1"), "C1": ("B1", "A1", "B1"), "D1": ("C1", "E9"), "E9": "B1"}, "D1")
# call: eval_cells({"A1": ()}, "A1")
# call: eval_cells({"A1": "A2", "A2": "A1"}, "A1")
def eval_cells(sheet, ref, busy=()):
    if ref in busy:
        raise RecursionError(" > ".join(busy + (ref,)))
    cell = sheet.get(ref, 0)
    if isinstance(cell, str):
        return eval_cells(sheet, cell, busy + (ref,))
    if isinstance(cell, tuple):
        return sum(eval_cells(sheet, c, busy + (ref,)) for c in cell)
    return cell


# call: where([{"a": 1}, {"a": 2}], a=2)
# call: where([{"a": 1, "b": 1}, {"a": 1, "b": 2}], a=1, b=1)
# call: where([])
# call: where([{"k": "x", "n": 1}, {"k": "y", "n": 1}, {"k": "x", "n": 2}, {"n": 1}, {"k": "x", "n": 1.0}], k="x", n=1)
# call: where([{"a": None}, {}], a=None)
# call: where([{"a": 1}, 5], a=1)
def where(rows, **wanted):
    hits = []
    for number, row in enumerate(rows):
        if all(row.get(k) == v for k, v in wanted.items()):
            hits.append(number)
    return hits


# call: subtotals([("fruit", 3), ("fruit", 4), ("veg", 2)])
# call: subtotals([("a", 1), ("b", 2), ("a", 3)])
# call: subtotals([])
# call: subtotals([("x", 1), ("x", 2), ("y", 3), ("y", 4), ("y", 5), ("z", 6), ("x", 7)])
# call: subtotals([("a", 0)])
# call: subtotals([("a", 1), ("a",)])
def subtotals(rows):
    from itertools import groupby
    from operator import itemgetter
    lines, grand = [], 0
    for name, group in groupby(rows, key=itemgetter(0)):
        part = sum(map(itemgetter(1), group))
        grand += part
        lines.append((name, part))
    lines.append(("total", grand))
    return lines


# call: paginate(["a", "b", "c", "d", "e"], 2, 2)
# call: paginate(["a"], 1, 10)
# call: paginate([], 1, 3)
# call: paginate([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], 4, 3)
# call: paginate(["a", "b"], 5, 1)
# call: paginate(["a", "b"], 1, 0)
def paginate(rows, page, size):
    pages = (len(rows) + size - 1) // size
    page = min(max(page, 1), pages or 1)
    start = (page - 1) * size
    return {"rows": rows[start:start + size], "page": f"{page}/{pages}", "more": page < pages}


# call: rename_columns([{"Nm": "ann", "Ag": 4}], {"Nm": "name"})
# call: rename_columns([{"a": 1, "b": 2}], {"a": "b"})
# call: rename_columns([], {"a": "b"})
# call: rename_columns([{"a": 1, "b": 2}, {"b": 3}, {"c": 4, "a": 5}], {"a": "x", "b": "y", "z": "w"})
# call: rename_columns([{"a": 1}], {})
# call: rename_columns([{"a": 1}], ["a"])
def rename_columns(rows, names):
    for row in rows:
        for old, new in names.items():
            if old in row:
                row[new] = row.pop(old)
    return rows


# call: weighted([("math", 1.3, 4), ("art", 2.0, 1)])
# call: weighted([("x", 3, 1)])
# call: weighted([])
# call: weighted([("a", 1.0, 3), ("b", 2.7, 2), ("c", 1.7, 6), ("d", 3.3, 1), ("e", 2.0, 4)])
# call: weighted([("a", 5, 0)])
# call: weighted([("a", "5", 0.5)])
def weighted(marks):
    top = bottom = 0
    for subject, mark, weight in marks:
        top += mark * weight
        bottom += weight
    return f"{top / bottom:.2f}" if bottom else "no marks"


# call: Row(a=1, b=2).pick("b")
# call: Row(a=1).merge(Row(a=5, c=2)).pick("a", "c")
# call: Row().pick()
# call: Row(x=1, y=2).merge(Row(z=3)).merge(Row(y=9)).pick("z", "y", "x")
# call: Row(a=1).pick("zz")
# call: Row(a=1).merge(None).pick("a")
class Row:
    def __init__(self, **cells):
        self.__dict__.update(cells)

    def merge(self, other):
        return Row(**{**vars(self), **vars(other)})

    def __getattr__(self, name):
        return "no " + name

    def pick(self, *names):
        return tuple(getattr(self, n) for n in names)


# call: validate_shape([[1, 2], [3, 4]])
# call: validate_shape([["a"]])
# call: validate_shape([])
# call: validate_shape([[1, 2, 3], [4, 5], [6, 7, 8], [9], [10, 11, 12], []])
# call: validate_shape([[], []])
# call: validate_shape([[1], 2])
def validate_shape(rows):
    lengths = [len(r) for r in rows]
    if len(set(lengths)) <= 1:
        return (len(rows), lengths[0] if lengths else 0)
    usual = max(set(lengths), key=lengths.count)
    return {n: length - usual for n, length in enumerate(lengths, 1) if length != usual}


# call: percent_columns({"rent": 700, "food": 300})
# call: percent_columns({"a": 1, "b": 1, "c": 1})
# call: percent_columns({})
# call: percent_columns({"wood": 12.5, "glass": 30, "steel": 41.25, "clay": 7, "rope": 0, "paint": 9.25})
# call: percent_columns({"a": 0})
# call: percent_columns({"a": "1"})
def percent_columns(costs):
    total = sum(costs.values())
    shares = {k: round(100 * v / total) for k, v in costs.items()}
    off = 100 - sum(shares.values())
    if shares and off:
        largest = max(shares, key=shares.get)
        shares[largest] += off
    return shares


# call: lookup_band(37, [(0, "S"), (20, "M"), (50, "L")])
# call: lookup_band(20, [(0, "S"), (20, "M")])
# call: lookup_band(1, [])
# call: lookup_band(88.5, [(0, "A"), (10, "B"), (25, "C"), (60, "D"), (85, "E"), (100, "F")])
# call: lookup_band(-3, [(0, "S"), (20, "M")])
# call: lookup_band("m", [(0, "S"), (20, "M")])
def lookup_band(value, bands):
    from bisect import bisect_right
    at = bisect_right([least for least, _ in bands], value)
    return bands[at - 1][1] if at else None


# call: stack([{"a": 1}, {"b": 2}])
# call: stack([{"a": 1}], [{"a": 2}])
# call: stack()
# call: stack([{"id": 1, "x": 5}, {"id": 2}], [], [{"id": 3, "y": 6}], [{"x": 7, "id": 4}])
# call: stack([{}])
# call: stack([{"a": 1}], 5)
def stack(*tables):
    columns = list({name: None for table in tables for row in table for name in row})
    return columns, [[row.get(c) for c in columns] for table in tables for row in table]


# call: moving_rows([("jan", 4), ("feb", 6), ("mar", 11)])
# call: moving_rows([("jan", 4)])
# call: moving_rows([])
# call: moving_rows([("a", 10), ("b", 12), ("c", 9), ("d", 9), ("e", 18), ("f", 0), ("g", 5)])
# call: moving_rows([("a", 0), ("b", 3)])
# call: moving_rows([("a", 1), ("b", None)])
def moving_rows(rows):
    out = []
    previous = None
    for month, value in rows:
        if previous is None:
            note = "start"
        elif previous == 0:
            note = "n/a"
        else:
            note = f"{(value - previous) / previous:+.1%}"
        out.append(f"{month}:{note}")
        previous = value
    return out


# call: mark_changes([(1, "a"), (1, "b"), (2, "b")])
# call: mark_changes([("x",)])
# call: mark_changes([])
# call: mark_changes([("N", 1, 5), ("N", 1, 7), ("S", 1, 7), ("S", 2, 0), ("S", 2, 0), ("N", 2, 9)])
# call: mark_changes([(1,), (1, 2)])
# call: mark_changes([1, 2])
def mark_changes(rows):
    shown, above = [], ()
    for row in rows:
        line = [("\"" if above[:i + 1] == row[:i + 1] else cell) for i, cell in enumerate(row)]
        shown.append(line)
        above = row
    return shown


# call: bill_rows("2 tea 1.50; 1 bun 0.80")
# call: bill_rows("3 pen 0.1")
# call: bill_rows("")
# call: bill_rows("4 egg 0.35; 1 loaf 2.95;2 jam 3.1; 12 roll 0.25;")
# call: bill_rows("0 air 9.99")
# call: bill_rows("two tea 1.50")
def bill_rows(text):
    rows = []
    total = 0.0
    for part in text.split(";"):
        if not part.strip():
            continue
        n, item, price = part.split()
        cost = int(n) * float(price)
        total += cost
        rows.append("%-5s%3s x %5.2f = %6.2f" % (item, n, float(price), cost))
    rows.append("%22.2f" % total)
    return rows


# call: rank_column([("ann", 50), ("bo", 70), ("cy", 50)])
# call: rank_column([("a", 1)])
# call: rank_column([])
# call: rank_column([("a", 12), ("b", 30), ("c", 12), ("d", 5), ("e", 30), ("f", 30), ("g", 8)])
# call: rank_column([("a", -1), ("b", -2)])
# call: rank_column([("a", 1), ("b", "1")])
def rank_column(rows):
    ranked = sorted(rows, key=lambda r: -r[1])
    out, shown = [], 0
    for position, (name, score) in enumerate(ranked, 1):
        if position == 1 or score != ranked[position - 2][1]:
            shown = position
        out.append((shown, name))
    return out


# call: safe_number_cells(["4", "x", "2.5"])
# call: safe_number_cells(["0"])
# call: safe_number_cells([])
# call: safe_number_cells(["1e3", " 7 ", "-", "", "12,5", "0x1f", "-3", "inf", "1_000"])
# call: safe_number_cells([True, 3])
# call: safe_number_cells([None])
def safe_number_cells(cells):
    good, bad = [], []
    for cell in cells:
        try:
            value = int(cell)
        except ValueError:
            try:
                value = float(cell)
            except ValueError:
                bad.append(cell)
                continue
        good.append(value)
    return good, bad


# call: summarise([{"dept": "IT", "pay": 30}, {"dept": "HR", "pay": 20}, {"dept": "IT", "pay": 50}], "dept", pay="max")
# call: summarise([{"d": 1, "x": 5}], "d", x="sum")
# call: summarise([], "d", x="len")
# call: summarise([{"g": "a", "p": 3, "q": 1}, {"g": "b", "p": 4, "q": 8}, {"g": "a", "p": 9, "q": 2}, {"g": "b", "p": 1, "q": 6}], "g", p="sum", q="min")
# call: summarise([{"g": 1}, {"g": 1}], "g")
# call: summarise([{"g": 1, "p": 2}], "g", p="median")
def summarise(rows, by, **how):
    functions = {"sum": sum, "min": min, "max": max, "len": len}
    report = []
    for group in dict.fromkeys(row[by] for row in rows):
        members = [row for row in rows if row[by] == group]
        line = [group]
        for column_name, f in how.items():
            line.append(functions[f]([m[column_name] for m in members]))
        report.append(line)
    return report


# call: append_row([1, "a"])
# call: append_row([])
# call: append_row(None)
# call: append_row([2024, "june", 17, "mon", 3.5, True])
# call: append_row([1], [[0]])
# call: append_row([1], (0,))
def append_row(row, table=[]):
    if row:
        table.append(row)
        row = row + [len(table)]
        table += [row]
    return table


# call: blank_grid(2, 3)
# call: blank_grid(1, 1, "x")
# call: blank_grid(0, 3)
# call: blank_grid(4, 5, "-")
# call: blank_grid(2, 2, [])
# call: blank_grid(2, "3")
def blank_grid(height, width, value=0):
    grid = [[value] * width for _ in range(height)]
    if isinstance(value, list):
        grid[0][0].append("mark")
    elif height and width:
        grid[height // 2][width // 2] = "mark"
    return grid


# call: nested_get({"a": {"b": [10, 20]}}, "a.b.1")
# call: nested_get({"x": 1}, "x")
# call: nested_get({}, "")
# call: nested_get({"shop": {"rows": [{"id": 4}, {"id": 9, "tags": ["new", "red"]}]}}, "shop.rows.1.tags.-1")
# call: nested_get({"a": {"b": 1}}, "a.c.d", default="none")
# call: nested_get({"a": [1]}, "a.x")
def nested_get(data, path, default=None):
    for part in path.split("."):
        if isinstance(data, list):
            data = data[int(part)]
        elif isinstance(data, dict) and part in data:
            data = data[part]
        else:
            return default
    return data


# call: to_markdown([{"id": 1, "ok": True}, {"id": 2, "ok": False}])
# call: to_markdown([{"a": "x|y"}])
# call: to_markdown([])
# call: to_markdown([{"n": "ann", "v": 1.5}, {"n": "bo"}, {"v": 3, "n": "cy", "w": 0}])
# call: to_markdown([{}])
# call: to_markdown([{"a": 1}, None])
def to_markdown(rows):
    if not rows:
        return ""
    head = list(rows[0])
    def line(cells):
        return "|" + "|".join(str(c).replace("|", "/") for c in cells) + "|"
    yes_no = {True: "yes", False: "no"}
    body = [line(yes_no[v] if isinstance(v := r.get(h, ""), bool) else v for h in head) for r in rows]
    return "\n".join([line(head), line("-" for _ in head), *body])


# call: index_by([{"k": 1, "v": "a"}, {"k": 2, "v": "b"}], "k")
# call: index_by([{"k": 1, "v": "a"}, {"k": 1, "v": "b"}], "k")
# call: index_by([], "k")
# call: index_by([{"id": "n1", "to": "n2"}, {"id": "n2", "to": "n3"}, {"id": "n3", "to": None}, {"id": "n4", "to": "n1"}], "to")
# call: index_by([{"k": 1}, {"j": 2}], "k")
# call: index_by([{"k": []}], "k")
def index_by(rows, key):
    table, problems = {}, 0
    for row in rows:
        try:
            value = row.pop(key)
        except KeyError:
            problems += 1
        else:
            table[value] = row
    return (table, problems) if problems else table


# call: outer_total([1, 2, 3], [10, 20])
# call: outer_total([1], [1])
# call: outer_total([], [5])
# call: outer_total([0, 2, 4, 5], [3, -1, 2, 7])
# call: outer_total(["ab", "c"], [2, 1])
# call: outer_total([None], [1])
def outer_total(across, down):
    grid = [[a * d for a in across] for d in down]
    for row in grid:
        if all(isinstance(cell, int) for cell in row):
            row.append(sum(row))
        else:
            row.append("".join(row))
    return grid


# call: chunk_lines("id=1 x=5\nid=2 x=7")
# call: chunk_lines("a=b")
# call: chunk_lines("")
# call: chunk_lines("id=1 size=L colour=red\nid=2\ncolour=blue id=3 size=\n# note\nid=4 = x=y=z")
# call: chunk_lines("lonely")
# call: chunk_lines(17)
def chunk_lines(text):
    records = [{}]
    for line in text.split("\n"):
        if line.startswith("#"):
            continue
        for piece in line.split():
            key, sign, value = piece.partition("=")
            if not sign:
                records[-1].setdefault("rest", []).append(key)
                continue
            if key in records[-1]:
                records.append({})
            records[-1][key] = value
    return records


# call: seating({(0, 0): "Ann", (1, 1): "Bo"}, 2, 2)
# call: seating({}, 1, 1)
# call: seating({}, 0, 0)
# call: seating({(0, 2): "Eve", (1, 0): "Max", (2, 3): "Constantin", (2, 0): "Io"}, 3, 4)
# call: seating({(9, 9): "Far"}, 1, 2)
# call: seating({(0, 0): None}, 1, 1)
def seating(seats, rows, cols):
    lines = []
    for r in range(rows):
        line = ""
        for c in range(cols):
            name = seats.get((r, c), "")
            line += f"[{name[:4]:^4}]"
        lines.append(line)
    missing = [n for (r, c), n in seats.items() if r >= rows or c >= cols]
    return lines, missing


# call: seat_label(0, 0)
# call: seat_label(11, 27)
# call: seat_label(0, -1)
# call: seat_label(104, 25, gap="-")
# call: seat_label(3, 3, skip="D")
# call: seat_label(2.5, 1)
def seat_label(row, seat, *, gap="", skip="IO"):
    letters = [c for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if c not in skip]
    block, at = divmod(seat, len(letters))
    label = f"{row + 1:d}{gap}{letters[at]}"
    if block:
        label += f" (block {block})"
    return label


# call: total_row([["tea", 2, 3.5], ["bun", 1, 0.8]])
# call: total_row([["x", 1]])
# call: total_row([])
# call: total_row([["north", 12, 7, 30], ["south", 8, 11, 25], ["east", 0, 4, 9], ["west", 15, 2, 6]])
# call: total_row([["a", 1], ["b", "n/a"]])
# call: total_row([["a", 1], []])
def total_row(rows):
    bottom = ["sum"]
    for label, *numbers in rows:
        while len(bottom) <= len(numbers):
            bottom.append(0)
        for i, n in enumerate(numbers, 1):
            if isinstance(n, str):
                bottom[i] = f"{bottom[i]}*"
            else:
                bottom[i] += n
    rows.append(bottom)
    return rows[-1], len(rows)
