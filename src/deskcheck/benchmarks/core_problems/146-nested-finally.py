# family: exceptions
# title: finally inside finally
# time: O(n)
# space: O(n)
# english: Looks indices up inside two try blocks and writes down which parts ran.
# chinese: 在两层 try 中查找下标，并记录执行了哪些部分。
# call: visit([5], [0])
# call: visit([5, 6], [1, 3])
# call: visit([7], [0, -2, 0])
def visit(items, places):
    log = []
    for place in places:
        try:
            try:
                log.append(items[place])
            finally:
                log.append("in")
        except IndexError:
            log.append("out")
        else:
            log.append("ok")
    return log
