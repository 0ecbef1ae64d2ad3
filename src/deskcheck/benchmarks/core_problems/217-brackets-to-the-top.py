# family: dynamic programming
# title: brackets to the top
# time: O(n**3)
# space: O(n**2)
# english: Largest and smallest value of a chain of subtractions over all ways to set brackets.
# chinese: 在一串减法中以所有方式加括号所得的最大值与最小值。
# pattern: interval
# call: brackets([5, 3])
# call: brackets([5, 3, 4])
# call: brackets([1, 2, 3, 4])
def brackets(numbers):
    ends = {(i, i): (x, x) for i, x in enumerate(numbers)}
    for size in range(1, len(numbers)):
        for low in range(len(numbers) - size):
            high = low + size
            tops, lows = [], []
            for cut in range(low, high):
                left, right = ends[low, cut], ends[cut + 1, high]
                tops.append(left[0] - right[1])
                lows.append(left[1] - right[0])
            ends[low, high] = (max(tops), min(lows))
    return ends[0, len(numbers) - 1]
