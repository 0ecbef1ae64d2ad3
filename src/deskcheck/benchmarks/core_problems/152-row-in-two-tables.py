# family: aliases
# title: a row that stands in two tables
# time: O(n)
# space: O(n)
# english: Puts the same row into two tables, copies one of them, and changes rows on the way.
# chinese: 把同一行放入两张表，复制其中一张，并在过程中修改。
# call: tables([1], 1)
# call: tables([2, 3], 2)
# call: tables([4, 0, 6], 3)
def tables(row, times):
    first = [row] * times
    second = [list(row), row]
    for number in range(times):
        first[number].append(number)
        second[0].append(-number)
    return second, len(first[0])
