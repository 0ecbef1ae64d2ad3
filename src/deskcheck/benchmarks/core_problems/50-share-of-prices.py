# family: control
# title: prices less a quarter
# time: O(n)
# space: O(1)
# english: Takes a quarter, rounded down, off every price; returns the sum of the rest and the last quarter.
# chinese: 每个价格减去向下取整的四分之一；返回剩余之和与最后一个四分之一。
# control-for: 17
# call: share([17, 30, 6])
# call: share([45, 11, 27, 8])
# call: share([102, 9, 63, 50])
def share(prices):
    total = 0
    for price in prices:
        quarter = price // 4
        total += price - quarter
    return total, quarter
