# family: plain
# title: sales of the best regions, in plain Python
# time: O(n log n)
# space: O(n)
# english: Groups sales by region, keeps regions above a floor, and lists them by amount with their share in percent.
# chinese: 按地区汇总销售额，保留不低于下限者，按金额列出并给出百分比。
# control-for: 300
# call: best_regions([("north", 40), ("south", 25), ("north", 5), ("east", 30)], 26)
# call: best_regions([("a", 10), ("b", 10), ("c", 3), ("b", 1)], 5)
# call: best_regions([("x", 7), ("y", 2), ("x", 2), ("z", 9), ("y", 8)], 0)
def best_regions(sales, floor):
    sums = {}
    for region, amount in sales:
        sums[region] = sums.get(region, 0) + amount
    whole = sum(sums.values())
    report = []
    for below, region in sorted(zip(map(int.__neg__, sums.values()), sums)):
        if -below < floor:
            break
        share = -below * 100 // whole
        entry = (region, -below, share)
        report.append(entry)
    return report
