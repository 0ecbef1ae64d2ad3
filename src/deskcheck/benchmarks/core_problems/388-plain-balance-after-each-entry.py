# family: plain
# title: balance after each entry, in plain Python
# time: O(n log n)
# space: O(n)
# english: Orders bookings by day and number and computes running balances with a window, noting the lowest point.
# chinese: 按日期和编号排序记账，用窗口函数计算累计余额，并记录最低点。
# control-for: 328
# call: balances([(2, 50), (1, 100), (2, -120), (3, -40)])
# call: balances([(5, -5), (4, -5), (5, 20)])
# call: balances([(1, 7), (1, -9), (1, 7)])
def balances(bookings):
    numbered = []
    for day, amount in bookings:
        numbered.append((day, len(numbered) + 1, amount))
    numbered.sort()
    running = []
    lowest = None
    balance = 0
    for day, number, amount in numbered:
        balance += amount
        running.append(balance)
        if lowest is None or balance < lowest[1]:
            lowest = (number, balance)
    return running, lowest
