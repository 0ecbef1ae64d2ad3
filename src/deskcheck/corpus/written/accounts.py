# call: PiggyBank().feed([50, 20, 5])
# call: PiggyBank(100).feed([200])
# call: PiggyBank().feed([])
# call: PiggyBank(500).feed([10, 20, 50, 100, 200, 5, 2, 1, 50])
# call: PiggyBank(60).feed([50, 20, 10])
# call: PiggyBank().feed([3])
class PiggyBank:
    COINS = {1, 2, 5, 10, 20, 50, 100, 200}

    def __init__(self, room=1000):
        self.room = room
        self.inside = 0

    def feed(self, coins):
        thrown_back = []
        for coin in coins:
            if coin not in self.COINS:
                raise ValueError(f"no coin of {coin}")
            if self.inside + coin > self.room:
                thrown_back.append(coin)
                continue
            self.inside += coin
        return self.inside, thrown_back


# call: Giro(100).book([20, -50, 30])
# call: Giro(0, limit=50).book([-30, -30])
# call: Giro(5).book([])
# call: Giro(10, limit=100).book([-5, -5, -40, 60, -100, -1, 2, -80])
# call: Giro(10).book([-10, -1])
# call: Giro("10").book([5])
class Giro:
    def __init__(self, balance, limit=0):
        self._balance = balance
        self.limit = limit
        self.refused = 0

    @property
    def available(self):
        return self._balance + self.limit

    def book(self, amounts):
        for amount in amounts:
            if amount < 0 and -amount > self.available:
                self.refused += 1
            else:
                self._balance += amount
        return {"balance": self._balance, "refused": self.refused}


# call: SavingsBook(1000, 2).years(3)
# call: SavingsBook(250, 10).years(2)
# call: SavingsBook(0, 5).years(0)
# call: SavingsBook(99999, 3).years(8)
# call: SavingsBook(49, 2).years(4)
# call: SavingsBook(100, "2").years(1)
class SavingsBook:
    def __init__(self, cents, percent):
        self.cents = cents
        self.percent = percent

    def years(self, count):
        lines = []
        for year in range(1, count + 1):
            interest = self.cents * self.percent // 100
            self.cents += interest
            lines.append((year, interest, self.cents))
        return lines


# call: StudentCard(20).pay(5)
# call: StudentCard(10).pay(12)
# call: StudentCard(0).pay(0)
# call: StudentCard(1250).pay(1244)
# call: StudentCard(8).pay(-3)
# call: StudentCard(8).pay(None)
class PlainCard:
    fee = 1

    def __init__(self, money):
        self.money = money

    def pay(self, price):
        total = price + self.fee
        if total > self.money:
            return f"short of {total - self.money}"
        self.money -= total
        return f"left {self.money}"


class StudentCard(PlainCard):
    fee = 0

    def pay(self, price):
        if price < 0:
            raise ValueError("negative price")
        return "student: " + super().pay(price)


# call: move_money({"ann": 50, "bob": 10}, "ann", "bob", 20)
# call: move_money({"ann": 50, "bob": 10}, "bob", "ann", 11)
# call: move_money({"a": 0, "b": 0}, "a", "b", 0)
# call: move_money({"till": 310, "safe": 90, "bank": 12000, "post": 4}, "bank", "safe", 11999)
# call: move_money({"ann": 50}, "ann", "ann", 30)
# call: move_money({"ann": 50}, "ann", "bob", 5)
def move_money(accounts, source, target, amount):
    before = sum(accounts.values())
    try:
        accounts[source] -= amount
        accounts[target] += amount
        if accounts[source] < 0:
            raise RuntimeError("overdrawn")
    except RuntimeError as error:
        accounts[source] += amount
        accounts[target] -= amount
        return str(error), accounts
    assert sum(accounts.values()) == before
    return "done", accounts


# call: sharedLedger(["rent", "food"])
# call: sharedLedger(["gas"], ["power"])
# call: sharedLedger([])
# call: sharedLedger(["tea", "rum", "oats", "salt", "rice", "figs"], ["nuts"])
# call: sharedLedger(["rent"], [])
# call: sharedLedger("ab")
def sharedLedger(first, second=()):
    def enter(item, book=[]):
        book.append(item)
        return book

    mine = None
    for item in first:
        mine = enter(item)
    for item in second:
        yours = enter(item)
        yours.append("!")
    return mine, len(enter("end"))


