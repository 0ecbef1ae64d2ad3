# family: greedy
# title: talks with a rest between them
# time: O(n*log(n))
# space: O(n)
# english: Takes talks by earliest end, later start first, as long as each begins after the last one and a rest. Returns the lengths of the talks taken and when one is free again.
# chinese: 按结束时间最早（相同则开始更晚）选取讲座，每场须在上一场结束并休息之后开始。返回所选讲座的时长和再次空闲的时间。
# call: choose([(3, 5), (0, 4)], 1)
# call: choose([(1, 4), (6, 9), (3, 6), (4, 6)], 2)
# call: choose([(0, 3), (4, 8), (5, 7), (2, 3), (9, 13), (8, 9)], 1)
def choose(talks, rest):
    lengths, free_at = [], 0
    for start, end in sorted(talks, key=lambda talk: (talk[1], -talk[0])):
        if start >= free_at:
            lengths.append(end - start)
            free_at = end + rest
    return lengths, free_at
