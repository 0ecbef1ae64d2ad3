# family: closures
# title: a meter and its reset
# time: O(n)
# space: O(n)
# english: Two functions share a running total; one adds a move times the number of additions so far, the other, called for 0, sets the total to the start plus that number and returns the old total.
# chinese: 两个函数共享一个累计值；一个加上移动量乘以已加次数，另一个在遇到 0 时把累计值设为初值加已加次数，并返回旧值。
# call: run(5, [2])
# call: run(1, [4, 0, 3])
# call: run(10, [-2, 6, 0, 1, 0, 5, 3])
def meter(start):
    total, count = start, 0

    def add(move):
        nonlocal total, count
        count += 1
        total += move * count
        return total

    def reset():
        nonlocal total
        old, total = total, start + count
        return old

    return add, reset


def run(start, moves):
    add, reset = meter(start)
    shown = []
    for move in moves:
        shown.append(add(move) if move else reset())
    return shown
