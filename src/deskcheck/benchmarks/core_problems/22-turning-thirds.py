# family: recursion
# title: a word turned in thirds
# time: O(n)
# space: O(n)
# english: Cuts a word in three, swaps the outer parts, folds them in the same way and sets the middle between a dot and a dash; words below three letters are reversed.
# chinese: 把单词切成三段，交换两端并以同样方式处理，中间段放在点和短横之间；少于三个字母的单词反转。
# call: turn("plume")
# call: turn("quartz")
# call: turn("harvested")
def turn(word):
    if len(word) < 3:
        return word[::-1]
    cut = len(word) // 3
    left, middle, right = word[:cut], word[cut:-cut], word[-cut:]
    return turn(right) + "." + middle + "-" + turn(left)
