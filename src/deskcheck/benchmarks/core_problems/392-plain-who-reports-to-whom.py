# family: plain
# title: who reports to whom, in plain Python
# time: O(n)
# space: O(n)
# english: Walks a table of managers with a recursive query and lists everyone below a person with depth and wages.
# chinese: 用递归查询遍历上级表，列出某人之下所有人的层级与工资。
# control-for: 332
# call: team({"ann": ("", 9), "bo": ("ann", 5), "cy": ("ann", 4), "di": ("bo", 3)}, "ann")
# call: team({"x": ("", 7), "y": ("x", 6), "z": ("y", 5), "w": ("z", 1)}, "y")
# call: team({"p": ("", 1), "q": ("p", 2)}, "q")
def team(people, chief):
    teams = {}
    for name, (boss, wage) in people.items():
        teams.setdefault(boss, []).append(name)
    order = [(0, chief)]
    wages = 0
    for depth, name in order:
        below = teams.get(name, [])
        order += zip([depth + 1] * len(below), below)
        wages += people[name][1]
    deepest = max(order)[0]
    return {name: depth for depth, name in sorted(order)}, wages, deepest
