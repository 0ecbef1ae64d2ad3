# family: greedy
# title: balls go to the lightest box
# time: O(n*k)
# space: O(k)
# english: Puts each ball into the box that holds least so far, the last of equal ones, largest balls first.
# chinese: 从最大的球开始，把每个球放入当前最轻的盒子（相同则取最后一个）。
# call: fill([3], 2)
# call: fill([4, 7, 2], 2)
# call: fill([5, 9, 1, 6, 4], 3)
def fill(balls, k):
    boxes = [0] * k
    for ball in sorted(balls, reverse=True):
        best = 0
        for box in range(k):
            if boxes[box] <= boxes[best]:
                best = box
        boxes[best] += ball
    return boxes
