# family: dynamic programming
# title: trees of leaves
# time: O(n**3)
# space: O(n**2)
# english: Number of trees over a row of leaves in which no left part is larger than its right part by more than the limit.
# chinese: 在一排叶子上建树，左部叶数超出右部不超过 limit 的树的数目。
# pattern: interval
# call: trees(3, 0)
# call: trees(5, 1)
# call: trees(6, 2)
def trees(leaves, limit):
    count = {1: 1}
    for size in range(2, leaves + 1):
        found = 0
        for left in range(1, size):
            right = size - left
            if left - right <= limit:
                found += count[left] * count[right]
        count[size] = found
    return count[leaves], sum(count.values())
