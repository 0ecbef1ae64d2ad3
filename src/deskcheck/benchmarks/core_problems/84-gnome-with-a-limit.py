# family: sorting
# title: a gnome that tires
# time: O(n^2)
# space: O(1)
# english: Sorts by walking: swap and step back where two are out of order, else step on, until the steps are used up.
# chinese: 地精排序：若相邻逆序则交换并后退，否则前进，直到步数用完。
# call: gnome([3, 1], 2)
# call: gnome([4, 2, 7, 1], 5)
# call: gnome([5, 9, 3, 8, 1], 12)
def gnome(items, limit):
    place = 0
    while place < len(items) and limit > 0:
        if place == 0 or items[place - 1] <= items[place]:
            place += 1
        else:
            items[place - 1], items[place] = items[place], items[place - 1]
            place -= 1
        limit -= 1
    return items, place
