# call: line_total({"price": 250, "quantity": 3})
# call: line_total({"price": 1999, "quantity": 1, "discount": 10})
# call: line_total({"price": 0, "quantity": 0})
# call: line_total({"price": 333, "quantity": 12, "discount": 33})
# call: line_total({"price": 100, "quantity": 2, "discount": 100})
# call: line_total({"price": 100})
def line_total(line):
    gross = line["price"] * line["quantity"]
    discount = line.get("discount", 0)
    return gross - gross * discount // 100


# call: add_to_cart({}, "tea", 2)
# call: add_to_cart({"tea": 1, "milk": 4}, "tea", 2)
# call: add_to_cart({"tea": 1}, "", 1)
# call: add_to_cart({"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}, "f", 6)
# call: add_to_cart({"tea": 3}, "tea", -3)
# call: add_to_cart({"tea": 1}, "tea", -2)
def add_to_cart(cart, item, count):
    cart[item] = cart.get(item, 0) + count
    if cart[item] < 0:
        raise ValueError(f"cannot hold {cart[item]} of {item}")
    if cart[item] == 0:
        del cart[item]
    return cart


# call: cheapest([("pen", 120), ("ink", 450), ("pad", 90)])
# call: cheapest([("a", 5), ("b", 5)])
# call: cheapest([])
# call: cheapest([("saw", 1299), ("axe", 2450), ("nail", 3), ("glue", 210), ("bolt", 7)])
# call: cheapest([("x", -1), ("y", 0)])
# call: cheapest([("pen",)])
def cheapest(offers):
    best_name, best_price = None, None
    for name, price in offers:
        if best_price is None or price < best_price:
            best_name, best_price = name, price
    return best_name


# call: change_for(87, [50, 20, 10, 5, 2, 1])
# call: change_for(30, [25, 10, 1])
# call: change_for(0, [5, 1])
# call: change_for(999, [200, 100, 50, 20, 10, 5, 2, 1])
# call: change_for(3, [5, 2])
# call: change_for(5, [0])
def change_for(amount, coins):
    handed = []
    for coin in coins:
        number, amount = divmod(amount, coin)
        handed += [coin] * number
    return handed if amount == 0 else None


# call: format_cents(123456)
# call: format_cents(5)
# call: format_cents(0)
# call: format_cents(100000000)
# call: format_cents(-2050)
# call: format_cents("12")
def format_cents(cents):
    sign = "-" if cents < 0 else ""
    euros, rest = divmod(abs(cents), 100)
    groups = []
    while euros >= 1000:
        euros, tail = divmod(euros, 1000)
        groups.insert(0, f"{tail:03d}")
    groups.insert(0, str(euros))
    return f"{sign}{','.join(groups)}.{rest:02d}"


# call: apply_coupons(5000, ["TEN", "FREESHIP"])
# call: apply_coupons(1500, ["FIVER"])
# call: apply_coupons(0, [])
# call: apply_coupons(9999, ["TEN", "TEN", "FIVER", "HALF"])
# call: apply_coupons(300, ["FIVER"])
# call: apply_coupons(2000, ["BOGUS"])
def apply_coupons(total, codes):
    rules = {
        "TEN": lambda t: t - t // 10,
        "FIVER": lambda t: max(t - 500, 0),
        "HALF": lambda t: t // 2,
        "FREESHIP": lambda t: t,
    }
    used = set()
    for code in codes:
        if code in used:
            continue
        total = rules[code](total)
        used.add(code)
    return total, sorted(used)


# call: restock({"nut": 3, "bolt": 40}, {"nut": 10, "bolt": 25})
# call: restock({"a": 0}, {"a": 1})
# call: restock({}, {})
# call: restock({"u": 9, "v": 10, "w": 11, "x": 2, "y": 30}, {"u": 10, "v": 10, "w": 10, "x": 12, "z": 4})
# call: restock({"a": 5}, {"a": 5})
# call: restock({"a": None}, {"a": 9})
def restock(stock, wanted):
    order = []
    for name in wanted:
        missing = wanted[name] - stock.get(name, 0)
        if missing > 0:
            order.append(f"{name} x{missing}")
            stock[name] = wanted[name]
    if not order:
        return "nothing to order"
    return "; ".join(order)


