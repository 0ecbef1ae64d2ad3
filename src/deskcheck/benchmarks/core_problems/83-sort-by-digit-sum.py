# family: sorting
# title: counting places by digit sums
# time: O(n*d)
# space: O(n)
# english: Sorts numbers by the sum of their digits with boxes, the order in a box is kept, and counts how many change their place.
# chinese: 用桶按数字各位之和排序，桶内保持原序，并统计位置改变的数的个数。
# call: boxes([20, 10])
# call: boxes([31, 5, 12])
# call: boxes([99, 40, 7, 13, 22])
def boxes(numbers):
    piles = {}
    for number in numbers:
        total, rest = 0, number
        while rest:
            total += rest % 10
            rest //= 10
        piles.setdefault(total, []).append(number)
    result = []
    for total in sorted(piles):
        result += piles[total]
    moved = sum(a != b for a, b in zip(numbers, result))
    return result, moved