# call: Purse({"EUR": 5}).plus("USD", 3)
# call: Purse({"EUR": 5, "USD": 1}).plus("USD", -1)
# call: Purse({}).plus("YEN", 0)
# call: Purse({"EUR": 5, "USD": 1, "YEN": 900, "CHF": 70, "SEK": 12}).plus("CHF", 30)
# call: Purse({"EUR": 5}).plus("EUR", -5)
# call: Purse({"EUR": 5}).plus(3, 4)
class Purse:
    def __init__(self, notes):
        self.notes = dict(notes)

    def __repr__(self):
        inside = ", ".join(f"{n} {c}" for c, n in sorted(self.notes.items()))
        return f"Purse({inside})"

    def plus(self, currency, number):
        other = Purse(self.notes)
        other.notes[currency] = other.notes.get(currency, 0) + number
        if not other.notes[currency]:
            del other.notes[currency]
        return f"{self} -> {other!r}"


# call: roundCash(1.02)
# call: roundCash(9.98)
# call: roundCash(0)
# call: roundCash(1234.575)
# call: roundCash(-0.03)
# call: roundCash("1.02")
def roundCash(price):
    cents = round(price * 100)
    rest = cents % 5
    cents += -rest if rest < 3 else 5 - rest
    return f"{cents / 100:.2f}"


# call: compound(1000.0, 0.05, 3)
# call: compound(200.0, 0.1, 2, 12.5)
# call: compound(0.0, 0.03, 4)
# call: compound(1500.0, 0.0175, 10, 100.0)
# call: compound(100.0, -0.5, 3)
# call: compound(100.0, 0.05, 2.0)
def compound(start: float, rate: float, years: int, saving: float = 0.0) -> list[float]:
    """Balance at the end of each year, rounded to cents each time."""
    balances = [start]
    for _ in range(years):
        balances.append(round(balances[-1] * (1 + rate) + saving, 2))
    return balances[1:]


# call: Overdraft(30).spend(50)
# call: Overdraft(30).spend(10)
# call: Overdraft(0).spend(0)
# call: Overdraft(2500, 1000).spend(3499)
# call: Overdraft(30, 20).spend(51)
# call: Overdraft(30, None).spend(31)
class NotEnough(Exception):
    def __init__(self, missing):
        super().__init__(f"{missing} missing")
        self.missing = missing


class Overdraft:
    def __init__(self, balance, line=0):
        self.balance, self.line = balance, line

    def take(self, amount):
        if amount > self.balance:
            gap = amount - self.balance
            if gap > self.line:
                raise NotEnough(gap - self.line)
            self.line -= gap
            self.balance = 0
        else:
            self.balance -= amount

    def spend(self, amount):
        try:
            self.take(amount)
        except NotEnough as trouble:
            return str(trouble), trouble.missing
        else:
            return self.balance, self.line


# call: interest_days(10000, 3, 90)
# call: interest_days(2500, 7, 30)
# call: interest_days(0, 5, 360)
# call: interest_days(1234567, 4, 271)
# call: interest_days(100, 1, 1)
# call: interest_days(100, 3, "90")
from fractions import Fraction


def interest_days(cents, percent, days):
    exact = Fraction(cents) * percent * days / 36000
    down = exact.numerator // exact.denominator
    rest = exact - down
    if rest >= Fraction(1, 2):
        down += 1
    return down, str(rest)


# call: Family(["mum", "dad"]).share(90)
# call: Family(["mum", "dad", "kid"]).share(100)
# call: Family([]).share(0)
# call: Family(["a", "b", "c", "d", "e", "f", "g"]).share(1000)
# call: Family(["solo"]).share(-7)
# call: Family([]).share(5)
class Family:
    def __init__(self, names):
        self.pots = {name: 0 for name in names}

    def share(self, cents):
        if not self.pots and not cents:
            return {}
        each, rest = divmod(cents, len(self.pots))
        for place, name in enumerate(self.pots):
            self.pots[name] += each + (1 if place < rest else 0)
        return self.pots


# call: iban_groups("DE02120300000000202051")
# call: iban_groups("fr14 2004")
# call: iban_groups("")
# call: iban_groups("gb 33 bukb 2020 1555 5555 55 xx")
# call: iban_groups("12-34")
# call: iban_groups(1234)
def iban_groups(code):
    packed = "".join(code.split()).upper()
    if not packed[:2].isalpha():
        return None
    parts = [packed[i:i + 4] for i in range(0, len(packed), 4)]
    return " ".join(parts), parts[-1].ljust(4, ".")


