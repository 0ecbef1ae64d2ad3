# family: dictionaries
# title: stock after orders
# time: O(n)
# space: O(n)
# english: Stock after orders; an order that cannot be met in full is cut, and a good that runs out leaves the dictionary.
# chinese: 处理订单后的库存；无法满足的订单按现有量供货，售罄的商品从字典移除。
# call: orders({"nail": 5, "glue": 1}, [("nail", 2), ("glue", 3)])
# call: orders({"a": 3}, [("b", 1), ("a", 3), ("a", 1)])
# call: orders({"x": 9, "y": 4}, [("y", 1), ("x", 4), ("x", 9), ("y", 1)])
def orders(stock, wanted):
    short = {}
    for good, count in wanted:
        have = stock.get(good, 0)
        sold = min(have, count)
        if sold < count:
            short[good] = short.get(good, 0) + count - sold
        if have and have == sold:
            del stock[good]
        elif have:
            stock[good] = have - sold
    return stock, short
