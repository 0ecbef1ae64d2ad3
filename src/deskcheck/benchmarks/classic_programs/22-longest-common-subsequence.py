# call: common('d', 'c')
# call: common('ec', 'dc')
# call: common('dea', 'beb')
# call: common('ccad', 'ceae')
# call: common('eaabba', 'cbdbbd')
# call: common('cedbcaca', 'acbcaacec')
# call: common('decacbeabbcb', 'eaabccaaebbd')
# call: common('cbccddcbbeebceab', 'bdbbebaacbabcabd')
# call: common('bdcbdcabbaeeecedccbeec', 'ebccaeadeaccdebcccddca')
# call: common('aaaccabcbaddbaaadaeebacdebaab', 'ddbbabbdeecedaeaaadcbbaebadbee')
def common(a, b):
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a)):
        for j in range(len(b)):
            if a[i] == b[j]:
                table[i + 1][j + 1] = table[i][j] + 1
            else:
                table[i + 1][j + 1] = max(table[i][j + 1], table[i + 1][j])
    i, j = len(a), len(b)
    letters = []
    while i and j:
        if a[i - 1] == b[j - 1]:
            i -= 1
            j -= 1
            letters.append(a[i])
        elif table[i - 1][j] >= table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return "".join(reversed(letters))