# call: statement([("2 Jan", 500), ("5 Jan", -120)])
# call: statement([("1 May", 0)], 10)
# call: statement([])
# call: statement([("1 Jun", 1000), ("2 Jun", -999), ("3 Jun", -2), ("9 Jun", 45), ("30 Jun", -1)], 5)
# call: statement([("x", -10)], 3)
# call: statement([("x",)])
def statement(lines, opening=0):
    out, balance = [f"{'opening':<8}{opening:>8}"], opening
    for when, amount in lines:
        balance += amount
        mark = "*" if balance < 0 else " "
        out.append(f"{when:<8}{amount:>+8}{mark}{balance}")
    return out


# call: Vault("1234").tries(["1111", "1234"])
# call: Vault("00").tries(["0", "00", "000"])
# call: Vault("").tries([])
# call: Vault("2580").tries(["2579", "2581", "8520", "2580", "2580"])
# call: Vault("7").tries(["1", "2", "7", "3"])
# call: Vault("12").tries([12, "12"])
class Vault:
    MOST = 3

    def __init__(self, pin):
        self.__pin = pin
        self.wrong = 0
        self.log = []

    @property
    def is_locked(self):
        return self.wrong >= self.MOST

    def tries(self, pins):
        for pin in pins:
            if self.is_locked:
                self.log.append("locked")
                break
            if pin == self.__pin:
                self.wrong = 0
                self.log.append("open")
            else:
                self.wrong += 1
                self.log.append(f"wrong {self.wrong}")
        return self.log


# call: Account.of("ann:50").both("bob:20")
# call: Account.of("a: 1").both("b:2 ")
# call: Account.of("x:0").both("x:0")
# call: Account.of("treasury:250000").both("petty cash:-120")
# call: Account.of("a:-5").both("b:-7")
# call: Account.of("ann").both("bob:1")
class Account:
    count = 0

    def __init__(self, owner, balance):
        Account.count += 1
        self.owner, self.balance = owner, balance

    @classmethod
    def of(cls, text):
        owner, balance = text.split(":")
        return cls(owner.strip(), int(balance))

    def __add__(self, other):
        return Account(f"{self.owner}&{other.owner}", self.balance + other.balance)

    def both(self, text):
        joint = self + Account.of(text)
        return joint.owner, joint.balance, Account.count


# call: unpaid({"a": 3, "b": 0, "c": 7})
# call: unpaid({"x": 1})
# call: unpaid({})
# call: unpaid({"rent": 700, "gas": 30, "web": 0, "car": 210, "gym": 25, "tax": 0}, 30)
# call: unpaid({"a": -1, "b": 2}, 0)
# call: unpaid({"a": None})
def unpaid(bills, least=1):
    remind, text = 0, []
    for name in bills:
        if bills[name] < least:
            continue
        remind += bills[name]
        text.append(name[:4].upper())
    return "/".join(text) + f" {remind}"


