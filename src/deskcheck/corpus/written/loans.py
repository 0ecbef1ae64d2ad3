# call: late_fee(10, 14)
# call: late_fee(10, 9)
# call: late_fee(0, 0)
# call: late_fee(100, 465, rate=5)
# call: late_fee(3, 5, grace=2)
# call: late_fee("3", 5)
def late_fee(due, back, rate=20, grace=0, cap=500):
    days = back - due - grace
    if days <= 0:
        return 0
    return min(days * rate, cap)


# call: lend_copy({"Emma": 2}, {}, "Emma", "Bo")
# call: lend_copy({"Emma": 1}, {"Bo": ["Dune"]}, "Emma", "Bo")
# call: lend_copy({"": 1}, {}, "", "")
# call: lend_copy({"Emma": 3, "Dune": 1}, {"Al": ["Emma"], "Bo": ["Emma", "Dune", "It"]}, "Emma", "Bo")
# call: lend_copy({"Emma": 0}, {}, "Emma", "Bo")
# call: lend_copy({}, {}, "Emma", "Bo")
class NotAvailable(Exception):
    pass

def lend_copy(shelf, out, title, who):
    if shelf[title] < 1:
        raise NotAvailable(title)
    if len(out.get(who, [])) >= 3:
        return "limit reached"
    shelf[title] -= 1
    out.setdefault(who, []).append(title)
    return shelf, out


# call: dueOn(5, "book")
# call: dueOn(364, "dvd")
# call: dueOn(0)
# call: dueOn(730, "map", renewals=3)
# call: dueOn(6, "magazine")
# call: dueOn("5", "book")
def dueOn(day, kind="book", renewals=0):
    length = {"book": 21, "dvd": 7, "map": 3}.get(kind, 1)
    due = day + length * (1 + renewals)
    # closed on Sundays: day 0 of each week
    return due + 1 if due % 7 == 0 else due


# call: return_books({"Ann": ["It", "Emma"]}, "Ann", "It")
# call: return_books({"Ann": ["It"]}, "Ann", "It")
# call: return_books({"": [""]}, "")
# call: return_books({"Ann": ["It", "Emma", "Dune", "Ulysses"], "Bo": ["It"]}, "Ann", "Dune", "It", "Emma")
# call: return_books({"Ann": ["It"]}, "Ann", "Emma")
# call: return_books({"Ann": ["It"]}, "Zoe", "It")
def return_books(loans, member, *titles):
    mine = loans[member]
    strangers = []
    for t in titles:
        if t in mine:
            mine.remove(t)
        else:
            strangers.append(t)
    if not mine:
        del loans[member]
    return loans, strangers


# call: ReadingCard("Ann").use([("out", "It"), ("in", "It")])
# call: ReadingCard("Bo", 1).use([("out", "It"), ("out", "Emma")])
# call: ReadingCard("Cy").use([])
# call: ReadingCard("Di", 3).use([("out", "a"), ("out", "b"), ("in", "a"), ("out", "c"), ("out", "d"), ("in", "z")])
# call: ReadingCard("Ed", 0).use([("out", "It")])
# call: ReadingCard("Flo").use([("keep", "It")])
class ReadingCard:
    def __init__(self, owner, limit=2):
        self.owner = owner
        self.limit = limit
        self.books = []

    def _out(self, title):
        if len(self.books) >= self.limit:
            return False
        self.books.append(title)
        return True

    def _in(self, title):
        try:
            self.books.remove(title)
        except ValueError:
            return False
        return True

    def use(self, events):
        marks = ""
        for action, title in events:
            marks += "+" if getattr(self, "_" + action)(title) else "-"
        return f"{self.owner} {marks} {self.books}"


# call: waitingList([("Ann", "It"), ("Bo", "It"), ("Cy", "Emma")])
# call: waitingList([("Ann", "It"), ("Ann", "It")])
# call: waitingList([])
# call: waitingList([("a", "x"), ("b", "y"), ("c", "x"), ("a", "y"), ("d", "x"), ("b", "y"), ("e", "z")])
# call: waitingList([("Ann", "")])
# call: waitingList([("Ann", ["It"])])
def waitingList(wishes):
    queues = {}
    for who, title in wishes:
        if title not in queues:
            queues[title] = []
        if who not in queues[title]:
            queues[title].append(who)
    return [f"{t}: {' < '.join(q)}" for t, q in queues.items()]


