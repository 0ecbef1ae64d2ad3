# family: pandas
# title: temperatures above their window
# time: O(n)
# space: O(n)
# english: Compares each temperature with the rolling sum of the days before and collects days that stand out.
# chinese: 将每日温度与之前数日的滚动和比较，收集突出的日子。
# call: spikes([10, 12, 11, 20, 12, 30], 3, 4)
# call: spikes([5, 5, 5, 9], 2, 1)
# call: spikes([1, 9, 2, 8, 3, 15, 4], 2, 3)
import pandas as pd


def spikes(temperatures, days, margin):
    series = pd.Series(temperatures)
    before = series.rolling(days).sum().shift(1)
    frame = pd.DataFrame({"now": series, "before": before}).dropna()
    found = []
    for row in frame.itertuples():
        level = row.before / days
        if row.now > level + margin:
            excess = int(row.now * days - row.before)
            found.append((row.Index, excess))
    warmest = int(frame["now"].idxmax())
    return found, warmest
