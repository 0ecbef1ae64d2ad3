# family: dictionaries
# title: versions of a key
# time: O(n)
# space: O(n)
# english: A store that keeps every version of a key: sets, looks back by steps, and rolls back to a mark.
# chinese: 保存键的各个版本的存储：写入、回看若干步、回滚到标记。
# call: store(["set a 1", "set a 2", "back a 1"])
# call: store(["set x 5", "mark", "set x 6", "set y 7", "roll", "back x 0"])
# call: store(["mark", "set k 1", "set k 3", "roll", "back k 0", "set k 9"])
def store(commands):
    log, marks, out = [], [], []
    for command in commands:
        verb, *rest = command.split()
        if verb == "set":
            log.append((rest[0], int(rest[1])))
        elif verb == "mark":
            marks.append(len(log))
        elif verb == "roll":
            del log[marks.pop() :]
        else:
            versions = [value for key, value in log if key == rest[0]]
            place = len(versions) - 1 - int(rest[1])
            out.append(versions[place] if place >= 0 else None)
    return dict(log), out
