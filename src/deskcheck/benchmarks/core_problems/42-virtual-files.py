# family: effects
# title: a small shell over virtual files
# time: O(n*s)
# space: O(s)
# english: Runs commands over files held in a dict: mv renames, cat joins files into the last one, rot moves the first letter to the end. A missing file fails.
# chinese: 对存于字典中的文件执行命令：mv 改名，cat 把若干文件连接成最后一个，rot 把首字母移到末尾。文件不存在时报错。
# call: shell({"a": "sun", "b": "ny"}, ["rot a", "mv b c"])
# call: shell({"x": "12", "y": "7"}, ["mv x z", "cat y x w"])
# call: shell({"log": "ab", "old": "cde"}, ["cat old log all", "rot all", "mv log new", "rot old", "cat all new b"])
def shell(files, commands):
    for command in commands:
        verb, *paths = command.split()
        for path in paths[:-1] or paths:
            if path not in files:
                raise FileNotFoundError(path)
        if verb == "mv":
            files[paths[1]] = files.pop(paths[0])
        elif verb == "cat":
            files[paths[-1]] = "".join(files[path] for path in paths[:-1])
        else:
            text = files[paths[0]]
            files[paths[0]] = text[1:] + text[:1]
    return files
