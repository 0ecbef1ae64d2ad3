# family: effects
# title: counts, running sums and a turning window
# time: O(n*log(n))
# space: O(n)
# english: Takes the most common last digit with its count and the two largest running sums of the numbers, and turns a window over the last k numbers by one place.
# chinese: 取最常见的个位数及其次数和前缀和中最大的两个，并把最后 k 个数的窗口转动一位。
# call: summary([12, 7, 32], 2)
# call: summary([5, -8, 15, 25, -9], 3)
# call: summary([41, 30, -61, 11, 90, 2], 4)
import heapq
from collections import Counter, deque
from itertools import accumulate


def summary(numbers, k):
    counts = Counter(str(number)[-1] for number in numbers)
    sums = heapq.nlargest(2, accumulate(numbers))
    window = deque(numbers, maxlen=k)
    window.rotate(1)
    return counts.most_common(1), sums, list(window)
