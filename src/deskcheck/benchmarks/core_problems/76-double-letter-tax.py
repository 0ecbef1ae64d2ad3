# family: strings
# title: double letters are numbered
# time: O(n)
# space: O(n)
# english: Replaces a letter that equals the one before it by how often that has happened so far.
# chinese: 若某字母与前一个字母相同，则替换为到目前为止发生的次数。
# call: tax("aa")
# call: tax("balloon")
# call: tax("bookkeepers")
def tax(word):
    result, count = "", 0
    for i, letter in enumerate(word):
        if i > 0 and word[i - 1] == letter:
            count += 1
            result += str(count)
        else:
            result += letter
    return result
