# family: control
# title: a jug that overflows by the hour
# time: O(n)
# space: O(1)
# english: Fills a jug more each hour; every full ten in it costs three, which are spilled.
# chinese: 每小时往壶里多加一些水；壶中每满十份就有三份溢出。
# control-for: 15
# call: fill(5, 3)
# call: fill(8, 12)
# call: fill(1, 20)
def fill(jug, hours):
    spilled = 0
    for hour in range(hours):
        jug += hour + 2
        over = jug // 10 * 3
        spilled += over
        jug -= over
    return jug, spilled
