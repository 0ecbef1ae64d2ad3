# family: pandas
# title: hours by person and week
# time: O(n)
# space: O(n * m)
# english: Turns a list of worked hours into a table of persons and weeks, and finds the weeks with too many hours.
# chinese: 把工时列表转成人员与周的表，并找出工时过多的周。
# call: timesheet([("ann", 1, 20), ("bo", 1, 8), ("ann", 2, 41), ("ann", 1, 5)], 40)
# call: timesheet([("x", 3, 9), ("y", 3, 9), ("y", 4, 1)], 8)
# call: timesheet([("p", 2, 30), ("p", 2, 30), ("q", 1, 2)], 59)
import pandas as pd


def timesheet(entries, most):
    frame = pd.DataFrame(entries, columns=["who", "week", "hours"])
    table = frame.pivot_table(index="who", columns="week", values="hours", aggfunc="sum", fill_value=0)
    rows = {}
    too_many = []
    for who, row in table.iterrows():
        hours = [int(value) for value in row]
        rows[who] = hours
        busy = row > most
        for week in row.index[busy]:
            too_many.append((who, int(week)))
    return rows, too_many
