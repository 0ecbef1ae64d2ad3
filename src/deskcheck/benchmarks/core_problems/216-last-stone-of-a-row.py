# family: dynamic programming
# title: last stone of a row
# time: O(n**2)
# space: O(n**2)
# english: Two players take a number from either end; the second may not take from the end the first just used. Lead of the first player.
# chinese: 两人轮流从两端取数，后手不能从先手刚取的那一端取；先手领先的分数。
# pattern: interval
# call: lead([1, 5, 2])
# call: lead([4, 1, 1, 9])
# call: lead([2, 7, 3, 6, 1])
def lead(numbers):
    known = {}

    def best(low, high):
        if low > high:
            return 0
        if (low, high) not in known:
            left = numbers[low] - (numbers[high] if high > low else 0) + best(low + 1, high - 1)
            right = numbers[high] - (numbers[low] if high > low else 0) + best(low + 1, high - 1)
            known[low, high] = max(left, right)
        return known[low, high]

    return best(0, len(numbers) - 1), len(known)
