# family: dynamic programming
# title: pairs of dancers
# time: O(n**2*2**n)
# space: O(2**n)
# english: Best sum of pairings of dancers by their difference in height, where the tallest left always chooses.
# chinese: 按身高差配对舞者，总由剩下的最高者先选，求身高差之和的最小与最大。
# pattern: subset
# call: dance([3, 8])
# call: dance([1, 4, 6, 9])
# call: dance([7, 2, 5, 4])
def dance(heights):
    order = sorted(heights)
    known = {0: (0, 0)}
    for mask in range(1, 1 << len(order)):
        if bin(mask).count("1") % 2:
            continue
        top = mask.bit_length() - 1
        options = []
        for other in range(top):
            if mask >> other & 1:
                least, most = known[mask ^ 1 << top ^ 1 << other]
                gap = order[top] - order[other]
                options.append((least + gap, most + gap))
        known[mask] = (min(o[0] for o in options), max(o[1] for o in options))
    return known[(1 << len(order)) - 1]
