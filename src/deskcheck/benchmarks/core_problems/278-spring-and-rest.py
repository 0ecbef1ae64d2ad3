# family: control
# title: spring and rest
# time: O(n)
# space: O(1)
# english: A weight on a spring with friction, in whole numbers.
# chinese: 整数的带阻尼弹簧。
# control-for: 268
# call: spring(45, 55, 2)
# call: spring(30, 24, 3)
# call: spring(42, 14, 1)
def spring(place, speed, turns):
    for turn in range(turns):
        speed -= place // 4
        place += speed
        speed -= speed // 8
    return place, speed