# call: FeePlan("basic").month([10, 20, 30])
# call: FeePlan("gold").month([10])
# call: FeePlan("free").month([])
# call: FeePlan("basic").month([5, 5, 5, 5, 5, 5, 5, 900, 1])
# call: FeePlan("gold").month([0, 0])
# call: FeePlan("lead").month([1])
class FeePlan:
    def __init__(self, name):
        self.name = name

    def month(self, bookings):
        match self.name:
            case "free":
                fee = 0
            case "basic" if len(bookings) > 5:
                fee = 10 * (len(bookings) - 5) + 50
            case "basic":
                fee = 50
            case "gold":
                fee = sum(b // 100 for b in bookings) + 200
            case other:
                raise LookupError(f"no plan {other}")
        return sum(bookings) - fee


# call: loanTable(1000, 300, 10)
# call: loanTable(500, 500, 0)
# call: loanTable(0, 10, 5)
# call: loanTable(5000, 700, 4)
# call: loanTable(100, 10, 10)
# call: loanTable(100, 0, 0)
def loanTable(debt, rate, percent):
    rows = []
    while debt > 0 and len(rows) < 12:
        interest = debt * percent // 100
        if rate <= interest:
            rows.append("never ends")
            break
        payment = min(rate, debt + interest)
        debt = debt + interest - payment
        rows.append((interest, payment - interest, debt))
    return rows


# call: Money(3, 50).add(2, 75)
# call: Money(0, 99).add(0, 1)
# call: Money(0, 0).add(0, 0)
# call: Money(99999, 99).add(12345, 67)
# call: Money(1, 20).add(-2, 10)
# call: Money(1, 5).add("2", 5)
from dataclasses import dataclass


@dataclass(order=True)
class Money:
    euros: int
    cents: int = 0

    def __post_init__(self):
        carry, self.cents = divmod(self.cents, 100)
        self.euros += carry

    def add(self, euros, cents):
        other = Money(euros, cents)
        total = Money(self.euros + other.euros, self.cents + other.cents)
        return total.euros, total.cents, total > self


# call: Temperament([5, -3, 8]).lowest()
# call: Temperament([-2]).lowest()
# call: Temperament([]).lowest()
# call: Temperament([10, -20, 5, 5, -30, 100, -1, -1, -60, 2]).lowest()
# call: Temperament([0, 0, 0]).lowest()
# call: Temperament([1, "2"]).lowest()
class Temperament:
    """How low a balance ever was, and after how many bookings."""

    def __init__(self, moves):
        self.moves = moves

    def balances(self):
        total = 0
        for move in self.moves:
            total += move
            yield total

    def lowest(self):
        place, low = min(enumerate(self.balances(), 1), key=lambda p: p[1], default=(0, None))
        return place, low


# call: exchange(100, "EUR", "USD")
# call: exchange(50, "GBP", "EUR")
# call: exchange(0, "USD", "USD")
# call: exchange(123456, "YEN", "GBP")
# call: exchange(100, "EUR", "EUR")
# call: exchange(1, "EUR", "ZLOTY")
RATES = {"EUR": 100, "USD": 92, "GBP": 117, "YEN": 0.61}


def exchange(amount, have, want):
    if have == want:
        return amount
    value = amount * RATES[have] / RATES[want]
    fee = max(value * 0.01, 1)
    return round(value - fee, 2)


# call: Joint("ann", "bob").history([("ann", 5), ("bob", 7)])
# call: Joint("ann", "bob").history([("ann", -5)])
# call: Joint("a", "b").history([])
# call: Joint("a", "b").history([("a", 1), ("a", 2), ("b", 3), ("b", -4), ("a", 5), ("b", 6)])
# call: Joint("x", "x").history([("x", 2), ("x", 3)])
# call: Joint("ann", "bob").history([("cyd", 1)])
class Joint:
    def __init__(self, *owners):
        self.paid = dict.fromkeys(owners, 0)

    def history(self, moves):
        for owner, amount in moves:
            if owner not in self.paid:
                raise PermissionError(owner)
            self.paid[owner] += amount
        first, *rest = self.paid.values()
        fair = sum(self.paid.values()) / len(self.paid)
        return {o: p - fair for o, p in self.paid.items()}, first, rest


# call: dedupe_bookings([("a", 5), ("a", 5), ("b", 5)])
# call: dedupe_bookings([("a", 1)])
# call: dedupe_bookings([])
# call: dedupe_bookings([("t", 9), ("u", 9), ("t", 9), ("t", 8), ("t", 9), ("u", 9), ("u", 9)])
# call: dedupe_bookings([("a", 1), ("a", 1.0), ("a", True)])
# call: dedupe_bookings([["a", 1]])
def dedupe_bookings(bookings):
    seen, kept, dropped = set(), [], 0
    for booking in bookings:
        if (key := booking) in seen:
            dropped += 1
            continue
        seen.add(key)
        kept.append(booking[1])
    return kept, dropped


# call: savings_goal(100, 30)
# call: savings_goal(50, 50)
# call: savings_goal(0, 10)
# call: savings_goal(1000, 60, 25)
# call: savings_goal(10, 0)
# call: savings_goal("100", 30)
def savings_goal(goal, monthly, bonus=0):
    saved = months = 0
    while saved < goal:
        months += 1
        saved += monthly
        if months % 6 == 0:
            saved += bonus
        if months > 24:
            break
    else:
        return f"{months} months, {saved - goal} over"
    return "give up"


# call: Bonus(100).grow(3)
# call: Bonus(40).grow(1)
# call: Bonus(0).grow(0)
# call: Bonus(900).grow(9)
# call: Bonus(10).grow(2)
# call: Bonus(100).grow("3")
class Saver:
    rate = 10

    def __init__(self, amount):
        self.amount = amount

    def step(self):
        self.amount += self.amount * self.rate // 100

    def grow(self, times):
        for _ in range(times):
            self.step()
        return self.amount


class Bonus(Saver):
    def step(self):
        super().step()
        if self.amount < 50:
            self.amount += 1
            self.rate = 20


# call: tax_bands(30000)
# call: tax_bands(12000)
# call: tax_bands(0)
# call: tax_bands(250000, children=3)
# call: tax_bands(10000)
# call: tax_bands("30000")
def tax_bands(income, children=0):
    """The rate of the whole income goes up with its length in digits."""
    free = 8000 + 2000 * children
    taxed = max(income - free, 0)
    rate = {1: 0, 2: 0, 3: 5, 4: 10, 5: 20}.get(len(str(taxed)), 40)
    due = taxed * rate // 100
    if rate == 40 and children > 2:
        due -= due // 10
    return rate, due, income - due


# call: Wallet().run("+50 -20 +5")
# call: Wallet().run("+1 -2")
# call: Wallet().run("")
# call: Wallet().run("+100 -1 -2 -3 undo undo +7 undo -50 undo -1")
# call: Wallet().run("undo +3")
# call: Wallet().run("+5 five")
class Wallet:
    def __init__(self):
        self.done = []

    @property
    def total(self):
        return sum(self.done)

    def run(self, orders):
        for order in orders.split():
            if order == "undo":
                if self.done:
                    self.done.pop()
            else:
                self.done.append(int(order))
        return self.total, self.done


# call: TimeDeposit(1000, 3).withdraw(2)
# call: TimeDeposit(1000, 3).withdraw(3)
# call: TimeDeposit(0, 0).withdraw(0)
# call: TimeDeposit(123456, 12).withdraw(15)
# call: TimeDeposit(1000, 3).withdraw(0)
# call: TimeDeposit(1000, 0).withdraw(-1)
class TimeDeposit:
    def __init__(self, amount, months):
        self.amount = amount
        self.months = months

    @property
    def penalty(self):
        return self.amount // 50

    def withdraw(self, after):
        if after < 0:
            raise ValueError("time runs forward")
        interest = self.amount * min(after, self.months) // 400
        early = after < self.months
        return self.amount + interest - (self.penalty if early else 0)


# call: net_debts([("ann", "bob", 10), ("bob", "cyd", 4)])
# call: net_debts([("ann", "bob", 10), ("bob", "ann", 10)])
# call: net_debts([])
# call: net_debts([("a", "b", 5), ("b", "c", 7), ("c", "a", 9), ("d", "a", 1), ("a", "d", 3), ("c", "d", 2)])
# call: net_debts([("a", "a", 5)])
# call: net_debts([("a", "b", "5")])
from collections import Counter


def net_debts(loans):
    owes = Counter()
    for debtor, lender, amount in loans:
        owes[debtor] += amount
        owes[lender] -= amount
    pays = sorted((+owes).items())
    gets = [(name, -n) for name, n in owes.items() if n < 0]
    return pays, gets


# call: split_fee(100, {"ann": 1, "bob": 3})
# call: split_fee(10, {"a": 1, "b": 1, "c": 1})
# call: split_fee(0, {"a": 1})
# call: split_fee(999, {"a": 5, "b": 2, "c": 2, "d": 1, "e": 7, "f": 3})
# call: split_fee(5, {"a": 0, "b": 2})
# call: split_fee(5, {})
def split_fee(fee, weights):
    whole = sum(weights.values())
    parts = {}
    left = fee
    for name, weight in weights.items():
        part = round(left * weight / whole)
        parts[name] = part
        left -= part
        whole -= weight
        if whole == 0:
            break
    return parts, left


# call: card_hint("4929123456781234")
# call: card_hint("5100 1111 2222")
# call: card_hint("")
# call: card_hint("3714-496353-98431")
# call: card_hint("99")
# call: card_hint(4929)
def card_hint(number):
    digits = "".join(filter(str.isdigit, number))
    kinds = {"4": "visa", "5": "master", "37": "amex"}
    for start in sorted(kinds, key=len, reverse=True):
        if digits.startswith(start):
            break
    else:
        start = ""
    return kinds.get(start, "unknown"), digits[-4:].rjust(8, "x")


# call: Checkbook(3).write([40, 60])
# call: Checkbook(1).write([10, 10])
# call: Checkbook(0).write([])
# call: Checkbook(7).write([9, 8, 7, 6, 5, 4, 3, 2])
# call: Checkbook(2).write([0, 5])
# call: Checkbook(-1).write([5])
class Checkbook:
    number = 100

    def __init__(self, sheets):
        self.sheets = list(range(self.number, self.number + sheets))
        Checkbook.number += sheets

    def write(self, amounts):
        written = {}
        for amount in amounts:
            if amount == 0:
                self.sheets.pop()
                continue
            written[self.sheets.pop(0)] = amount
            if not self.sheets:
                break
        return written, self.number


# call: daily_interest([(1, 100), (11, 200)], 30)
# call: daily_interest([(1, 50)], 10)
# call: daily_interest([], 30)
# call: daily_interest([(1, 1000), (4, -500), (9, 250), (20, 0), (28, 80)], 31)
# call: daily_interest([(1, -100)], 5)
# call: daily_interest([(1, 100), 5], 30)
def daily_interest(steps, last):
    """steps: (day, balance from that day on); 1 cent for each 100 and day."""
    ends = [day for day, _ in steps[1:]] + [last + 1]
    total = 0
    for (day, balance), end in zip(steps, ends):
        total += max(balance, 0) * (end - day)
    return total // 100, ends


# call: freeze({"ann": 5, "bob": -1}, {"bob"})
# call: freeze({"ann": 5}, set())
# call: freeze({}, {"x"})
# call: freeze({"a": 1, "b": -2, "c": 3, "d": -4, "e": 5}, {"a", "d", "e"})
# call: freeze({"a": 0}, {"a"})
# call: freeze({"a": 1}, ["a"])
def freeze(accounts, suspects):
    frozen = accounts.keys() & suspects
    clear = accounts.keys() - suspects
    debts = {name for name in frozen if accounts[name] < 0}
    return sorted(frozen), sorted(clear), len(debts), suspects >= debts


# call: Thermostatic(50).settle([30, 80])
# call: Thermostatic(10).settle([5])
# call: Thermostatic(0).settle([])
# call: Thermostatic(100).settle([99, 101, 250, 20, 100, 0, 470])
# call: Thermostatic(20).settle([-15])
# call: Thermostatic(20).settle([None])
class Thermostatic:
    """Sweeps all above a target into a second account and refills from it."""

    def __init__(self, target):
        self.target = target
        self.reserve = 0

    def settle(self, balances):
        moves = []
        for balance in balances:
            gap = balance - self.target
            move = gap if gap > 0 else -min(-gap, self.reserve)
            self.reserve += move
            moves.append(move)
        return moves, self.reserve


# call: parse_amount("12.50")
# call: parse_amount("1,234.5")
# call: parse_amount("")
# call: parse_amount("(45,000.07)")
# call: parse_amount("-.5")
# call: parse_amount("12.5.0")
def parse_amount(text):
    sign = 1
    if text.startswith("(") and text.endswith(")"):
        sign, text = -1, text[1:-1]
    if text.startswith("-"):
        sign, text = -sign, text[1:]
    whole, _, part = text.replace(",", "").partition(".")
    cents = int(whole or 0) * 100 + int(part.ljust(2, "0")[:2])
    return sign * cents


# call: TierRank("gold", 50).beats("silver", 90)
# call: TierRank("silver", 10).beats("silver", 9)
# call: TierRank("basic", 0).beats("basic", 0)
# call: TierRank("silver", 123456).beats("gold", 1)
# call: TierRank("basic", -5).beats("basic", 5)
# call: TierRank("tin", 5).beats("gold", 5)
class TierRank:
    ORDER = ["basic", "silver", "gold"]

    def __init__(self, tier, points):
        self.tier = tier
        self.points = points

    def __lt__(self, other):
        mine, yours = self.ORDER.index(self.tier), self.ORDER.index(other.tier)
        if mine != yours:
            return mine < yours
        return self.points < other.points

    def __eq__(self, other):
        return (self.tier, self.points) == (other.tier, other.points)

    def beats(self, tier, points):
        other = TierRank(tier, points)
        return self > other, self == other, max([self, other]).tier


# call: alias_trap([10, 20])
# call: alias_trap([5])
# call: alias_trap([])
# call: alias_trap([1, 2, 3, 4, 5, 6, 7, 8])
# call: alias_trap([0, -1], 2)
# call: alias_trap((1, 2))
def alias_trap(balances, fee=1):
    backup = balances
    snapshot = balances[:]
    for i in range(len(balances)):
        balances[i] -= fee
    balances += [sum(balances)]
    return backup == balances, backup, snapshot


# call: sort_code("12-34-56")
# call: sort_code("00-00-01")
# call: sort_code("")
# call: sort_code("  20 - 00 - 00  ")
# call: sort_code("1-2-3")
# call: sort_code("12-3x-56")
import re


def sort_code(text):
    found = re.fullmatch(r"\s*(\d{1,2})\s*-\s*(\d{1,2})\s*-\s*(\d{1,2})\s*", text)
    if not found:
        return f"bad: {text!r}"
    return tuple(int(part) for part in found.groups()), "".join(p.zfill(2) for p in found.groups())


# call: PurseChain("cash", 20, PurseChain("card", 50)).pay(30)
# call: PurseChain("cash", 20).pay(5)
# call: PurseChain("none", 0).pay(0)
# call: PurseChain("a", 5, PurseChain("b", 6, PurseChain("c", 7, PurseChain("d", 80)))).pay(60)
# call: PurseChain("a", 5, PurseChain("b", 5)).pay(11)
# call: PurseChain("a", "5").pay(4)
class PurseChain:
    def __init__(self, name, money, after=None):
        self.name, self.money, self.after = name, money, after

    def pay(self, price):
        part = min(price, self.money)
        self.money -= part
        rest = price - part
        if not rest:
            return [(self.name, part)]
        if self.after is None:
            raise ValueError(f"{rest} unpaid")
        return [(self.name, part)] + self.after.pay(rest)


# call: quarters([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
# call: quarters([10, 20, 30])
# call: quarters([])
# call: quarters([100, -50, 20, 5, 5, 5, -90, 0, 1, 30])
# call: quarters([1])
# call: quarters([1, "2"])
def quarters(months):
    sums = [sum(months[i:i + 3]) for i in range(0, len(months), 3)]
    growth = [b - a for a, b in zip(sums, sums[1:])]
    best = sums.index(max(sums)) + 1 if sums else None
    return sums, growth, best


# call: DayLimit(50).ask(20, 20, 20)
# call: DayLimit(50).ask(60)
# call: DayLimit(10).ask()
# call: DayLimit(100).ask(10, 20, 30, 40, 50, 60, 5, 5, strict=False)
# call: DayLimit(30).ask(30, 1, strict=True)
# call: DayLimit(30).ask(-5, 36)
class DayLimit:
    def __init__(self, per_day):
        self.per_day = per_day
        self.used = 0

    @property
    def left(self):
        return self.per_day - self.used

    @left.setter
    def left(self, value):
        if value < 0:
            raise ValueError(f"limit broken by {-value}")
        self.used = self.per_day - value

    def ask(self, *amounts, strict=False):
        answers = ""
        for amount in amounts:
            try:
                self.left -= amount
                answers += "y"
            except ValueError:
                if strict:
                    raise
                answers += "n"
        return answers, self.left


# call: annuity(1200, 12)
# call: annuity(1000, 3)
# call: annuity(0, 4)
# call: annuity(10000, 7, 0.01)
# call: annuity(100, 1, 0.5)
# call: annuity(100, 0)
def annuity(debt, months, rate=0.0):
    if rate == 0.0:
        return round(debt / months, 2)
    factor = (1 + rate) ** months
    payment = debt * rate * factor / (factor - 1)
    return round(payment, 2), round(payment * months - debt, 2)


# call: standing_orders(100, [("rent", 60), ("gym", 30), ("tv", 20)])
# call: standing_orders(10, [("tv", 10)])
# call: standing_orders(0, [])
# call: standing_orders(500, [("a", 100), ("b", 450), ("c", 300), ("d", 60), ("e", 40), ("f", 1)])
# call: standing_orders(5, [("big", 6)])
# call: standing_orders(5, [("odd", "6")])
def standing_orders(money, orders):
    waiting = list(orders)
    paid = []
    while waiting:
        name, amount = waiting.pop(0)
        if amount > money:
            waiting.insert(0, (name, amount))
            break
        money -= amount
        paid.append(name)
    return paid, [name for name, _ in waiting], money


# call: Teller().serve(["ann:+5", "bob:+3", "ann:-2"])
# call: Teller().serve(["x:-1"])
# call: Teller().serve([])
# call: Teller().serve(["a:+10", "b:+20", "c:+30", "a:=5", "b:-25", "c:-30", "d:=0"])
# call: Teller().serve(["a:?1"])
# call: Teller().serve(["a+1"])
class Teller:
    def __init__(self):
        self.books = {}

    def serve(self, slips):
        for slip in slips:
            name, text = slip.split(":")
            handler = getattr(self, {"+": "put", "-": "take", "=": "fix"}.get(text[0], "skip"))
            handler(name, int(text[1:]))
        return self.books

    def put(self, name, n):
        self.books[name] = self.books.get(name, 0) + n

    def take(self, name, n):
        self.put(name, -min(n, self.books.get(name, 0)))

    def fix(self, name, n):
        self.books[name] = n

    def skip(self, name, n):
        self.books.setdefault(name, None)


# call: pocketMoney(7)
# call: pocketMoney(12, 3)
# call: pocketMoney(0)
# call: pocketMoney(18, 2)
# call: pocketMoney(5)
# call: pocketMoney(-3)
def pocketMoney(age, siblings=0):
    if age < 0: raise ValueError("not born")
    if age < 6: return 0
    weekly = 100 + (age - 6) * 50
    if siblings and age > 10:
        weekly -= weekly // (10 // siblings)
    return weekly if weekly <= 600 else 600


# call: bank_tree({"own": 5, "subs": [{"own": 3, "subs": []}]})
# call: bank_tree({"own": 1, "subs": [{"own": 2}, {"own": -4}]})
# call: bank_tree({})
# call: bank_tree({"own": 10, "subs": [{"own": 20, "subs": [{"own": 30, "subs": [{"own": 40}]}]}, {"own": 7}]})
# call: bank_tree({"own": 0, "subs": [{"subs": []}]})
# call: bank_tree({"own": 0, "subs": [5]})
def bank_tree(bank, depth=0):
    total, deepest = bank.get("own", 0), depth
    for sub in bank.get("subs", ()):
        below, deep = bank_tree(sub, depth + 1)
        total += below
        deepest = max(deepest, deep)
    return total, deepest


# call: minimum_fee(1000, 1.5)
# call: minimum_fee(50, 2.0, low=3)
# call: minimum_fee(0, 0.0)
# call: minimum_fee(876543, 0.25, low=10, high=99)
# call: minimum_fee(100, 50.0, high=5)
# call: minimum_fee(100, "2")
def minimum_fee(amount: int, percent: float, *, low: int = 1, high: int = 500) -> int:
    fee = int(amount * percent / 100 + 0.5)
    return low if fee < low else high if fee > high else fee


# call: TwinMoney(5).both()
# call: TwinMoney(-5).both()
# call: TwinMoney(0).both()
# call: TwinMoney(123456).both()
# call: TwinMoney(2.5).both()
# call: TwinMoney("5").both()
class TwinMoney:
    shared = []

    def __init__(self, amount):
        self.shared.append(amount)
        self.own = [amount]

    def both(self):
        twin = TwinMoney(self.own[0] * 2)
        twin.own = self.own
        twin.own.append(-1)
        self.shared = self.shared + [0]
        return self.own, self.shared, twin.shared, TwinMoney.shared is twin.shared


# call: overdue({"a": 3, "b": 40, "c": 15})
# call: overdue({"a": 31})
# call: overdue({})
# call: overdue({"gas": 8, "web": 14, "car": 61, "tax": 365, "gym": 30, "pet": 0, "tv": 15})
# call: overdue({"a": -2})
# call: overdue({"a": "3"})
def overdue(days_late):
    steps = [(60, "court"), (30, "final"), (14, "second"), (0, "first")]
    letters = dict.fromkeys((kind for _, kind in steps), "")
    for name, days in days_late.items():
        for least, kind in steps:
            if days > least:
                letters[kind] += name[0]
                break
        else:
            letters["none"] = name
    return letters


# call: cents_of_words("5 euros 20 cents")
# call: cents_of_words("12 euros")
# call: cents_of_words("")
# call: cents_of_words("1 euro 1 cent and 2 euros and 99 cents")
# call: cents_of_words("euro 5 cents")
# call: cents_of_words("five euros")
def cents_of_words(text):
    total, number = 0, 1
    for word in text.split():
        if word == "and":
            number = 1
            continue
        if word.rstrip("s") == "euro":
            total += number * 100
        elif word.rstrip("s") == "cent":
            total += number
        else:
            number = int(word)
    return total
