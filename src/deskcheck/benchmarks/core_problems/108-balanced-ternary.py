# family: math
# title: weights on both pans
# time: O(log(n))
# space: O(log(n))
# english: Writes a number with weights 1, 3, 9.. on both pans of a scale: + beside, - on the other side, 0 unused.
# chinese: 用重量 1、3、9… 放在天平两侧表示一个数：+ 同侧，- 另一侧，0 不用。
# call: weigh(2)
# call: weigh(14)
# call: weigh(271828)
def weigh(number):
    signs = ""
    while number:
        rest = number % 3
        number //= 3
        if rest == 2:
            number += 1
            signs = "-" + signs
        else:
            signs = "0+"[rest] + signs
    return signs
