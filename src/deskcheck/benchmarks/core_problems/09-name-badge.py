# family: strings
# title: a badge made of a name
# time: O(n)
# space: O(n)
# english: Parts a name at the first separator, reverses and capitalises the first part, swaps the case of the rest and joins padded first part, the end of the rest (of the first part where there is no rest) and the length.
# chinese: 在第一个分隔符处把名字分开，前一部分反转并首字母大写，其余部分大小写互换，再把补齐的前一部分、其余部分（没有则前一部分）的末尾和长度连接起来。
# call: badge("lena.Kurz")
# call: badge("omar")
# call: badge("ines_de_wit", "_")
def badge(name, separator="."):
    first, _, rest = name.partition(separator)
    first = first[::-1].title()
    rest = rest.replace(separator, "").swapcase()
    end = (rest or first)[-2:]
    return f"{first:*>7}-{end}{len(name)}"
