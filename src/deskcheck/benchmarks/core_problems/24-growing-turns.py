# family: simulation
# title: a counter with growing turns
# time: O(n*t)
# space: O(n)
# english: Customers queue at one counter; who is not done after a turn goes to the back, and the turn grows by one. Returns when each was done.
# chinese: 顾客在一个柜台排队；一轮内没办完的排到队尾，并且每轮时长加一。返回每人办完的时间。
# call: serve({"ann": 3, "bo": 1}, 2)
# call: serve({"ann": 7, "bo": 4, "cy": 2}, 1)
# call: serve({"kim": 5, "lee": 22, "mo": 9, "ned": 1, "ola": 15}, 2)
def serve(needs, turn):
    clock = 0
    done = {}
    queue = list(needs.items())
    while queue:
        name, need = queue.pop(0)
        used = min(need, turn)
        clock += used
        if need > used:
            queue.append((name, need - used))
            turn += 1
        else:
            done[name] = clock
    return done