# call: fine_in_words(0)
# call: fine_in_words(135)
# call: fine_in_words(5)
# call: fine_in_words(1234599)
# call: fine_in_words(-40)
# call: fine_in_words(2.5)
def fine_in_words(cents):
    if cents == 0:
        return "nothing owed"
    pounds, pence = divmod(cents, 100)
    words = []
    if pounds:
        words.append(f"{pounds:,} pound{'s' * (pounds != 1)}")
    if pence:
        words.append(f"{pence}p")
    return " and ".join(words)


# call: renew_all({"It": (10, 0), "Emma": (12, 2)}, 11)
# call: renew_all({"It": (10, 1)}, 10)
# call: renew_all({}, 0)
# call: renew_all({"a": (30, 0), "b": (31, 2), "c": (29, 1), "d": (45, 1), "e": (28, 5)}, 30, most=3)
# call: renew_all({"It": (3, 0)}, 9)
# call: renew_all({"It": 10}, 9)
def renew_all(loans, today, most=2):
    refused = []
    for title in list(loans):
        due, times = loans[title]
        if due < today or times >= most:
            refused.append(title)
            continue
        loans[title] = (today + 14, times + 1)
    return loans, refused


# call: shelfMark("Austen, Jane", 823.7)
# call: shelfMark("Homer", 883)
# call: shelfMark("", 0)
# call: shelfMark("van der Something-Long, Cornelis", 439.3112)
# call: shelfMark("O'Brian, P.", 5)
# call: shelfMark("Homer", "epic")
def shelfMark(author, number):
    surname = author.partition(",")[0].replace(" ", "").replace("'", "")
    return f"{number:07.2f} {surname[:3].upper():_<3}"


# call: loanSpan("12>19")
# call: loanSpan("12>")
# call: loanSpan("0>0")
# call: loanSpan("00100>00465", now=9)
# call: loanSpan("19>12")
# call: loanSpan("12-19")
def loanSpan(note: str, now: int = 30) -> int:
    start, end = note.split(">")
    try:
        last = int(end)
    except ValueError:
        last = now
    if last < int(start):
        raise ValueError("returned before lent")
    return last - int(start)


# call: families_debt({"Ann": ["Bo", "Cy"], "Bo": [], "Cy": []}, {"Bo": 30, "Cy": 45}, "Ann")
# call: families_debt({"Ann": []}, {"Ann": 12}, "Ann")
# call: families_debt({"A": []}, {}, "A")
# call: families_debt({"a": ["b", "c"], "b": ["d"], "c": ["e", "f"], "d": [], "e": [], "f": []}, {"a": 5, "d": 20, "f": 100, "z": 9}, "a")
# call: families_debt({"Ann": ["Bo"], "Bo": []}, {"Ann": -10}, "Ann")
# call: families_debt({"Ann": ["Bo"]}, {"Ann": 3}, "Ann")
def families_debt(children, owed, head):
    total = owed.get(head, 0)
    for child in children[head]:
        total += families_debt(children, owed, child)
    return total


# call: pay_oldest([("It", 40), ("Emma", 30)], 50)
# call: pay_oldest([("It", 40)], 10)
# call: pay_oldest([], 0)
# call: pay_oldest([("a", 15), ("b", 120), ("c", 5), ("d", 60), ("e", 45)], 150)
# call: pay_oldest([("It", 40)], 100)
# call: pay_oldest([("It", 40)], "40")
def pay_oldest(fines, money):
    while fines and money >= fines[0][1]:
        title, owed = fines.pop(0)
        money -= owed
    if fines and money:
        title, owed = fines[0]
        fines[0] = (title, owed - money)
        money = 0
    return fines, money


# call: overlap_loans((1, 10), (5, 20))
# call: overlap_loans((1, 4), (4, 9))
# call: overlap_loans((0, 0), (0, 0))
# call: overlap_loans((100, 365), (90, 1000))
# call: overlap_loans((1, 3), (7, 9))
# call: overlap_loans((1, 3), (7,))
def overlap_loans(a, b):
    days = range(max(a[0], b[0]), min(a[1], b[1]))
    return len(days), list(days)[:3]


