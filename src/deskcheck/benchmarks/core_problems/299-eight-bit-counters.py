# family: numpy
# title: eight-bit counters
# time: O(n)
# space: O(m)
# english: Adds pulses to unsigned eight-bit counters that wrap around, and notes each wrap from the drop of the value.
# chinese: 向会回绕的八位无符号计数器加脉冲，并由数值下降记录回绕。
# call: pulses([250, 3], [(0, 4), (1, 100), (0, 7), (1, 200)])
# call: pulses([0, 128, 255], [(2, 1), (1, 128), (1, 127)])
# call: pulses([99], [(0, 255), (0, 255), (0, 58), (0, 1), (0, 255)])
import numpy as np


def pulses(start, events):
    counters = np.array(start, dtype=np.uint8)
    wraps = np.zeros_like(counters)
    for place, amount in events:
        before = counters.copy()
        counters[place : place + 1] += np.uint8(amount)
        dropped = counters < before
        wraps += dropped
    total = int(counters.sum(dtype=np.int64) + 256 * wraps.sum(dtype=np.int64))
    return counters.tolist(), wraps.tolist(), total
