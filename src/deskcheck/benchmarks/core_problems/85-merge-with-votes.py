# family: sorting
# title: merging while counting who waits
# time: O(n)
# space: O(n)
# english: Merges two sorted lists and counts how many of the first list still wait whenever one of the second is taken.
# chinese: 合并两个有序表，每次取第二个表的元素时累计第一个表中仍在等待的个数。
# call: merge([1], [2])
# call: merge([2, 5], [1, 4])
# call: merge([3, 6, 9, 12], [1, 7, 7, 10])
def merge(first, second):
    merged, waiting = [], 0
    i = j = 0
    while i < len(first) and j < len(second):
        if first[i] <= second[j]:
            merged.append(first[i])
            i += 1
        else:
            merged.append(second[j])
            waiting += len(first) - i
            j += 1
    return merged + first[i:] + second[j:], waiting
