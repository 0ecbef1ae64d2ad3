# family: data structures
# title: a cache that forgets the oldest
# time: O(n*k)
# space: O(k)
# english: Looks keys up in a cache of k places that forgets what was used longest ago; gives hits and misses as a text and the keys in order.
# chinese: 在容量为 k 的缓存中查找，淘汰最久未用的；给出命中序列和键的顺序。
# call: cache("aa", 1)
# call: cache("abca", 2)
# call: cache("abacbdab", 3)
def cache(keys, k):
    held, story = [], ""
    for key in keys:
        if key in held:
            held.remove(key)
            story += "+"
        else:
            if len(held) == k:
                held.pop(0)
            story += "-"
        held.append(key)
    return story, "".join(held)
