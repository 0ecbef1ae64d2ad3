# call: check_username("anna_b")
# call: check_username("Bo")
# call: check_username("")
# call: check_username("a-very-long-user-name-with-dashes")
# call: check_username("9lives")
# call: check_username(None)
def check_username(name):
    problems = []
    if len(name) < 3:
        problems.append("too short")
    if len(name) > 20:
        problems.append("too long")
    if name[:1].isdigit():
        problems.append("starts with a digit")
    for ch in name:
        if not (ch.isalnum() or ch == "_"):
            problems.append(f"bad character {ch!r}")
            break
    return problems or "ok"


# call: parse_age("42")
# call: parse_age(" 7 ")
# call: parse_age("")
# call: parse_age("one hundred and twenty years old")
# call: parse_age("130")
# call: parse_age([4])
def parse_age(text):
    class AgeError(Exception):
        pass

    try:
        age = int(text)
    except ValueError:
        return "not a number"
    else:
        if not 0 <= age < 130:
            raise AgeError(f"{age} is out of range")
        return age


# call: password_score("hunter2")
# call: password_score("Tr1cky!pass")
# call: password_score("")
# call: password_score("aaaaaaaaBBBBBBBB11111111????")
# call: password_score("password")
# call: password_score(12345678)
def password_score(word):
    import re
    score, advice = 0, []
    for hint, rule in {"small": "[a-z]", "capital": "[A-Z]", "digit": r"\d", "sign": r"[^\w\s]"}.items():
        if re.search(rule, word):
            score += 1
        else:
            advice.append(hint)
    for run in re.finditer(r"(.)\1\1+", word):
        score -= 1
        advice.append("fewer " + run[1])
    return score + len(word) // 5, advice


# call: Form({"name": "Ann", "age": 5}).require("name", "age").done()
# call: Form({"name": ""}).require("name").done()
# call: Form({}).done()
# call: Form({"a": 1, "b": None, "c": [], "d": 0}).require("a", "b").require("c", "d", "e").done()
# call: Form({"x": 1}).require("x").require("x").done()
# call: Form(None).require("x").done()
class Form:
    def __init__(self, data):
        self.data = data
        self.errors = []

    def require(self, *names):
        for name in names:
            if self.data.get(name) in (None, "", []):
                self.errors.append(f"{name} is missing")
        return self

    def done(self):
        if not self.errors:
            return True
        return "; ".join(self.errors)


