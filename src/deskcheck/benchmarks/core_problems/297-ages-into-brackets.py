# family: numpy
# title: ages into brackets
# time: O(n log m)
# space: O(n + m)
# english: Sorts ages into brackets with searchsorted, sums fees per bracket, and merges brackets that hold too few.
# chinese: 用二分把年龄归入区间，累加费用，并合并人数过少的区间。
# call: brackets([5, 17, 18, 64, 65, 30], [18, 65], [1, 3, 2], 2)
# call: brackets([1, 2, 3, 70, 71], [3, 40, 70], [5, 5, 5, 1], 1)
# call: brackets([22, 35, 35, 12, 50], [20, 30, 40], [0, 4, 6, 2], 3)
import numpy as np


def brackets(ages, edges, fees, least):
    place = np.searchsorted(edges, ages, side="right")
    counts = np.bincount(place, minlength=len(fees))
    paid = counts * np.array(fees)
    merged = []
    people = money = 0
    for count, total in zip(counts, paid):
        people += int(count)
        money += int(total)
        enough = people >= least
        if enough:
            merged.append((people, money))
            people = money = 0
    return merged, (people, money), int(paid.argmax())
