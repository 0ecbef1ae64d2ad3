# family: control
# title: weights in turn
# time: O(n)
# space: O(1)
# english: Weights are laid on the lighter side, one more on the right.
# chinese: 砝码放到较轻一侧，右侧多加一。
# control-for: 243
# call: weigh(51, 25, 9)
# call: weigh(22, 7, 23)
# call: weigh(37, 43, 6)
def weigh(left, right, turns):
    for weight in range(turns):
        if left <= right:
            left += weight
        else:
            right += weight + 1
    return left, right
