# family: recursion
# title: two functions that call each other
# time: O(n)
# space: O(n)
# english: One function takes a letter from the left, the other from the right, and they call each other until the word is gone.
# chinese: 一个函数从左取字母，另一个从右取，相互调用直到单词取完。
# call: left("go")
# call: left("train")
# call: left("umbrellastandsandhats")
def left(word):
    if not word:
        return "."
    return word[0] + right(word[1:])


def right(word):
    if not word:
        return "!"
    return left(word[:-1]) + word[-1]
