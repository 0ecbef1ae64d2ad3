# family: greedy
# title: jobs before their fines
# time: O(n^2)
# space: O(n)
# english: Gives each job, dearest fine first, the latest free day before its deadline; adds up the fines of the others.
# chinese: 按罚款从高到低，将任务安排在截止日前最晚的空闲日；累计其余任务的罚款。
# call: fines([("a", 1, 5)])
# call: fines([("a", 1, 5), ("b", 1, 9)])
# call: fines([("a", 2, 4), ("b", 1, 7), ("c", 2, 6), ("d", 3, 1)])
def fines(jobs):
    days, paid = {}, 0
    for name, deadline, fine in sorted(jobs, key=lambda job: -job[2]):
        day = deadline
        while day > 0 and day in days:
            day -= 1
        if day > 0:
            days[day] = name
        else:
            paid += fine
    return days, paid
