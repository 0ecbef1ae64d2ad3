# family: recursion
# title: sums that subsets can reach
# time: O(2^n)
# space: O(n)
# english: All ways to choose some of the numbers, in order, so that their sum is the goal, each way as one text.
# chinese: 选取若干数使其和等于目标的所有方式，写成文本。
# call: reach([2], 2)
# call: reach([1, 3, 2], 3)
# call: reach([4, 1, 3, 2], 5)
def reach(numbers, goal):
    if not numbers:
        return [""] if goal == 0 else []
    head, rest = numbers[0], numbers[1:]
    found = []
    if head <= goal:
        for way in reach(rest, goal - head):
            found.append(f"{head}{way}")
    return found + reach(rest, goal)