# call: close_account({"Ann": {"books": [], "owed": 0}}, "Ann")
# call: close_account({"Ann": {"books": ["It"], "owed": 0}}, "Ann")
# call: close_account({}, "Ann")
# call: close_account({"a": {"books": [], "owed": 0}, "b": {"books": [], "owed": 5}, "c": {}}, "b")
# call: close_account({"c": {"owed": 0}}, "c")
# call: close_account(["Ann"], "Ann")
def close_account(members, name):
    try:
        record = members[name]
        if record["owed"] > 0:
            raise ValueError("owes %d" % record["owed"])
        if record["books"]:
            raise ValueError("still has " + record["books"][0])
    except KeyError as missing:
        return f"no {missing}"
    except ValueError as why:
        return str(why)
    else:
        del members[name]
    return sorted(members)


# call: stampCard([4, 11, 18])
# call: stampCard([300])
# call: stampCard([])
# call: stampCard([1, 15, 16, 40, 62, 99, 150, 200, 364, 365])
# call: stampCard([9, 3])
# call: stampCard([1, "2"])
def stampCard(days):
    gaps = [b - a for a, b in zip(days, days[1:])]
    return "|".join(f"{d:>3}" for d in days), max(gaps, default=None)


# call: by_genre([("It", "horror"), ("Emma", "novel")])
# call: by_genre([("Kim", "novel"), ("Emma", "novel")], "novel")
# call: by_genre([])
# call: by_genre([("a", "x"), ("b", "y"), ("c", "x"), ("d", "z"), ("e", "y"), ("f", "x")], "y")
# call: by_genre([("It", None)], "novel")
# call: by_genre([("It",)])
def by_genre(catalogue, only=None):
    sections = {}
    for title, genre in catalogue:
        if only and genre != only:
            continue
        sections[genre] = [title] + sections.get(genre, [])
    return sections


# call: fineTable(3)
# call: fineTable(4, 25, cap=60)
# call: fineTable(0)
# call: fineTable(9, 15, cap=100)
# call: fineTable(2, -5)
# call: fineTable(2.0)
def fineTable(days, rate=10, *, cap=1000):
    rows = []
    total = 0
    for d in range(1, days + 1):
        total += rate * d
        rows.append((d, total if total < cap else cap))
        if total >= cap: break
    return rows


# call: borrow_note("Ann", ["It"])
# call: borrow_note("Bo", ["Emma", "Kim", "It"], 40)
# call: borrow_note("", [])
# call: borrow_note("Cleo", ["Dune", "Ulysses", "Middlemarch", "The Waves"], day=1200)
# call: borrow_note("Di", [""], None)
# call: borrow_note("Ed", [5, 6])
def borrow_note(name, titles, day=0):
    *first, last = titles or ["nothing"]
    listed = f"{', '.join(first)} and {last}" if first else last
    return "{0} has {1} until day {2}".format(name.title(), listed, (day or 0) + 21)


# call: Copy("It", 2).lend(5, 3)
# call: Copy("Emma").lend(1)
# call: Copy("").lend(0, 0)
# call: Copy("Atlas", 9).lend(100, 30)
# call: Copy("It", 0).lend(4)
# call: Copy("It").lend("4")
from dataclasses import dataclass, field

@dataclass
class Copy:
    title: str
    wear: int = 1
    history: list = field(default_factory=list)

    def lend(self, day, length=14):
        self.history.append((day, day + length))
        self.wear += 1 + length // 10
        if self.wear > 10:
            self.title += " (worn)"
        return self


# call: free_copies({"It": 3}, [("It", 1, None), ("It", 2, 5)])
# call: free_copies({"It": 1, "Kim": 2}, [])
# call: free_copies({}, [])
# call: free_copies({"a": 2, "b": 4, "c": 1}, [("a", 1, 2), ("b", 1, None), ("b", 3, None), ("c", 4, None), ("b", 6, 7), ("a", 8, None)])
# call: free_copies({"It": 0}, [("It", 1, None)])
# call: free_copies({"It": 1}, [("Kim", 1, None)])
def free_copies(owned, log):
    free = owned.copy()
    for title, day, back in log:
        if back is None:
            free[title] -= 1
    assert all(n >= 0 for n in free.values()), "too many lent"
    return free


