# family: dictionaries
# title: table of friends
# time: O(n)
# space: O(n)
# english: Who knows whom after meetings: two who meet share what they know so far, and the first of a pair forgets the oldest of more than two.
# chinese: 依次会面后谁认识谁：两人交换已认识者，先出现者认识超过两人时忘掉最早的。
# call: friends([("a", "b")])
# call: friends([("a", "b"), ("b", "c")])
# call: friends([("x", "y"), ("y", "z"), ("x", "z")])
def friends(meetings):
    known = {}
    for one, other in meetings:
        mine, theirs = known.setdefault(one, []), known.setdefault(other, [])
        before = mine[:]
        for name in [other] + theirs:
            if name != one and name not in mine:
                mine.append(name)
        for name in [one] + before:
            if name != other and name not in theirs:
                theirs.append(name)
        if len(mine) > 2:
            mine.pop(0)
    return {name: "".join(others) for name, others in known.items()}