# call: try_all(["5", "x", "2"])
# call: try_all(["0"])
# call: try_all([])
# call: try_all(["10", "4", "0", "-5", "abc", "2.5", "100", "7"])
# call: try_all([None])
# call: try_all(["3", [1]])
def try_all(texts):
    log = []
    for text in texts:
        try:
            log.append(100 // int(text))
        except ValueError:
            log.append("value")
        except ZeroDivisionError:
            log.append("zero")
        except Exception as e:
            log.append(type(e).__name__)
            return log
        else:
            log.append("ok")
        finally:
            log.append("|")
    return log


# call: postcode("AB1 2CD")
# call: postcode("w1a 0ax")
# call: postcode("")
# call: postcode("   sw1a    2aa and some more")
# call: postcode("ABC 123")
# call: postcode(90210)
def postcode(text):
    import re
    m = re.match(r"\s*([A-Z]{1,2}\d[A-Z\d]?)\s*(\d[A-Z]{2})", text.upper())
    if not m:
        return None
    outward, inward = m.groups()
    rest = text[m.end():].strip()
    return f"{outward} {inward}" + (f" (+{len(rest)})" if rest else "")


# call: first_error({"qty": 3, "price": 2.5})
# call: first_error({"qty": 0, "price": 2.5})
# call: first_error({})
# call: first_error({"qty": 12, "price": 9.99, "coupon": "SUMMER-SALE", "note": "ring twice"})
# call: first_error({"qty": 1, "price": -1})
# call: first_error({"qty": "3", "price": 1})
def first_error(order):
    if "qty" not in order:
        return "no qty"
    if order["qty"] < 1:
        return "qty below 1"
    if order.get("price", 0) <= 0:
        return "no price"
    if len(order.get("coupon", "")) > 8:
        return "coupon too long"
    return None


# call: date_parts("2024-02-30")
# call: date_parts("2023-11-05")
# call: date_parts("")
# call: date_parts("1999-12-31T23:59:59")
# call: date_parts("2024-13-01")
# call: date_parts("2024-xx-01")
def date_parts(text):
    errors = []
    parts = text[:10].split("-")
    if len(parts) != 3:
        return ["format"]
    year, month, day = map(int, parts)
    if not 1 <= month <= 12:
        errors.append("month")
    longest = 30 if month in (4, 6, 9, 11) else 29 if month == 2 else 31
    if not 1 <= day <= longest:
        errors.append("day")
    return errors or (day, month, year)


# call: strict_bool("yes")
# call: strict_bool("OFF")
# call: strict_bool("")
# call: strict_bool("definitely perhaps maybe later")
# call: strict_bool(1)
# call: strict_bool([])
def strict_bool(value):
    match value:
        case bool():
            return value
        case 0 | 1:
            return bool(value)
        case str() if value.lower() in {"yes", "on", "true"}:
            return True
        case str() if value.lower() in {"no", "off", "false", ""}:
            return False
        case str():
            return None
        case _:
            raise TypeError(f"{type(value).__name__} is no switch")


# call: clamp_all([5, 15, -2], 0, 10)
# call: clamp_all([1], 1, 1)
# call: clamp_all([], 0, 1)
# call: clamp_all([0.5, 12, 99, -40, 7, 10, 0, 3.25, 10.01], 0, 10)
# call: clamp_all([1, 2], 5, 0)
# call: clamp_all([1, "2"], 0, 5)
def clamp_all(values, low, high):
    if low > high:
        raise ValueError(f"empty range {low}..{high}")
    changed = 0
    for i, v in enumerate(values):
        values[i] = min(max(v, low), high)
        changed += values[i] != v
    return values, changed


# call: need_keys({"a": 1, "b": 2}, ["a", "b"])
# call: need_keys({"a": 1}, ["a", "c"])
# call: need_keys({}, [])
# call: need_keys({"id": 1, "to": "x", "cc": "", "subject": "hi", "junk": 9}, ["id", "to", "body", "subject", "date"])
# call: need_keys({}, ["x"])
# call: need_keys(None, ["x"])
def need_keys(data, keys):
    missing = set(keys) - data.keys()
    extra = data.keys() - set(keys)
    if missing and extra:
        return f"missing {sorted(missing)}, unknown {sorted(extra)}"
    elif missing:
        return f"missing {sorted(missing)}"
    return f"unknown {sorted(extra)}" if extra else ""


# call: safe_div([6, 3], [2, 0])
# call: safe_div([1], [4])
# call: safe_div([], [])
# call: safe_div([9, 7, 5.5, -3, 0, 100], [3, 0, 2, 2, 0, 8], default=None)
# call: safe_div([1, 2, 3], [1])
# call: safe_div([1, "2"], [1, 2])
def safe_div(tops, bottoms, default="inf"):
    def one(a, b):
        try:
            return a / b
        except ZeroDivisionError:
            return default
    return [one(a, b) for a, b in zip(tops, bottoms)]


# call: finally_order(1)
# call: finally_order(-1)
# call: finally_order(0)
# call: finally_order(1000000)
# call: finally_order("x")
# call: finally_order(None)
def finally_order(n):
    trail = ["in"]
    try:
        trail.append("try")
        10 / n
        if n < 0:
            return trail
        trail.append("after")
    except ZeroDivisionError:
        trail.append("zero")
    finally:
        trail.append("finally")
    trail.append("out")
    return trail


# call: finally_wins("5")
# call: finally_wins("x")
# call: finally_wins("")
# call: finally_wins("123456789012")
# call: finally_wins("-3")
# call: finally_wins(None)
def finally_wins(text):
    """The return of `finally` replaces the exception."""
    value = "start"
    try:
        value = int(text)
        return value
    finally:
        if value == "start" or value < 0:
            return f"lost {text!r}"


# call: isbn_shape("978-3-16")
# call: isbn_shape("0 306 40615 X")
# call: isbn_shape("")
# call: isbn_shape("979-10-90636-07-1")
# call: isbn_shape("12X45")
# call: isbn_shape(9783)
def isbn_shape(code):
    plain = code.replace("-", "").replace(" ", "")
    body, last = plain[:-1], plain[-1:]
    if not body.isdecimal():
        return "bad body"
    if not (last.isdecimal() or last == "X"):
        return f"bad end {last}"
    return {10: "old", 13: "new"}.get(len(plain), f"{len(plain)} signs")


# call: check_range("1-5")
# call: check_range("7")
# call: check_range("")
# call: check_range("1-3,8,10-12,20-19,x")
# call: check_range("5-")
# call: check_range("1-2-3")
def check_range(text):
    pages, errors = [], []
    for part in text.split(","):
        try:
            if "-" in part:
                a, b = map(int, part.split("-"))
                if a > b:
                    raise ValueError("backwards")
                pages += range(a, b + 1)
            else:
                pages.append(int(part))
        except ValueError as e:
            errors.append((part, str(e)[:9]))
    return pages, errors


# call: raise_from("k")
# call: raise_from("zero")
# call: raise_from("")
# call: raise_from("a-key-that-is-not-there", strict=True)
# call: raise_from("zero", strict=True)
# call: raise_from(["k"])
def raise_from(key, strict=False):
    class ConfigError(Exception):
        pass

    settings = {"k": 4, "zero": 0}
    try:
        try:
            return 20 // settings[key]
        except KeyError as e:
            raise ConfigError("no setting " + key) from e
    except ConfigError as e:
        if strict:
            raise
        return f"{e} ({type(e.__cause__).__name__})"
    except ArithmeticError:
        return "default"


# call: phone_ok("+49 30 1234")
# call: phone_ok("030/555 1")
# call: phone_ok("")
# call: phone_ok("0049 (0)171-555 12 34 ext. 7")
# call: phone_ok("++1")
# call: phone_ok(("0", "3"))
def phone_ok(text):
    digits = ""
    for i, ch in enumerate(text):
        if ch.isdigit():
            digits += ch
        elif ch == "+" and i == 0:
            digits = "00"
        elif ch in " -/()":
            continue
        else:
            return False, i
    return 5 <= len(digits) <= 15, digits


# call: Bounds("speed", 0, 130).check([50, 131])
# call: Bounds("score", 1, 6).check([1, 6])
# call: Bounds("x", 0, 0).check([])
# call: Bounds("temp", -10, 40).check([-11, -10, 0, 22.5, 40, 41, 99, -30, 5])
# call: Bounds("odd", 5, 1).check([3])
# call: Bounds("n", 0, 9).check([4, None])
class Bounds:
    def __init__(self, name, low, high):
        self.name, self.low, self.high = name, low, high

    def __contains__(self, value):
        return self.low <= value <= self.high

    def check(self, values):
        low = high = 0
        for v in values:
            if v in self:
                continue
            if v < self.low:
                low += 1
            else:
                high += 1
        return f"{self.name}: {low} too low, {high} too high" if low or high else f"{self.name} fine"


# call: same_types([1, 2, 3])
# call: same_types(["a", 1])
# call: same_types([])
# call: same_types([1, 2.0, True, "x", None, 3, 4, [5]])
# call: same_types([True, 1])
# call: same_types(7)
def same_types(items):
    kinds = {}
    for i, item in enumerate(items):
        kinds.setdefault(type(item).__name__, []).append(i)
    if len(kinds) < 2:
        return True
    usual = max(kinds, key=lambda k: len(kinds[k]))
    return sorted(i for k, places in kinds.items() if k != usual for i in places)


# call: email_problem("ann@example.org")
# call: email_problem("ann.example.org")
# call: email_problem("")
# call: email_problem("first.last+news@mail.shop.example.com")
# call: email_problem("a@b@c")
# call: email_problem(5)
def email_problem(address):
    if address.count("@") != 1:
        return f"{address.count('@')} at signs"
    user, host = address.split("@")
    if not user:
        return "no user"
    if "." not in host or host.startswith(".") or host.endswith("."):
        return "bad host"
    return None if address == address.strip() else "blanks"


# call: ask_again([None, "busy", 5])
# call: ask_again([3])
# call: ask_again([])
# call: ask_again(["busy", "busy", None, "busy", 9, 10], 5)
# call: ask_again(["busy", "busy"], 2)
# call: ask_again([None, None, None, 1], 3)
def ask_again(answers, attempts=3):
    it = iter(answers)
    for attempt in range(1, attempts + 1):
        try:
            answer = next(it)
            if answer is None:
                raise TimeoutError
            if answer == "busy":
                raise ConnectionError("busy")
        except (TimeoutError, ConnectionError) as e:
            last = repr(e)
            continue
        except StopIteration:
            return "no more answers"
        return answer, attempt
    raise RuntimeError(last)


# call: check_weights({"a": 0.5, "b": 0.5})
# call: check_weights({"a": 0.1, "b": 0.2, "c": 0.7})
# call: check_weights({})
# call: check_weights({"q1": 0.1, "q2": 0.1, "q3": 0.1, "q4": 0.1, "q5": 0.1, "q6": 0.1, "q7": 0.4})
# call: check_weights({"a": 1.5, "b": -0.5})
# call: check_weights({"a": "1"})
def check_weights(weights):
    total = sum(weights.values())
    errors = [k for k, w in weights.items() if not 0 <= w <= 1]
    if errors:
        return "bad: " + ", ".join(errors)
    exact = total == 1
    close = abs(total - 1) < 1e-9
    return total, exact, close


# call: typed_fields("id:int=5 name:str=bo")
# call: typed_fields("x:float=2")
# call: typed_fields("")
# call: typed_fields("id:int=7 price:float=3.50 tag:str=a=b n:int=x ok:bool=1")
# call: typed_fields("id:int=")
# call: typed_fields("id=5")
def typed_fields(text):
    makers = {"int": int, "float": float, "str": str}
    values, errors = {}, {}
    for field in text.split():
        name, rest = field.split(":")
        kind, _, raw = rest.partition("=")
        try:
            values[name] = makers[kind](raw)
        except (KeyError, ValueError) as e:
            errors[name] = type(e).__name__
    return values, errors


# call: assert_sorted([1, 2, 2, 5])
# call: assert_sorted([3, 1])
# call: assert_sorted([])
# call: assert_sorted([0, 1, 4, 4, 9, 12, 12, 30, 29, 31])
# call: assert_sorted([5], strictly=True)
# call: assert_sorted([2, 2], strictly=True)
def assert_sorted(values, strictly=False):
    for i in range(1, len(values)):
        before, here = values[i - 1], values[i]
        assert before <= here, f"{here} after {before} at {i}"
        if strictly:
            assert before != here, f"{here} twice"
    return len(values)


# call: count_errors(["ok", "warn: x", "error: y"])
# call: count_errors(["error"])
# call: count_errors([])
# call: count_errors(["ok", "error: a", "error: b", "warn: c", "OK", "Error: d", "note", "error: e", "ok"], 3)
# call: count_errors(["error: a", "error: b"], 1)
# call: count_errors([5])
def count_errors(lines, limit=2):
    class TooMany(Exception):
        def __init__(self, count):
            super().__init__(f"{count} errors")
            self.count = count

    seen = []
    try:
        for line in lines:
            if line.startswith("error"):
                seen.append(line[6:].strip())
                if len(seen) > limit:
                    raise TooMany(len(seen))
    except TooMany as problem:
        return problem.count, str(problem)
    return seen


# call: ip_parts("10.0.0.1")
# call: ip_parts("256.1.1.1")
# call: ip_parts("")
# call: ip_parts("192.168.001.1000.5")
# call: ip_parts("1.2.3.x")
# call: ip_parts(b"1.2")
def ip_parts(text):
    report = []
    for part in text.split("."):
        if not part.isdigit():
            report.append(part + "?")
        elif len(part) > 1 and part[0] == "0":
            report.append(part + " octal")
        elif int(part) > 255:
            report.append(part + " big")
    return report if report else "private" if text.startswith("10.") else "public"


# call: positive(lambda_name="area", value=3)
# call: positive(value=-3)
# call: positive(value=0)
# call: positive(lambda_name="a rather long field name", value=1000.5)
# call: positive(value=True)
# call: positive(value="3")
def positive(lambda_name="value", value=None):
    def checked(f):
        def inner(v):
            if not v > 0:
                return f"{lambda_name} must be positive, not {v}"
            return f(v)
        return inner

    @checked
    def half(v):
        return v / 2

    return half(value)


# call: validate_tree({"name": "a", "kids": [{"name": "b"}]})
# call: validate_tree({"name": ""})
# call: validate_tree({})
# call: validate_tree({"name": "a", "kids": [{"name": "b", "kids": [{"nam": "c"}, {"name": 4}]}, {"name": "d", "kids": []}]})
# call: validate_tree({"name": "a", "kids": {"name": "b"}})
# call: validate_tree(["name"])
def validate_tree(node, path="root"):
    if not isinstance(node, dict):
        return [f"{path}: not a node"]
    errors = []
    name = node.get("name")
    if not name or type(name) is not str:
        errors.append(f"{path}: bad name {name!r}")
    for i, kid in enumerate(node.get("kids", [])):
        errors.extend(validate_tree(kid, f"{path}.{i}"))
    return errors


# call: normalise_code("ab-12")
# call: normalise_code(" x9 ")
# call: normalise_code("")
# call: normalise_code("no. 0017 / series b (reprint)")
# call: normalise_code("---")
# call: normalise_code(12)
def normalise_code(raw):
    if not (code := "".join(c for c in raw.upper() if c.isalnum())):
        raise ValueError(f"nothing left of {raw!r}")
    letters = code.rstrip("0123456789")
    number = code[len(letters):]
    return f"{letters}-{number.zfill(4)}" if number else letters


# call: guess_check("7", 5)
# call: guess_check("5", 5)
# call: guess_check("", 5)
# call: guess_check("five and a half plus nothing", 6)
# call: guess_check("-1", 5)
# call: guess_check("4.0", 5)
def guess_check(text, secret):
    try:
        guess = int(text)
        assert 0 <= guess <= 10
    except AssertionError:
        answer = "outside"
    except ValueError as e:
        answer = str(e).split(":")[-1].strip()
    else:
        answer = ("equal", "high", "low")[(guess > secret) - (guess < secret)]
    return answer


# call: luggage(23, "55x40x20")
# call: luggage(8, "60x40x20")
# call: luggage(0, "0x0x0")
# call: luggage(31.5, "120 x 80 x 60")
# call: luggage(10, "55x40")
# call: luggage(10, "55xAx20")
def luggage(kg, size):
    sides = sorted((int(s) for s in size.split("x")), reverse=True)
    faults = 0
    faults |= 1 if kg > 23 else 0
    faults |= 2 if sides[0] > 55 else 0
    faults |= 4 if len(sides) != 3 else 0
    faults |= 8 if sum(sides) > 158 else 0
    return faults, [w for bit, w in enumerate(["heavy", "long", "shape", "huge"]) if faults >> bit & 1]


# call: each_or_none(["1", "b", "3"], "int")
# call: each_or_none(["a"], "upper")
# call: each_or_none([], "int")
# call: each_or_none(["4", "4.5", "four", " 4", "0x4", "-4", None], "float")
# call: each_or_none([3, "x"], "upper")
# call: each_or_none(["1"], "colour")
def each_or_none(items, kind):
    convert = {"int": int, "float": float, "upper": str.upper}[kind]
    out = []
    for item in items:
        value = None
        try:
            value = convert(item)
        except (ValueError, TypeError):
            pass
        out.append(value)
    return out


# call: opening_hours("9-17")
# call: opening_hours("22-4")
# call: opening_hours("")
# call: opening_hours("8-12, 13-18, 20-22")
# call: opening_hours("8-25")
# call: opening_hours("noon-3")
def opening_hours(text):
    total = 0
    for span in filter(None, text.split(",")):
        start, end = [int(h) for h in span.split("-")]
        if max(start, end) > 24:
            raise OverflowError(f"no hour {max(start, end)}")
        total += (end - start) % 24
    return total


# call: Validator("len<5", "alpha").run("abc")
# call: Validator("alpha").run("abc1")
# call: Validator().run("")
# call: Validator("len<8", "alpha", "lower", "title").run("Wonderful Day")
# call: Validator("digit").run("")
# call: Validator("prime").run("7")
class Validator:
    tests = {"alpha": str.isalpha, "lower": str.islower, "digit": str.isdigit, "title": str.istitle}

    def __init__(self, *rules):
        self.rules = rules

    def passes(self, rule, text):
        if rule.startswith("len<"):
            return len(text) < int(rule[4:])
        return self.tests[rule](text)

    def run(self, text):
        return {rule: self.passes(rule, text) for rule in self.rules}


# call: check_votes({"a": 4, "b": 3}, 7)
# call: check_votes({"a": 4}, 5)
# call: check_votes({}, 0)
# call: check_votes({"red": 120, "blue": 95, "green": 44, "spoilt": 3, "none": 0}, 260)
# call: check_votes({"a": -1, "b": 2}, 1)
# call: check_votes({"a": 1.5}, 1)
def check_votes(votes, issued):
    for party, n in votes.items():
        if not isinstance(n, int):
            raise TypeError(f"{party}: {n}")
        if n < 0:
            return f"{party} below zero"
    counted = sum(votes.values())
    if counted > issued:
        return f"{counted - issued} too many"
    elif counted < issued:
        return f"{issued - counted} not returned"
    return "clean"


# call: parse_temp("21.5C")
# call: parse_temp("70F")
# call: parse_temp("")
# call: parse_temp("   -40.0 F   ")
# call: parse_temp("-300C")
# call: parse_temp("20K")
def parse_temp(text):
    text = text.strip()
    unit = text[-1:].upper()
    try:
        value = float(text[:-1])
        if unit == "F":
            value = (value - 32) * 5 / 9
        elif unit != "C":
            raise LookupError(unit)
    except ValueError:
        return None
    if value < -273.15:
        return "colder than possible"
    return round(value, 1)


# call: unique_or_fail([3, 1, 2])
# call: unique_or_fail(["a", "a"])
# call: unique_or_fail([])
# call: unique_or_fail([5, 9, 13, 2, 8, 21, 9, 34, 5])
# call: unique_or_fail([1, True])
# call: unique_or_fail([[1], [2]])
def unique_or_fail(values):
    seen = {}
    for place, value in enumerate(values):
        if value in seen:
            raise ValueError(f"{value} at {seen[value]} and {place}")
        seen[value] = place
    return seen


# call: recipe_ok({"flour": "500 g", "eggs": "3"})
# call: recipe_ok({"salt": "a pinch"})
# call: recipe_ok({})
# call: recipe_ok({"milk": "0.5 l", "sugar": "120g", "butter": "60 g", "rum": "2 cl", "love": "", "eggs": "-1"})
# call: recipe_ok({"eggs": "3 3 3"})
# call: recipe_ok({"eggs": 3})
def recipe_ok(recipe):
    import re
    pattern = re.compile(r"(?P<n>\d+(?:\.\d+)?)\s*(?P<unit>g|ml|l)?")
    bad, grams = [], 0.0
    for name, amount in recipe.items():
        m = pattern.fullmatch(amount)
        if m is None:
            bad.append(name)
        elif m["unit"] == "g":
            grams += float(m["n"])
    return {"bad": bad, "grams": grams}


# call: cron_field("1,5", 10)
# call: cron_field("*", 4)
# call: cron_field("", 3)
# call: cron_field("*/7,3,1-4", 30)
# call: cron_field("9", 5)
# call: cron_field("a", 5)
def cron_field(text, top):
    hits = set()
    for part in text.split(","):
        if part == "*":
            hits |= set(range(top))
        elif part.startswith("*/"):
            hits.update(range(0, top, int(part[2:])))
        elif "-" in part:
            low, high = part.split("-")
            hits.update(range(int(low), int(high) + 1))
        elif part:
            hits.add(int(part))
    wrong = {h for h in hits if h >= top}
    return sorted(hits - wrong), sorted(wrong)


# call: collect_errors({"name": "Bo", "age": 200, "mail": "x"})
# call: collect_errors({"name": "Ann", "age": 30, "mail": "a@b.c"})
# call: collect_errors({})
# call: collect_errors({"name": "xxx", "age": -1, "mail": "no at sign here", "extra": [1, 2, 3]})
# call: collect_errors({"age": "30"})
# call: collect_errors("name")
def collect_errors(form):
    checks = {
        "name": lambda v: len(v) >= 2,
        "age": lambda v: 0 <= v <= 120,
        "mail": lambda v: "@" in v,
    }
    errors = []
    for field, check in checks.items():
        try:
            if not check(form[field]):
                errors.append(f"{field} wrong")
        except KeyError:
            errors.append(f"{field} missing")
        except TypeError:
            if isinstance(form, str):
                raise
            errors.append(f"{field} has a bad type")
    return errors


# call: deep_types([1, "a", [2.5]])
# call: deep_types({"k": (1, 2)})
# call: deep_types([])
# call: deep_types({"a": [1, 2, {"b": None}], "c": ("x", True, [3.0, [4]]), "d": {}})
# call: deep_types({1, 2})
# call: deep_types(b"xy")
def deep_types(value):
    if isinstance(value, dict):
        return {k: deep_types(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [deep_types(v) for v in value]
    if value is None or isinstance(value, (int, float, str)):
        return type(value).__name__[0]
    raise TypeError(type(value).__name__)


# call: card_expiry("09/27")
# call: card_expiry("1/30")
# call: card_expiry("")
# call: card_expiry(" 12 / 2031 ")
# call: card_expiry("13/25")
# call: card_expiry("05/24", today=(2024, 6))
def card_expiry(text, today=(2025, 1)):
    month, slash, year = (part.strip() for part in text.partition("/"))
    if slash != "/":
        return "format"
    m, y = int(month), int(year)
    y += 2000 if y < 100 else 0
    if m not in range(1, 13):
        raise ValueError(f"month {m}")
    left = (y - today[0]) * 12 + m - today[1]
    return "expired" if left < 0 else f"{left} months"


# call: nested_try([1, 0, "x"])
# call: nested_try([4])
# call: nested_try([])
# call: nested_try([5, "7", 0, None, "zero", 2, -4, "0"])
# call: nested_try([[]])
# call: nested_try(0)
def nested_try(items):
    out = []
    for item in items:
        try:
            try:
                n = item + 0
            except TypeError:
                n = int(item)
                out.append("text")
            out.append(60 // n)
        except ZeroDivisionError:
            out.append("-")
            continue
        except ValueError:
            out.append("word")
        except TypeError:
            break
    return out


# call: password_pair("abc123", "abc123")
# call: password_pair("abc", "abd")
# call: password_pair("", "")
# call: password_pair("correct horse battery", "correct horse batteries")
# call: password_pair("abc", "ABC")
# call: password_pair("abc", None)
def password_pair(first, again):
    if first == again:
        return "same"
    if first.swapcase() == again:
        return "check caps lock"
    common = 0
    while first[:common + 1] == again[:common + 1]:
        common += 1
        if common > min(len(first), len(again)):
            break
    else:
        return f"differ after {first[:common]!r}"
    return "one goes on"


# call: check_moves("a1-a2 b3-c4")
# call: check_moves("h8-h8")
# call: check_moves("")
# call: check_moves("e2-e4 e7-e5 g1-f3 b8-c6 i9-i8 f1b5")
# call: check_moves("a0-a1")
# call: check_moves("a1-a2 b3-")
def check_moves(text):
    import re
    moves = []
    for token in text.split():
        m = re.match(r"([a-h])([1-8])-([a-h])([1-8])$", token)
        if not m:
            moves.append(None)
            if token[-1] == "-":
                raise ValueError(f"move {len(moves)} has no end")
            continue
        c1, r1, c2, r2 = m.groups()
        moves.append((ord(c2) - ord(c1), int(r2) - int(r1)))
    return moves


# call: remember_errors("x")
# call: remember_errors("")
# call: remember_errors("ok", fatal=False)
# call: remember_errors("disk full while saving the report", fatal=True)
# call: remember_errors(None)
# call: remember_errors(404, fatal=True)
def remember_errors(message, fatal=False, log=[]):
    log.append(message)
    if fatal:
        log.append(len(message))
    snapshot = log
    log = log + ["end"]
    return snapshot, log


# call: strip_units("12kg")
# call: strip_units("3.5 m")
# call: strip_units("")
# call: strip_units("1,250.75 kilometres")
# call: strip_units("kg")
# call: strip_units("1.2.3 s")
def strip_units(text):
    cut = 0
    while cut < len(text) and text[cut] in "0123456789.,":
        cut += 1
    number, unit = text[:cut].replace(",", ""), text[cut:].strip()
    if not number:
        return None, unit
    return float(number), unit or "1"


# call: ticket_faults(["A-014", "B-2", "A-015"])
# call: ticket_faults(["C-000"])
# call: ticket_faults([])
# call: ticket_faults(["A-001", "A-001", "a-002", "Z-999", "B-12x", "B012", "D-100", "A-1000"])
# call: ticket_faults(["Q-123", "Q-123"])
# call: ticket_faults(["A-014", 15])
def ticket_faults(tickets):
    used, faults = set(), []

    def reject(reason):
        faults.append(f"{ticket}: {reason}")

    for ticket in tickets:
        hall, _, number = ticket.partition("-")
        if len(number) != 3 or not number.isdecimal():
            reject("number")
        elif hall not in "ABCD":
            reject("hall")
        elif ticket in used:
            reject("used before")
        used.add(ticket)
    return len(tickets) - len(faults), faults


# call: open_session("ann", ["read", "close"])
# call: open_session("bo", ["write"])
# call: open_session("cy", [])
# call: open_session("di", ["read", "read", "write", "close", "read", "write", "close"])
# call: open_session("ed", ["close", "close"])
# call: open_session("flo", ["shout"])
def open_session(user, actions):
    events = []

    class Session:
        def __enter__(self):
            events.append("open " + user)
            return self

        def __exit__(self, kind, error, trace):
            events.append("shut" if kind is None else f"shut after {error}")
            return kind is EOFError

        def act(self, what):
            if what == "close":
                raise EOFError("end")
            events.append({"read": "r", "write": "w"}[what])

    with Session() as s:
        for action in actions:
            s.act(action)
    return events