# call: shared_taste({"Ann": ["It", "Kim"], "Bo": ["Kim"]})
# call: shared_taste({"Ann": ["It"], "Bo": ["Kim"]})
# call: shared_taste({})
# call: shared_taste({"a": ["x", "y", "z"], "b": ["y", "z"], "c": ["z", "x"], "d": ["w"]})
# call: shared_taste({"Ann": []})
# call: shared_taste({"Ann": [["It"]], "Bo": []})
def shared_taste(reads):
    names = sorted(reads)
    pairs = []
    for i, a in enumerate(names):
        for b in names[i + 1:]:
            common = set(reads[a]) & set(reads[b])
            if common:
                pairs.append((a, b, len(common)))
    return pairs


# call: addMember("Ann")
# call: addMember("Ann", ["Bo"])
# call: addMember("", [])
# call: addMember("dora", ["Ann", "Bo", "Cy", "Dora"])
# call: addMember("Bo", ["Bo"])
# call: addMember(12, [])
def addMember(name, roll=[]):
    if name.title() in roll:
        return f"{name} is already a member"
    roll.append(name.title())
    return len(roll), roll


# call: loan_day_label(0)
# call: loan_day_label(400)
# call: loan_day_label(6)
# call: loan_day_label(1095)
# call: loan_day_label(-1)
# call: loan_day_label("12")
def loan_day_label(n):
    year, day = divmod(n, 365)
    week, weekday = divmod(day, 7)
    return f"y{year} w{week:02} {'SuMoTuWeThFrSa'[2 * weekday:2 * weekday + 2]}"


# call: scan_returns([("It", 5), ("Kim", 9)], 7)
# call: scan_returns([("It", 5)], 5)
# call: scan_returns([], 0)
# call: scan_returns([("a", 20), ("b", 3), ("c", 11), ("d", 19), ("e", 1), ("f", 40)], 19)
# call: scan_returns([("It", 5), ("Gone", None)], 7)
# call: scan_returns([("It", "5")], 7)
def scan_returns(items, today):
    # yields a slip for each item, stops at a lost one
    def slips():
        for title, due in items:
            if due is None:
                yield f"{title} lost"
                return
            if due < today:
                yield f"{title} {(today - due) * 15}c"
            else:
                yield f"{title} ok"
    return list(slips())


