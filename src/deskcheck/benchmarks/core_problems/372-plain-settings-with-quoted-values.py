# family: plain
# title: settings with quoted values, in plain Python
# time: O(n)
# space: O(n)
# english: Reads key=value pairs where values may be quoted, turns numbers into integers, and lets later keys win.
# chinese: 读取可带引号的键值对，把数字转为整数，后出现的键覆盖先前的。
# control-for: 312
# call: settings('host="a b" port=80 debug')
# call: settings('x=1 y="2" x=3 z=')
# call: settings('path="/usr/lib" retries=10 path=none')
def settings(text):
    values = {}
    while "=" in text:
        key, _, tail = text.partition("=")
        quoted = tail.startswith('"')
        value, _, text = tail[quoted:].partition('"' if quoted else " ")
        values.pop(key, None)
        values[key] = int(value) if value.isdecimal() and not quoted else value
        text = text.lstrip()
    return values, text.split()
