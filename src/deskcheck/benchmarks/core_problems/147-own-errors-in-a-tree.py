# family: exceptions
# title: errors of its own in a tree
# time: O(n)
# space: O(n)
# english: Classes of errors that inherit from each other; which handler takes which, and what is not caught.
# chinese: 相互继承的异常类；判断哪个处理器捕获哪个，以及未捕获的情况。
# call: handle(["cold"])
# call: handle(["hot", "mild"])
# call: handle(["mild", "cold", "dry"])
class Weather(Exception):
    pass


class Cold(Weather):
    pass


class Hot(Weather):
    pass


def handle(days):
    kinds = {"cold": Cold, "hot": Hot, "mild": Weather}
    told = []
    for day in days:
        try:
            raise kinds[day](day)
        except Cold as error:
            told.append("brr " + error.args[0])
        except Weather as error:
            told.append(type(error).__name__)
    return told
