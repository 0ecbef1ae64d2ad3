# family: exceptions
# title: a finally that changes what is looked at
# time: O(n)
# space: O(1)
# english: Looks at numbers in turn: a negative one fails and is mended, zero is skipped, more than 9 ends the search; the last place grows by one after each, however it went.
# chinese: 依次查看各数：负数引发错误并被修正，零被跳过，大于 9 结束查找；无论如何每次之后最后一位都加一。
# call: probe([12, 5])
# call: probe([0, -3, 8])
# call: probe([-4, 0, 6, -2, 0, 9, 12, 1])
def probe(values):
    for place, value in enumerate(values):
        try:
            if value < 0:
                raise ValueError(value)
            if value == 0:
                continue
            if value > 9:
                return place, values
        except ValueError as error:
            values[place] = error.args[0] ** 2
        finally:
            values[-1] += 1
    return values
