# call: digit_counts(2024)
# call: digit_counts(77)
# call: digit_counts(0)
# call: digit_counts(9009190)
# call: digit_counts(-31)
# call: digit_counts("12")
def digit_counts(n):
    counts = [0] * 10
    while n > 0:
        counts[n % 10] += 1
        n //= 10
    used = []
    for d in range(10):
        if counts[d] > 0:
            used.append((d, counts[d]))
    return used


# call: trial_divisor(91)
# call: trial_divisor(29)
# call: trial_divisor(2)
# call: trial_divisor(899)
# call: trial_divisor(1)
# call: trial_divisor(2.5)
def trial_divisor(n):
    """Smallest divisor above 1 and how many were tried."""
    if n < 2:
        return None, 0
    tried = 1
    if n % 2 == 0:
        return 2, tried
    d = 3
    while d * d <= n and n % d:
        d += 2
        tried += 1
    return (d if d * d <= n else n), tried


# call: next_primes(10, 3)
# call: next_primes(2, 4)
# call: next_primes(5, 0)
# call: next_primes(40, 5)
# call: next_primes(-3, 2)
# call: next_primes(3, "2")
def next_primes(start, count):
    def no_divisor(n, d=2):
        if n < 2:
            return False
        if d * d > n:
            return True
        return n % d != 0 and no_divisor(n, d + 1)

    found = []
    n = start
    while len(found) < count:
        if no_divisor(n):
            found.append(n)
        n += 1
    return found


# call: twin_gaps(20)
# call: twin_gaps(8)
# call: twin_gaps(1)
# call: twin_gaps(45)
# call: twin_gaps(3)
# call: twin_gaps([5])
def twin_gaps(limit):
    """Pairs of primes two apart; a prime is divided by the earlier ones only."""
    primes = []
    twins = []
    for n in range(2, limit + 1):
        for p in primes:
            if p * p > n:
                primes.append(n)
                break
            if n % p == 0:
                break
        else:
            primes.append(n)
        if primes[-1] == n and n - 2 in primes[-2:]:
            twins.append((n - 2, n))
    return twins, len(primes)


