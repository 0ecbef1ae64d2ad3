# family: exceptions
# title: which return wins
# time: O(n)
# space: O(1)
# english: Reads numbers from texts; the finally part overrides the return after two failures.
# chinese: 从文本读取数字；失败两次后由 finally 覆盖返回值。
# call: total(["4"])
# call: total(["3", "x", "5"])
# call: total(["a", "2", "b", "9"])
def one(text, failures):
    try:
        return int(text)
    except ValueError:
        failures.append(text)
        return 0
    finally:
        if len(failures) > 1:
            return -10


def total(texts):
    failures = []
    values = [one(text, failures) for text in texts]
    return values, failures
