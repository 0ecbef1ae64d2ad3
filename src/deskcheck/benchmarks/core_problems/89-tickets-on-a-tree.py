# family: graphs
# title: collecting tickets towards the root
# time: O(n)
# space: O(n)
# english: Sends the tickets of every place to its parent, children first, and gives what each place holds then.
# chinese: 把每个节点的票从子到父累加，给出每个节点最终的票数。
# call: tickets({"a": ""}, {"a": 2})
# call: tickets({"a": "", "b": "a", "c": "a"}, {"a": 1, "b": 4, "c": 5})
# call: tickets({"r": "", "s": "r", "t": "s", "u": "s", "v": "u"}, {"r": 1, "s": 2, "t": 3, "u": 4, "v": 5})
def tickets(parents, held):
    total = dict(held)
    waiting = list(parents)
    while waiting:
        for place in waiting:
            if place not in [parents[other] for other in waiting]:
                break
        waiting.remove(place)
        if parents[place]:
            total[parents[place]] += total[place]
    return total
