# family: math
# title: a ratio taken apart
# time: O(log(n))
# space: O(log(n))
# english: Parts of the continued fraction of a ratio; the last one is negative where their number is odd.
# chinese: 比值的连分数各项；项数为奇数时取反最后一项。
# call: parts(3, 2)
# call: parts(7, 16)
# call: parts(67, 29)
def parts(top, bottom):
    found = []
    while bottom:
        found.append(top // bottom)
        top, bottom = bottom, top % bottom
    if len(found) % 2:
        found[-1] = -found[-1]
    return found
