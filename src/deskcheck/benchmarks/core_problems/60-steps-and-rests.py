# family: control
# title: steps and what they leave
# time: O(n)
# space: O(1)
# english: Adds steps to a place and keeps a weighted sum of the places passed.
# chinese: 把步长加到位置上，并累计所经位置的加权和。
# control-for: 44
# call: places([14, 9], 3)
# call: places([6, -15, 22], 8)
# call: places([31, 7, -12], 5)
def places(steps, place):
    weighted = place
    for step in steps:
        place += step
        weighted = weighted * 2 - place
    return place, weighted