# call: goldbach_pairs(10)
# call: goldbach_pairs(22)
# call: goldbach_pairs(2)
# call: goldbach_pairs(36)
# call: goldbach_pairs(9)
# call: goldbach_pairs(None)
def goldbach_pairs(even):
    def prime(n):
        return n > 1 and all(n % d for d in range(2, n) if d * d <= n)

    if even % 2:
        raise ValueError(f"{even} is odd")
    return [(p, even - p) for p in range(2, even // 2 + 1) if prime(p) and prime(even - p)]


# call: amicable_with(220)
# call: amicable_with(6)
# call: amicable_with(1)
# call: amicable_with(1184)
# call: amicable_with(13)
# call: amicable_with("220")
def parts_sum(n):
    total = 1 if n > 1 else 0
    low, high = 2, n
    while low < high:
        high, rest = divmod(n, low)
        if rest == 0 and low <= high:
            total += low
            if low != high:
                total += high
        low += 1
    return total


def amicable_with(n):
    partner = parts_sum(n)
    if partner == n:
        return "perfect"
    return partner if parts_sum(partner) == n else None


# call: aliquot_walk(10, 6)
# call: aliquot_walk(6, 4)
# call: aliquot_walk(1, 3)
# call: aliquot_walk(30, 5)
# call: aliquot_walk(14, 0)
# call: aliquot_walk(-4, 2)
def aliquot_walk(n, most):
    """Sum of the proper divisors, again and again."""
    walk = [n]
    while len(walk) <= most and walk[-1] > 0:
        last = walk[-1]
        total = 1 if last > 1 else 0
        d = 2
        while d * d <= last:
            q, r = divmod(last, d)
            if r == 0:
                total += d if q == d else d + q
            d += 1
        walk.append(total)
        if total in walk[:-1]:
            return walk, f"back at {total}"
    return walk, "ended" if walk[-1] == 0 else "open"


# call: power_digit_numbers(150, 160)
# call: power_digit_numbers(1, 4)
# call: power_digit_numbers(10, 10)
# call: power_digit_numbers(365, 375)
# call: power_digit_numbers(9, 5)
# call: power_digit_numbers(-5, 2)
def power_digit_numbers(low, high):
    """Armstrong numbers: equal to the sum of their digits raised to the number of digits."""
    found = []
    for n in range(low, high):
        digits = [int(d) for d in str(n)]
        rest = n
        for d in digits:
            rest -= d ** len(digits)
            if rest < 0:
                break
        if rest == 0:
            found.append(n)
    return found


# call: happy_path(19)
# call: happy_path(7)
# call: happy_path(1)
# call: happy_path(998)
# call: happy_path(4)
# call: happy_path(0)
def happy_path(n):
    path = [n]
    while path.count(path[-1]) == 1 and path[-1] != 1:
        total = 0
        rest = path[-1]
        while rest:
            rest, d = divmod(rest, 10)
            total += d * d
        path.append(total)
    return path[-1] == 1, path


# call: count_coprimes(12)
# call: count_coprimes(7)
# call: count_coprimes(1)
# call: count_coprimes(16)
# call: count_coprimes(0)
# call: count_coprimes("6")
def count_coprimes(n):
    """Euler's totient, by looking at every number below n."""

    def common(a, b):
        while a != b:
            if a > b:
                a -= b
            else:
                b -= a
        return a

    coprime = []
    for k in range(1, n):
        if common(n, k) == 1:
            coprime.append(k)
    return len(coprime) or n, coprime


# call: power_mod(3, 5, 7)
# call: power_mod(2, 10, 100)
# call: power_mod(5, 0, 3)
# call: power_mod(7, 45, 13)
# call: power_mod(4, 3, 1)
# call: power_mod(2, 5, 0)
def power_mod(base, exponent, modulus):
    if exponent == 0:
        return 1 % modulus
    half = power_mod(base, exponent // 2, modulus)
    half = half * half % modulus
    return half * base % modulus if exponent % 2 else half


# call: power_cycle(3, 7)
# call: power_cycle(2, 12)
# call: power_cycle(1, 5)
# call: power_cycle(7, 40)
# call: power_cycle(6, 3)
# call: power_cycle(4, 0)
def power_cycle(base, modulus):
    """Powers of a base modulo m: the part before the cycle and the cycle."""
    seen_at = {}
    row = []
    value = 1 % modulus
    while value not in seen_at:
        seen_at[value] = len(row)
        row.append(value)
        value = value * base % modulus
    cut = seen_at[value]
    return row[:cut], row[cut:]


# call: root_between(50, 2)
# call: root_between(27, 3)
# call: root_between(0, 2)
# call: root_between(9000, 4)
# call: root_between(5, 1)
# call: root_between(-8, 3)
def root_between(n, k):
    """Whole k-th root: doubles a step, then halves it."""
    if n < 0:
        raise ValueError("no root of a negative number")
    step = 1
    while step**k <= n:
        step *= 2
    root = 0
    trail = []
    while step:
        if (root + step) ** k <= n:
            root += step
            trail.append(root)
        step //= 2
    return root, n - root**k, trail


# call: newton_root(30)
# call: newton_root(144)
# call: newton_root(0)
# call: newton_root(9801)
# call: newton_root(2)
# call: newton_root(-4)
def newton_root(n):
    if n < 0:
        raise ValueError(n)
    guesses = [n]
    while guesses[-1] ** 2 > n:
        x = guesses[-1]
        guesses.append((x + n // x) // 2)
    return guesses[-1], guesses


# call: odd_steps_root(17)
# call: odd_steps_root(36)
# call: odd_steps_root(0)
# call: odd_steps_root(150)
# call: odd_steps_root(-1)
# call: odd_steps_root(6.25)
def odd_steps_root(n):
    """Takes away 1, 3, 5, .. as long as it goes."""
    odd, steps = 1, 0
    while n >= odd:
        n -= odd
        odd += 2
        steps += 1
    return steps, n


# call: newton_zero([-6, 1, 1], 5)
# call: newton_zero([-8, 0, 0, 1], 4)
# call: newton_zero([0, 1], 3)
# call: newton_zero([6, -11, 6, -1], 9)
# call: newton_zero([1, 0, 1], 3)
# call: newton_zero([5], 1)
def newton_zero(coefficients, x, most=8):
    """Newton's steps with whole numbers for c0 + c1 x + c2 x^2 + ..."""
    path = [x]
    while len(path) <= most:
        value, slope = 0, 0
        for c in reversed(coefficients):
            slope = slope * x + value
            value = value * x + c
        if value == 0:
            return x, path
        x -= value // slope or 1
        path.append(x)
    return None, path


# call: egyptian(4, 5)
# call: egyptian(3, 7)
# call: egyptian(0, 1)
# call: egyptian(11, 12)
# call: egyptian(1, 6)
# call: egyptian(1, 0)
def egyptian(top, bottom):
    """Greedy sum of different unit fractions; gives the denominators."""
    parts = []
    while top > 0:
        unit = -(-bottom // top)
        parts.append(unit)
        top, bottom = top * unit - bottom, bottom * unit
        k = 2
        while k <= top:
            while top % k == 0 and bottom % k == 0:
                top //= k
                bottom //= k
            k += 1
    return parts


# call: chain_fraction(43, 19)
# call: chain_fraction(7, 2)
# call: chain_fraction(0, 5)
# call: chain_fraction(355, 113)
# call: chain_fraction(-7, 3)
# call: chain_fraction(3, 0)
def chain_fraction(p, q):
    terms = [p // q]
    rest = p - terms[0] * q
    while rest:
        p, q = q, rest
        terms.append(p // q)
        rest = p % q
    return terms


# call: unchain([2, 3, 1, 4])
# call: unchain([3, 7])
# call: unchain([5])
# call: unchain([1, 1, 1, 1, 1, 2])
# call: unchain([0, 2])
# call: unchain([])
def unchain(terms):
    """Value of a continued fraction, from the last term on, with all fractions on the way."""
    top, bottom = terms[-1], 1
    way = [f"{top}/{bottom}"]
    for term in terms[-2::-1]:
        top, bottom = term * top + bottom, top
        way.append(f"{top}/{bottom}")
    return way


# call: convergents([1, 2, 2, 2])
# call: convergents([3, 7, 15])
# call: convergents([])
# call: convergents([0, 1, 5, 2, 2, 1])
# call: convergents([4])
# call: convergents([1, "2"])
def convergents(terms):
    p, p_old = 1, 0
    q, q_old = 0, 1
    for a in terms:
        p, p_old = a * p + p_old, p
        q, q_old = a * q + q_old, q
    return p, q, p_old, q_old


# call: root_terms(7, 5)
# call: root_terms(2, 4)
# call: root_terms(9, 3)
# call: root_terms(13, 8)
# call: root_terms(3, 0)
# call: root_terms("7", 2)
def root_terms(n, count):
    """Terms of the continued fraction of a square root."""
    whole = 0
    while (whole + 1) * (whole + 1) <= n:
        whole += 1
    terms = [whole]
    if whole * whole == n:
        return terms
    m, d = 0, 1
    while len(terms) < count:
        m = d * terms[-1] - m
        d = (n - m * m) // d
        terms.append((whole + m) // d)
    return terms


# call: step_series(3, 8)
# call: step_series(2, 6)
# call: step_series(1, 1)
# call: step_series(4, 9)
# call: step_series(2, 0)
# call: step_series(0, 3)
def step_series(k, n):
    """Each number is the sum of the k before it."""
    window = [0] * (k - 1) + [1]
    series = []
    for _ in range(n):
        series.append(window[-1])
        window.append(sum(window))
        del window[0]
    return series


# call: zeckendorf(30)
# call: zeckendorf(7)
# call: zeckendorf(0)
# call: zeckendorf(232)
# call: zeckendorf(1)
# call: zeckendorf(-5)
def zeckendorf(n):
    """n as a sum of Fibonacci numbers, no two of them neighbours."""
    if n < 0:
        raise ValueError("negative")
    ladder = [1, 2]
    while ladder[-1] < n:
        ladder.append(ladder[-1] + ladder[-2])
    parts, marks = [], ""
    for f in ladder[::-1]:
        if f <= n:
            parts.append(f)
            n -= f
            marks += "1"
        elif marks:
            marks += "0"
    return parts, marks


# call: pisano(3)
# call: pisano(2)
# call: pisano(1)
# call: pisano(6)
# call: pisano(10, most=12)
# call: pisano(0)
def pisano(m, most=40):
    """Fibonacci numbers modulo m until 0, 1 comes again."""
    cycle = [0]
    a, b = 1 % m, 1 % m
    while (a, b) != (0, 1 % m) and len(cycle) < most:
        cycle.append(a)
        a, b = b, (a + b) % m
    return cycle, len(cycle)


# call: fib_pair(10)
# call: fib_pair(1)
# call: fib_pair(0)
# call: fib_pair(45)
# call: fib_pair(7)
# call: fib_pair(2.0)
def fib_pair(n):
    """F(n) and F(n + 1), by doubling."""
    if n == 0:
        return 0, 1
    a, b = fib_pair(n >> 1)
    even = a * (2 * b - a)
    odd = a * a + b * b
    return (odd, even + odd) if n & 1 else (even, odd)


# call: lucas_table(2, 1, 6)
# call: lucas_table(0, 1, 5)
# call: lucas_table(4, 4, 0)
# call: lucas_table(3, -1, 9)
# call: lucas_table(1, 1, 5, back=2)
# call: lucas_table("a", "b", 4)
def lucas_table(first, second, n, back=1):
    rule = lambda x, y: back * x + y
    table = {}
    for i in range(n):
        table[i] = first
        first, second = second, rule(first, second)
    return table


# call: persistence(77)
# call: persistence(25)
# call: persistence(4)
# call: persistence(6788)
# call: persistence(5, base=3)
# call: persistence(30, base=1)
def persistence(n, base=10):
    """How often one can multiply the digits until one digit is left."""
    if base < 2:
        raise ValueError(f"base {base}")
    steps = 0
    while n >= base:
        product = 1
        while n:
            product *= n % base
            n //= base
        n = product
        steps += 1
    return steps, n


# call: halve_or_five(7, 10)
# call: halve_or_five(8, 5)
# call: halve_or_five(1, 3)
# call: halve_or_five(13, 14)
# call: halve_or_five(12, 0)
# call: halve_or_five(0, 3)
def halve_or_five(n, most):
    """Divides by 2 or 3 where it can; 5n + 1 otherwise. Tells the first number that comes again."""
    visited = [n]
    for _ in range(most):
        if n % 2 == 0:
            n //= 2
        elif n % 3 == 0:
            n //= 3
        else:
            n = 5 * n + 1
        if n in visited:
            return visited, n
        visited.append(n)
    return visited, None


# call: juggler(9)
# call: juggler(4)
# call: juggler(1)
# call: juggler(7)
# call: juggler(2)
# call: juggler(-3)
def juggler(n):
    """Square root for even numbers, power 3/2 for odd ones, rounded down."""

    def whole_root(x):
        r = x
        while r > x // r:
            r = (r + x // r) // 2
        return r

    if n < 1:
        raise ValueError("n must be positive")
    path = [n]
    while path[-1] > 1:
        last = path[-1]
        path.append(whole_root(last if last % 2 == 0 else last**3))
    return path


# call: reverse_and_add(57)
# call: reverse_and_add(121)
# call: reverse_and_add(0)
# call: reverse_and_add(78)
# call: reverse_and_add(196, most=3)
# call: reverse_and_add("12")
def reverse_and_add(n, most=10):
    def turned(x):
        back = 0
        while x:
            back = back * 10 + x % 10
            x //= 10
        return back

    steps = 0
    while n != turned(n):
        if steps == most:
            return None
        n += turned(n)
        steps += 1
    return n, steps


# call: next_palindrome(123)
# call: next_palindrome(808)
# call: next_palindrome(0)
# call: next_palindrome(1991)
# call: next_palindrome(999)
# call: next_palindrome(12.5)
def next_palindrome(n):
    """The smallest palindrome above n, by copying the left half."""
    digits = list(str(n + 1))
    i, j = 0, len(digits) - 1
    while i < j:
        if digits[j] > digits[i]:
            k = j - 1
            while digits[k] == "9":
                digits[k] = "0"
                k -= 1
            digits[k] = str(int(digits[k]) + 1)
        digits[j] = digits[i]
        i += 1
        j -= 1
    return int("".join(digits))


# call: palindromic_bases(21)
# call: palindromic_bases(10)
# call: palindromic_bases(1)
# call: palindromic_bases(46)
# call: palindromic_bases(6)
# call: palindromic_bases("9")
def palindromic_bases(n):
    found = {}
    for base in range(2, min(n - 1, 10)):
        digits, rest = [], n
        while rest:
            digits.append(rest % base)
            rest //= base
        if digits == digits[::-1]:
            found[base] = digits
    return found


# call: add_in_base([1, 2], [2, 2], 3)
# call: add_in_base([1], [1, 1], 2)
# call: add_in_base([], [], 5)
# call: add_in_base([7, 7, 5, 6], [3, 4, 2], 8)
# call: add_in_base([9, 9], [1], 10)
# call: add_in_base([1], [5], 4)
def add_in_base(a, b, base):
    """Digits with the highest first."""
    result = []
    carry = 0
    i, j = len(a) - 1, len(b) - 1
    while i >= 0 or j >= 0 or carry:
        total = carry
        for digits, k in ((a, i), (b, j)):
            if k >= 0:
                if digits[k] >= base:
                    raise ValueError(f"{digits[k]} is no digit in base {base}")
                total += digits[k]
        carry, digit = divmod(total, base)
        result.insert(0, digit)
        i, j = i - 1, j - 1
    return result


# call: borrow_subtract("503", "87")
# call: borrow_subtract("12", "5")
# call: borrow_subtract("0", "0")
# call: borrow_subtract("10000", "2345")
# call: borrow_subtract("44", "44")
# call: borrow_subtract("5", "12")
def borrow_subtract(a, b):
    """Written subtraction; also tells where a 1 was borrowed."""
    if len(b) > len(a):
        raise ArithmeticError("the second number is longer")
    top = [int(d) for d in a]
    low = [int(d) for d in b.zfill(len(a))]
    borrowed = []
    for k in range(len(top) - 1, -1, -1):
        if top[k] < low[k]:
            if k == 0:
                raise ArithmeticError("below zero")
            top[k] += 10
            top[k - 1] -= 1
            borrowed.append(k - 1)
        top[k] -= low[k]
    while len(top) > 1 and top[0] == 0:
        top.pop(0)
    return "".join(map(str, top)), borrowed


# call: long_multiply("24", "13")
# call: long_multiply("7", "8")
# call: long_multiply("0", "5")
# call: long_multiply("305", "467")
# call: long_multiply("99", "99")
# call: long_multiply("2x", "3")
def long_multiply(a, b):
    cells = [0] * (len(a) + len(b))
    for i in range(len(a) - 1, -1, -1):
        for j in range(len(b) - 1, -1, -1):
            low = i + j + 1
            cells[low] += int(a[i]) * int(b[j])
            cells[low - 1] += cells[low] // 10
            cells[low] %= 10
    return "".join(str(d) for d in cells).lstrip("0") or "0"


# call: long_division(97, 4)
# call: long_division(6, 3)
# call: long_division(0, 7)
# call: long_division(84523, 23)
# call: long_division(5, 9)
# call: long_division(5, 0)
def long_division(number, divisor):
    """Digit by digit, as on paper; the remainders are kept."""
    quotient, rest = 0, 0
    remainders = []
    for digit in str(number):
        rest = rest * 10 + int(digit)
        times = 0
        while rest - divisor * (times + 1) >= 0:
            if divisor == 0:
                raise ZeroDivisionError("on paper")
            times += 1
        rest -= times * divisor
        quotient = quotient * 10 + times
        remainders.append(rest)
    return quotient, remainders


# call: repeating_part(1, 7)
# call: repeating_part(3, 4)
# call: repeating_part(0, 9)
# call: repeating_part(5, 22)
# call: repeating_part(9, 3)
# call: repeating_part(1, 0)
def repeating_part(p, q):
    """1/6 -> 0.1(6)"""
    whole, rest = divmod(p, q)
    digits, place = [], {}
    while rest and rest not in place:
        place[rest] = len(digits)
        d, rest = divmod(rest * 10, q)
        digits.append(str(d))
    if not rest:
        return f"{whole}." + "".join(digits) if digits else str(whole)
    cut = place[rest]
    return f"{whole}." + "".join(digits[:cut]) + "(" + "".join(digits[cut:]) + ")"


# call: horner_steps([2, 0, 1], 3)
# call: horner_steps([1, 1, 1, 1], 2)
# call: horner_steps([], 4)
# call: horner_steps([3, -2, 0, 5, -1], -2)
# call: horner_steps([7], 100)
# call: horner_steps([1, 2], "x")
def horner_steps(coefficients, x):
    value, steps = 0, []
    for c in coefficients:
        value = value * x + c
        steps.append(value)
    return steps


# call: Poly([1, 2]).times(Poly([1, 1])).text()
# call: Poly([0, 0, 3]).derived().text()
# call: Poly([]).text()
# call: Poly([1, -3, 2]).times(Poly([2, 0, 1, 1])).derived().text()
# call: Poly([1, 1]).times(Poly([0, 0])).text()
# call: Poly([1, "a"]).derived().text()
class Poly:
    """a[k] belongs to x^k."""

    def __init__(self, a):
        self.a = list(a)
        while self.a and self.a[-1] == 0:
            self.a.pop()

    def times(self, other):
        product = [0] * (len(self.a) + len(other.a))
        for i, x in enumerate(self.a):
            for j, y in enumerate(other.a):
                product[i + j] += x * y
        return Poly(product)

    def derived(self):
        return Poly([k * c for k, c in enumerate(self.a)][1:])

    def text(self):
        parts = []
        for k in range(len(self.a) - 1, -1, -1):
            if self.a[k]:
                parts.append(f"{self.a[k]}x^{k}" if k else f"{self.a[k]}")
        return " + ".join(parts) or "0"


# call: divide_by_root([1, -5, 6], 2)
# call: divide_by_root([2, 0, -3], 1)
# call: divide_by_root([4], 3)
# call: divide_by_root([1, -6, 11, -6], 3)
# call: divide_by_root([1, 0, 0, 0], 0)
# call: divide_by_root([], 1)
def divide_by_root(coefficients, root):
    """Synthetic division by (x - root): quotient and remainder."""
    row = coefficients[:]
    for i in range(1, len(row)):
        row[i] += row[i - 1] * root
    remainder = row.pop()
    return row, remainder


# call: bit_runs_of(22)
# call: bit_runs_of(7)
# call: bit_runs_of(0)
# call: bit_runs_of(181)
# call: bit_runs_of(64)
# call: bit_runs_of(1.5)
def bit_runs_of(n):
    ones, longest, run, width = 0, 0, 0, 0
    while n:
        if n & 1:
            ones += 1
            run += 1
            longest = max(longest, run)
        else:
            run = 0
        n >>= 1
        width += 1
    return {"width": width, "ones": ones, "longest": longest}


# call: drop_lowest_bits(44)
# call: drop_lowest_bits(7)
# call: drop_lowest_bits(0)
# call: drop_lowest_bits(1365)
# call: drop_lowest_bits(512)
# call: drop_lowest_bits("7")
def drop_lowest_bits(n):
    left = []
    while n != 0:
        n &= n - 1
        left.append(n)
    return len(left), left


# call: swap_bit_pairs(9)
# call: swap_bit_pairs(2)
# call: swap_bit_pairs(0)
# call: swap_bit_pairs(180)
# call: swap_bit_pairs(255)
# call: swap_bit_pairs(None)
def swap_bit_pairs(n):
    result = 0
    shift = 0
    while n >> shift:
        pair = (n >> shift) & 3
        if pair == 1:
            pair = 2
        elif pair == 2:
            pair = 1
        result |= pair << shift
        shift += 2
    return result


# call: adder(5, 3)
# call: adder(12, 7)
# call: adder(0, 0)
# call: adder(187, 69)
# call: adder(255, 1, width=8)
# call: adder(1, "1")
def adder(a, b, width=9):
    """Adds bit by bit with a carry, as a circuit does."""
    carry, total = 0, 0
    carries = ""
    for k in range(width):
        p, q = a >> k & 1, b >> k & 1
        total |= (p ^ q ^ carry) << k
        carry = p & q | carry & (p ^ q)
        carries = str(carry) + carries
    return total, carries, "overflow" if carry else "ok"


# call: say_what_you_see("1", 5)
# call: say_what_you_see("3", 3)
# call: say_what_you_see("22", 2)
# call: say_what_you_see("1321", 3)
# call: say_what_you_see("", 2)
# call: say_what_you_see(11, 2)
def say_what_you_see(seed, rounds):
    lines = [seed]
    while len(lines) < rounds:
        old, new = lines[-1], ""
        i = 0
        while i < len(old):
            k = i + 1
            while k < len(old) and old[k] == old[i]:
                k += 1
            new += str(k - i) + old[i]
            i = k
        lines.append(new)
    return lines


# call: kaprekar_steps(3524)
# call: kaprekar_steps(6174)
# call: kaprekar_steps(7777)
# call: kaprekar_steps(2005)
# call: kaprekar_steps(21, width=2)
# call: kaprekar_steps(-12)
def kaprekar_steps(n, width=4):
    """Largest minus smallest arrangement of the digits, until a number comes again."""
    seen = []
    while n not in seen:
        seen.append(n)
        low = sorted(str(n).zfill(width))
        high = low[::-1]
        n = int("".join(high)) - int("".join(low))
    return seen, n


# call: kaprekar_split(45)
# call: kaprekar_split(12)
# call: kaprekar_split(1)
# call: kaprekar_split(297)
# call: kaprekar_split(100)
# call: kaprekar_split("9")
def kaprekar_split(n):
    """45 * 45 = 2025 and 20 + 25 = 45."""
    square = n * n
    cut = 10
    while cut <= square * 10:
        left, right = divmod(square, cut)
        if right > 0 and left + right == n:
            return left, right
        cut *= 10
    return None


# call: triangular_sum(17)
# call: triangular_sum(10)
# call: triangular_sum(0)
# call: triangular_sum(59)
# call: triangular_sum(4)
# call: triangular_sum(-1)
def triangular_sum(n):
    """n as a sum of at most three triangular numbers."""
    triangles = [0]
    while triangles[-1] + len(triangles) <= n:
        triangles.append(triangles[-1] + len(triangles))
    for a in reversed(triangles):
        for b in triangles:
            c = n - a - b
            if b > a or c < b:
                break
            if c in triangles:
                return [x for x in (a, c, b) if x]
    return None


# call: figurate(3, 5)
# call: figurate(4, 4)
# call: figurate(6, 1)
# call: figurate(5, 7)
# call: figurate(3, 0)
# call: figurate(2, 4)
def figurate(corners, n):
    """Polygonal numbers: each shell adds a little more than the one before."""
    if corners < 3:
        raise ValueError("a polygon has three corners")
    row, shell = [], 1
    while len(row) < n:
        row.append((row[-1] if row else 0) + shell)
        shell += corners - 2
    return row


# call: search_inverse(3, 7)
# call: search_inverse(5, 12)
# call: search_inverse(1, 2)
# call: search_inverse(7, 30)
# call: search_inverse(4, 6)
# call: search_inverse(3, 0)
def search_inverse(a, m):
    x, product = 1, a % m
    while product != 1 and x < m:
        x += 1
        product += a
        if product >= m:
            product %= m
    if product != 1:
        return None
    return x


# call: inverse_table(5)
# call: inverse_table(8)
# call: inverse_table(1)
# call: inverse_table(9)
# call: inverse_table(2)
# call: inverse_table(None)
def inverse_table(m):
    partner = {}
    for a in range(1, m):
        if a in partner:
            continue
        for b in range(a, m):
            if a * b % m == 1:
                partner[a] = b
                partner[b] = a
                break
        else:
            partner[a] = 0
    return sorted(partner.items())


# call: two_remainders((2, 3), (3, 5))
# call: two_remainders((1, 4), (3, 6))
# call: two_remainders((0, 1), (0, 1))
# call: two_remainders((5, 7), (8, 9))
# call: two_remainders((0, 4), (1, 6))
# call: two_remainders((1, 2), (3,))
def two_remainders(first, second):
    """Smallest x with x % m1 == r1 and x % m2 == r2."""
    (r1, m1), (r2, m2) = first, second
    x = r1
    tried = 0
    while x % m2 != r2:
        x += m1
        tried += 1
        if tried == m2:
            return None
    return x, tried


# call: square_remainders(7)
# call: square_remainders(5)
# call: square_remainders(1)
# call: square_remainders(12)
# call: square_remainders(2)
# call: square_remainders(-3)
def square_remainders(m):
    roots = {}
    for x in range(m):
        roots.setdefault(x * x % m, []).append(x)
    never = [r for r in range(m) if r not in roots]
    return roots, never


# call: Ratio(1, 2).plus(Ratio(1, 3)).show()
# call: Ratio(3, 4).times(Ratio(2, 3)).show()
# call: Ratio(0, 5).show()
# call: Ratio(7, 12).plus(Ratio(5, 18)).times(Ratio(6, 31)).show()
# call: Ratio(1, -4).plus(Ratio(1, 4)).show()
# call: Ratio(2, 0).show()
class Ratio:
    def __init__(self, top, bottom):
        if bottom == 0:
            raise ZeroDivisionError("bottom is zero")
        if bottom < 0:
            top, bottom = -top, -bottom
        self.top, self.bottom = top, bottom
        self.shorten()

    def shorten(self):
        a, b = abs(self.top), self.bottom
        while a:
            a, b = b % a, a
        self.top //= b
        self.bottom //= b

    def plus(self, other):
        return Ratio(self.top * other.bottom + other.top * self.bottom, self.bottom * other.bottom)

    def times(self, other):
        return Ratio(self.top * other.top, self.bottom * other.bottom)

    def show(self):
        return str(self.top) if self.bottom == 1 else f"{self.top}/{self.bottom}"


# call: farey_row(4)
# call: farey_row(2)
# call: farey_row(1)
# call: farey_row(5)
# call: farey_row(0)
# call: farey_row("3")
def farey_row(n):
    """Fractions from 0 to 1 with small denominators, in order."""
    a, b, c, d = 0, 1, 1, n
    row = [(a, b)]
    while c <= n and d:
        k = (n + b) // d
        a, b, c, d = c, d, k * c - a, k * d - b
        row.append((a, b))
        if a == b:
            break
    return row


# call: between_fractions(3, 7)
# call: between_fractions(2, 5)
# call: between_fractions(1, 1)
# call: between_fractions(13, 18)
# call: between_fractions(4, 1)
# call: between_fractions(0, 3)
def between_fractions(p, q):
    """The way to p/q in the tree of mediants."""
    if p < 1 or q < 1:
        raise ValueError("positive fractions only")
    left, right = [0, 1], [1, 0]
    way = ""
    while True:
        middle = [left[0] + right[0], left[1] + right[1]]
        side = p * middle[1] - q * middle[0]
        if side == 0:
            return way, middle
        if side < 0:
            right = middle
            way += "L"
        else:
            left = middle
            way += "R"


# call: squares_apart(21)
# call: squares_apart(8)
# call: squares_apart(1)
# call: squares_apart(45)
# call: squares_apart(6)
# call: squares_apart("8")
def squares_apart(n):
    """n = a * a - b * b, in all ways, by moving two fingers."""
    ways = []
    a, b = 1, 0
    while 2 * a - 1 <= n or a * a - b * b < n:
        gap = a * a - b * b
        if gap == n:
            ways.append((a, b))
            a += 1
        elif gap < n:
            a += 1
        else:
            b += 1
        if b >= a:
            b, a = a, a + 1
    return ways


# call: right_triangles(20)
# call: right_triangles(13)
# call: right_triangles(4)
# call: right_triangles(45)
# call: right_triangles(0)
# call: right_triangles("10")
def right_triangles(longest):
    """Whole sides from m and n."""
    triples = []
    m = 2
    while m * m < longest:
        for n in range(m - 1, 0, -2):
            a, b, c = m * m - n * n, 2 * m * n, m * m + n * n
            if c <= longest:
                triples.append((min(a, b), max(a, b), c))
        m += 1
    return triples


# call: harshad_between(18, 30)
# call: harshad_between(1, 5)
# call: harshad_between(11, 11)
# call: harshad_between(196, 212)
# call: harshad_between(13, 17)
# call: harshad_between(-2, 3)
def harshad_between(low, high):
    """Divisible by their digit sum; the sum is carried along, not counted anew."""
    found = []
    digits = sum(map(int, str(low)))
    for n in range(low, high + 1):
        if n % digits == 0:
            found.append(n)
        digits += 1
        after = n + 1
        while after % 10 == 0:
            digits -= 9
            after //= 10
    return found


# call: last_digits_of_factorial(10)
# call: last_digits_of_factorial(4)
# call: last_digits_of_factorial(0)
# call: last_digits_of_factorial(26)
# call: last_digits_of_factorial(5)
# call: last_digits_of_factorial("5")
def last_digits_of_factorial(n):
    """Zeros at the end of n!, and the digit before them."""
    zeros, last = 0, 1
    for k in range(1, n + 1):
        last *= k
        while last % 10 == 0:
            last //= 10
            zeros += 1
        last %= 1000
    return zeros, last % 10


# call: factorial_digits(463)
# call: factorial_digits(7)
# call: factorial_digits(0)
# call: factorial_digits(5039)
# call: factorial_digits(24)
# call: factorial_digits(-1)
def factorial_digits(n):
    """The number system in which place k is worth k!."""
    if n < 0:
        return "-" + factorial_digits(-n)
    digits = []
    base = 1
    while n or not digits:
        n, d = divmod(n, base)
        digits.insert(0, str(d))
        base += 1
    return ":".join(digits)


# call: balanced_three(11)
# call: balanced_three(5)
# call: balanced_three(0)
# call: balanced_three(200)
# call: balanced_three(-7)
# call: balanced_three(1.5)
def balanced_three(n):
    """On which pan the weights 1, 3, 9, .. lie to balance n."""
    left, right = [], []
    weight = 1
    while n:
        n, r = divmod(n, 3)
        if r == 1:
            right.append(weight)
        elif r == 2:
            left.append(weight)
            n += 1
        weight *= 3
    return left, right


# call: ulam_row(6)
# call: ulam_row(3)
# call: ulam_row(2)
# call: ulam_row(8)
# call: ulam_row(4, 2, 3)
# call: ulam_row(5, 1, 0)
def ulam_row(count, a=1, b=2):
    """The next member is the smallest number that is the sum of two members in one way."""
    row = [a, b]
    while len(row) < count:
        sums = {}
        for i in range(len(row)):
            for j in range(i):
                s = row[i] + row[j]
                sums[s] = sums.get(s, 0) + 1
        new = [s for s in sums if sums[s] == 1 and s > row[-1]]
        row.append(min(new))
    return row


# call: lucky_left(10)
# call: lucky_left(4)
# call: lucky_left(0)
# call: lucky_left(22)
# call: lucky_left(1)
# call: lucky_left("7")
def lucky_left(limit):
    """Strikes out by count: first every second number, then every third left, then every seventh, ..."""
    row = list(range(1, limit + 1, 2))
    i = 1
    while i < len(row) and row[i] <= len(row):
        step = row[i]
        kept = []
        for place, n in enumerate(row, 1):
            if place % step:
                kept.append(n)
        row = kept
        i += 1
    return row


# call: coin_greed(67, [50, 20, 10, 5, 2, 1])
# call: coin_greed(8, [5, 4, 1])
# call: coin_greed(0, [1])
# call: coin_greed(389, [100, 25, 10, 5, 1])
# call: coin_greed(7, [5, 3])
# call: coin_greed(4, [0, 1])
def coin_greed(amount, values):
    used = {}
    for v in values:
        n, rest = divmod(amount, v)
        if n:
            used[v] = n
            amount = rest
    return used, amount


# call: falling_sums(5)
# call: falling_sums(4, 2)
# call: falling_sums(0)
# call: falling_sums(6)
# call: falling_sums(3, 1)
# call: falling_sums("4")
def falling_sums(n, largest=None):
    """All falling sums of n."""
    if largest is None:
        largest = n
    if n == 0:
        return [[]]
    sums = []
    for first in range(min(n, largest), 0, -1):
        for rest in falling_sums(n - first, first):
            sums.append([first] + rest)
    return sums


# call: odometer([0, 0], [2, 3], 4)
# call: odometer([9], [10], 1)
# call: odometer([], [], 2)
# call: odometer([1, 1, 1], [2, 3, 2], 5)
# call: odometer([1, 2], [2, 3], 1)
# call: odometer([0], [0], 1)
def odometer(digits, bases, steps):
    """Counts with a base of its own for every wheel; the last wheel turns first."""
    shown = [digits]
    for _ in range(steps):
        wheel = len(digits) - 1
        while wheel >= 0:
            digits[wheel] += 1
            if digits[wheel] < bases[wheel]:
                break
            digits[wheel] = 0
            wheel -= 1
        shown.append(digits[:])
    return shown


# call: kinds_by_divisors(6, 9)
# call: kinds_by_divisors(12, 12)
# call: kinds_by_divisors(5, 4)
# call: kinds_by_divisors(24, 29)
# call: kinds_by_divisors(1, 2)
# call: kinds_by_divisors(0, 1)
def kinds_by_divisors(low, high):
    """Sorts numbers into perfect, abundant and deficient ones."""

    def proper_sum(n):
        total, k = 0, n - 1
        while k > 0:
            total += k if n % k == 0 else 0
            k = min(k - 1, n // 2)
        return total

    kinds = {"perfect": [], "abundant": [], "deficient": []}
    for n in range(low, high + 1):
        if n == 0:
            raise ValueError("zero has every divisor")
        s = proper_sum(n)
        kinds["perfect" if s == n else "abundant" if s > n else "deficient"].append(n)
    return kinds


# call: cast_out([38, 47], 85)
# call: cast_out([12, 34], 408, "*")
# call: cast_out([], 0)
# call: cast_out([736, 2581, 94], 3411)
# call: cast_out([12, 21], 52, "*")
# call: cast_out([5], 5, "-")
def cast_out(numbers, claimed, sign="+"):
    """The proof by nines: digit sums of a sum or product against those of its result."""

    def root(n):
        while n >= 10:
            n = n // 10 + n % 10
        return 0 if n == 9 else n

    rule = {"+": lambda a, b: root(a + b), "*": lambda a, b: root(a * b)}[sign]
    left = 0 if sign == "+" else 1
    roots = []
    for n in numbers:
        roots.append(root(n))
        left = rule(left, roots[-1])
    return left == root(claimed), roots, root(claimed)
