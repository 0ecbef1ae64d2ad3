# family: math
# title: powers by squaring with a trail
# time: O(log(n))
# space: O(log(n))
# english: Raises a number to a power below a modulus by squaring; writes down the value after every bit that is set.
# chinese: 用平方法求模幂；记录每个为 1 的位之后的值。
# call: power(3, 1, 10)
# call: power(2, 6, 11)
# call: power(5, 45, 23)
def power(base, exponent, modulus):
    value, trail = 1, []
    while exponent:
        if exponent % 2:
            value = value * base % modulus
            trail.append(value)
        base = base * base % modulus
        exponent //= 2
    return value, trail
