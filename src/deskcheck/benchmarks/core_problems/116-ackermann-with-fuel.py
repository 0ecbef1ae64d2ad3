# family: recursion
# title: a deep recursion with fuel
# time: O(f)
# space: O(f)
# english: A doubly recursive function on two numbers that fails when its fuel, shared by all calls, is used up.
# chinese: 一个双重递归函数，所有调用共享燃料，用尽则报错。
# call: deep(0, 3, [9])
# call: deep(1, 2, [9])
# call: deep(2, 3, [12])
def deep(m, n, fuel):
    if fuel[0] == 0:
        raise RecursionError(m + n)
    fuel[0] -= 1
    if m == 0:
        return n + 2
    if n == 0:
        return deep(m - 1, 1, fuel)
    return deep(m - 1, deep(m, n - 1, fuel), fuel)
