# family: exceptions
# title: which handlers run
# time: O(1)
# space: O(1)
# english: Divides 12 by an entry of a box and notes which of try, except, else and finally were passed; a missing key and a zero are handled, other failures are not.
# chinese: 用 12 除以盒子中的一项，并记录经过了 try、except、else、finally 中的哪些；缺键和零会被处理，其他错误不处理。
# call: ladder({"a": 5}, "a")
# call: ladder({"a": 0, "b": 4}, "a")
# call: ladder({"b": "3"}, "b")
def ladder(box, key):
    log = ["try"]
    share = -1
    try:
        share = 12 // box[key]
    except KeyError:
        log.append("key")
    except ZeroDivisionError:
        log.append("zero")
        share = len(box)
    else:
        log.append("else")
    finally:
        log.append("finally")
    return log, share
