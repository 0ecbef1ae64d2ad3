# family: strings
# title: a line typed with corrections
# time: O(n)
# space: O(n)
# english: Types the letters of a text; < removes the last letter, ^ makes the next letter large, both together cancel the shift.
# chinese: 逐个键入字符；< 删除最后一个字母，^ 使下一个字母大写，两者相遇则取消大写。
# call: typed("a<b")
# call: typed("^ab^<c<d")
# call: typed("so^<^many<<^^x<y")
def typed(keys):
    line, large = "", False
    for key in keys:
        if key == "^":
            large = True
        elif key == "<":
            if large:
                large = False
            else:
                line = line[:-1]
        else:
            line += key.upper() if large else key
            large = False
    return line
