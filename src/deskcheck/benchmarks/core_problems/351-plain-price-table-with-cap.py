# family: plain
# title: price table with a cap, in plain Python
# time: O(n * m)
# space: O(n * m)
# english: Multiplies base prices by percentages per day, cuts them at a cap, and finds the day that earns most.
# chinese: 基价乘以每日百分比，超过上限则截断，并找出收入最高的一天。
# control-for: 291
# call: price_table([40, 65], [100, 80, 150], 90)
# call: price_table([10, 20, 31], [50, 125], 25)
# call: price_table([7, 9, 120], [90, 110, 70], 100)
def price_table(base, percent, cap):
    rows = []
    for price in base:
        row = [min(price * share // 100, cap) for share in percent]
        rows.append(row)
    totals = [sum(day) for day in zip(*rows)]
    day = totals.index(max(totals))
    return rows, day, totals[day]
