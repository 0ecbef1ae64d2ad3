# family: texts
# title: numbers in words
# time: O(n)
# space: O(n)
# english: Writes a whole number in words, tens and ones turned round as in German.
# chinese: 把整数写成单词，个位在十位之前（如德语）。
# call: words(42)
# call: words(807)
# call: words(-19)
def words(number):
    small = "zero one two three four five six seven eight nine ten eleven twelve".split()
    tens = "- - twenty thirty forty fifty sixty seventy eighty ninety".split()
    if number < 0:
        return "minus " + words(-number)
    if number < 13:
        return small[number]
    if number < 20:
        return small[number - 10].replace("three", "thir").replace("five", "fif") + "teen"
    if number < 100:
        ones = number % 10
        head = small[ones] + "and" if ones else ""
        return head + tens[number // 10]
    rest = number % 100
    return small[number // 100] + " hundred" + (" " + words(rest) if rest else "")
