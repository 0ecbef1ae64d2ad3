# family: exceptions
# title: failures that carry their cause
# time: O(n)
# space: O(n)
# english: Takes items from stock; an unknown item becomes a lookup failure caused by the first one, whose name is noted, while a shortage ends everything.
# chinese: 从库存取货；未知物品转为由原错误引起的查找错误并记下原错误名，而库存不足则终止一切。
# call: fill({"tea": 2}, [("tea", 2), ("jam", 1)])
# call: fill({"tea": 2, "oil": 5}, [("oil", 3), ("tea", 4)])
# call: fill({"rye": 6, "oat": 4}, [("rye", 5), ("nut", 2), ("oat", 1), ("fig", 4), ("rye", 1)])
class Shortage(Exception):
    pass


def take(stock, item, count):
    try:
        left = stock[item] - count
    except KeyError as error:
        raise LookupError(f"no {item}") from error
    if left < 0:
        raise Shortage(item)
    stock[item] = left
    return left


def fill(stock, wishes):
    got = []
    for item, count in wishes:
        try:
            got.append(take(stock, item, count))
        except LookupError as error:
            got.append(type(error.__cause__).__name__)
    return got, sum(stock.values())
