# call: permutations('a')
# call: permutations('no')
# call: permutations('too')
# call: permutations('abc')
# call: permutations('noon')
# call: permutations('seed')
# call: permutations('geese')
# call: permutations('echo')
# call: permutations('apple')
# call: permutations('lemon')
def next_permutation(items):
    i = len(items) - 2
    while i >= 0 and items[i] >= items[i + 1]:
        i -= 1
    if i < 0:
        return False
    j = len(items) - 1
    while items[j] <= items[i]:
        j -= 1
    items[i], items[j] = items[j], items[i]
    items[i + 1 :] = reversed(items[i + 1 :])
    return True


def permutations(word):
    letters = sorted(word)
    found = ["".join(letters)]
    while next_permutation(letters):
        found.append("".join(letters))
    return found
