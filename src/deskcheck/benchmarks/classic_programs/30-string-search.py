# call: search('a', 'a')
# call: search('bba', 'a')
# call: search('bbbabb', 'ba')
# call: search('bbaabbbbbba', 'bba')
# call: search('baaaabaaaabaaababaaa', 'abaaa')
# call: search('ababbaaabbabbababbaaaaababbaaabababbaaa', 'ababbaaa')
# call: search('abbbaaaabbbbbabbbbbaaaabbbbaaaababbbbbaaaabbbbbaaaabbbbbbaaaabbbbaaaababab', 'bbbaaaab')
# call: search('aabbbbaaabaaaabaaaaaaaaaaabaaabbaabaaaabaaabaaaabaaaaaaabaaaaaaaabaaaaabaaaabaaaaabaaaabaaaaaaabaaaabaaaaabaaaaaaaabaaaabaaaaabaaa', 'aaaabaaa')
# call: search('abbbbbaaabbbaabbbbaaabbbbbbaaabaabbabbbbaaabbbbbaaabaabbbbaaabbbbbbbbbbaaabaaabbbbbaaababbbbaaababbaaabbbbaaababbbbbaaabbbbbaaababbbbaaabbbbbaaabbbbbaaabbaaabbaabaabbbbaaabbbbbbaaabbbaabababbbbaaabbabbbbaaabbabbabbbbbaaabbbbbaaabbbbbaaabbaabbbbaaab', 'bbbbaaab')
# call: search('abbbbbbbbbbabbbbbbbbbbbbbbbbabbbbbbbbaabbabbbbbbbbaabbbbbbbbbbbbbbbbbbababbbbbbbbbbbbbbbbbbbbbbbbbbbabaabbbbbbbbabbbbbbbbbbbbbbbbbbbbbbbbbbbbabbbbbbbbbbaaaabaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbababbbbbbbbbaaabaabbbbbbbbbbbbbbbbbaabbbbbbbbbbbbbbbbaaaaabaababbbbbbbbbbabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbba', 'bbbbbbbb')
def failure_table(pattern):
    table = [0]
    length = 0
    for char in pattern[1:]:
        while length and pattern[length] != char:
            length = table[length - 1]
        if pattern[length] == char:
            length += 1
        table.append(length)
    return table


def search(text, pattern):
    table = failure_table(pattern)
    hits = []
    matched = 0
    for position, char in enumerate(text):
        while matched and pattern[matched] != char:
            matched = table[matched - 1]
        if pattern[matched] == char:
            matched += 1
        if matched == len(pattern):
            hits.append(position - matched + 1)
            matched = table[matched - 1]
    return hits
