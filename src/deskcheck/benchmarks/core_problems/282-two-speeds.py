# family: control
# title: two speeds
# time: O(n)
# space: O(1)
# english: Two walkers on a ring of 41 and how often they meet.
# chinese: 41 格环上的两个行者与相遇次数。
# control-for: 216
# call: follow(40, 13, 5)
# call: follow(27, 23, 5)
# call: follow(43, 59, 7)
def follow(near, far, turns):
    met = 0
    for turn in range(turns):
        near = (near + 3) % 41
        far = (far + 5) % 41
        met += near == far
    return near, far, met