# call: group_by_supplier([("nut", "acme"), ("bolt", "acme"), ("gear", "zeta")])
# call: group_by_supplier([("a", "x")])
# call: group_by_supplier([])
# call: group_by_supplier([("p1", "s2"), ("p2", "s1"), ("p3", "s2"), ("p4", "s3"), ("p5", "s1")])
# call: group_by_supplier([("a", "x"), ("a", "x")])
# call: group_by_supplier([("a", ["x"])])
def group_by_supplier(pairs):
    groups = {}
    for product, supplier in pairs:
        groups.setdefault(supplier, [])
        if product not in groups[supplier]:
            groups[supplier].append(product)
    return {supplier: len(products) for supplier, products in sorted(groups.items())}


# call: ledger([("in", 100), ("out", 30), ("in", 5)])
# call: ledger([("out", 1)])
# call: ledger([])
# call: ledger([("in", 10), ("out", 10), ("in", 3), ("out", 1), ("out", 1), ("out", 1)])
# call: ledger([("in", 50), ("hold", 20), ("out", 20)])
# call: ledger([("in", 50), ("steal", 20)])
def ledger(entries):
    balance, held, history = 0, 0, []
    for kind, amount in entries:
        if kind == "in":
            balance += amount
        elif kind == "out":
            if balance - held < amount:
                history.append("refused")
                continue
            balance -= amount
        elif kind == "hold":
            held += amount
        else:
            raise KeyError(kind)
        history.append(balance)
    return history


# call: best_sellers([("tea", 3), ("rum", 9), ("oat", 3), ("ale", 1)], 2)
# call: best_sellers([("x", 1)], 5)
# call: best_sellers([], 3)
# call: best_sellers([("d", 4), ("c", 4), ("b", 7), ("a", 4), ("e", 2), ("f", 7)], 4)
# call: best_sellers([("a", 1), ("b", 2)], 0)
# call: best_sellers([("a", 1), (2, "b")], 1)
def best_sellers(sales, n):
    ranked = sorted(sales, key=lambda sale: (-sale[1], sale[0]))
    return [name for name, _ in ranked[:n]]


# call: with_tax([1000, 250], 19)
# call: with_tax([99], 7)
# call: with_tax([], 19)
# call: with_tax([1, 2, 3, 4, 5, 6, 7], 50)
# call: with_tax([100], 0)
# call: with_tax([100, "200"], 20)
def with_tax(prices, percent):
    taxed = []
    for price in prices:
        tax = (price * percent + 50) // 100
        taxed.append(price + tax)
    return taxed, sum(taxed)


# call: split_bill(1000, 3)
# call: split_bill(7, 7)
# call: split_bill(0, 2)
# call: split_bill(12345, 8)
# call: split_bill(2, 5)
# call: split_bill(10, 0)
def split_bill(total, people):
    share, rest = divmod(total, people)
    return [share + 1 if guest < rest else share for guest in range(people)]


# call: Till().run(["ring 5", "ring 7", "void", "ring 1"])
# call: Till().run(["ring 20", "pay 50"])
# call: Till().run([])
# call: Till().run(["ring 1", "ring 2", "ring 3", "void", "void", "ring 10", "pay 11"])
# call: Till().run(["void"])
# call: Till().run(["ring 9", "pay 3"])
class Till:
    def __init__(self):
        self.items = []
        self.paid = 0

    def total(self):
        return sum(self.items)

    def run(self, commands):
        for command in commands:
            word, _, number = command.partition(" ")
            if word == "ring":
                self.items.append(int(number))
            elif word == "void" and self.items:
                self.items.pop()
            elif word == "pay":
                self.paid += int(number)
                if self.paid < self.total():
                    raise RuntimeError(f"{self.total() - self.paid} missing")
        return self.total(), self.paid


