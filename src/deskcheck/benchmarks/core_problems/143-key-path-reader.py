# family: parsing
# title: a path into nested data
# time: O(n)
# space: O(1)
# english: Follows a path like a.b[1] into dicts and lists; what is missing fails as the container does.
# chinese: 沿 a.b[1] 这样的路径进入嵌套的字典和列表；缺失则按容器报错。
# call: follow({"a": 4}, "a")
# call: follow({"a": {"b": [3, 8]}}, "a.b[1]")
# call: follow({"p": [{"q": 1}, [5]]}, "p[1][2].q")
def follow(data, path):
    steps, word = [], ""
    for sign in path + ".":
        if sign in ".[":
            if word:
                steps.append(word)
            word = ""
        elif sign == "]":
            steps.append(int(word))
            word = ""
        else:
            word += sign
    for step in steps:
        data = data[step]
    return data