# call: discountFor("child", 200)
# call: discountFor("senior", 85)
# call: discountFor("", 0)
# call: discountFor("student", 123456)
# call: discountFor("staff", 50)
# call: discountFor("ghost", 50)
def discountFor(kind, fine):
    rules = {
        "child": lambda f: 0,
        "senior": lambda f: f // 2,
        "student": lambda f: f - min(f // 4, 100),
        "staff": lambda f: f * 2,
        "": lambda f: f,
    }
    return rules[kind](fine)


# call: find_in_boxes({"box": [{"book": "It"}, {"book": "Kim"}]})
# call: find_in_boxes({"book": "It"})
# call: find_in_boxes({"box": []})
# call: find_in_boxes({"box": [{"box": [{"book": "a"}, {"box": [{"book": "b"}]}]}, {"book": "c"}, {"box": []}]}, "r")
# call: find_in_boxes({"bag": []})
# call: find_in_boxes({"box": None})
def find_in_boxes(thing, where="0"):
    if "book" in thing:
        return {thing["book"]: where}
    places = {}
    for i, inner in enumerate(thing["box"], start=1):
        places.update(find_in_boxes(inner, f"{where}.{i}"))
    return places


# call: busiest_day([3, 5, 3, 3])
# call: busiest_day([9, 2])
# call: busiest_day([0])
# call: busiest_day([1, 8, 15, 3, 10, 22, 5, 6, 12, 29])
# call: busiest_day([])
# call: busiest_day([7, -7, 1.5])
def busiest_day(loan_days):
    counts = [0] * 7
    for d in loan_days:
        counts[d % 7] += 1
    most = max(counts)
    return counts.index(most), counts


# call: lockerCode("Ann", 17)
# call: lockerCode("bo", 400)
# call: lockerCode("", 0)
# call: lockerCode("Bartholomew", 65535)
# call: lockerCode("Zed", -1)
# call: lockerCode("Ann", 1.5)
def lockerCode(name, day):
    code = day & 0xFF
    for ch in name.upper():
        code = (code << 1 ^ ord(ch)) & 0x3FF
    return f"{code:03X}"


# call: best_readers({"Ann": 3, "Bo": 7, "Cy": 7})
# call: best_readers({"Ann": 3}, places=2)
# call: best_readers({})
# call: best_readers({"a": 12, "b": 40, "c": 12, "d": 33, "e": 40, "f": 2}, places=3)
# call: best_readers({"Ann": 0, "Bo": -1})
# call: best_readers({"Ann": 3, "Bo": None})
from operator import itemgetter

def best_readers(read, places=1):
    podium = sorted(read.items(), key=itemgetter(1), reverse=True)
    result = []
    for rank, (name, n) in enumerate(podium, 1):
        if rank > places and n < result[-1][1]:
            break
        result.append((name, n))
    return dict(result)


# call: split_fine(100, ["Ann", "Bo", "Cy"])
# call: split_fine(7, ["Ann", "Bo"])
# call: split_fine(0, ["Ann"])
# call: split_fine(12347, ["a", "b", "c", "d", "e", "f"])
# call: split_fine(10, ["Ann", "Ann"])
# call: split_fine(10, [])
def split_fine(fine, culprits):
    each, rest = divmod(fine, len(culprits))
    return {c: each + (i < rest) for i, c in enumerate(culprits)}


# call: bookAges({"It": 1986, "Emma": 1815}, 2000)
# call: bookAges({"It": 1986}, 1986)
# call: bookAges({}, 0)
# call: bookAges({"a": 1999, "b": 1700, "c": 1850, "d": 1995, "e": 1901, "f": 2001}, 2000)
# call: bookAges({"New": 2050}, 2000)
# call: bookAges({"Old": "1800"}, 2000)
def bookAges(years, now):
    groups = {"new": [], "old": [], "antique": []}
    for t, y in years.items():
        age = now - y
        if age < 10:
            groups["new"].append(t)
        elif 10 <= age < 100:
            groups["old"].append(t)
        else:
            groups["antique"] += t,
    return groups


# call: recall_chain({"Ann": "Bo", "Bo": "Cy"}, "Ann")
# call: recall_chain({"Ann": "Bo"}, "Bo")
# call: recall_chain({}, "x")
# call: recall_chain({"a": "d", "d": "b", "b": "f", "f": "c", "c": "e"}, "a")
# call: recall_chain({"Ann": "Bo", "Bo": "Ann"}, "Ann")
# call: recall_chain({"Ann": ["Bo"]}, "Ann")
def recall_chain(lent_to, holder):
    asked = [holder]
    while holder in lent_to:
        holder = lent_to[holder]
        if holder in asked:
            return asked + ["?"]
        asked.append(holder)
    return asked


# call: swapLoans({"Ann": ["It"], "Bo": ["Kim"]}, "Ann", "Bo")
# call: swapLoans({"Ann": ["It"], "Bo": []}, "Bo", "Ann")
# call: swapLoans({"A": []}, "A", "A")
# call: swapLoans({"Ann": ["a", "b", "c"], "Bo": ["d"], "Cy": ["e", "f"]}, "Cy", "Ann")
# call: swapLoans({"Ann": ("It",), "Bo": ["Kim"]}, "Ann", "Bo")
# call: swapLoans({"Ann": ["It"]}, "Ann", "Zoe")
def swapLoans(loans, one, two):
    loans[one], loans[two] = loans[two], loans[one]
    view = loans[one]
    view += ["swapped"]
    return loans


# call: open_hours("9-17", 16)
# call: open_hours("9-12,14-18", 13)
# call: open_hours("0-0", 0)
# call: open_hours("8-10,11-13,15-19,20-22", 20)
# call: open_hours("9-12", 12)
# call: open_hours("nine-12", 9)
def open_hours(text, hour):
    spans = [tuple(map(int, s.split("-"))) for s in text.split(",")]
    for a, b in spans:
        if a <= hour < b:
            return f"closes in {b - hour}h"
    later = [a for a, _ in spans if a > hour]
    return f"opens at {later[0]}" if later else "closed"


# call: shelf_row(["It", "Emma"], 10)
# call: shelf_row(["Kim", "Dune", "Ada"], 8)
# call: shelf_row([], 5)
# call: shelf_row(["Ulysses", "It", "Emma", "Middlemarch", "Kim", "Dune", "The Waves"], 14)
# call: shelf_row(["Middlemarch"], 4)
# call: shelf_row(["It", 5], 10)
def shelf_row(titles, width):
    rows, row, room = [], [], width
    for t in titles:
        if len(t) > room and row:
            rows.append(row)
            row, room = [], width
        row.append(t)
        room -= len(t) + 1
    rows.append(row)
    return rows


# call: damage_charge({"torn": 2})
# call: damage_charge({"torn": 1, "wet": 1}, price=900)
# call: damage_charge({})
# call: damage_charge({"torn": 3, "wet": 2, "ink": 5, "cover": 1}, 2000)
# call: damage_charge({"lost": 1, "wet": 4}, 750)
# call: damage_charge({"burnt": 1})
def damage_charge(faults, price=1200):
    percent = {"torn": 5, "wet": 30, "ink": 2, "cover": 15}
    total = 0
    for fault in sorted(faults):
        if fault == "lost":
            return price + 250
        total += percent[fault] * faults[fault]
    return round(price * min(total, 100) / 100)


# call: audit_shelves({"A1": ["It"], "A2": ["Kim"]}, {"It": "A1", "Kim": "A1"})
# call: audit_shelves({"A1": ["It"]}, {"It": "A1"})
# call: audit_shelves({}, {})
# call: audit_shelves({"s": ["a", "b", "c"], "t": ["d", "e"], "u": []}, {"a": "s", "b": "t", "c": "u", "d": "t", "f": "u"})
# call: audit_shelves({"A1": ["Odd"]}, {})
# call: audit_shelves({"A1": 5}, {})
def audit_shelves(found, plan):
    moved = [(t, s, plan[t]) for s, ts in found.items() for t in ts if t in plan and plan[t] != s]
    strange = [t for ts in found.values() for t in ts if t not in plan]
    seen = set().union(*found.values())
    return {"moved": moved, "strange": strange, "missing": sorted(plan.keys() - seen)}


# call: Jar(50).drop(20, 35)
# call: Jar().drop(99)
# call: Jar().drop()
# call: Jar(-5).drop(100, 250, 30, 5, 15)
# call: Jar(100).drop(-200, 40)
# call: Jar(1).drop("5")
class Jar:
    """Jar for fines at the desk, emptied above 200."""
    def __init__(self, cents=0):
        self._cents = cents
        self.emptied = 0

    @property
    def cents(self):
        return self._cents

    @cents.setter
    def cents(self, value):
        if value < 0:
            raise ValueError("jar below zero")
        if value > 200:
            self.emptied += 1
            value = 0
        self._cents = value

    def drop(self, *coins):
        for c in coins:
            self.cents += c
        return self.cents, self.emptied


# call: average_delay([(5, 7), (10, 9), (3, 8)])
# call: average_delay([(1, 1)])
# call: average_delay([])
# call: average_delay([(10, 31), (12, 12), (9, 14), (30, 21), (44, 45), (50, None), (7, 40)])
# call: average_delay([(5, None)])
# call: average_delay([(5, "7")])
from statistics import fmean

def average_delay(pairs):
    delays = [max(back - due, 0) for due, back in pairs if back is not None]
    return round(fmean(delays), 1) if delays else "no data"


# call: print_notices([("Ann", 5), ("Bo", 20)], 9)
# call: print_notices([("Ann", 5), ("Ann", 7)], 9)
# call: print_notices([], 9)
# call: print_notices([("a", 1), ("b", 30), ("c", 12), ("d", 3), ("a", 2), ("e", 13)], 14)
# call: print_notices([("Ann", 9)], 9)
# call: print_notices([("Ann", "5")], 9)
def print_notices(loans, today):
    sent = 0
    for member, due in loans:
        late = today - due
        if late > 0:
            print(f"Dear {member}, {late} day{'s'[:late > 1]} late")
            sent += 1
    print("-" * 10)
    return sent


# call: donationSort(["It (1986)", "Emma (1815)"])
# call: donationSort(["Kim (1901)", "Kim (1890)", "Ada (1901)"])
# call: donationSort([])
# call: donationSort(["Dune (1965)", "It (1986)", "Emma (1815)", "Ulysses (1922)", "Kim (1901)", "Ada (1969)"])
# call: donationSort(["It (n.d.)", "Emma (1815)"])
# call: donationSort(["It"])
def donationSort(labels):
    def key(label):
        title, year = label.rstrip(")").split(" (")
        return (not year.isdigit(), year, len(title))
    return sorted(labels, key=key)


# call: warn_level(4, 0)
# call: warn_level(0, 250)
# call: warn_level(0, 0)
# call: warn_level(365, 99999)
# call: warn_level(8, 100)
# call: warn_level(None, 5)
def warn_level(late, owed):
    level = 0
    level += late > 0
    level += late > 7
    level += 2 * (owed >= 100)
    if level >= 4:
        return "blocked"
    return ["none", "green", "amber", "red"][level]


# call: LoanDesk(3).day("Ann It", "Bo Kim")
# call: LoanDesk(3).day("Ann It", "Bo It")
# call: LoanDesk(0).day()
# call: LoanDesk(40).day("a w", "b x", "a y", "c x", "d z", "a w", "e v")
# call: LoanDesk(1).day("Ann It", "Ann It")
# call: LoanDesk(1).day("Ann")
class LoanDesk:
    class Taken(Exception):
        pass

    def __init__(self, today):
        self.today = today
        self.holder = {}

    def issue(self, who, title):
        if self.holder.setdefault(title, who) is not who:
            raise self.Taken(self.holder[title])
        return self.today + 14

    def day(self, *slips):
        lines = []
        for slip in slips:
            who, title = slip.split()
            try:
                lines.append(f"{title} until {self.issue(who, title)}")
            except self.Taken as t:
                lines.append(f"{title} is with {t}")
        return lines


# call: purge_lapsed({"Ann": 10, "Bo": 400}, 380)
# call: purge_lapsed({"Ann": 10}, 20)
# call: purge_lapsed({}, 1)
# call: purge_lapsed({"a": 1, "b": 700, "c": 299, "d": 650, "e": 30, "f": 801}, 1000, after=350)
# call: purge_lapsed({"Ann": 0, "Bo": 0}, 366)
# call: purge_lapsed({"Ann": "x"}, 5)
def purge_lapsed(last_visit, today, after=365):
    gone = []
    for name in [*last_visit]:
        if today - last_visit[name] <= after:
            continue
        gone.append((last_visit.pop(name), name))
    gone.sort()
    return last_visit, gone


# call: interlibrary(["ours", "city"], {"ours": [], "city": ["It"]}, "It")
# call: interlibrary(["ours"], {"ours": ["It"]}, "It")
# call: interlibrary([], {}, "It")
# call: interlibrary(["a", "b", "c", "d"], {"a": ["x"], "b": ["y", "z"], "c": ["w", "v", "q"], "d": ["q"]}, "q")
# call: interlibrary(["ours", "city"], {"ours": [], "city": []}, "It")
# call: interlibrary(["ours", "moon"], {"ours": []}, "It")
def interlibrary(order, stock, title):
    days = 0
    for branch in order:
        if title in stock[branch]:
            stock[branch].remove(title)
            break
        days += 2
    else:
        return f"{title}: buy it"
    return f"{title}: {branch}, {days} days" if days else f"{title}: here"


# call: fineForgiver(2)
# call: fineForgiver(3, 40, 5, 60, 10)
# call: fineForgiver(0)
# call: fineForgiver(2, 15, 30, 0, 45, 60, 75, 90)
# call: fineForgiver(1, -5, 5)
# call: fineForgiver("1", 5)
def fineForgiver(chances, *fines):
    left = chances

    def charge(f):
        nonlocal left
        if f and left > 0:
            left -= 1
            return 0
        return f

    charged = [charge(f) for f in fines]
    return charged, sum(charged), left
