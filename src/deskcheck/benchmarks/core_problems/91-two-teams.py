# family: graphs
# title: two teams without rivals
# time: O(n+m)
# space: O(n)
# english: Divides people into two teams so that rivals are apart; names the first pair for which that fails.
# chinese: 把人分成两队使对手不同队；若失败则报出第一对。
# call: teams("ab", ["ab"])
# call: teams("abcd", ["ab", "bc"])
# call: teams("abcde", ["ab", "bc", "cd", "da", "be", "ec"])
def teams(people, rivals):
    side = {}
    for person in people:
        if person in side:
            continue
        side[person] = 0
        queue = [person]
        while queue:
            one = queue.pop(0)
            for a, b in rivals:
                if one not in (a, b):
                    continue
                other = b if one == a else a
                if other not in side:
                    side[other] = 1 - side[one]
                    queue.append(other)
                elif side[other] == side[one]:
                    return "".join(sorted((one, other)))
    return side
