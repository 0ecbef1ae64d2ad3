# family: plain
# title: hours by person and week, in plain Python
# time: O(n)
# space: O(n * m)
# english: Turns a list of worked hours into a table of persons and weeks, and finds the weeks with too many hours.
# chinese: 把工时列表转成人员与周的表，并找出工时过多的周。
# control-for: 304
# call: timesheet([("ann", 1, 20), ("bo", 1, 8), ("ann", 2, 41), ("ann", 1, 5)], 40)
# call: timesheet([("x", 3, 9), ("y", 3, 9), ("y", 4, 1)], 8)
# call: timesheet([("p", 2, 30), ("p", 2, 30), ("q", 1, 2)], 59)
def timesheet(entries, most):
    people, weeks, _ = zip(*entries)
    weeks = sorted(dict.fromkeys(weeks))
    rows = {who: [0] * len(weeks) for who in sorted(dict.fromkeys(people))}
    too_many = []
    for who, week, hours in entries:
        rows[who][weeks.index(week)] += hours
    for who, row in rows.items():
        too_many += [(who, week) for week, hours in zip(weeks, row) if hours > most]
    return rows, too_many
