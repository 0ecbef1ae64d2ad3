# family: parsing
# title: sums of products without spaces
# time: O(n)
# space: O(n)
# english: Works out a text with +, - and * between single digits, products first.
# chinese: 计算由一位数和 +、-、* 组成的式子，先乘后加减。
# call: work("3+4")
# call: work("2*3-4")
# call: work("9-2*2*2+5*3")
def work(text):
    terms, sign = [], 1
    for i, mark in enumerate(text):
        if mark in "+-":
            sign = 1 if mark == "+" else -1
        elif mark.isdigit():
            if i > 0 and text[i - 1] == "*":
                terms[-1] *= int(mark)
            else:
                terms.append(sign * int(mark))
    return terms, sum(terms)
