# family: strings
# title: how deep letters stand
# time: O(n)
# space: O(n)
# english: Writes each letter as often as the number of brackets that are open around it; a closing bracket too many ends the text.
# chinese: 每个字母按其外层未闭合括号的数量重复书写；多余的右括号使文本结束。
# call: heights("a")
# call: heights("x(y)z")
# call: heights("(a(bc)d))e")
def heights(text):
    depth, result = 0, ""
    for sign in text:
        if sign == "(":
            depth += 1
        elif sign == ")":
            depth -= 1
            if depth < 0:
                return result + "!"
        else:
            result += sign * depth
    return result
