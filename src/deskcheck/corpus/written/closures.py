# call: ticket_machine(5, 3)
# call: ticket_machine(1, 1)
# call: ticket_machine(0, 0)
# call: ticket_machine(98, 9)
# call: ticket_machine(-2, 4)
# call: ticket_machine("5", 2)
def ticket_machine(start, pulls):
    number = start

    def pull():
        nonlocal number
        number += 1
        if number > 99:
            number = 0
        return f"#{number:02d}"

    return [pull() for _ in range(pulls)]


# call: price_rules(1000, ["member", "tax"])
# call: price_rules(50, ["round"])
# call: price_rules(0, [])
# call: price_rules(12345, ["tax", "member", "round", "member", "round"])
# call: price_rules(99, ["tax", "tax"])
# call: price_rules(10, ["gift"])
def price_rules(cents, names):
    def percent(p):
        def change(c):
            return c * (100 + p) // 100
        return change

    rules = {"member": percent(-10), "tax": percent(19), "round": lambda c: c // 100 * 100}
    for name in names:
        cents = rules[name](cents)
    return cents


# call: late_buttons(3)
# call: late_buttons(1)
# call: late_buttons(0)
# call: late_buttons(6)
# call: late_buttons(-1)
# call: late_buttons("3")
def late_buttons(count):
    """All the lambdas of the first list see the last value of i."""
    late = [lambda: i * 10 for i in range(count)]
    early = [lambda i=i: i * 10 for i in range(count)]
    return [press() for press in late], [press() for press in early]


# call: guest_list(["ann", "bob"])
# call: guest_list(["ann", "ann"])
# call: guest_list([])
# call: guest_list(["a", "b", "c", "d", "a", "e"])
# call: guest_list(("x",))
# call: guest_list([["x"], "y"])
def guest_list(names):
    def invite(name, guests=[], seen=set()):
        if name in seen:
            return guests
        seen.add(name)
        guests.append(name.title())
        return guests

    lists = [invite(name) for name in names]
    return lists, len(invite("host"))


# call: pipeline("  Tea Time ", ["strip", "lower"])
# call: pipeline("abc", ["upper", "reverse"])
# call: pipeline("", ["strip"])
# call: pipeline("  One Two  Three ", ["strip", "dashes", "lower", "reverse", "upper", "first3"])
# call: pipeline("x", [])
# call: pipeline("x", ["shrink"])
from functools import reduce


def pipeline(text, names):
    steps = {
        "strip": str.strip,
        "lower": str.lower,
        "upper": str.upper,
        "reverse": lambda s: s[::-1],
        "dashes": lambda s: "-".join(s.split()),
        "first3": lambda s: s[:3],
    }
    return reduce(lambda value, name: steps[name](value), names, text)


# call: counting_calls([3, 4])
# call: counting_calls([1])
# call: counting_calls([])
# call: counting_calls([5, 0, 5, 2, 2, 9, 1])
# call: counting_calls([-1])
# call: counting_calls(["a", 2])
def counting_calls(sizes):
    def counted(function):
        def wrapper(*args):
            wrapper.calls += 1
            return function(*args)
        wrapper.calls = 0
        return wrapper

    @counted
    def area(a, b=2):
        return a * b

    results = [area(size) for size in sizes] + [area(1, 1)]
    return results, area.calls


# call: powers_of(2, [1, 2, 3])
# call: powers_of(-1, [0, 1])
# call: powers_of(0, [0])
# call: powers_of(3, [5, 4, 3, 2, 1, 0, -1])
# call: powers_of(0.5, [2])
# call: powers_of(0, [-1])
from functools import partial


def powers_of(base, exponents):
    raised = partial(pow, base)
    return {e: raised(e) for e in exponents}


# call: alarm_bells([18, 25, 31])
# call: alarm_bells([10])
# call: alarm_bells([])
# call: alarm_bells([20, 30, 40, 35, 28, 5, -3, 29])
# call: alarm_bells([30, 0])
# call: alarm_bells(["30"])
def alarm_bells(readings):
    log = []
    listeners = []

    def on(condition, message):
        listeners.append((condition, message))

    on(lambda t: t >= 30, "hot")
    on(lambda t: t <= 0, "frost")
    on(lambda t: t % 10 == 0, "round")
    for t in readings:
        log.append([message for condition, message in listeners if condition(t)])
    return log


# call: piggy(10, [5, -3])
# call: piggy(0, [1])
# call: piggy(0, [])
# call: piggy(12345, [-12, 40, -13000, 9, 9, -18, 7])
# call: piggy(-5, [5])
# call: piggy(1, ["x"])
def piggy(start, amounts):
    saved = [start]

    def put(amount):
        saved[0] += amount
        if saved[0] < 0:
            saved.append(-saved[0])
            saved[0] = 0
        return saved[0] // 2

    halves = {amount: put(amount) for amount in amounts}
    return halves, saved


# call: memo_route([3, 5, 3])
# call: memo_route([1, 1, 1])
# call: memo_route([])
# call: memo_route([8, 7, 6, 8, 6, 5, 9])
# call: memo_route([0])
# call: memo_route([[1]])
def memo_route(stops):
    known = {}
    worked = []

    def cost(n):
        if n in known:
            return known[n]
        worked.append(n)
        known[n] = n * n - n + 1
        return known[n]

    total = sum(map(cost, stops))
    return total, worked, len(stops) - len(worked)


# call: volume_knob(["up", "up", "down"])
# call: volume_knob(["mute"])
# call: volume_knob([])
# call: volume_knob(["up", "mute", "up", "mute", "down", "up", "up", "down", "max"])
# call: volume_knob(["down", "down", "down", "down", "down", "down"])
# call: volume_knob(["louder"])
def volume_knob(turns):
    level, muted = 5, False

    def up():
        nonlocal level
        level = min(level + 1, 10)

    def down():
        nonlocal level
        level = max(level - 1, 0)

    def mute():
        nonlocal muted
        muted = not muted

    knobs = {f.__name__: f for f in (up, down, mute)}
    for turn in turns:
        if turn == "max":
            level = 10
            continue
        knobs[turn]()
    return 0 if muted else level


# call: retry_times([0, 0, 4], 3)
# call: retry_times([5], 1)
# call: retry_times([], 0)
# call: retry_times([0, 0, 0, 0, 0, 2, 9], 4)
# call: retry_times([0, 8], 1)
# call: retry_times(["x"], 2)
def retry_times(answers, times):
    line = iter(answers)

    def attempt():
        value = next(line, None)
        if not value:
            raise ConnectionError("no answer")
        return 100 // value

    for number in range(1, times + 1):
        try:
            return attempt(), number
        except ConnectionError as error:
            last = error
    return str(last) if times else "not tried"


# call: compose_steps(5, "+3 *2")
# call: compose_steps(10, "-4")
# call: compose_steps(0, "")
# call: compose_steps(1, "*7 +5 /3 *10 -9 /2")
# call: compose_steps(7, "/2 /2")
# call: compose_steps(7, "/0")
def compose_steps(n, plan):
    def step(word):
        sign, number = word[0], int(word[1:])
        return {
            "+": lambda x: x + number,
            "-": lambda x: x - number,
            "*": lambda x: x * number,
            "/": lambda x: x // number,
        }[sign]

    for f in [step(word) for word in plan.split()]:
        n = f(n)
    return n


# call: shouting("tea", 2)
# call: shouting("rum", times=1)
# call: shouting("", 3)
# call: shouting("milk and honey", 4)
# call: shouting("x", 0)
# call: shouting(5, 2)
def loud(mark):
    def decorator(function):
        def inner(*args, **kwargs):
            return function(*args, **kwargs).upper() + mark
        return inner
    return decorator


@loud("!")
@loud("?")
def shouting(word, times=1):
    return " ".join([word] * times)


# call: make_scale(0, 10)
# call: make_scale(-5, 5)
# call: make_scale(0, 1)
# call: make_scale(32, 212)
# call: make_scale(10, 0)
# call: make_scale(4, 4)
def make_scale(low, high):
    width = high - low

    def to_percent(value):
        return round((value - low) / width * 100, 1)

    def from_percent(p):
        return low + p * width / 100

    middle = from_percent(50)
    return to_percent(low), to_percent(middle), to_percent(high + 1), middle


# call: undo_stack(["a", "b", "undo"])
# call: undo_stack(["undo"])
# call: undo_stack([])
# call: undo_stack(["t", "e", "a", "undo", "undo", "o", "a", "undo", "n"])
# call: undo_stack(["x", "undo", "undo"])
# call: undo_stack([1])
def undo_stack(keys):
    text = ""
    undo = []
    for key in keys:
        if key == "undo":
            if undo:
                text = undo.pop()()
            continue
        undo.append(lambda before=text: before)
        text += key
    return text, len(undo)


# call: averager([10, 20])
# call: averager([5])
# call: averager([])
# call: averager([1, 2, 3, 4, 5, 6, 7, 8])
# call: averager([0.1, 0.2])
# call: averager([1, "2"])
def averager(values):
    def make():
        total = count = 0

        def add(x):
            nonlocal total, count
            total += x
            count += 1
            return total / count

        return add

    one, two = make(), make()
    means = [one(v) for v in values]
    for v in values[::2]:
        last = two(v)
    return means, last if values else None


# call: sort_plan([("tea", 3), ("rum", 1)], "price")
# call: sort_plan([("tea", 3), ("rum", 1)], "name")
# call: sort_plan([], "name")
# call: sort_plan([("d", 4), ("bb", 4), ("ccc", 1), ("a", 9), ("ee", 0)], "length")
# call: sort_plan([("x", 1), ("y", 1)], "-price")
# call: sort_plan([("x", 1)], "color")
def sort_plan(items, by):
    keys = {"name": lambda it: it[0], "price": lambda it: it[1], "length": lambda it: (len(it[0]), it[1])}
    backwards = by[0] == "-"
    ordered = sorted(items, key=keys[by.lstrip("-")], reverse=backwards)
    return [name for name, _ in ordered]


# call: guarded([4, 0, 2])
# call: guarded([1])
# call: guarded([])
# call: guarded([10, 0, 5, -3, 0, 7, 25])
# call: guarded([0])
# call: guarded([2, "b"])
def safe(default):
    def decorate(f):
        def g(x):
            try:
                return f(x)
            except ZeroDivisionError:
                return default
        return g
    return decorate


@safe(default=-1)
def share_of(n):
    return 100 // n


def guarded(ns):
    return [share_of(n) for n in ns]


# call: toggles("aab")
# call: toggles("abcabc")
# call: toggles("")
# call: toggles("lamp heater fan lamp")
# call: toggles("x")
# call: toggles(["on", "off", "on"])
def toggles(presses):
    def switch(on=False):
        def flip():
            nonlocal on
            on = not on
            return on
        return flip

    board = {}
    states = {}
    for key in presses:
        if key not in board:
            board[key] = switch()
        states[key] = board[key]()
    return "".join(sorted(key for key in states if states[key]))


# call: apply_until(7, 100)
# call: apply_until(1, 1)
# call: apply_until(0, 0)
# call: apply_until(3, 5000)
# call: apply_until(-1, 10)
# call: apply_until("a", "aaaa")
def apply_until(start, limit):
    def grow(f, x, count=0):
        if x >= limit or count == 10:
            return x, count
        return grow(f, f(x), count + 1)

    return grow(lambda v: v + v + 1 if isinstance(v, int) else v + "a", start)


# call: filter_bank([3, 8, 12, 15])
# call: filter_bank([2])
# call: filter_bank([])
# call: filter_bank([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
# call: filter_bank([-4, 0])
# call: filter_bank([2.5])
def filter_bank(xs):
    tests = [lambda x: x > 4, lambda x: x % 2 == 0, lambda x: x != 8]
    passed = [sum(1 for test in tests if test(x)) for x in xs]
    strict = list(filter(lambda x: all(t(x) for t in tests), xs))
    return passed, strict


# call: default_time(2)
# call: default_time(1)
# call: default_time(0)
# call: default_time(10)
# call: default_time(-3)
# call: default_time("2")
def default_time(change):
    """A default is worked out once, when def runs."""
    base = 10

    def cost(n, each=base):
        return n * each + base

    before = cost(2)
    base += change
    return before, cost(2), cost(2, base)


# call: curry_mix("tea", "milk", 2)
# call: curry_mix("a", "", 0)
# call: curry_mix("", "", 1)
# call: curry_mix("lemon juice", "soda", 5)
# call: curry_mix("ab", "cd", -1)
# call: curry_mix(1, 2, 3)
def curry_mix(*parts):
    def with_first(first):
        def with_second(second):
            def times(n):
                cup = (first[:2] + second[:2]) * n
                return cup or f"no {first} with {second}"
            return times
        return with_second

    step = with_first
    for part in parts:
        step = step(part)
    return step


# call: ledger_hooks([5, -3, 10])
# call: ledger_hooks([-1])
# call: ledger_hooks([])
# call: ledger_hooks([20, -5, -30, 7, 7, -2, 100])
# call: ledger_hooks([0])
# call: ledger_hooks([None])
def ledger_hooks(changes):
    notes, balance = [], 0
    hooks = [lambda old, new: notes.append(new - old)]

    def warn(old, new):
        if new < 0 <= old:
            notes.append("red")
            hooks.append(lambda o, n: notes.append("!") if n < 0 else None)

    hooks.append(warn)
    for change in changes:
        old, balance = balance, balance + change
        for hook in hooks[:]:
            hook(old, balance)
    return balance, notes, len(hooks)


# call: queue_numbers(["a", "b", "a"])
# call: queue_numbers(["x"])
# call: queue_numbers([])
# call: queue_numbers(["post", "bank", "post", "bank", "post", "visa", "bank", "post"])
# call: queue_numbers("aab")
# call: queue_numbers([["a"]])
from collections import defaultdict
from itertools import count


def queue_numbers(desks):
    counters = defaultdict(lambda: count(1))
    return [f"{desk[0].upper()}{next(counters[desk]):03}" for desk in desks]


# call: plugin_menu(["double 4", "add 3"])
# call: plugin_menu(["list"])
# call: plugin_menu([])
# call: plugin_menu(["add 5", "add 6", "double 50", "list", "drop 3", "double 2", "add -1"])
# call: plugin_menu(["drop 9"])
# call: plugin_menu(["triple 3"])
def plugin_menu(lines):
    menu = {}

    def register(f):
        menu[f.__name__] = f
        return f

    bag = []

    @register
    def add(n):
        bag.append(n)

    @register
    def double(n):
        bag.extend([n, n])

    @register
    def drop(n):
        bag[:] = [b for b in bag if b != n]

    for line in lines:
        name, _, number = line.partition(" ")
        if name == "list":
            bag.insert(0, len(menu))
        else:
            menu[name](int(number))
    return bag


# call: thermostat(20, [18, 22, 19])
# call: thermostat(20, [20])
# call: thermostat(0, [])
# call: thermostat(21, [15, 17, 19, 21, 23, 22, 20, 18, 16], slack=2)
# call: thermostat(5, [4, 5, 6], slack=0)
# call: thermostat(None, [4])
def thermostat(target, readings, slack=1):
    heating = False

    def step(t):
        nonlocal heating
        if t < target - slack:
            heating = True
        elif t > target + slack:
            heating = False
        return "H" if heating else "."

    return "".join(map(step, readings))


# call: once_only([3, 4])
# call: once_only([1])
# call: once_only([])
# call: once_only([9, 8, 7, 6, 5])
# call: once_only([0, 0])
# call: once_only([None, 2])
def once_only(values):
    def once(f):
        result = []

        def g(x):
            if not result:
                result.append(f(x))
            return result[0]

        g.forget = result.clear
        return g

    square = once(lambda x: x * x)
    out = []
    for v in values:
        out.append(square(v))
        if v % 4 == 0:
            square.forget()
    return out


# call: weigh(3, 4, 5)
# call: weigh(1, unit="kg")
# call: weigh()
# call: weigh(10, 20, 30, 40, 50, 60, 70, tare=5, unit="lb")
# call: weigh(5, tare=9)
# call: weigh("5")
def traced(f):
    def g(*args, **options):
        words = [str(a) for a in args] + [f"{k}={v}" for k, v in sorted(options.items())]
        return f"{f.__name__}({', '.join(words)}) -> {f(*args, **options)}"
    return g


@traced
def weigh(*parts, tare=0, unit="g"):
    total = sum(p - tare for p in parts)
    return f"{total}{unit}"


# call: nested_prices(2)
# call: nested_prices(7)
# call: nested_prices(0)
# call: nested_prices(40)
# call: nested_prices(-1)
# call: nested_prices("2")
def nested_prices(n):
    price = 10

    def outer():
        price = 5

        def inner():
            nonlocal price
            price += n
            return price

        return inner(), price, inner()

    first, kept, second = outer()
    return first, kept, second, price


# call: tally_votes(["x", "y", "x"])
# call: tally_votes(["x"])
# call: tally_votes([])
# call: tally_votes(["red", "blue", "red", "stop", "red", "blue", "green"])
# call: tally_votes(["stop"])
# call: tally_votes([["x"]])
def tally_votes(votes):
    def ballot():
        counts = {}

        def vote(name):
            if name == "stop":
                return max(counts, key=counts.get, default=None)
            counts[name] = counts.get(name, 0) + 1
            return counts[name]

        return vote

    vote = ballot()
    for name in votes:
        got = vote(name)
        if name == "stop":
            return got
    return vote("stop"), ballot()("late")


# call: stopwatch_laps([12, 25, 31])
# call: stopwatch_laps([5])
# call: stopwatch_laps([])
# call: stopwatch_laps([10, 19, 30, 30, 44, 52, 65, 71])
# call: stopwatch_laps([9, 3])
# call: stopwatch_laps(["1", 2])
def stopwatch_laps(times):
    def make():
        last = yield
        while True:
            now = yield
            yield now - last
            last = now

    watch = make()
    next(watch)
    watch.send(0)
    laps = []
    for t in times:
        laps.append(watch.send(t))
        next(watch)
    return laps


# call: rate_limit([0, 1, 2, 10])
# call: rate_limit([5])
# call: rate_limit([])
# call: rate_limit([1, 4, 5, 6, 9, 9, 10, 20, 22, 25], 4)
# call: rate_limit([3, 2, 1], 0)
# call: rate_limit([1, None])
def rate_limit(times, pause=3):
    allowed_at = float("-inf")

    def allow(t):
        nonlocal allowed_at
        if t < allowed_at:
            return False
        allowed_at = t + pause
        return True

    return [t for t in times if allow(t)], allowed_at


# call: build_greeting("en", ["Ann"])
# call: build_greeting("de", ["Jörg", "Bo"])
# call: build_greeting("en", [])
# call: build_greeting("fr", ["Zoë", "Luc", "Anne", "Marie", "Guy"])
# call: build_greeting("xx", ["Ann"])
# call: build_greeting("en", [5])
def build_greeting(language, names):
    words = {"en": "Hello", "de": "Hallo", "fr": "Salut"}
    greet = "{}, {}!".format
    start = words.get(language) or words["en"].lower()
    return [greet(start, name.strip()) for name in names]


# call: adders([1, 2, 3], 10)
# call: adders([0], 0)
# call: adders([], 5)
# call: adders([5, -5, 50, -50, 500, -500], 1)
# call: adders([1.5], 2)
# call: adders(["a"], 1)
def adders(steps, x):
    fs = []
    for step in steps:
        def add(y, step=step):
            return y + step
        fs.append(add)
    each = [f(x) for f in fs]
    for f in fs:
        x = f(x)
    return each, x


# call: lazy_menu(["soup", "fish"], 1)
# call: lazy_menu(["soup"], 3)
# call: lazy_menu([], 0)
# call: lazy_menu(["soup", "fish", "rice", "cake", "tea"], 4)
# call: lazy_menu(["a", "b"], -1)
# call: lazy_menu(None, 1)
def lazy_menu(dishes, served):
    """Only the dishes that are asked for are cooked."""
    cooked = {}

    def cook(dish):
        cooked[dish] = f"{len(cooked) + 1}. {dish}"
        return cooked[dish]

    meals = map(cook, dishes)
    plates = []
    while len(plates) < served:
        try:
            plates.append(next(meals))
        except StopIteration:
            plates.append("sold out")
            break
    return plates, list(cooked)


# call: shop_bonus([30, 80, 120])
# call: shop_bonus([100])
# call: shop_bonus([])
# call: shop_bonus([5, 500, 50, 250, 99, 100, 101, 1000])
# call: shop_bonus([-10])
# call: shop_bonus(["9"])
def shop_bonus(sales):
    def over(limit):
        return lambda x: x > limit

    def then(test, yes, no):
        return lambda x: yes(x) if test(x) else no(x)

    points = then(over(100), lambda x: x // 10, then(over(50), lambda x: 3, lambda x: 0))
    return list(map(points, sales))


# call: mailbox(["ann: hi", "bob: yo"])
# call: mailbox(["ann: a", "ann: b"])
# call: mailbox([])
# call: mailbox(["ann: one", "mute ann", "ann: two", "bob: three", "mute bob", "bob: four", "cyd: five"])
# call: mailbox(["mute ann"])
# call: mailbox(["ann hi"])
def mailbox(lines):
    received = []
    handlers = {}

    def handler_for(name):
        return lambda text: received.append(f"{name[0]}>{text}")

    for line in lines:
        if line.startswith("mute "):
            handlers[line[5:]] = lambda text: None
            continue
        name, text = line.split(": ", 1)
        handlers.setdefault(name, handler_for(name))(text)
    return received, sorted(handlers)


# call: swap_defaults([1], [2])
# call: swap_defaults([], [5])
# call: swap_defaults([], [])
# call: swap_defaults([1, 2, 3, 4], [5, 6])
# call: swap_defaults([1], None)
# call: swap_defaults(None, None)
def swap_defaults(first, second):
    def tray(items=None, extra=[]):
        items = items or extra
        items.append(len(items))
        return items

    return tray(first), tray(second), tray()


# call: discount_chain(100, [10, 20])
# call: discount_chain(80, [50])
# call: discount_chain(0, [])
# call: discount_chain(999, [5, 10, 15, 20, 25, 30])
# call: discount_chain(50, [100, 10])
# call: discount_chain(50, [101])
from functools import partial, reduce


def take_off(percent, price):
    if percent > 100:
        raise ValueError(f"{percent}% off")
    return price - price * percent // 100


def discount_chain(price, percents):
    cuts = [partial(take_off, p) for p in percents]
    total = reduce(lambda value, cut: cut(value), cuts, price)
    return total, [cut.args[0] for cut in cuts if cut(price) < total * 2]


# call: PanelButton("ok").press(2)
# call: PanelButton("no").press(1)
# call: PanelButton("").press(0)
# call: PanelButton("start engine").press(5)
# call: PanelButton("stop").press(3)
# call: PanelButton(None).press(1)
class PanelButton:
    handlers = []

    def __init__(self, label):
        self.label = label
        self.log = []
        self.on(self.note)
        self.on(lambda n: self.log.append(n * "."))

    @classmethod
    def on(cls, handler):
        cls.handlers.append(handler)

    def note(self, n):
        self.log.append(self.label[:n])

    def press(self, times):
        for n in range(1, times + 1):
            for handler in self.handlers:
                handler(n)
                if self.label == "stop" and n == 2:
                    return self.log
        return self.log


# call: checks(["12", "x", ""])
# call: checks(["7"])
# call: checks([])
# call: checks(["100", "abc", "9", "", "-3", "5 ", "12345", "0"])
# call: checks(["007"])
# call: checks([7])
def checks(inputs):
    rules = []

    def rule(message):
        def keep(test):
            rules.append((test, message))
            return test
        return keep

    rule("empty")(len)
    rule("no number")(str.isdigit)
    rule("too long")(lambda s: len(s) < 4)

    found = {}
    for text in inputs:
        found[text] = next((message for test, message in rules if not test(text)), "ok")
    return found


# call: savings_robot(3, 10)
# call: savings_robot(1, 5)
# call: savings_robot(0, 5)
# call: savings_robot(10, 7)
# call: savings_robot(4, -2)
# call: savings_robot(2, None)
def savings_robot(weeks, start):
    def robot(state={"total": 0, "week": 0}):
        state["week"] += 1
        state["total"] += start * state["week"]
        return state

    states = [robot() for _ in range(weeks)]
    copies = [dict(robot()) for _ in range(2)]
    return all(s is states[0] for s in states), copies


# call: menu_tree("tea/green")
# call: menu_tree("tea")
# call: menu_tree("")
# call: menu_tree("cake/plum/cream")
# call: menu_tree("tea/black/milk")
# call: menu_tree("soup")
def menu_tree(path):
    tree = {
        "tea": {"green": lambda: 250, "black": lambda: 200},
        "cake": {"plum": {"cream": lambda: 450}},
        "": lambda: 0,
    }
    node = tree
    for word in path.split("/"):
        if callable(node):
            return f"no {word} here"
        node = node[word]
    return node() if callable(node) else sorted(node)


# call: count_between([1, 5, 9], 2, 9)
# call: count_between([3], 3, 3)
# call: count_between([], 0, 1)
# call: count_between([12, 4, 7, 33, 21, 8, 15, 2, 40, 19], 8, 21)
# call: count_between([5, 5], 9, 1)
# call: count_between([5, "6"], 1, 9)
def count_between(xs, low, high):
    between = lambda x: low <= x <= high
    inside = [*filter(between, xs)]
    low = inside[0] if inside else low      # the lambda sees the new value
    return inside, sum(between(x) for x in xs)


# call: relay(["a", "b", "c"], 5)
# call: relay(["solo"], 3)
# call: relay([], 0)
# call: relay(["ann", "bob", "cyd", "dan"], 11)
# call: relay(["a", "b"], -1)
# call: relay([], 2)
from itertools import cycle


def relay(runners, legs):
    turn = cycle(runners)
    distance = dict.fromkeys(runners, 0)

    def run(leg):
        name = next(turn)
        distance[name] += leg
        return name

    order = [run(leg)[0] for leg in range(1, legs + 1)]
    return "".join(order), distance


# call: fold_bits([1, 0, 1])
# call: fold_bits([1])
# call: fold_bits([])
# call: fold_bits([1, 1, 0, 1, 0, 0, 1, 1])
# call: fold_bits([2, 3])
# call: fold_bits([1, "0"])
import operator
from functools import reduce


def fold_bits(bits):
    number = reduce(lambda n, bit: n << 1 | bit, bits, 0)
    parity = reduce(operator.xor, bits, 0)
    return number, parity, reduce(operator.and_, bits) if len(bits) > 2 else None


# call: key_functions(["Bo", "ann", "Cy"])
# call: key_functions(["b", "A"])
# call: key_functions([])
# call: key_functions(["pear", "Fig", "apple", "KIWI", "date", "Ugli", "plum"])
# call: key_functions(["a", "A", "a"])
# call: key_functions(["a", 1])
def key_functions(words):
    keys = [str.lower, len, lambda w: w[-1:], lambda w: (w.islower(), w)]
    firsts = []
    for key in keys:
        ordered = sorted(words, key=key)
        firsts.append(ordered[0] if ordered else "-")
    return " ".join(firsts)


# call: delayed_log([3, 1, 2])
# call: delayed_log([5])
# call: delayed_log([])
# call: delayed_log([4, 2, 9, 2, 7, 1, 1])
# call: delayed_log([-1, 0])
# call: delayed_log(["1", 2])
import heapq


def delayed_log(delays):
    jobs, log = [], []
    for number, delay in enumerate(delays):
        heapq.heappush(jobs, (delay, number, lambda: log.append(number)))
    order = []
    while jobs:
        when, number, job = heapq.heappop(jobs)
        job()
        order.append((when, number))
    return order, log


# call: scoped_sum([1, 2], 3)
# call: scoped_sum([], 3)
# call: scoped_sum([], 0)
# call: scoped_sum([4, 8, 15, 16, 23, 42], 10)
# call: scoped_sum([1], -1)
# call: scoped_sum([1], "1")
def scoped_sum(xs, x):
    squares = [x * x for x in xs]
    for x_ in xs:
        pass
    total = sum(squares) + x
    return total, x, (lambda x: x + 1)(total), x_ if xs else None
