# family: dictionaries
# title: nearest key below
# time: O(n*log(n))
# space: O(n)
# english: Looks numbers up in a table of steps: the value of the nearest key below, counted once for each hit.
# chinese: 在阶梯表中查数：取不大于它的最近键的值，并统计每个键命中的次数。
# call: grade({0: "low", 5: "mid"}, [3, 7])
# call: grade({10: "a", 20: "b", 30: "c"}, [25, 9, 30, 21])
# call: grade({1: "x"}, [1, 1, 0])
def grade(steps, numbers):
    keys = sorted(steps)
    hits = {}
    for number in numbers:
        found = None
        for key in keys:
            if key > number:
                break
            found = key
        name = steps.get(found, "none")
        hits[name] = hits.get(name, 0) + 1
    return hits
