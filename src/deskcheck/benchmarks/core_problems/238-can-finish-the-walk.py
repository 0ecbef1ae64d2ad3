# family: predicates
# title: can finish the walk
# time: O(n**2)
# space: O(n)
# english: Whether jumps along a list reach its end when a jump of the same length may not be made twice running.
# chinese: 沿列表跳跃能否到达终点，且不得连续两次跳同样长度。
# call: reaches([2, 1, 1, 1, 0])
# call: reaches([3, 0, 2, 1, 0])
# call: reaches([1, 2, 1, 0, 4])
def reaches(jumps):
    states = [(0, 0)]
    for place, last in states:
        if place == len(jumps) - 1:
            return True
        for length in range(1, jumps[place] + 1):
            after = (place + length, length)
            if length != last and after[0] < len(jumps) and after not in states:
                states.append(after)
    return False