# call: merge_carts({"tea": 1}, {"tea": 2, "jam": 1})
# call: merge_carts({"a": 1}, {"b": 1}, {"c": 1})
# call: merge_carts()
# call: merge_carts({"a": 5, "b": 1}, {"a": 1, "c": 9}, {"b": 2, "d": 4}, {"a": 1})
# call: merge_carts({"a": 0}, {"a": 0})
# call: merge_carts({"a": 1}, ["a"])
def merge_carts(*carts):
    merged = {}
    for cart in carts:
        for item, count in cart.items():
            if count:
                merged[item] = merged.get(item, 0) + count
    return merged


# call: parse_receipt("tea 2 x 1.50\njam 1 x 3.25")
# call: parse_receipt("oil 10 x 0.99")
# call: parse_receipt("")
# call: parse_receipt("a 1 x 1.00\n\nb 2 x 2.00\n# note\nc 3 x 3.00")
# call: parse_receipt("free 5 x 0.00")
# call: parse_receipt("tea two x 1.50")
def parse_receipt(text):
    lines = {}
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        name, count, _, price = line.split()
        lines[name] = round(int(count) * float(price), 2)
    return lines


# call: stock_value({"saw": (3, 19.5), "nail": (200, 0.02)})
# call: stock_value({"a": (1, 1.0)})
# call: stock_value({})
# call: stock_value({"a": (2, 0.1), "b": (3, 0.1), "c": (5, 0.1), "d": (7, 0.1)})
# call: stock_value({"a": (-1, 2.5)})
# call: stock_value({"a": 3})
def stock_value(stock):
    total = 0.0
    for name, (count, price) in stock.items():
        total += count * price
    return round(total, 2)


# call: loyalty_level(120)
# call: loyalty_level(1000)
# call: loyalty_level(0)
# call: loyalty_level(123456)
# call: loyalty_level(-5)
# call: loyalty_level("many")
def loyalty_level(points):
    levels = [(10000, "gold"), (1000, "silver"), (100, "bronze")]
    for least, level in levels:
        if points >= least:
            return level
    return "none"


# call: queue_for_till(["ann", "bob", "cy", "dee"], [2, 1])
# call: queue_for_till(["ann"], [5])
# call: queue_for_till([], [3])
# call: queue_for_till(["a", "b", "c", "d", "e", "f", "g"], [1, 3, 2])
# call: queue_for_till(["a", "b"], [0, 1])
# call: queue_for_till(["a"], [])
def queue_for_till(people, speeds):
    served = {till: [] for till in range(len(speeds))}
    waiting = list(people)
    while waiting:
        for till, speed in enumerate(speeds):
            for _ in range(speed):
                if waiting:
                    served[till].append(waiting.pop(0))
        if not any(speeds):
            raise RuntimeError("no till is open")
    return served


# call: price_drop([10, 9, 12, 7, 7, 3])
# call: price_drop([5, 4])
# call: price_drop([8])
# call: price_drop([20, 18, 25, 21, 22, 4, 9, 1, 30])
# call: price_drop([1, 2, 3])
# call: price_drop([])
def price_drop(prices):
    worst, high = 0, prices[0]
    for price in prices[1:]:
        high = max(high, price)
        worst = max(worst, high - price)
    return worst


# call: bundles({"cup": 7, "lid": 9}, {"cup": 2, "lid": 2})
# call: bundles({"a": 10, "b": 3}, {"a": 1, "b": 3})
# call: bundles({"a": 1}, {})
# call: bundles({"a": 30, "b": 31, "c": 14, "d": 100}, {"a": 3, "b": 4, "c": 2})
# call: bundles({"a": 1}, {"b": 1})
# call: bundles({"a": 1}, {"a": 0})
def bundles(stock, recipe):
    possible = [stock.get(part, 0) // needed for part, needed in recipe.items()]
    if not possible:
        return None
    n = min(possible)
    left = {part: count - n * recipe.get(part, 0) for part, count in stock.items()}
    return n, left
