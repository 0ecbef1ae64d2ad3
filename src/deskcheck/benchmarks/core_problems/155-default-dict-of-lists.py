# family: aliases
# title: one list under many keys
# time: O(n)
# space: O(n)
# english: Puts letters into lists by key; fromkeys gives all keys one list until a key gets its own.
# chinese: 按键把字母放入列表；fromkeys 使所有键共用一个列表，直到某键获得自己的列表。
# call: sort("ab", "a")
# call: sort("abc", "bbc")
# call: sort("xyz", "zxxyzy")
def sort(keys, letters):
    boxes = dict.fromkeys(keys, [])
    for place, letter in enumerate(letters):
        if place == 2:
            boxes[letter] = boxes[letter] + [place]
        else:
            boxes[letter].append(place)
    return boxes
