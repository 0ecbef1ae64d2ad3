# family: aliases
# title: what a slice shares
# time: O(n)
# space: O(n)
# english: Takes slices of a list of lists, changes what is in them and what they are.
# chinese: 对列表的列表切片，修改其中内容和切片本身。
# call: share([[], [2], []])
# call: share([[5], [6, 1]])
# call: share([[], [3], [4], [8]])
def share(items):
    part = items[1:]
    part[0].append(0)
    part[0] = ["new"]
    items[-1] += [len(part)]
    same = items
    same += [part[-1]]
    items[-1].append("end")
    return items, part
