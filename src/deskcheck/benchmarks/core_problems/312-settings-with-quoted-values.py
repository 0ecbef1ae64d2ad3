# family: re
# title: settings with quoted values
# time: O(n)
# space: O(n)
# english: Reads key=value pairs where values may be quoted, turns numbers into integers, and lets later keys win.
# chinese: 读取可带引号的键值对，把数字转为整数，后出现的键覆盖先前的。
# call: settings('host="a b" port=80 debug')
# call: settings('x=1 y="2" x=3 z=')
# call: settings('path="/usr/lib" retries=10 path=none')
import re

PAIR = re.compile(r'(?P<key>[a-z]+)=(?:"(?P<quoted>[^"]*)"|(?P<bare>\S*))')


def settings(text):
    values = {}
    for match in PAIR.finditer(text):
        key = match["key"]
        values.pop(key, None)
        if match["quoted"] is not None:
            values[key] = match["quoted"]
        elif match["bare"].isdecimal():
            values[key] = int(match["bare"])
        else:
            values[key] = match["bare"]
    rest = PAIR.sub("", text).split()
    return values, rest
