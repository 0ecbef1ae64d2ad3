# family: texts
# title: masked account
# time: O(n)
# space: O(n)
# english: Hides the digits of a text but the last three of each group, and turns the letters between groups to upper case.
# chinese: 遮住文本中每组数字除最后三位以外的数字，并把其间字母改为大写。
# call: mask("id 12345")
# call: mask("ab1234-cd99")
# call: mask("x 7 tel 0049 555")
def mask(text):
    out, digits = [], ""
    for letter in text + " ":
        if letter.isdigit():
            digits += letter
            continue
        if digits:
            shown = digits[-3:]
            out.append(shown.rjust(len(digits), "*"))
            digits = ""
        out.append(letter.upper())
    return "".join(out).rstrip()
