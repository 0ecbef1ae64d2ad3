# family: recursion
# title: two functions that call each other
# time: O(f)
# space: O(f)
# english: One function raises a number, the other halves it; each hands it to the other until the fuel is gone, collecting values on the way.
# chinese: 一个函数把数变大，另一个把数减半；二者互相调用直到燃料用尽，沿途收集数值。
# call: up(7, 1)
# call: up(4, 3)
# call: up(6, 16)
def up(n, fuel):
    if fuel == 0:
        return [n]
    if n % 2:
        return [n, *down(n * 3, fuel - 1)]
    return up(n + 5, fuel - 1)


def down(n, fuel):
    if n < 10 or not fuel:
        return [-n]
    return [n, *up(n // 2 - 1, fuel - 1)]
