# family: aliases
# title: a list that is emptied while shared
# time: O(n)
# space: O(n)
# english: Keeps a list and views of it, empties it in place or by a new name, and tells what the views hold.
# chinese: 保存列表及其视图，就地清空或换名清空，给出视图的内容。
# call: clear([1], "c")
# call: clear([1, 2], "nac")
# call: clear([7], "acnaac")
def clear(items, actions):
    views = [items]
    for action in actions:
        if action == "c":
            items.clear()
        elif action == "n":
            items = []
            views.append(items)
        else:
            items.append(len(views))
    return views
