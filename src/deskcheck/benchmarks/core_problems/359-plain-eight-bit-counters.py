# family: plain
# title: eight-bit counters, in plain Python
# time: O(n)
# space: O(m)
# english: Adds pulses to unsigned eight-bit counters that wrap around, and notes each wrap from the drop of the value.
# chinese: 向会回绕的八位无符号计数器加脉冲，并由数值下降记录回绕。
# control-for: 299
# call: pulses([250, 3], [(0, 4), (1, 100), (0, 7), (1, 200)])
# call: pulses([0, 128, 255], [(2, 1), (1, 128), (1, 127)])
# call: pulses([99], [(0, 255), (0, 255), (0, 58), (0, 1), (0, 255)])
def pulses(start, events):
    counters = list(start)
    wraps = [0] * len(counters)
    for place, amount in events:
        before = counters[place]
        counters[place] = (before + amount) % 256
        dropped = counters[place] < before
        wraps[place] += dropped
    total = sum(counters) + 256 * sum(wraps)
    return counters, wraps, total
