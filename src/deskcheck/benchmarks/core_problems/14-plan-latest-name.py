# family: graphs
# title: tasks in order, the last name first
# time: O(n^2)
# space: O(n + m)
# english: Orders tasks so that each comes after those it needs, taking the alphabetically last of the ready ones; a circle is an error.
# chinese: 给任务排序，使每个任务排在它依赖的任务之后，可选时取字母顺序最后的；若有环则报错。
# call: plan({"bake": ["mix"], "mix": []})
# call: plan({"a": ["c"], "b": [], "c": ["d"], "d": ["a"]})
# call: plan({"cut": ["glue", "ink"], "ink": [], "glue": ["ink"], "fold": []})
def plan(needs):
    open_needs = {task: list(before) for task, before in needs.items()}
    order = []
    while open_needs:
        ready = [task for task, before in open_needs.items() if not before]
        if not ready:
            raise ValueError(f"circle among {sorted(open_needs)}")
        pick = max(ready)
        order.append(pick)
        del open_needs[pick]
        for before in open_needs.values():
            if pick in before:
                before.remove(pick)
    return order
