# family: pandas
# title: sales of the best regions
# time: O(n log n)
# space: O(n)
# english: Groups sales by region, keeps regions above a floor, and lists them by amount with their share in percent.
# chinese: 按地区汇总销售额，保留不低于下限者，按金额列出并给出百分比。
# call: best_regions([("north", 40), ("south", 25), ("north", 5), ("east", 30)], 26)
# call: best_regions([("a", 10), ("b", 10), ("c", 3), ("b", 1)], 5)
# call: best_regions([("x", 7), ("y", 2), ("x", 2), ("z", 9), ("y", 8)], 0)
import pandas as pd


def best_regions(sales, floor):
    frame = pd.DataFrame(sales, columns=["region", "amount"])
    sums = frame.groupby("region")["amount"].sum()
    whole = sum(int(amount) for amount in sums)
    ordered = sums.sort_values(ascending=False, kind="stable")
    report = []
    for region, amount in ordered.items():
        amount = int(amount)
        if amount < floor:
            break
        share = amount * 100 // whole
        entry = (region, amount, share)
        report.append(entry)
    return report
