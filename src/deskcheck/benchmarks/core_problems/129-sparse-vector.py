# family: data structures
# title: a long row kept in a dict
# time: O(n)
# space: O(n)
# english: A long row of numbers that keeps only those that are not zero; gives sum, product with another one and what is kept.
# chinese: 只保存非零数的长向量；给出两向量之和、内积和保存的内容。
# call: combine({0: 2}, {0: -2})
# call: combine({1: 3, 4: 1}, {4: 5})
# call: combine({0: 1, 2: 4, 7: -3}, {2: 2, 3: 6, 7: 3})
def combine(a, b):
    total, product = dict(a), 0
    for place, value in b.items():
        product += value * a.get(place, 0)
        total[place] = total.get(place, 0) + value
        if total[place] == 0:
            del total[place]
    return total, product
