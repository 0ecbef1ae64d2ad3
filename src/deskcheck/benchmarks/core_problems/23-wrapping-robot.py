# family: simulation
# title: a robot on a field that wraps
# time: O(n)
# space: O(1)
# english: Drives a robot over a field whose edges are joined; L and R turn it, a digit moves it that far. Returns place and direction.
# chinese: 机器人在边缘相连的场地上行驶；L 和 R 使其转向，数字表示前进的距离。返回位置和方向。
# call: drive("2R", 5, 4)
# call: drive("3L2R4L1R", 6, 5)
# call: drive("1R3R5L2LL4R9LR2L8", 7, 4)
def drive(orders, width, height):
    x = y = 0
    dx, dy = 1, 0
    for order in orders:
        if order == "L":
            dx, dy = dy, -dx
        elif order == "R":
            dx, dy = -dy, dx
        else:
            x = (x + dx * int(order)) % width
            y = (y + dy * int(order)) % height
    return x, y, dx, dy
