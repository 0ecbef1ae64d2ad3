# family: data structures
# title: a heap built step by step
# time: O(n*log(n))
# space: O(n)
# english: Pushes numbers onto a heap whose root is the largest; gives the heap and the number of swaps.
# chinese: 将数压入大根堆；给出堆和交换次数。
# call: heap([2, 5])
# call: heap([4, 1, 7, 3])
# call: heap([3, 9, 8, 10, 1, 12])
def heap(numbers):
    tree, swaps = [], 0
    for number in numbers:
        tree.append(number)
        at = len(tree) - 1
        while at > 0 and tree[(at - 1) // 2] < tree[at]:
            up = (at - 1) // 2
            tree[up], tree[at] = tree[at], tree[up]
            swaps += 1
            at = up
    return tree, swaps
