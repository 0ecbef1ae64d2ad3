# family: control
# title: marks that shrink an extra
# time: O(n)
# space: O(1)
# english: Adds marks and an extra that each mark halves before one is added to it.
# chinese: 把分数和附加值相加；每个分数之后附加值先减半再加一。
# control-for: 30
# call: marks([6, 2, 9, 4], 20)
# call: marks([3, 8, 1, 7, 5, 2, 9, 6, 4, 0, 8, 3], 51)
# call: marks([12, 5, 30, 7, 1], 9)
def marks(points, extra):
    total = 0
    first = extra
    for point in points:
        total += point + extra
        extra = extra // 2 + 1
    return total, first - extra
