# family: control
# title: product on a wheel
# time: O(n)
# space: O(1)
# english: A product that wraps at 89 feeds its own factor.
# chinese: 对 89 取余的乘积改变自身因子。
# control-for: 252
# call: wheel(3, 52, 6)
# call: wheel(22, 46, 12)
# call: wheel(51, 39, 6)
def wheel(a, b, turns):
    while turns > 0:
        a = a * b % 89 + 1
        b = b + a % 3
        turns -= 1
    return a, b
