# family: simulation
# title: a rumour along a row
# time: O(n*d)
# space: O(n)
# english: Each day everybody who knows tells the person on the left, on even days also the one on the right; gives who knows at the end and how many knew each day.
# chinese: 每天知情者告诉左边的人，偶数天也告诉右边的人；给出最后的知情情况和每天知情的人数。
# call: rumour("010", 1)
# call: rumour("00010", 2)
# call: rumour("0000010000", 4)
def rumour(row, days):
    counts = []
    for day in range(1, days + 1):
        new = list(row)
        for place, knows in enumerate(row):
            if knows != "1":
                continue
            if place > 0:
                new[place - 1] = "1"
            if day % 2 == 0 and place + 1 < len(row):
                new[place + 1] = "1"
        row = "".join(new)
        counts.append(row.count("1"))
    return row, counts
