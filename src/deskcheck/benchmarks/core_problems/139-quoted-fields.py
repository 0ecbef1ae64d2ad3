# family: parsing
# title: fields with quotes
# time: O(n)
# space: O(n)
# english: Splits a line at semicolons that stand outside of quotes; a quote that is never closed fails.
# chinese: 在引号之外的分号处切分一行；引号未闭合则报错。
# call: fields("a;b")
# call: fields("x;'y;z';w")
# call: fields("k;'l;m")
def fields(line):
    found, word, inside = [], "", False
    for sign in line:
        if sign == "'":
            inside = not inside
        elif sign == ";" and not inside:
            found.append(word)
            word = ""
        else:
            word += sign
    if inside:
        raise SyntaxError(word)
    return found + [word]
