# family: predicates
# title: same shape of words
# time: O(n)
# space: O(n)
# english: Whether two words have the same pattern of repeated letters when the letter e may stand for any letter once.
# chinese: 两个单词的字母重复模式是否相同，字母 e 可作一次万能字母。
# call: same_shape("paper", "title")
# call: same_shape("egg", "add")
# call: same_shape("foo", "bar")
def same_shape(left, right):
    if len(left) != len(right):
        return False
    there, back, free = {}, {}, True
    for a, b in zip(left, right):
        if there.setdefault(a, b) == b and back.setdefault(b, a) == a:
            continue
        if not free or "e" not in (a, b):
            return False
        free = False
    return True
