# family: predicates
# title: valid by every rule
# time: O(n)
# space: O(1)
# english: Whether a password has a digit not at its end, no letter twice in a row, and as many capitals as its length allows.
# chinese: 判断密码：末位以外有数字、没有连续相同字符、大写数不超过长度的三分之一。
# call: valid("Ab1cde")
# call: valid("aab2Cx")
# call: valid("Xy3Zq9w")
def valid(word):
    digits = [i for i, letter in enumerate(word) if letter.isdigit()]
    if not digits or digits[0] == len(word) - 1:
        return False
    capitals = 0
    for before, letter in zip(word, word[1:]):
        if before == letter:
            return False
        capitals += letter.isupper()
    return capitals * 3 <= len(word)
