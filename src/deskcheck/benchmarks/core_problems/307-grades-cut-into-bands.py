# family: pandas
# title: grades cut into bands
# time: O(n)
# space: O(n)
# english: Cuts points into named bands that are closed on the right, and lists who lies outside of all bands.
# chinese: 把分数切成右闭的命名区间，并列出落在所有区间之外的人。
# call: bands({"ida": 50, "jon": 51, "kim": 100, "lea": 0}, [0, 50, 80, 100], ["C", "B", "A"])
# call: bands({"u": 3, "v": 4, "w": 11}, [2, 4, 10], ["low", "high"])
# call: bands({"e": 1, "f": 2, "g": 2, "h": 2}, [0, 1, 2, 3], ["x", "y", "z"])
import pandas as pd


def bands(points, edges, names):
    series = pd.Series(points)
    cut = pd.cut(series, edges, labels=names)
    counts = cut.value_counts(sort=False)
    sizes = [int(counts[name]) for name in names]
    outside = []
    for who, band in cut.items():
        if pd.isna(band):
            outside.append(who)
    return sizes, outside
