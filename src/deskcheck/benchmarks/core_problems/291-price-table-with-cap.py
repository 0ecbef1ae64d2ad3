# family: numpy
# title: price table with a cap
# time: O(n * m)
# space: O(n * m)
# english: Multiplies base prices by percentages per day, cuts them at a cap, and finds the day that earns most.
# chinese: 基价乘以每日百分比，超过上限则截断，并找出收入最高的一天。
# call: price_table([40, 65], [100, 80, 150], 90)
# call: price_table([10, 20, 31], [50, 125], 25)
# call: price_table([7, 9, 120], [90, 110, 70], 100)
import numpy as np


def price_table(base, percent, cap):
    column = np.array(base)[:, None]
    table = np.minimum(column * np.array(percent) // 100, cap)
    rows = []
    for line in table:
        row = [int(price) for price in line]
        rows.append(row)
    totals = table.sum(axis=0)
    day = int(totals.argmax())
    return rows, day, int(totals[day])
