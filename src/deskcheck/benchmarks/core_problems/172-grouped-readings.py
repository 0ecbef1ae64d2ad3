# family: effects
# title: readings grouped as they come
# time: O(n)
# space: O(n)
# english: Groups readings of a sensor while their sign stays the same, with the library's grouping, and gives length and sum of each group.
# chinese: 用库函数按符号把连续读数分组，给出每组的长度和总和。
# call: groups([4])
# call: groups([3, 1, -2])
# call: groups([-1, -5, 2, 2, 6, -3, 0, 7])
from itertools import groupby
from operator import itemgetter


def groups(readings):
    marked = [(reading < 0, reading) for reading in readings]
    found = []
    for negative, part in groupby(marked, key=itemgetter(0)):
        values = [value for _, value in part]
        found.append((len(values), sum(values)))
    return found
