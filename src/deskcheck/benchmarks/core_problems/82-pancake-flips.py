# family: sorting
# title: flips that sort a pile
# time: O(n^2)
# space: O(n)
# english: Sorts a pile by flips of its top part; gives the sizes of the flips that were needed.
# chinese: 通过翻转顶部部分来排序；给出所需翻转的大小。
# call: flips([2, 1])
# call: flips([3, 1, 2])
# call: flips([4, 2, 5, 1, 3])
def flips(pile):
    done = []
    for size in range(len(pile), 1, -1):
        top = pile.index(max(pile[:size])) + 1
        if top == size:
            continue
        if top > 1:
            pile = pile[:top][::-1] + pile[top:]
            done.append(top)
        pile = pile[:size][::-1] + pile[size:]
        done.append(size)
    return done
