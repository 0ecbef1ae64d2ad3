# family: simulation
# title: cars at a light
# time: O(n)
# space: O(n)
# english: Cars arrive at a light that is green for two ticks and red for one; two can pass per green tick. Gives who waits at the end and the longest line.
# chinese: 红绿灯绿两拍红一拍，每个绿拍可过两辆车；给出最后等待的车和最长队列。
# call: light("a")
# call: light("ab.c")
# call: light("abcd.efg.h")
def light(arrivals):
    line, longest, passed = [], 0, []
    for tick, car in enumerate(arrivals):
        if car != ".":
            line.append(car)
        longest = max(longest, len(line))
        if tick % 3 == 1:
            passed += line[:2]
            line = line[2:]
    return "".join(passed), "".join(line), longest
