# family: system
# title: environment with fallback
# time: O(n)
# space: O(n)
# english: Sets variables of the environment, expands $names in a text, removes them again and expands once more.
# chinese: 设置环境变量并展开文本中的 $ 名称，删除后再展开一次。
# call: expand({"CITY": "Rome"}, "to $CITY")
# call: expand({"AA": "1", "BB": "$AA"}, "${BB}-$CC")
# call: expand({}, "no $thing")
import os


def expand(values, text):
    os.environ.update(values)
    first = os.path.expandvars(text)
    for name in values:
        os.environ.pop(name)
    second = os.path.expandvars(text)
    known = [name for name in values if name in os.environ]
    return first, second == text, known
