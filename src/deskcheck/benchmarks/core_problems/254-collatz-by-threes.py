# family: long runs
# title: collatz by threes
# time: O(s)
# space: O(1)
# english: A walk of numbers: multiples of three are divided, others grow by their rest, all wrap round; where it is after the budget, and its top.
# chinese: 数的游走：3 的倍数除以 3，其余按余数增大并回绕；步数用尽（或到 1）时的位置与最大值。
# call: walk(100, 90)
# call: walk(77, 140)
# call: walk(4999, 200)
def walk(number, budget):
    top = number
    for step in range(budget):
        if number == 1:
            return step, top
        rest = number % 3
        if rest == 0:
            number //= 3
        elif rest == 1:
            number = 5 * number + 2
        else:
            number = 4 * number + 3
        number = number % 5003 + 2
        top = max(top, number)
    return number, top
