# family: exceptions
# title: the cause behind the error
# time: O(n)
# space: O(n)
# english: Looks up prices, turns a missing one into an error of its own with its cause, and tells both.
# chinese: 查找价格，把缺失转化为自定义错误并附上原因，两者都记录。
# call: bill({"a": 2}, "a")
# call: bill({"a": 2, "b": "?"}, "ab")
# call: bill({"c": 1, "d": 4}, "dcxd")
class NoPrice(Exception):
    pass


def price(prices, item):
    try:
        return prices[item] + 0
    except (KeyError, TypeError) as error:
        raise NoPrice(item) from error


def bill(prices, items):
    told = []
    for item in items:
        try:
            told.append(price(prices, item))
        except NoPrice as error:
            told.append(error.args[0] + type(error.__cause__).__name__)
    return told
