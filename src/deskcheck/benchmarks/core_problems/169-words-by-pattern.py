# family: effects
# title: a pattern over a log
# time: O(n)
# space: O(n)
# english: Picks codes and numbers out of a log with a pattern, adds up the numbers by code, and writes the result as JSON.
# chinese: 用正则从日志提取代码和数字，按代码求和，并写成 JSON。
# call: report("ab12")
# call: report("x1 y20 x3")
# call: report("err7;ok40;err5;8;ok")
import json
import re


def report(log):
    totals = {}
    for code, number in re.findall(r"([a-z]+)(\d+)", log):
        totals[code] = totals.get(code, 0) + int(number)
    return json.dumps(totals, sort_keys=True)
