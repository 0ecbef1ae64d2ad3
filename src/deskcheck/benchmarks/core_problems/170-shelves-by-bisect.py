# family: effects
# title: shelves found by halving
# time: O(n*log(k))
# space: O(n)
# english: Puts books by their number onto shelves whose borders are known, sorted; one whose place in its row would be odd goes to the end as a negative number.
# chinese: 按编号把书有序放到边界已知的书架上；若在该行中的位置为奇数，则以负数放到末尾。
# call: shelve([10], [4])
# call: shelve([10, 20], [20, 5, 12])
# call: shelve([3, 6, 9], [7, 1, 9, 12, 6, 2])
from bisect import bisect_left, bisect_right, insort


def shelve(borders, books):
    shelves = {}
    for book in books:
        shelf = bisect_right(borders, book)
        row = shelves.setdefault(shelf, [])
        if bisect_left(row, book) % 2:
            row.append(-book)
        else:
            insort(row, book)
    return shelves
