# family: long runs
# title: elevators all day
# time: O(n*f)
# space: O(n)
# english: Two lifts serve calls of a pseudo-random day, the nearer one goes; floors travelled by each, and the last floors.
# chinese: 两部电梯处理伪随机的一天呼叫，近者响应；各自行驶层数与最后楼层。
# call: day(40, 5)
# call: day(60, 12)
# call: day(80, 31)
def day(calls, seed):
    floors, travelled = [0, 9], [0, 0]
    for _ in range(calls):
        seed = (seed * 13 + 7) % 127
        wanted = seed % 10
        near = 0 if abs(floors[0] - wanted) <= abs(floors[1] - wanted) else 1
        while floors[near] != wanted:
            floors[near] += 1 if floors[near] < wanted else -1
            travelled[near] += 1
    return tuple(travelled), tuple(floors)
