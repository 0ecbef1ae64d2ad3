# family: plain
# title: working days until delivery, in plain Python
# time: O(n)
# space: O(1)
# english: Counts working days from an order on, past weekends and holidays, until the parcel arrives.
# chinese: 从下单日起跳过周末和假日数工作日，直到包裹送达。
# control-for: 320
# call: delivery((2024, 3, 27), 3, [(2024, 3, 29), (2024, 4, 1)])
# call: delivery((2024, 12, 23), 4, [(2024, 12, 25), (2024, 12, 26), (2025, 1, 1)])
# call: delivery((2024, 6, 7), 1, [])
def ordinal(year, month, day):
    year -= month < 3
    return 365 * year + year // 4 - year // 100 + year // 400 + (153 * ((month + 9) % 12) + 2) // 5 + day


def delivery(ordered, days, holidays):
    free = [ordinal(*holiday) for holiday in holidays]
    day = first = ordinal(*ordered)
    skipped = 0
    left = days
    while left:
        day += 1
        if (day + 1) % 7 >= 5 or day in free:
            skipped += 1
            continue
        left -= 1
    name = "Mon Tue Wed Thu Fri Sat Sun".split()[(day + 1) % 7]
    return name, day - first, skipped
