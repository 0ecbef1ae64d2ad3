# family: dynamic programming
# title: tasks in shifts
# time: O(n*2**n)
# space: O(2**n)
# english: Fewest shifts that finish all tasks when a shift ends as soon as a task does not fit, and each shift is an hour longer than the one before.
# chinese: 完成全部任务的最少班次：放不下即换班，且每班比上一班长一小时。
# pattern: subset
# call: shifts([3, 2], 3)
# call: shifts([2, 2, 3], 4)
# call: shifts([4, 1, 5], 4)
def shifts(tasks, hours):
    best = {0: (1, 0)}
    for done in range(1 << len(tasks)):
        if done not in best:
            continue
        count, used = best[done]
        for i, task in enumerate(tasks):
            if done >> i & 1:
                continue
            fits = used + task <= hours + count - 1
            state = (count, used + task) if fits else (count + 1, task)
            mask = done | 1 << i
            best[mask] = min(best.get(mask, (99, 0)), state)
    return best[(1 << len(tasks)) - 1]
