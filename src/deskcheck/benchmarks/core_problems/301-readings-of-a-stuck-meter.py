# family: pandas
# title: readings of a stuck meter
# time: O(n)
# space: O(n)
# english: Carries the last reading of a meter forward over gaps, takes differences, and cuts negative ones to zero.
# chinese: 把电表读数向后填补空缺，求差值，并把负差截为零。
# call: usage([100, None, 130, 125, None, 160])
# call: usage([None, 7, None, None, 9])
# call: usage([40, 42, 41, 50])
import pandas as pd


def usage(readings):
    series = pd.Series(readings, dtype="float64")
    gaps = series.isna()
    steady = series.ffill()
    used = steady.diff().fillna(0).clip(lower=0)
    days = []
    for day, amount in used.items():
        if gaps[day]:
            continue
        whole = int(amount)
        days.append(whole)
    total = int(used.sum())
    busiest = int(used.idxmax())
    return days, total, busiest
