# family: greedy
# title: change with what is in the till
# time: O(n*c)
# space: O(c)
# english: Sells at a price to people in a line, gives change with the largest coins first, and stops where it cannot.
# chinese: 依次卖给排队的人，用最大的硬币找零，找不开则停止。
# call: sell([5], 5)
# call: sell([5, 10, 5], 5)
# call: sell([5, 5, 10, 20, 20], 5)
def sell(paid, price):
    till = {}
    for number, coin in enumerate(paid):
        owed = coin - price
        for old in sorted(till, reverse=True):
            while owed >= old and till[old] > 0:
                till[old] -= 1
                owed -= old
        if owed:
            return number, till
        till[coin] = till.get(coin, 0) + 1
    return len(paid), till
