# family: recursion
# title: sums of a list cut at its middle
# time: O(n)
# space: O(log(n))
# english: Cuts a list at its middle again and again; a part's value is the left value minus the right one, doubled where they are equal.
# chinese: 不断从中间切分列表；每段的值为左值减右值，若相等则为两倍。
# call: hook([4, 7])
# call: hook([5, 5])
# call: hook([6, 2, 1, 9, 3])
def hook(items):
    if len(items) == 1:
        return items[0]
    middle = len(items) // 2
    left = hook(items[:middle])
    right = hook(items[middle:])
    if left == right:
        return left * 2
    return left - right
