# family: control
# title: leaking jar
# time: O(n)
# space: O(1)
# english: A jar gains seven drops and loses a fifth each turn.
# chinese: 罐子每轮进七滴、漏五分之一。
# control-for: 267
# call: leak(44, 4)
# call: leak(36, 4)
# call: leak(19, 5)
def leak(drops, turns):
    lost = 0
    while turns > 0:
        turns -= 1
        drops += 7
        lost += drops // 5
        drops -= drops // 5
    return drops, lost
