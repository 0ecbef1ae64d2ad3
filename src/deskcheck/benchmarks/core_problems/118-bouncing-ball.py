# family: simulation
# title: a ball between two walls
# time: O(n)
# space: O(1)
# english: A ball moves in a box, turns at the walls, and loses one unit of speed sideways at every turn.
# chinese: 球在盒中运动，碰壁反弹，每次反弹横向速度减 1。
# call: bounce(2, 1, 3)
# call: bounce(5, 3, 6)
# call: bounce(9, 5, 14)
def bounce(width, speed, ticks):
    place, turns = 0, 0
    while ticks > 0 and speed != 0:
        place += speed
        if place < 0 or place > width:
            place = max(0, min(width, place))
            speed = -(abs(speed) - 1) if speed > 0 else abs(speed) - 1
            turns += 1
        ticks -= 1
    return place, speed, turns
