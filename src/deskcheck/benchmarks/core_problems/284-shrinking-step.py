# family: control
# title: shrinking step
# time: O(n)
# space: O(1)
# english: A step that is taken from the turn each time.
# chinese: 步长每次变为轮次减步长。
# control-for: 234
# call: shrink(34, 46, 5)
# call: shrink(23, 18, 8)
# call: shrink(26, 11, 2)
def shrink(place, step, turns):
    for turn in range(turns):
        place += step
        step = turn - step
    return place, step
