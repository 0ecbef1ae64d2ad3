# family: effects
# title: alarms on a clock of its own
# time: O(n*log(n))
# space: O(n)
# english: Sets alarms on a made-up clock with a heap and rings them in order as time passes; a repeating one sets itself again.
# chinese: 用堆在虚拟时钟上设闹钟，按时间响起；重复闹钟会再次设置自己。
# call: ring([(2, 0, "a")], 3)
# call: ring([(4, 0, "b"), (1, 0, "a")], 4)
# call: ring([(3, 2, "x"), (2, 3, "y"), (9, 0, "z")], 8)
import heapq


def ring(alarms, until):
    waiting = list(alarms)
    heapq.heapify(waiting)
    rung = []
    while waiting and waiting[0][0] <= until:
        time, again, name = heapq.heappop(waiting)
        rung.append(f"{name}{time}")
        if again:
            heapq.heappush(waiting, (time + again, again, name))
    return rung
