# call: encode('bb')
# call: encode('aaabbccc')
# call: encode('aabccaaab')
# call: encode('aaacccbaaaaacaab')
# call: encode('ccbcaaabcccbbbcabaaaccabccbbccccc')
# call: encode('ccaaaaabbbbbbccaaccccccbbbccaaacaccccccbbbbbbbbaabbbbaaacccbbbbccccc')
# call: encode('baaaaabaaacbcbbaaabaaacbbbbbbbccccccccbbbbbbbbaabbbbbbbbbcccbbaabbbaaaaaaabbbbbbcccccccacccccaaabbbccccccbbbbbbbbcccccccccccc')
# call: encode('cabbbbbbbbbbbbcbacccaaaacccccccbbbccbbbcccccccccbbbbcbcccbbbbbbcccaaaaabbbaaacbbbaaaaabbbbbbbbccbbcccccccccccccccccccccaccacccccaaaacccccaaaaaaabbbbbcaaaaaaaabbaaaaabaaccccccabaccabbbbbcccacccccbbbccccccccbbbbbcccbccc')
# call: encode('aaabbbccccccbbbaaaaacccccbcccccccccccbbbcbbbaaaaabbcccccabcccccaaccccccbbcccccccbbbaaaaaabbbbbccccccaaaaabbbbbaaaaabaabbbbbabbabbbbbbbbcccaabccbbbbbaaaaaacccbbbbaaabcccccabbbabcccaaccbccccccbbcbccbcccccccbbcccaaaaaaaaaacccbbbcbbbbbccccccccccccaaaaaccccccccbaacbbcccccaaaaacccaaaaaaabbaabaaaaabbbbbaaaaaacaccaaaaaaaaaccccccccccaabbaccaaaaaaaaaaacbbbbbbbbaaaaaccccccccccbbbaaaaabbbbbbbbbbbcbbccbbbbb')
# call: encode('ccbbabbbbbaaaaaaacbbbbbbbbbcccccbbbbcccccccccccbbbbbbbacaacaaaaaaaaaaccccbccbaabaaaaabbbcccbbbbbbbccbaabbccaaaaacccbbbaaacccccaaaaacccccacccaaaaabbccbbcccccabcccccbbbcccccacbaacbaaaaabbbbbacccccbbbbbbccccccaaaaabbaacbbaaaaaaaaccaaaaacccacccbacbcbbbbbbbaaaaabbacccccccccccccccbaaacccccaaaacccaaaaabbbbbbbbaaccccacccccbbbbbbbbbcccccbccccccccccccccabbcccccacccccabbbbbccaccccabbbbbbbccaaaaacaaaaaaaaacaaaccccccccccaaaccccbbccaaccccccccbaaaaacabbbbbcaaaaaaaaaacacbbccccccccccaccccbbcccbbabbbaaaaabbbcbaaaaabbaaaaacbbbbbacbbbbbaaaaccaaaaaacbbbbbabaaaaaccbcccccbbbaaaaabcbbbccaaaaaccccccaaaabbbbaabcbaaaaaccccccccccaacacbcccaaaaaabbaaaaaabbbbbabaacccccccbaaaaccaccbbbbbbcbacbcccccbcccaaaaaaaaccbbabccbccc')
def encode(text):
    runs = []
    for char in text:
        if runs and runs[-1][0] == char:
            runs[-1][1] += 1
        else:
            runs.append([char, 1])
    parts = []
    for char, count in runs:
        parts.append(char if count == 1 else f"{count}{char}")
    return "".join(parts)
